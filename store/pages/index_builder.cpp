#include "store/pages/index_builder.h"

#include "store/stoppable_sort.h"

#include <algorithm>
#include <cstring>

namespace wattproof::store::pages {
namespace {

constexpr std::size_t kLeafHeader = 8, kInteriorHeader = 12, kPointer = 2, kChildPointer = 4;
// Its length, the record's header and two numbers of eight bytes.
constexpr std::size_t kLengthAndHeader = 1 + 3, kLongestEntry = kLengthAndHeader + 16;

}  // namespace

// How many of the entries a leaf takes.
std::size_t IndexBuilder::fitting(std::span<const Entry> entries) const {
    std::size_t room = file_.pageSize() - kLeafHeader, count = 0;
    for (const Entry &entry : entries) {
        const std::size_t size =
            kPointer + kLengthAndHeader + integerBytes(entry.first) + integerBytes(entry.second);
        if (size > room)
            break;
        room -= size;
        ++count;
    }
    return count;
}

void IndexBuilder::put(BtreePage &page, const Entry &entry, PageNumber child) {
    record_.fillEntry(entry.first, entry.second);
    const std::size_t pointer = child == 0 ? 0 : kChildPointer;
    char *cell = page.add(pointer + 1 + record_.size());
    if (child != 0)
        putBigEndian<4>(cell, child);
    putVarint(cell + pointer, record_.size());
    std::memcpy(cell + pointer + 1, record_.header().data(), record_.header().size());
    std::memcpy(cell + pointer + 1 + record_.header().size(), record_.values().data(), record_.values().size());
}

void IndexBuilder::write(std::span<const char> page, bool isRoot) {
    if (isRoot)
        file_.replace(root_, page);
    else
        file_.append(page);
}

// Between two leaves stands an entry that belongs to the page above; behind it at least one must be left.
std::vector<IndexBuilder::Child> IndexBuilder::writeLeaves() {
    std::vector<Child> leaves;
    BtreePage page(file_.pageSize(), PageType::IndexLeaf);
    for (std::size_t at = 0; at < entries_.size();) {
        const std::size_t left = entries_.size() - at;
        const std::size_t most = fitting(std::span(entries_).subspan(at));
        const std::size_t count = most == left ? left : std::min(most, left - 2);
        page.clear();
        for (std::size_t i = 0; i < count; ++i)
            put(page, entries_[at + i], 0);
        leaves.push_back({file_.next(), count < left ? entries_[at + count] : Entry()});
        write(page.complete(), count == entries_.size());
        at += count + 1;
    }
    return leaves;
}

// The pages above `children`, of which each takes two at least.
std::vector<IndexBuilder::Child> IndexBuilder::writeLevel(std::span<const Child> children) {
    const std::size_t most =
        (file_.pageSize() - kInteriorHeader) / (kPointer + kChildPointer + kLongestEntry) + 1;
    std::vector<Child> level;
    BtreePage page(file_.pageSize(), PageType::IndexInterior);
    const bool single = children.size() <= most;
    while (!children.empty()) {
        const std::size_t count = children.size() <= most ? children.size() : std::min(most, children.size() - 2);
        page.clear();
        for (std::size_t i = 0; i + 1 < count; ++i)
            put(page, children[i].after, children[i].page);
        level.push_back({file_.next(), children[count - 1].after});
        write(page.complete(children[count - 1].page), single);
        children = children.subspan(count);
    }
    return level;
}

bool IndexBuilder::sort(const std::stop_token &stop) {
    return sortUnlessStopped(entries_.begin(), entries_.end(), stop);
}

void IndexBuilder::finish() {
    if (!complete_)
        return;
    std::vector<Child> level = writeLeaves();
    while (level.size() > 1)
        level = writeLevel(level);
    entries_ = {};
}

}  // namespace wattproof::store::pages
