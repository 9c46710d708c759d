// How a source says that the zone of its wall times was taken for want of a better one.
#pragma once

#include "store/rows.h"

#include <string_view>

namespace wattproof {

// Ends SourceRow::zone.
inline constexpr std::string_view kZoneAssumed = " (assumed: the log names no zone)";

[[nodiscard]] inline bool hasAssumedZone(const SourceRow &source) {
    return source.clock == ClockBasis::WallAssumedZone && source.zone.ends_with(kZoneAssumed);
}

}  // namespace wattproof
