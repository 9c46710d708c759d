// Sets of half-open time intervals: the arithmetic of busy, exposed and idle time.
#pragma once

#include <vector>

#include "store/time.h"

namespace wattproof::analysis {

// Sorted, disjoint, non-empty intervals.
using IntervalSet = std::vector<TimeRange>;

[[nodiscard]] IntervalSet unionOf(std::vector<TimeRange> intervals);           // any order, overlapping, empty ones dropped
[[nodiscard]] IntervalSet unionOf(const IntervalSet &, const IntervalSet &);
[[nodiscard]] IntervalSet difference(const IntervalSet &, const IntervalSet &);
[[nodiscard]] IntervalSet intersection(const IntervalSet &, const IntervalSet &);
[[nodiscard]] IntervalSet complement(const IntervalSet &, TimeRange within);
[[nodiscard]] IntervalSet clip(const IntervalSet &, TimeRange within);
[[nodiscard]] Ns length(const IntervalSet &);
[[nodiscard]] Ns overlapLength(const IntervalSet &, TimeRange);

}  // namespace wattproof::analysis
