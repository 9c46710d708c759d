// What a row of an answer means on the time axis, by the names of its columns.
#pragma once

#include "store/ids.h"
#include "store/reader.h"
#include "store/time.h"

#include <optional>

namespace wattproof::widgets {

struct JumpTarget {
    SliceId slice;                 // where the row names one: the rest is found by it
    TrackId track;
    std::optional<TimeRange> range;  // empty range: an instant

    [[nodiscard]] bool isNothing() const { return !slice.valid() && !range && !track.valid(); }
};

// `slice_id`, or `id` beside ts, track_id and name, names a slice; ts and dur a range, on the track of track_id.
[[nodiscard]] JumpTarget jumpTarget(const store::QueryResult &, std::size_t row);
// Whether any row of the answer could be one.
[[nodiscard]] bool canJump(const store::QueryResult &);

}  // namespace wattproof::widgets
