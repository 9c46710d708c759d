// Reads a workspace once into a Context: rows, series, host calls, units; joins one device's names over sources.
#pragma once

#include "analysis/context.h"
#include "store/task.h"
#include "store/workspace.h"

namespace wattproof::analysis {

// Fills everything that stages and rules work on except what stages compute. The context must not be moved
// afterwards: activities point at its kernel table.
[[nodiscard]] Status buildContext(store::Reader &, Context &, const Task &);

// Which rows stand for one accelerator: equal UUID or PCI address, else equal label on a compatible host, else the
// only accelerator of the trace and the only one of the logs. `traced`: rows with operations; `logged`: rows with
// readings. A sentence is added to `notes` for each join that is a guess.
[[nodiscard]] std::map<DeviceId, DeviceId> joinDevices(const std::vector<DeviceRow> &,
                                                       const std::set<DeviceId> &traced,
                                                       const std::set<DeviceId> &logged,
                                                       std::vector<std::string> &notes);

// The channels whose joules may be added: one a device and domain (an energy counter before instantaneous before
// plain before averaged power), without those inside another that is measured too.
[[nodiscard]] std::vector<CounterRow> rootChannels(const std::vector<CounterRow> &,
                                                   const std::vector<DeviceRow> &);

// The channel that speaks for an accelerator's board; none when there is none.
[[nodiscard]] const CounterRow *boardChannel(const std::vector<CounterRow> &, const std::set<DeviceId> &rows);

}  // namespace wattproof::analysis
