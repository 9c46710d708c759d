// UTF-8 and the \u escapes of JSON.
#pragma once

#include <cstdint>
#include <string>

namespace wattproof::importers {

// Bytes of the well-formed UTF-8 sequence that begins here; 0 when there is none (overlong, surrogate, cut).
[[nodiscard]] int utf8Length(const char *at, const char *end);
void appendUtf8(std::string &out, std::uint32_t codePoint);

// `hex` points at the four digits of a \u escape.
[[nodiscard]] std::uint32_t hexValue(const char *hex);
[[nodiscard]] bool isHighSurrogate(const char *hex);
[[nodiscard]] bool isLowSurrogate(const char *hex);

}  // namespace wattproof::importers
