// The events table: ids of the slices of a filter in order, and the rows of some of them.
#include "store/read/event_merge.h"
#include "store/read/sqlite_reader.h"
#include "store/stoppable_sort.h"

#include <algorithm>

namespace wattproof::store {
namespace {

using ByDuration = std::pair<Ns, std::int64_t>;

// The best `limit` of what is added. Beyond a few thousand all are kept and sorted at the end.
class Longest {
public:
    Longest(std::int64_t limit, bool descending) : limit_(static_cast<std::size_t>(limit)), descending_(descending) {}

    void add(Ns dur, std::int64_t id) {
        const ByDuration slice = descending_ ? ByDuration(-dur, -id) : ByDuration(dur, id);
        if (limit_ > kHeap || best_.size() < limit_) {
            best_.push_back(slice);
            if (limit_ <= kHeap)
                std::push_heap(best_.begin(), best_.end());
        } else if (slice < best_.front()) {
            std::pop_heap(best_.begin(), best_.end());
            best_.back() = slice;
            std::push_heap(best_.begin(), best_.end());
        }
    }

    Expected<std::vector<SliceId>> take(const std::stop_token &stop) {
        if (!sortUnlessStopped(best_.begin(), best_.end(), stop))
            return cancelled();
        std::vector<SliceId> ids;
        ids.reserve(std::min(limit_, best_.size()));
        for (std::size_t i = 0; i < std::min(limit_, best_.size()); ++i)
            ids.emplace_back(descending_ ? -best_[i].second : best_[i].second);
        return ids;
    }

private:
    static constexpr std::size_t kHeap = 4096;
    std::size_t limit_;
    bool descending_;
    std::vector<ByDuration> best_;
};

Status collectByDuration(EventBlocks &blocks, const TrackSpan &track, const SliceScan &scan,
                         const std::stop_token &stop, Longest &longest) {
    for (const std::int64_t id : scan.open) {
        if (Status status = blocks.load(track, scan, id); !status)
            return status;
        for (const std::size_t i : blocks.passed()) {
            if (blocks.id(i) == id)
                longest.add(blocks.dur(track, i), id);
        }
    }
    for (std::int64_t block = scan.first; block < scan.end; block += kSlicesPerBlock) {
        if (stop.stop_requested())
            return cancelled();
        if (Status status = blocks.load(track, scan, block); !status)
            return status;
        for (const std::size_t i : blocks.passed())
            longest.add(blocks.dur(track, i), blocks.id(i));
    }
    return {};
}

}  // namespace

Expected<std::vector<SliceId>> SqliteReader::events(const EventFilter &filter, EventOrder order, std::int64_t limit,
                                                    std::stop_token stop) {
    EventBlocks blocks(*database_, filter);
    if (Status status = blocks.findTexts(); !status)
        return passOn(status);
    if (blocks.isEmpty() || limit <= 0 || (filter.tracks && filter.tracks->empty()))
        return std::vector<SliceId>();
    auto tracks = trackSpans(tracksCondition(filter.tracks.value_or(std::vector<TrackId>())));
    if (!tracks)
        return passOn(tracks);
    EventMerge merge(blocks, order.descending);
    Longest longest(limit, order.descending);
    for (const TrackSpan &track : *tracks) {
        auto scan = filter.range ? scanOf(track, *filter.range)
                                 : Expected<SliceScan>(SliceScan{{}, {}, track.firstId, track.lastId + 1});
        if (!scan)
            return passOn(scan);
        Status status;
        if (order.key == EventKey::Time)
            merge.add(track, std::move(*scan));
        else
            status = collectByDuration(blocks, track, *scan, stop, longest);
        if (!status)
            return passOn(status);
    }
    if (order.key == EventKey::Duration)
        return longest.take(stop);
    std::vector<SliceId> ids;
    if (Status status = merge.take(limit, stop, ids); !status)
        return passOn(status);
    return ids;
}

Expected<std::vector<EventRow>> SqliteReader::eventRows(const std::vector<SliceId> &ids, std::stop_token stop) {
    auto statement = database_->prepare(
        "SELECT s.id, s.track_id, s.ts, s.dur, s.depth, s.kind = 'instant', s.name, s.category, "
        "(SELECT sum(e.j) FROM energy_part e WHERE e.slice_id = s.id) FROM slices s WHERE s.id = ?");
    if (!statement)
        return passOn(statement);
    std::vector<EventRow> rows;
    rows.reserve(ids.size());
    for (const SliceId id : ids) {
        if (stop.stop_requested())
            return cancelled();
        statement->reset();
        statement->bindAll(id);
        if (statement->step())
            rows.push_back({statement->id<SliceId>(0), statement->id<TrackId>(1), statement->integer(2),
                            statement->integer(3), statement->int32(4),
                            statement->integer(5) != 0 ? SliceKind::Instant : SliceKind::Slice,
                            statement->string(6), statement->string(7), statement->optionalReal(8)});
        if (Status status = statement->status(); !status)
            return passOn(status);
    }
    return rows;
}

}  // namespace wattproof::store
