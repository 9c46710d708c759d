// The ids of slices when only some of them are written: consecutive ones for the builder, who counts on that, and
// those that the store gave to the ones it got. A bit a slice, so that it stays small for any trace.
#pragma once

#include "store/ids.h"

#include <cstdint>
#include <vector>

namespace wattproof::importers {

class KeptIds {
public:
    // The id that a run of slices begins with; add() follows for each of them. `stored`: the store's id of the
    // first of them that is kept; the ids of the others follow it.
    [[nodiscard]] SliceId begin(SliceId stored);
    void add(bool kept);
    // The store's id; none for a slice that was left out.
    [[nodiscard]] SliceId find(SliceId) const;

private:
    struct Run {
        std::uint64_t first = 0;   // index of its first slice
        std::uint64_t before = 0;  // kept ones before that
        std::int64_t stored = 0;
    };

    [[nodiscard]] std::uint64_t keptBefore(std::uint64_t index) const;

    std::vector<Run> runs_;
    std::vector<std::uint64_t> bits_, keptBeforeWord_;
    std::uint64_t count_ = 0, kept_ = 0;
};

}  // namespace wattproof::importers
