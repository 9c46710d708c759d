// Results of rocprofv3 in JSON (`rocprofv3 --output-format json`).
#pragma once

#include "importers/importer.h"

#include <memory>

namespace wattproof::importers {

[[nodiscard]] std::unique_ptr<Importer> makeRocprofImporter();

}  // namespace wattproof::importers
