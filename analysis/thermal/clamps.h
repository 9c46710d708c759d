// When and why an accelerator's clock was held down (docs/methods.md, Clamps).
#pragma once

#include "analysis/context.h"
#include "analysis/thermal/throttle_masks.h"

namespace wattproof::analysis {

// Time during which samples stand: from each to the next, a gap longer than 5 periods not included (then one
// period).
[[nodiscard]] IntervalSet observed(const std::vector<Sample> &, Ns medianPeriod);

// Stretches in which a bit of the mask is set, under the same rule.
[[nodiscard]] IntervalSet spansOfBit(const std::vector<Sample> &masks, const ThrottleReason &, Ns medianPeriod);

// From flags where the log has them. Else inferred: while busy, the clock lies 10 % or more under its busy
// reference and the device is within 3 °C of its hottest (at least 70 °C), or power within 3 % of its limit;
// marked as inferred.
[[nodiscard]] Expected<std::vector<ClampSpan>> clampsOf(const DeviceReadings &, const DeviceActivity *,
                                                        const PowerSeries *power);

// Fills clamps and result.thermal but for the tail association.
[[nodiscard]] Status findClamps(Context &);

// Odds ratio (+ 0.5) of "slower than p95" between units that overlap a thermal clamp and the others, with the
// p-value of circular shifts of the clamps (six episodes or more). Needs units; says why it is null.
void associateTails(Context &);

}  // namespace wattproof::analysis
