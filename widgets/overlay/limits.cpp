#include "widgets/overlay/limits.h"

#include "report/draw/labels.h"
#include "report/report.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include <QCoreApplication>

namespace wattproof::widgets {
namespace {

constexpr double kDash = 5, kPause = 4;
constexpr double kSameHeight = 2;  // pixels: closer lines would hide one another
constexpr double kInset = 4, kPadding = 3;

QString say(const char *text) {
    return QCoreApplication::translate("overlay", text);
}

std::optional<ChannelAxis> limitAxis(const CounterRow &counter) {
    if (counter.quantity != "limit" || counter.sampleCount == 0)
        return std::nullopt;
    if (counter.unit == "W")
        return ChannelAxis::Power;
    if (counter.unit == "degC")
        return ChannelAxis::Temperature;
    return counter.unit == "Hz" ? std::optional(ChannelAxis::Clock) : std::nullopt;
}

QString wordOf(const StatedLimit &limit) {
    if (limit.axis == ChannelAxis::Power)
        return say("power limit");
    if (limit.axis == ChannelAxis::Clock)
        return say("clock limit");
    return limit.name.contains(QLatin1String("shutdown"), Qt::CaseInsensitive) ? say("shutdown at")
                                                                               : say("slowdown at");
}

QString valueText(const StatedLimit &limit) {
    return QString::fromStdString(report::quantity(limit.value, limit.unit));
}

// The word says enough unless it stands for different values: then the device's or the channel's name tells.
QString labelOf(const StatedLimit &limit, const std::vector<StatedLimit> &all) {
    bool otherDevice = false, sameDevice = false;
    for (const StatedLimit &other : all) {
        if (other.value == limit.value || other.axis != limit.axis || wordOf(other) != wordOf(limit))
            continue;
        (other.device == limit.device ? sameDevice : otherDevice) = true;
    }
    const QString word = sameDevice ? limit.name : wordOf(limit);
    const QString text = word + QLatin1Char(' ') + valueText(limit);
    return otherDevice ? limit.deviceName + QLatin1Char(' ') + text : text;
}

// The strictest of the limits that a whole states.
const StatedLimit *limitOf(const StackedWhole &whole, const std::vector<StatedLimit> &limits) {
    const StatedLimit *found = nullptr;
    for (const StatedLimit &limit : limits) {
        const bool fits = limit.axis == ChannelAxis::Power && limit.device == whole.device &&
                          (limit.domain == whole.domain || limit.domain.empty() || whole.domain.empty());
        if (fits && (!found || limit.value < found->value))
            found = &limit;
    }
    return found;
}

void addStackLimit(const std::vector<StatedLimit> &limits, const std::vector<StackedWhole> &stack,
                   LimitLines &made) {
    StatedLimit sum;
    sum.unit = "W";
    std::size_t known = 0;
    for (const StackedWhole &whole : stack) {
        const StatedLimit *limit = limitOf(whole, limits);
        if (!limit)
            continue;
        ++known;
        sum.value += limit->value;
    }
    if (known == stack.size())
        made.lines.push_back({ChannelAxis::Power, sum.value,
                              say("%1 power limits, together %2").arg(stack.size()).arg(valueText(sum))});
    else if (known > 0)
        made.missing = say("No limit line: %1 of the %2 stacked domains state one").arg(known).arg(stack.size());
}

QPen penOf(const std::vector<PlacedLimit> &limits, std::size_t index) {
    std::size_t turn = 0, turns = 0;
    for (std::size_t i = 0; i < limits.size(); ++i) {
        if (std::abs(limits[i].y - limits[index].y) >= kSameHeight)
            continue;
        turn += i < index ? 1 : 0;
        ++turns;
    }
    QPen pen(limits[index].colour, 0);
    pen.setDashPattern({kDash, turns > 1 ? kDash * static_cast<double>(turns - 1) : kPause});
    pen.setDashOffset(-kDash * static_cast<double>(turn));
    return pen;
}

// Above or below the line at its own end, then at the other one, then further in, wherever nothing stands yet.
QRectF placeOf(const PlacedLimit &limit, QSizeF size, const QRectF &area, const std::vector<QRectF> &taken) {
    const bool fitsAbove = limit.y - size.height() - 1 >= area.top();
    const double above = limit.y - size.height() - 1, below = limit.y + 2;
    const auto isFree = [&taken](const QRectF &place) {
        return std::none_of(taken.begin(), taken.end(), [&place](const QRectF &t) { return t.intersects(place); });
    };
    QRectF first;
    for (double in = kInset; in + size.width() < area.width(); in += size.width() + kInset)
        for (const bool left : {limit.left, !limit.left})
            for (const double top : {fitsAbove ? above : below, below}) {
                const double x = left ? area.left() + in : area.right() - in - size.width();
                const QRectF place(QPointF(x, top), size);
                if (isFree(place) && place.bottom() <= area.bottom())
                    return place;
                if (first.isNull())
                    first = place;
            }
    return first;
}

}  // namespace

std::vector<StatedLimit> statedLimits(const RunTables &tables, const std::set<DeviceId> &devices) {
    std::vector<StatedLimit> limits;
    for (const CounterRow &counter : tables.counters) {
        const auto axis = limitAxis(counter);
        if (!axis || !devices.contains(counter.device))
            continue;
        const DeviceRow *device = tables.device(counter.device);
        limits.push_back({*axis, counter.maxValue, counter.unit, counter.device, counter.domain,
                          device ? draw::safeText(device->name) : QString(), draw::safeText(counter.name)});
    }
    return limits;
}

LimitLines limitLines(const std::vector<StatedLimit> &limits, const std::vector<StackedWhole> &stack) {
    LimitLines made;
    const bool summed = stack.size() > 1;
    for (const StatedLimit &limit : limits) {
        if (summed && limit.axis == ChannelAxis::Power)
            continue;
        const LimitLine line{limit.axis, limit.value, labelOf(limit, limits)};
        const auto isKnown = [&line](const LimitLine &l) { return l.axis == line.axis && l.value == line.value; };
        if (std::none_of(made.lines.begin(), made.lines.end(), isKnown))
            made.lines.push_back(line);
    }
    if (summed)
        addStackLimit(limits, stack, made);
    return made;
}

QColor limitColour(ChannelAxis axis, const draw::Theme &theme) {
    return axis == ChannelAxis::Power ? theme.warn : axis == ChannelAxis::Temperature ? theme.bad : theme.muted;
}

void paintLimits(QPainter &painter, const std::vector<PlacedLimit> &limits, const QRectF &area,
                 const draw::Theme &theme) {
    for (std::size_t i = 0; i < limits.size(); ++i) {
        painter.setPen(penOf(limits, i));
        painter.drawLine(QLineF(area.left(), limits[i].y, area.right(), limits[i].y));
    }
    const QFontMetricsF metrics(painter.font());
    std::vector<QRectF> taken;
    for (const PlacedLimit &limit : limits) {
        const QSizeF size(metrics.horizontalAdvance(limit.label) + 2 * kPadding, metrics.height());
        const QRectF place = placeOf(limit, size, area, taken);
        if (place.isNull())
            continue;
        taken.push_back(place);
        painter.fillRect(place, theme.background);
        painter.setPen(limit.colour);
        painter.drawText(place, Qt::AlignCenter, limit.label);
    }
}

}  // namespace wattproof::widgets
