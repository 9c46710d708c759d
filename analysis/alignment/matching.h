// Which power channel of a log shows the load of which device, before the two are on one clock.
#pragma once

#include "store/rows.h"

#include <vector>

namespace wattproof::analysis {

[[nodiscard]] const DeviceRow *deviceById(const std::vector<DeviceRow> &, DeviceId);

[[nodiscard]] bool isAccelerator(const DeviceRow &);

// One device in a trace and in a log: by UUID where both state one, else by bus address, else two accelerators by
// the number that their files give them.
[[nodiscard]] bool sameDevice(const DeviceRow &, const DeviceRow &);

// What shows the load's edges best of each device of a log: power before energy, then the finest window. Channels
// that a measured parent contains are left out; accelerators alone where the log has any.
[[nodiscard]] std::vector<CounterRow> edgeChannels(const std::vector<CounterRow> &, const std::vector<DeviceRow> &,
                                                   SourceId log);

}  // namespace wattproof::analysis
