#include "widgets/overlay/sampled.h"

#include "analysis/energy/read_power.h"

#include <algorithm>

namespace wattproof::widgets {
namespace {

constexpr Ns kMostReadings = 4'000;  // on a screen: beyond that windows are narrower than pixels
constexpr Ns kPeriodsBridged = 5;

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

}  // namespace

Expected<SampledWindows> readSampled(store::Reader &reader, const std::vector<CounterRow> &counters,
                                     TimeRange range, const std::stop_token &stop) {
    SampledWindows found;
    for (const CounterRow &counter : counters) {
        auto period = reader.samplePeriod(counter.id);
        if (!period)
            return passOn(period);
        if (*period > 0 && range.length() / *period > kMostReadings) {
            found.tooMany = true;
            continue;
        }
        auto gap = analysis::bridgedGap(reader, counter.source);
        if (!gap)
            return passOn(gap);
        const Ns reach = counter.sensor.window + counter.sensor.lag;
        auto samples = reader.samples(counter.id, {range.begin, range.end + reach}, stop);
        if (!samples)
            return passOn(samples);
        found.windows[counter.id] = analysis::sensorWindows(
            analysis::PowerSeries(counter, std::move(*samples), *gap > 0 ? *gap : kPeriodsBridged * *period));
    }
    return found;
}

SampledCache::SampledCache(Session *session, QObject *parent) : QObject(parent), session_(session) {
    connect(session, &Session::dataChanged, this, [this] { asked_ = {}; });
}

void SampledCache::setChannels(std::vector<OverlayChannel> channels) {
    channels_ = std::move(channels);
    windows_ = {};
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
        [this](Expected<SampledWindows> &&windows) {
            if (!windows)
                return;
            windows_ = std::move(*windows);
            emit arrived();
        });
}

void SampledCache::paint(QPainter &painter, const draw::TimeScale &scale, const draw::ValueScale &values,
                         const draw::Theme &theme) const {
    if (channels_.empty())
        return;
    for (const OverlayChannel &channel : channels_) {
        const auto windows = windows_.windows.find(channel.counter.id);
        if (windows == windows_.windows.end())
            continue;
        painter.setPen(QPen(channel.colour, 1));
        for (const analysis::PowerWindow &window : windows->second)
            paintWindow(painter, window, scale, values);
    }
    if (windows_.tooMany) {
        painter.setPen(theme.text);
        const QRectF place(scale.left + 8, values.top + 2, scale.width - 16, 18);
        painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter,
                         tr("Zoom in to see what time each reading stands for"));
    }
}

}  // namespace wattproof::widgets
