// What the user wished for at an import, as it is kept with the source: metadata "import.…", and "max_gap_s".
#pragma once

#include "importers/importer.h"
#include "store/reader.h"

#include <string>
#include <utility>
#include <vector>

namespace wattproof::importers {

// Keys and values of those wishes that concern a source of this kind; what was not wished for is absent.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> wishesOf(const Options &, SourceKind);

}  // namespace wattproof::importers
