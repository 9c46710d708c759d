#include "importers/trace/nesting.h"

#include <algorithm>

namespace wattproof::importers {
namespace {

// A slice that fits into no nearer lane is not searched further: bounds the cost per slice.
constexpr std::size_t kLanesSearched = 32;

Ns endOf(const SliceRow &row) {
    return row.ts + row.dur;
}

}  // namespace

void Nesting::closeBefore(Lane &lane, Ns ts) const {
    while (!lane.open.empty()) {
        const SliceRow &top = rows_[static_cast<std::size_t>(lane.open.back())];
        // What starts now stays open even with length zero: zero-length slices at one time nest.
        if (endOf(top) > ts || top.ts == ts)
            return;
        lane.open.pop_back();
    }
}

bool Nesting::contains(std::int32_t outer, const SliceRow &inner) const {
    return endOf(rows_[static_cast<std::size_t>(outer)]) >= endOf(inner);
}

std::uint32_t Nesting::freeLane(Ns ts) {
    while (!busyLanes_.empty() && busyLanes_.top().first <= ts) {
        freeLanes_.push(busyLanes_.top().second);
        busyLanes_.pop();
    }
    if (freeLanes_.empty()) {
        lanes_.emplace_back();
        return static_cast<std::uint32_t>(lanes_.size() - 1);
    }
    const std::uint32_t lane = freeLanes_.top();
    freeLanes_.pop();
    return lane;
}

std::uint32_t Nesting::laneFor(const SliceRow &row) {
    overlaps_ = false;
    if (layout_ == Layout::SideBySide)
        return freeLane(row.ts);
    const std::size_t searched = std::min(lanes_.size(), kLanesSearched);
    for (std::uint32_t i = 0; i < searched; ++i) {
        closeBefore(lanes_[i], row.ts);
        if (lanes_[i].open.empty())
            continue;
        if (contains(lanes_[i].open.back(), row)) {
            overlaps_ = false;
            return i;
        }
        overlaps_ = true;
    }
    return freeLane(row.ts);
}

void Nesting::putSlice(std::size_t index, std::int32_t &parent) {
    SliceRow &row = rows_[index];
    const std::uint32_t number = laneFor(row);
    Lane &lane = lanes_[number];
    closeBefore(lane, row.ts);
    if (lane.open.empty() || layout_ == Layout::SideBySide) {
        lane.open.clear();
        // A zero-length slice occupies its lane until time moves on.
        busyLanes_.emplace(std::max(endOf(row), row.ts + 1), number);
    } else {
        parent = lane.open.back();
    }
    row.lane = static_cast<std::int32_t>(number);
    row.depth = static_cast<std::int32_t>(lane.open.size());
    lane.rows = std::max(lane.rows, row.depth + 1);
    lane.open.push_back(static_cast<std::int32_t>(index));
    if (overlaps_ && row.state != SliceState::Unfinished)
        overlapping_.push_back(static_cast<std::uint32_t>(index));
}

void Nesting::putInstant(SliceRow &row, std::int32_t &parent) {
    Lane &lane = lanes_.front();
    closeBefore(lane, row.ts);
    row.lane = 0;
    if (!lane.open.empty())
        parent = lane.open.back();
    row.depth = static_cast<std::int32_t>(lane.open.size());
    lane.rows = std::max(lane.rows, row.depth + 1);
}

void Nesting::assignRows() {
    std::vector<std::int32_t> firstRow;
    std::int32_t next = 0;
    for (const Lane &lane : lanes_) {
        firstRow.push_back(next);
        next += lane.rows;
    }
    for (SliceRow &row : rows_)
        row.row = firstRow[static_cast<std::size_t>(row.lane)] + row.depth;
}

void Nesting::place(std::span<SliceRow> rows, std::vector<std::int32_t> &parents) {
    rows_ = rows;
    parents.assign(rows.size(), -1);
    lanes_.assign(1, {});
    busyLanes_ = {};
    freeLanes_ = {};
    freeLanes_.push(0);
    overlapping_.clear();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].kind == SliceKind::Instant && layout_ == Layout::Nested)
            putInstant(rows[i], parents[i]);
        else
            putSlice(i, parents[i]);
    }
    assignRows();
}

}  // namespace wattproof::importers
