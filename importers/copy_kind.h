// The direction of a copy in the words of profilers.
#pragma once

#include "store/rows.h"

#include <string_view>

namespace wattproof::importers {

// By its name ("Memcpy HtoD (Pageable -> Device)", "CopyDeviceToHost") or the like; Other where it does not tell.
[[nodiscard]] CopyKind copyKindOf(std::string_view text);

}  // namespace wattproof::importers
