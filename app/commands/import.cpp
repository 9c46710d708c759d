#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <nlohmann/json.hpp>

#include "analysis/alignment/align.h"
#include "app/commands/commands.h"
#include "app/commands/console.h"
#include "app/json_documents.h"
#include "app/source_entries.h"
#include "importers/session.h"
#include "report/report.h"

namespace wattproof::app {
namespace {

namespace fs = std::filesystem;

Expected<importers::Options> options(const ImportArguments &arguments) {
    importers::Options options;
    options.format = arguments.format;
    options.timezone = arguments.timezone;
    options.maxGapSeconds = arguments.maxGapSeconds;
    options.periodSeconds = arguments.periodSeconds;
    auto part = partFromText(arguments.range, arguments.categories);
    if (!part)
        return passOn(part);
    options.part = std::move(*part);
    if (!arguments.descriptor.empty()) {
        std::ifstream in(arguments.descriptor, std::ios::binary);
        if (!in)
            return failure("The descriptor cannot be read", arguments.descriptor, "check the path");
        options.descriptorJson.assign(std::istreambuf_iterator<char>(in), {});
    }
    return options;
}

Expected<importers::SessionSummary> importFiles(const ImportArguments &arguments, const Task &task) {
    auto chosen = options(arguments);
    if (!chosen)
        return passOn(chosen);
    if (arguments.add) {
        auto workspace = store::Workspace::open(arguments.output);
        if (!workspace)
            return passOn(workspace);
        return importers::importInto(**workspace, arguments.files, *chosen, task);
    }
    std::error_code error;
    if (fs::exists(arguments.output, error) && !arguments.replace)
        return failure("A file stands there already", arguments.output,
                       "give --add to add to it, --replace to replace it, or another name");
    return importers::importToNew(arguments.files, arguments.output, *chosen, task);
}

void printFile(const importers::Summary &file) {
    const double mbPerSecond = file.seconds > 0 ? static_cast<double>(file.bytes) / file.seconds / 1e6 : 0;
    std::printf("%s  %s, %s in %s (%.0f MB/s)\n", file.path.c_str(), file.format.c_str(),
                report::quantity(static_cast<double>(file.bytes), "B").c_str(),
                report::quantity(file.seconds, "s").c_str(), mbPerSecond);
    std::printf("  %lld slices, %lld instants, %lld GPU operations (%lld linked to their launch), %lld flows, "
                "%lld counters with %lld samples\n",
                static_cast<long long>(file.slices), static_cast<long long>(file.instants),
                static_cast<long long>(file.gpuOps), static_cast<long long>(file.links), static_cast<long long>(file.flows),
                static_cast<long long>(file.counters), static_cast<long long>(file.samples));
    if (const std::string counts = countsText(file.requests); !counts.empty())
        std::printf("  %s\n", counts.c_str());
    for (const WarningRow &w : file.warnings)
        std::printf("  warning %s × %lld%s%s: %s\n", w.kind.c_str(), static_cast<long long>(w.count),
                    w.firstPosition.empty() ? "" : ", first at ", w.firstPosition.c_str(), w.message.c_str());
}

Expected<std::vector<analysis::SourceAlignment>> alignSources(const std::string &path, const Task &task) {
    auto workspace = store::Workspace::open(path);
    if (!workspace)
        return passOn(workspace);
    return analysis::alignAutomatically(**workspace, task);
}

}  // namespace

ExitCode fail(const Error &error) {
    endProgress();
    std::fprintf(stderr, "wattproof: %s\n", error.sentence().c_str());
    return kFailed;
}

ExitCode finishImport(const importers::SessionSummary &summary, const std::string &workspace, bool align, bool json,
                      const Task &task) {
    std::vector<analysis::SourceAlignment> alignments;
    if (align) {
        auto aligned = alignSources(workspace, task);
        if (!aligned)
            return fail(aligned.error());
        alignments = std::move(*aligned);
    }
    endProgress();
    if (json) {
        std::puts(importJson(summary, alignments, workspace).dump(2, ' ', false,
                                                                  nlohmann::json::error_handler_t::replace).c_str());
        return kOk;
    }
    for (const importers::Summary &file : summary.files)
        printFile(file);
    for (const std::string &note : summary.notes)
        std::printf("note: %s\n", note.c_str());
    for (const analysis::SourceAlignment &a : alignments)
        std::printf("alignment of source %lld: %s\n", static_cast<long long>(a.source.value), alignmentText(a).c_str());
    std::printf("%s written in %s\n", workspace.c_str(), report::quantity(summary.seconds, "s").c_str());
    return kOk;
}

ExitCode importCommand(const ImportArguments &arguments, const Task &task) {
    auto summary = importFiles(arguments, task);
    if (!summary)
        return fail(summary.error());
    return finishImport(*summary, arguments.output, arguments.align, arguments.json, task);
}

}  // namespace wattproof::app
