#include "tests/simulator/injections.h"

#include <algorithm>
#include <array>
#include <utility>

namespace wattproof::simulator {

namespace {

constexpr std::array<std::pair<Bottleneck, const char *>, 9> kNames{{
    {Bottleneck::Healthy, "healthy"},
    {Bottleneck::HostOrchestration, "host_orchestration"},
    {Bottleneck::Synchronization, "synchronization"},
    {Bottleneck::Communication, "communication"},
    {Bottleneck::DataMovement, "data_movement"},
    {Bottleneck::ThermalClamp, "thermal_clamp"},
    {Bottleneck::PowerCap, "power_cap"},
    {Bottleneck::LowLoad, "low_load"},
    {Bottleneck::TraceIncomplete, "trace_incomplete"},
}};

constexpr double kTypicalDynamicW = 380;  // of a busy device that nothing holds back
constexpr double kLargestIdleShare = 0.75;

double cappedLimitW(const PowerConfig &power, double severity) {
    return power.activeIdleW + kTypicalDynamicW * power.dynamicScale * (1 - 0.6 * severity);
}

void apply(Faults &faults, const Injection &injection) {
    const double s = injection.severity;
    switch (injection.kind) {
        case Bottleneck::HostOrchestration:
            faults.hostFactor = s;
            break;
        case Bottleneck::Synchronization:
            faults.syncShare = s;
            break;
        case Bottleneck::Communication:
            faults.communicationShare = 1.2 * s;
            break;
        case Bottleneck::DataMovement:
            faults.copyShare = 0.8 * s;
            break;
        case Bottleneck::LowLoad:
            faults.waitFactor = kLargestIdleShare * s / (1 - kLargestIdleShare * s);
            break;
        case Bottleneck::TraceIncomplete:
            faults.hiddenShare = 0.75 * s;
            faults.hostHidden = !injection.hostRecorded;
            break;
        case Bottleneck::ThermalClamp:
        case Bottleneck::PowerCap:
        case Bottleneck::Healthy:
            break;
    }
}

}  // namespace

const char *nameOf(Bottleneck bottleneck) {
    const auto *found =
        std::find_if(kNames.begin(), kNames.end(), [&](const auto &pair) { return pair.first == bottleneck; });
    return found->second;
}

std::optional<Bottleneck> bottleneckFromName(const std::string &name) {
    const auto *found =
        std::find_if(kNames.begin(), kNames.end(), [&](const auto &pair) { return name == pair.second; });
    return found == kNames.end() ? std::nullopt : std::optional(found->first);
}

const std::vector<Bottleneck> &allBottlenecks() {
    static const std::vector<Bottleneck> all = [] {
        std::vector<Bottleneck> bottlenecks;
        for (const auto &pair : kNames)
            bottlenecks.push_back(pair.first);
        return bottlenecks;
    }();
    return all;
}

Faults faultsOf(const SimulationConfig &config) {
    Faults faults;
    for (const Injection &injection : config.injections) {
        if (injection.severity > 0)
            apply(faults, injection);
    }
    return faults;
}

SimulationConfig withPhysicalFaults(SimulationConfig config) {
    for (const Injection &injection : config.injections) {
        if (injection.severity <= 0)
            continue;
        if (injection.kind == Bottleneck::ThermalClamp)
            config.thermal.resistanceKPerW *= 1.6 + 0.6 * injection.severity;
        if (injection.kind == Bottleneck::PowerCap)
            config.power.limitW = std::min(config.power.limitW, cappedLimitW(config.power, injection.severity));
    }
    return config;
}

SimulationConfig without(SimulationConfig config, std::size_t injection) {
    config.injections.erase(config.injections.begin() + static_cast<std::ptrdiff_t>(injection));
    return config;
}

}  // namespace wattproof::simulator
