#include "widgets/overlay/overlay_painters.h"

#include "analysis/intervals.h"
#include "report/draw/hatch.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace wattproof::widgets {
namespace {

constexpr double kLeastBox = 10;  // height of a hatched box, so that a flat stretch is seen

QRectF boxOf(TimeRange range, double low, double high, const draw::TimeScale &scale,
             const draw::ValueScale &values) {
    const double left = std::max(scale.left, scale.x(range.begin));
    const double right = std::min(scale.right(), std::max(scale.x(range.end), left + 2));
    double top = values.y(high), bottom = values.y(low);
    const double missing = kLeastBox - (bottom - top);
    if (missing > 0) {
        top -= missing / 2;
        bottom += missing / 2;
    }
    return {QPointF(left, std::max(top, values.top)), QPointF(right, std::min(bottom, values.bottom))};
}

void hatchBox(QPainter &painter, const QRectF &box, const QColor &colour, const draw::Theme &theme) {
    if (box.isEmpty())
        return;
    painter.fillRect(box, theme.background);
    draw::paintMissing(painter, box, theme);
    painter.setPen(QPen(colour, 0, Qt::DotLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(box);
}

QColor throttleColour(const std::string &throttleClass, const draw::Theme &theme) {
    return throttleClass == "idle" ? theme.grid : draw::clampColour(throttleClass, theme);
}

// Filled where it is idle, hatched where something holds the clock down.
void paintThrottle(QPainter &painter, const QRectF &box, const std::string &throttleClass,
                   const draw::Theme &theme) {
    if (throttleClass == "idle")
        return painter.fillRect(box, throttleColour(throttleClass, theme));
    draw::paintClamp(painter, box, throttleClass, theme);
    painter.fillRect(QRectF(box.left(), box.bottom() - 3, box.width(), 3), throttleColour(throttleClass, theme));
}

void paintChannelGap(QPainter &painter, TimeRange gap, double before, double after, const draw::TimeScale &scale,
                     const draw::ValueScale &values, const QColor &colour, const draw::Theme &theme) {
    if (scale.shows(gap) && scale.x(gap.end) - scale.x(gap.begin) >= 2)
        hatchBox(painter, boxOf(gap, std::min(before, after), std::max(before, after), scale, values), colour,
                 theme);
}

void paintDoubt(QPainter &painter, const DoubtSpan &span, const draw::TimeScale &scale,
                const draw::ValueScale &values, const QColor &colour, const draw::Theme &theme) {
    if (!scale.shows(span.range) || scale.x(span.range.end) - scale.x(span.range.begin) < 2)
        return;
    const QRectF box = boxOf(span.range, span.low, span.high, scale, values);
    hatchBox(painter, box, colour, theme);
    const QFontMetricsF metrics(painter.font());
    const QString word = QString::fromStdString(doubtWord(span.doubt));
    const double width = metrics.horizontalAdvance(word) + 6;
    if (width + 8 > box.width())
        return;
    const double above = box.top() - metrics.height() - 1;
    const QRectF place(box.left() + 4, above >= values.top ? above : box.bottom() + 1, width, metrics.height());
    painter.fillRect(place, theme.background);
    painter.setPen(theme.text);
    painter.drawText(place, Qt::AlignCenter, word);
}

}  // namespace

void paintGapSpans(QPainter &painter, const std::vector<TimeRange> &gaps, const draw::TimeScale &scale, double top,
                   double bottom, const draw::Theme &theme) {
    const auto first = std::partition_point(
        gaps.begin(), gaps.end(), [&scale](const TimeRange &gap) { return gap.end <= scale.visible.begin; });
    double drawnTo = scale.left;
    for (auto gap = first; gap != gaps.end() && gap->begin < scale.visible.end; ++gap) {
        const double left = std::max(drawnTo, scale.x(gap->begin)),
                     right = std::min(scale.right(), scale.x(gap->end));
        if (right - left < 1)
            continue;
        draw::paintMissing(painter, QRectF(QPointF(left, top), QPointF(right, bottom)), theme);
        drawnTo = right;
    }
}

void paintUntrusted(QPainter &painter, const Curve &curve, const std::vector<TimeRange> &missing,
                    const draw::TimeScale &scale, const draw::ValueScale &values, const QColor &colour,
                    const draw::Theme &theme) {
    for (const CurveGap &gap : curve.gaps) {
        const TimeRange moved{gap.range.begin + curve.shift, gap.range.end + curve.shift};
        if (scale.shows(gap.range) && analysis::overlapLength(missing, moved) < moved.length())
            paintChannelGap(painter, gap.range, gap.before, gap.after, scale, values, colour, theme);
    }
    for (const DoubtSpan &span : curve.doubts)
        paintDoubt(painter, span, scale, values, colour, theme);
}

void paintThrottleRows(QPainter &painter, const std::vector<ThrottleSpan> &spans,
                       const std::vector<std::string> &rows, const draw::TimeScale &scale, double top,
                       const draw::Theme &theme) {
    QFont small = painter.font();
    small.setPixelSize(kThrottleRow - 2);
    painter.save();
    painter.setFont(small);
    std::map<std::string, std::pair<double, double>> places;  // class -> top of its row, drawn to
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const double y = top + static_cast<double>(i) * kThrottleRow;
        places[rows[i]] = {y, scale.left};
        painter.setPen(theme.muted);
        painter.drawText(QRectF(0, y, scale.left - 8, kThrottleRow), Qt::AlignRight | Qt::AlignVCenter,
                         QString::fromStdString(throttleWord(rows[i])));
        painter.setPen(QPen(theme.grid, 0));
        painter.drawLine(QLineF(scale.left, y + kThrottleRow - 1, scale.right(), y + kThrottleRow - 1));
    }
    for (const ThrottleSpan &span : spans) {
        const auto place = places.find(span.throttleClass);
        if (place == places.end() || !scale.shows(span.range))
            continue;
        auto &[y, drawnTo] = place->second;
        const double left = std::max(drawnTo, scale.x(span.range.begin));
        const double right =
            std::min(scale.right(), std::max(scale.x(span.range.end), scale.x(span.range.begin) + 1));
        if (right - left < 0.5)
            continue;
        paintThrottle(painter, QRectF(left, y + 1, right - left, kThrottleRow - 2), span.throttleClass, theme);
        drawnTo = right;
    }
    painter.restore();
}

}  // namespace wattproof::widgets
