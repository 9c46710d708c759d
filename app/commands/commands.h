// The headless commands. Each prints its result to standard output, errors as one sentence to standard error, and returns
// an ExitCode.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/command_line.h"
#include "importers/session.h"
#include "store/task.h"

namespace wattproof::app {

struct ImportArguments {
    std::vector<std::string> files;
    std::string output;
    bool add = false;            // into the workspace at `output`
    bool replace = false;        // even if a file stands at `output`
    bool align = true;
    bool json = false;
    std::string format, timezone, descriptor, range, categories;
    std::optional<double> maxGapSeconds, periodSeconds;
};

struct SourcesArguments {
    std::string workspace;
    std::optional<std::string> remove, reimport;  // number or path of a source
    std::string file;              // to read in its place
    std::optional<std::string> range, categories;  // absent: as it was imported before
    bool whole = false;            // all of the trace, whatever was asked for before
    bool align = true;
    bool json = false;
};

struct QueryArguments {
    std::string workspace, sql, format = "table";
    std::int64_t limit = 0;      // 0 = all
};

struct AnalyzeArguments {
    std::string workspace, scenario;
    bool json = false;
};

struct ReportArguments {
    std::string workspace, output, baseline, scenario;
};

struct AlignArguments {
    std::string workspace;
    std::optional<std::int64_t> source;
    std::optional<std::int64_t> offsetNs;
    bool automatic = false;
    bool json = false;
};

[[nodiscard]] ExitCode importCommand(const ImportArguments &, const Task &);
[[nodiscard]] ExitCode infoCommand(const std::string &workspace, bool json);
[[nodiscard]] ExitCode sourcesCommand(const SourcesArguments &, const Task &);
[[nodiscard]] ExitCode queryCommand(const QueryArguments &, const Task &);
[[nodiscard]] ExitCode analyzeCommand(const AnalyzeArguments &, const Task &);
[[nodiscard]] ExitCode reportCommand(const ReportArguments &, const Task &);
[[nodiscard]] ExitCode alignCommand(const AlignArguments &, const Task &);

// Aligns what an import brought and prints what it became.
[[nodiscard]] ExitCode finishImport(const importers::SessionSummary &, const std::string &workspace, bool align,
                                    bool json, const Task &);

// One sentence to standard error; returns kFailed.
ExitCode fail(const Error &);

}  // namespace wattproof::app
