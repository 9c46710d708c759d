// Text of a trace is whatever bytes its writer had; what is kept is UTF-8. What is none is damage, never another
// code page: cells of tables differ (validUtf8 in importers/table/table_reader.h says why).
#pragma once

#include <string>
#include <string_view>

namespace wattproof::importers {

// The text itself where it is UTF-8, else `scratch` with U+FFFD for each byte that belongs to no character.
[[nodiscard]] std::string_view mended(std::string_view text, std::string &scratch);
[[nodiscard]] std::string mendedText(std::string_view text);
// As JSON strings, quotes included: of UTF-8, and of any bytes.
void appendQuoted(std::string &out, std::string_view text);
void appendMended(std::string &out, std::string_view text);

}  // namespace wattproof::importers
