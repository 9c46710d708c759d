#include "importers/table/quantity_text.h"

#include "importers/table/table_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace wattproof::importers {
namespace {

bool digit(char c) {
    return c >= '0' && c <= '9';
}

struct UnitName {
    std::string_view text, unit;
    double factor, divisor;
};

constexpr std::array kUnits = {
    UnitName{"W", "W", 1, 1},
    UnitName{"mW", "W", 1, 1e3},
    UnitName{"uW", "W", 1, 1e6},
    UnitName{"kW", "W", 1e3, 1},
    UnitName{"MW", "W", 1e6, 1},
    UnitName{"Watt", "W", 1, 1},
    UnitName{"Watts", "W", 1, 1},
    UnitName{"watts", "W", 1, 1},
    UnitName{"J", "J", 1, 1},
    UnitName{"mJ", "J", 1, 1e3},
    UnitName{"uJ", "J", 1, 1e6},
    UnitName{"kJ", "J", 1e3, 1},
    UnitName{"Joules", "J", 1, 1},
    UnitName{"Wh", "J", 3600, 1},
    UnitName{"mWh", "J", 3600, 1e3},
    UnitName{"pWh", "J", 3600, 1e12},
    UnitName{"kWh", "J", 3.6e6, 1},
    UnitName{"C", "degC", 1, 1},
    UnitName{"degC", "degC", 1, 1},
    UnitName{"\xC2\xB0\x43", "degC", 1, 1},
    UnitName{"celsius", "degC", 1, 1},
    UnitName{"Celsius Degree", "degC", 1, 1},
    UnitName{"\xE2\x84\x83", "degC", 1, 1},
    UnitName{"Hz", "Hz", 1, 1},
    UnitName{"kHz", "Hz", 1e3, 1},
    UnitName{"MHz", "Hz", 1e6, 1},
    UnitName{"GHz", "Hz", 1e9, 1},
    UnitName{"%", "1", 1, 100},
    UnitName{"percent", "1", 1, 100},
    UnitName{"1", "1", 1, 1},
    UnitName{"V", "V", 1, 1},
    UnitName{"mV", "V", 1, 1e3},
    UnitName{"A", "A", 1, 1},
    UnitName{"mA", "A", 1, 1e3},
    UnitName{"uA", "A", 1, 1e6},
    UnitName{"B", "B", 1, 1},
    UnitName{"KiB", "B", 1024, 1},
    UnitName{"MiB", "B", 1048576, 1},
    UnitName{"GiB", "B", 1073741824, 1},
    UnitName{"kB", "B", 1e3, 1},
    UnitName{"KB", "B", 1e3, 1},
    UnitName{"MB", "B", 1e6, 1},
    UnitName{"GB", "B", 1e9, 1},
    UnitName{"MB/s", "B/s", 1e6, 1},
    UnitName{"GB/s", "B/s", 1e9, 1},
    UnitName{"s", "s", 1, 1},
    UnitName{"ms", "s", 1, 1e3},
    UnitName{"us", "s", 1, 1e6},
    UnitName{"ns", "s", 1, 1e9},
    UnitName{"RPM", "1", 1, 1},
};

// Digits before and after the decimal sign, the sign and whether anything followed.
struct Decimal {
    std::string_view whole, fraction;
    bool negative = false, clean = false;
};

Decimal splitDecimal(std::string_view text, bool decimalComma) {
    Decimal d;
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
        d.negative = text.front() == '-';
        text.remove_prefix(1);
    }
    const auto digitsOf = [](std::string_view t) {
        return static_cast<std::size_t>(std::find_if_not(t.begin(), t.end(), digit) - t.begin());
    };
    d.whole = text.substr(0, digitsOf(text));
    text.remove_prefix(d.whole.size());
    if (!text.empty() && (text.front() == '.' || (decimalComma && text.front() == ','))) {
        text.remove_prefix(1);
        d.fraction = text.substr(0, digitsOf(text));
        text.remove_prefix(d.fraction.size());
    }
    d.clean = text.empty() && !(d.whole.empty() && d.fraction.empty());
    return d;
}

bool appendDigit(std::int64_t &value, int digitValue) {
    if (value > (std::numeric_limits<std::int64_t>::max() - 9) / 10)
        return false;
    value = value * 10 + digitValue;
    return true;
}

}  // namespace

std::optional<NumberText> parseNumber(std::string_view text, bool decimalComma) {
    text = trimmed(text);
    std::array<char, 64> copy{};
    if (decimalComma) {
        const std::size_t comma = text.find(',');
        if (comma != std::string_view::npos && text.size() < copy.size()) {
            std::copy(text.begin(), text.end(), copy.begin());
            copy[comma] = '.';
        }
    }
    const char *begin = copy[0] != 0 ? copy.data() : text.data();
    const char *end = begin + text.size();
    const char *at = begin < end && *begin == '+' ? begin + 1 : begin;
    NumberText number;
    const auto [stop, error] = std::from_chars(at, end, number.value);
    if (error != std::errc{} || stop == at || !std::isfinite(number.value) ||
        (!digit(*at) && *at != '-' && *at != '.'))
        return std::nullopt;
    number.rest = trimmed(text.substr(static_cast<std::size_t>(stop - begin)));
    return number;
}

std::optional<std::int64_t> decimalToInteger(std::string_view text, int digits, bool decimalComma) {
    const Decimal d = splitDecimal(trimmed(text), decimalComma);
    if (!d.clean)
        return std::nullopt;
    std::int64_t value = 0;
    for (const char c : d.whole)
        if (!appendDigit(value, c - '0'))
            return std::nullopt;
    for (int i = 0; i < digits; ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (!appendDigit(value, at < d.fraction.size() ? d.fraction[at] - '0' : 0))
            return std::nullopt;
    }
    const auto next = static_cast<std::size_t>(digits);
    const char after = next < d.fraction.size() ? d.fraction[next] : '0';
    // Half up, also below zero: -0.5 becomes 0.
    const bool tail =
        next < d.fraction.size() && d.fraction.substr(next + 1).find_first_not_of('0') != std::string_view::npos;
    const bool away = d.negative ? after > '5' || (after == '5' && tail) : after >= '5';
    value += away ? 1 : 0;
    return d.negative ? -value : value;
}

std::optional<UnitScale> unitScale(std::string_view text) {
    text = trimmed(text);
    for (const UnitName &name : kUnits)
        if (name.text == text)
            return UnitScale{std::string(name.unit), name.factor, name.divisor};
    const std::string lower = lowered(text);
    for (const UnitName &name : kUnits)
        if (name.unit != "W" && lowered(name.text) == lower)  // mW and MW differ in case alone
            return UnitScale{std::string(name.unit), name.factor, name.divisor};
    if (text == "\xC2\xB5W" || text == "\xCE\xBCW")
        return UnitScale{"W", 1, 1e6};
    if (text == "\xC2\xB5J" || text == "\xCE\xBCJ")
        return UnitScale{"J", 1, 1e6};
    return std::nullopt;
}

std::string shortNumber(double value) {
    std::array<char, 40> text{};
    const auto result =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 6);
    return {text.data(), result.ptr};
}

NameAndUnit splitUnit(std::string_view header) {
    header = trimmed(header);
    if (header.empty() || (header.back() != ']' && header.back() != ')'))
        return {header, {}};
    const std::size_t open = header.rfind(header.back() == ']' ? '[' : '(');
    if (open == std::string_view::npos || open == 0)
        return {header, {}};
    return {trimmed(header.substr(0, open)), trimmed(header.substr(open + 1, header.size() - open - 2))};
}

}  // namespace wattproof::importers
