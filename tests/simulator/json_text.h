// Small pieces of JSON as text, for writers that stream.
#pragma once

#include "store/time.h"

#include <string>
#include <string_view>

namespace wattproof::simulator {

void appendInteger(std::string &out, std::int64_t value);
// Nanoseconds as microseconds with three decimals: 1234567 -> 1234.567.
void appendMicroseconds(std::string &out, Ns ns);
// Fixed number of decimals, half away from zero; without the locale or libc's printf.
void appendFixed(std::string &out, double value, int decimals);
[[nodiscard]] std::string quoted(std::string_view text);

}  // namespace wattproof::simulator
