// The workspace: one SQLite file that is both database and document.
//
// Life of the file. A new workspace is built by createWorkspace() in `<path>.importing-<pid>` and renamed when complete;
// whatever was at <path> stays untouched until then. An open workspace is in WAL mode; closing checkpoints and returns
// it to a plain rollback file, so that a read-only folder can open it. One process holds the writer's lock; a second,
// or one without write permission, opens read-only and says so in openMode().
#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "store/result.h"
#include "store/rows.h"
#include "store/task.h"

namespace wattproof::store {

class BulkWriter;
class Reader;
class Edits;
class AnalysisStore;

inline constexpr int kSchemaVersion = 1;
inline constexpr std::int32_t kApplicationId = 0x57617470;  // "Watp"

struct SharedDevice {
    DeviceId device;
    SourceId heir;  // the source whose it becomes
};

enum class OpenMode { ReadWrite, ReadOnlyLocked, ReadOnlyPlace };

class Workspace {
public:
    // Opens an existing workspace. Refused with a sentence: not SQLite, another application, a newer schema, objects in
    // it that are not ours. Older schemas are migrated on a copy that replaces the file when it succeeded. Sources that an
    // interrupted import left behind are removed.
    [[nodiscard]] static Expected<std::shared_ptr<Workspace>> open(const std::string &path, bool readOnly = false);

    ~Workspace();
    Workspace(const Workspace &) = delete;
    Workspace &operator=(const Workspace &) = delete;

    [[nodiscard]] const std::string &path() const;
    [[nodiscard]] OpenMode openMode() const;
    [[nodiscard]] bool writable() const { return openMode() == OpenMode::ReadWrite; }

    // A reader with a read-only connection of its own. One per thread; cheap enough (about 1 ms) to make at need.
    [[nodiscard]] Expected<std::unique_ptr<Reader>> reader() const;

    // Adds one or more sources to this open workspace in short transactions; they are invisible until commit(). Once
    // the stop is requested, the writer does no more: its calls and commit() fail with cancelled().
    [[nodiscard]] Expected<std::unique_ptr<BulkWriter>> addSources(std::stop_token = {});

    // Takes a source out: it is gone from every view in one transaction, its rows are deleted after that in short ones
    // (what a cancel or a crash leaves of them is deleted at the next opening). Notes on its tracks stay where they are
    // in time, without a track. The results of the analysis go. Not an edit: it cannot be undone.
    [[nodiscard]] Status removeSource(SourceId, const Task & = {});
    // A writer whose one finished source takes the place of `old` at commit(): all of it in one transaction, or
    // nothing. Notes find their tracks again, what the user said of alignment and devices goes over to the new one.
    [[nodiscard]] Expected<std::unique_ptr<BulkWriter>> replaceSource(SourceId old, std::stop_token = {});
    // Devices that `source` described and that others mean too: they stay when it goes.
    [[nodiscard]] Expected<std::vector<SharedDevice>> sharedDevices(SourceId source) const;
    // Grows by one with each source that is removed or replaced.
    [[nodiscard]] std::int64_t withdrawals() const;

    [[nodiscard]] Edits &edits();                    // the user's edits, with the undo log
    [[nodiscard]] AnalysisStore &analysisStore();    // what the analysis writes

    // Grows by one with each committed import, edit or analysis: views compare it to know whether to ask again.
    [[nodiscard]] std::int64_t revision() const;

    [[nodiscard]] Status saveAs(const std::string &path) const;

    // Reads the whole file and says what is damaged in it, at most 20 things; nothing: it is whole. Takes as long as
    // reading the file: for a thread of its own. cancelled() when it was stopped.
    [[nodiscard]] Expected<std::vector<std::string>> check(const std::stop_token & = {}) const;

private:
    struct Impl;
    explicit Workspace(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

// A new workspace, written beside `path` and moved there by commit(). Destroyed without commit(): nothing is left.
// The stop as in Workspace::addSources().
[[nodiscard]] Expected<std::unique_ptr<BulkWriter>> createWorkspace(const std::string &path, std::stop_token = {});

}  // namespace wattproof::store
