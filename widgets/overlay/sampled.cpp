#include "widgets/overlay/sampled.h"

#include "analysis/energy/read_power.h"
#include "widgets/panes/words.h"

#include <algorithm>
#include <optional>

namespace wattproof::widgets {
namespace {

constexpr Ns kMostReadings = 4'000;  // on a screen: beyond that windows are narrower than pixels
constexpr std::size_t kSteps = 1'600;
constexpr int kBandAlpha = 40;

void paintWindow(QPainter &painter, const analysis::PowerWindow &window, const draw::TimeScale &scale,
                 const draw::ValueScale &values) {
    if (!scale.shows(window.range))
        return;
    constexpr double kTick = 3;
    const double left = std::max(scale.left, scale.x(window.range.begin));
    const double right = std::min(scale.right(), scale.x(window.range.end)), y = values.y(window.watts);
    painter.drawLine(QLineF(left, y, right, y));
    painter.drawLine(QLineF(right, y - kTick, right, y + kTick));  // the reading is made at the end
}

// Where no reading bounds a step from above the band goes on to the top.
void paintBand(QPainter &painter, const analysis::Reconstruction &power, const draw::TimeScale &scale,
               const draw::ValueScale &values, QColor colour) {
    colour.setAlpha(kBandAlpha);
    for (const analysis::ReconstructedStep &step : power.steps) {
        if (!step.known() || !scale.shows(step.range))
            continue;
        const double left = std::max(scale.left, scale.x(step.range.begin));
        const double right = std::min(scale.right(), scale.x(step.range.end));
        const double top = std::max(values.top, values.y(step.high));
        const double bottom = std::min(values.bottom, values.y(step.low));
        painter.fillRect(QRectF(QPointF(left, top), QPointF(right, std::max(bottom, top + 1))), colour);
    }
}

}  // namespace

Expected<SampledPower> readSampled(store::Reader &reader, const std::vector<CounterRow> &counters, TimeRange range,
                                   const std::stop_token &stop) {
    SampledPower found;
    for (const CounterRow &counter : counters) {
        auto period = reader.samplePeriod(counter.id);
        if (!period)
            return passOn(period);
        if (*period > 0 && range.length() / *period > kMostReadings) {
            found.tooMany = true;
            continue;
        }
        // Readings that were made later speak of the range too.
        const Ns reach = counter.sensor.window + counter.sensor.lag + *period;
        auto power = analysis::readPowerAround(reader, counter, {range.begin, range.end + reach}, stop);
        if (!power)
            return passOn(power);
        analysis::ReconstructionQuery query;
        query.range = range;
        query.steps = kSteps;
        found.channels[counter.id] = analysis::reconstruct(*power, query, stop);
    }
    return found;
}

SampledCache::SampledCache(Session *session, QObject *parent) : QObject(parent), session_(session) {
    connect(session, &Session::dataChanged, this, [this] { asked_ = {}; });
}

void SampledCache::setChannels(std::vector<OverlayChannel> channels) {
    channels_ = std::move(channels);
    power_ = {};
    asked_ = {};
}

void SampledCache::show(TimeRange visible) {
    const bool covered =
        asked_.begin <= visible.begin && visible.end <= asked_.end && asked_.length() <= 4 * visible.length();
    if (channels_.empty() || covered)
        return;
    asked_ = {visible.begin - visible.length() / 2, visible.end + visible.length() / 2};
    std::vector<CounterRow> counters;
    for (const OverlayChannel &channel : channels_)
        counters.push_back(channel.counter);
    session_->queries().ask(
        this, "overlay/sampled",
        [counters = std::move(counters), range = asked_](store::Reader &reader, const std::stop_token &stop) {
            return readSampled(reader, counters, range, stop);
        },
        [this](Expected<SampledPower> &&power) {
            if (!power)
                return;
            power_ = std::move(*power);
            emit arrived();
        });
}

QString SampledCache::note() const {
    if (power_.tooMany)
        return tr("Zoom in to see what time each reading stands for");
    std::optional<std::string> said;
    for (const auto &[counter, power] : power_.channels) {
        if (said && *said != power.note)
            return tr("Bars: readings, over the time that they are means of. Shade: what shorter stretches can have been.");
        said = power.note;
    }
    return qs(said.value_or(""));
}

void SampledCache::paint(QPainter &painter, const draw::TimeScale &scale, const draw::ValueScale &values,
                         const draw::Theme &theme) const {
    for (const OverlayChannel &channel : channels_)
        if (const auto power = power_.channels.find(channel.counter.id); power != power_.channels.end())
            paintBand(painter, power->second, scale, values, channel.colour);
    for (const OverlayChannel &channel : channels_) {
        const auto power = power_.channels.find(channel.counter.id);
        if (power == power_.channels.end())
            continue;
        painter.setPen(QPen(channel.colour, 1));
        for (const analysis::PowerWindow &window : power->second.readings)
            paintWindow(painter, window, scale, values);
    }
    const QString text = note();
    if (text.isEmpty())
        return;
    const QFontMetricsF metrics(painter.font());
    const double width = std::min(metrics.horizontalAdvance(text) + 8, scale.width - 16);
    const double height = metrics.height() + 2;
    const QRectF place(scale.left + 8, values.bottom - height - 2, width, height);
    painter.fillRect(place, theme.background);
    painter.setPen(theme.text);
    painter.drawText(place, Qt::AlignCenter, metrics.elidedText(text, Qt::ElideRight, place.width() - 4));
}

}  // namespace wattproof::widgets
