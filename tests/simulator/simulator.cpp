#include "tests/simulator/simulator.h"

#include "tests/simulator/engine.h"
#include "tests/simulator/injections.h"
#include "tests/simulator/sensor.h"
#include "tests/simulator/truth.h"

#include <utility>

namespace wattproof::simulator {

namespace {

Truth truthWithout(const SimulationConfig &config, std::size_t injection) {
    const SimulationConfig changed = withPhysicalFaults(without(config, injection));
    return truthOf(changed, execute(changed, plan(changed)));
}

}  // namespace

Simulation simulate(const SimulationConfig &config) {
    const SimulationConfig physical = withPhysicalFaults(config);
    Execution execution = execute(physical, plan(physical));
    Simulation simulation;
    simulation.config = config;
    simulation.truth = truthOf(physical, execution);
    for (std::size_t index = 0; index < config.injections.size(); ++index) {
        simulation.truth.counterfactuals.push_back(
            compare(config.injections[index], simulation.truth, truthWithout(config, index)));
    }
    simulation.power = sense(physical, execution.curve);
    simulation.trace = std::move(execution.trace);
    if (faultsOf(config).hostHidden)
        simulation.trace.host.clear();
    simulation.curve = std::move(execution.curve);
    return simulation;
}

}  // namespace wattproof::simulator
