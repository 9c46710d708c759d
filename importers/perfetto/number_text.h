// Numbers as they stand in JSON.
#pragma once

#include <array>
#include <charconv>
#include <string>

namespace wattproof::importers::perfetto {

template <class Number>
void appendNumber(std::string &out, Number number) {
    std::array<char, 32> digits{};
    const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), number);
    out.append(digits.data(), result.ptr);
}

}  // namespace wattproof::importers::perfetto
