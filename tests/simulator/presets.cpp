#include "tests/simulator/config.h"

#include <algorithm>

namespace wattproof::simulator {

namespace {

// The bundled story: a server switches its matrix products from bf16 to fp8 after a third of the run. Steps get
// shorter, so that fixed host work between launches no longer hides and shows as gaps; and where the cooler is
// weak, the clock begins to cycle between full and clamped.
SimulationConfig sample() {
    SimulationConfig config;
    config.name = "sample";
    config.seed = 20260302;
    config.leadInS = 1.5;
    config.leadOutS = 1.5;
    config.workload.iterations = 360;
    config.workload.layers = 1;
    config.workload.iterationMs = 40;
    config.workload.precisions = {{0, "bf16"}, {120, "fp8"}};
    config.workload.hostShare = 0.72;
    config.workload.jitter = 0.025;
    config.thermal.ambientC = 34;
    config.thermal.timeConstantS = 2.2;
    config.thermal.resistanceKPerW = 0.058;
    config.sensor.updatePeriod = config.sensor.window = config.sensor.pollPeriod = 50'000'000;
    config.sensor.noiseW = 1.5;
    config.injections = {{Bottleneck::ThermalClamp, 0.5}, {Bottleneck::HostOrchestration, 0.12}};
    return config;
}

}  // namespace

std::optional<SimulationConfig> preset(const std::string &name) {
    if (name == "sample")
        return sample();
    const std::optional<Bottleneck> bottleneck = bottleneckFromName(name);
    if (!bottleneck)
        return std::nullopt;
    SimulationConfig config;
    config.name = name;
    if (*bottleneck != Bottleneck::Healthy)
        config.injections = {{*bottleneck, 0.6}};
    return config;
}

std::vector<std::string> presetNames() {
    std::vector<std::string> names{"sample"};
    for (const Bottleneck bottleneck : allBottlenecks())
        names.emplace_back(nameOf(bottleneck));
    return names;
}

}  // namespace wattproof::simulator
