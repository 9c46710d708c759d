#include "analysis/findings/finding_builder.h"
#include "analysis/findings/rule_list.h"
#include "analysis/findings/rule_settings.h"
#include "analysis/findings/trace_witness.h"

namespace wattproof::analysis {
namespace {

// Idle time on paper during which the host is inside calls that wait for the device.
IntervalSet waitedIdle(const DeviceScope &s) {
    return intersection(s.context.host.covered(HostActivity::Synchronization),
                        complement(s.activity.busy, s.span()));
}

std::string waitedIdleQuery(const DeviceScope &s) {
    const std::vector<std::string> waits = callNames(s.context, HostActivity::Synchronization);
    const std::string calls = sql::inside(sql::callRows(waits, s.span()), s.span());
    return sql::minus(sql::unionMs(sql::both(s.operations(), calls)), sql::unionMs(s.operations()));
}

void addLongestWait(Finding &f, const DeviceScope &s, TimeRange longest) {
    const SliceId call = s.context.host.callAt(HostActivity::Synchronization, longest);
    const TimeRange *range = call.valid() ? s.context.host.rangeOf(call) : nullptr;
    if (range)
        addEvidence(f, "length of the call that waits there", toMs(static_cast<double>(range->length())), "ms",
                    sql::sumMs(sql::sliceRows({call})), *range, s.traceFile());
}

void addHostWitness(Finding &f, const DeviceScope &s, const TraceVerdict &verdict) {
    const TimeRange longest = longestOf(verdict.contradicted);
    const IntervalSet waited = waitedIdle(s);
    addEvidence(f, "time on paper without an operation while the host waits for the device",
                toMs(static_cast<double>(length(waited))), "ms", waitedIdleQuery(s), longest, s.traceFile());
    addLongestWait(f, s, longest);
    addCheck(
        f, "the host waits for the device in at least half of the time that is called into question",
        sql::compare(waitedIdleQuery(s), ">=", toMs(static_cast<double>(length(verdict.contradicted))) / 2),
        toMs(static_cast<double>(length(waited))) >= toMs(static_cast<double>(length(verdict.contradicted))) / 2,
        0.6);
    addCheck(f, "no operation is recorded inside the longest stretch",
             sql::compare(sql::count(sql::atLeast(sql::inside(s.operations(longest), longest), 1)), "=", 0.0),
             true, 0.3);
}

void addPowerWitness(Finding &f, const DeviceScope &s, const TraceVerdict &verdict) {
    if (!verdict.inside || !verdict.idle)
        return;
    const WattsIn &inside = *verdict.inside;
    addEvidence(f, "mean power in the longest of these stretches", inside.watts, "W", inside.query, inside.range,
                s.powerFile());
    const double bound = ruleSettings().traceIdleFactor * *verdict.idle;
    const bool hot = inside.watts > bound;
    addCheck(f, "power there exceeds what an idle device draws (" + asWatts(*verdict.idle) + ") by half",
             sql::compare(inside.query, ">", bound), hot, verdict.powerContradicts ? 0.7 : 0.3);
}

void describe(Finding &f, const DeviceScope &s, const TraceVerdict &verdict) {
    const std::string share = asPercent(verdict.share);
    f.title = "The trace misses work of " + s.name() + ": " + share + " of its span only looks idle";
    f.mechanism = verdict.hostContradicts ? "The host waits for the device, or what it launched does not start, "
                                            "while the trace shows no operation: the "
                                            "device was running work whose records are missing."
                                          : "Power in the trace's gaps is higher than an idle device can draw: "
                                            "the device was running work whose "
                                            "records are missing.";
    f.effect = "blocked";
    f.counterfactual =
        "None: what is missing cannot be weighed. Findings on idle time in this range do not stand.";
    f.intervention =
        "Record again with the profiler started before the work is queued, with larger buffers, and with all "
        "processes and graph nodes of the device included.";
    f.doesNotProve =
        "What the missing work was, nor that it was useful; a wait for another device behind the same call looks "
        "alike on the host.";
    f.nextAction =
        "Check the profiler's start and its dropped records, then compare the power log with the new trace.";
    setChain(f,
             {"a trace that shows all work of the device", "a recording window or buffer that leaves records out",
              "idle time on paper while the device works",
              "idle shares and every finding built on them are too large"});
}

void explainConfidence(Finding &f, const TraceVerdict &verdict) {
    const double sure = ruleSettings().traceConfidence;
    if (verdict.powerContradicts)
        setConfidence(f, sure,
                      "power in the gaps, estimated at " + asWatts(verdict.gap->gapWatts) + " from " +
                          std::to_string(verdict.gap->windows) + " sensor windows (at least " +
                          asWatts(verdict.gap->gapWattsLow) + "), is that of a working device");
    else if (verdict.inside && !verdict.powerAcquits)
        setConfidence(f, sure, "host calls and the power log agree that the device worked");
    else
        setConfidence(f, 0.8, "the host's own calls contradict the idle time");
    if (!verdict.inside)
        f.confidenceReasons.push_back("no power reading lies inside the idle time: a power log would decide");
}

Finding traceFinding(const DeviceScope &s, const TraceVerdict &verdict) {
    Finding f = draft(s, "trace_incomplete", hullOf(verdict.contradicted));
    describe(f, s, verdict);
    explainConfidence(f, verdict);
    if (verdict.hostContradicts)
        addHostWitness(f, s, verdict);
    addPowerWitness(f, s, verdict);
    addEvidence(f, "time in which no operation is recorded on " + s.name(), s.idleMs(), "ms", s.idleMsQuery(),
                s.span(), s.traceFile());
    const auto operations = static_cast<double>(s.operationsShorterThan(s.span().length() + 1));
    addEvidence(f, "operations that are recorded", operations, "operations",
                sql::operationCount(s.ids(), s.span(), s.span().length() + 1), s.span(), s.traceFile());
    addCheck(f, "the idle time on paper is at least " + asPercent(ruleSettings().traceMinShare) + " of the span",
             sql::compare(s.idleMsQuery(), ">=", ruleSettings().traceMinShare * toMs(s.spanNs())),
             s.idleMs() >= ruleSettings().traceMinShare * toMs(s.spanNs()), 0.3);
    f.guardrails = {"profiling overhead stays below the share of time under study",
                    "the new trace and the power log agree on when the device works"};
    f.rollbackBoundary = "Nothing of the product changes: only the recording is repeated.";
    return f;
}

class TraceIncomplete : public Rule {
public:
    std::string_view name() const override { return "trace_incomplete"; }

    RuleOutcome evaluate(const Context &context) const override {
        RuleOutcome outcome;
        for (const DeviceScope &scope : deviceScopes(context)) {
            const TraceVerdict verdict = judgeTrace(scope);
            if (verdict.hostContradicts || verdict.powerContradicts)
                outcome.findings.push_back(traceFinding(scope, verdict));
            if (!scope.power())
                outcome.needs.push_back(
                    {"trace_incomplete",
                     "a power log of " + scope.name() + " over the run, as a witness of work the trace may miss"});
            if (context.host.empty() && !scope.power())
                outcome.needs.push_back({"trace_incomplete", "runtime calls in the trace, as the other witness"});
        }
        return outcome;
    }
};

}  // namespace

const Rule &traceIncompleteRule() {
    static const TraceIncomplete rule;
    return rule;
}

}  // namespace wattproof::analysis
