#include "importers/requests/report_text.h"

#include "importers/table/quantity_text.h"
#include "importers/table/table_reader.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace wattproof::importers::requests {

std::vector<std::string_view> wordsOf(std::string_view line) {
    constexpr std::size_t kMostWords = 64;
    std::vector<std::string_view> words;
    while (!(line = trimmed(line)).empty() && words.size() < kMostWords) {
        words.push_back(line.substr(0, line.find_first_of(" \t")));
        line.remove_prefix(words.back().size());
    }
    return words;
}

std::optional<double> numberIn(std::string_view text, std::span<const UnitFactor> units) {
    const auto number = parseNumber(text, false);
    if (!number || number->rest.empty())
        return number ? std::optional(number->value) : std::nullopt;
    const auto unit = std::find_if(units.begin(), units.end(),
                                   [&number](const UnitFactor &entry) { return entry.first == number->rest; });
    return unit == units.end() ? std::nullopt : std::optional(number->value * unit->second);
}

std::string plainNumber(double value) {
    std::array<char, 40> text{};
    const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} ? std::string(text.data(), end) : std::string();
}

}  // namespace wattproof::importers::requests
