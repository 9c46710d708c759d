// How far apart the rows of a log without times are, where the command that recorded it stands in the log.
#pragma once

#include "importers/power/descriptor.h"

#include <optional>
#include <string_view>

namespace wattproof::importers {

inline constexpr double kLongestPeriod = 86'400;

// Seconds, from a line such as "$ sudo turbostat --interval 60 -out t.txt"; none where no line of the head states
// it.
[[nodiscard]] std::optional<double> statedPeriod(std::string_view head, const PeriodOption &option);

}  // namespace wattproof::importers
