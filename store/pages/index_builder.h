// The b-tree of an index over one column of whole numbers, from entries in any order. Layout:
// https://www.sqlite.org/fileformat2.html, "B-tree Pages": unlike a table's, an index has entries in its inner pages.
#pragma once

#include "store/pages/btree_page.h"
#include "store/pages/page_file.h"
#include "store/pages/record.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

namespace wattproof::store::pages {

class IndexBuilder {
public:
    // `root` is the index's own page, so far empty.
    IndexBuilder(PageFile &file, PageNumber root) : file_(file), root_(root) {}

    void add(std::int64_t key, std::int64_t rowId) {
        if (entries_.size() < kMost)
            entries_.emplace_back(key, rowId);
        else
            complete_ = false;
    }
    // For a key that is no number.
    void leaveToSqlite() { complete_ = false; }
    // To be called before finish(), on any thread. False when it was stopped.
    [[nodiscard]] bool sort(const std::stop_token &);
    // Writes all entries. Not complete when there were too many to hold, or others than numbers:
    // the page stays empty, and SQLite has to make the index.
    void finish();
    [[nodiscard]] bool complete() const { return complete_; }

private:
    // 64 MiB of entries.
    static constexpr std::size_t kMost = std::size_t{1} << 22U;
    using Entry = std::pair<std::int64_t, std::int64_t>;
    struct Child {
        PageNumber page;
        Entry after;  // the entry between this child and the next
    };

    [[nodiscard]] std::vector<Child> writeLeaves();
    [[nodiscard]] std::vector<Child> writeLevel(std::span<const Child> children);
    [[nodiscard]] std::size_t fitting(std::span<const Entry> entries) const;
    void put(BtreePage &page, const Entry &entry, PageNumber child);
    void write(std::span<const char> page, bool isRoot);

    PageFile &file_;
    PageNumber root_;
    std::vector<Entry> entries_;
    bool complete_ = true;
    Record record_;
};

}  // namespace wattproof::store::pages
