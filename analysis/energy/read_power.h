// Reads a power or energy channel of a workspace as what energy is computed from.
#pragma once

#include "analysis/energy/power_series.h"
#include "store/reader.h"

#include <stop_token>

namespace wattproof::analysis {

// The longest distance between readings of a source that is bridged, as its import was told (metadata max_gap_s);
// 0: the rule of five median periods.
[[nodiscard]] Expected<Ns> bridgedGap(store::Reader &, SourceId);

// All samples of a channel in workspace time.
[[nodiscard]] Expected<PowerSeries> readPower(store::Reader &, const CounterRow &channel,
                                              const std::stop_token & = {});

// Those that say anything about a range, where the whole would take long. Deltas are all read: which distances are
// gaps follows from all of a channel.
[[nodiscard]] Expected<PowerSeries> readPowerAround(store::Reader &, const CounterRow &channel, TimeRange range,
                                                    const std::stop_token & = {});

// The same as readPower() at the times that the log itself states: as they would be without `map`'s offset and drift.
[[nodiscard]] Expected<PowerSeries> readStatedPower(store::Reader &, const CounterRow &channel, const TimeMap &map,
                                                    const std::stop_token & = {});

}  // namespace wattproof::analysis
