// Writes a report in the format that the file name asks for: .html, .pdf, .md or .json.
#pragma once

#include <optional>
#include <string>

#include "analysis/result.h"
#include "store/workspace.h"

namespace wattproof::draw {

// baseline: analysis of the run to compare with; its operating point stands beside this one's. PDF and pictures need a
// QGuiApplication. Errors: unknown ending, file cannot be written.
[[nodiscard]] Status writeReport(store::Workspace &, const analysis::AnalysisResult &,
                                 const std::optional<analysis::AnalysisResult> &baseline, const std::string &path);

}  // namespace wattproof::draw
