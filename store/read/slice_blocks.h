// Slices read block by block from their columns: what every reader of many slices goes through. A row of the table
// `slice` costs about forty times as much.
#pragma once

#include "store/sqlite/blob.h"
#include "store/tiles/slice_columns.h"
#include "store/tiles/track_blocks.h"
#include "store/time.h"

#include <array>
#include <initializer_list>
#include <stop_token>
#include <vector>

namespace wattproof::store {

// Where the slices of a track lie and how their times map.
struct TrackSpan {
    TrackId id;
    std::int64_t firstId = 0, lastId = -1;
    TimeRange extent;  // source time
    TimeMap map;

    [[nodiscard]] std::int64_t slices() const { return lastId - firstId + 1; }
    // First id of the block that holds a slice.
    [[nodiscard]] std::int64_t blockOf(std::int64_t slice) const {
        return slice - (slice - firstId) % kSlicesPerBlock;
    }
};

// The slices that a range touches: those of [first, end), and earlier ones that still run when it begins.
struct SliceScan {
    TimeRange range;  // source time
    std::vector<std::int64_t> open;
    std::int64_t first = 0, end = 0;  // whole blocks of the track

    [[nodiscard]] bool touches(Ns ts, Ns dur) const {
        return ts < range.end && (ts >= range.begin || ts + dur > range.begin);
    }
};

class SliceBlocks {
public:
    // Reads these columns, no others.
    SliceBlocks(const sqlite::Database &database, std::initializer_list<SliceColumn> wanted);

    // The block that holds this slice; nothing is read when it is there already.
    [[nodiscard]] Status load(const TrackSpan &track, std::int64_t id);

    [[nodiscard]] std::int64_t firstId() const { return firstId_; }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] const std::vector<std::int64_t> &operator[](SliceColumn column) const {
        return values_[static_cast<std::size_t>(column)];
    }
    [[nodiscard]] std::int64_t id(std::size_t i) const { return firstId_ + static_cast<std::int64_t>(i); }
    [[nodiscard]] Ns ts(std::size_t i) const { return (*this)[SliceColumn::Ts][i]; }
    [[nodiscard]] Ns dur(std::size_t i) const { return (*this)[SliceColumn::Dur][i]; }
    [[nodiscard]] TimeRange range(std::size_t i) const { return {ts(i), ts(i) + dur(i)}; }

    // Every slice that the scan touches, in the order of ids: use(index in the loaded block). Wants Ts and Dur.
    template <class Use>
    Status each(const TrackSpan &track, const SliceScan &scan, const std::stop_token &stop, Use use) {
        for (const std::int64_t id : scan.open) {
            if (Status status = load(track, id); !status)
                return status;
            const auto i = static_cast<std::size_t>(id - firstId_);
            if (scan.touches(ts(i), dur(i)))
                use(i);
        }
        for (std::int64_t id = scan.first; id < scan.end; id += kSlicesPerBlock) {
            if (stop.stop_requested())
                return cancelled();
            if (Status status = load(track, id); !status)
                return status;
            for (std::size_t i = 0; i < size_; ++i) {
                if (scan.touches(ts(i), dur(i)))
                    use(i);
            }
        }
        return {};
    }

private:
    [[nodiscard]] Status read(const TrackSpan &track);
    [[nodiscard]] Status damaged() const;

    const sqlite::Database &database_;
    sqlite::Blob blob_;
    std::vector<SliceColumn> wanted_;  // ascending
    std::vector<std::byte> bytes_;
    std::array<std::vector<std::int64_t>, kSliceColumnCount> values_;
    std::int64_t firstId_ = 0;  // 0: nothing is loaded
    std::size_t size_ = 0;
};

}  // namespace wattproof::store
