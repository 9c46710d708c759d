// What the overlay draws beside the curves' lines: hatches and throttle rows.
#pragma once

#include "report/draw/counter_painter.h"
#include "widgets/overlay/curve.h"
#include "widgets/overlay/throttle.h"

#include <string>
#include <vector>

#include <QColor>
#include <QPainter>
#include <QString>

namespace wattproof::widgets {

inline constexpr int kThrottleRow = 13;  // height of a row of throttle spans, pixels

// Stretches without readings, over the whole height.
void paintGapSpans(QPainter &, const std::vector<TimeRange> &, const draw::TimeScale &, double top, double bottom,
                   const draw::Theme &);
// What of a curve is not drawn as a line: its own gaps, hatched between the readings on both sides unless they are
// in `missing` already, and doubted stretches, hatched around their readings with their word where there is room.
void paintUntrusted(QPainter &, const Curve &, const std::vector<TimeRange> &missing, const draw::TimeScale &,
                    const draw::ValueScale &, const QColor &, const draw::Theme &);

// Rows of spans, one for each class of `rows`, from `top` down; names in the gutter.
void paintThrottleRows(QPainter &, const std::vector<ThrottleSpan> &, const std::vector<std::string> &rows,
                       const draw::TimeScale &, double top, const draw::Theme &);

}  // namespace wattproof::widgets
