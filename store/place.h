// Where an opened workspace lies: its lock between processes, how it may be opened, and its return to a plain
// file.
#pragma once

#include "store/result.h"
#include "store/sqlite/database.h"
#include "store/workspace.h"

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace wattproof::store {

// The writer's lock on a workspace file: flock on the file itself, so that nothing is left behind by a crash.
// Within one process a second attempt fails without opening the file, because closing any descriptor of it would
// release the locks that SQLite holds.
class FileLock {
public:
    [[nodiscard]] static std::optional<FileLock> tryTake(const std::string &path);
    ~FileLock();
    FileLock(FileLock &&other) noexcept;
    FileLock &operator=(FileLock &&) = delete;

private:
    FileLock(int descriptor, std::uint64_t device, std::uint64_t inode)
        : descriptor_(descriptor), device_(device), inode_(inode) {}
    int descriptor_;
    std::uint64_t device_, inode_;
};

// Orders the transactions of this process: the user's edits go before the next batch of an import.
class WriteGate {
public:
    class Pass {
    public:
        explicit Pass(WriteGate &gate) : gate_(gate) {}
        ~Pass() { gate_.leave(); }
        Pass(const Pass &) = delete;
        Pass &operator=(const Pass &) = delete;

    private:
        WriteGate &gate_;
    };

    void enterAsEdit();
    void enterAsImport();
    void leave();

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    int editsWaiting_ = 0;
    bool taken_ = false;
};

// Shared by the workspace and its readers; the last one to go turns the file back from WAL to a plain rollback
// file.
class Place {
public:
    [[nodiscard]] static Expected<std::shared_ptr<Place>> take(const std::string &path, bool readOnly);
    ~Place();
    Place(const Place &) = delete;
    Place &operator=(const Place &) = delete;

    [[nodiscard]] const std::string &path() const { return path_; }
    [[nodiscard]] OpenMode mode() const { return mode_; }
    [[nodiscard]] Expected<std::unique_ptr<sqlite::Database>> connectToRead() const;
    [[nodiscard]] Expected<std::unique_ptr<sqlite::Database>> connectToWrite() const;
    // Called once the file has been found to be a workspace.
    [[nodiscard]] Status enterWal();

    WriteGate gate;
    std::atomic<std::int64_t> revision{1};
    std::atomic<std::int64_t> withdrawals{0};

private:
    Place(std::string path, OpenMode mode, bool immutable, std::optional<FileLock> lock);
    std::string path_;
    OpenMode mode_;
    bool immutable_;
    bool wal_ = false;
    std::optional<FileLock> lock_;
};

// Checkpoints a log that a crash left beside a workspace and makes it a plain file.
void settle(const std::string &path);

[[nodiscard]] std::string folderOf(const std::string &path);

}  // namespace wattproof::store
