#include "store/read/name_statistics.h"

#include <algorithm>

namespace wattproof::store {

NameStatistics::NameStatistics(TimeRange area, std::int64_t lastName)
    : area_(area), indexOfName_(static_cast<std::size_t>(std::max<std::int64_t>(lastName, 0)) + 1) {}

void NameStatistics::beginTrack() {
    ++track_;
    open_.clear();
}

// A name that no text has counts as none.
std::size_t NameStatistics::newAccumulator(std::int64_t name) {
    std::uint32_t &index = indexOfName_[static_cast<std::size_t>(name)];
    if (index == 0) {
        accumulators_.emplace_back();
        accumulators_.back().name = name;
        index = static_cast<std::uint32_t>(accumulators_.size());
    }
    return index - 1;
}

TimeRange NameStatistics::clipped(TimeRange range) const {
    const Ns begin = std::max(range.begin, area_.begin);
    return {begin, std::max(begin, std::min(range.end, area_.end))};
}

void NameStatistics::Accumulator::measure(Ns duration) {
    least = count == 0 ? duration : std::min(least, duration);
    most = count == 0 ? duration : std::max(most, duration);
    sum += static_cast<double>(duration);
    ++count;
    quantiles.count(duration);
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
    accumulator.measure(slice.range.length());
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

bool NameStatistics::prepareSecondPass() {
    bool needed = false;
    for (Accumulator &accumulator : accumulators_) {
        accumulator.looksAgain = accumulator.quantiles.prepareSecondPass();
        needed = needed || accumulator.looksAgain;
    }
    return needed;
}

NameStats NameStatistics::finish(Accumulator &accumulator) {
    NameStats stats;
    stats.name = StringId{accumulator.name};
    stats.count = accumulator.count;
    stats.total = accumulator.total;
    stats.self = accumulator.self;
    stats.mean = accumulator.sum / static_cast<double>(accumulator.count);
    stats.min = accumulator.least;
    stats.max = accumulator.most;
    const auto quantiles = accumulator.quantiles.take();
    stats.p50 = quantiles[0];
    stats.p95 = quantiles[1];
    stats.p99 = quantiles[2];
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
