#include "importers/power/power_run.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>
#include <vector>

namespace wattproof::importers {
namespace {

// "Active", "Not Active", "Yes", "No", 1, 0 of a flag's own column; in Chinese logs in the code page of the
// machine (GBK).
std::optional<double> flagWord(std::string_view cell) {
    const std::string text = lowered(cell);
    if (text == "active" || text == "yes" || text == "true" || text == "1" || text == "是" || text == "\xCA\xC7")
        return 1;
    if (text == "not active" || text == "no" || text == "false" || text == "0" || text == "inactive" ||
        text == "否" || text == "\xB7\xF1")
        return 0;
    return std::nullopt;
}

std::optional<double> maskNumber(std::string_view cell) {
    const bool hexadecimal = cell.starts_with("0x") || cell.starts_with("0X");
    const std::string_view digits = hexadecimal ? cell.substr(2) : cell;
    std::uint64_t mask = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), mask, hexadecimal ? 16 : 10);
    if (error != std::errc{} || end != digits.data() + digits.size() || digits.empty())
        return std::nullopt;
    return static_cast<double>(mask);
}

// "Average Power Excursion | Thermal Excursion" as a mask; none where one of the words is not known.
std::optional<double> maskOfWords(const std::vector<std::pair<std::string, int>> &words, std::string_view cell) {
    const std::string text = lowered(cell);
    if (text == "not throttled" || text == "none")
        return 0;
    std::uint64_t mask = 0;
    std::string_view rest = text;
    while (!rest.empty()) {
        const std::size_t bar = std::min(rest.find('|'), rest.size());
        const std::string_view one = trimmed(rest.substr(0, bar));
        rest.remove_prefix(std::min(bar + 1, rest.size()));
        const auto found = std::find_if(words.begin(), words.end(), [&](const auto &word) {
            return one.find(word.first) != std::string_view::npos;
        });
        if (found == words.end() && !one.empty())
            return std::nullopt;
        if (!one.empty())
            mask |= std::uint64_t{1} << static_cast<unsigned>(found->second);
    }
    return static_cast<double>(mask);
}

}  // namespace

// The number of a cell in SI; none for words, broken numbers and units of another dimension.
std::optional<double> PowerRun::valueOf(BoundColumn &column, std::string_view cell) const {
    if (cell.size() > 2 && cell.front() == '(' && cell.back() == ')')
        cell = cell.substr(1, cell.size() - 2);  // "(300Mhz)"
    if (column.rule->bit)
        return flagWord(cell);
    if (column.rule->kind == CounterKind::Flags) {
        const auto number = maskNumber(cell);
        return number || column.rule->flagWords.empty() ? number : maskOfWords(column.rule->flagWords, cell);
    }
    if (!column.rule->prefix.empty() && cell.starts_with(column.rule->prefix))
        cell.remove_prefix(column.rule->prefix.size());
    const auto number = parseNumber(cell, source_->decimalComma());
    const auto &missing = descriptor_->missingNumbers;
    if (!number || std::find(missing.begin(), missing.end(), number->value) != missing.end())
        return std::nullopt;
    if (number->rest.empty())
        return column.scale.apply(number->value);
    if (number->rest != column.cellUnit) {
        const auto scale = unitScale(number->rest);
        if (!scale || scale->unit != column.scale.unit)
            return std::nullopt;
        column.cellUnit = number->rest;
        column.cellScale = *scale;
    }
    return column.cellScale.apply(number->value);
}

}  // namespace wattproof::importers
