#include <array>
#include <chrono>
#include <ctime>

#include "report/model/header.h"
#include "report/report.h"
#include "store/analysis_store.h"
#include "store/reader.h"

namespace wattproof::report {
namespace {

std::string nowUtc() {
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    std::tm utc{};
    gmtime_r(&now, &utc);
    std::array<char, 32> text{};
    std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
    return text.data();
}

void collectQueries(Report &report) {
    for (const analysis::Finding &finding : report.analysis.findings) {
        const std::string prefix = "Finding " + std::to_string(finding.rank) + ", ";
        for (const analysis::Evidence &evidence : finding.evidence)
            report.queries.emplace_back(prefix + "evidence: " + evidence.claim, evidence.query);
        for (const analysis::Check &check : finding.checks)
            report.queries.emplace_back(prefix + "check: " + check.claim, check.query);
        for (const analysis::Contradiction &contradiction : finding.contradictions)
            if (!contradiction.query.empty())
                report.queries.emplace_back(prefix + "contradiction: " + contradiction.claim, contradiction.query);
    }
}

// A decision outlives the analysis: it is laid over the finding of the same key.
void applyDecisions(Report &report) {
    for (analysis::Finding &finding : report.analysis.findings) {
        for (const store::FindingDecision &decision : report.decisions) {
            if (decision.findingKey != finding.key)
                continue;
            if (!decision.owner.empty())
                finding.owner = decision.owner;
            if (!decision.rollback.empty())
                finding.rollback = decision.rollback;
        }
    }
}

}  // namespace

Expected<Report> buildReport(store::Workspace &workspace, const analysis::AnalysisResult &analysis) {
    auto reader = workspace.reader();
    if (!reader)
        return passOn(reader);
    auto sources = (*reader)->sources();
    auto warnings = (*reader)->warnings();
    auto annotations = workspace.edits().annotations();
    auto decisions = workspace.edits().decisions();
    auto header = buildHeader(**reader, analysis);
    if (!sources)
        return passOn(sources);
    if (!warnings)
        return passOn(warnings);
    if (!annotations)
        return passOn(annotations);
    if (!decisions)
        return passOn(decisions);
    if (!header)
        return passOn(header);

    Report report;
    report.createdAt = nowUtc();
    report.header = std::move(*header);
    report.sources = std::move(*sources);
    for (const SourceRow &source : report.sources)
        report.simulated = report.simulated || source.simulated;
    report.analysis = analysis;
    report.annotations = std::move(*annotations);
    report.decisions = std::move(*decisions);
    report.warnings = std::move(*warnings);
    applyDecisions(report);
    collectQueries(report);
    return report;
}

}  // namespace wattproof::report
