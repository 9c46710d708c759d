// A workspace with a day of telemetry: what the overlay has to bear.
#pragma once

#include <string>

namespace wattproof::bench {

// 8 devices × 8 channels at 10 Hz over `hours`, with ripple, a gap and throttling; false after saying why.
[[nodiscard]] bool writeTelemetryDay(const std::string &path, int hours);

}  // namespace wattproof::bench
