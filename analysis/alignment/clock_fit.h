// How far two clocks run apart over a run: local offsets along it, and the line through them.
#pragma once

#include "analysis/alignment/sensor_view.h"
#include "store/edits.h"
#include "store/task.h"

#include <optional>
#include <vector>

namespace wattproof::analysis {

struct ClockFit {
    Ns anchor = 0;           // the log's time in the middle of the stretches that were compared
    Ns offset = 0;           // there
    double offsetSigma = 0;  // ns
    double ppm = 0;          // the log's clock is slow by this much; negative: fast
    double ppmSigma = 0;     // standard error
    Ns length = 0;           // from first to last stretch
    int stretches = 0;       // that fit by themselves
    // The drift is told from none: four standard errors, and a quarter of a sensor period over the run.
    [[nodiscard]] bool drifts(Ns period) const;
};

// Looks for the best offset of each of twelve stretches of the run, at most `radius` from the given one, and fits a line:
// Theil and Sen's first, then least squares over the stretches within four deviations of it. None when fewer than five
// stretches have load edges that fit.
[[nodiscard]] std::optional<ClockFit> fitClock(const IntervalSet &busy, const SensorModel &,
                                               const std::vector<Sample> &points, Ns offset, Ns radius,
                                               const Task &);

// Fits the clock about an alignment that was found, and lets it drift where the fit tells a drift from none. `base`:
// what is added to the source's own times to make those of `power`.
[[nodiscard]] std::optional<ClockFit> addDrift(store::Alignment &, const IntervalSet &busy, const PowerSeries &power,
                                               Ns base, const Task &);

}  // namespace wattproof::analysis
