// A counter whose samples stand closer than pixels: what each pixel column of its curve spans.
#pragma once

#include "report/draw/column_image.h"
#include "report/draw/counter_painter.h"

#include <functional>
#include <vector>

#include <QColor>

namespace wattproof::draw {

struct ColumnSpan {
    int column = 0;
    double low = 0, high = 0;  // of the samples in it
    bool joined = false;       // the line goes on from the span before
};

// A bucket that no line is drawn through.
using LeftOut = std::function<bool(const store::CounterBucket &)>;

// Spans of the buckets that show, by time; columns are counted from the left edge of the plot.
[[nodiscard]] std::vector<ColumnSpan> columnSpans(const std::vector<store::CounterBucket> &, const TimeScale &,
                                                  const LeftOut & = {});

// Whether samples stand closer than every second pixel: then a line is drawn column by column.
[[nodiscard]] bool isDense(const std::vector<store::CounterBucket> &, const TimeScale &);

// From the least to the greatest sample of each column.
void fillEnvelope(ColumnImage &, const std::vector<ColumnSpan> &, const ValueScale &, QColor);
// A line through the middle of the spans, dashed as the pen style says.
void fillLine(ColumnImage &, const std::vector<ColumnSpan> &, const ValueScale &, const QColor &,
              Qt::PenStyle = Qt::SolidLine);

// Both, `pixel` (the size of one of the device) wide and high: for screens, where paintCurve() takes a line for each
// sample.
void paintColumns(QPainter &, const std::vector<store::CounterBucket> &, const TimeScale &, const ValueScale &,
                  const QColor &, double pixel);

}  // namespace wattproof::draw
