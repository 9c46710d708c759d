// The offset at which a load explains power best: all lags at once on a grid, then the best ones on the readings.
#pragma once

#include "analysis/alignment/align.h"
#include "analysis/alignment/sensor_view.h"

#include <vector>

namespace wattproof::analysis {

inline constexpr Ns kNearPeriods = 2;  // offsets this close (periods or windows) are the same peak

// Sums of pairs, for correlation and the line through them.
struct Moments {
    double n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
    void add(double a, double b);
    [[nodiscard]] double slope() const;
    [[nodiscard]] double correlation() const;  // 0 where one of both is flat
};

// Correlation at one offset, over the readings that fall into `observed` there.
[[nodiscard]] double scoreOf(const IntervalSet &busy, const SensorModel &, const std::vector<Sample> &points,
                             TimeRange observed, Ns offset);

struct Found {
    AlignmentProposal proposal;  // no peak: refused
    TimeRange observed;
    Ns step = 1;
};

[[nodiscard]] Found search(const IntervalSet &busy, const SensorModel &, const std::vector<Sample> &points,
                           TimeRange observed, Ns medianPeriod);

}  // namespace wattproof::analysis
