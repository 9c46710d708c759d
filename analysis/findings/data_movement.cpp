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
    [[nodiscard]] Ns total() const { return length(scope.activity.copies); }
    [[nodiscard]] Ns room() const { return length(difference(scope.activity.compute, scope.activity.copies)); }
};

std::string exposedMs(const DeviceScope &s) {
    return sql::minus(sql::unionMs(s.operations()), sql::unionMs(s.computeAndCommunication()));
}

void addCopyEvidence(Finding &f, const Case &c) {
    const DeviceScope &s = c.scope;
    const std::string file = s.traceFile();
    const TimeRange longest = longestOf(c.exposed);
    addEvidence(f, "copies hidden behind neither computation nor communication",
                toMs(static_cast<double>(c.time())), "ms", exposedMs(s), longest, file);
    addEvidence(f, "copies in all", toMs(static_cast<double>(c.total())), "ms",
                sql::unionMs(s.operations(sql::Work::Copy)), s.span(), file);
    addEvidence(f, "computation", toMs(static_cast<double>(length(s.activity.compute))), "ms",
                sql::unionMs(s.operations(sql::Work::Compute)), s.span(), file);
}

void addCopyChecks(Finding &f, const Case &c) {
    const DeviceScope &s = c.scope;
    addCheck(f, "more of the copying is exposed than hidden",
             sql::compare("SELECT 2 * (" + exposedMs(s) + ")", ">", sql::unionMs(s.operations(sql::Work::Copy))),
             2 * c.time() > c.total(), 0.8);
    addCheck(f, "the device computes at least as long as the copies that could be hidden",
             sql::compare(sql::unionMs(s.operations(sql::Work::Compute)), ">=", exposedMs(s)),
             length(s.activity.compute) >= c.time(), 0.9);
}

void describe(Finding &f, const Case &c) {
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

Finding copyFinding(const Case &c) {
    const RuleSettings &settings = ruleSettings();
    Finding f = draft(c.scope, "data_movement", hullOf(c.exposed));
    describe(f, c);
    setSavedTransfer(f, c.scope, c.exposed, c.room(), settings.copyRecoverableLow);
    setConfidence(f, settings.copyConfidence, "exposed time is measured from the device's own records");
    addCopyEvidence(f, c);
    addCopyChecks(f, c);
    f.guardrails = {"results equal on the regression set",
                    "pinned host memory and device buffers stay within their limits", "p99 latency does not rise"};
    f.rollbackBoundary = "One copy path: the staged path stays behind a switch.";
    noteEnergySource(f, c.scope);
    return f;
}

class DataMovement : public Rule {
public:
    std::string_view name() const override { return "data_movement"; }

    RuleOutcome evaluate(const Context &context) const override {
        RuleOutcome outcome;
        const RuleSettings &settings = ruleSettings();
        for (const DeviceScope &scope : deviceScopes(context)) {
            const IntervalSet covered = unionOf(scope.activity.compute, scope.activity.communication);
            const Case c{scope, difference(scope.activity.copies, covered)};
            const bool worthIt = static_cast<double>(c.total()) >= settings.copyMinTotalUs * 1000;
            if (worthIt && scope.shareOfSpan(c.time()) >= settings.copyMinExposedShare)
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
