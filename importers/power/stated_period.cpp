#include "importers/power/stated_period.h"

#include "importers/table/quantity_text.h"
#include "importers/table/table_reader.h"

#include <algorithm>

namespace wattproof::importers {
namespace {

constexpr std::string_view kBlanks = " \t\"'";

std::string_view takeWord(std::string_view &line) {
    line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
    const std::string_view word = line.substr(0, line.find_first_of(kBlanks));
    line.remove_prefix(word.size());
    return word;
}

// "turbostat", "/usr/bin/turbostat"
bool isTool(std::string_view word, std::string_view tool) {
    return word == tool || (word.ends_with(tool) && word[word.size() - tool.size() - 1] == '/');
}

// What stands behind an option's name in its own word: "=5" or, of a short one, "5"; none where it is another
// word.
std::optional<std::string_view> valueIn(std::string_view word, const std::string &name) {
    if (!word.starts_with(name))
        return std::nullopt;
    word.remove_prefix(name.size());
    if (word.starts_with('='))
        return word.substr(1);
    const bool isShort = name.size() == 2;
    return word.empty() || isShort ? std::optional(word) : std::nullopt;
}

std::optional<double> periodIn(std::string_view line, const PeriodOption &option) {
    std::string_view word = takeWord(line);
    while (!word.empty() && !isTool(word, option.tool))
        word = takeWord(line);
    while (!word.empty() && !(word = takeWord(line)).empty())
        for (const std::string &name : option.names) {
            const auto value = valueIn(word, name);
            if (!value)
                continue;
            const auto number = parseNumber(value->empty() ? takeWord(line) : *value, false);
            const double seconds = number && number->rest.empty() ? number->value * option.unit : 0;
            if (seconds > 0 && seconds <= kLongestPeriod)
                return seconds;
        }
    return std::nullopt;
}

}  // namespace

std::optional<double> statedPeriod(std::string_view head, const PeriodOption &option) {
    while (!option.tool.empty() && !head.empty()) {
        const std::size_t end = std::min(head.find('\n'), head.size());
        const std::string_view line = head.substr(0, end);
        if (line.find(option.tool) != std::string_view::npos)
            if (const auto seconds = periodIn(trimmed(line), option))
                return seconds;
        head.remove_prefix(std::min(end + 1, head.size()));
    }
    return std::nullopt;
}

}  // namespace wattproof::importers
