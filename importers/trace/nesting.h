// Depth, lane, drawing row and parent of the slices of one track (docs/methods.md, nesting).
#pragma once

#include "store/rows.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <queue>

namespace wattproof::importers {

// How the slices of a track relate: calls on a thread nest; async slices of one name only share a track.
enum class Layout : std::uint8_t { Nested, SideBySide };

// Rows must be ordered by (ts, longer first, file order). Rules:
//   a slice that starts where another ends is beside it; two zero-length slices at one time nest;
//   a slice that partly overlaps an open one goes to an overflow lane and is no child of it;
//   instants lie below the innermost slice open at their time (side by side: in a lane of their own), nobody's
//   parent.
class Nesting {
public:
    explicit Nesting(Layout layout) : layout_(layout) {}

    // Fills depth, lane and row of each slice, and parents (index of the parent, or -1).
    void place(std::span<SliceRow> rows, std::vector<std::int32_t> &parents);

    // Indices of slices that partly overlapped another: each is a warning. Unfinished ones are not among them.
    [[nodiscard]] const std::vector<std::uint32_t> &overlapping() const { return overlapping_; }

private:
    struct Lane {
        std::vector<std::int32_t> open;  // indices of the open slices, outermost first
        std::int32_t rows = 0;           // deepest row used
    };
    using Closing = std::pair<Ns, std::uint32_t>;  // end of the outermost slice of a lane, and the lane

    void closeBefore(Lane &, Ns ts) const;
    [[nodiscard]] bool contains(std::int32_t outer, const SliceRow &inner) const;
    [[nodiscard]] std::uint32_t laneFor(const SliceRow &);
    [[nodiscard]] std::uint32_t freeLane(Ns ts);
    void putInstant(SliceRow &, std::int32_t &parent);
    void putSlice(std::size_t index, std::int32_t &parent);
    void assignRows();

    Layout layout_;
    bool overlaps_ = false;  // of the slice that laneFor was asked about last
    std::span<SliceRow> rows_;
    std::vector<Lane> lanes_;
    std::priority_queue<Closing, std::vector<Closing>, std::greater<>> busyLanes_;
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> freeLanes_;
    std::vector<std::uint32_t> overlapping_;
};

}  // namespace wattproof::importers
