// One channel as the plot keeps it: its buckets, and which stretches of it are not drawn as a line.
#pragma once

#include "report/draw/column_spans.h"
#include "store/reader.h"
#include "widgets/overlay/trust.h"

#include <vector>

namespace wattproof::widgets {

struct CurveGap {
    TimeRange range;               // as the readings state it, without the shift
    double before = 0, after = 0;  // readings on both sides
};

struct Curve {
    std::vector<store::CounterBucket> items;  // asDrawn()
    std::vector<DoubtSpan> doubts;
    Ns shift = 0;
    std::vector<CurveGap> gaps;
    bool shown = true;
    double highest = 0;  // of all readings that were ever drawn: an axis grows but does not jump
};

[[nodiscard]] std::vector<CurveGap> gapsOf(const std::vector<store::CounterBucket> &);

// Whether a bucket stands in a stretch that is hatched instead of drawn.
[[nodiscard]] bool isDoubted(const Curve &, const store::CounterBucket &);

// What the pixel columns of the curve span, doubted stretches left out. `scale`: of the times as the readings state them.
[[nodiscard]] std::vector<draw::ColumnSpan> columnSpans(const Curve &, const draw::TimeScale &scale);

// Points of the line, times shifted: the middle of what a bucket spans (its envelope is painted apart); one NaN
// where a gap or a doubted stretch is to stay open.
struct CurvePoints {
    std::vector<double> time, value;
};
[[nodiscard]] CurvePoints pointsOf(const Curve &, double divisor);

// Where no shown curve has a reading: by time, reaching beyond all of them. `extents`: of the curves' channels.
[[nodiscard]] std::vector<TimeRange> missingOf(const std::vector<Curve> &, const std::vector<TimeRange> &extents);

}  // namespace wattproof::widgets
