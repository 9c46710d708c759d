// What the window asks of the rest of the house, so that widgets never include importers: app implements it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "analysis/result.h"
#include "analysis/scenario.h"
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

// All calls block and run on a worker thread.
class ImportService {
public:
    virtual ~ImportService() = default;
    // True when the file is a workspace (to be opened) rather than data (to be imported).
    [[nodiscard]] virtual bool isWorkspace(const std::string &path) const = 0;
    [[nodiscard]] virtual Expected<ImportOutcome> importToNew(const std::vector<std::string> &files, const std::string &output,
                                                              const Task &) = 0;
    [[nodiscard]] virtual Expected<ImportOutcome> importInto(store::Workspace &, const std::vector<std::string> &files,
                                                             const Task &) = 0;
    // Writes the bundled sample's files to a folder and returns their paths.
    [[nodiscard]] virtual Expected<std::vector<std::string>> unpackSample(const std::string &folder) = 0;
    // File-dialog filter of everything that can be read.
    [[nodiscard]] virtual std::string openFilter() const = 0;
};

}  // namespace wattproof::widgets
