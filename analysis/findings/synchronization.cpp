#include "analysis/findings/finding_builder.h"
#include "analysis/findings/rule_list.h"
#include "analysis/findings/rule_settings.h"

namespace wattproof::analysis {
namespace {

std::string drainedPauses(const DeviceScope &s) {
    const std::vector<std::string> waits = callNames(s.context, HostActivity::Synchronization);
    return sql::pausesBegunInside(sql::pauseRows(s.operations()), sql::callRows(waits, s.span()));
}

void addSyncEvidence(Finding &f, const DeviceScope &s) {
    const std::string file = s.traceFile();
    const std::string pauses = drainedPauses(s);
    const TimeRange longest = longestOf(s.idle.drainedPauses);
    addEvidence(f, "pauses that begin while the host waits for the device",
                static_cast<double>(s.idle.drainedPauses.size()), "pauses", sql::count(pauses), longest, file);
    addEvidence(f, "length of these pauses", toMs(static_cast<double>(length(s.idle.drainedPauses))), "ms",
                sql::sumMs(pauses), longest, file);
    addEvidence(f, "time in which no operation ran on " + s.name(), s.idleMs(), "ms", s.idleMsQuery(), s.span(),
                file);
}

void addSyncChecks(Finding &f, const DeviceScope &s) {
    const Ns drained = length(s.idle.drainedPauses), idle = s.span().length() - length(s.activity.busy);
    addCheck(f, "at least a third of all idle time follows such a wait",
             sql::compare("SELECT 3 * (" + sql::sumMs(drainedPauses(s)) + ")", ">=", s.idleMsQuery()),
             3 * drained >= idle, 0.6);
}

void describe(Finding &f, const DeviceScope &s, Ns lost) {
    const std::string share = asPercent(s.shareOfSpan(lost));
    f.title = std::to_string(s.idle.drainedPauses.size()) + " waits for the device leave " + s.name() +
              " idle for " + share + " of its span";
    f.mechanism =
        "The host waits until the device has finished and only then prepares the next operation, so the device "
        "runs dry at each wait and the cost of launching is exposed.";
    f.effect = "blocked";
    f.counterfactual =
        "The same operations without the waits: the host launches ahead, the pauses after each wait go, the work "
        "and its joules stay.";
    f.intervention =
        "Remove needless waits (device-wide synchronisation, reading results on the host, blocking copies), or "
        "wait on events of the step before instead of the current one.";
    f.doesNotProve =
        "That a wait is needless: some guard correctness (reuse of buffers, control flow on the host that depends "
        "on results).";
    f.nextAction =
        "List the waiting calls by the operator that makes them, and ask of each which result it needs.";
    setChain(f, {"overlap the host's preparation with the device's work",
                 "host code that waits for results between operations",
                 "after each wait the device is idle until the next launch arrives",
                 share + " of the span passes at idle power without work"});
}

Finding syncFinding(const DeviceScope &s, Ns lost) {
    const RuleSettings &settings = ruleSettings();
    Finding f = draft(s, "synchronization", hullOf(s.idle.synchronization));
    describe(f, s, lost);
    setSavedIdle(f, s, lost, settings.syncRecoverableLow, settings.syncRecoverableHigh);
    setConfidence(f, settings.syncConfidence, "each pause counted began inside a call that waits for the device");
    addSyncEvidence(f, s);
    addSyncChecks(f, s);
    f.guardrails = {"results equal the synchronised run's on the regression set",
                    "no data race on buffers reused across steps", "p99 latency does not rise"};
    f.rollbackBoundary = "One wait at a time: each removal can be put back by itself.";
    noteEnergySource(f, s);
    return f;
}

class Synchronization : public Rule {
public:
    std::string_view name() const override { return "synchronization"; }

    RuleOutcome evaluate(const Context &context) const override {
        RuleOutcome outcome;
        for (const DeviceScope &scope : deviceScopes(context)) {
            if (context.host.empty()) {
                outcome.needs.push_back(
                    {"synchronization",
                     "runtime calls in the trace, to see where the host waits for " + scope.name()});
                continue;
            }
            const Ns lost = length(scope.idle.synchronization);
            const bool repeated =
                static_cast<double>(scope.idle.drainedPauses.size()) >= ruleSettings().syncMinPauses;
            if (repeated && scope.shareOfSpan(lost) >= ruleSettings().syncMinIdleShare)
                outcome.findings.push_back(syncFinding(scope, lost));
        }
        return outcome;
    }
};

}  // namespace

const Rule &synchronizationRule() {
    static const Synchronization rule;
    return rule;
}

}  // namespace wattproof::analysis
