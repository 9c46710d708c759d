// The column `sensor` of counters: what limits a channel, as JSON.
#pragma once

#include "store/rows.h"

#include <string>
#include <string_view>

namespace wattproof::store {

// {"kind": "measured", "period_ns": 100000000, "window_ns": 25000000, "lag_ns": 0, "duty": 0.25, "quantum": 0.01,
//  "note": ""}; what is unknown is left out.
[[nodiscard]] std::string sensorToJson(const Sensor &);
[[nodiscard]] Sensor sensorFromJson(std::string_view);

}  // namespace wattproof::store
