// What tiles of slices and of samples share: levels, each a list of packed tiles and a directory of their times.
#pragma once

#include "store/tiles/packing.h"
#include "store/time.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace wattproof::store {

inline constexpr std::size_t kEntriesPerTile = 512;
inline constexpr Ns kLevelFactor = 4;  // each level's buckets are this many times as wide as the one's below
inline constexpr std::size_t kFewestForTiles = 2048;

enum class TileOwner : std::uint8_t { Track, Counter };

// One level as it is written.
struct PackedLevel {
    Ns bucket = 0;
    std::size_t entries = 0;
    std::vector<std::string> tiles;
    std::string directory;
};

// One level as it is read: the time each tile covers, by which a range finds its tiles.
struct LevelDirectory {
    Ns bucket = 0;
    std::int64_t firstTile = 0;
    std::vector<TimeRange> tiles;
};

[[nodiscard]] std::string packDirectory(const std::vector<TimeRange> &tiles);
[[nodiscard]] std::vector<TimeRange> unpackDirectory(std::span<const std::byte> bytes);

// The power of kLevelFactor that is not below `width`.
[[nodiscard]] Ns levelNotBelow(Ns width);

// Drops the levels that tell hardly less than the one below them.
void dropUselessLevels(std::vector<PackedLevel> &levels, std::size_t rows);

// Collects the entries of one level. Pack: (Packer &, const Entry &entry, const Entry &before).
template <class Entry>
class LevelPacker {
public:
    explicit LevelPacker(Ns bucket) { level_.bucket = bucket; }

    template <class Pack>
    void add(const Entry &entry, Ns end, Pack &&pack) {
        if (inTile_ == 0)
            covered_ = {entry.ts, end};
        covered_ = {std::min(covered_.begin, entry.ts), std::max(covered_.end, end)};
        pack(packer_, entry, before_);
        before_ = entry;
        ++level_.entries;
        if (++inTile_ == kEntriesPerTile)
            closeTile();
    }

    [[nodiscard]] PackedLevel finish() {
        if (inTile_ > 0)
            closeTile();
        level_.directory = packDirectory(directory_);
        return std::move(level_);
    }

private:
    void closeTile() {
        level_.tiles.push_back(packer_.take());
        directory_.push_back(covered_);
        before_ = {};
        inTile_ = 0;
    }

    PackedLevel level_;
    std::vector<TimeRange> directory_;
    Packer packer_;
    Entry before_{};
    TimeRange covered_;
    std::size_t inTile_ = 0;
};

}  // namespace wattproof::store
