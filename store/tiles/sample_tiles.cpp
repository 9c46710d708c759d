#include "store/tiles/sample_tiles.h"

namespace wattproof::store {
namespace {

constexpr Ns kCoarsestBuckets = 256;

void pack(Packer &packer, const SampleEntry &entry, const SampleEntry &before) {
    packer.difference(entry.ts - before.ts);
    packer.number(static_cast<std::uint64_t>(entry.end - entry.ts));
    packer.number(entry.count);
    packer.real(entry.first);
    if (entry.count > 1) {
        packer.real(entry.min);
        packer.real(entry.max);
        packer.real(entry.last);
    }
}

std::vector<SampleEntry> entriesOf(std::span<const Sample> samples) {
    std::vector<SampleEntry> entries;
    entries.reserve(samples.size());
    for (const Sample &sample : samples)
        entries.push_back(entryOf(sample));
    return entries;
}

}  // namespace

// A level is made from the entries of the one below.
std::vector<PackedLevel> buildSampleTiles(std::span<const Sample> samples, Ns period) {
    std::vector<PackedLevel> levels;
    if (samples.size() < kFewestForTiles)
        return levels;
    const Ns length = samples.back().ts - samples.front().ts;
    std::vector<SampleEntry> below = entriesOf(samples);
    for (Ns bucket = levelNotBelow(2 * std::max<Ns>(period, 1)); bucket <= length / kCoarsestBuckets;
         bucket *= kLevelFactor) {
        LevelPacker<SampleEntry> packer(bucket);
        std::vector<SampleEntry> merged;
        SampleMerger merger(bucket);
        const auto keep = [&](const SampleEntry &entry) {
            packer.add(entry, entry.end, pack);
            merged.push_back(entry);
        };
        for (const SampleEntry &entry : below)
            merger.add(entry, keep);
        merger.finish(keep);
        levels.push_back(packer.finish());
        below = std::move(merged);
    }
    dropUselessLevels(levels, samples.size());
    return levels;
}

std::vector<SampleEntry> unpackSampleTile(std::span<const std::byte> bytes) {
    std::vector<SampleEntry> entries;
    entries.reserve(kEntriesPerTile);
    Unpacker unpacker(bytes);
    SampleEntry entry;
    while (!unpacker.atEnd()) {
        entry.ts += unpacker.difference();
        entry.end = entry.ts + static_cast<Ns>(unpacker.number());
        entry.count = static_cast<std::uint32_t>(unpacker.number());
        entry.first = unpacker.real();
        entry.min = entry.count > 1 ? unpacker.real() : entry.first;
        entry.max = entry.count > 1 ? unpacker.real() : entry.first;
        entry.last = entry.count > 1 ? unpacker.real() : entry.first;
        entries.push_back(entry);
    }
    return entries;
}

}  // namespace wattproof::store
