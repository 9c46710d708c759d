// The `cuda_gpu_trace` report of `nsys stats --format csv`: every kernel, copy and memset of a GPU, times from the
// start of the profile.
#pragma once

#include "importers/importer.h"

#include <memory>

namespace wattproof::importers {

[[nodiscard]] std::unique_ptr<Importer> makeNsysImporter();

}  // namespace wattproof::importers
