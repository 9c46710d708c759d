// Reads the message ClockSnapshot.
#pragma once

#include "importers/perfetto/clock_tracker.h"

#include <string_view>
#include <vector>

namespace wattproof::importers::perfetto {

// Clocks 64 to 127 are those of the sequence. `primary` is set when the snapshot names the trace's clock.
[[nodiscard]] std::vector<ClockTracker::Reading> readSnapshot(std::string_view snapshot, std::uint32_t sequence,
                                                              std::uint32_t &primary);

}  // namespace wattproof::importers::perfetto
