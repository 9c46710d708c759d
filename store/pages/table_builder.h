// The b-tree of one table, written page by page from rows in ascending order of their ids: no page is read or changed
// again. Layout: https://www.sqlite.org/fileformat2.html, "B-tree Pages".
#pragma once

#include "store/pages/btree_page.h"
#include "store/pages/page_file.h"
#include "store/pages/record.h"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace wattproof::store::pages {

class TableBuilder {
public:
    // `root` is the table's own page, so far empty.
    TableBuilder(PageFile &file, PageNumber root);

    // False when the id is not above the one before.
    [[nodiscard]] bool append(std::int64_t id, const Record &);
    // Writes what is held, the root last. The builder is done then.
    void finish();

private:
    struct Child {
        PageNumber page;
        std::int64_t lastId;
    };

    void append(std::int64_t id, std::string_view header, std::string_view values);
    void appendSpilled(std::int64_t id, const Record &);
    [[nodiscard]] PageNumber writeOverflow(std::string_view payload);
    char *makeCell(std::size_t size);
    void closeLeaf();
    void addChild(std::size_t level, Child);
    [[nodiscard]] std::span<const char> interior(const Child *children, std::size_t count);
    [[nodiscard]] std::size_t usable() const { return file_.pageSize(); }

    PageFile &file_;
    PageNumber root_;
    std::int64_t lastId_ = std::numeric_limits<std::int64_t>::min();
    BtreePage leaf_, interior_;
    std::vector<std::vector<Child>> levels_;  // pages that no page above points to yet; 0: leaves
    std::vector<char> overflow_;
    std::string payload_;
};

}  // namespace wattproof::store::pages
