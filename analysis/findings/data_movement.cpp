#include "analysis/findings/rule_list.h"
#include "analysis/findings/rule_settings.h"
#include "analysis/findings/transfer_case.h"

namespace wattproof::analysis {
namespace {

void addRoomCheck(Finding &f, const TransferCase &c) {
    const DeviceScope &s = c.scope;
    addCheck(f, "the device computes at least as long as the copies that could be hidden",
             sql::compare(sql::unionMs(s.operations(sql::Work::Compute)), ">=", c.exposedMsQuery),
             length(s.activity.compute) >= c.time(), 0.9);
}

void describe(Finding &f, const TransferCase &c) {
    const DeviceScope &s = c.scope;
    const std::string share = asPercent(s.shareOfSpan(c.time()));
    f.title = "Copies that computation waits for take " + share + " of " + s.name() + "'s span";
    f.mechanism =
        "Data is copied to, from or within the device while nothing else runs on it: computation needs the data "
        "and "
        "the copy was not started early enough.";
    f.effect = "blocked";
    f.counterfactual =
        "At worst the same bytes are copied beside computation as far as there is room, and keep their own "
        "joules; at best "
        "they are no longer needed and their joules go as well.";
    f.intervention =
        "Copy ahead on a stream of its own from pinned memory, keep data on the device between steps, or send "
        "fewer bytes (narrower types, packing).";
    f.doesNotProve =
        "That the link is slow: pageable memory, small copies and a busy host lower the rate as well.";
    f.nextAction = "Look at the longest exposed copy: its memory kind, its size, and who needs its result.";
    setChain(f, {"have the data on the device when computation starts",
                 "copies on the same stream as, or awaited by, computation",
                 asMs(static_cast<double>(c.time())) + " of " + asMs(static_cast<double>(c.total())) +
                     " of copying run alone",
                 share + " of the span adds no computation"});
}

Finding copyFinding(const TransferCase &c) {
    const RuleSettings &settings = ruleSettings();
    Finding f = transferFinding(
        c, "data_movement",
        {"copies hidden behind neither computation nor communication", "copies in all", "the copying"},
        settings.copyRecoverableLow, settings.copyConfidence);
    describe(f, c);
    addRoomCheck(f, c);
    f.guardrails = {"results equal on the regression set",
                    "pinned host memory and device buffers stay within their limits", "p99 latency does not rise"};
    f.rollbackBoundary = "One copy path: the staged path stays behind a switch.";
    return f;
}

class DataMovement : public Rule {
public:
    std::string_view name() const override { return "data_movement"; }

    RuleOutcome evaluate(const Context &context) const override {
        RuleOutcome outcome;
        const RuleSettings &settings = ruleSettings();
        for (const DeviceScope &scope : deviceScopes(context)) {
            const TransferCase c = copyCase(scope);
            if (c.matters(settings.copyMinTotalUs, settings.copyMinExposedShare))
                outcome.findings.push_back(copyFinding(c));
        }
        if (context.activity.empty())
            outcome.needs.push_back({"data_movement", "a trace with device operations"});
        return outcome;
    }
};

}  // namespace

const Rule &dataMovementRule() {
    static const DataMovement rule;
    return rule;
}

}  // namespace wattproof::analysis
