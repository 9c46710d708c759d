#include "store/pages/page_file.h"

#include "store/pages/record.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace wattproof::store::pages {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20U;
// SQLite never uses the page that holds this byte: it locks ranges there.
constexpr std::uint64_t kLockByte = 0x4000'0000;
constexpr std::size_t kHeaderBytes = 100;
// Places in the header.
constexpr std::size_t kPageSizeAt = 16, kChangesAt = 24, kPagesAt = 28, kFreePagesAt = 36, kValidForAt = 92;

std::uint32_t bigEndian(std::span<const char> bytes, std::size_t at, std::size_t count) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < count; ++i)
        value = (value << 8U) | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

}  // namespace

PageFile::~PageFile() {
    if (descriptor_ >= 0)
        ::close(descriptor_);
}

void PageFile::keep(const char *what, int systemError) {
    if (!status_)
        return;
    if (systemError == ENOSPC || systemError == EDQUOT)
        status_ = failure("the disk is full", path_, "free some space or choose another place");
    else if (systemError == EFBIG)
        status_ = failure("the file would grow beyond the allowed size", path_,
                          "raise the limit or choose another place");
    else
        status_ = failure(std::string(what) + ": " + std::strerror(systemError), path_, "check the disk");
}

Status PageFile::open(const std::string &path) {
    path_ = path;
    descriptor_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    std::array<char, kHeaderBytes> header{};
    struct stat info {};
    if (descriptor_ < 0 || ::fstat(descriptor_, &info) != 0 ||
        ::pread(descriptor_, header.data(), header.size(), 0) != static_cast<ssize_t>(header.size())) {
        keep("reading or writing failed", errno);
        return status_;
    }
    const std::uint32_t stated = bigEndian(header, kPageSizeAt, 2);
    pageSize_ = stated == 1 ? 65'536 : stated;
    const std::uint32_t pages = bigEndian(header, kPagesAt, 4);
    if (bigEndian(header, kFreePagesAt, 4) != 0 || static_cast<std::uint64_t>(info.st_size) != pages * pageSize_)
        return failure("the new workspace is not as it was made", path_, "try again");
    next_ = flushed_ = pages + 1;
    buffer_.resize(kBufferBytes);
    return {};
}

PageNumber PageFile::lockPage() const {
    return static_cast<PageNumber>(kLockByte / pageSize_ + 1);
}

// A page of zeros stands there.
void PageFile::passLockPage() {
    if (next_ != lockPage())
        return;
    std::memset(buffer_.data() + held_, 0, pageSize_);
    held_ += pageSize_;
    ++next_;
    if (held_ == buffer_.size())
        flush();
}

void PageFile::append(std::span<const char> page) {
    std::memcpy(buffer_.data() + held_, page.data(), pageSize_);
    held_ += pageSize_;
    ++next_;
    if (held_ == buffer_.size())
        flush();
    passLockPage();
}

void PageFile::flush() {
    write(offsetOf(flushed_), std::span(buffer_).first(held_));
    flushed_ = next_;
    held_ = 0;
}

void PageFile::replace(PageNumber page, std::span<const char> bytes) {
    write(offsetOf(page), bytes);
}

void PageFile::write(std::uint64_t offset, std::span<const char> bytes) {
    while (status_ && !bytes.empty()) {
        const ssize_t put = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return keep("reading or writing failed", put < 0 ? errno : ENOSPC);
        offset += static_cast<std::uint64_t>(put);
        bytes = bytes.subspan(static_cast<std::size_t>(put));
    }
}

// The length counts only when the change counter says that it is of this version.
Status PageFile::close() {
    flush();
    std::array<char, kHeaderBytes> header{};
    if (::pread(descriptor_, header.data(), header.size(), 0) != static_cast<ssize_t>(header.size()))
        keep("reading or writing failed", errno);
    const std::uint32_t changes = bigEndian(header, kChangesAt, 4) + 1;
    putBigEndian<4>(header.data() + kChangesAt, changes);
    putBigEndian<4>(header.data() + kValidForAt, changes);
    putBigEndian<4>(header.data() + kPagesAt, next_ - 1);
    write(0, header);
    if (::close(std::exchange(descriptor_, -1)) != 0)
        keep("reading or writing failed", errno);
    return status_;
}

}  // namespace wattproof::store::pages
