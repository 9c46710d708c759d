// Which numeric formats the compute time went to, and the quality guardrails that bound their choice.
#pragma once

#include "analysis/context.h"

namespace wattproof::analysis {

// Busy time (union per device, summed) and joules of compute operations by precision; "unknown" where the name
// does not tell. Communication and copies do not count.
[[nodiscard]] std::vector<PrecisionShare> precisionShares(const Context &);

// Each measured quality value with the guardrail that applies: the scenario's first that matches metric and slice
// (a glob), else the threshold of the file.
[[nodiscard]] std::vector<QualityResult> qualityResults(const std::vector<QualityRow> &,
                                                        const std::vector<Guardrail> &);

}  // namespace wattproof::analysis
