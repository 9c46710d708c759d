#include "analysis/analyze.h"

#include "analysis/context_builder.h"
#include "analysis/energy/device_energy.h"
#include "analysis/evidence/evidence_matrix.h"
#include "analysis/findings/rule.h"
#include "analysis/headline/headline.h"
#include "analysis/headline/units.h"
#include "analysis/precision/precision.h"
#include "analysis/thermal/clamps.h"
#include "analysis/timeline/gpu_timeline.h"
#include "store/analysis_store.h"
#include "store/edits.h"
#include "store/version.h"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace wattproof::analysis {
namespace {

Expected<Scenario> scenarioOf(store::Workspace &workspace, const std::optional<Scenario> &given) {
    if (given)
        return *given;
    auto stored = workspace.edits().scenario();
    if (!stored)
        return passOn(stored);
    return parseScenario(*stored, "scenario of the workspace");
}

Status readInputs(store::Workspace &workspace, store::Reader &reader, Context &context, const Task &task) {
    auto alignments = workspace.edits().alignments();
    if (!alignments)
        return passOn(alignments);
    context.alignments = std::move(*alignments);
    auto warnings = reader.warnings();
    if (!warnings)
        return passOn(warnings);
    for (const WarningRow &warning : *warnings)
        context.result.warnings.push_back(warning.kind + " (" + std::to_string(warning.count) +
                                          "): " + warning.message);
    if (Status status = buildContext(reader, context, task); !status)
        return status;
    return findUnits(reader, context, task.stop);
}

void say(const Task &task, const char *stage) {
    task.report({stage, 0, 0, "stages"});
}

Status runStages(Context &context, const Task &task) {
    AnalysisResult &result = context.result;
    for (const auto &[id, activity] : context.activity)
        result.timeline.push_back(timelineOf(activity));
    if (result.timeline.empty())
        result.reasons["timeline"] = "no accelerator operation is in the workspace";
    say(task, "Attributing joules");
    computeEnergy(context);
    if (task.cancelled())
        return cancelled();
    say(task, "Looking for clamps");
    if (Status status = findClamps(context); !status)
        return status;
    associateTails(context);
    if (task.cancelled())
        return cancelled();
    computeHeadline(context);
    result.precision = precisionShares(context);
    result.quality = qualityResults(context.quality, context.scenario.guardrails);
    result.evidenceMatrix = evidenceMatrix(context);
    for (std::string &lint : lintsOf(context))
        result.lints.push_back(std::move(lint));
    result.scenario = context.scenario;
    result.alignment = context.alignments;
    return {};
}

Status runRules(Context &context, const Task &task) {
    const std::vector<const Rule *> &all = rules();
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (task.cancelled())
            return cancelled();
        task.report({"Evaluating rules", i, all.size(), "rules"});
        RuleOutcome outcome = all[i]->evaluate(context);
        std::move(outcome.findings.begin(), outcome.findings.end(), std::back_inserter(context.result.findings));
        std::move(outcome.needs.begin(), outcome.needs.end(), std::back_inserter(context.result.needs));
    }
    rankFindings(context);
    return {};
}

// Owners and rollbacks that the user decided on survive each new analysis: a finding's key brings them back.
Status recallDecisions(store::Workspace &workspace, std::vector<Finding> &findings) {
    auto decisions = workspace.edits().decisions();
    if (!decisions)
        return passOn(decisions);
    for (const store::FindingDecision &decision : *decisions) {
        const auto it = std::find_if(findings.begin(), findings.end(),
                                     [&](const Finding &finding) { return finding.key == decision.findingKey; });
        if (it == findings.end())
            continue;
        if (!decision.owner.empty())
            it->owner = decision.owner;
        if (!decision.rollback.empty())
            it->rollback = decision.rollback;
    }
    return {};
}

store::FindingRow rowOf(const Finding &finding) {
    store::FindingRow row;
    row.rank = finding.rank;
    row.key = finding.key;
    row.rule = finding.rule;
    row.bottleneckClass = finding.bottleneckClass;
    row.title = finding.title;
    if (finding.recoverableJ) {
        row.recoverableJLow = finding.recoverableJ->low;
        row.recoverableJHigh = finding.recoverableJ->high;
    }
    if (finding.headlineGain) {
        row.gainLow = finding.headlineGain->low;
        row.gainHigh = finding.headlineGain->high;
    }
    row.confidence = finding.confidence;
    row.json = toJson(finding).dump();
    return row;
}

store::AnalysisRows rowsOf(Context &context) {
    store::AnalysisRows rows;
    for (const auto &[id, activity] : context.activity) {
        const auto states = deviceStates(activity);
        rows.deviceStates.insert(rows.deviceStates.end(), states.begin(), states.end());
    }
    rows.energy = std::move(context.energyRows);
    for (const ClampSpan &clamp : context.clamps)
        rows.clamps.push_back({clamp.device, clamp.range.begin, clamp.range.length(), clamp.clampClass,
                               clamp.reason, clamp.lostClock});
    for (const Finding &finding : context.result.findings)
        rows.findings.push_back(rowOf(finding));
    rows.resultJson = toJson(context.result).dump();
    return rows;
}

}  // namespace

Expected<AnalysisResult> analyze(store::Workspace &workspace, const std::optional<Scenario> &given,
                                 const Task &task) {
    auto scenario = scenarioOf(workspace, given);
    if (!scenario)
        return passOn(scenario);
    const std::int64_t withdrawals = workspace.withdrawals();
    auto reader = workspace.reader();
    if (!reader)
        return passOn(reader);
    Context context;
    context.scenario = std::move(*scenario);
    context.result.toolVersion = toolVersion();
    context.result.workspace = workspace.path();
    Status status = readInputs(workspace, **reader, context, task);
    if (status)
        status = runStages(context, task);
    if (status)
        status = runRules(context, task);
    if (status)
        status = recallDecisions(workspace, context.result.findings);
    if (!status)
        return passOn(status);
    if (workspace.writable()) {
        say(task, "Storing the analysis");
        store::AnalysisRows rows = rowsOf(context);
        rows.withdrawals = withdrawals;
        if (Status stored = workspace.analysisStore().replace(rows); !stored)
            return passOn(stored);
    }
    return std::move(context.result);
}

}  // namespace wattproof::analysis
