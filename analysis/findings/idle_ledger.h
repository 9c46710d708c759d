// Who accounts for a device's idle time: every nanosecond of its pauses belongs to one rule or to none, so that no
// two findings claim the same time.
#pragma once

#include "analysis/context.h"

namespace wattproof::analysis {

struct IdleLedger {
    IntervalSet host;             // the host prepared or launched work while the device had none
    IntervalSet launchStalls;     // the part of host inside launch calls that each took long
    IntervalSet synchronization;  // the device ran dry while the host waited for it
    IntervalSet
        lowLoad;  // no unit of work was in flight, and the host recorded nothing (or the units are requests)
    IntervalSet blocked;  // the host waited for the device, long, though the trace shows no work: records missing
    IntervalSet undelivered;    // launched work did not start for long, though the trace shows none before it
    IntervalSet unknown;        // nothing recorded, for no known reason
    IntervalSet drainedPauses;  // whole pauses that began while the host waited, whoever accounts for them
};

[[nodiscard]] IdleLedger idleLedger(const Context &, const DeviceActivity &);

// Union of the ranges of all work units.
[[nodiscard]] IntervalSet unitsInFlight(const Context &);

}  // namespace wattproof::analysis
