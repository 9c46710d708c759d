// The selected slice with what it is tied to: its launch, what it launched, the flows through it.
#pragma once

#include "store/reader.h"

#include <optional>
#include <vector>

namespace wattproof::widgets {

// Where a slice stands: enough to draw an end of an arrow.
struct SlicePlace {
    SliceId slice;
    TrackId track;
    std::int32_t row = 0;
    TimeRange range;
};

struct SliceLink {
    SlicePlace from, to;
    bool launch = false;  // launch → GPU operation; otherwise a flow
};

struct SelectedSlice {
    SlicePlace place;
    std::vector<SliceLink> links;
};

// At most `limit` links, those of the launch first. None when the slice is not there.
[[nodiscard]] std::optional<SelectedSlice> readSelectedSlice(store::Reader &, SliceId, std::size_t limit = 60);

}  // namespace wattproof::widgets
