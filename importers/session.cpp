#include "importers/session.h"

#include "importers/part/part_writer.h"
#include "importers/session_writer.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
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

using Heirs = std::map<DeviceId, SourceId>;

Expected<Heirs> heirsOf(const store::Workspace &workspace, SourceId replaced) {
    Heirs heirs;
    if (!replaced.valid())
        return heirs;
    auto shared = workspace.sharedDevices(replaced);
    if (!shared)
        return passOn(shared);
    for (const store::SharedDevice &device : *shared)
        heirs.emplace(device.device, device.heir);
    return heirs;
}

// Of a source that is to be replaced only the devices count that others mean too, and they count as theirs.
Expected<Present> readPresent(const store::Workspace &workspace, SourceId replaced = {}) {
    Expected<std::unique_ptr<store::Reader>> reader = workspace.reader();
    if (!reader)
        return passOn(reader);
    Expected<std::vector<SourceRow>> sources = (*reader)->sources();
    Expected<std::vector<DeviceRow>> devices = (*reader)->devices();
    if (!sources)
        return passOn(sources);
    if (!devices)
        return passOn(devices);
    Expected<Heirs> heirs = heirsOf(workspace, replaced);
    if (!heirs)
        return passOn(heirs);
    Present present;
    for (const SourceRow &source : *sources)
        if (source.id != replaced)
            present.sizes.insert(source.sizeBytes);
    for (const DeviceRow &device : *devices) {
        const auto heir = heirs->find(device.id);
        const SourceId owner = heir != heirs->end() ? heir->second : device.source;
        const auto source = std::find_if(sources->begin(), sources->end(),
                                         [owner](const SourceRow &row) { return row.id == owner; });
        if (source != sources->end() && owner != replaced)
            present.devices.push_back({device, source->kind, source->path});
    }
    return present;
}

class Session {
public:
    Session(store::BulkWriter &writer, Present present, const Options &options, const Task &task)
        : writer_(writer, std::move(present.devices), options),
          sizes_(std::move(present.sizes)),
          options_(options),
          task_(task) {}

    // Refuses files that are of another kind.
    void expect(SourceKind kind) { expected_ = kind; }

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
            task_.report({"Opening " + files[i].substr(files[i].find_last_of('/') + 1), i, files.size(), "files"});
            Expected<std::unique_ptr<Input>> input = Input::open(files[i]);
            if (!input)
                return passOn(input);
            Expected<const Importer *> importer = recognise(**input, optionsOf(options_, files[i]));
            if (!importer)
                return passOn(importer);
            if (expected_ && (*importer)->kind() != *expected_)
                return failure("this file is of another kind than the source in whose place it is to be: " +
                                   std::string(word((*importer)->kind())) + ", not " + word(*expected_),
                               files[i], "add it, or name the right file");
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

    Expected<Summary> importPart(Planned &planned, const Options &options) {
        if (options.part.isWhole() || planned.importer->kind() != SourceKind::Trace)
            return planned.importer->import(*planned.input, writer_, options, taskFor());
        PartWriter part(writer_, options.part);
        Expected<Summary> summary = planned.importer->import(*planned.input, part, options, taskFor());
        if (summary)
            part.account(*summary);
        return summary;
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
            Options options = optionsOf(options_, planned.path);
            options.known = writer_.known();
            Expected<Summary> summary = importPart(planned, options);
            if (!summary)
                return passOn(summary);
            summary->warnings.insert(summary->warnings.end(), writer_.ownWarnings().begin(),
                                     writer_.ownWarnings().end());
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
    std::optional<SourceKind> expected_;
    std::vector<Planned> planned_;
    std::vector<std::pair<std::size_t, Summary>> done_;
    SessionSummary summary_;
    std::uint64_t total_ = 0, finished_ = 0;
};

}  // namespace

Expected<SessionSummary> importToNew(const std::vector<std::string> &files, const std::string &output,
                                     const Options &options, const Task &task) {
    Expected<std::unique_ptr<store::BulkWriter>> writer = store::createWorkspace(output, task.stop);
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
    Expected<std::unique_ptr<store::BulkWriter>> writer = workspace.addSources(task.stop);
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

Expected<SessionSummary> importAgain(store::Workspace &workspace, SourceId source, const std::string &file,
                                     const Options &options, const Task &task) {
    Expected<std::unique_ptr<store::Reader>> reader = workspace.reader();
    if (!reader)
        return passOn(reader);
    Expected<SourceRow> old = findSource(**reader, std::to_string(source.value));
    if (!old)
        return passOn(old);
    Expected<Present> present = readPresent(workspace, source);
    if (!present)
        return passOn(present);
    Expected<std::unique_ptr<store::BulkWriter>> writer = workspace.replaceSource(source, task.stop);
    if (!writer)
        return passOn(writer);
    Session session(**writer, std::move(*present), options, task);
    session.expect(old->kind);
    Expected<SessionSummary> summary = session.run({file});
    if (!summary)
        return summary;
    if (summary->files.empty())
        return failure("this file is another source of the workspace already", file, "name the right file");
    if (task.cancelled())
        return cancelled();
    if (Status status = (*writer)->commit(); !status)
        return passOn(status);
    return summary;
}

}  // namespace wattproof::importers
