// What a polled power sensor makes of the true power.
#pragma once

#include "tests/simulator/simulator.h"

namespace wattproof::simulator {

// `config` with its physical faults already in it.
[[nodiscard]] PowerLog sense(const SimulationConfig &config, const PowerCurve &);

}  // namespace wattproof::simulator
