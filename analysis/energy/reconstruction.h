// What the power behind a sensor's readings can have been: the readings as the means they are, a central estimate
// and a band (docs/methods.md, Reconstruction). Pure; for a view that must not let a mean pass for an instant.
#pragma once

#include "analysis/energy/power_series.h"
#include "analysis/energy/sensor_windows.h"

#include <cstddef>
#include <stop_token>
#include <string>
#include <vector>

namespace wattproof::analysis {

struct ReconstructionQuery {
    TimeRange range;  // workspace time; what is drawn
    std::size_t steps =
        800;              // equal parts of it (columns of pixels), at least 1. Each step speaks of the mean power
                          // over its own length, so a step as long as the sensor's window has no band left.
    double floorW = 0;    // no instant is below; 0 is always true, an idle floor makes the band narrower
    double ceilingW = 0;  // no instant is above; 0: not known, and short steps are bounded by energy alone.
                          // A power limit is none: it rules a mean of many milliseconds.
};

// One step. low <= central <= high, W; all are means over `range`. NaN: nothing is known of the step (a gap,
// outside of the log). `high` is infinite where no reading saw the step and no ceiling is given.
struct ReconstructedStep {
    TimeRange range;
    double low = 0, central = 0, high = 0;
    [[nodiscard]] bool known() const { return central == central; }
};

struct Reconstruction {
    // As sampled: one reading of the sensor each, in watts, with the stretch whose mean it is; ordered by end. A
    // rolling mean's overlap. Those that touch the range.
    std::vector<PowerWindow> readings;
    std::vector<ReconstructedStep> steps;  // ordered, adjacent, query.steps of them; empty without readings
    double toleranceW = 0;                 // by how much a reading may be wrong: half the quantum, or its noise
    Ns window = 0;                         // the averaging window that was used
    Ns observed = 0;  // how much of it the sensor looks at: less than `window` where the duty is below 1
    Ns period = 0;    // between updates
    bool windowAssumed = false;  // the channel states none: the stretch between two readings was taken
    std::string note;            // one sentence: what the readings are, and why there is a band
};

// The estimate is the smoothest curve (least squares of first differences, Tikhonov 1963) within floor and ceiling
// whose means over the sensor's windows are the readings within the tolerance; where windows do not overlap the
// means are met exactly, so that energy is conserved. The band is found by interval propagation (Moore 1966; Davis
// 1987) over the same equations: with E the energy of a window and F that of its other parts, F_high >= E - e >=
// F_low bounds the energy e of a part. It holds for every curve that the sensor could have turned into these
// readings; the truth leaves it only where the sensor's stated window, lag or noise is wrong. For a worker thread:
// 10 to 150 ms for up to 10,000 readings in range, a second a day of 10 Hz and more; the band of steps that are
// far longer than the window is as thin as a line. No errors: without readings, without a range or cancelled the
// answer is empty.
[[nodiscard]] Reconstruction reconstruct(const PowerSeries &, const ReconstructionQuery &,
                                         const std::stop_token & = {});

}  // namespace wattproof::analysis
