// analyze and align.
#include <cstdio>
#include <fstream>
#include <iterator>

#include <nlohmann/json.hpp>

#include "analysis/alignment/align.h"
#include "analysis/analyze.h"
#include "app/commands/analysis_run.h"
#include "app/commands/commands.h"
#include "app/commands/console.h"
#include "app/json_documents.h"
#include "report/report.h"

namespace wattproof::app {
namespace {

using analysis::AnalysisResult;

std::string whyNoHeadline(const AnalysisResult &result) {
    const auto reason = result.reasons.find("headline.value");
    return reason != result.reasons.end() ? reason->second : result.headline.note;
}

void printHeadline(const AnalysisResult &result) {
    const analysis::Headline &h = result.headline;
    if (h.value)
        std::printf("%s sustained throughput per watt under SLA%s\n",
                    (h.ci95 ? report::intervalText(*h.value, *h.ci95, h.unit) : report::quantity(*h.value, h.unit)).c_str(),
                    h.settled ? "" : " (burst, not settled)");
    else if (h.valueNoSla)
        std::printf("%s, no SLA given\n", report::quantity(*h.valueNoSla, h.unit).c_str());
    else
        std::printf("no headline: %s\n", whyNoHeadline(result).c_str());
}

void printEnergy(const AnalysisResult &result) {
    std::vector<std::vector<std::string>> rows;
    for (const analysis::DeviceEnergy &d : result.energy.devices)
        rows.push_back({d.device, report::quantity(d.kernelsJ, "J"), report::quantity(d.copiesJ, "J"),
                        report::quantity(d.idleJ, "J"), report::quantity(d.outsideTraceJ, "J"),
                        report::quantity(d.unexplainedJ, "J"), report::quantity(d.integralJ, "J"), report::percent(d.coverage)});
    if (rows.empty())
        return;
    std::printf("\n%s", textTable({"device", "kernels", "copies", "idle", "outside trace", "unexplained", "integral", "coverage"},
                                  rows, {false, true, true, true, true, true, true, true})
                            .c_str());
}

void printFindings(const AnalysisResult &result) {
    std::vector<std::vector<std::string>> rows;
    for (const analysis::Finding &f : result.findings) {
        rows.push_back({std::to_string(f.rank), f.bottleneckClass, f.title, report::recoverableText(f), f.confidence});
    }
    if (rows.empty())
        std::puts("\nno bottleneck was found in what could be checked");
    else
        std::printf("\n%s", textTable({"#", "class", "finding", "recoverable", "confidence"}, rows).c_str());
    for (const analysis::RuleNeed &need : result.needs)
        std::printf("not checked: %s: %s\n", need.rule.c_str(), need.needs.c_str());
}

Expected<std::vector<analysis::SourceAlignment>> alignByHand(store::Workspace &workspace, const AlignArguments &arguments) {
    auto alignments = workspace.edits().alignments();
    if (!alignments)
        return passOn(alignments);
    for (store::Alignment alignment : *alignments) {
        if (alignment.source.value != arguments.source.value_or(0))
            continue;
        alignment.offset = *arguments.offsetNs;
        alignment.driftPpb = alignment.anchor = 0;
        alignment.method = "manual";
        alignment.confidence = 1;
        alignment.uncertainty = 0;
        alignment.note = "set on the command line";
        if (auto set = workspace.edits().setAlignment(alignment); !set)
            return passOn(set);
        analysis::AlignmentProposal proposal;
        proposal.alignment = alignment;
        return std::vector<analysis::SourceAlignment>{{alignment.source, proposal}};
    }
    return failure("There is no such source", "--source " + std::to_string(arguments.source.value_or(0)),
                   "wattproof info lists the sources and their numbers");
}

}  // namespace

Expected<AnalysisResult> runAnalysis(store::Workspace &workspace, const std::string &scenarioFile, const Task &task) {
    std::optional<analysis::Scenario> scenario;
    if (!scenarioFile.empty()) {
        std::ifstream in(scenarioFile, std::ios::binary);
        if (!in)
            return failure("The scenario cannot be read", scenarioFile, "check the path");
        const std::string text(std::istreambuf_iterator<char>(in), {});
        auto parsed = analysis::parseScenario(text, scenarioFile);
        if (!parsed)
            return passOn(parsed);
        scenario = std::move(*parsed);
    }
    return analysis::analyze(workspace, scenario, task);
}

ExitCode analyzeCommand(const AnalyzeArguments &arguments, const Task &task) {
    auto workspace = store::Workspace::open(arguments.workspace);
    if (!workspace)
        return fail(workspace.error());
    auto result = runAnalysis(**workspace, arguments.scenario, task);
    if (!result)
        return fail(result.error());
    endProgress();
    if (arguments.json) {
        std::puts(analysis::toJson(*result).dump(2, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
        return kOk;
    }
    printHeadline(*result);
    printEnergy(*result);
    printFindings(*result);
    return kOk;
}

ExitCode alignCommand(const AlignArguments &arguments, const Task &task) {
    auto workspace = store::Workspace::open(arguments.workspace);
    if (!workspace)
        return fail(workspace.error());
    const std::optional<SourceId> only =
        arguments.source ? std::optional<SourceId>(SourceId(*arguments.source)) : std::nullopt;
    auto alignments = arguments.offsetNs ? alignByHand(**workspace, arguments)
                                         : analysis::alignAutomatically(**workspace, task, only);
    if (!alignments)
        return fail(alignments.error());
    endProgress();
    if (arguments.json) {
        std::puts(nlohmann::json{{"schema_version", kDocumentVersion}, {"alignment", alignmentJson(*alignments)}}.dump(2).c_str());
        return kOk;
    }
    if (alignments->empty())
        std::puts("no source needs aligning");
    for (const analysis::SourceAlignment &a : *alignments)
        std::printf("source %lld: %s\n", static_cast<long long>(a.source.value), alignmentText(a).c_str());
    return kOk;
}

}  // namespace wattproof::app
