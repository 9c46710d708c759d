#include "store/place.h"

#include <cerrno>
#include <cstring>
#include <set>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace wattproof::store {
namespace {

struct HeldFiles {
    std::mutex mutex;
    std::set<std::pair<std::uint64_t, std::uint64_t>> files;
};

HeldFiles &heldFiles() {
    static HeldFiles held;
    return held;
}

bool writablePlace(const std::string &path) {
    return access(path.c_str(), W_OK) == 0 && access(folderOf(path).c_str(), W_OK) == 0;
}

Status checkRegularFile(const std::string &path) {
    struct stat info {};
    if (stat(path.c_str(), &info) != 0)
        return failure(std::string("the workspace cannot be opened: ") + std::strerror(errno), path,
                       "check the path and its permissions");
    if (!S_ISREG(info.st_mode))
        return failure("this is not a file", path, "give the path of a .wattproof file");
    return {};
}

}  // namespace

std::string folderOf(const std::string &path) {
    const auto slash = path.rfind('/');
    if (slash == std::string::npos)
        return ".";
    return slash == 0 ? "/" : path.substr(0, slash);
}

std::optional<FileLock> FileLock::tryTake(const std::string &path) {
    struct stat info {};
    if (stat(path.c_str(), &info) != 0)
        return std::nullopt;
    HeldFiles &held = heldFiles();
    const std::lock_guard guard(held.mutex);
    if (!held.files.emplace(info.st_dev, info.st_ino).second)
        return std::nullopt;
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat opened {};
    const bool locked = descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0 &&
                        fstat(descriptor, &opened) == 0 && opened.st_ino == info.st_ino;
    if (locked)
        return FileLock(descriptor, info.st_dev, info.st_ino);
    if (descriptor >= 0)
        close(descriptor);
    held.files.erase({info.st_dev, info.st_ino});
    return std::nullopt;
}

FileLock::FileLock(FileLock &&other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), device_(other.device_), inode_(other.inode_) {}

FileLock::~FileLock() {
    if (descriptor_ < 0)
        return;
    HeldFiles &held = heldFiles();
    const std::lock_guard guard(held.mutex);
    close(descriptor_);
    held.files.erase({device_, inode_});
}

void WriteGate::enterAsEdit() {
    std::unique_lock lock(mutex_);
    ++editsWaiting_;
    changed_.wait(lock, [this] { return !taken_; });
    --editsWaiting_;
    taken_ = true;
}

void WriteGate::enterAsImport() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !taken_ && editsWaiting_ == 0; });
    taken_ = true;
}

void WriteGate::leave() {
    {
        const std::lock_guard lock(mutex_);
        taken_ = false;
    }
    changed_.notify_all();
}

Place::Place(std::string path, OpenMode mode, bool immutable, std::optional<FileLock> lock)
    : path_(std::move(path)), mode_(mode), immutable_(immutable), lock_(std::move(lock)) {}

Expected<std::shared_ptr<Place>> Place::take(const std::string &path, bool readOnly) {
    if (Status status = checkRegularFile(path); !status)
        return passOn(status);
    if (!writablePlace(path))
        return std::shared_ptr<Place>(new Place(path, OpenMode::ReadOnlyPlace, true, std::nullopt));
    if (readOnly)
        return std::shared_ptr<Place>(new Place(path, OpenMode::ReadOnlyPlace, false, std::nullopt));
    auto lock = FileLock::tryTake(path);
    const OpenMode mode = lock ? OpenMode::ReadWrite : OpenMode::ReadOnlyLocked;
    return std::shared_ptr<Place>(new Place(path, mode, false, std::move(lock)));
}

Place::~Place() {
    if (wal_)
        settle(path_);
}

Expected<std::unique_ptr<sqlite::Database>> Place::connectToRead() const {
    auto database =
        sqlite::Database::open(path_, immutable_ ? sqlite::OpenAs::Immutable : sqlite::OpenAs::ReadOnly);
    if (!database)
        return database;
    if (Status status =
            (*database)->execute("PRAGMA query_only = 1; PRAGMA cell_size_check = 1; PRAGMA cache_size = -8192");
        !status)
        return passOn(status);
    return database;
}

Expected<std::unique_ptr<sqlite::Database>> Place::connectToWrite() const {
    if (mode_ != OpenMode::ReadWrite)
        return failure("the workspace is open read-only", path_, "save it under another name to change it");
    auto database = sqlite::Database::open(path_, sqlite::OpenAs::ReadWrite);
    if (!database)
        return database;
    if (Status status = (*database)->execute("PRAGMA synchronous = NORMAL; PRAGMA cell_size_check = 1"); !status)
        return passOn(status);
    return database;
}

Status Place::enterWal() {
    auto database = connectToWrite();
    if (!database)
        return passOn(database);
    wal_ = true;
    return (*database)->execute("PRAGMA journal_mode = WAL");
}

void settle(const std::string &path) {
    auto database = sqlite::Database::open(path, sqlite::OpenAs::ReadWrite);
    if (database)
        (void)(*database)->execute("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE");
}

}  // namespace wattproof::store
