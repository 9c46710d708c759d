// The load as a power sensor would show it: the busy share over the window that ends `lag` before each reading.
#pragma once

#include "analysis/energy/power_series.h"
#include "analysis/intervals.h"

#include <vector>

namespace wattproof::analysis {

// What correlation needs of a sensor, with unknown parts replaced by what the samples show. Times in ns.
struct SensorModel {
    Ns period = 0;  // distance of updates
    Ns window = 0;  // averaging window; the period where the channel does not state one
    Ns lag = 0;
    Ns lagDoubt = 0;  // by how much the lag may be wrong
    bool lagKnown = false;
};

[[nodiscard]] SensorModel sensorModel(const PowerSeries &);

// Readings in watts, whatever the channel's kind: energy channels are differenced. One an update of the sensor: of
// polls that repeat it the first, half a poll earlier, since the update came somewhere between the last poll that
// did not show it and the first that did.
[[nodiscard]] std::vector<Sample> wattPoints(const PowerSeries &);

// Answers busyBefore(t) for times that mostly grow: amortised constant.
class BusyClock {
public:
    explicit BusyClock(const IntervalSet &busy) : busy_(busy) {}
    [[nodiscard]] Ns busyBefore(Ns t);

private:
    const IntervalSet &busy_;
    std::size_t next_ = 0;  // first interval that does not end before the last t
    Ns complete_ = 0;       // length of the intervals before next_
};

class SensorView {
public:
    SensorView(const IntervalSet &busy, const SensorModel &model) : begin_(busy), end_(busy), model_(model) {}
    // Busy share that the reading at t stands for; ask with growing t.
    [[nodiscard]] double share(Ns t);

private:
    BusyClock begin_, end_;
    SensorModel model_;
};

// Where correlation looks: from first to last operation with a margin on both sides, in which the device is taken
// as idle so that the run's own start and end count as edges.
[[nodiscard]] TimeRange observedRange(const IntervalSet &busy, const SensorModel &);

// The readings whose windows lie between first and last operation: what holds for an excerpt of a longer job too.
// Empty where the run is shorter than a window.
[[nodiscard]] TimeRange insideRange(const IntervalSet &busy, const SensorModel &);

}  // namespace wattproof::analysis
