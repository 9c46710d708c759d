// The two idle floors of a device (docs/methods.md, Idle floors).
#pragma once

#include "analysis/energy/class_model.h"
#include "analysis/energy/sensor_windows.h"
#include "analysis/result.h"

#include <vector>

namespace wattproof::analysis {

// What speaks of a device's floors. Only `windows` must be there; the rest narrows or widens the answer.
struct FloorEvidence {
    std::vector<PowerWindow> windows = {};  // of the sensor, ordered by end
    std::vector<ClassColumn> classes = {};  // the work of the device
    TimeRange traced = {};                  // outside it the trace knows nothing
    IntervalSet idleByLog = {};             // when the log itself says that the device did nothing
    std::vector<Sample> clockHz = {};       // windows at another clock than most do not enter the regression
    Ns doubt = 0;                           // of the alignment: readings that near to work may belong to it
    double quantumW = 0;                    // step of the readings
};

// deep: the lower of the medians of what the sensor read before the trace and, settled, after it; none where that
// is more than the run's lowest reading, because then the device worked there too. active, by the first of these
// that answers, with a 95 % interval:
//   pauses      readings wholly in pauses of the device inside the trace
//   beside      the level next to the run while the log itself calls the device idle, where it stands above deep
//   regression  the intercept of power over the classes' shares, unless the interval is wider than 15 %
//   unknown     none; the interval is what is physically possible: from deep to the lowest reading of the run
[[nodiscard]] IdleFloor estimateFloors(const FloorEvidence &);

// Watts that stand under the work inside the trace: active, else deep, else 0.
[[nodiscard]] double staticWatts(const IdleFloor &);

}  // namespace wattproof::analysis
