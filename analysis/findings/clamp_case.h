// What thermal clamps and power caps have in common: the clock is held below the reference while there is work.
#pragma once

#include "analysis/findings/device_scope.h"

#include <optional>
#include <string>

namespace wattproof::analysis {

// How much a lower clock costs: parts of the time lost that come back, and the exponent by which the dynamic
// energy of the same work grows with the clock.
struct ClampModel {
    double slowdownLow = 0.3, exponentLow = 0, exponentHigh = 2;
};

struct ClampCase {
    const DeviceScope &scope;
    std::string clampClass;           // "thermal", "power"
    std::vector<ClampSpan> spans;     // that touch the device's span
    IntervalSet held;                 // their union inside the span
    IntervalSet heldBusy;             // while the device worked
    std::optional<double> lostClock;  // mean over spans that state it, by length
    bool inferred = false;            // none of the spans comes from flags

    [[nodiscard]] double busyShare() const;
    [[nodiscard]] std::string rows() const;  // of the view clamps, as (b, e)
    [[nodiscard]] std::string lostClockQuery() const;
};

[[nodiscard]] ClampCase clampCase(const DeviceScope &, const std::string &clampClass);

// Time, joules (negative where the faster clock costs more than the saved time gives) and the headline gain with
// the units that meet the SLA again.
void setClampGains(Finding &, const ClampCase &, const ClampModel &);
// Episodes, their length and the lost clock, and the check that the device was busy in the longest one.
void addClampEvidence(Finding &, const ClampCase &);

}  // namespace wattproof::analysis
