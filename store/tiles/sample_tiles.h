// Min-max tiles of one counter.
#pragma once

#include "store/rows.h"
#include "store/tiles/lane_merger.h"
#include "store/tiles/tile_levels.h"

#include <algorithm>
#include <span>
#include <vector>

namespace wattproof::store {

// The samples of one bucket. Times are source time.
struct SampleEntry {
    Ns ts = 0;
    Ns end = 0;  // of the last sample
    double min = 0, max = 0, first = 0, last = 0;
    std::uint32_t count = 1;
};

// Samples that lie in the same bucket become one entry.
class SampleMerger {
public:
    explicit SampleMerger(Ns bucket) : bucket_(bucket) {}

    template <class Emit>
    void add(const SampleEntry &entry, Emit &&emit) {
        const Ns bucket = bucketOf(entry.ts, bucket_);
        if (open_ && bucket == at_) {
            pending_.end = entry.end;
            pending_.min = std::min(pending_.min, entry.min);
            pending_.max = std::max(pending_.max, entry.max);
            pending_.last = entry.last;
            pending_.count += entry.count;
            return;
        }
        finish(emit);
        pending_ = entry;
        at_ = bucket;
        open_ = true;
    }

    template <class Emit>
    void finish(Emit &&emit) {
        if (open_)
            emit(std::as_const(pending_));
        open_ = false;
    }

private:
    Ns bucket_;
    Ns at_ = 0;
    SampleEntry pending_;
    bool open_ = false;
};

[[nodiscard]] inline SampleEntry entryOf(const Sample &sample) {
    return {sample.ts, sample.ts, sample.value, sample.value, sample.value, sample.value, 1};
}

[[nodiscard]] std::vector<PackedLevel> buildSampleTiles(std::span<const Sample> samples, Ns period);
[[nodiscard]] std::vector<SampleEntry> unpackSampleTile(std::span<const std::byte> bytes);

}  // namespace wattproof::store
