// A channel whose readings stand closer than pixels: what each pixel column of its curve spans.
#pragma once

#include "report/draw/column_image.h"
#include "report/draw/counter_painter.h"
#include "widgets/overlay/curve.h"

#include <vector>

#include <QColor>

namespace wattproof::widgets {

struct ColumnSpan {
    int column = 0;
    double low = 0, high = 0;  // of the readings in it
    bool joined = false;       // the line goes on from the span before
};

// Spans of the buckets that show and are not doubted, by time. `scale`: of the times as the readings state them.
[[nodiscard]] std::vector<ColumnSpan> columnSpans(const Curve &, const draw::TimeScale &);

// Whether points would stand closer than every second pixel: then a line is drawn column by column.
[[nodiscard]] bool isDense(const Curve &, const draw::TimeScale &);

// From the least to the greatest reading of each column.
void fillEnvelope(draw::ColumnImage &, const std::vector<ColumnSpan> &, const draw::ValueScale &, QColor);
// A line through the middle of the spans, dashed as the pen style says.
void fillLine(draw::ColumnImage &, const std::vector<ColumnSpan> &, const draw::ValueScale &, const QColor &,
              Qt::PenStyle);

}  // namespace wattproof::widgets
