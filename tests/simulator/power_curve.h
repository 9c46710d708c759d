// The true power of the device over time: constant between changes, so that every integral is exact.
#pragma once

#include "store/time.h"

#include <cstdint>
#include <vector>

namespace wattproof::simulator {

// State of the device from `begin` until the next segment begins.
struct PowerSegment {
    Ns begin = 0;
    double watts = 0;
    double floorW = 0;          // part of watts that is drawn without work
    double clock = 1;           // share of the maximum
    double temperatureC = 0;    // at `begin`
    std::uint64_t reasons = 0;  // NVML mask
    bool busy = false;
};

class PowerCurve {
public:
    void append(const PowerSegment &);  // begin must not fall
    void close(Ns end);

    [[nodiscard]] const std::vector<PowerSegment> &segments() const { return segments_; }
    [[nodiscard]] TimeRange extent() const;
    [[nodiscard]] const PowerSegment &at(Ns) const;  // clamped to the extent
    [[nodiscard]] double energyJ(TimeRange) const;   // outside the extent the power is that of the nearest segment
    [[nodiscard]] double busySeconds(TimeRange) const;

private:
    struct Sums {
        double energyJ = 0, busyS = 0;  // from the start to the segment's begin
    };
    [[nodiscard]] std::size_t indexAt(Ns) const;
    [[nodiscard]] Sums sumsAt(Ns) const;

    std::vector<PowerSegment> segments_;
    std::vector<Sums> sums_;
    Ns end_ = 0;
};

}  // namespace wattproof::simulator
