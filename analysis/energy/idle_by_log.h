// When a power log itself says that its device did nothing.
#pragma once

#include "analysis/context.h"

namespace wattproof::analysis {

// Between two neighbouring rows, no further apart than five median periods, that both carry the vendor's idle flag
// or both read a utilisation of 0. Where a log has neither column: empty.
[[nodiscard]] IntervalSet idleByLog(const DeviceReadings &);

}  // namespace wattproof::analysis
