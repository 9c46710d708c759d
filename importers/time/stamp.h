// Time stamps of logs as exact nanoseconds.
#pragma once

#include "store/time.h"

#include <optional>
#include <string_view>

namespace wattproof::importers {

// How a column writes its times. Auto decides by the text of each stamp.
enum class StampUnit : std::uint8_t {
    Auto,
    Seconds,
    Milliseconds,
    Microseconds,
    Nanoseconds,
    DateTime,
    TimeOfDay
};

[[nodiscard]] std::optional<StampUnit> stampUnitFromWord(
    std::string_view);  // "auto" "s" "ms" "us" "ns" "datetime" "iso8601" "time_of_day"

enum class StampBasis : std::uint8_t {
    Epoch,      // ns since 1970, UTC: a number that large, or a date with an offset
    Wall,       // ns of the local calendar: a date without zone
    TimeOfDay,  // ns since midnight
    Relative    // ns since some start: a number too small for an epoch
};

struct Stamp {
    StampBasis basis = StampBasis::Epoch;
    Ns ns = 0;
};

// Numbers below 1990 are relative. Auto reads a number by its size: seconds, ms, µs and ns of this age differ by
// 1000. Dates: 2025/07/22 05:10:00.000, 2025-07-22T05:10:00,5+02:00, 22.07.2025 05:10:00, 22-07-2025 05:10:00;
// 05:10:00.5 alone is a time of day. Fractions beyond nanoseconds are rounded half up.
[[nodiscard]] std::optional<Stamp> parseStamp(std::string_view text, StampUnit unit);

}  // namespace wattproof::importers
