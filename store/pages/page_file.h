// Appends pages to an SQLite database that nobody has open (https://www.sqlite.org/fileformat2.html).
#pragma once

#include "store/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace wattproof::store::pages {

using PageNumber = std::uint32_t;

class PageFile {
public:
    PageFile() = default;
    ~PageFile();
    PageFile(const PageFile &) = delete;
    PageFile &operator=(const PageFile &) = delete;

    // A database that SQLite has closed in good order, without free pages.
    [[nodiscard]] Status open(const std::string &path);

    [[nodiscard]] std::size_t pageSize() const { return pageSize_; }
    // The number that the next page will have.
    [[nodiscard]] PageNumber next() const { return next_; }
    // The number of the page after that.
    [[nodiscard]] PageNumber following() const { return next_ + (next_ + 1 == lockPage() ? 2 : 1); }
    // A page of the file's size becomes page next(). Errors are kept for status().
    void append(std::span<const char> page);
    void replace(PageNumber, std::span<const char> page);
    [[nodiscard]] const Status &status() const { return status_; }

    // Writes what is held and states the new length in the file's header; then SQLite may have it again.
    [[nodiscard]] Status close();

private:
    void flush();
    void write(std::uint64_t offset, std::span<const char> bytes);
    void keep(const char *what, int systemError);
    void passLockPage();
    [[nodiscard]] PageNumber lockPage() const;
    [[nodiscard]] std::uint64_t offsetOf(PageNumber page) const { return std::uint64_t{page - 1} * pageSize_; }

    std::string path_;
    int descriptor_ = -1;
    std::size_t pageSize_ = 0;
    PageNumber next_ = 0;
    PageNumber flushed_ = 0;  // first page that is in the buffer
    std::vector<char> buffer_;
    std::size_t held_ = 0;
    Status status_;
};

}  // namespace wattproof::store::pages
