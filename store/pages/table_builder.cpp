#include "store/pages/table_builder.h"

#include <algorithm>
#include <cstring>

namespace wattproof::store::pages {
namespace {

constexpr char kLeafType = 0x0d, kInteriorType = 0x05;
constexpr std::size_t kLeafHeader = 8, kInteriorHeader = 12, kPointer = 2;
constexpr std::size_t kLongestInteriorCell = 4 + kLongestVarint;

void putHeader(std::vector<char> &page, char type, std::size_t cells, std::size_t contentAt) {
    page[0] = type;
    putBigEndian<2>(page.data() + 1, 0);  // no free blocks
    putBigEndian<2>(page.data() + 3, cells);
    putBigEndian<2>(page.data() + 5, contentAt);  // 65,536 is written as 0
    page[7] = 0;                                  // no fragments
}

}  // namespace

TableBuilder::TableBuilder(PageFile &file, PageNumber root)
    : file_(file), root_(root), leaf_(file.pageSize()), levels_(1), scratch_(file.pageSize()) {
    startLeaf();
}

void TableBuilder::startLeaf() {
    std::fill(leaf_.begin(), leaf_.end(), '\0');
    cells_ = 0;
    contentAt_ = usable();
}

// Room for one more cell; closes the leaf when it has none.
char *TableBuilder::makeCell(std::size_t size) {
    if (kLeafHeader + (cells_ + 1) * kPointer + size > contentAt_)
        closeLeaf();
    contentAt_ -= size;
    putBigEndian<2>(leaf_.data() + kLeafHeader + cells_ * kPointer, contentAt_);
    ++cells_;
    return leaf_.data() + contentAt_;
}

bool TableBuilder::append(std::int64_t id, const Record &record) {
    if (id <= lastId_)
        return false;
    if (record.size() > usable() - 35)
        appendSpilled(id, record);
    else
        append(id, record.header(), record.values());
    lastId_ = id;
    return true;
}

void TableBuilder::append(std::int64_t id, std::string_view header, std::string_view values) {
    char lengths[2 * kLongestVarint];
    std::size_t used = putVarint(lengths, header.size() + values.size());
    used += putVarint(lengths + used, static_cast<std::uint64_t>(id));
    char *cell = makeCell(used + header.size() + values.size());
    std::memcpy(cell, lengths, used);
    std::memcpy(cell + used, header.data(), header.size());
    std::memcpy(cell + used + header.size(), values.data(), values.size());
}

// The share of a long payload that stays in the leaf is the format's: what the last overflow page would leave empty, if
// that is little enough.
void TableBuilder::appendSpilled(std::int64_t id, const Record &record) {
    payload_.assign(record.header()).append(record.values());
    const std::size_t most = usable() - 35, least = (usable() - 12) * 32 / 255 - 23;
    const std::size_t fitting = least + (payload_.size() - least) % (usable() - 4);
    const std::size_t local = fitting <= most ? fitting : least;
    const PageNumber overflow = writeOverflow(std::string_view(payload_).substr(local));
    char lengths[2 * kLongestVarint];
    std::size_t used = putVarint(lengths, payload_.size());
    used += putVarint(lengths + used, static_cast<std::uint64_t>(id));
    char *cell = makeCell(used + local + sizeof(PageNumber));
    std::memcpy(cell, lengths, used);
    std::memcpy(cell + used, payload_.data(), local);
    putBigEndian<4>(cell + used + local, overflow);
}

// A chain of pages that lie one behind the other; the last points to none.
PageNumber TableBuilder::writeOverflow(std::string_view payload) {
    const PageNumber first = file_.next();
    const std::size_t room = usable() - sizeof(PageNumber);
    while (!payload.empty()) {
        const std::size_t size = std::min(room, payload.size());
        std::fill(scratch_.begin(), scratch_.end(), '\0');
        std::memcpy(scratch_.data() + sizeof(PageNumber), payload.data(), size);
        payload.remove_prefix(size);
        putBigEndian<4>(scratch_.data(), payload.empty() ? 0 : file_.following());
        file_.append(scratch_);
    }
    return first;
}

void TableBuilder::closeLeaf() {
    putHeader(leaf_, kLeafType, cells_, contentAt_);
    const PageNumber page = file_.next();
    file_.append(leaf_);
    addChild(0, {page, lastId_});
    startLeaf();
}

// A page above is written when two children more than it holds are there, so that none is left with a single one.
void TableBuilder::addChild(std::size_t level, Child child) {
    const std::size_t room = (usable() - kInteriorHeader) / (kLongestInteriorCell + kPointer);
    if (level == levels_.size())
        levels_.emplace_back();
    levels_[level].push_back(child);
    if (levels_[level].size() < room + 2)
        return;
    const PageNumber page = file_.next();
    const Child last = levels_[level][room - 1];
    writeInterior(scratch_, levels_[level].data(), room);
    file_.append(scratch_);
    levels_[level].erase(levels_[level].begin(), levels_[level].begin() + static_cast<std::ptrdiff_t>(room));
    addChild(level + 1, {page, last.lastId});
}

// Each cell leads to the rows up to its key; what is above all keys lies in the child of the header.
void TableBuilder::writeInterior(std::vector<char> &page, const Child *children, std::size_t count) const {
    std::fill(page.begin(), page.end(), '\0');
    std::size_t contentAt = usable();
    for (std::size_t i = 0; i + 1 < count; ++i) {
        char cell[kLongestInteriorCell];
        putBigEndian<4>(cell, children[i].page);
        const std::size_t size = 4 + putVarint(cell + 4, static_cast<std::uint64_t>(children[i].lastId));
        contentAt -= size;
        std::memcpy(page.data() + contentAt, cell, size);
        putBigEndian<2>(page.data() + kInteriorHeader + i * kPointer, contentAt);
    }
    putHeader(page, kInteriorType, count - 1, contentAt);
    putBigEndian<4>(page.data() + 8, children[count - 1].page);
}

void TableBuilder::finish() {
    if (levels_.size() == 1 && levels_[0].empty()) {
        putHeader(leaf_, kLeafType, cells_, contentAt_);
        return file_.replace(root_, leaf_);
    }
    closeLeaf();
    for (std::size_t level = 0;; ++level) {
        const std::vector<Child> children = std::move(levels_[level]);
        writeInterior(scratch_, children.data(), children.size());
        if (level + 1 == levels_.size())
            return file_.replace(root_, scratch_);
        const PageNumber page = file_.next();
        file_.append(scratch_);
        addChild(level + 1, {page, children.back().lastId});
    }
}

}  // namespace wattproof::store::pages
