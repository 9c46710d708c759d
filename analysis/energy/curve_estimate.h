// The likeliest power behind a sensor's readings: one curve that has their means.
#pragma once

#include "analysis/energy/sensor_equations.h"

#include <stop_token>
#include <vector>

namespace wattproof::analysis {

// What is known of a channel's readings as a whole. Times in ns, medians; `span` is the range of the readings, W.
struct ReadingFacts {
    Ns window = 0, observed = 0, period = 0;
    double tolerance = 0, span = 0;
    PowerLimits limits;
    bool overlapping = false;
};

// Mean power of each cell, W: the smoothest curve within the limits whose means are the readings within the tolerance,
// exactly where their windows do not overlap. Cancelled: what there is.
[[nodiscard]] std::vector<double> estimateCurve(const std::vector<SensorEquation> &, const std::vector<SensorReading> &,
                                                const CellGrid &, const ReadingFacts &, const std::stop_token &);

}  // namespace wattproof::analysis
