// Level-of-detail tiles of one track, built in one pass over its slices.
#pragma once

#include "store/rows.h"
#include "store/tiles/lane_merger.h"
#include "store/tiles/tile_levels.h"

#include <span>
#include <vector>

namespace wattproof::store {

// Slices as the writer has them: ids set, ordered by time.
[[nodiscard]] std::vector<PackedLevel> buildSliceTiles(std::span<const SliceRow> slices, TimeRange extent);

// Entries of a tile, in the order in which they were merged: by time within each row.
[[nodiscard]] std::vector<LaneEntry> unpackSliceTile(std::span<const std::byte> bytes);

}  // namespace wattproof::store
