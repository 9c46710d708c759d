#include "analysis/findings/rule_list.h"

namespace wattproof::analysis {

const std::vector<const Rule *> &rules() {
    static const std::vector<const Rule *> all{
        &traceIncompleteRule(), &hostOrchestrationRule(), &synchronizationRule(), &communicationRule(),
        &dataMovementRule(),    &thermalClampRule(),      &powerCapRule(),        &lowLoadRule()};
    return all;
}

}  // namespace wattproof::analysis
