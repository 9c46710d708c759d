// The idle floor of a run without pauses: the intercept of power over what ran.
#pragma once

#include "analysis/energy/floors.h"

#include <optional>

namespace wattproof::analysis {

struct FloorFit {
    double watts = 0;
    Interval ci95;
    std::size_t windows = 0;  // that do not overlap
    double lowestShare = 1;   // least busy of the windows: how far the line had to be drawn on
};

// Least squares of window power over the share of each class and a constant. The interval is that of the constant,
// Student's t on windows that do not overlap, its error widened for residuals that follow each other; it grows
// with the distance between the least busy window and idleness. None with fewer than ten such windows, or where
// the shares do not vary enough to tell the constant from the work.
[[nodiscard]] std::optional<FloorFit> fitFloor(const FloorEvidence &);

}  // namespace wattproof::analysis
