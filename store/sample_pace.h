// How far apart the samples of a counter are.
#pragma once

#include "store/rows.h"

#include <span>

namespace wattproof::store {

// Half of the distances are shorter, half longer; 0 for fewer than three samples. Samples are ordered by time.
[[nodiscard]] Ns medianDistance(std::span<const Sample>);

}  // namespace wattproof::store
