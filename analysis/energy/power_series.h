// Power of one device over time with its gaps, and the energy rules of each channel kind (docs/methods.md, Energy).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/intervals.h"
#include "store/rows.h"

namespace wattproof::analysis {

struct EnergyOfRange {
    double j = 0;
    double coveredS = 0;           // seconds that were integrated
    double missingS = 0;           // seconds inside the channel's extent that are gaps
    double outsideS = 0;           // seconds before the first or after the last sample
    double longestGapS = 0;
};

class PowerSeries {
public:
    // Samples ordered by ts in workspace time. maxGap: longest bridged distance; 0 = 5 median periods. For kinds
    // gauge, mean, delta (J per interval), counter (J, unwrapped by the importer or here by modulus) and run.
    PowerSeries(CounterRow channel, std::vector<Sample> samples, Ns maxGap = 0);

    [[nodiscard]] const CounterRow &channel() const;
    [[nodiscard]] const std::vector<Sample> &samples() const;
    [[nodiscard]] TimeRange extent() const;
    [[nodiscard]] Ns medianPeriod() const;
    [[nodiscard]] const IntervalSet &covered() const;       // extent minus gaps
    [[nodiscard]] const IntervalSet &gaps() const;

    [[nodiscard]] EnergyOfRange energy(TimeRange) const;
    [[nodiscard]] EnergyOfRange energy(const IntervalSet &) const;
    // Instantaneous reading by the kind's own rule (interpolated, held or differenced); none in a gap or outside.
    [[nodiscard]] std::optional<double> watts(Ns) const;
    // Samples thinned to the sensor's own updates: what regressions may use (kind power only).
    [[nodiscard]] std::vector<Sample> updates() const;

private:
    CounterRow channel_;
    std::vector<Sample> samples_;
    std::vector<double> cumulativeJ_;      // energy up to each sample
    Ns medianPeriod_ = 0;
    Ns maxGap_ = 0;
    IntervalSet covered_, gaps_;
};

}  // namespace wattproof::analysis
