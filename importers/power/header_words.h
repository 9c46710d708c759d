// What the header of a column says of it: its words, its unit, its quantity, its device.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace wattproof::importers {

// "GPU Power_mW" → gpu, power, mw.
[[nodiscard]] std::vector<std::string> wordsOf(std::string_view header);
[[nodiscard]] bool hasWord(const std::vector<std::string> &words, std::initializer_list<std::string_view> wanted);
[[nodiscard]] bool hasPart(const std::string &text, std::initializer_list<std::string_view> wanted);
// The unit that a header states, in brackets, behind a comma or as its last word; empty: none.
[[nodiscard]] std::string unitOfHeader(std::string_view header, const std::vector<std::string> &words);
[[nodiscard]] std::string quantityOfUnit(const std::string &unit);
[[nodiscard]] std::string quantityOfName(const std::string &lower, const std::vector<std::string> &words);
// "gpu1_power", "GPU 1", "power_gpu1": the device that a column is of.
[[nodiscard]] std::string deviceOfHeader(const std::string &lower);

}  // namespace wattproof::importers
