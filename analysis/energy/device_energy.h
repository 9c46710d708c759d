// Where the joules of each accelerator went, and the proof that they add up (docs/methods.md, Conservation).
#pragma once

#include "analysis/context.h"

namespace wattproof::analysis {

// Whether times of two sources can be compared: one source, both on wall time, or one aligned to the other.
[[nodiscard]] bool shareClock(const Context &, SourceId, SourceId);

// Fills result.energy, energyRows and operationJ from activity and power. Without any power log: null with
// reasons.
void computeEnergy(Context &);

}  // namespace wattproof::analysis
