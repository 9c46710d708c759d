// How watts and speed depend on the clock.
#pragma once

namespace wattproof::simulator {

// Watts that work adds at a share `clock` of the maximum clock. Voltage falls with frequency over most of the
// range, so dynamic power is near the cube; the linear part stands for what keeps its voltage (memory, links).
[[nodiscard]] constexpr double dynamicWatts(double wattsAtFullClock, double clock) {
    return wattsAtFullClock * (0.3 * clock + 0.7 * clock * clock * clock);
}

// Progress per unit of time, 1 at full clock, when `computeShare` of the work scales with the clock and the rest
// does not.
[[nodiscard]] constexpr double workRate(double computeShare, double clock) {
    return 1 / ((1 - computeShare) + computeShare / clock);
}

// Watts that one operation adds at full clock; path as in DeviceOperation::path.
struct OperationPower {
    const char *path;
    double watts;
    double computeShare;  // see workRate
};

[[nodiscard]] const OperationPower &powerOf(const char *path);

}  // namespace wattproof::simulator
