// From slices to what can be told apart at a resolution. Both the writer's tiles and the reader's last step use
// it.
#pragma once

#include "store/time.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace wattproof::store {

// A slice, or (count > 1) a run of slices of one row. Times are source time.
struct LaneEntry {
    Ns ts = 0;
    Ns dur = 0;
    Ns busy = 0;             // covered by slices: at most dur
    Ns longest = 0;          // duration of `slice`
    std::int64_t slice = 0;  // the slice, or the longest of the run
    std::int64_t name = 0;
    std::uint32_t count = 1;
    std::int32_t row = 0;
    std::uint8_t flags = 0;  // as in the table `slice`
};

[[nodiscard]] constexpr Ns bucketOf(Ns ts, Ns bucket) {
    return ts >= 0 ? ts / bucket : -((-ts + bucket - 1) / bucket);
}

// Entries at least a bucket long pass as they are; shorter ones that begin in the same bucket of the same row
// become one. Entries must come by time within each row, and so they leave. A run covers its slices and nothing
// more: it begins with the first and ends with the last, which may reach into the next bucket.
class LaneMerger {
public:
    explicit LaneMerger(Ns bucket) : bucket_(bucket) {}

    template <class Emit>
    void add(const LaneEntry &entry, Emit &&emit) {
        if (static_cast<std::size_t>(entry.row) >= pending_.size())
            pending_.resize(static_cast<std::size_t>(entry.row) + 1);
        Pending &pending = pending_[static_cast<std::size_t>(entry.row)];
        if (entry.dur >= bucket_) {
            flush(pending, emit);
            emit(entry);
            return;
        }
        const Ns bucket = bucketOf(entry.ts, bucket_);
        if (pending.open && pending.bucket == bucket) {
            join(pending.entry, entry);
            return;
        }
        flush(pending, emit);
        pending = {entry, bucket, true};
    }

    template <class Emit>
    void finish(Emit &&emit) {
        for (Pending &pending : pending_)
            flush(pending, emit);
    }

private:
    struct Pending {
        LaneEntry entry;
        Ns bucket = 0;
        bool open = false;
    };

    template <class Emit>
    static void flush(Pending &pending, Emit &&emit) {
        if (pending.open)
            emit(std::as_const(pending.entry));
        pending.open = false;
    }

    static void join(LaneEntry &run, const LaneEntry &next) {
        const Ns end = std::max(run.ts + run.dur, next.ts + next.dur);
        run.dur = end - run.ts;
        run.busy += next.busy;
        run.count += next.count;
        if (next.longest > run.longest) {
            run.longest = next.longest;
            run.slice = next.slice;
            run.name = next.name;
            run.flags = next.flags;
        }
    }

    Ns bucket_;
    std::vector<Pending> pending_;
};

}  // namespace wattproof::store
