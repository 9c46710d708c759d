// What each reading of a power channel speaks of: the stretch of time it averages.
#pragma once

#include "analysis/energy/power_series.h"

#include <vector>

namespace wattproof::analysis {

struct PowerWindow {
    TimeRange range;
    double watts = 0;
};

// One window a sensor update, ordered by end. A gauge with an averaging window speaks of [t - lag - window, t -
// lag]; other channels, and gauges without a known window, of the stretch between two readings. Stretches in gaps
// are left out.
[[nodiscard]] std::vector<PowerWindow> sensorWindows(const PowerSeries &);

// Those that lie wholly in a range.
[[nodiscard]] std::vector<PowerWindow> windowsInside(const std::vector<PowerWindow> &, TimeRange);

// How many of the windows, ordered by end, do not overlap: what a regression may count as observations.
[[nodiscard]] std::size_t independentWindows(const std::vector<PowerWindow> &);

// The same channel with each reading moved to the middle of what it averages: what an integral over short
// stretches needs. The integral over the whole extent stays the same.
[[nodiscard]] PowerSeries centred(const PowerSeries &);

// The shortest time the channel can tell apart: its window or the median distance of its updates, whichever is
// longer.
[[nodiscard]] Ns resolution(const PowerSeries &, const std::vector<PowerWindow> &);

}  // namespace wattproof::analysis
