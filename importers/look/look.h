// A look at one file before anything of it is stored: its head goes through the very importer that would read it.
#pragma once

#include "importers/importer.h"

namespace wattproof::importers {

// Of longer files only as much is read, up to the last whole line. Traces hold more in a byte that is looked at.
inline constexpr std::size_t kLookedAtLog = std::size_t{8} << 20U;
inline constexpr std::size_t kLookedAtTrace = std::size_t{2} << 20U;

// Fails only when cancelled: what is wrong with the file is told in the look.
[[nodiscard]] Expected<FileLook> lookAt(const std::string &path, const Options &, const Task &);

// What a user may say a file is.
[[nodiscard]] std::vector<FormatName> formatsByHand();

}  // namespace wattproof::importers
