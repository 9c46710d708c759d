// What the printed reports of load generators have in common: words, and numbers with units of their own.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wattproof::importers::requests {

using UnitFactor = std::pair<std::string_view, double>;

// Separated by blanks; of a line of endless ones the first 64.
[[nodiscard]] std::vector<std::string_view> wordsOf(std::string_view line);

// "5.80ms" with {"ms", 1e-3} as 0.0058; a number without unit as it is; none for other texts.
[[nodiscard]] std::optional<double> numberIn(std::string_view text, std::span<const UnitFactor> units);

// A text that reads back as the same number.
[[nodiscard]] std::string plainNumber(double value);

}  // namespace wattproof::importers::requests
