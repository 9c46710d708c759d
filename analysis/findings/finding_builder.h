// Fills the parts of a finding that all rules state in the same way.
#pragma once

#include "analysis/findings/device_scope.h"

#include <string>

namespace wattproof::analysis {

// A finding of one device: key, rule, class, scope. `range`: where its evidence lies; the span when empty.
[[nodiscard]] Finding draft(const DeviceScope &, const std::string &rule, TimeRange range);

struct Chain {
    std::string intent, mapping, behaviour, impact;
};
void setChain(Finding &, Chain);

// Time that the device loses and an intervention gives back, at 95 %: throughput gain over the span; joules when
// an idle floor is known (the device burns it in the lost time; work that is only hidden keeps its joules);
// headline gain when energy and units are known.
void setSavedTime(Finding &, const DeviceScope &, double lowNs, double highNs);
// The same for idle time `lost`. At best other time without computation goes with it (transfers that run alone
// because nothing is queued behind them), up to half of it again, at the power of short pauses, in which clocks do
// not settle.
void setSavedIdle(Finding &, const DeviceScope &, Ns lost, double lowPart, double highPart);
// For transfers that run alone: at worst part of what can be hidden, which keeps its own joules; at best all of
// it, and the transfer itself with the joules measured in that time.
void setSavedTransfer(Finding &, const DeviceScope &, const IntervalSet &exposed, Ns room, double lowPart);
// Joules saved (negative: spent), and the headline gain that follows.
void setSavedEnergy(Finding &, const DeviceScope &, Interval joules);

void addEvidence(Finding &, std::string claim, double value, std::string unit, std::string query, TimeRange,
                 std::string source);
// A check that fails becomes a contradiction that lowers confidence to at most `confidenceIfFailed`.
void addCheck(Finding &, std::string claim, std::string query, bool passed, double confidenceIfFailed);
void addContradiction(Finding &, std::string claim, std::string query, std::string effect);
void limitConfidence(Finding &, double atMost, std::string reason);
void setConfidence(Finding &, double p, std::string reason);

// Where all the device's rules find their energy: a reason for the confidence.
void noteEnergySource(Finding &, const DeviceScope &);

[[nodiscard]] std::string asMs(double ns);          // "3.598 ms"
[[nodiscard]] std::string asPercent(double share);  // "92.1 %"
[[nodiscard]] std::string asWatts(double watts);    // "412 W"

}  // namespace wattproof::analysis
