// Level-of-detail tiles of one track, built batch by batch, so that the writing of rows goes on beside it.
#pragma once

#include "store/rows.h"
#include "store/tiles/lane_merger.h"
#include "store/tiles/tile_levels.h"

#include <memory>
#include <span>
#include <vector>

namespace wattproof::store {

class SliceTileBuilder {
public:
    // All slices of the track as the writer has them: ids set, ordered by time.
    SliceTileBuilder(std::span<const SliceRow> slices, TimeRange extent);
    ~SliceTileBuilder();
    SliceTileBuilder(const SliceTileBuilder &) = delete;
    SliceTileBuilder &operator=(const SliceTileBuilder &) = delete;

    // The next of them.
    void add(std::span<const SliceRow> batch);
    [[nodiscard]] std::vector<PackedLevel> finish();

private:
    class Cascade;
    std::unique_ptr<Cascade> cascade_;  // none: the slices are too few for tiles
    std::size_t slices_;
};

// Entries of a tile, in the order in which they were merged: by time within each row.
[[nodiscard]] std::vector<LaneEntry> unpackSliceTile(std::span<const std::byte> bytes);

}  // namespace wattproof::store
