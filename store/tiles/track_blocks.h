// For every block of a track's slices, when it begins and which earlier slices still run then. So a reader of a
// range starts at its block and misses none of the slices that began long before.
#pragma once

#include "store/rows.h"

#include <span>
#include <string>
#include <vector>

namespace wattproof::store {

inline constexpr std::int64_t kSlicesPerBlock = 4096;

struct TrackBlocks {
    struct Block {
        Ns ts = 0;                       // source time of its first slice
        std::vector<std::int64_t> open;  // ids of earlier slices that end later, ascending
    };
    std::vector<Block> blocks;

    // Index of the last block that begins before `ts`; 0 when none does.
    [[nodiscard]] std::size_t before(Ns ts) const;
};

[[nodiscard]] std::string packBlocks(std::span<const SliceRow> slices);
[[nodiscard]] TrackBlocks unpackBlocks(std::span<const std::byte> bytes, std::int64_t firstId);

}  // namespace wattproof::store
