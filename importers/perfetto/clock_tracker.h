// Clocks of a trace and how to get from one to another: over snapshots that read several clocks at one moment,
// along the shortest chain of clocks that were read together. Between two snapshots the earlier one holds, and a
// converted time never passes the later one, so that order is kept where clocks drift.
#pragma once

#include "store/time.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace wattproof::importers::perfetto {

namespace clock_id {
inline constexpr std::uint32_t kRealtime = 1, kMonotonic = 3, kBoottime = 6, kFirstOfSequence = 64,
                               kLastOfSequence = 127;
}

// A clock as the whole trace knows it: 64 to 127 are different clocks on each packet sequence, the others on each
// machine (0: the one that recorded).
using ClockKey = std::uint64_t;
[[nodiscard]] constexpr ClockKey clockKey(std::uint32_t clock, std::uint32_t sequence, std::uint32_t machine = 0) {
    const bool own = clock >= clock_id::kFirstOfSequence && clock <= clock_id::kLastOfSequence;
    return (std::uint64_t{own ? sequence : machine} << 32U) | clock;
}
[[nodiscard]] constexpr ClockKey machineClock(std::uint32_t clock, std::uint32_t machine) {
    return clockKey(clock, 0, machine);
}

class ClockTracker {
public:
    struct Reading {
        ClockKey clock = 0;
        std::uint64_t raw = 0;  // in units of the clock
        std::uint64_t unitNs = 1;
        bool incremental = false;  // packet times count from the packet before
    };

    // Readings whose time does not fit into 64 bits are left out.
    void addSnapshot(std::span<const Reading>);

    // The clock that all events are shown on. BOOTTIME unless a snapshot says otherwise before anything was
    // converted.
    [[nodiscard]] ClockKey traceClock() const { return traceClock_; }
    void setTraceClock(ClockKey);

    [[nodiscard]] bool knows(ClockKey clock) const { return clocks_.count(clock) > 0; }
    [[nodiscard]] bool incremental(ClockKey) const;
    [[nodiscard]] bool anySnapshot() const { return snapshots_ > 0; }
    // Pairs of clocks that were read together: when it grows, conversions may have become possible.
    [[nodiscard]] std::size_t joins() const { return joins_; }
    // Nothing when it does not fit.
    [[nodiscard]] std::optional<Ns> toNs(ClockKey, std::uint64_t raw) const;

    // Nothing when no chain of snapshots joins the two clocks (yet).
    [[nodiscard]] std::optional<Ns> convert(ClockKey from, ClockKey to, Ns time);
    [[nodiscard]] std::optional<Ns> toTrace(ClockKey from, Ns time);

private:
    struct Clock {
        std::multimap<Ns, std::uint32_t> marks;  // snapshots by the clock's time
        std::vector<ClockKey> neighbours;
        std::uint64_t unitNs = 1;
        bool incremental = false;
    };
    struct Row {
        ClockKey clock = 0;
        Ns time = 0;
    };
    // A stretch of a clock over which a conversion is a constant shift.
    struct Stretch {
        Ns begin = 0, end = 0, shift = 0;
        [[nodiscard]] bool holds(Ns time) const { return begin <= time && time < end; }
    };
    struct Route {
        std::vector<ClockKey> hops;  // clocks after the first
        Stretch last;
        std::size_t joins = 0;        // as many as there were when hops were found
        std::uint32_t snapshots = 0;  // the same of the stretch
    };

    void join(ClockKey, ClockKey other);
    [[nodiscard]] std::optional<Ns> readIn(std::uint32_t snapshot, ClockKey) const;
    [[nodiscard]] Route &route(ClockKey from, ClockKey to);
    [[nodiscard]] std::vector<ClockKey> findPath(ClockKey from, ClockKey to) const;
    [[nodiscard]] std::optional<Stretch> hop(ClockKey from, ClockKey to, Ns time) const;
    [[nodiscard]] std::optional<Ns> walk(ClockKey from, Route &, Ns time);

    ClockKey traceClock_ = clock_id::kBoottime;
    bool converted_ = false;
    std::unordered_map<ClockKey, Clock> clocks_;
    std::vector<Row> rows_;                     // readings of all snapshots
    std::vector<std::uint32_t> snapshotBegin_;  // first row of each snapshot
    std::uint32_t snapshots_ = 0;
    std::size_t joins_ = 0;
    struct PairHash {
        std::size_t operator()(const std::pair<ClockKey, ClockKey> &pair) const {
            return std::hash<std::uint64_t>{}(pair.first * 0x9e3779b97f4a7c15ULL ^ pair.second);
        }
    };
    std::unordered_set<std::pair<ClockKey, ClockKey>, PairHash> joined_;
    std::unordered_map<std::pair<ClockKey, ClockKey>, Route, PairHash> routes_;
    std::pair<ClockKey, ClockKey> lastPair_{};
    Route *lastRoute_ = nullptr;
};

}  // namespace wattproof::importers::perfetto
