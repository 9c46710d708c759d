#include "store/writer/string_pool.h"

#include <algorithm>
#include <cstring>
#include <functional>

namespace wattproof::store {
namespace {
constexpr std::size_t kFirstSlots = 4096;
constexpr std::size_t kBlockBytes = std::size_t{256} << 10U;
}  // namespace

StringPool::StringPool() : slots_(kFirstSlots) {}

StringPool::Entry StringPool::intern(std::string_view text) {
    const std::uint64_t hash = std::hash<std::string_view>{}(text);
    Slot &slot = slotOf(text, hash);
    if (slot.id != 0)
        return {slot.id, false, slot.text};
    const Entry entry{nextId_++, true, keep(text)};
    fill(slot, entry.text, hash, entry.id);
    return entry;
}

void StringPool::add(std::string_view text, std::int64_t id) {
    const std::uint64_t hash = std::hash<std::string_view>{}(text);
    Slot &slot = slotOf(text, hash);
    if (slot.id == 0)
        fill(slot, keep(text), hash, id);
}

StringPool::Slot &StringPool::slotOf(std::string_view text, std::uint64_t hash) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash & mask;
    while (slots_[at].id != 0 && (slots_[at].hash != hash || slots_[at].text != text))
        at = (at + 1) & mask;
    return slots_[at];
}

std::string_view StringPool::keep(std::string_view text) {
    if (text.size() > blockLeft_) {
        blockLeft_ = std::max(kBlockBytes, text.size());
        blocks_.push_back(std::make_unique<char[]>(blockLeft_));
        blockNext_ = blocks_.back().get();
    }
    if (!text.empty())
        std::memcpy(blockNext_, text.data(), text.size());
    const std::string_view kept(blockNext_, text.size());
    blockNext_ += text.size();
    blockLeft_ -= text.size();
    return kept;
}

void StringPool::fill(Slot &slot, std::string_view text, std::uint64_t hash, std::int64_t id) {
    slot = {hash, id, text};
    if (++used_ * 2 > slots_.size())
        grow();
}

void StringPool::grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot &slot : old) {
        if (slot.id != 0)
            slotOf(slot.text, slot.hash) = slot;
    }
}

}  // namespace wattproof::store
