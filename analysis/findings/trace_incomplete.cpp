#include "analysis/findings/finding_builder.h"
#include "analysis/findings/rule_list.h"
#include "analysis/findings/rule_settings.h"
#include "analysis/findings/trace_witness.h"

namespace wattproof::analysis {
namespace {

const std::vector<std::string> kWaiting{"synchronization"};

std::string blockedRows(const DeviceScope &s) {
    const auto shortest = static_cast<Ns>(ruleSettings().traceMinBlockedMs * 1e6);
    return sql::atLeast(sql::idleRows(s.id(), s.span(), kWaiting), shortest);
}

void addUndelivered(Finding &f, const DeviceScope &s) {
    if (s.idle.undelivered.empty())
        return;
    const auto shortest = static_cast<Ns>(ruleSettings().traceMinBlockedMs * 1e6);
    IntervalSet launches;
    for (const DeviceActivity::Gap &gap : s.activity.gaps)
        if (gap.cause == "launch" && gap.range.length() >= shortest)
            launches.push_back(gap.range);
    addEvidence(f,
                "idle time on paper of " + asMs(static_cast<double>(shortest)) + " and more in or after a launch",
                toMs(static_cast<double>(length(launches))), "ms",
                sql::sumMs(sql::atLeast(sql::idleRows(s.id(), s.span(), {"launch"}), shortest)),
                longestOf(launches), s.traceFile());
}

void addHostWitness(Finding &f, const DeviceScope &s) {
    addUndelivered(f, s);
    if (s.idle.blocked.empty())
        return;
    const std::string file = s.traceFile();
    const TimeRange longest = longestOf(s.idle.blocked);
    addEvidence(f, "time on paper without an operation while the host waits for the device in one call",
                toMs(static_cast<double>(length(s.idle.blocked))), "ms", sql::sumMs(blockedRows(s)), longest,
                file);
    for (const SliceId call : s.idle.blockingCalls) {
        const TimeRange *range = s.context.host.rangeOf(call);
        if (!range || !range->overlaps(longest))
            continue;
        addEvidence(f, "length of the longest such call", toMs(static_cast<double>(range->length())), "ms",
                    sql::sumMs(sql::sliceRows({call})), *range, file);
        break;
    }
    addCheck(f, "no operation is recorded inside the longest wait",
             sql::compare(sql::count(sql::inside(s.operations(longest), longest)), "=", 0.0), true, 0.3);
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

void explainConfidence(Finding &f, const DeviceScope &s, const TraceVerdict &verdict) {
    const double sure = ruleSettings().traceConfidence;
    if (verdict.powerContradicts)
        setConfidence(f, sure,
                      "power in the gaps, estimated at " + asWatts(verdict.gap->gapWatts) + " from " +
                          std::to_string(verdict.gap->windows) + " sensor windows (at least " +
                          asWatts(verdict.gap->gapWattsLow) + "), is that of a working device");
    else if (verdict.inside && !verdict.powerAcquits)
        setConfidence(f, sure, "host calls and the power log agree that the device worked");
    else
        setConfidence(f, s.idle.blocked.empty() ? 0.6 : 0.8, "the host's own calls contradict the idle time");
    if (!verdict.inside)
        f.confidenceReasons.push_back("no power reading lies inside the idle time: a power log would decide");
}

Finding traceFinding(const DeviceScope &s, const TraceVerdict &verdict) {
    Finding f = draft(s, "trace_incomplete", hullOf(verdict.contradicted));
    describe(f, s, verdict);
    explainConfidence(f, s, verdict);
    if (verdict.hostContradicts)
        addHostWitness(f, s);
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
