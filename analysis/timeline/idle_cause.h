// Why a device was idle, as far as the host's calls show it (docs/methods.md, Idle by cause).
#pragma once

#include "analysis/context.h"

#include <vector>

namespace wattproof::analysis {

// Cuts one pause into causes. `launch`: range of the host call that launched the operation after the pause; null
// when it is not in the trace. Every ns of the pause belongs to exactly one gap; equal neighbours are merged.
[[nodiscard]] std::vector<DeviceActivity::Gap> causesOf(TimeRange pause, const TimeRange *launch,
                                                        const HostTimeline &);

// Share of each host activity in a set of pauses, by precedence, whatever was launched when: what the host did,
// not what caused the pauses. The last entry is what nothing covers.
[[nodiscard]] std::array<Ns, kHostActivities + 1> hostActivityDuring(const IntervalSet &pauses,
                                                                     const HostTimeline &);

// Fills gaps and outer of an activity.
void findGaps(DeviceActivity &, const HostTimeline &);

}  // namespace wattproof::analysis
