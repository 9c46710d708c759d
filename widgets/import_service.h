// What the window asks of the rest of the house, so that widgets never include importers: app implements it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "analysis/result.h"
#include "analysis/scenario.h"
#include "store/import_plan.h"
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

// All that is wished of an import.
struct Wishes {
    TracePart part;
    FileChoices files;
    Wishes() = default;
    Wishes(TracePart wanted) : part(std::move(wanted)) {}  // not explicit: a part is the usual wish
    Wishes(TracePart wanted, FileChoices choices) : part(std::move(wanted)), files(std::move(choices)) {}
};

// A source of a workspace, what it holds, and which part of its file was asked for.
struct SourceEntry {
    SourceRow row;
    std::int64_t slices = 0, samples = 0, warnings = 0;
    TimeRange extent;  // workspace time; empty: nothing in it has a time
    TracePart part;
    RequestCounts requests;
};

// All calls but checkPart, descriptorOf and openFilter block and run on a worker thread.
class ImportService {
public:
    virtual ~ImportService() = default;
    // True when the file is a workspace (to be opened) rather than data (to be imported).
    [[nodiscard]] virtual bool isWorkspace(const std::string &path) const = 0;
    // Of traces only the part is taken; logs are kept whole.
    [[nodiscard]] virtual Expected<ImportOutcome> importToNew(const std::vector<std::string> &files, const std::string &output,
                                                              const Wishes &, const Task &) = 0;
    [[nodiscard]] virtual Expected<ImportOutcome> importInto(store::Workspace &, const std::vector<std::string> &files,
                                                             const Wishes &, const Task &) = 0;
    // Reads a source's file anew, or another one in its place, as it was read before but for the part.
    // file empty: the one it was imported from.
    [[nodiscard]] virtual Expected<ImportOutcome> importAgain(store::Workspace &, SourceId, const std::string &file,
                                                              const TracePart &, const Task &) = 0;
    [[nodiscard]] virtual Expected<std::vector<SourceEntry>> sources(store::Reader &) const = 0;
    // Whether the part is written as it has to be; reads no file.
    [[nodiscard]] virtual Status checkPart(const TracePart &) const = 0;
    // Reads the head of a file as an import would read it; stores nothing. Fails only when cancelled: what is wrong
    // with the file is told in the look.
    [[nodiscard]] virtual Expected<FileLook> look(const std::string &path, const FileChoice &, const Task &) const = 0;
    [[nodiscard]] virtual std::vector<FormatName> formats() const = 0;  // that can be chosen by hand
    // The columns of a table and what they seem to mean. fixed: separator, header and lines above are as it says.
    [[nodiscard]] virtual Expected<TableLook> guessTable(const std::string &path, const TableMapping *fixed,
                                                         const Task &) const = 0;
    // The mapping as a descriptor for FileChoice; an error says what is missing. Reads no file.
    [[nodiscard]] virtual Expected<std::string> descriptorOf(const TableMapping &, const std::string &name) const = 0;
    // Keeps a descriptor where every later import finds it; returns the path.
    [[nodiscard]] virtual Expected<std::string> keepDescriptor(const std::string &json, const std::string &name) = 0;
    // Writes the bundled sample's files to a folder and returns their paths.
    [[nodiscard]] virtual Expected<std::vector<std::string>> unpackSample(const std::string &folder) = 0;
    // File-dialog filter of everything that can be read.
    [[nodiscard]] virtual std::string openFilter() const = 0;
};

}  // namespace wattproof::widgets
