#include "widgets/overlay/readout.h"

#include "analysis/energy/power_series.h"
#include "report/report.h"
#include "widgets/overlay/throttle.h"
#include "widgets/panes/words.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <QGuiApplication>
#include <QPainter>
#include <QScreen>

namespace wattproof::widgets {
namespace {

constexpr int kMargin = 8, kColumnGap = 12, kSwatch = 22, kRowHeight = 18, kMostRows = 40;
constexpr double kNsPerSecond = 1e9;

struct Around {
    std::optional<Sample> before, after;  // last at or before the time, first after it
};

Around around(const std::vector<Sample> &samples, Ns at) {
    Around found;
    for (const Sample &sample : samples) {
        if (!std::isfinite(sample.value))
            continue;
        if (sample.ts <= at)
            found.before = sample;
        else if (!found.after)
            found.after = sample;
    }
    return found;
}

QString ageText(Ns age) {
    return age < 0 ? ReadoutBox::tr("ends in %1").arg(durationText(-age))
                   : ReadoutBox::tr("%1 ago").arg(durationText(age));
}

// Joules between two readings as power.
std::optional<double> powerBetween(const Sample &before, const Sample &after, const OverlayChannel &channel) {
    const double seconds = static_cast<double>(after.ts - before.ts) / kNsPerSecond;
    double joules = channel.reading == Reading::DeltaRate ? after.value : after.value - before.value;
    if (joules < 0)
        joules += static_cast<double>(channel.counter.modulus);
    return seconds > 0 && joules >= 0 ? std::optional(joules / seconds) : std::nullopt;
}

struct Read {
    std::optional<double> value;
    Ns age = 0;
};

// A reading of an interval is that of the interval which holds the time; any other is the last one made.
Read readingOf(const OverlayChannel &channel, const Around &found) {
    if (channel.reading != Reading::AsStored)
        return {found.before && found.after ? powerBetween(*found.before, *found.after, channel) : std::nullopt,
                found.after ? found.after->ts : 0};
    if (channel.counter.kind == CounterKind::Mean)
        return found.after ? Read{found.after->value, found.after->ts} : Read{};
    return found.before ? Read{found.before->value, found.before->ts} : Read{};
}

void fillReading(ReadoutRow &row, const OverlayChannel &channel, const Around &found, Ns period, Ns at) {
    const Ns longest = analysis::kPeriodsBridged * std::max<Ns>(period, 1);
    const bool outside = !found.before || (!found.after && at - found.before->ts > std::max<Ns>(period, 1));
    const bool bridged = channel.reading == Reading::CounterRate || !found.before || !found.after ||
                         found.after->ts - found.before->ts <= longest;
    const Read read = readingOf(channel, found);
    row.value = QStringLiteral("–");
    if (outside)
        row.age = ReadoutBox::tr("outside the log");
    else if (!bridged) {
        row.value = ReadoutBox::tr("gap");
        row.age = ReadoutBox::tr("no reading for %1").arg(durationText(found.after->ts - found.before->ts));
    } else if (read.value) {
        row.value = QString::fromStdString(report::quantity(*read.value, channel.unit));
        row.age = ageText(at - read.age);
    }
}

Expected<Around> readAround(store::Reader &reader, CounterId counter, Ns at, const std::stop_token &stop) {
    auto samples = reader.samples(counter, {at, at + 1}, stop);
    if (!samples)
        return passOn(samples);
    return around(*samples, at);
}

// "power cap: sw_power_cap", every class that the mask in force names.
Expected<QString> throttleAt(store::Reader &reader, const CounterRow &mask, Ns at, const std::stop_token &stop) {
    auto found = readAround(reader, mask.id, at, stop);
    if (!found)
        return passOn(found);
    if (!found->before)
        return QStringLiteral("–");
    const double value = found->before->value;
    auto spans =
        throttleSpans(mask, {{found->before->ts, found->before->ts, value, value, value, value, 1, false}}, 1);
    if (!spans)
        return passOn(spans);
    QStringList words;
    for (const ThrottleSpan &span : *spans)
        words << QString::fromStdString(throttleWord(span.throttleClass) + " (" + span.reasons + ")");
    return words.isEmpty() ? ReadoutBox::tr("none") : words.join(QStringLiteral(", "));
}

}  // namespace

Expected<std::vector<ReadoutRow>> readAt(store::Reader &reader, const std::vector<OverlayChannel> &channels,
                                         const std::vector<CounterRow> &masks, Ns at,
                                         const std::stop_token &stop) {
    std::vector<ReadoutRow> rows;
    for (const OverlayChannel &channel : channels) {
        auto period = reader.samplePeriod(channel.counter.id);
        if (!period)
            return passOn(period);
        auto found = readAround(reader, channel.counter.id, at, stop);
        if (!found)
            return passOn(found);
        ReadoutRow row{channel.label, {}, {}, sensorText(channel.counter.sensor), channel.colour, channel.style};
        fillReading(row, channel, *found, *period, at);
        rows.push_back(std::move(row));
    }
    for (const CounterRow &mask : masks) {
        auto text = throttleAt(reader, mask, at, stop);
        if (!text)
            return passOn(text);
        rows.push_back({ReadoutBox::tr("Throttle"), *text, {}, {}, {}, Qt::NoPen});
    }
    return rows;
}

ReadoutBox::ReadoutBox(QWidget *parent) : QWidget(parent, Qt::ToolTip), theme_(&draw::lightTheme()) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_ShowWithoutActivating);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Readings at the pointer"));
}

