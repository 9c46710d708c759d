// Reads the messages ClockSnapshot and RemoteClockSync.
#pragma once

#include "importers/perfetto/clock_tracker.h"

#include <array>
#include <string_view>
#include <vector>

namespace wattproof::importers::perfetto {

// Clocks 64 to 127 are those of the sequence, the others of the machine. `primary` is set when the snapshot names
// the trace's clock.
[[nodiscard]] std::vector<ClockTracker::Reading> readSnapshot(std::string_view snapshot, std::uint32_t sequence,
                                                              std::uint32_t machine, std::uint32_t &primary);

// A clock of another machine and the same clock of the recorder at one moment.
using ClockPair = std::array<ClockTracker::Reading, 2>;
// One pair for each clock that both machines read while they talked to each other.
[[nodiscard]] std::vector<ClockPair> readClockSync(std::string_view sync, std::uint32_t machine);

}  // namespace wattproof::importers::perfetto
