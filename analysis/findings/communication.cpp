#include "analysis/findings/finding_builder.h"
#include "analysis/findings/rule_list.h"
#include "analysis/findings/rule_settings.h"

#include <algorithm>

namespace wattproof::analysis {
namespace {

struct Case {
    const DeviceScope &scope;
    IntervalSet exposed;
    [[nodiscard]] Ns time() const { return length(exposed); }
    [[nodiscard]] Ns total() const { return length(scope.activity.communication); }
    // Computation beside which no communication runs yet: room to hide in.
    [[nodiscard]] Ns room() const {
        return length(difference(scope.activity.compute, scope.activity.communication));
    }
};

std::string exposedMs(const DeviceScope &s) {
    return sql::minus(sql::unionMs(s.computeAndCommunication()), sql::unionMs(s.operations(sql::Work::Compute)));
}

void addCommEvidence(Finding &f, const Case &c) {
    const DeviceScope &s = c.scope;
    const std::string file = s.traceFile();
    const TimeRange longest = longestOf(c.exposed);
    addEvidence(f, "communication not hidden behind computation", toMs(static_cast<double>(c.time())), "ms",
                exposedMs(s), longest, file);
    addEvidence(f, "communication in all", toMs(static_cast<double>(c.total())), "ms",
                sql::unionMs(s.operations(sql::Work::Communication)), s.span(), file);
    addEvidence(f, "computation", toMs(static_cast<double>(length(s.activity.compute))), "ms",
                sql::unionMs(s.operations(sql::Work::Compute)), s.span(), file);
}

void addCommChecks(Finding &f, const Case &c) {
    const DeviceScope &s = c.scope;
    const std::string communication = sql::unionMs(s.operations(sql::Work::Communication));
    addCheck(f, "more of the communication is exposed than hidden",
             sql::compare("SELECT 2 * (" + exposedMs(s) + ")", ">", communication), 2 * c.time() > c.total(), 0.8);
    const std::string compute = sql::unionMs(s.operations(sql::Work::Compute));
    const std::string hidden = sql::minus(communication, exposedMs(s));
    addCheck(f, "there is computation left to hide it behind: half of the exposed time or more",
             sql::compare("SELECT 2 * (" + sql::minus(compute, hidden) + ")", ">=", exposedMs(s)),
             2 * c.room() >= c.time(), 0.9);
}

void describe(Finding &f, const Case &c) {
    const DeviceScope &s = c.scope;
    const std::string share = asPercent(s.shareOfSpan(c.time()));
    f.title = "Communication not hidden by computation takes " + share + " of " + s.name() + "'s span";
    f.mechanism =
        "Collectives run while no computation does: the next computation waits for their result or for the "
        "slowest "
        "participant, and the device transfers or spins instead of computing.";
    f.effect = "blocked";
    f.counterfactual =
        "At worst the same collectives run beside computation as far as there is room, and keep their own joules; "
        "at best "
        "they are no longer needed and their joules go as well.";
    f.intervention =
        "Start collectives as soon as their input is ready (smaller buckets, a stream of their own, prefetch), or "
        "shrink them (compression, larger local batches, other sharding).";
    f.doesNotProve =
        "That the transfer is slow: seen from one rank, waiting for another rank cannot be told from transfer.";
    f.nextAction = "Record all ranks on one clock and compare when each enters the same collective.";
    setChain(f, {"exchange data between devices behind computation",
                 "collectives whose result the next computation needs",
                 asMs(static_cast<double>(c.time())) + " of " + asMs(static_cast<double>(c.total())) +
                     " of communication run alone",
                 share + " of the span adds no computation"});
}

Finding commFinding(const Case &c) {
    const RuleSettings &settings = ruleSettings();
    Finding f = draft(c.scope, "communication", hullOf(c.exposed));
    describe(f, c);
    setSavedTransfer(f, c.scope, c.exposed, c.room(), settings.commRecoverableLow);
    setConfidence(f, settings.commConfidence, "exposed time is measured from the device's own records");
    addCommEvidence(f, c);
    addCommChecks(f, c);
    f.guardrails = {"loss curve or answers equal within tolerance",
                    "device memory for buckets in flight stays within its limit",
                    "all ranks keep the same order of collectives"};
    f.rollbackBoundary =
        "One schedule of collectives: bucket size and overlap are switches that return to the old values.";
    noteEnergySource(f, c.scope);
    return f;
}

class Communication : public Rule {
public:
    std::string_view name() const override { return "communication"; }

    RuleOutcome evaluate(const Context &context) const override {
        RuleOutcome outcome;
        const RuleSettings &settings = ruleSettings();
        for (const DeviceScope &scope : deviceScopes(context)) {
            const Case c{scope, difference(scope.activity.communication, scope.activity.compute)};
            const bool worthIt = static_cast<double>(c.total()) >= settings.commMinTotalUs * 1000;
            if (worthIt && scope.shareOfSpan(c.time()) >= settings.commMinExposedShare)
                outcome.findings.push_back(commFinding(c));
        }
        if (context.activity.empty())
            outcome.needs.push_back({"communication", "a trace with device operations"});
        return outcome;
    }
};

}  // namespace

const Rule &communicationRule() {
    static const Communication rule;
    return rule;
}

}  // namespace wattproof::analysis
