// The whole analysis of a workspace, in order: inputs → timelines → energy → envelope → findings → ranking.
#pragma once

#include "analysis/result.h"
#include "store/task.h"
#include "store/workspace.h"

namespace wattproof::analysis {

// Computes and, where the workspace is writable, stores device_states, energy, clamps, findings and the document.
// `scenario` absent: the one stored in the workspace.
[[nodiscard]] Expected<AnalysisResult> analyze(store::Workspace &, const std::optional<Scenario> &scenario, const Task &);

}  // namespace wattproof::analysis
