#include "analysis/findings/finding_builder.h"
#include "analysis/findings/rule_list.h"
#include "analysis/findings/rule_settings.h"

#include <algorithm>

namespace wattproof::analysis {
namespace {

constexpr std::size_t kMaxUnits = 500;  // named one by one in a query

// The units that evidence looks at, and over which range: all of them, or the first ones where they are too many
// to name.
struct Look {
    std::string rows;
    IntervalSet inFlight;
    TimeRange range;
};

Look lookAt(const DeviceScope &s) {
    const Context &context = s.context;
    if (!context.requests.empty())
        return {"SELECT ts AS b, ts + dur AS e FROM requests", unitsInFlight(context), s.span()};
    std::vector<WorkUnit> units = context.units;
    std::sort(units.begin(), units.end(),
              [](const WorkUnit &a, const WorkUnit &b) { return a.range.begin < b.range.begin; });
    TimeRange range = s.span();
    if (units.size() > kMaxUnits) {
        range.end = std::min(range.end, units[kMaxUnits].range.begin);
        units.resize(kMaxUnits);
    }
    std::vector<SliceId> slices;
    std::vector<TimeRange> ranges;
    for (const WorkUnit &unit : units) {
        slices.push_back(unit.slice);
        ranges.push_back(unit.range);
    }
    return {sql::sliceRows(slices), unionOf(std::move(ranges)), range};
}

void describe(Finding &f, const DeviceScope &s, Ns lost) {
    const std::string share = asPercent(s.shareOfSpan(lost));
    f.title = s.name() + " has no work to do during " + share + " of its span";
    f.mechanism =
        "No unit of work is in flight for long stretches: the device is on, holds its context, and waits for "
        "load.";
    f.effect = "diluted";
    f.counterfactual =
        "The same units on a device that is kept full (or that sleeps between them): the idle stretches and "
        "their idle power go, the work and its joules stay.";
    f.intervention =
        "Consolidate load on fewer devices, batch requests within the latency budget, or let idle devices enter a "
        "deeper idle state.";
    f.doesNotProve =
        "That load can be moved: traffic may be bursty by nature, and headroom may be wanted for its peaks.";
    f.nextAction = "Compare the arrival rate with the rate the device sustains when busy, over a day.";
    setChain(f, {"serve the arriving load at the promised latency", "a device provisioned for more than arrives",
                 "no unit is in flight during " + share + " of the span", "idle power is spread over few units"});
}

void addLoadEvidence(Finding &f, const DeviceScope &s) {
    const Look look = lookAt(s);
    const std::string units = sql::inside(look.rows, look.range),
                      operations = sql::inside(s.operations(look.range), look.range);
    const IntervalSet inFlight = clip(look.inFlight, look.range), idle = complement(s.activity.busy, look.range);
    const auto without = static_cast<double>(length(difference(idle, inFlight)));
    const double rangeMs = toMs(static_cast<double>(look.range.length()));
    const std::string withoutMs = sql::minus(rangeMs, sql::unionMs(sql::both(operations, units)));
    const std::string idleMs = sql::minus(rangeMs, sql::unionMs(operations));
    const std::string file = s.traceFile();
    addEvidence(f, "time with neither an operation on " + s.name() + " nor a unit in flight", toMs(without), "ms",
                withoutMs, longestOf(s.idle.lowLoad), file);
    addEvidence(f, "time with a unit in flight", toMs(static_cast<double>(length(inFlight))), "ms",
                sql::unionMs(units), look.range, file);
    addEvidence(f, "time in which no operation ran", toMs(static_cast<double>(length(idle))), "ms", idleMs,
                look.range, file);
    addCheck(f, "at least half of the idle time lies outside all units",
             sql::compare("SELECT 2 * (" + withoutMs + ")", ">=", idleMs),
             2 * without >= static_cast<double>(length(idle)), 0.6);
}

Finding loadFinding(const DeviceScope &s, Ns lost) {
    const RuleSettings &settings = ruleSettings();
    Finding f = draft(s, "low_load", hullOf(s.idle.lowLoad));
    describe(f, s, lost);
    setSavedIdle(f, s, lost, settings.loadRecoverableLow, settings.loadRecoverableHigh);
    setConfidence(f, settings.loadConfidence, "units of work say when there was load");
    if (s.context.requests.empty())
        f.confidenceReasons.push_back(
            "the units are iterations of the trace: a request log would show arrivals themselves");
    addLoadEvidence(f, s);
    f.guardrails = {"p99 latency stays within the SLA at the peak of the load", "no request is shed",
                    "a device can be brought back within the time a peak needs to build up"};
    f.rollbackBoundary =
        "One routing or batching setting: the old share of the load is restored by configuration.";
    noteEnergySource(f, s);
    return f;
}

class LowLoad : public Rule {
public:
    std::string_view name() const override { return "low_load"; }

    RuleOutcome evaluate(const Context &context) const override {
        RuleOutcome outcome;
        for (const DeviceScope &scope : deviceScopes(context)) {
            const RuleSettings &settings = ruleSettings();
            const Ns lost = length(scope.idle.lowLoad);
            if (context.units.empty() &&
                scope.shareOfSpan(length(scope.idle.unknown)) >= settings.loadMinIdleShare)
                outcome.needs.push_back(
                    {"low_load", "a request log, or slices that mark units of work, to tell whether " +
                                     scope.name() + " had work while it was idle"});
            if (!context.units.empty() && scope.shareOfSpan(lost) >= settings.loadMinIdleShare)
                outcome.findings.push_back(loadFinding(scope, lost));
        }
        return outcome;
    }
};

}  // namespace

const Rule &lowLoadRule() {
    static const LowLoad rule;
    return rule;
}

}  // namespace wattproof::analysis
