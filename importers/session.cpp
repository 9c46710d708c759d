#include "importers/session.h"

#include "importers/session_writer.h"
#include "store/reader.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>
#include <utility>

namespace wattproof::importers {
namespace {

using SteadyClock = std::chrono::steady_clock;

double secondsSince(SteadyClock::time_point start) {
    return std::chrono::duration<double>(SteadyClock::now() - start).count();
}

struct Planned {
    std::string path;
    std::size_t position = 0;  // in the list that the user gave
    std::unique_ptr<Input> input;
    const Importer *importer = nullptr;
};

// What the workspace holds before the session.
struct Present {
    std::vector<KnownDevice> devices;
    std::set<std::uint64_t> sizes;  // of its sources: only files of these sizes are worth hashing first
};

Expected<Present> readPresent(const store::Workspace &workspace) {
    Expected<std::unique_ptr<store::Reader>> reader = workspace.reader();
    if (!reader)
        return passOn(reader);
    Expected<std::vector<SourceRow>> sources = (*reader)->sources();
    Expected<std::vector<DeviceRow>> devices = (*reader)->devices();
    if (!sources)
        return passOn(sources);
    if (!devices)
        return passOn(devices);
    Present present;
    for (const SourceRow &source : *sources)
        present.sizes.insert(source.sizeBytes);
    for (const DeviceRow &device : *devices) {
        const auto source = std::find_if(sources->begin(), sources->end(),
                                         [&](const SourceRow &row) { return row.id == device.source; });
        if (source != sources->end())
            present.devices.push_back({device, source->kind, source->path});
    }
    return present;
}

class Session {
public:
    Session(store::BulkWriter &writer, Present present, const Options &options, const Task &task)
        : writer_(writer, std::move(present.devices)),
          sizes_(std::move(present.sizes)),
          options_(options),
          task_(task) {}

    // Imports all files; nothing is committed.
    Expected<SessionSummary> run(const std::vector<std::string> &files) {
        const SteadyClock::time_point start = SteadyClock::now();
        if (Status status = plan(files); !status)
            return passOn(status);
        for (Planned &planned : planned_)
            if (Status status = importOne(planned); !status)
                return passOn(status);
        std::sort(done_.begin(), done_.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
        for (auto &[position, summary] : done_)
            summary_.files.push_back(std::move(summary));
        summary_.notes.insert(summary_.notes.end(), writer_.notes().begin(), writer_.notes().end());
        summary_.seconds = secondsSince(start);
        return std::move(summary_);
    }

private:
    // Opens and recognises every file before any work. Traces go first: logs often do not name their GPU.
    Status plan(const std::vector<std::string> &files) {
        if (files.empty())
            return failure("no files were given", {}, "name at least one trace or power log");
        std::set<std::string> seen;
        for (std::size_t i = 0; i < files.size(); ++i) {
            std::error_code ignored;
            const std::string real = std::filesystem::weakly_canonical(files[i], ignored).string();
            if (!seen.insert(real.empty() ? files[i] : real).second) {
                summary_.notes.push_back(files[i] + " was given twice: imported once");
                continue;
            }
            Expected<std::unique_ptr<Input>> input = Input::open(files[i]);
            if (!input)
                return passOn(input);
            Expected<const Importer *> importer = recognise(**input, options_);
            if (!importer)
                return passOn(importer);
            total_ += (*input)->sizeBytes();
            planned_.push_back({files[i], i, std::move(*input), *importer});
        }
        std::stable_partition(planned_.begin(), planned_.end(),
                              [](const Planned &p) { return p.importer->kind() == SourceKind::Trace; });
        return {};
    }

    // The whole file is hashed first only where a source of its size is there.
    Expected<bool> isPresent(const Planned &planned) {
        if (!sizes_.contains(planned.input->sizeBytes()))
            return false;
        Expected<std::unique_ptr<Input>> copy = Input::open(planned.path);
        if (!copy)
            return passOn(copy);
        Expected<std::string> hash = (*copy)->sha256();
        if (!hash)
            return passOn(hash);
        return writer_.hasSource(*hash);
    }

    // Progress over the bytes of all files; other stages of an importer pass through.
    [[nodiscard]] Task taskFor() const {
        Task task = task_;
        if (task_.progress)
            task.progress = [this](ProgressReport report) {
                if (report.unit == "bytes") {
                    report.done += finished_;
                    report.total = total_;
                }
                task_.progress(report);
            };
        return task;
    }

    Status importOne(Planned &planned) {
        if (task_.cancelled())
            return cancelled();
        const std::uint64_t size = planned.input->sizeBytes();
        Expected<bool> present = isPresent(planned);
        if (!present)
            return passOn(present);
        if (*present) {
            summary_.notes.push_back(planned.path + " is already in the workspace: not imported again");
        } else {
            const SteadyClock::time_point start = SteadyClock::now();
            Options options = options_;
            options.known = writer_.known();
            Expected<Summary> summary = planned.importer->import(*planned.input, writer_, options, taskFor());
            if (!summary)
                return passOn(summary);
            summary->seconds = secondsSince(start);
            done_.emplace_back(planned.position, std::move(*summary));
            sizes_.insert(size);
        }
        finished_ += size;
        planned.input.reset();
        return {};
    }

    SessionWriter writer_;
    std::set<std::uint64_t> sizes_;
    const Options &options_;
    const Task &task_;
    std::vector<Planned> planned_;
    std::vector<std::pair<std::size_t, Summary>> done_;
    SessionSummary summary_;
    std::uint64_t total_ = 0, finished_ = 0;
};

}  // namespace

Expected<SessionSummary> importToNew(const std::vector<std::string> &files, const std::string &output,
                                     const Options &options, const Task &task) {
    Expected<std::unique_ptr<store::BulkWriter>> writer = store::createWorkspace(output);
    if (!writer)
        return passOn(writer);
    Expected<SessionSummary> summary = Session(**writer, {}, options, task).run(files);
    if (!summary)
        return summary;
    if (task.cancelled())
        return cancelled();
    if (Status status = (*writer)->commit(); !status)
        return passOn(status);
    return summary;
}

Expected<SessionSummary> importInto(store::Workspace &workspace, const std::vector<std::string> &files,
                                    const Options &options, const Task &task) {
    Expected<Present> present = readPresent(workspace);
    if (!present)
        return passOn(present);
    Expected<std::unique_ptr<store::BulkWriter>> writer = workspace.addSources();
    if (!writer)
        return passOn(writer);
    Expected<SessionSummary> summary = Session(**writer, std::move(*present), options, task).run(files);
    if (!summary || summary->files.empty())
        return summary;
    if (task.cancelled())
        return cancelled();
    if (Status status = (*writer)->commit(); !status)
        return passOn(status);
    return summary;
}

}  // namespace wattproof::importers
