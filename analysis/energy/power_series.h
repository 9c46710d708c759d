// Power of one device over time with its gaps, and the energy rules of each channel kind (docs/methods.md,
// Energy).
#pragma once

#include "analysis/intervals.h"
#include "store/rows.h"

#include <optional>
#include <string>
#include <vector>

namespace wattproof::analysis {

// Readings of one channel up to so many median periods apart are bridged (docs/methods.md, Energy).
inline constexpr Ns kPeriodsBridged = 5;

struct EnergyOfRange {
    double j = 0;
    double coveredS = 0;  // seconds that were integrated
    double missingS = 0;  // seconds inside the channel's extent that are gaps
    double outsideS = 0;  // seconds before the first or after the last sample
    double longestGapS = 0;
};

// What the interval between two samples holds, by kind:
//   gauge    W; a straight line from sample to sample; a distance above maxGap is a gap
//   mean     W; the sample's value over the interval that ends at it; a distance above maxGap is a gap
//   delta    J; the sample's value spread over the interval that ends at it; after a distance above maxGap that
//   interval is
//            one median period and the rest is a gap, so that the sum of all deltas stays
//   counter  J; the difference of neighbours, true over any distance; a fall is a wrap where the channel has a
//   modulus,
//            else a reset, whose interval is a gap
//   run      J (W where the unit says so); one value for sensor.window before the sample, prorated
// The first interval of mean and delta begins one median period (sensor.period with a single sample) before it
// ends. Samples that are not finite are missing values: dropped, so that their neighbours bridge them.
class PowerSeries {
public:
    // Samples ordered by ts in workspace time. maxGap: longest bridged distance; 0 = 5 median periods.
    PowerSeries(CounterRow channel, std::vector<Sample> samples, Ns maxGap = 0);

    [[nodiscard]] const CounterRow &channel() const;
    [[nodiscard]] const std::vector<Sample> &samples() const;
    [[nodiscard]] TimeRange extent() const;
    [[nodiscard]] Ns medianPeriod() const;
    [[nodiscard]] Ns maxGap() const;  // longest distance that is bridged
    [[nodiscard]] const IntervalSet &covered() const;  // extent minus gaps
    [[nodiscard]] const IntervalSet &gaps() const;

    [[nodiscard]] EnergyOfRange energy(TimeRange) const;
    [[nodiscard]] EnergyOfRange energy(const IntervalSet &) const;
    // Instantaneous reading by the kind's own rule (interpolated, held or differenced); none in a gap, outside,
    // or where the clock was set between two readings of a counter.
    [[nodiscard]] std::optional<double> watts(Ns) const;
    // Samples thinned to the sensor's own updates: what regressions may use (kind power only).
    [[nodiscard]] std::vector<Sample> updates() const;

private:
    [[nodiscard]] Ns leadIn() const;
    [[nodiscard]] bool breaks(std::size_t i) const;
    [[nodiscard]] Ns segmentStart(std::size_t i) const;
    [[nodiscard]] double segmentJoules(std::size_t i) const;
    [[nodiscard]] bool clockStepped(std::size_t i) const;
    [[nodiscard]] double joulesUpTo(Ns t) const;
    void integrate();

    CounterRow channel_;
    std::vector<Sample> samples_;
    std::vector<double> cumulativeJ_;  // energy up to each sample
    TimeRange extent_;
    Ns medianPeriod_ = 0;  // of the distances that are not zero
    Ns maxGap_ = 0;
    IntervalSet covered_, gaps_;
};

}  // namespace wattproof::analysis
