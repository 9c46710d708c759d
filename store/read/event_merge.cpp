#include "store/read/event_merge.h"

#include <algorithm>

namespace wattproof::store {

void EventMerge::add(const TrackSpan &track, SliceScan scan) {
    Cursor cursor;
    cursor.track = track;
    cursor.openLeft = !scan.open.empty();
    cursor.next = descending_ ? track.blockOf(std::max(scan.first, scan.end - 1)) : scan.first;
    cursor.scan = std::move(scan);
    const TimeRange extent = track.map.toWorkspace(track.extent);
    if (descending_)
        heads_.push({extent.end, std::numeric_limits<std::int64_t>::max(), cursors_.size(), true});
    else
        heads_.push({extent.begin, 0, cursors_.size(), true});
    cursors_.push_back(std::move(cursor));
}

bool EventMerge::isExhausted(const Cursor &cursor) {
    return !cursor.openLeft && (cursor.next >= cursor.scan.end || cursor.next < cursor.scan.first);
}

// Those that were open when the range began come before all others.
Status EventMerge::load(Cursor &cursor) {
    const bool blocksLeft = cursor.next < cursor.scan.end && cursor.next >= cursor.scan.first;
    Status status = cursor.openLeft && (!descending_ || !blocksLeft) ? loadOpen(cursor) : loadBlock(cursor);
    if (status && !descending_)
        std::reverse(cursor.slices.begin(), cursor.slices.end());
    return status;
}

Status EventMerge::loadOpen(Cursor &cursor) {
    cursor.openLeft = false;
    for (const std::int64_t id : cursor.scan.open) {
        if (Status status = blocks_.load(cursor.track, cursor.scan, id); !status)
            return status;
        for (const std::size_t i : blocks_.passed()) {
            if (blocks_.id(i) == id)
                cursor.slices.push_back({blocks_.ts(cursor.track, i), id});
        }
    }
    return {};
}

Status EventMerge::loadBlock(Cursor &cursor) {
    if (Status status = blocks_.load(cursor.track, cursor.scan, cursor.next); !status)
        return status;
    for (const std::size_t i : blocks_.passed())
        cursor.slices.push_back({blocks_.ts(cursor.track, i), blocks_.id(i)});
    cursor.next += descending_ ? -kSlicesPerBlock : kSlicesPerBlock;
    return {};
}

// The cursor's next slice goes among the heads; a track without further slices is done.
Status EventMerge::moveOn(std::size_t index, const std::stop_token &stop) {
    Cursor &cursor = cursors_[index];
    while (cursor.slices.empty() && !isExhausted(cursor)) {
        if (stop.stop_requested())
            return cancelled();
        if (Status status = load(cursor); !status)
            return status;
    }
    if (cursor.slices.empty()) {
        cursor.slices = {};
        return {};
    }
    heads_.push({cursor.slices.back().ts, cursor.slices.back().id, index});
    cursor.slices.pop_back();
    return {};
}

Status EventMerge::take(std::int64_t limit, const std::stop_token &stop, std::vector<SliceId> &into) {
    while (!heads_.empty() && static_cast<std::int64_t>(into.size()) < limit) {
        const Head head = heads_.top();
        heads_.pop();
        if (!head.isBound)
            into.push_back(SliceId{head.id});
        if (Status status = moveOn(head.cursor, stop); !status)
            return status;
    }
    return {};
}

}  // namespace wattproof::store
