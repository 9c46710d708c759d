#include "store/read/event_blocks.h"

#include <algorithm>
#include <numeric>

namespace wattproof::store {

Status EventBlocks::findTexts() {
    for (const auto &[text, set] :
         {std::pair(&filter_.name, &nameSet_), std::pair(&filter_.category, &categorySet_)}) {
        if (text->empty())
            continue;
        auto found = NameSet::containing(database_, {*text});
        if (!found)
            return passOn(found);
        *set = std::move(*found);
    }
    return {};
}

bool EventBlocks::isEmpty() const {
    return (nameSet_ && nameSet_->empty()) || (categorySet_ && categorySet_->empty());
}

Status EventBlocks::keepTexts(const std::optional<NameSet> &set, SliceBlocks &blocks, SliceColumn column,
                              const TrackSpan &track, std::int64_t id) {
    if (!set || passed_.empty())
        return {};
    if (Status status = blocks.load(track, id); !status)
        return status;
    const auto &texts = blocks[column];
    std::erase_if(passed_, [&](std::size_t i) { return !set->has(texts[i]); });
    return {};
}

bool EventBlocks::fitsTime(const TrackSpan &track, const SliceScan &scan, std::size_t i) const {
    if (filter_.range && !scan.touches(times_.ts(i), times_.dur(i)))
        return false;
    const Ns length = dur(track, i);
    return length >= filter_.leastDur && length <= filter_.mostDur;
}

Status EventBlocks::load(const TrackSpan &track, const SliceScan &scan, std::int64_t id) {
    const std::int64_t first = track.blockOf(id);
    passed_.resize(static_cast<std::size_t>(std::min(kSlicesPerBlock, track.lastId - first + 1)));
    std::iota(passed_.begin(), passed_.end(), std::size_t{0});
    Status status = keepTexts(nameSet_, names_, SliceColumn::Name, track, id);
    if (status)
        status = keepTexts(categorySet_, categories_, SliceColumn::Category, track, id);
    if (status && !passed_.empty())
        status = times_.load(track, id);
    if (!status)
        return status;
    const EventFilter everything;
    if (filter_.range || filter_.leastDur != everything.leastDur || filter_.mostDur != everything.mostDur)
        std::erase_if(passed_, [&](std::size_t i) { return !fitsTime(track, scan, i); });
    return {};
}

Ns EventBlocks::ts(const TrackSpan &track, std::size_t i) const {
    return track.map.toWorkspace(times_.ts(i));
}

Ns EventBlocks::dur(const TrackSpan &track, std::size_t i) const {
    return track.map.driftPpb == 0 ? times_.dur(i) : track.map.toWorkspace(times_.range(i)).length();
}

}  // namespace wattproof::store
