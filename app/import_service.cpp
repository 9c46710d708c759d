#include "app/import_service.h"

#include "app/source_entries.h"
#include "importers/input/input.h"
#include "importers/look/look.h"
#include "importers/power/table_guess.h"
#include "importers/session.h"
#include "resources/embedded.h"
#include "store/workspace.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>

namespace wattproof::app {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSampleFolder = "sample/";
// Offsets of the SQLite header: magic and application id.
constexpr std::string_view kSqliteMagic = "SQLite format 3";
constexpr std::size_t kApplicationIdAt = 68;
constexpr std::size_t kHeaderSize = 72;

bool isWorkspaceHeader(const std::array<char, kHeaderSize> &header) {
    if (!std::string_view(header.data(), header.size()).starts_with(kSqliteMagic))
        return false;
    std::uint32_t id = 0;
    for (std::size_t i = kApplicationIdAt; i < kHeaderSize; ++i)
        id = id << 8U | static_cast<unsigned char>(header[i]);
    return id == static_cast<std::uint32_t>(store::kApplicationId);
}

widgets::ImportOutcome outcomeOf(importers::SessionSummary &&summary) {
    widgets::ImportOutcome outcome;
    for (importers::Summary &file : summary.files)
        outcome.files.push_back({file.path, file.format, file.slices, file.samples, std::move(file.warnings)});
    outcome.notes = std::move(summary.notes);
    return outcome;
}

Expected<widgets::ImportOutcome> outcomeOf(Expected<importers::SessionSummary> &&summary) {
    if (!summary)
        return passOn(summary);
    return outcomeOf(std::move(*summary));
}

Expected<importers::Options> withPart(importers::Options options, const widgets::TracePart &part) {
    auto selection = partFromText(part.range, part.categories);
    if (!selection)
        return passOn(selection);
    options.part = std::move(*selection);
    return options;
}

Expected<importers::Options> optionsOf(const widgets::Wishes &wishes) {
    importers::Options options;
    options.files = wishes.files;
    return withPart(std::move(options), wishes.part);
}

// The sample's folder also says what is true and where it comes from: neither is input.
bool isInput(std::string_view path) {
    return !path.ends_with(".md") && path.find("truth") == std::string_view::npos;
}

// The trace first: it names the workspace and gives it its clock.
bool isTrace(std::string_view path) {
    return path.find(".json") != std::string_view::npos;
}

class AppImportService final : public widgets::ImportService {
public:
    bool isWorkspace(const std::string &path) const override {
        if (path.ends_with(".wattproof"))
            return true;
        std::array<char, kHeaderSize> header{};
        std::ifstream in(path, std::ios::binary);
        return in.read(header.data(), header.size()) && isWorkspaceHeader(header);
    }

    Expected<widgets::ImportOutcome> importToNew(const std::vector<std::string> &files, const std::string &output,
                                                 const widgets::Wishes &wishes, const Task &task) override {
        auto options = optionsOf(wishes);
        if (!options)
            return passOn(options);
        return outcomeOf(importers::importToNew(files, output, *options, task));
    }

    Expected<widgets::ImportOutcome> importInto(store::Workspace &workspace, const std::vector<std::string> &files,
                                                const widgets::Wishes &wishes, const Task &task) override {
        auto options = optionsOf(wishes);
        if (!options)
            return passOn(options);
        return outcomeOf(importers::importInto(workspace, files, *options, task));
    }

    Expected<widgets::ImportOutcome> importAgain(store::Workspace &workspace, SourceId source,
                                                 const std::string &file, const widgets::TracePart &part,
                                                 const Task &task) override {
        auto origin = originOf(workspace, std::to_string(source.value), file);
        if (!origin)
            return passOn(origin);
        auto options = withPart(std::move(origin->options), part);
        if (!options)
            return passOn(options);
        return outcomeOf(importers::importAgain(workspace, source, origin->file, *options, task));
    }

    Expected<std::vector<widgets::SourceEntry>> sources(store::Reader &reader) const override {
        return sourceEntries(reader);
    }

    Status checkPart(const widgets::TracePart &part) const override {
        auto selection = partFromText(part.range, part.categories);
        return selection ? Status() : passOn(selection);
    }

    Expected<FileLook> look(const std::string &path, const FileChoice &choice, const Task &task) const override {
        importers::Options options;
        options.files[path] = choice;
        return importers::lookAt(path, options, task);
    }

    std::vector<FormatName> formats() const override { return importers::formatsByHand(); }

    Expected<TableLook> guessTable(const std::string &path, const TableMapping *fixed, const Task &) const override {
        auto input = importers::Input::open(path);
        if (!input)
            return passOn(input);
        const std::span<const char> head = (*input)->head();
        return importers::guessTable({head.data(), head.size()}, fixed);
    }

    Expected<std::string> descriptorOf(const TableMapping &mapping, const std::string &name) const override {
        return importers::descriptorOf(mapping, name);
    }

    Expected<std::string> keepDescriptor(const std::string &json, const std::string &name) override {
        return importers::keepDescriptor(json, name);
    }

    Expected<std::vector<std::string>> unpackSample(const std::string &folder) override {
        std::error_code error;
        fs::create_directories(folder, error);
        std::vector<std::string> files;
        for (const std::string &path : resources::builtInBelow(kSampleFolder)) {
            if (!isInput(path))
                continue;
            const fs::path target = fs::path(folder) / fs::path(path).filename();
            if (auto written = write(target, *resources::builtIn(path)); !written)
                return passOn(written);
            files.push_back(target.string());
        }
        if (files.empty())
            return failure("This build carries no sample", {}, "open a trace of your own");
        std::stable_partition(files.begin(), files.end(), isTrace);
        return files;
    }

    std::string openFilter() const override {
        return "Traces, power logs and workspaces (*.wattproof *.json *.json.* *.csv *.csv.* *.tsv *.jsonl *.txt *.log *.gz "
               "*.zst *.xz *.zip *.pb *.pftrace *.perfetto-trace *.sqlite *.db *.cpuprofile);;"
               "Wattproof workspaces (*.wattproof);;All files (*)";
    }

private:
    // An unchanged file is left alone: its time is part of the name of the workspace made from it.
    static Status write(const fs::path &target, std::string_view bytes) {
        std::error_code error;
        if (fs::file_size(target, error) == bytes.size() && !error)
            return {};
        std::ofstream out(target, std::ios::binary | std::ios::trunc);
        out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        out.close();
        if (out)
            return {};
        return failure("The sample cannot be written", target.string(),
                       "check the folder's permissions and the free space");
    }
};

}  // namespace

std::unique_ptr<widgets::ImportService> makeImportService() {
    return std::make_unique<AppImportService>();
}

}  // namespace wattproof::app
