// One way to run the analysis for every command and for the window.
#pragma once

#include <string>

#include "analysis/result.h"
#include "store/task.h"
#include "store/workspace.h"

namespace wattproof::app {

// scenarioFile empty: the scenario stored in the workspace.
[[nodiscard]] Expected<analysis::AnalysisResult> runAnalysis(store::Workspace &, const std::string &scenarioFile, const Task &);

}  // namespace wattproof::app
