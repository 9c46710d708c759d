#include "importers/profile/database_file.h"

#include "importers/input/raw_bytes.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <unistd.h>

namespace wattproof::importers {
namespace {

constexpr std::string_view kMagic("SQLite format 3\0", 16);

// What the header says: size of a page times their number; 0 where it does not tell.
std::uint64_t statedSize(std::span<const char> head) {
    const auto byte = [&](std::size_t at) { return std::uint64_t{static_cast<unsigned char>(head[at])}; };
    if (head.size() < 100)
        return 0;
    const std::uint64_t page = byte(16) << 8U | byte(17);
    const std::uint64_t pages = byte(28) << 24U | byte(29) << 16U | byte(30) << 8U | byte(31);
    return (page == 1 ? 65'536 : page) * pages;
}

bool isPlainFile(Input &input) {
    std::array<char, kMagic.size()> bytes{};
    auto raw = RawBytes::open(input.path());
    const std::uint64_t stated = statedSize(input.head());
    return raw && (*raw)->size() == input.sizeBytes() && (*raw)->size() >= stated &&
           (*raw)->peek(bytes) == bytes.size() && std::string_view(bytes.data(), bytes.size()) == kMagic;
}

// Not in /tmp by default: that may be memory.
std::string temporaryName() {
    const char *folder = std::getenv("TMPDIR");
    return std::string(folder != nullptr && *folder != '\0' ? folder : "/var/tmp") + "/wattproof-XXXXXX";
}

Status writeAll(int descriptor, std::span<const char> bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return failure(
                "The decompressed copy of the database cannot be written: " + std::string(std::strerror(errno)),
                {}, "make room in the folder for temporary files, or decompress the file first");
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return {};
}

}  // namespace

bool looksLikeSqlite(std::span<const char> head) {
    return std::string_view(head.data(), head.size()).starts_with(kMagic);
}

bool headNames(std::span<const char> head, std::string_view table) {
    return std::string_view(head.data(), head.size()).find(table) != std::string_view::npos;
}

DatabaseFile::~DatabaseFile() {
    database_.reset();
    if (!temporary_.empty())
        ::unlink(temporary_.c_str());
}

Status DatabaseFile::copy(Input &input, const Task &task) {
    std::string name = temporaryName();
    const int descriptor = ::mkostemp(name.data(), 0);
    if (descriptor < 0)
        return failure("A temporary file cannot be made: " + std::string(std::strerror(errno)), name,
                       "set TMPDIR to a folder you may write to");
    temporary_ = name;
    const std::uint64_t stated = statedSize(input.head());
    std::vector<char> block(std::size_t{1} << 20U);
    Status status;
    for (;;) {
        auto got = input.read(block);
        if (!got)
            status = passOn(got);
        else if (task.cancelled())
            status = cancelled();
        if (!status || *got == 0)
            break;
        if (status = writeAll(descriptor, std::span(block).first(*got)); !status)
            break;
        task.report({"Decompressing the database", input.bytesConsumed(), input.sizeBytes(), "bytes"});
    }
    if (status)
        status = fillUp(descriptor, stated);
    ::close(descriptor);
    return status;
}

// SQLite refuses a file that is shorter than it should be. Zeros in place of what is missing (a hole, which takes
// no room) are damaged pages, and end the tables that need them.
Status DatabaseFile::fillUp(int descriptor, std::uint64_t wanted) {
    constexpr std::uint64_t mostTimes = 64;
    const off_t size = ::lseek(descriptor, 0, SEEK_END);
    if (size <= 0 || static_cast<std::uint64_t>(size) >= wanted)
        return {};
    cut_ = true;
    if (wanted / mostTimes > static_cast<std::uint64_t>(size))
        return {};
    if (::ftruncate(descriptor, static_cast<off_t>(wanted)) != 0)
        return failure("The copy of the database cannot be completed: " + std::string(std::strerror(errno)), {},
                       "make room in the folder for temporary files");
    return {};
}

Expected<std::unique_ptr<DatabaseFile>> DatabaseFile::open(Input &input, const Task &task) {
    std::unique_ptr<DatabaseFile> file(new DatabaseFile);
    if (!isPlainFile(input))
        if (auto status = file->copy(input, task); !status)
            return passOn(status);
    auto database = store::ForeignDatabase::open(file->temporary_.empty() ? input.path() : file->temporary_);
    if (!database) {
        database.error().where = input.path();
        return passOn(database);
    }
    file->database_ = std::move(*database);
    return file;
}

}  // namespace wattproof::importers
