// Several files, in any order, into one workspace.
#pragma once

#include "importers/importer.h"
#include "store/workspace.h"

#include <memory>
#include <string>
#include <vector>

namespace wattproof::importers {

struct SessionSummary {
    std::vector<Summary> files;
    std::vector<std::string> notes;  // e.g. "power.csv is already in the workspace: not imported again"
    double seconds = 0;
};

// A new workspace at `output`: all or nothing. `cancelled()` when the task was stopped.
[[nodiscard]] Expected<SessionSummary> importToNew(const std::vector<std::string> &files,
                                                   const std::string &output, const Options &, const Task &);
// Adds to an open workspace.
[[nodiscard]] Expected<SessionSummary> importInto(store::Workspace &, const std::vector<std::string> &files,
                                                  const Options &, const Task &);

}  // namespace wattproof::importers
