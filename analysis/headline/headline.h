// Sustained throughput per watt under the SLA, latency, and joules per unit (docs/methods.md, Headline).
#pragma once

#include "analysis/context.h"

namespace wattproof::analysis {

[[nodiscard]] Latency latencyOf(const std::vector<WorkUnit> &);

// Fills result.latency and result.headline from units, power and clamps; then the parts of result.energy that need
// units: joules per unit and the budget.
void computeHeadline(Context &);

}  // namespace wattproof::analysis
