// The two idle floors of a device (docs/methods.md, Idle floors).
#pragma once

#include "analysis/energy/sensor_windows.h"
#include "analysis/result.h"

namespace wattproof::analysis {

// deep: the lower of the medians of what the sensor read before the trace and, settled, after it. active: the
// median of readings that lie in pauses of the device inside the trace; where no pause is as long as a reading,
// the intercept of power over busy share. Unknown where neither can be seen.
[[nodiscard]] IdleFloor estimateFloors(const std::vector<PowerWindow> &, const IntervalSet &busy,
                                       TimeRange traced);

// Watts that stand under the work inside the trace: active, else deep, else 0.
[[nodiscard]] double staticWatts(const IdleFloor &);

}  // namespace wattproof::analysis
