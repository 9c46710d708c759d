#include "analysis/evidence/evidence_matrix.h"

#include <algorithm>
#include <array>

namespace wattproof::analysis {
namespace {

bool hasQuantity(const Context &context, const std::string &quantity) {
    return std::any_of(context.counters.begin(), context.counters.end(),
                       [&](const CounterRow &counter) { return counter.quantity == quantity; });
}

bool joulesMeetWork(const Context &context) {
    const auto &devices = context.result.energy.devices;
    return std::any_of(devices.begin(), devices.end(), [](const DeviceEnergy &d) { return d.insideTraceJ > 0; });
}

std::string joined(const std::vector<std::string> &words) {
    std::string text;
    for (const std::string &word : words)
        text += (text.empty() ? "" : ", ") + word;
    return text;
}

bool isLow(const std::string &precision) {
    constexpr std::array<const char *, 4> low{"fp8", "int8", "fp4", "int4"};
    return std::any_of(low.begin(), low.end(), [&](const char *name) { return precision == name; });
}

void lintHeadline(const Context &context, std::vector<std::string> &lints) {
    const Headline &headline = context.result.headline;
    if (!headline.domainsMissing.empty())
        lints.push_back("not measured, and so not in any joule: " + joined(headline.domainsMissing));
    if (headline.sustained && !headline.settled)
        lints.push_back("the headline describes a burst, not a settled run");
    if (context.scenario.sla.empty())
        lints.emplace_back("the scenario states no SLA: throughput is not held against any latency");
    if (!context.units.empty() && context.result.latency.n < 299)
        lints.push_back("small_sample: " + std::to_string(context.result.latency.n) +
                        " units say nothing certain of p99 and beyond");
}

void lintSensors(const Context &context, std::vector<std::string> &lints) {
    for (const auto &[id, power] : context.power)
        if (power.channel().sensor.modelled)
            lints.push_back("power of channel \"" + power.channel().name + "\" is modelled, not measured");
    std::set<std::string> coarse;
    for (const ClassEnergy &item : context.result.energy.byClass)
        if (item.method == "busy-time")
            coarse.insert(item.device);
    for (const std::string &device : coarse)
        lints.push_back(
            "readings of " + device +
            " are too coarse for its operations: joules of a class are shares of busy time, not measurements");
}

void lintPrecision(const Context &context, std::vector<std::string> &lints) {
    const auto &shares = context.result.precision;
    const bool low = std::any_of(shares.begin(), shares.end(), [](const auto &s) { return isLow(s.precision); });
    if (low && context.result.quality.empty())
        lints.emplace_back("low precision runs without any quality result beside it");
}

bool isDevice(const Context &context, const std::string &name) {
    return std::any_of(context.devices.begin(), context.devices.end(),
                       [&](const DeviceRow &device) { return device.name == name; });
}

// What the scenario gives and nothing here takes: said, so that it is not taken for considered.
void lintScenario(const Context &context, std::vector<std::string> &lints) {
    const Scenario &scenario = context.scenario;
    if (!scenario.deviceSpecs.empty())
        lints.emplace_back("device_specs is given but not used by this analysis: it compares no rate with a peak");
    if (!scenario.productionShapes.empty())
        lints.emplace_back(
            "production_shapes is given but not used by this analysis: it does not compare the run's shapes with "
            "them");
    for (const SlaTerm &term : scenario.sla)
        if (term.metric != "latency")
            lints.push_back("the SLA on \"" + term.metric +
                            "\" is given but not used by this analysis: it measures latency alone");
    for (const auto &[device, watts] : scenario.idleFloorW)
        if (!isDevice(context, device))
            lints.push_back("idle_floor_w names \"" + device + "\", which is no device of this workspace");
}

}  // namespace

std::vector<EvidenceKind> evidenceMatrix(const Context &context) {
    const bool movement = hasQuantity(context, "bandwidth") || hasQuantity(context, "cache") ||
                          std::any_of(context.kernels.kernels.begin(), context.kernels.kernels.end(),
                                      [](const store::KernelInterval &op) { return op.bytes > 0; });
    const bool power = !context.power.empty() || !context.otherPower.empty();
    return {
        {"timeline and occupancy of the devices", !context.activity.empty(),
         "when the devices worked, moved data or stood still, and what the host did meanwhile",
         "which of several simultaneous host activities caused a pause",
         "follow the longest pauses to the calls and copies beside them"},
        {"bytes moved, cache and bandwidth counters", movement,
         "how much pressure the work puts on memory and links",
         "that the outputs of the model stay as good when data moves less",
         "set them beside the quality results of the same run"},
        {"power and counters lined up with operations", joulesMeetWork(context),
         "which class of work the joules went to, and how surely classes can be told apart",
         "that a change is safe to roll out", "run the whole regression matrix before a change leaves the bench"},
        {"power, temperature and clock telemetry", power,
         "what the devices can hold for long, and when they were held back",
         "that results were correct while they were", "check outputs of the clamped stretches against a cool run"},
        {"measurements before and after an intervention", false,
         "how far an intervention moved the headline on equal domains",
         "that the tail stays where it is over days",
         "repeat the guardrails under production load for longer than the run"}};
}

std::vector<std::string> lintsOf(const Context &context) {
    std::vector<std::string> lints;
    lintHeadline(context, lints);
    lintSensors(context, lints);
    lintPrecision(context, lints);
    lintScenario(context, lints);
    return lints;
}

}  // namespace wattproof::analysis
