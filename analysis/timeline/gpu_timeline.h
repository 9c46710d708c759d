// Busy, exposed and idle time of each device (docs/methods.md, GPU timeline).
#pragma once

#include "analysis/context.h"
#include "store/analysis_store.h"

#include <map>
#include <vector>

namespace wattproof::analysis {

enum class WorkClass { Compute, Communication, Copy };

// Copy: a memcpy activity, or a kernel of class "copy". Communication: class "communication". Everything else
// computes, memset included.
[[nodiscard]] WorkClass workClass(const store::KernelInterval &, const store::KernelTable &);

// Activity by device, with rows of one physical device joined by context.sameDevice. Gaps are not filled in.
[[nodiscard]] std::map<DeviceId, DeviceActivity> deviceActivities(const Context &);

[[nodiscard]] DeviceTimeline timelineOf(const DeviceActivity &);

// The states of the device over its span, without overlap or hole, ordered by ts: compute wins over communication
// over copy; idle carries its cause.
[[nodiscard]] std::vector<store::DeviceStateRow> deviceStates(const DeviceActivity &);

}  // namespace wattproof::analysis
