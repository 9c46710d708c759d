// Power, thermal and clock logs that are tables, by descriptor (descriptor.h): nvidia-smi's query CSV, RAPL and
// energy counter CSVs, columns per GPU, home-made logs.
#pragma once

#include "importers/importer.h"

#include <memory>

namespace wattproof::importers {

[[nodiscard]] std::unique_ptr<Importer> makePowerImporter();

}  // namespace wattproof::importers
