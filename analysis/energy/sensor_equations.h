// What a sensor's readings say of the power in equal cells of time: linear equations, one a reading, and the
// bounds that follow from them.
#pragma once

#include "analysis/energy/sensor_windows.h"

#include <cstddef>
#include <stop_token>
#include <vector>

namespace wattproof::analysis {

// A reading and the stretches it looks at: one, or a comb where the sensor sees a share of each period.
struct SensorReading {
    PowerWindow window;
    std::vector<TimeRange> seen;
    Ns seenLength = 0;
};

[[nodiscard]] std::vector<SensorReading> readingsOf(const PowerSeries &, TimeRange touching, Ns period);

// Equal cells from `start`.
struct CellGrid {
    Ns start = 0, cell = 1;
    std::size_t count = 0;
    [[nodiscard]] TimeRange range(std::size_t i) const {
        const Ns begin = start + cell * static_cast<Ns>(i);
        return {begin, begin + cell};
    }
    [[nodiscard]] std::size_t at(Ns t) const;  // clamped to the grid
};

// Time of each cell that an equation takes, in ns, signed: + seen by it, - seen by the reading that was
// subtracted.
struct CellTime {
    std::size_t cell = 0;
    Ns time = 0;
};
struct SensorEquation {
    std::vector<CellTime> cells;
    double energy = 0, tolerance = 0;  // W·ns
};

[[nodiscard]] SensorEquation equationOf(const SensorReading &, const CellGrid &, double toleranceW);

// Differences of neighbours that overlap: what came into a rolling mean less what left it.
[[nodiscard]] std::vector<SensorEquation> differences(const std::vector<SensorEquation> &);

struct PowerLimits {
    double floor = 0, ceiling = 0;  // W; ceiling infinite where there is none
};
struct CellBounds {
    std::vector<double> low, high;  // W, means over the cells
};

// Interval propagation over the equations until nothing moves (at most 30 sweeps). Readings that contradict each
// other leave the bounds of a cell the wrong way round: they are exchanged.
[[nodiscard]] CellBounds boundsOf(const std::vector<SensorEquation> &, const CellGrid &, PowerLimits,
                                  const std::stop_token &);

}  // namespace wattproof::analysis
