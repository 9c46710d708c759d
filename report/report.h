// The report as data: the analysis plus header, decisions, annotations and the appendix. Renderers only format it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/result.h"
#include "store/edits.h"
#include "store/workspace.h"

namespace wattproof::report {

struct HeaderField {
    std::string key;                // "Device", "Driver", "Power limit" ...
    std::string value;              // empty = unknown, and listed as unknown
    std::string origin;             // where it was found
};

struct Report {
    std::string createdAt;
    bool simulated = false;         // any source is simulated: said in the title and beside the headline
    std::vector<HeaderField> header;
    std::vector<SourceRow> sources;
    analysis::AnalysisResult analysis;
    std::vector<store::Annotation> annotations;
    std::vector<store::FindingDecision> decisions;
    std::vector<WarningRow> warnings;
    std::vector<std::pair<std::string, std::string>> queries;   // what it derives, SQL: the appendix
    std::optional<analysis::AnalysisResult> baseline;           // the run before, set beside this one
};

// An SVG fragment (no XML prolog) of the real timeline in a range: drawn by report/draw, handed in so that the model stays
// free of Qt. Empty text: no picture.
using PictureFn = std::function<std::string(TimeRange range, const std::vector<std::string> &tracks)>;

// Reads header data, edits and warnings around a finished analysis.
[[nodiscard]] Expected<Report> buildReport(store::Workspace &, const analysis::AnalysisResult &);

[[nodiscard]] std::string toJson(const Report &);
[[nodiscard]] std::string toHtml(const Report &, const PictureFn &);
[[nodiscard]] std::string toMarkdown(const Report &);

// Text from traces is hostile: every renderer goes through these.
[[nodiscard]] std::string escapeHtml(std::string_view);

// Numbers as the product speaks: three significant digits, SI prefix, thin space, unit ("1.24 kJ", "231 ms", "–").
[[nodiscard]] std::string quantity(double value, std::string_view unit);
[[nodiscard]] std::string quantity(const std::optional<double> &, std::string_view unit);
[[nodiscard]] std::string duration(Ns);
[[nodiscard]] std::string intervalText(double value, const analysis::Interval &, std::string_view unit);   // "370 J [310–430]"
[[nodiscard]] std::string percent(double fraction);
// What a finding's remedy saves: joules, else time, else "–". A remedy that buys its throughput with energy reads
// "costs 304 J [-141 to 749]".
[[nodiscard]] std::string recoverableText(const analysis::Finding &);

}  // namespace wattproof::report
