// What kinds of evidence the workspace holds, what each can show and what it cannot; and remarks on the result as
// a whole.
#pragma once

#include "analysis/context.h"

namespace wattproof::analysis {

[[nodiscard]] std::vector<EvidenceKind> evidenceMatrix(const Context &);

// Sentences about what limits the document: unmeasured domains, a burst, modelled sensors, readings too coarse for
// the work, no SLA, a sample too small for tails, lower precision without a guardrail.
[[nodiscard]] std::vector<std::string> lintsOf(const Context &);

}  // namespace wattproof::analysis
