#include "app/command_line.h"

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <stop_token>

#include <CLI/CLI.hpp>

#include "app/commands/commands.h"
#include "app/commands/console.h"
#include "app/gui.h"
#include "app/import_service.h"
#include "store/version.h"

namespace wattproof::app {
namespace {

std::stop_source &interruption() {
    static std::stop_source source;
    return source;
}

Task terminalTask() {
    std::signal(SIGINT, [](int) { interruption().request_stop(); });
    return {terminalProgress(), interruption().get_token()};
}

std::optional<std::pair<int, int>> parseSize(const std::string &text) {
    int width = 0, height = 0;
    if (std::sscanf(text.c_str(), "%dx%d", &width, &height) != 2 || width < 200 || height < 150 || width > 20000 || height > 20000)
        return std::nullopt;
    return std::pair(width, height);
}

// What the command line asks for: set by the subcommand that was met, run after parsing.
using Action = std::function<ExitCode()>;

void addImport(CLI::App &app, Action &action) {
    auto arguments = std::make_shared<ImportArguments>();
    CLI::App *command = app.add_subcommand("import", "Import traces and logs into a workspace");
    command->add_option("FILES", arguments->files, "Traces and logs, in any order")->required();
    command->add_option("-o,--output", arguments->output, "The workspace to write")->required();
    command->add_flag("--add", arguments->add, "Add to the workspace that is there");
    command->add_flag("--replace", arguments->replace, "Replace the file that is there");
    command->add_option("--format", arguments->format, "Read the files as this format instead of recognising it");
    command->add_option("--timezone", arguments->timezone, "Zone of wall times without one: UTC, +02:00, Europe/Berlin");
    command->add_option("--descriptor", arguments->descriptor, "JSON file that maps the columns of a table");
    command->add_option("--max-gap", arguments->maxGapSeconds, "Longest bridged gap in seconds (default: 5 median periods)");
    command->add_option("--period", arguments->periodSeconds, "Seconds between the rows of a log that states no times");
    command->add_option("--range", arguments->range, "Only this time of each trace, seconds since its beginning: 2..5.5");
    command->add_option("--categories", arguments->categories, "Only these categories of each trace: cpu_op,kernel");
    command->add_flag("!--no-align", arguments->align, "Do not align power logs with the trace");
    command->add_flag("--json", arguments->json, "Print the summary as JSON");
    command->callback([&action, arguments] { action = [arguments] { return importCommand(*arguments, terminalTask()); }; });
}

void addInfo(CLI::App &app, Action &action) {
    auto path = std::make_shared<std::string>();
    auto json = std::make_shared<bool>(false);
    CLI::App *command = app.add_subcommand("info", "Say what is in a workspace");
    command->add_option("WORKSPACE", *path)->required();
    command->add_flag("--json", *json);
    command->callback([&action, path, json] { action = [path, json] { return infoCommand(*path, *json); }; });
}

void addSources(CLI::App &app, Action &action) {
    auto arguments = std::make_shared<SourcesArguments>();
    CLI::App *command = app.add_subcommand("sources", "List the sources of a workspace, take one out, or read one anew");
    command->add_option("WORKSPACE", arguments->workspace)->required();
    CLI::Option *remove = command->add_option("--remove", arguments->remove, "Take this source out: number or path; cannot be undone");
    CLI::Option *reimport = command->add_option("--reimport", arguments->reimport, "Read this source anew: number or path");
    remove->excludes(reimport);
    command->add_option("--file", arguments->file, "The file to read in its place (default: the one it came from)")->needs(reimport);
    CLI::Option *range = command->add_option("--range", arguments->range, "Only this time of the trace (default: as before)");
    CLI::Option *categories = command->add_option("--categories", arguments->categories, "Only these categories (default: as before)");
    range->needs(reimport);
    categories->needs(reimport);
    command->add_flag("--whole", arguments->whole, "All of the trace, whatever was asked for before")
        ->needs(reimport)->excludes(range)->excludes(categories);
    command->add_flag("!--no-align", arguments->align, "Do not align power logs with the trace")->needs(reimport);
    command->add_flag("--json", arguments->json);
    command->callback([&action, arguments] { action = [arguments] { return sourcesCommand(*arguments, terminalTask()); }; });
}

void addQuery(CLI::App &app, Action &action) {
    auto arguments = std::make_shared<QueryArguments>();
    CLI::App *command = app.add_subcommand("query", "Run SQL on the public views, read-only");
    command->add_option("WORKSPACE", arguments->workspace)->required();
    command->add_option("SQL", arguments->sql)->required();
    command->add_option("--format", arguments->format)->check(CLI::IsMember({"table", "csv", "json"}));
    command->add_option("--limit", arguments->limit, "Rows at the most (default: all)");
    command->callback([&action, arguments] { action = [arguments] { return queryCommand(*arguments, terminalTask()); }; });
}

void addAnalyze(CLI::App &app, Action &action) {
    auto arguments = std::make_shared<AnalyzeArguments>();
    CLI::App *command = app.add_subcommand("analyze", "Compute the headline, the energy split and the findings");
    command->add_option("WORKSPACE", arguments->workspace)->required();
    command->add_option("--scenario", arguments->scenario, "JSON file: unit of work, SLA, domains, floors, budget");
    command->add_flag("--json", arguments->json);
    command->callback([&action, arguments] { action = [arguments] { return analyzeCommand(*arguments, terminalTask()); }; });
}

void addReport(CLI::App &app, Action &action) {
    auto arguments = std::make_shared<ReportArguments>();
    CLI::App *command = app.add_subcommand("report", "Write the report: .html, .pdf, .md or .json");
    command->add_option("WORKSPACE", arguments->workspace)->required();
    command->add_option("-o,--output", arguments->output)->required();
    command->add_option("--baseline", arguments->baseline, "Workspace of the run to set beside this one");
    command->add_option("--scenario", arguments->scenario);
    command->callback([&action, arguments] { action = [arguments] { return reportCommand(*arguments, terminalTask()); }; });
}

void addAlign(CLI::App &app, Action &action) {
    auto arguments = std::make_shared<AlignArguments>();
    CLI::App *command = app.add_subcommand("align", "Put power logs on the trace's clock");
    command->add_option("WORKSPACE", arguments->workspace)->required();
    command->add_option("--source", arguments->source, "Only this source (numbers: wattproof info)");
    CLI::Option *offset = command->add_option("--offset", arguments->offsetNs, "Nanoseconds to add to the source's times");
    offset->needs(command->get_option("--source"));
    command->add_flag("--auto", arguments->automatic, "By wall clock or correlation (the default)")->excludes(offset);
    command->add_flag("--json", arguments->json);
    command->callback([&action, arguments] { action = [arguments] { return alignCommand(*arguments, terminalTask()); }; });
}

// Commands that a later version brings; they are known, so that scripts can tell "not yet" from "misspelt".
void addLater(CLI::App &app, Action &action, const char *name, const char *description) {
    CLI::App *command = app.add_subcommand(name, description);
    command->allow_extras();
    command->callback([&action, name] {
        action = [name] {
            std::fprintf(stderr, "wattproof: %s is not available in this build: it comes with a later version\n", name);
            return kNotAvailable;
        };
    });
}

struct WindowArguments {
    std::vector<std::string> files;
    GuiOptions options;
    std::string size;
    bool sample = false;
};

void addWindow(CLI::App &app, WindowArguments &window) {
    app.add_option("FILES", window.files, "A workspace, or traces and logs, to open in the window");
    app.add_option("--screenshot", window.options.screenshotPath, "Open the files, write a picture of the window here, and quit");
    app.add_option("--size", window.size, "Size of the window, e.g. 1920x1080")
        ->check([](const std::string &text) { return parseSize(text) ? std::string() : "not a size such as 1920x1080: " + text; });
    app.add_option("--theme", window.options.theme)->check(CLI::IsMember({"light", "dark", "system"}));
    app.add_flag("--sample", window.sample, "Open the bundled, simulated sample");
}

ExitCode openWindow(int argc, char **argv, WindowArguments &window) {
    if (const auto size = parseSize(window.size)) {
        window.options.width = size->first;
        window.options.height = size->second;
    }
    if (window.sample) {
        const std::string folder = (std::filesystem::temp_directory_path() / "wattproof-sample").string();
        auto files = makeImportService()->unpackSample(folder);
        if (!files)
            return fail(files.error());
        window.files = std::move(*files);
    }
    return static_cast<ExitCode>(runWindow(argc, argv, window.files, window.options));
}

}  // namespace

int run(int argc, char **argv) {
    CLI::App app{"Wattproof joins what an accelerator did with the joules it cost."};
    app.set_version_flag("--version", std::string("wattproof ") + toolVersion() + " (" + buildData() + ")");
    app.require_subcommand(0, 1);
    Action action;
    WindowArguments window;
    addWindow(app, window);
    addImport(app, action);
    addInfo(app, action);
    addSources(app, action);
    addQuery(app, action);
    addAnalyze(app, action);
    addReport(app, action);
    addAlign(app, action);
    addLater(app, action, "compare", "Compare two workspaces (a later version)");
    addLater(app, action, "verify", "Re-derive the figures of a report (a later version)");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        return app.exit(error) == 0 ? kOk : kUsage;
    }
    return action ? action() : openWindow(argc, argv, window);
}

}  // namespace wattproof::app
