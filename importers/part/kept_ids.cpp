#include "importers/part/kept_ids.h"

#include <algorithm>
#include <bit>

namespace wattproof::importers {
namespace {
constexpr std::uint64_t kWord = 64;
}  // namespace

SliceId KeptIds::begin(SliceId stored) {
    runs_.push_back({count_, kept_, stored.value});
    return SliceId(static_cast<std::int64_t>(count_) + 1);
}

void KeptIds::add(bool kept) {
    if (count_ % kWord == 0) {
        bits_.push_back(0);
        keptBeforeWord_.push_back(kept_);
    }
    bits_.back() |= std::uint64_t{kept ? 1U : 0U} << (count_ % kWord);
    ++count_;
    kept_ += kept ? 1 : 0;
}

std::uint64_t KeptIds::keptBefore(std::uint64_t index) const {
    const std::uint64_t below = bits_[index / kWord] & ((std::uint64_t{1} << (index % kWord)) - 1);
    return keptBeforeWord_[index / kWord] + static_cast<std::uint64_t>(std::popcount(below));
}

SliceId KeptIds::find(SliceId id) const {
    const auto index = static_cast<std::uint64_t>(id.value - 1);
    if (!id.valid() || index >= count_ || (bits_[index / kWord] >> (index % kWord) & 1U) == 0)
        return {};
    const auto after = std::upper_bound(runs_.begin(), runs_.end(), index,
                                        [](std::uint64_t at, const Run &run) { return at < run.first; });
    const Run &run = *(after - 1);
    return SliceId(run.stored + static_cast<std::int64_t>(keptBefore(index) - run.before));
}

}  // namespace wattproof::importers
