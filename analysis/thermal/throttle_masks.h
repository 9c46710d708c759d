// What the bits of a throttle mask mean, by vendor: resources/throttle/.
#pragma once

#include "store/result.h"

#include <string>
#include <vector>

namespace wattproof::analysis {

struct ThrottleReason {
    int bit = 0;
    std::string name;
    std::string clampClass;  // thermal, power, current, other; none: not a clamp (idle, a user's setting)
    std::vector<int> holds;  // bits that say the same more exactly: where one is set, this one is left out
};

// The reasons of one table ("nvml", "amdsmi", "zes", "gpuz"). An error names file, key and expected type; a table
// that is not in the file is empty.
[[nodiscard]] Expected<std::vector<ThrottleReason>> throttleReasons(const std::string &table);

}  // namespace wattproof::analysis
