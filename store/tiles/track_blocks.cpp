#include "store/tiles/track_blocks.h"

#include "store/tiles/packing.h"

#include <algorithm>

namespace wattproof::store {
namespace {

struct Running {
    std::int64_t id = 0;
    Ns end = 0;
};

// Slices of one row do not overlap: the last of each row is the only one that may still run.
void packOpen(Packer &packer, const std::vector<Running> &lastOfRow, const SliceRow &first) {
    std::vector<std::int64_t> open;
    for (const Running &running : lastOfRow) {
        if (running.id != 0 && running.end > first.ts)
            open.push_back(running.id);
    }
    std::sort(open.begin(), open.end());
    packer.number(open.size());
    for (const std::int64_t id : open)
        packer.number(static_cast<std::uint64_t>(first.id.value - id));
}

}  // namespace

std::size_t TrackBlocks::before(Ns ts) const {
    const auto after = std::lower_bound(blocks.begin(), blocks.end(), ts,
                                        [](const Block &block, Ns time) { return block.ts < time; });
    return after == blocks.begin() ? 0 : static_cast<std::size_t>(after - blocks.begin()) - 1;
}

std::string packBlocks(std::span<const SliceRow> slices) {
    Packer packer;
    std::vector<Running> lastOfRow;
    Ns before = 0;
    for (std::size_t i = 0; i < slices.size(); ++i) {
        const SliceRow &slice = slices[i];
        if (i % static_cast<std::size_t>(kSlicesPerBlock) == 0) {
            packer.difference(slice.ts - before);
            packOpen(packer, lastOfRow, slice);
            before = slice.ts;
        }
        const auto row = static_cast<std::size_t>(slice.row);
        if (row >= lastOfRow.size())
            lastOfRow.resize(row + 1);
        lastOfRow[row] = {slice.id.value, slice.ts + slice.dur};
    }
    return packer.take();
}

TrackBlocks unpackBlocks(std::span<const std::byte> bytes, std::int64_t firstId) {
    TrackBlocks result;
    Unpacker unpacker(bytes);
    Ns ts = 0;
    for (std::int64_t id = firstId; !unpacker.atEnd(); id += kSlicesPerBlock) {
        TrackBlocks::Block block;
        block.ts = ts += unpacker.difference();
        for (std::uint64_t left = unpacker.number(); left > 0 && !unpacker.atEnd(); --left)
            block.open.push_back(id - static_cast<std::int64_t>(unpacker.number()));
        result.blocks.push_back(std::move(block));
    }
    return result;
}

}  // namespace wattproof::store
