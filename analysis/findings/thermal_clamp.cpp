#include "analysis/findings/clamp_case.h"
#include "analysis/findings/finding_builder.h"
#include "analysis/findings/rule_list.h"
#include "analysis/findings/rule_settings.h"

#include <algorithm>

namespace wattproof::analysis {
namespace {

const CounterRow *temperatureOf(const DeviceScope &scope) {
    const auto &counters = scope.context.counters;
    const auto it = std::find_if(counters.begin(), counters.end(), [&](const CounterRow &c) {
        return c.quantity == "temperature" && scope.context.standsFor(c.device) == scope.id();
    });
    return it == counters.end() ? nullptr : &*it;
}

void describe(Finding &f, const ClampCase &c) {
    const std::string name = c.scope.name(), share = asPercent(c.busyShare());
    const std::string lost = c.lostClock ? asPercent(*c.lostClock) + " of its clock" : std::string("clock");
    f.title = name + " is thermally clamped during " + share + " of its busy time";
    f.mechanism =
        "The device reaches its temperature limit and lowers its clock until it has cooled, so the same work "
        "takes "
        "longer and the nominal throughput is not sustained.";
    f.effect = "delayed";
    f.counterfactual =
        "The same work at the reference clock: the clamped busy time shrinks by up to the lost clock, while the "
        "dynamic energy of that work grows with the clock; both are in the joules.";
    f.intervention =
        "Improve cooling or inlet air, spread the load, or set a steady clock or power limit just below the one "
        "that clamps, and compare units per joule.";
    f.doesNotProve =
        "That more cooling raises units per joule: a higher clock can cost more joules than the shorter time "
        "saves.";
    f.nextAction =
        "Repeat the run with a fixed lower clock and with better cooling, each until three clamp cycles would "
        "pass.";
    setChain(f, {"sustain the nominal clock under load", "steady work that heats the device faster than it cools",
                 std::to_string(c.spans.size()) + " clamp episodes take " + lost,
                 share + " of the busy time runs at a lowered clock"});
}

void addTemperature(Finding &f, const DeviceScope &scope) {
    const CounterRow *counter = temperatureOf(scope);
    if (counter && counter->sampleCount > 0)
        addEvidence(f, "highest temperature in the log", counter->maxValue, "degC",
                    "SELECT MAX(value) FROM samples WHERE counter_id = " + std::to_string(counter->id.value),
                    counter->extent, scope.powerFile());
}

void noteTail(Finding &f, const ThermalResult &thermal) {
    constexpr double kSignificant = 0.05;
    if (!thermal.tailPValue || !thermal.tailOddsRatio)
        return;
    const bool related = *thermal.tailPValue <= kSignificant && *thermal.tailOddsRatio > 1;
    f.confidenceReasons.push_back(related
                                      ? "slow units coincide with clamps more often than chance explains"
                                      : "slow units do not coincide with clamps more often than chance explains");
}

Finding thermalFinding(const ClampCase &c) {
    const RuleSettings &settings = ruleSettings();
    Finding f = draft(c.scope, "thermal_clamp", hullOf(c.held));
    describe(f, c);
    setClampGains(f, c, {settings.clampSlowdownLow, settings.clampExponentLow, settings.clampExponentHigh});
    setConfidence(f, settings.clampConfidence, "clamp episodes of " + c.scope.name() + " overlap its work");
    if (c.inferred)
        limitConfidence(f, 0.7,
                        "the clamp is inferred from clock and temperature: the log has no throttle reasons");
    addClampEvidence(f, c);
    addTemperature(f, c.scope);
    noteTail(f, c.scope.context.result.thermal);
    f.guardrails = {"temperature stays below the limit for three times the thermal time constant",
                    "p99 latency does not rise", "units per joule do not fall"};
    f.rollbackBoundary = "One clock or power setting a device: the old value is restored by one command.";
    noteEnergySource(f, c.scope);
    return f;
}

bool canSee(const Context &context, DeviceId id) {
    const auto has = [&](const std::map<DeviceId, bool> &facts) {
        const auto it = facts.find(id);
        return it != facts.end() && it->second;
    };
    return has(context.hasThrottleFlags) || (has(context.hasClock) && has(context.hasTemperature));
}

class ThermalClamp : public Rule {
public:
    std::string_view name() const override { return "thermal_clamp"; }

    RuleOutcome evaluate(const Context &context) const override {
        RuleOutcome outcome;
        for (const DeviceScope &scope : deviceScopes(context)) {
            if (!canSee(context, scope.id())) {
                outcome.needs.push_back({"thermal_clamp", "throttle reasons, or clock and temperature, of " +
                                                              scope.name() + " over the run"});
                continue;
            }
            const ClampCase c = clampCase(scope, "thermal");
            if (!c.spans.empty() && c.busyShare() >= ruleSettings().clampMinBusyShare)
                outcome.findings.push_back(thermalFinding(c));
        }
        return outcome;
    }
};

}  // namespace

const Rule &thermalClampRule() {
    static const ThermalClamp rule;
    return rule;
}

}  // namespace wattproof::analysis
