// A list of times at which a load was switched on and off, as benchmarks of power sensors write beside their log. It is
// no work of a device: it is the reference against which the log's clock is found.
#pragma once

#include "importers/importer.h"

#include <memory>

namespace wattproof::importers {

[[nodiscard]] std::unique_ptr<Importer> makeLoadMarksImporter();

}  // namespace wattproof::importers
