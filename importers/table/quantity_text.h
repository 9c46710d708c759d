// Numbers and units as logs write them. Never depends on the locale.
#pragma once

#include "store/time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace wattproof::importers {

// The number at the front of a text; what follows it (a unit, usually) is left in `rest`, blanks removed. A
// decimal comma is accepted only where asked for: with a comma as delimiter it cannot be one.
struct NumberText {
    double value = 0;
    std::string_view rest;
};
[[nodiscard]] std::optional<NumberText> parseNumber(std::string_view text, bool decimalComma);

// Decimal text times 10^digits as an integer, half up, without passing through double: ("1763638585.215", 9) is
// the nanoseconds of those seconds. None when it is not a plain decimal number or does not fit.
[[nodiscard]] std::optional<std::int64_t> decimalToInteger(std::string_view text, int digits,
                                                           bool decimalComma = false);

// A unit as logs write it ("mW", "MiB", "degC", "%") in SI: multiply by factor. unit "1" for shares and counts.
struct UnitScale {
    std::string unit;  // "W", "J", "degC", "Hz", "1", "V", "A", "B", "s", "B/s"
    double factor = 1;
    double divisor = 1;  // exact where the factor is not a binary fraction: value * factor / divisor
    [[nodiscard]] double apply(double value) const { return value * factor / divisor; }
};
[[nodiscard]] std::optional<UnitScale> unitScale(std::string_view text);

// "power.draw [W]" → {"power.draw", "W"}; round brackets likewise; {name, ""} without a unit.
struct NameAndUnit {
    std::string_view name, unit;
};
[[nodiscard]] NameAndUnit splitUnit(std::string_view header);

// A number as messages show it: at most six digits, no trailing zeros.
[[nodiscard]] std::string shortNumber(double value);

}  // namespace wattproof::importers
