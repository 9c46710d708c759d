// Several files, in any order, into one workspace; and one file again, in the place of what it was.
#pragma once

#include "importers/importer.h"
#include "store/reader.h"
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

// The source that the user means by its number or its path, or by the name of its file where only one has it.
[[nodiscard]] Expected<SourceRow> findSource(store::Reader &, const std::string &idOrPath);
// Where the file of a source is to be found: where it was, or beside the workspace if its path is relative.
[[nodiscard]] Expected<std::string> fileOf(const store::Workspace &, const SourceRow &);
// What the user wished for when the source was imported.
[[nodiscard]] Expected<Options> optionsOf(store::Reader &, SourceId);
// Reads a file anew and puts it in the place of a source of the same kind: all of it or nothing.
[[nodiscard]] Expected<SessionSummary> importAgain(store::Workspace &, SourceId, const std::string &file,
                                                   const Options &, const Task &);

}  // namespace wattproof::importers
