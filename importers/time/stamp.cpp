#include "importers/time/stamp.h"

#include "importers/table/quantity_text.h"
#include "importers/table/table_reader.h"
#include "importers/time/zone.h"

#include <algorithm>

namespace wattproof::importers {
namespace {

constexpr Ns kStampSecond = 1'000'000'000;
constexpr Ns kStampDay = 86400 * kStampSecond;
constexpr Ns kYear1990 = 631'152'000 * kStampSecond;

bool decimalDigit(char c) {
    return c >= '0' && c <= '9';
}

std::size_t digitsAt(std::string_view text) {
    return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), decimalDigit) - text.begin());
}

// Takes up to maxDigits digits from the front.
std::optional<int> takeNumber(std::string_view &text, std::size_t minDigits, std::size_t maxDigits) {
    const std::size_t count = std::min(digitsAt(text), maxDigits);
    if (count < minDigits)
        return std::nullopt;
    int value = 0;
    for (std::size_t i = 0; i < count; ++i)
        value = value * 10 + (text[i] - '0');
    text.remove_prefix(count);
    return value;
}

bool takeChar(std::string_view &text, std::string_view allowed) {
    if (text.empty() || allowed.find(text.front()) == std::string_view::npos)
        return false;
    text.remove_prefix(1);
    return true;
}

int daysOfMonth(int year, int month) {
    return static_cast<int>((month == 12 ? daysFromCivil(year + 1, 1, 1) : daysFromCivil(year, month + 1, 1)) -
                            daysFromCivil(year, month, 1));
}

std::optional<Ns> midnightOf(int year, int month, int day) {
    if (year < 1970 || year > 2200 || month < 1 || month > 12 || day < 1 || day > daysOfMonth(year, month))
        return std::nullopt;
    return daysFromCivil(year, month, day) * kStampDay;
}

// "20250722" at the front.
std::optional<Ns> takeCompactDate(std::string_view &text) {
    if (digitsAt(text) != 8)
        return std::nullopt;
    const auto year = takeNumber(text, 4, 4), month = takeNumber(text, 2, 2), day = takeNumber(text, 2, 2);
    return midnightOf(*year, *month, *day);
}

// A date at the front, as ns since 1970 of its midnight. A slash after one or two digits may stand behind the day or
// the month: such dates are read only where the column says which.
std::optional<Ns> takeDate(std::string_view &text, StampUnit unit) {
    std::string_view rest = text;
    const bool yearFirst = digitsAt(rest) == 4;
    const bool told = unit == StampUnit::DateTimeDmy || unit == StampUnit::DateTimeMdy;
    const std::string_view separators = yearFirst || told ? "-/." : "-.";
    const auto first = takeNumber(rest, yearFirst ? 4 : 1, yearFirst ? 4 : 2);
    const bool separator = takeChar(rest, separators);
    const auto second = takeNumber(rest, 1, 2);
    const bool another = takeChar(rest, separators);
    const auto last = takeNumber(rest, yearFirst ? 1 : 4, yearFirst ? 2 : 4);
    if (!first || !separator || !second || !another || !last)
        return std::nullopt;
    const bool monthFirst = !yearFirst && unit == StampUnit::DateTimeMdy;
    const auto midnight = yearFirst    ? midnightOf(*first, *second, *last)
                          : monthFirst ? midnightOf(*last, *first, *second)
                                       : midnightOf(*last, *second, *first);
    if (midnight)
        text = rest;
    return midnight;
}

// "05:10[:00[.123456789]]" at the front, as ns since midnight; "5:1:7.5" is how HWiNFO writes it.
std::optional<Ns> takeClock(std::string_view &text) {
    std::string_view rest = text;
    const auto hour = takeNumber(rest, 1, 2);
    if (!hour || !takeChar(rest, ":"))
        return std::nullopt;
    const auto minute = takeNumber(rest, 1, 2);
    std::optional<int> second = 0;
    if (takeChar(rest, ":"))
        second = takeNumber(rest, 1, 2);
    if (!minute || !second || *hour > 23 || *minute > 59 || *second > 60)
        return std::nullopt;
    Ns fraction = 0;
    if (!rest.empty() && (rest.front() == '.' || rest.front() == ',') && rest.size() > 1 && decimalDigit(rest[1])) {
        const std::size_t length = 1 + digitsAt(rest.substr(1));
        fraction = decimalToInteger(rest.substr(0, std::min<std::size_t>(length, 40)), 9, true).value_or(0);
        rest.remove_prefix(length);
    }
    text = rest;
    return ((*hour * Ns{60} + *minute) * 60 + *second) * kStampSecond + fraction;
}

