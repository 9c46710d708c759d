#include "importers/chrome/decimal.h"

#include "importers/trace/time_crowd.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace wattproof::importers::chrome {
namespace {

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

// The parts of a decimal number: digits and a power of ten for the last of them.
struct Decimal {
    bool negative = false;
    std::string_view whole, fraction;
    std::int64_t exponent = 0;
};

std::string_view takeDigits(std::string_view &text) {
    std::size_t count = 0;
    while (count < text.size() && isDigit(text[count]))
        ++count;
    const std::string_view digits = text.substr(0, count);
    text.remove_prefix(count);
    return digits;
}

bool takeExponent(std::string_view &text, std::int64_t &exponent) {
    if (text.empty() || (text[0] != 'e' && text[0] != 'E'))
        return true;
    text.remove_prefix(1);
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+'))
        text.remove_prefix(1);
    const std::string_view digits = takeDigits(text);
    if (digits.empty())
        return false;
    // Beyond this any number is zero or too large; the digits need not be read further.
    constexpr std::int64_t kEnough = 100'000;
    for (const char c : digits)
        exponent = std::min(exponent * 10 + (c - '0'), kEnough);
    exponent = negative ? -exponent : exponent;
    return true;
}

std::optional<Decimal> split(std::string_view text) {
    Decimal parts;
    parts.negative = text.starts_with('-');
    if (parts.negative)
        text.remove_prefix(1);
    parts.whole = takeDigits(text);
    if (text.starts_with('.')) {
        text.remove_prefix(1);
        parts.fraction = takeDigits(text);
        if (parts.fraction.empty())
            return std::nullopt;
    }
    if (parts.whole.empty() || !takeExponent(text, parts.exponent) || !text.empty())
        return std::nullopt;
    return parts;
}

// Digit number `index` of whole and fraction together.
int digitAt(const Decimal &parts, std::int64_t index) {
    const auto i = static_cast<std::size_t>(index);
    return (i < parts.whole.size() ? parts.whole[i] : parts.fraction[i - parts.whole.size()]) - '0';
}

// The digits left of the point after shifting it by exponent + 3 places, rounded half up.
DecimalNs scale(const Decimal &parts) {
    const auto total = static_cast<std::int64_t>(parts.whole.size() + parts.fraction.size());
    const std::int64_t point = static_cast<std::int64_t>(parts.whole.size()) + parts.exponent + 3;
    std::int64_t value = 0;
    for (std::int64_t i = 0; i < point; ++i) {
        const int digit = i < total ? digitAt(parts, i) : 0;
        if (i >= total && value == 0)
            break;
        if (value > (kLargestTime - digit) / 10)
            return {0, DecimalError::Overflow};
        value = value * 10 + digit;
    }
    if (point < 0 || point >= total)
        return {parts.negative ? -value : value};
    const bool halfOrMore = digitAt(parts, point) >= 5;
    if (!parts.negative)
        return {value + (halfOrMore ? 1 : 0)};
    // Half up of a negative number: only what lies beyond the half goes down.
    bool beyondHalf = digitAt(parts, point) > 5;
    for (std::int64_t i = point + 1; halfOrMore && !beyondHalf && i < total; ++i)
        beyondHalf = digitAt(parts, i) != 0;
    return {-value - (beyondHalf ? 1 : 0)};
}

// Nearly all times are plain: so few digits that they and three decimals fit, whatever they are.
constexpr std::size_t kPlainDigits = 15;

std::optional<Ns> plainMicroseconds(std::string_view text) {
    std::int64_t value = 0;
    std::size_t at = 0;
    for (; at < text.size() && at < kPlainDigits && isDigit(text[at]); ++at)
        value = value * 10 + (text[at] - '0');
    if (at == 0 || (at < text.size() && isDigit(text[at])))
        return std::nullopt;
    std::size_t decimals = 0;
    if (at < text.size() && text[at] == '.')
        for (++at; at < text.size() && isDigit(text[at]) && decimals < 3; ++at, ++decimals)
            value = value * 10 + (text[at] - '0');
    if (at != text.size() || text.back() == '.')
        return std::nullopt;
    for (; decimals < 3; ++decimals)
        value *= 10;
    return value;
}

}  // namespace

DecimalNs microsecondsToNs(std::string_view text) {
    if (const auto plain = plainMicroseconds(text))
        return {*plain};
    const auto parts = split(text);
    return parts ? scale(*parts) : DecimalNs{0, DecimalError::NotANumber};
}

std::optional<std::int64_t> integer(std::string_view text) {
    const std::size_t point = text.find('.');
    if (point != std::string_view::npos) {
        const std::string_view fraction = text.substr(point + 1);
        if (fraction.empty() || fraction.find_first_not_of('0') != std::string_view::npos)
            return std::nullopt;
        text = text.substr(0, point);
    }
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

std::optional<double> real(std::string_view text) {
    if (text.size() > 1 && text[0] == '+' && text[1] != '-')
        text.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

}  // namespace wattproof::importers::chrome
