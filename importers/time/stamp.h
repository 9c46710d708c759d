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
    DateTimeDmy,  // day first: 16/06/2020 09:59
    DateTimeMdy,  // month first: 02-18-2022 02:25:26
    TimeOfDay
};

[[nodiscard]] std::optional<StampUnit> stampUnitFromWord(
    std::string_view);  // "auto" "s" "ms" "us" "ns" "datetime" "iso8601" "datetime_dmy" "datetime_mdy" "time_of_day"

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
// 05:10:00.5 alone is a time of day. Fractions beyond nanoseconds are rounded half up. Where a column is said to hold
// dates, 20250722 05:10:00 and C's form are read too: Tue Jul 22 05:10:00 2025, with a zone before or after the year.
[[nodiscard]] std::optional<Stamp> parseStamp(std::string_view text, StampUnit unit);

}  // namespace wattproof::importers
