#include "store/replace_file.h"

#include "store/place.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <unistd.h>

namespace wattproof::store {
namespace {

constexpr const char *kImporting = ".importing-";

Status targetIsFree(const std::string &target) {
    if (access(target.c_str(), F_OK) == 0 && !FileLock::tryTake(target))
        return failure("the workspace is open elsewhere", target, "close it there, or choose another name");
    return {};
}

Status checkFolder(const std::string &path) {
    const std::string folder = folderOf(path);
    if (access(folder.c_str(), F_OK) != 0)
        return failure("the folder does not exist", folder, "make it, or choose another place for the workspace");
    if (access(folder.c_str(), W_OK) != 0)
        return failure("the folder cannot be written to", folder, "choose another place for the workspace");
    return {};
}

Status writeThrough(const std::string &path) {
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    const bool written = descriptor >= 0 && fsync(descriptor) == 0;
    const int reason = errno;
    if (descriptor >= 0)
        close(descriptor);
    if (!written)
        return failure(std::string("the workspace could not be written to the disk: ") + std::strerror(reason),
                       path, "check the disk");
    return {};
}

}  // namespace

std::string buildingPath(const std::string &target) {
    return target + kImporting + std::to_string(getpid());
}

Status checkTarget(const std::string &target) {
    Status status = checkFolder(target);
    return status ? targetIsFree(target) : status;
}

void removeStale(const std::string &target) {
    const std::string prefix = std::filesystem::path(target).filename().string() + kImporting;
    std::error_code error;
    for (const auto &entry : std::filesystem::directory_iterator(folderOf(target), error)) {
        const std::string name = entry.path().filename().string();
        if (name.compare(0, prefix.size(), prefix) != 0)
            continue;
        const long process = std::strtol(name.c_str() + prefix.size(), nullptr, 10);
        if (process <= 0 || (kill(static_cast<pid_t>(process), 0) != 0 && errno == ESRCH))
            std::filesystem::remove(entry.path(), error);
    }
}

Status moveIntoPlace(const std::string &from, const std::string &target) {
    if (Status status = writeThrough(from); !status)
        return status;
    if (Status status = targetIsFree(target); !status)
        return status;
    // A log that a crash left beside the old file would be read into the new one.
    if (access((target + "-wal").c_str(), F_OK) == 0) {
        settle(target);
        std::remove((target + "-wal").c_str());
        std::remove((target + "-shm").c_str());
    }
    if (std::rename(from.c_str(), target.c_str()) != 0)
        return failure(std::string("the workspace could not be moved into place: ") + std::strerror(errno), target,
                       "choose another name");
    (void)writeThrough(folderOf(target));
    return {};
}

Status copyInto(const sqlite::Database &database, const std::string &target) {
    if (Status status = checkTarget(target); !status)
        return status;
    removeStale(target);
    const std::string building = buildingPath(target);
    std::remove(building.c_str());
    Status status = database.copyTo(building);
    if (status)
        settle(building);
    if (status)
        status = moveIntoPlace(building, target);
    if (!status)
        std::remove(building.c_str());
    return status;
}

}  // namespace wattproof::store
