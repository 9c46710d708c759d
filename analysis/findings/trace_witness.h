// Two witnesses against a trace that shows idle time: the power log, and the host's own calls.
#pragma once

#include "analysis/findings/device_scope.h"

#include <optional>
#include <string>

namespace wattproof::analysis {

// Regression of window power on the busy share as the sensor sees it, over windows inside the run: what the device
// draws in the trace's gaps.
struct GapPower {
    int windows = 0;
    double meanWatts = 0, meanShare = 0;
    double gapWatts = 0, gapWattsLow = 0;  // estimate and lower 95 % bound
    double busyWatts = 0;
};

// None when the windows cannot tell: too few, all of one share, or the alignment too uncertain for them.
[[nodiscard]] std::optional<GapPower> gapPower(const DeviceScope &);

// Watts that a truly idle device with its context held may draw: the stated or active floor, but not more than
// twice the deep floor, because the active floor is itself taken from gaps. None when no floor is known.
[[nodiscard]] std::optional<double> idleReference(const DeviceScope &);

struct WattsIn {
    double watts = 0;
    int readings = 0;
    std::string query;
    TimeRange range;
};
// Plain mean of the readings whose whole window lies inside the longest of the intervals; none when there are
// none.
[[nodiscard]] std::optional<WattsIn> readingsInside(const DeviceScope &, const IntervalSet &);

struct TraceVerdict {
    bool hostContradicts = false;   // long waits for a device that has no work on paper
    bool powerContradicts = false;  // the gaps draw more than idle can
    bool powerAcquits = false;      // readings inside the waits are those of an idle device
    std::optional<GapPower> gap;
    std::optional<WattsIn> inside;  // readings inside the contradicted idle time
    std::optional<double> idle;     // reference
    IntervalSet contradicted;       // idle time on paper that is not
    double share = 0;               // of the span
};

[[nodiscard]] TraceVerdict judgeTrace(const DeviceScope &);

}  // namespace wattproof::analysis
