#include "store/read/name_statistics.h"

#include <algorithm>
#include <cmath>

namespace wattproof::store {
namespace {

// Nearest rank: the least value that is not below p of all. Partially sorts.
Ns nearestRank(std::vector<Ns> &values, double p) {
    const auto rank = static_cast<std::ptrdiff_t>(std::ceil(p * static_cast<double>(values.size())));
    const auto at = values.begin() + std::max<std::ptrdiff_t>(rank, 1) - 1;
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

}  // namespace

void NameStatistics::beginTrack() {
    ++track_;
    open_.clear();
}

std::size_t NameStatistics::accumulatorOf(std::int64_t name) {
    const auto at = static_cast<std::size_t>(name);
    if (at >= indexOfName_.size())
        indexOfName_.resize(std::max(at + 1, indexOfName_.size() * 2));
    if (indexOfName_[at] == 0) {
        accumulators_.push_back({});
        accumulators_.back().name = name;
        indexOfName_[at] = static_cast<std::uint32_t>(accumulators_.size());
    }
    return indexOfName_[at] - 1;
}

TimeRange NameStatistics::clipped(TimeRange range) const {
    const Ns begin = std::max(range.begin, area_.begin);
    return {begin, std::max(begin, std::min(range.end, area_.end))};
}

void NameStatistics::add(const Slice &slice) {
    const TimeRange part = clipped(slice.range);
    const std::size_t index = accumulatorOf(slice.name);
    Accumulator &accumulator = accumulators_[index];
    if (accumulator.track != track_) {
        accumulator.track = track_;
        accumulator.coveredTo = part.begin;
    }
    accumulator.total += std::max<Ns>(0, part.end - std::max(part.begin, accumulator.coveredTo));
    accumulator.coveredTo = std::max(accumulator.coveredTo, part.end);
    accumulator.self += part.length();
    accumulator.durations.push_back(slice.range.length());
    if (slice.parent != 0)
        takeFromParent(slice, part.length());
    const auto row = static_cast<std::size_t>(slice.row);
    if (row >= open_.size())
        open_.resize(row + 1);
    open_[row] = {slice.id, index};
}

// The parent is the last slice of some row above: usually the next one.
void NameStatistics::takeFromParent(const Slice &slice, Ns duration) {
    for (std::size_t row = std::min(static_cast<std::size_t>(slice.row), open_.size()); row-- > 0;) {
        if (open_[row].id == slice.parent) {
            accumulators_[open_[row].accumulator].self -= duration;
            return;
        }
    }
}

NameStats NameStatistics::finish(Accumulator &accumulator) {
    std::vector<Ns> &durations = accumulator.durations;
    NameStats stats;
    stats.name = StringId{accumulator.name};
    stats.count = static_cast<std::int64_t>(durations.size());
    stats.total = accumulator.total;
    stats.self = accumulator.self;
    double sum = 0;
    for (const Ns duration : durations)
        sum += static_cast<double>(duration);
    stats.mean = sum / static_cast<double>(durations.size());
    const auto [low, high] = std::minmax_element(durations.begin(), durations.end());
    stats.min = *low;
    stats.max = *high;
    stats.p50 = nearestRank(durations, 0.50);
    stats.p95 = nearestRank(durations, 0.95);
    stats.p99 = nearestRank(durations, 0.99);
    return stats;
}

std::vector<NameStats> NameStatistics::results() {
    std::vector<NameStats> list;
    list.reserve(accumulators_.size());
    for (Accumulator &accumulator : accumulators_)
        list.push_back(finish(accumulator));
    std::sort(list.begin(), list.end(), [](const NameStats &a, const NameStats &b) {
        return a.total != b.total ? a.total > b.total : a.name < b.name;
    });
    return list;
}

}  // namespace wattproof::store
