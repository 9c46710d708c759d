#include "store/pages/table_builder.h"

#include <algorithm>
#include <cstring>

namespace wattproof::store::pages {
namespace {

constexpr std::size_t kInteriorHeader = 12, kPointer = 2;
constexpr std::size_t kLongestInteriorCell = 4 + kLongestVarint;

}  // namespace

TableBuilder::TableBuilder(PageFile &file, PageNumber root)
    : file_(file),
      root_(root),
      leaf_(file.pageSize(), PageType::TableLeaf),
      interior_(file.pageSize(), PageType::TableInterior),
      levels_(1),
      overflow_(file.pageSize()) {}

char *TableBuilder::makeCell(std::size_t size) {
    if (!leaf_.fits(size))
        closeLeaf();
    return leaf_.add(size);
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
        std::fill(overflow_.begin(), overflow_.end(), '\0');
        std::memcpy(overflow_.data() + sizeof(PageNumber), payload.data(), size);
        payload.remove_prefix(size);
        putBigEndian<4>(overflow_.data(), payload.empty() ? 0 : file_.following());
        file_.append(overflow_);
    }
    return first;
}

void TableBuilder::closeLeaf() {
    const PageNumber page = file_.next();
    file_.append(leaf_.complete());
    leaf_.clear();
    addChild(0, {page, lastId_});
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
    file_.append(interior(levels_[level].data(), room));
    levels_[level].erase(levels_[level].begin(), levels_[level].begin() + static_cast<std::ptrdiff_t>(room));
    addChild(level + 1, {page, last.lastId});
}

// Each cell leads to the rows up to its key; what is above all keys lies in the child of the header.
std::span<const char> TableBuilder::interior(const Child *children, std::size_t count) {
    interior_.clear();
    for (std::size_t i = 0; i + 1 < count; ++i) {
        char cell[kLongestInteriorCell];
        putBigEndian<4>(cell, children[i].page);
        const std::size_t size = 4 + putVarint(cell + 4, static_cast<std::uint64_t>(children[i].lastId));
        std::memcpy(interior_.add(size), cell, size);
    }
    return interior_.complete(children[count - 1].page);
}

void TableBuilder::finish() {
    if (levels_.size() == 1 && levels_[0].empty())
        return file_.replace(root_, leaf_.complete());
    closeLeaf();
    for (std::size_t level = 0;; ++level) {
        const std::vector<Child> children = std::move(levels_[level]);
        const std::span<const char> page = interior(children.data(), children.size());
        if (level + 1 == levels_.size())
            return file_.replace(root_, page);
        const PageNumber number = file_.next();
        file_.append(page);
        addChild(level + 1, {number, children.back().lastId});
    }
}

}  // namespace wattproof::store::pages
