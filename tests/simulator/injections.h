// What each injection means in numbers.
#pragma once

#include "tests/simulator/config.h"

namespace wattproof::simulator {

// Faults of the program; those of silicon and cooler change the configuration instead (withPhysicalFaults).
struct Faults {
    double hostFactor = 0;  // host work exceeds the device work of the fastest phase's iteration by this share
    double syncShare = 0;   // share of an iteration's operations after which the host blocks
    double communicationShare =
        0;                   // added length of each layer's collective, share of the layer; makes it exposed
    double copyShare = 0;    // length of a pageable input copy, share of the iteration's device work
    double waitFactor = 0;   // mean pause between iterations, share of the iteration's device work
    double hiddenShare = 0;  // share of the iterations whose device operations leave no record
    bool hostHidden = false;  // the host leaves no record at all
};

[[nodiscard]] Faults faultsOf(const SimulationConfig &);
// The configuration with a weaker cooler or a lower limit where those are injected.
[[nodiscard]] SimulationConfig withPhysicalFaults(SimulationConfig);
// The same without one injection.
[[nodiscard]] SimulationConfig without(SimulationConfig, std::size_t injection);

}  // namespace wattproof::simulator
