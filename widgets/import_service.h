// What the window asks of the rest of the house, so that widgets never include importers: app implements it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "analysis/result.h"
#include "analysis/scenario.h"
#include "store/reader.h"
#include "store/result.h"
#include "store/task.h"
#include "store/workspace.h"

namespace wattproof::widgets {

struct ImportedFile {
    std::string path, format;
    std::int64_t slices = 0, samples = 0;
    std::vector<WarningRow> warnings;
};

struct ImportOutcome {
    std::vector<ImportedFile> files;
    std::vector<std::string> notes;
};

// Which part of a trace is wanted, as the user writes it: "2..5.5" in seconds since its beginning, "cpu_op,kernel".
// Empty: all.
struct TracePart {
    std::string range, categories;
    [[nodiscard]] bool isWhole() const { return range.empty() && categories.empty(); }
    friend bool operator==(const TracePart &, const TracePart &) = default;
};

// A source of a workspace, what it holds, and which part of its file was asked for.
struct SourceEntry {
    SourceRow row;
    std::int64_t slices = 0, samples = 0, warnings = 0;
    TimeRange extent;  // workspace time; empty: nothing in it has a time
    TracePart part;
};

// All calls but checkPart and openFilter block and run on a worker thread.
class ImportService {
public:
    virtual ~ImportService() = default;
    // True when the file is a workspace (to be opened) rather than data (to be imported).
    [[nodiscard]] virtual bool isWorkspace(const std::string &path) const = 0;
    // Of traces only the part is taken; logs are kept whole.
    [[nodiscard]] virtual Expected<ImportOutcome> importToNew(const std::vector<std::string> &files, const std::string &output,
                                                              const TracePart &, const Task &) = 0;
    [[nodiscard]] virtual Expected<ImportOutcome> importInto(store::Workspace &, const std::vector<std::string> &files,
                                                             const TracePart &, const Task &) = 0;
    // Reads a source's file anew, or another one in its place, as it was read before but for the part.
    // file empty: the one it was imported from.
    [[nodiscard]] virtual Expected<ImportOutcome> importAgain(store::Workspace &, SourceId, const std::string &file,
                                                              const TracePart &, const Task &) = 0;
    [[nodiscard]] virtual Expected<std::vector<SourceEntry>> sources(store::Reader &) const = 0;
    // Whether the part is written as it has to be; reads no file.
    [[nodiscard]] virtual Status checkPart(const TracePart &) const = 0;
    // Writes the bundled sample's files to a folder and returns their paths.
    [[nodiscard]] virtual Expected<std::vector<std::string>> unpackSample(const std::string &folder) = 0;
    // File-dialog filter of everything that can be read.
    [[nodiscard]] virtual std::string openFilter() const = 0;
};

}  // namespace wattproof::widgets
