// Slices of many tracks in the order of time: each track is in that order already, so that only its next block has to
// be in memory, and of a track that begins later than what is asked for none.
#pragma once

#include "store/read/event_blocks.h"

#include <queue>
#include <vector>

namespace wattproof::store {

class EventMerge {
public:
    EventMerge(EventBlocks &blocks, bool descending) : blocks_(blocks), descending_(descending) {}

    void add(const TrackSpan &, SliceScan);
    // The next `limit` ids of all that was added.
    Status take(std::int64_t limit, const std::stop_token &, std::vector<SliceId> &into);

private:
    // Where a track stands: what is loaded of it and not yet handed out, backwards, and what is to be loaded.
    struct Cursor {
        TrackSpan track;
        SliceScan scan;
        std::int64_t next = 0;  // first id of the block to load
        bool openLeft = false;  // those that run already when the range begins
        struct Slice {
            Ns ts;
            std::int64_t id;
        };
        std::vector<Slice> slices;
    };
    struct Head {
        Ns ts;
        std::int64_t id;
        std::size_t cursor;
        bool isBound = false;  // nothing of the track is loaded yet: no slice of it comes before
    };
    struct Later {
        bool descending;
        bool operator()(const Head &a, const Head &b) const {
            return descending ? std::pair(a.ts, a.id) < std::pair(b.ts, b.id)
                              : std::pair(a.ts, a.id) > std::pair(b.ts, b.id);
        }
    };

    [[nodiscard]] Status load(Cursor &);
    [[nodiscard]] Status loadOpen(Cursor &);
    [[nodiscard]] Status loadBlock(Cursor &);
    [[nodiscard]] static bool isExhausted(const Cursor &);
    [[nodiscard]] Status moveOn(std::size_t cursor, const std::stop_token &);

    EventBlocks &blocks_;
    bool descending_;
    std::vector<Cursor> cursors_;
    std::priority_queue<Head, std::vector<Head>, Later> heads_{Later{descending_}};
};

}  // namespace wattproof::store
