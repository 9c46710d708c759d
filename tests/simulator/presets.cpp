#include "tests/simulator/config.h"

#include <algorithm>

namespace wattproof::simulator {

namespace {

constexpr int kIterations = 300;             // enough for an interval of the 99th percentile
constexpr double kQuickTimeConstantS = 1.2;  // so that a run of seconds holds several clamp cycles

// The bundled story: a server switches its matrix products from bf16 to fp8 after a third of the run, and its
// steps get a third shorter. Then two things eat the gain: host work that hid behind the longer steps now shows as
// gaps, and the weak cooler, warm by now, lets the clock cycle between full and clamped.
SimulationConfig sample() {
    SimulationConfig config;
    config.name = "sample";
    config.seed = 20260302;
    config.leadInS = 1.5;
    config.leadOutS = 1.5;
    config.workload.iterations = 390;
    config.workload.layers = 1;
    config.workload.iterationMs = 40;
    config.workload.precisions = {{0, "bf16"}, {90, "fp8"}};
    config.workload.jitter = 0.025;
    config.thermal.ambientC = 34;
    config.thermal.timeConstantS = 1.8;
    config.thermal.resistanceKPerW = 0.0667;
    config.sensor.updatePeriod = config.sensor.window = config.sensor.pollPeriod = 50'000'000;
    config.sensor.noiseW = 1.5;
    config.injections = {{Bottleneck::ThermalClamp, 0.5}, {Bottleneck::HostOrchestration, 0.2}};
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
    config.workload.iterations = kIterations;
    if (*bottleneck == Bottleneck::ThermalClamp)
        config.thermal.timeConstantS = kQuickTimeConstantS;
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
