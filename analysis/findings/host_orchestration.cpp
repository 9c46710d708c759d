#include "analysis/findings/finding_builder.h"
#include "analysis/findings/rule_list.h"
#include "analysis/findings/rule_settings.h"

#include <algorithm>

namespace wattproof::analysis {
namespace {

const std::vector<std::string> kHostCauses{"host", "launch", "memory", "input"};

struct Case {
    const DeviceScope &scope;
    const RuleSettings &settings;
    IntervalSet lost;
    Ns stalls = 0;
    [[nodiscard]] Ns time() const { return length(lost); }
    [[nodiscard]] bool stalled() const {
        return static_cast<double>(stalls) >= settings.hostStallShare * static_cast<double>(time());
    }
};

void describeStalls(Finding &f, const Case &c) {
    const auto count = std::to_string(c.scope.idle.launchStalls.size());
    const auto longest = asMs(static_cast<double>(longestOf(c.scope.idle.launchStalls).length()));
    f.title = count + " launch stalls keep " + c.scope.name() + " idle for " +
              asMs(static_cast<double>(c.stalls)) + " (longest " + longest + ")";
    f.mechanism =
        "Launch calls themselves took up to " + longest +
        ", as they do when code is loaded or compiled at first use, and the device had nothing queued meanwhile.";
    f.intervention =
        "Load and compile device code before the measured or served run (warm-up pass, eager module loading, "
        "a shipped code cache), then measure again.";
    f.counterfactual =
        "The same operations with every launch call as short as the ordinary ones: the stalled time goes, the "
        "work and its joules stay.";
    f.doesNotProve =
        "That the stalls recur after the first use: a trace that begins with a cold process shows them once; it "
        "also does not tell loading from a lock inside the driver.";
    f.nextAction = "Record a second window after a warm-up pass and see whether the stalls remain.";
    setChain(f, {"run every operation at the pace of the device",
                 "operations launched one by one, code loaded at first use",
                 "launch calls block the host for milliseconds while " + c.scope.name() + " is idle",
                 "the stalls are " + asPercent(c.scope.shareOfSpan(c.stalls)) + " of the device's span"});
}

void describeSlowHost(Finding &f, const Case &c) {
    f.title =
        c.scope.name() + " waits for the host during " + asPercent(c.scope.shareOfSpan(c.time())) + " of its span";
    f.mechanism =
        "The host needs longer to prepare and launch operations than the device needs to run them, so the device "
        "runs out of queued work between launches.";
    f.intervention =
        "Launch ahead of the device: capture the sequence as a graph, batch or fuse the small operations, or move "
        "host work off the launching thread.";
    f.counterfactual =
        "The same operations launched early enough to run back to back: the pauses go, the work and its joules "
        "stay.";
    f.doesNotProve =
        "Which host function is at fault, nor that a faster host is worth more than larger batches; profiling "
        "itself slows the host down.";
    f.nextAction = "Look at the host thread inside the longest pause, and compare the run without the profiler.";
    setChain(f,
             {"keep the device fed with operations", "many short operations, each launched by the host as it goes",
              "the device finishes before the next launch and waits for " + asMs(static_cast<double>(c.time())),
              asPercent(c.scope.shareOfSpan(c.time())) + " of the span passes at idle power without work"});
}

void addHostEvidence(Finding &f, const Case &c) {
    const DeviceScope &s = c.scope;
    const std::string file = s.traceFile();
    const TimeRange longest = longestOf(c.lost);
    addEvidence(f, "time in which no operation ran on " + s.name(), s.idleMs(), "ms", s.idleMsQuery(), s.span(),
                file);
    addEvidence(f, "idle time in which the host prepared, allocated or launched",
                toMs(static_cast<double>(s.gapTime(kHostCauses))), "ms",
                sql::sumMs(sql::idleRows(s.id(), s.span(), kHostCauses)), longest, file);
    const auto limit = static_cast<Ns>(c.settings.hostShortKernelUs * 1000);
    addEvidence(f, "operations shorter than " + std::to_string(limit / 1000) + " us",
                static_cast<double>(s.operationsShorterThan(limit)), "operations",
                sql::operationCount(s.ids(), s.span(), limit), s.span(), file);
    if (!s.idle.launchStalls.empty()) {
        const auto stall = static_cast<Ns>(c.settings.hostStallMs * 1e6);
        addEvidence(f, "idle time inside launch calls of " + asMs(static_cast<double>(stall)) + " and more",
                    toMs(static_cast<double>(length(s.idle.launchStalls))), "ms",
                    sql::sumMs(sql::atLeast(sql::idleRows(s.id(), s.span(), {"launch"}), stall)),
                    longestOf(s.idle.launchStalls), file);
    }
}

void addHostChecks(Finding &f, const Case &c) {
    const DeviceScope &s = c.scope;
    const std::string host = sql::sumMs(sql::idleRows(s.id(), s.span(), kHostCauses));
    const Ns hostTime = s.gapTime(kHostCauses);
    const Ns queued = s.gapTime({"queued"});
    addCheck(f, "the device lacked launched work: pauses with work already queued are shorter in total",
             sql::compare(host, ">", sql::sumMs(sql::idleRows(s.id(), s.span(), {"queued"}))), hostTime > queued,
             0.5);
    const std::vector<std::string> waits = callNames(s.context, HostActivity::Synchronization);
    const std::string drained =
        sql::sumMs(sql::pausesBegunInside(sql::pauseRows(s.operations()), sql::callRows(waits, s.span())));
    const bool mostlyRunDry = 2 * length(s.idle.drainedPauses) < length(complement(s.activity.busy, s.span()));
    addCheck(f, "most of the idle time does not begin in a call that waits for the device",
             sql::compare("SELECT 2 * (" + drained + ")", "<", s.idleMsQuery()), mostlyRunDry, 0.6);
}

Finding hostFinding(const Case &c) {
    const DeviceScope &s = c.scope;
    Finding f = draft(s, "host_orchestration", hullOf(c.lost));
    f.effect = "delayed";
    c.stalled() ? describeStalls(f, c) : describeSlowHost(f, c);
    setSavedIdle(f, s, c.time(), c.settings.hostRecoverableLow, c.settings.hostRecoverableHigh);
    setConfidence(f, c.settings.hostConfidence,
                  "host calls cover the idle time, by the launch that ended each pause");
    addHostEvidence(f, c);
    addHostChecks(f, c);
    f.guardrails = {"results equal the eager run's on the regression set", "p99 latency does not rise",
                    "device memory stays within its limit when work is queued ahead"};
    f.rollbackBoundary = "One launch path: keep the eager path behind a switch and return to it by configuration.";
    noteEnergySource(f, s);
    return f;
}

class HostOrchestration : public Rule {
public:
    std::string_view name() const override { return "host_orchestration"; }

    RuleOutcome evaluate(const Context &context) const override {
        RuleOutcome outcome;
        for (const DeviceScope &scope : deviceScopes(context)) {
            const bool mayBeHost =
                scope.shareOfSpan(length(scope.idle.unknown)) >= ruleSettings().hostMinIdleShare;
            if (context.host.empty() && mayBeHost)
                outcome.needs.push_back({"host_orchestration",
                                         "host calls (operators and runtime calls) in the trace, to tell "
                                         "why " +
                                             scope.name() + " is idle"});
            const Case c{scope, ruleSettings(), scope.idle.host, length(scope.idle.launchStalls)};
            if (scope.shareOfSpan(c.time()) >= c.settings.hostMinIdleShare)
                outcome.findings.push_back(hostFinding(c));
        }
        return outcome;
    }
};

}  // namespace

const Rule &hostOrchestrationRule() {
    static const HostOrchestration rule;
    return rule;
}

}  // namespace wattproof::analysis
