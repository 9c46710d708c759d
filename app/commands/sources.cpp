// sources: what a workspace was made of; one of them taken out, or read anew in its place.
#include <cstdio>

#include <nlohmann/json.hpp>

#include "app/commands/commands.h"
#include "app/commands/console.h"
#include "app/json_documents.h"
#include "app/source_entries.h"
#include "report/report.h"

namespace wattproof::app {
namespace {

// Enough of a hash to tell two files apart on sight.
constexpr std::size_t kShownHash = 12;

std::string partText(const widgets::TracePart &part) {
    std::string text = part.range.empty() ? std::string() : part.range + " s";
    if (!part.categories.empty())
        text += (text.empty() ? "" : ", ") + part.categories;
    return text.empty() ? "all" : text;
}

void printSources(const std::vector<widgets::SourceEntry> &entries) {
    std::vector<std::vector<std::string>> rows;
    for (const widgets::SourceEntry &entry : entries)
        rows.push_back({std::to_string(entry.row.id.value), word(entry.row.kind), entry.row.format, entry.row.path,
                        report::quantity(static_cast<double>(entry.row.sizeBytes), "B"),
                        entry.row.sha256.substr(0, kShownHash), std::to_string(entry.slices),
                        std::to_string(entry.samples), std::to_string(entry.requests.requests), partText(entry.part)});
    std::fputs(textTable({"source", "kind", "format", "file", "size", "sha256", "slices", "samples", "requests", "part"}, rows,
                         {false, false, false, false, true, false, true, true, true, false})
                   .c_str(),
               stdout);
}

ExitCode list(const store::Workspace &workspace, const SourcesArguments &arguments) {
    auto reader = workspace.reader();
    if (!reader)
        return fail(reader.error());
    auto entries = sourceEntries(**reader);
    if (!entries)
        return fail(entries.error());
    endProgress();
    if (arguments.json)
        std::puts(sourcesJson(*entries, arguments.workspace)
                      .dump(2, ' ', false, nlohmann::json::error_handler_t::replace)
                      .c_str());
    else
        printSources(*entries);
    return kOk;
}

Status remove(store::Workspace &workspace, const std::string &idOrPath, const Task &task) {
    auto reader = workspace.reader();
    if (!reader)
        return passOn(reader);
    auto source = importers::findSource(**reader, idOrPath);
    if (!source)
        return passOn(source);
    reader->reset();
    Status status = workspace.removeSource(source->id, task);
    // It is out of the workspace already; what a stop left of its rows goes at the next opening.
    return !status && isCancelled(status.error()) ? Status() : status;
}

// What is not given stays as it was at the import before.
Expected<importers::Selection> partOf(const importers::Selection &before, const SourcesArguments &arguments) {
    auto given = partFromText(arguments.range.value_or(""), arguments.categories.value_or(""));
    if (!given || arguments.whole)
        return given;
    return importers::Selection{arguments.range ? given->range : before.range,
                                arguments.categories ? given->categories : before.categories};
}

Expected<importers::SessionSummary> reimport(store::Workspace &workspace, const SourcesArguments &arguments,
                                             const Task &task) {
    auto origin = originOf(workspace, *arguments.reimport, arguments.file);
    if (!origin)
        return passOn(origin);
    auto part = partOf(origin->options.part, arguments);
    if (!part)
        return passOn(part);
    if (!part->isWhole() && origin->row.kind != SourceKind::Trace)
        return failure("only a trace can be imported in part", origin->row.path,
                       "leave out --range and --categories");
    origin->options.part = std::move(*part);
    return importers::importAgain(workspace, origin->row.id, origin->file, origin->options, task);
}

}  // namespace

ExitCode sourcesCommand(const SourcesArguments &arguments, const Task &task) {
    const bool changes = arguments.remove || arguments.reimport;
    auto workspace = store::Workspace::open(arguments.workspace, !changes);
    if (!workspace)
        return fail(workspace.error());
    if (arguments.remove)
        if (Status status = remove(**workspace, *arguments.remove, task); !status)
            return fail(status.error());
    if (!arguments.reimport)
        return list(**workspace, arguments);
    auto summary = reimport(**workspace, arguments, task);
    if (!summary)
        return fail(summary.error());
    workspace->reset();
    return finishImport(*summary, arguments.workspace, arguments.align, arguments.json, task);
}

}  // namespace wattproof::app
