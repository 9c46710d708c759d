// Percentiles by nearest rank over raw values, with distribution-free intervals from order statistics.
#pragma once

#include "analysis/result.h"

#include <optional>
#include <vector>

namespace wattproof::analysis {

// 1-based rank ceil(percent/100 × n) of a sorted sample; n > 0.
[[nodiscard]] std::size_t nearestRank(double percent, std::size_t n);

// Of values sorted ascending; none when empty.
[[nodiscard]] std::optional<double> percentile(const std::vector<double> &sorted, double percent);

struct Ranks {
    std::size_t low = 0, high = 0;  // 1-based
};

// The shortest pair of order statistics that covers the percentile with at least `level` probability; none where
// even the whole sample does not (p99 needs n >= 299, p99.9 n >= 2,995 at level 0.95).
[[nodiscard]] std::optional<Ranks> percentileRanks(double percent, std::size_t n, double level = 0.95);

[[nodiscard]] std::optional<Interval> percentileInterval(const std::vector<double> &sorted, double percent,
                                                         double level = 0.95);

}  // namespace wattproof::analysis
