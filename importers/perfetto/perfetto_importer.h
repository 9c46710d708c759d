// Perfetto's protobuf traces: docs/formats.md says what is read, what is only counted and what is refused.
#pragma once

#include "importers/importer.h"

#include <memory>

namespace wattproof::importers {

[[nodiscard]] std::unique_ptr<Importer> makePerfettoImporter();

}  // namespace wattproof::importers
