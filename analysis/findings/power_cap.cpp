#include "analysis/findings/clamp_case.h"
#include "analysis/findings/finding_builder.h"
#include "analysis/findings/rule_list.h"
#include "analysis/findings/rule_settings.h"

#include <algorithm>

namespace wattproof::analysis {
namespace {

struct MeanPower {
    double watts = 0;
    std::string query;
    TimeRange range;
};

// Plain mean of the readings inside the longest episode; none with fewer than two, or where the log counts energy.
std::optional<MeanPower> powerWhileCapped(const ClampCase &c) {
    const PowerSeries *power = c.scope.power();
    if (!power || power->channel().unit != "W")
        return std::nullopt;
    MeanPower mean;
    mean.range = longestOf(c.held);
    int n = 0;
    for (const Sample &s : power->samples()) {
        if (s.ts < mean.range.begin || s.ts > mean.range.end)
            continue;
        mean.watts += s.value;
        ++n;
    }
    if (n < 2)
        return std::nullopt;
    mean.watts /= n;
    mean.query = "SELECT AVG(value) FROM samples WHERE counter_id = " + std::to_string(power->channel().id.value) +
                 " AND ts BETWEEN " + std::to_string(mean.range.begin) + " AND " + std::to_string(mean.range.end);
    return mean;
}

void describe(Finding &f, const ClampCase &c) {
    const std::string name = c.scope.name(), share = asPercent(c.busyShare());
    f.title = name + " runs at its power cap during " + share + " of its busy time";
    f.mechanism =
        "The work would draw more than the power limit allows, so the device lowers its clock to stay below it "
        "and "
        "the same work takes longer.";
    f.effect = "delayed";
    f.counterfactual =
        "The same work without the cap: the capped busy time shrinks by up to the lost clock, while the dynamic "
        "energy of that work grows with the clock; both are in the joules.";
    f.intervention =
        "Raise the limit where latency needs it; otherwise keep it and cut the dynamic energy of the work "
        "(narrower types, fewer bytes moved), or set the clock that gives the most units per joule.";
    f.doesNotProve = "That lifting the cap pays: it usually raises throughput and joules per unit together.";
    f.nextAction = "Sweep the power limit over three values and plot units per joule and p99 latency.";
    setChain(f, {"run at the clock the work can use", "work whose power exceeds the limit",
                 "the limit holds the clock down in " + std::to_string(c.spans.size()) + " episodes",
                 share + " of the busy time runs at a lowered clock"});
}

void addPowerEvidence(Finding &f, const ClampCase &c) {
    const auto mean = powerWhileCapped(c);
    if (!mean)
        return;
    addEvidence(f, "mean power in the longest episode", mean->watts, "W", mean->query, mean->range,
                c.scope.powerFile());
    const auto limit = c.scope.context.powerLimitW.find(c.scope.id());
    if (limit == c.scope.context.powerLimitW.end())
        return;
    const double nearly = ruleSettings().capNearLimit * limit->second;
    addCheck(f, "power in the longest episode is near the limit of " + asWatts(limit->second),
             sql::compare(mean->query, ">=", nearly), mean->watts >= nearly, 0.6);
}

Finding capFinding(const ClampCase &c) {
    const RuleSettings &settings = ruleSettings();
    Finding f = draft(c.scope, "power_cap", hullOf(c.held));
    describe(f, c);
    setClampGains(f, c, {settings.capSlowdownLow, settings.capExponentLow, settings.capExponentHigh});
    setConfidence(f, settings.capConfidence, "power-cap episodes of " + c.scope.name() + " overlap its work");
    if (c.inferred)
        limitConfidence(f, 0.7, "the cap is inferred from power and clock: the log has no throttle reasons");
    addClampEvidence(f, c);
    addPowerEvidence(f, c);
    f.guardrails = {"rack and supply limits hold at the new setting", "temperature stays below its limit",
                    "units per joule do not fall below the agreed budget"};
    f.rollbackBoundary = "One power limit a device: the old value is restored by one command.";
    noteEnergySource(f, c.scope);
    return f;
}

bool canSee(const Context &context, DeviceId id) {
    const auto flags = context.hasThrottleFlags.find(id);
    return (flags != context.hasThrottleFlags.end() && flags->second) ||
           (context.powerLimitW.contains(id) && context.power.contains(id));
}

class PowerCap : public Rule {
public:
    std::string_view name() const override { return "power_cap"; }

    RuleOutcome evaluate(const Context &context) const override {
        RuleOutcome outcome;
        for (const DeviceScope &scope : deviceScopes(context)) {
            if (!canSee(context, scope.id())) {
                outcome.needs.push_back({"power_cap", "throttle reasons, or power and its limit, of " +
                                                          scope.name() + " over the run"});
                continue;
            }
            const ClampCase c = clampCase(scope, "power");
            if (!c.spans.empty() && c.busyShare() >= ruleSettings().capMinBusyShare)
                outcome.findings.push_back(capFinding(c));
        }
        return outcome;
    }
};

}  // namespace

const Rule &powerCapRule() {
    static const PowerCap rule;
    return rule;
}

}  // namespace wattproof::analysis