void ReadoutBox::setTheme(const draw::Theme &theme) {
    theme_ = &theme;
    update();
}

void ReadoutBox::setRows(QString title, std::vector<ReadoutRow> rows) {
    title_ = std::move(title);
    rows_ = std::move(rows);
    fit();
    update();
}

void ReadoutBox::fit() {
    const QFontMetricsF metrics(font(), this);
    double sensorWidth = 0, masks = metrics.horizontalAdvance(title_);
    nameWidth_ = valueWidth_ = ageWidth_ = 0;
    for (const ReadoutRow &row : rows_) {
        nameWidth_ = std::max(nameWidth_, metrics.horizontalAdvance(row.name));
        if (row.style == Qt::NoPen) {
            masks = std::max(masks, kSwatch + nameWidth_ + kColumnGap + metrics.horizontalAdvance(row.value));
            continue;
        }
        valueWidth_ = std::max(valueWidth_, metrics.horizontalAdvance(row.value));
        ageWidth_ = std::max(ageWidth_, metrics.horizontalAdvance(row.age));
        sensorWidth = std::max(sensorWidth, metrics.horizontalAdvance(row.sensor));
    }
    const double columns = kSwatch + nameWidth_ + valueWidth_ + ageWidth_ + sensorWidth + 3 * kColumnGap;
    const int shown = std::min<int>(static_cast<int>(rows_.size()), kMostRows);
    resize(static_cast<int>(std::max(columns, masks)) + 2 * kMargin, (shown + 1) * kRowHeight + 2 * kMargin);
}

void ReadoutBox::placeAt(QPoint pointer) {
    constexpr int kAway = 18;
    const QScreen *screen = QGuiApplication::screenAt(pointer);
    const QRect room = (screen ? screen : QGuiApplication::primaryScreen())->availableGeometry();
    int left = pointer.x() + kAway;
    if (left + width() > room.right())
        left = pointer.x() - kAway - width();
    const int top =
        std::clamp(pointer.y() - height() - kAway, room.top(), std::max(room.top(), room.bottom() - height()));
    move(std::max(left, room.left()), top);
}

void ReadoutBox::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), theme_->background);
    painter.setPen(QPen(theme_->muted, 0));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
    const auto cell = [&](double left, double top, double width, const QString &text, const QColor &colour,
                          int align) {
        painter.setPen(colour);
        painter.drawText(QRectF(left, top, width, kRowHeight), align | Qt::AlignVCenter | Qt::TextSingleLine,
                         text);
    };
    double top = kMargin;
    cell(kMargin, top, width(), title_, theme_->muted, Qt::AlignLeft);
    for (std::size_t i = 0; i < std::min<std::size_t>(rows_.size(), kMostRows); ++i) {
        const ReadoutRow &row = rows_[i];
        top += kRowHeight;
        double left = kMargin + kSwatch;
        if (row.style != Qt::NoPen) {
            painter.setPen(QPen(row.colour, 2, row.style));
            painter.drawLine(QLineF(kMargin, top + kRowHeight / 2.0, kMargin + 16, top + kRowHeight / 2.0));
        }
        cell(left, top, nameWidth_, row.name, theme_->text, Qt::AlignLeft);
        left += nameWidth_ + kColumnGap;
        if (row.style == Qt::NoPen) {
            cell(left, top, width() - left, row.value, theme_->text, Qt::AlignLeft);
            continue;
        }
        cell(left, top, valueWidth_, row.value, theme_->text, Qt::AlignRight);
        left += valueWidth_ + kColumnGap;
        cell(left, top, ageWidth_, row.age, theme_->muted, Qt::AlignLeft);
        left += ageWidth_ + kColumnGap;
        cell(left, top, width() - left, row.sensor, theme_->muted, Qt::AlignLeft);
    }
}

}  // namespace wattproof::widgets
