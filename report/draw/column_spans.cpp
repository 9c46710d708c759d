#include "report/draw/column_spans.h"

#include <algorithm>
#include <cmath>

namespace wattproof::draw {
namespace {

constexpr double kDenseFrom = 0.5;  // buckets a pixel

using Bucket = store::CounterBucket;
using Place = std::vector<Bucket>::const_iterator;

struct Visible {
    Place begin, end;
};

Visible visibleOf(const std::vector<Bucket> &buckets, const TimeScale &scale) {
    const auto begin = std::partition_point(buckets.begin(), buckets.end(),
                                            [&scale](const Bucket &b) { return b.end < scale.visible.begin; });
    const auto end = std::partition_point(begin, buckets.end(),
                                          [&scale](const Bucket &b) { return b.ts <= scale.visible.end; });
    return {begin, end};
}

// Whether a column has ink, by the patterns that Qt's pens have.
bool hasInk(int column, Qt::PenStyle style) {
    switch (style) {
        case Qt::DashLine:
            return column % 6 < 4;
        case Qt::DotLine:
            return column % 3 == 0;
        case Qt::DashDotLine:
            return column % 9 < 4 || column % 9 == 6;
        default:
            return true;
    }
}

}  // namespace

std::vector<ColumnSpan> columnSpans(const std::vector<Bucket> &buckets, const TimeScale &scale,
                                    const LeftOut &leftOut) {
    std::vector<ColumnSpan> spans;
    const Visible visible = visibleOf(buckets, scale);
    const double perNs = 1 / scale.nsPerPixel();
    bool joined = false;
    for (auto at = visible.begin; at != visible.end; ++at) {
        if (at->gapBefore)
            joined = false;
        if (leftOut && leftOut(*at)) {
            joined = false;
            continue;
        }
        const Ns middle = at->ts + (at->end - at->ts) / 2;
        const int column = static_cast<int>(std::floor(static_cast<double>(middle - scale.visible.begin) * perNs));
        if (joined && spans.back().column == column) {
            spans.back().low = std::min(spans.back().low, at->min);
            spans.back().high = std::max(spans.back().high, at->max);
        } else {
            spans.push_back({column, at->min, at->max, joined});
        }
        joined = true;
    }
    return spans;
}

bool isDense(const std::vector<Bucket> &buckets, const TimeScale &scale) {
    const Visible visible = visibleOf(buckets, scale);
    return static_cast<double>(visible.end - visible.begin) >= kDenseFrom * scale.width;
}

void fillEnvelope(ColumnImage &image, const std::vector<ColumnSpan> &spans, const ValueScale &values,
                  QColor colour) {
    colour.setAlpha(80);
    const QRgb pixel = qPremultiply(colour.rgba());
    for (const ColumnSpan &span : spans)
        if (span.high > span.low)
            image.fill(span.column, values.y(span.high), values.y(span.low), pixel);
}

void fillLine(ColumnImage &image, const std::vector<ColumnSpan> &spans, const ValueScale &values,
              const QColor &colour, Qt::PenStyle style) {
    const QRgb pixel = qPremultiply(colour.rgba());
    double before = 0;
    int from = 0;
    for (const ColumnSpan &span : spans) {
        const double y = values.y((span.low + span.high) / 2);
        const double start = span.joined ? before : y;
        // Columns without a reading hold the value up to the next.
        for (int column = span.joined ? from + 1 : span.column; column < span.column; ++column)
            if (hasInk(column, style))
                image.fill(column, before, before + 1, pixel);
        if (hasInk(span.column, style))
            image.fill(span.column, std::min(start, y), std::max(start, y) + 1, pixel);
        before = y;
        from = span.column;
    }
}

void paintColumns(QPainter &painter, const std::vector<Bucket> &buckets, const TimeScale &scale,
                  const ValueScale &values, const QColor &colour, double pixel) {
    const TimeScale columns{scale.visible, scale.left / pixel, scale.width / pixel};
    const ValueScale rows{values.low, values.high, values.top / pixel, values.bottom / pixel};
    ColumnImage image(QRectF(QPointF(columns.left, rows.top), QPointF(columns.right(), rows.bottom + 1)));
    const std::vector<ColumnSpan> spans = columnSpans(buckets, columns);
    fillEnvelope(image, spans, rows, colour);
    fillLine(image, spans, rows, colour);
    painter.save();
    painter.scale(pixel, pixel);
    image.paint(painter);
    painter.restore();
}

}  // namespace wattproof::draw
