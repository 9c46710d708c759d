// Statistics of each telemetry channel over a range: the worker's side of the channels pane.
#pragma once

#include "store/reader.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace wattproof::widgets {

struct ChannelStats {
    std::string device, name, unit, sensor;
    std::int64_t readings = 0;       // inside the range
    std::optional<double> mean;      // over time, by the channel's own rule; of energy: mean power
    std::optional<double> p95, max;  // of the readings: nearest rank
    std::optional<double> joules;    // of power and energy
    double coverage = 0;             // share of the range that readings stand for
    double longestGapS = 0;          // inside the range, what lies before and after the log included
};

// Power, energy, temperature, clock, utilisation and limit channels, in the order of their devices. Exact: every
// sample of the range is read, one channel at a time.
[[nodiscard]] Expected<std::vector<ChannelStats>> readChannelStats(store::Reader &, TimeRange,
                                                                   const std::stop_token &);

}  // namespace wattproof::widgets
