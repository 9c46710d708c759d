#include "store/tiles/tile_levels.h"

#include <limits>

namespace wattproof::store {

std::string packDirectory(const std::vector<TimeRange> &tiles) {
    Packer packer;
    Ns before = 0;
    for (const TimeRange &tile : tiles) {
        packer.difference(tile.begin - before);
        packer.number(static_cast<std::uint64_t>(tile.end - tile.begin));
        before = tile.begin;
    }
    return packer.take();
}

std::vector<TimeRange> unpackDirectory(std::span<const std::byte> bytes) {
    std::vector<TimeRange> tiles;
    Unpacker unpacker(bytes);
    Ns before = 0;
    while (!unpacker.atEnd()) {
        const Ns begin = before + unpacker.difference();
        tiles.push_back({begin, begin + static_cast<Ns>(unpacker.number())});
        before = begin;
    }
    return tiles;
}

Ns levelNotBelow(Ns width) {
    Ns level = 1;
    while (level < width && level <= std::numeric_limits<Ns>::max() / kLevelFactor)
        level *= kLevelFactor;
    return level;
}

void dropUselessLevels(std::vector<PackedLevel> &levels, std::size_t rows) {
    std::size_t below = rows;
    std::erase_if(levels, [&below](const PackedLevel &level) {
        if (level.entries * 5 > below * 4)
            return true;
        below = level.entries;
        return false;
    });
}

}  // namespace wattproof::store
