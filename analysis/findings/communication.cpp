#include "analysis/findings/rule_list.h"
#include "analysis/findings/rule_settings.h"
#include "analysis/findings/transfer_case.h"

namespace wattproof::analysis {
namespace {

void addRoomCheck(Finding &f, const TransferCase &c) {
    const DeviceScope &s = c.scope;
    const std::string hidden = sql::minus(sql::unionMs(s.operations(c.work)), c.exposedMsQuery);
    const std::string compute = sql::unionMs(s.operations(sql::Work::Compute));
    addCheck(f, "there is computation left to hide it behind: half of the exposed time or more",
             sql::compare("SELECT 2 * (" + sql::minus(compute, hidden) + ")", ">=", c.exposedMsQuery),
             2 * c.room() >= c.time(), 0.9);
}

void describe(Finding &f, const TransferCase &c) {
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

Finding commFinding(const TransferCase &c) {
    const RuleSettings &settings = ruleSettings();
    Finding f = transferFinding(
        c, "communication",
        {"communication not hidden behind computation", "communication in all", "the communication"},
        settings.commRecoverableLow, settings.commConfidence);
    describe(f, c);
    addRoomCheck(f, c);
    f.guardrails = {"loss curve or answers equal within tolerance",
                    "device memory for buckets in flight stays within its limit",
                    "all ranks keep the same order of collectives"};
    f.rollbackBoundary =
        "One schedule of collectives: bucket size and overlap are switches that return to the old values.";
    return f;
}

class Communication : public Rule {
public:
    std::string_view name() const override { return "communication"; }

    RuleOutcome evaluate(const Context &context) const override {
        RuleOutcome outcome;
        const RuleSettings &settings = ruleSettings();
        for (const DeviceScope &scope : deviceScopes(context)) {
            const TransferCase c = communicationCase(scope);
            if (c.matters(settings.commMinTotalUs, settings.commMinExposedShare))
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
