// Slices as the events table lists them: any filter, by time or by duration, over millions.
#pragma once

#include "store/rows.h"

#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace wattproof::store {

// What is not set lets everything through.
struct EventFilter {
    std::string name, category;                  // contained, without regard to the case of ASCII letters
    std::optional<std::vector<TrackId>> tracks;
    std::optional<TimeRange> range;              // runs, or begins, inside
    Ns leastDur = 0;
    Ns mostDur = std::numeric_limits<Ns>::max();

    bool operator==(const EventFilter &) const = default;
};

enum class EventKey : std::uint8_t { Time, Duration };

// Equal keys stand in the order of ids; descending is ascending backwards.
struct EventOrder {
    EventKey key = EventKey::Time;
    bool descending = false;

    bool operator==(const EventOrder &) const = default;
};

struct EventRow {
    SliceId id;
    TrackId track;
    Ns ts = 0, dur = 0;
    std::int32_t depth = 0;
    SliceKind kind = SliceKind::Slice;
    std::string name, category;
    std::optional<double> joules;                // of the last analysis
};

}  // namespace wattproof::store
