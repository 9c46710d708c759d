#include "importers/perfetto/clock_tracker.h"

#include "importers/trace/time_crowd.h"

#include <algorithm>
#include <deque>
#include <limits>

namespace wattproof::importers::perfetto {
namespace {

// A real snapshot reads less than ten clocks.
constexpr std::size_t kMostReadings = 64;
// Snapshots of one clock that are looked at for a reading of another.
constexpr std::size_t kLookBack = 1024;
// Pairs of clocks in a trace of some thousand sequences; what invents more than this is none that a recorder
// wrote.
constexpr std::size_t kMostJoins = 65536;
constexpr Ns kForever = std::numeric_limits<Ns>::max();

std::optional<Ns> scaled(std::uint64_t raw, std::uint64_t unitNs) {
    Ns time = 0;
    if (__builtin_mul_overflow(raw, unitNs, &time) || time > kLargestTime)
        return std::nullopt;
    return time;
}

// Hostile readings lie far apart: sums stop at the ends of the range instead of running over.
Ns sum(Ns a, Ns b) {
    Ns result = 0;
    if (!__builtin_add_overflow(a, b, &result))
        return result;
    return a < 0 ? -kForever : kForever;
}

std::optional<Ns> placed(Ns time) {
    return time > kLargestTime || time < -kLargestTime ? std::nullopt : std::optional(time);
}

}  // namespace

void ClockTracker::setTraceClock(ClockKey clock) {
    if (!converted_)
        traceClock_ = clock;
}

bool ClockTracker::incremental(ClockKey clock) const {
    const auto found = clocks_.find(clock);
    return found != clocks_.end() && found->second.incremental;
}

std::optional<Ns> ClockTracker::toNs(ClockKey clock, std::uint64_t raw) const {
    const auto found = clocks_.find(clock);
    return scaled(raw, found == clocks_.end() ? 1 : found->second.unitNs);
}

void ClockTracker::join(ClockKey clock, ClockKey other) {
    if (joins_ == kMostJoins || !joined_.insert({clock, other}).second)
        return;
    clocks_[clock].neighbours.push_back(other);
    ++joins_;
}

void ClockTracker::addSnapshot(std::span<const Reading> readings) {
    const auto first = static_cast<std::uint32_t>(rows_.size());
    snapshotBegin_.push_back(first);
    for (const Reading &reading : readings.first(std::min(readings.size(), kMostReadings))) {
        const auto time = scaled(reading.raw, std::max<std::uint64_t>(reading.unitNs, 1));
        if (!time || readIn(snapshots_, reading.clock))
            continue;
        Clock &clock = clocks_[reading.clock];
        clock.unitNs = std::max<std::uint64_t>(reading.unitNs, 1);
        clock.incremental = reading.incremental;
        rows_.push_back({reading.clock, *time});
        clock.marks.emplace(*time, snapshots_);
    }
    for (std::size_t i = first; i < rows_.size(); ++i)
        for (std::size_t k = first; k < rows_.size(); ++k)
            if (i != k)
                join(rows_[i].clock, rows_[k].clock);
    ++snapshots_;
    lastRoute_ = nullptr;
}

std::optional<Ns> ClockTracker::readIn(std::uint32_t snapshot, ClockKey clock) const {
    const std::size_t end = snapshot + 1 < snapshotBegin_.size() ? snapshotBegin_[snapshot + 1] : rows_.size();
    for (std::size_t i = snapshotBegin_[snapshot]; i < end; ++i)
        if (rows_[i].clock == clock)
            return rows_[i].time;
    return std::nullopt;
}

std::vector<ClockKey> ClockTracker::findPath(ClockKey from, ClockKey to) const {
    std::unordered_map<ClockKey, ClockKey> before{{from, from}};
    std::deque<ClockKey> open{from};
    while (!open.empty() && before.count(to) == 0) {
        const auto clock = clocks_.find(open.front());
        open.pop_front();
        if (clock == clocks_.end())
            continue;
        for (const ClockKey next : clock->second.neighbours)
            if (before.try_emplace(next, clock->first).second)
                open.push_back(next);
    }
    std::vector<ClockKey> hops;
    if (before.count(to) > 0)
        for (ClockKey at = to; at != from; at = before.at(at))
            hops.push_back(at);
    std::reverse(hops.begin(), hops.end());
    return hops;
}

ClockTracker::Route &ClockTracker::route(ClockKey from, ClockKey to) {
    const auto [found, added] = routes_.try_emplace({from, to});
    Route &route = found->second;
    if (added || route.joins != joins_)
        route.hops = findPath(from, to);
    if (route.snapshots != snapshots_)
        route.last = {};
    route.joins = joins_;
    route.snapshots = snapshots_;
    return route;
}

// The snapshot of both clocks at or before `time`, else the first; and how far its shift may be used.
std::optional<ClockTracker::Stretch> ClockTracker::hop(ClockKey from, ClockKey to, Ns time) const {
    const auto &marks = clocks_.at(from).marks;
    const auto after = marks.upper_bound(time);
    std::optional<Ns> here, next;
    auto base = after, later = after;
    for (std::size_t looked = 0; base != marks.begin() && !here && looked < kLookBack; ++looked)
        here = readIn((--base)->second, to);
    for (std::size_t looked = 0; later != marks.end() && !next && looked < kLookBack; ++looked)
        if (!(next = readIn(later->second, to)))
            ++later;
    if (!here && !next)
        return std::nullopt;
    if (!here)
        return Stretch{-kForever, later->first, *next - later->first};
    const Ns shift = *here - base->first;
    if (!next)
        return Stretch{base->first, kForever, shift};
    // Where the shifted time would pass the next reading, that reading holds.
    const Ns meets = std::min(later->first, sum(*next, -shift));
    if (time < meets)
        return Stretch{base->first, meets, shift};
    return Stretch{time, time + 1, *next - time};
}

std::optional<Ns> ClockTracker::walk(ClockKey from, Route &route, Ns time) {
    Stretch whole{-kForever, kForever, 0};
    Ns at = time;
    ClockKey clock = from;
    for (const ClockKey next : route.hops) {
        const auto part = hop(clock, next, at);
        if (!part)
            return std::nullopt;
        if (part->begin != -kForever)
            whole.begin = std::max(whole.begin, sum(part->begin, -whole.shift));
        if (part->end != kForever)
            whole.end = std::min(whole.end, sum(part->end, -whole.shift));
        at = sum(at, part->shift);
        if (!placed(at))
            return std::nullopt;
        whole.shift = at - time;
        clock = next;
    }
    route.last = whole;
    return at;
}

std::optional<Ns> ClockTracker::toTrace(ClockKey from, Ns time) {
    const auto result = convert(from, traceClock_, time);
    converted_ = converted_ || result.has_value();
    return result;
}

std::optional<Ns> ClockTracker::convert(ClockKey from, ClockKey to, Ns time) {
    if (from == to)
        return placed(time);
    const std::pair<ClockKey, ClockKey> pair{from, to};
    if (!lastRoute_ || lastPair_ != pair) {
        Route &found = route(from, to);
        if (found.hops.empty())
            return std::nullopt;
        lastPair_ = pair;
        lastRoute_ = &found;
    }
    if (lastRoute_->last.holds(time))
        return placed(sum(time, lastRoute_->last.shift));
    return placed(time) ? walk(from, *lastRoute_, time) : std::nullopt;
}

}  // namespace wattproof::importers::perfetto
