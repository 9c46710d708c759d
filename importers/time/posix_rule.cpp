#include "importers/time/zone.h"

#include <algorithm>

namespace wattproof::importers {
namespace {

constexpr std::int64_t kDaySeconds = 86400;

// Reads a POSIX TZ string from front to back; every step says whether the text fits.
class RuleText {
public:
    explicit RuleText(std::string_view text) : rest_(text) {}

    [[nodiscard]] bool atEnd() const { return rest_.empty(); }
    [[nodiscard]] bool take(char c) {
        if (rest_.empty() || rest_.front() != c)
            return false;
        rest_.remove_prefix(1);
        return true;
    }
    // "CET" or "<+03>".
    [[nodiscard]] bool name() {
        const bool quoted = take('<');
        const auto end = quoted ? std::find(rest_.begin(), rest_.end(), '>')
                                : std::find_if(rest_.begin(), rest_.end(), [](char c) {
                                      return !((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'));
                                  });
        const auto length = static_cast<std::size_t>(end - rest_.begin());
        rest_.remove_prefix(length);
        return length >= 3 && (!quoted || take('>'));
    }
    [[nodiscard]] std::optional<int> number() {
        int value = 0;
        std::size_t digits = 0;
        while (digits < rest_.size() && digits < 4 && rest_[digits] >= '0' && rest_[digits] <= '9')
            value = value * 10 + (rest_[digits++] - '0');
        rest_.remove_prefix(digits);
        return digits > 0 ? std::optional(value) : std::nullopt;
    }
    // "[+-]h[:m[:s]]" in seconds.
    [[nodiscard]] std::optional<std::int64_t> clock() {
        const bool negative = take('-');
        if (!negative)
            static_cast<void>(take('+'));
        std::int64_t seconds = 0;
        for (const std::int64_t scale : {3600, 60, 1}) {
            const std::optional<int> part = number();
            if (!part)
                return std::nullopt;
            seconds += *part * scale;
            if (!take(':'))
                break;
        }
        return negative ? -seconds : seconds;
    }

private:
    std::string_view rest_;
};

std::optional<PosixRule::Change> parseChange(RuleText &text) {
    PosixRule::Change change;
    if (text.take('M')) {
        const auto month = text.number();
        const bool first = text.take('.');
        const auto week = text.number();
        const bool second = text.take('.');
        const auto day = text.number();
        if (!month || !first || !week || !second || !day || *month < 1 || *month > 12 || *week < 1 || *week > 5 ||
            *day > 6)
            return std::nullopt;
        change.month = *month;
        change.week = *week;
        change.day = *day;
    } else {
        change.kind = text.take('J') ? 'J' : 'N';
        const auto day = text.number();
        if (!day)
            return std::nullopt;
        change.day = *day;
    }
    if (text.take('/')) {
        const auto second = text.clock();
        if (!second)
            return std::nullopt;
        change.second = *second;
    }
    return change;
}

bool leap(std::int64_t year) {
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

// Local seconds since 1970 at which a change happens in a year.
std::int64_t changeInYear(const PosixRule::Change &change, std::int64_t year) {
    std::int64_t day = daysFromCivil(year, 1, 1);
    if (change.kind == 'J') {
        day += change.day - 1 + (leap(year) && change.day >= 60 ? 1 : 0);
    } else if (change.kind == 'N') {
        day += change.day;
    } else {
        const std::int64_t first = daysFromCivil(year, change.month, 1);
        const std::int64_t weekday = ((first % 7) + 11) % 7;  // 1970-01-01 was a Thursday
        day = first + (change.day - weekday + 7) % 7 + (change.week - 1) * std::int64_t{7};
        const std::int64_t next =
            change.month == 12 ? daysFromCivil(year + 1, 1, 1) : daysFromCivil(year, change.month + 1, 1);
        while (day >= next)
            day -= 7;
    }
    return day * kDaySeconds + change.second;
}

}  // namespace

std::int64_t daysFromCivil(std::int64_t year, int month, int day) {
    // Counts in eras of 400 years from 1 March, so that a leap day ends its year.
    const std::int64_t y = year - (month <= 2 ? 1 : 0);
    const std::int64_t era = (y >= 0 ? y : y - 399) / 400;
    const std::int64_t yearOfEra = y - era * 400;
    const std::int64_t dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719468;
}

std::int64_t yearOfDay(std::int64_t days) {
    std::int64_t year = 1970 + days / 366;
    while (daysFromCivil(year + 1, 1, 1) <= days)
        ++year;
    while (daysFromCivil(year, 1, 1) > days)
        --year;
    return year;
}

std::optional<PosixRule> PosixRule::parse(std::string_view string) {
    RuleText text(string);
    PosixRule rule;
    if (!text.name())
        return std::nullopt;
    const auto west = text.clock();
    if (!west)
        return std::nullopt;
    rule.standard = -*west;
    if (text.atEnd())
        return rule;
    if (!text.name())
        return std::nullopt;
    rule.summer = rule.standard + 3600;
    if (!text.take(',')) {
        const auto summerWest = text.clock();
        if (!summerWest || !text.take(','))
            return std::nullopt;
        rule.summer = -*summerWest;
    }
    const auto start = parseChange(text);
    const bool comma = text.take(',');
    const auto end = parseChange(text);
    if (!start || !comma || !end || !text.atEnd())
        return std::nullopt;
    rule.start = *start;
    rule.end = *end;
    return rule;
}

std::int64_t PosixRule::offsetAt(std::int64_t utcSeconds) const {
    if (!summer)
        return standard;
    const std::int64_t local = utcSeconds + standard;
    const std::int64_t year = yearOfDay(local >= 0 ? local / kDaySeconds : (local - kDaySeconds + 1) / kDaySeconds);
    const std::int64_t from = changeInYear(start, year) - standard;
    const std::int64_t to = changeInYear(end, year) - *summer;
    const bool inSummer =
        from < to ? utcSeconds >= from && utcSeconds < to : utcSeconds >= from || utcSeconds < to;
    return inSummer ? *summer : standard;
}

}  // namespace wattproof::importers
