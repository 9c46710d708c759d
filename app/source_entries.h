// The sources of a workspace with what each of them holds: for the command line and for the window.
#pragma once

#include "importers/importer.h"
#include "store/reader.h"
#include "store/workspace.h"
#include "widgets/import_service.h"

#include <string>
#include <vector>

namespace wattproof::app {

[[nodiscard]] Expected<std::vector<widgets::SourceEntry>> sourceEntries(store::Reader &);

// Both as a user writes them. What is empty, and a range without either side, asks for all.
[[nodiscard]] Expected<importers::Selection> partFromText(const std::string &range, const std::string &categories);

// What it takes to read a source once more: which one is meant, as what it was read, and where its file is now.
struct Origin {
    SourceRow row;
    importers::Options options;
    std::string file;
};
// file: the one to read instead; empty: the one it was imported from.
[[nodiscard]] Expected<Origin> originOf(const store::Workspace &, const std::string &idOrPath,
                                        const std::string &file);

}  // namespace wattproof::app
