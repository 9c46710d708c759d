// Any table as a user maps it: what its columns seem to mean, and the descriptor of what they were said to mean.
#pragma once

#include "store/import_plan.h"
#include "store/result.h"

#include <string>
#include <string_view>

namespace wattproof::importers {

// From the head of a file: CSV, TSV, blanks, or JSON lines. fixed: separator, decimal sign, header and lines above are
// as it says, only the columns are guessed. An error when the text is no table.
[[nodiscard]] Expected<TableLook> guessTable(std::string_view head, const TableMapping *fixed);

// Roles, quantities and units of columns whose cells are known; header, role, and unit are filled in.
void guessColumns(TableMapping &, const std::vector<std::vector<std::string>> &rows);

// A descriptor (docs/formats.md) of the mapping. Columns go by name where their names tell them apart, so that it fits
// later files with other columns; else by position. An error says what the mapping lacks.
[[nodiscard]] Expected<std::string> descriptorOf(const TableMapping &, const std::string &name);
// "My meter" → "my-meter": a format's name and that of its file.
[[nodiscard]] std::string slugOf(std::string_view name);

// Writes a descriptor to power/ in the user's configuration folder, where every import finds it; returns the path.
// One of that name that is there, or shipped, is not replaced.
[[nodiscard]] Expected<std::string> keepDescriptor(const std::string &json, const std::string &name);

}  // namespace wattproof::importers
