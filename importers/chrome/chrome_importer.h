// Chrome Trace Event JSON, among it the traces of the PyTorch profiler (Kineto): docs/formats.md says what is
// read, what is only counted and what is refused.
#pragma once

#include "importers/importer.h"

#include <memory>

namespace wattproof::importers {

[[nodiscard]] std::unique_ptr<Importer> makeChromeImporter();

}  // namespace wattproof::importers
