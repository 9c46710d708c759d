#include "widgets/overlay/overlay_painters.h"

#include "report/draw/hatch.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <QPolygonF>

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

// One stretch of columns in which a layer is known.
void paintStretch(QPainter &painter, const DrawnLayer &layer, std::size_t from, std::size_t to,
                  const draw::TimeScale &scale, const draw::ValueScale &values, const QColor &edge) {
    QPolygonF top, area;
    for (std::size_t column = from; column < to; ++column) {
        const double x = scale.left + static_cast<double>(column);
        const double y = values.y(layer.layer.top[column]);
        if (top.isEmpty() || top.back().y() != y) {
            if (!top.isEmpty())
                top << QPointF(x, top.back().y());
            top << QPointF(x, y);
        }
    }
    top << QPointF(scale.left + static_cast<double>(to), top.back().y());
    area = top;
    for (std::size_t column = to; column-- > from;) {
        const double y = values.y(layer.layer.top[column] - layer.layer.watts[column]);
        if (area.back().y() != y)
            area << QPointF(scale.left + static_cast<double>(column) + 1, y);
        area << QPointF(scale.left + static_cast<double>(column), y);
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(layer.fill);
    painter.drawPolygon(area);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(edge, 0));
    painter.drawPolyline(top);
}

// The name of a layer where it is thick enough over the name's whole width.
void paintLayerName(QPainter &painter, const DrawnLayer &layer, const draw::TimeScale &scale,
                    const draw::ValueScale &values) {
    const QFontMetricsF metrics(painter.font());
    const auto width = static_cast<std::size_t>(std::ceil(metrics.horizontalAdvance(layer.label))) + 8;
    const double need = metrics.height() - 1;
    const std::size_t columns = layer.layer.top.size();
    for (std::size_t from = 8; from + width < columns; from += width) {
        double top = values.top, bottom = values.bottom;
        for (std::size_t column = from; column < from + width && bottom - top >= need; column += 4) {
            const double end = layer.layer.top[column], begin = end - layer.layer.watts[column];
            if (std::isnan(end))
                bottom = top;
            top = std::max(top, values.y(end));
            bottom = std::min(bottom, values.y(begin));
        }
        if (bottom - top < need)
            continue;
        painter.setPen(draw::Theme::labelOn(layer.fill));
        painter.drawText(
            QRectF(scale.left + static_cast<double>(from), top, static_cast<double>(width), bottom - top),
            Qt::AlignCenter, layer.label);
        return;
    }
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

}  // namespace

QColor layerFill(std::size_t index, std::size_t count, bool rest, const draw::Theme &theme) {
    constexpr double kStrongest = 0.35, kSpan = 0.4;
    const double place = count < 2 ? 0 : static_cast<double>(index) / static_cast<double>(count - 1);
    const QColor tint = draw::blend(theme.accent, theme.background, kStrongest + kSpan * place);
    return rest ? draw::blend(theme.grid, theme.background, 0.2) : tint;
}

void paintStack(QPainter &painter, const std::vector<DrawnLayer> &layers, const draw::TimeScale &scale,
                const draw::ValueScale &values, const draw::Theme &theme) {
    for (const DrawnLayer &layer : layers) {
        const std::vector<double> &top = layer.layer.top;
        for (std::size_t column = 0; column < top.size();) {
            if (std::isnan(top[column])) {
                ++column;
                continue;
            }
            std::size_t end = column;
            while (end < top.size() && !std::isnan(top[end]))
                ++end;
            paintStretch(painter, layer, column, end, scale, values, theme.accent);
            column = end;
        }
    }
    if (layers.size() > 1)
        for (const DrawnLayer &layer : layers)
            paintLayerName(painter, layer, scale, values);
}

void paintEnvelope(QPainter &painter, const std::vector<store::CounterBucket> &buckets,
                   const draw::TimeScale &scale, const draw::ValueScale &values, QColor colour) {
    std::vector<QLineF> strokes;
    const auto isBefore = [&scale](const store::CounterBucket &b) { return b.end < scale.visible.begin; };
    for (auto it = std::partition_point(buckets.begin(), buckets.end(), isBefore);
         it != buckets.end() && it->ts <= scale.visible.end; ++it) {
        const double x = std::floor(scale.x((it->ts + it->end) / 2)) + 0.5;
        if (it->max > it->min && x >= scale.left)
            strokes.emplace_back(x, values.y(it->min), x, values.y(it->max));
    }
    colour.setAlpha(80);
    painter.setPen(QPen(colour, 0));
    draw::paintLines(painter, strokes);
}

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
