// CPU profiles of V8 as Node, Deno and Chrome's developer tools save them (*.cpuprofile).
#pragma once

#include "importers/importer.h"

#include <memory>

namespace wattproof::importers {

[[nodiscard]] std::unique_ptr<Importer> makeCpuprofileImporter();

}  // namespace wattproof::importers
