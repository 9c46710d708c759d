#include "store/tiles/slice_tiles.h"

#include "store/slice_flags.h"

#include <array>
#include <bit>
#include <limits>

namespace wattproof::store {
namespace {

// Ranges narrower than this share of the track are for finer levels or rows.
constexpr Ns kCoarsestBuckets = 128;
// The finest level is the first whose buckets take in this share of the slices together with their neighbours:
// below it, the blocks of slices are read fast enough.
constexpr double kMergedAtFinest = 0.6;
constexpr Ns kWidestBucket = Ns{1} << 61;
constexpr unsigned kFlagBits = 3;

LaneEntry entryOf(const SliceRow &slice) {
    LaneEntry entry;
    entry.ts = slice.ts;
    entry.dur = entry.busy = entry.longest = slice.dur;
    entry.slice = slice.id.value;
    entry.name = slice.name.value;
    entry.row = slice.row;
    entry.flags = flagsOf(slice);
    return entry;
}

void pack(Packer &packer, const LaneEntry &entry, const LaneEntry &before) {
    packer.difference(entry.ts - before.ts);
    packer.number(static_cast<std::uint64_t>(entry.dur));
    packer.difference(entry.slice - before.slice);
    packer.number(static_cast<std::uint64_t>(entry.name));
    packer.number((static_cast<std::uint64_t>(entry.row) << kFlagBits) | entry.flags);
    packer.number(entry.count);
    if (entry.count > 1) {
        packer.number(static_cast<std::uint64_t>(entry.busy));
        packer.number(static_cast<std::uint64_t>(entry.longest));
    }
}

// How many slices begin how far behind their neighbour in the row, by powers of two.
using Distances = std::array<std::size_t, 64>;

Distances distancesOf(std::span<const SliceRow> slices) {
    Distances count{};
    std::vector<Ns> before;
    for (const SliceRow &slice : slices) {
        const auto row = static_cast<std::size_t>(slice.row);
        if (row >= before.size())
            before.resize(row + 1, std::numeric_limits<Ns>::min() / 2);
        const auto distance = static_cast<std::uint64_t>(std::max(slice.dur, slice.ts - before[row]));
        ++count[static_cast<std::size_t>(std::bit_width(distance)) % count.size()];
        before[row] = slice.ts;
    }
    return count;
}

// A slice at a distance d from its neighbour falls into the same bucket with probability 1 - d / bucket.
double mergedAt(const Distances &distances, Ns bucket) {
    double merged = 0, distance = 0.75;
    for (const std::size_t slices : distances) {
        merged += static_cast<double>(slices) * std::max(0.0, 1 - distance / static_cast<double>(bucket));
        distance *= 2;
    }
    return merged;
}

// Where merging begins to pay.
Ns finestBucket(std::span<const SliceRow> slices) {
    const Distances distances = distancesOf(slices);
    const double wanted = kMergedAtFinest * static_cast<double>(slices.size());
    Ns bucket = 1;
    while (mergedAt(distances, bucket) < wanted && bucket <= kWidestBucket / kLevelFactor)
        bucket *= kLevelFactor;
    return bucket;
}

}  // namespace

// The levels above one another: what leaves one enters the next.
class SliceTileBuilder::Cascade {
public:
    Cascade(Ns finest, Ns coarsest) {
        levels_.push_back({LaneMerger(finest), LevelPacker<LaneEntry>(finest)});
        for (Ns bucket = finest; bucket <= coarsest / kLevelFactor;) {
            bucket *= kLevelFactor;
            levels_.push_back({LaneMerger(bucket), LevelPacker<LaneEntry>(bucket)});
        }
    }

    void add(const LaneEntry &entry, std::size_t level = 0) {
        if (level < levels_.size())
            levels_[level].merger.add(entry, [&](const LaneEntry &merged) { keep(merged, level); });
    }

    std::vector<PackedLevel> finish() {
        std::vector<PackedLevel> packed;
        for (std::size_t level = 0; level < levels_.size(); ++level) {
            levels_[level].merger.finish([&](const LaneEntry &merged) { keep(merged, level); });
            packed.push_back(levels_[level].packer.finish());
        }
        return packed;
    }

private:
    struct Level {
        LaneMerger merger;
        LevelPacker<LaneEntry> packer;
    };

    void keep(const LaneEntry &entry, std::size_t level) {
        levels_[level].packer.add(entry, entry.ts + entry.dur, pack);
        add(entry, level + 1);
    }

    std::vector<Level> levels_;
};

SliceTileBuilder::SliceTileBuilder(std::span<const SliceRow> slices, TimeRange extent) : slices_(slices.size()) {
    if (slices.size() >= kFewestForTiles)
        cascade_ = std::make_unique<Cascade>(finestBucket(slices), extent.length() / kCoarsestBuckets);
}

SliceTileBuilder::~SliceTileBuilder() = default;

void SliceTileBuilder::add(std::span<const SliceRow> batch) {
    if (cascade_ == nullptr)
        return;
    for (const SliceRow &slice : batch)
        cascade_->add(entryOf(slice));
}

std::vector<PackedLevel> SliceTileBuilder::finish() {
    if (cascade_ == nullptr)
        return {};
    std::vector<PackedLevel> levels = cascade_->finish();
    dropUselessLevels(levels, slices_);
    return levels;
}

std::vector<LaneEntry> unpackSliceTile(std::span<const std::byte> bytes) {
    std::vector<LaneEntry> entries;
    entries.reserve(kEntriesPerTile);
    Unpacker unpacker(bytes);
    LaneEntry entry;
    while (!unpacker.atEnd()) {
        entry.ts += unpacker.difference();
        entry.dur = static_cast<Ns>(unpacker.number());
        entry.slice += unpacker.difference();
        entry.name = static_cast<std::int64_t>(unpacker.number());
        const std::uint64_t rowAndFlags = unpacker.number();
        entry.row = static_cast<std::int32_t>(rowAndFlags >> kFlagBits);
        entry.flags = static_cast<std::uint8_t>(rowAndFlags & ((1U << kFlagBits) - 1));
        entry.count = static_cast<std::uint32_t>(unpacker.number());
        entry.busy = entry.count > 1 ? static_cast<Ns>(unpacker.number()) : entry.dur;
        entry.longest = entry.count > 1 ? static_cast<Ns>(unpacker.number()) : entry.dur;
        entries.push_back(entry);
    }
    return entries;
}

}  // namespace wattproof::store
