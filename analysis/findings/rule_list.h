// The rules of this build, each defined in the file of its name.
#pragma once

#include "analysis/findings/rule.h"

namespace wattproof::analysis {

const Rule &traceIncompleteRule();
const Rule &hostOrchestrationRule();
const Rule &synchronizationRule();
const Rule &communicationRule();
const Rule &dataMovementRule();
const Rule &thermalClampRule();
const Rule &powerCapRule();
const Rule &lowLoadRule();

}  // namespace wattproof::analysis
