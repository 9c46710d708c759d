#include "importers/trace/spill_file.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include <unistd.h>

namespace wattproof::importers {
namespace {

std::string folder() {
    const char *chosen = std::getenv("TMPDIR");
    return chosen && *chosen ? chosen : "/var/tmp";
}

tl::unexpected<Error> spillError(const char *what) {
    return failure(std::string(what) + ": " + std::strerror(errno), folder(),
                   "free some space there, or set TMPDIR to a folder that has it");
}

}  // namespace

SpillFile::~SpillFile() {
    if (descriptor_ >= 0)
        ::close(descriptor_);
}

Status SpillFile::create() {
    std::string path = folder() + "/wattproof-sort-XXXXXX";
    descriptor_ = ::mkstemp(path.data());
    if (descriptor_ < 0)
        return spillError("The temporary file for sorting cannot be made");
    ::unlink(path.c_str());
    return {};
}

Status SpillFile::append(std::span<const std::byte> bytes) {
    if (descriptor_ < 0)
        if (auto status = create(); !status)
            return status;
    while (!bytes.empty()) {
        const ssize_t put = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(size_));
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return spillError("The temporary file for sorting cannot be written");
        size_ += static_cast<std::uint64_t>(put);
        bytes = bytes.subspan(static_cast<std::size_t>(put));
    }
    return {};
}

Status SpillFile::read(std::uint64_t offset, std::span<std::byte> bytes) const {
    while (!bytes.empty()) {
        const ssize_t got = ::pread(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return spillError("The temporary file for sorting cannot be read");
        offset += static_cast<std::uint64_t>(got);
        bytes = bytes.subspan(static_cast<std::size_t>(got));
    }
    return {};
}

}  // namespace wattproof::importers
