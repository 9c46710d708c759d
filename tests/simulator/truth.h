// What really happened, from an execution: the account that the product's analysis is measured against.
#pragma once

#include "tests/simulator/engine.h"

namespace wattproof::simulator {

// Everything but the counterfactuals.
[[nodiscard]] Truth truthOf(const SimulationConfig &, const Execution &);
// `truth` with and `other` without the injection.
[[nodiscard]] Counterfactual compare(const Injection &, const Truth &truth, const Truth &other);

}  // namespace wattproof::simulator
