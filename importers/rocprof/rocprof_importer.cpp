#include "importers/rocprof/rocprof_importer.h"

#include "importers/rocprof/process.h"

#include <optional>

namespace wattproof::importers {
namespace {

constexpr std::string_view kRoot = "rocprofiler-sdk-tool";
constexpr std::string_view kProcess = "rocprofiler-sdk-tool[]";

class RocprofImport {
public:
    RocprofImport(Input &input, ProfileRun &run) : input_(input), run_(run) {}

    Expected<Summary> import() {
        auto end = readJsonItems(input_, visitor());
        if (!end)
            return passOn(end);
        finishProcess();
        if (!status_)
            return passOn(status_);
        if (!found_)
            return failure("This JSON file is no result of rocprofv3: it has no \"rocprofiler-sdk-tool\"",
                           input_.path(), "record it with rocprofv3 --output-format json");
        if (end->cut && input_.damage().empty())
            run_.warn("truncated_input", "The file ends within its JSON; what was whole was read.", end->offset);
        else if (!end->whole && !end->cut)
            run_.warn("malformed_json", "The file was read up to where it is damaged: " + end->reason + ".",
                      end->offset);
        return run_.finish(std::nullopt);
    }

private:
    JsonVisitor visitor() {
        JsonVisitor visitor;
        visitor.isItem = [this](std::string_view path) {
            const auto own = within(path);
            return own && rocprof::Process::isItem(*own);
        };
        visitor.item = [this](std::string_view path, const JsonItem &item, std::uint64_t offset) {
            if (const auto own = within(path))
                process().item(*own, item, offset);
        };
        visitor.value = [this](std::string_view path, const JsonValue &value, std::uint64_t) {
            if (const auto own = within(path))
                process().value(*own, value);
        };
        visitor.closed = [this](std::string_view path) {
            if (path == kProcess)
                finishProcess();
        };
        visitor.checkpoint = [this] { return status_ ? run_.checkpoint() : status_; };
        return visitor;
    }

    // The path within the process's object.
    std::optional<std::string_view> within(std::string_view path) {
        found_ = found_ || path.starts_with(kRoot);
        if (!path.starts_with(kProcess) || path.size() <= kProcess.size() + 1)
            return std::nullopt;
        return path.substr(kProcess.size() + 1);
    }

    rocprof::Process &process() {
        if (!process_)
            process_.emplace(run_);
        return *process_;
    }

    void finishProcess() {
        if (process_ && status_)
            status_ = process_->finish();
        process_.reset();
    }

    Input &input_;
    ProfileRun &run_;
    std::optional<rocprof::Process> process_;
    Status status_;
    bool found_ = false;
};

class RocprofImporter final : public Importer {
public:
    [[nodiscard]] std::string_view name() const override { return "rocprofv3-json"; }

    [[nodiscard]] double probe(std::span<const char> head, std::string_view) const override {
        const std::string_view text(head.data(), std::min<std::size_t>(head.size(), 4096));
        const std::size_t first = text.find_first_not_of("\xef\xbb\xbf \t\r\n");
        if (first == std::string_view::npos || text[first] != '{')
            return 0.0;
        return text.find("\"rocprofiler-sdk-tool\"") != std::string_view::npos ? 0.97 : 0.0;
    }

    [[nodiscard]] Expected<Summary> import(Input &input, store::BulkWriter &writer, const Options &,
                                           const Task &task) const override {
        auto run = ProfileRun::begin(input, writer, task, "rocprofv3-json");
        if (!run)
            return passOn(run);
        return RocprofImport(input, **run).import();
    }
};

}  // namespace

std::unique_ptr<Importer> makeRocprofImporter() {
    return std::make_unique<RocprofImporter>();
}

}  // namespace wattproof::importers