// What may follow a clock: nothing, "Z", "UTC", or an offset, which is then subtracted.
std::optional<Stamp> withZone(Ns local, std::string_view rest) {
    rest = trimmed(rest);
    if (rest.empty())
        return Stamp{StampBasis::Wall, local};
    if (rest == "Z" || rest == "z" || rest == "UTC")
        return Stamp{StampBasis::Epoch, local};
    const bool west = rest.front() == '-';
    if (!takeChar(rest, "+-"))
        return std::nullopt;
    const auto hours = takeNumber(rest, 2, 2);
    static_cast<void>(takeChar(rest, ":"));
    const auto minutes = rest.empty() ? std::optional(0) : takeNumber(rest, 2, 2);
    if (!hours || !minutes || !rest.empty() || *hours > 18 || *minutes > 59)
        return std::nullopt;
    const Ns offset = (*hours * Ns{60} + *minutes) * 60 * kStampSecond;
    return Stamp{StampBasis::Epoch, west ? local + offset : local - offset};
}

// A word of letters at the front, with the blanks behind it.
std::string_view takeWord(std::string_view &text) {
    const auto isLetter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); };
    const auto length = static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), isLetter) - text.begin());
    const std::string_view word = text.substr(0, length);
    text = trimmed(text.substr(length));
    return word;
}

// C's form, as ctime(3), date(1), hl-smi and powermetrics write it: "Tue Jul 22 05:10:00 [UTC] 2025 [+0200]". Other names
// of zones mean several zones each (CST): such a time is read as if it named none.
std::optional<Stamp> parseCTime(std::string_view text) {
    constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
    if (takeWord(text).size() != 3)
        return std::nullopt;
    const std::string_view name = takeWord(text);
    const std::size_t month = name.size() == 3 ? kMonths.find(name) : std::string_view::npos;
    const auto day = takeNumber(text, 1, 2);
    text = trimmed(text);
    const auto clock = takeClock(text);
    text = trimmed(text);
    const std::string_view zone = takeWord(text);
    const auto year = takeNumber(text, 4, 4);
    if (month == std::string_view::npos || month % 3 != 0 || !day || !clock || !year)
        return std::nullopt;
    const auto midnight = midnightOf(*year, static_cast<int>(month / 3) + 1, *day);
    if (!midnight)
        return std::nullopt;
    return withZone(*midnight + *clock, zone == "UTC" || zone == "GMT" ? "UTC" : text);
}

std::optional<Stamp> parseDateTime(std::string_view text, StampUnit unit) {
    auto date = takeDate(text, unit);
    if (!date && unit != StampUnit::Auto)
        date = takeCompactDate(text);
    if (!date)
        return parseCTime(text);
    if (!takeChar(text, "T ") && !text.empty())
        return std::nullopt;
    text = trimmed(text);
    const auto clock = text.empty() ? std::optional<Ns>(0) : takeClock(text);
    return clock ? withZone(*date + *clock, text) : std::nullopt;
}

std::optional<Stamp> parseTimeOfDay(std::string_view text) {
    const auto clock = takeClock(text);
    return clock && text.empty() ? std::optional(Stamp{StampBasis::TimeOfDay, *clock}) : std::nullopt;
}

std::optional<Stamp> parseCount(std::string_view text, int digits) {
    const auto ns = decimalToInteger(text, digits, true);
    if (!ns)
        return std::nullopt;
    return Stamp{*ns >= kYear1990 ? StampBasis::Epoch : StampBasis::Relative, *ns};
}

// Seconds since 1970 have nine or ten digits before the point, each finer unit three more; fewer are relative
// seconds.
int digitsBySize(std::string_view text) {
    const std::size_t whole = digitsAt(text);
    return whole <= 11 ? 9 : whole <= 14 ? 6 : whole <= 17 ? 3 : 0;
}

}  // namespace

std::optional<StampUnit> stampUnitFromWord(std::string_view word) {
    if (word == "auto")
        return StampUnit::Auto;
    if (word == "s")
        return StampUnit::Seconds;
    if (word == "ms")
        return StampUnit::Milliseconds;
    if (word == "us")
        return StampUnit::Microseconds;
    if (word == "ns")
        return StampUnit::Nanoseconds;
    if (word == "datetime" || word == "iso8601")
        return StampUnit::DateTime;
    if (word == "datetime_dmy")
        return StampUnit::DateTimeDmy;
    if (word == "datetime_mdy")
        return StampUnit::DateTimeMdy;
    if (word == "time_of_day")
        return StampUnit::TimeOfDay;
    return std::nullopt;
}

std::optional<Stamp> parseStamp(std::string_view text, StampUnit unit) {
    text = trimmed(text);
    switch (unit) {
        case StampUnit::Seconds:
            return parseCount(text, 9);
        case StampUnit::Milliseconds:
            return parseCount(text, 6);
        case StampUnit::Microseconds:
            return parseCount(text, 3);
        case StampUnit::Nanoseconds:
            return parseCount(text, 0);
        case StampUnit::DateTime:
        case StampUnit::DateTimeDmy:
        case StampUnit::DateTimeMdy:
            return parseDateTime(text, unit);
        case StampUnit::TimeOfDay:
            return parseTimeOfDay(text);
        case StampUnit::Auto:
            break;
    }
    if (const auto count = parseCount(text, digitsBySize(text)))
        return count;
    if (const auto date = parseDateTime(text, StampUnit::Auto))
        return date;
    return parseTimeOfDay(text);
}

}  // namespace wattproof::importers
