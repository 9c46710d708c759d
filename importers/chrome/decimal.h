// Decimal text to integers, exactly: never through double, which at today's epoch steps by a quarter of a
// microsecond.
#pragma once

#include "store/time.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace wattproof::importers::chrome {

enum class DecimalError : std::uint8_t { None, NotANumber, Overflow };

struct DecimalNs {
    Ns ns = 0;
    DecimalError error = DecimalError::None;
};

// Microseconds as JSON number text ("1753161000123456.789", "1.5e3", "-2") to nanoseconds, rounded half up.
// Overflow: beyond kLargestTime (importers/trace/time_crowd.h).
[[nodiscard]] DecimalNs microsecondsToNs(std::string_view text);

// A whole number, with or without a fraction of zeros; nothing when it is none or does not fit.
[[nodiscard]] std::optional<std::int64_t> integer(std::string_view text);
// Also as people write it in quotes: "+1", ".5", "07".
[[nodiscard]] std::optional<double> real(std::string_view text);

}  // namespace wattproof::importers::chrome
