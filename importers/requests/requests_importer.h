// Importers of request and latency logs, and of quality results (docs/formats.md).
#pragma once

#include "importers/importer.h"

namespace wattproof::importers {

[[nodiscard]] std::unique_ptr<Importer> makeRequestsImporter();
[[nodiscard]] std::unique_ptr<Importer> makeQualityImporter();

}  // namespace wattproof::importers
