#include "importers/part/selection.h"

#include "importers/table/quantity_text.h"
#include "importers/trace/time_crowd.h"

#include <algorithm>
#include <cstdio>

namespace wattproof::importers {
namespace {

constexpr Ns kSecond = 1'000'000'000;
constexpr std::string_view kBetween = "..";

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

template <class Use>
void eachPart(std::string_view list, Use use) {
    while (!list.empty()) {
        const std::size_t comma = std::min(list.find(','), list.size());
        use(trimmed(list.substr(0, comma)));
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
}

// To the nanosecond, without zeros at the end.
std::string secondsText(Ns ns) {
    char text[32];
    std::snprintf(text, sizeof text, "%lld.%09lld", static_cast<long long>(ns / kSecond),
                  static_cast<long long>(ns % kSecond));
    std::string seconds = text;
    seconds.erase(seconds.find_last_not_of('0') + 1);
    if (seconds.back() == '.')
        seconds.pop_back();
    return seconds;
}

std::optional<Ns> sideFrom(std::string_view text, Ns whereEmpty) {
    const std::string_view number = trimmed(text);
    return number.empty() ? std::optional(whereEmpty) : decimalToInteger(number, 9);
}

}  // namespace

bool Selection::reaches(Ns ts, Ns dur) const {
    return !range || (ts < range->end && (ts >= range->begin || ts + dur > range->begin));
}

bool Selection::names(std::string_view category) const {
    bool found = false;
    eachPart(category, [&](std::string_view part) {
        found = found || std::find(categories.begin(), categories.end(), part) != categories.end();
    });
    return found;
}

Expected<TimeRange> rangeFromText(std::string_view text) {
    const std::size_t between = text.find(kBetween);
    if (between != std::string_view::npos) {
        const auto begin = sideFrom(text.substr(0, between), 0);
        const auto end = sideFrom(text.substr(between + kBetween.size()), kLargestTime);
        if (begin && end && *begin >= 0 && *begin < *end && *end <= kLargestTime)
            return TimeRange{*begin, *end};
    }
    return failure("\"" + std::string(text) + "\" is no range of time", {},
                   "write seconds from the beginning of the trace, such as 2..5.5, 2.. or ..5.5");
}

std::string textOf(TimeRange range) {
    const std::string end = range.end == kLargestTime ? std::string() : secondsText(range.end);
    return secondsText(range.begin) + std::string(kBetween) + end;
}

std::string wordsOf(TimeRange range) {
    if (range.end == kLargestTime)
        return secondsText(range.begin) + " s to the end";
    return secondsText(range.begin) + " s to " + secondsText(range.end) + " s";
}

std::vector<std::string> categoriesFromText(std::string_view text) {
    std::vector<std::string> categories;
    eachPart(text, [&](std::string_view part) {
        if (!part.empty())
            categories.emplace_back(part);
    });
    return categories;
}

std::string textOf(const std::vector<std::string> &categories) {
    std::string text;
    for (const std::string &category : categories)
        text += (text.empty() ? "" : ",") + category;
    return text;
}

}  // namespace wattproof::importers
