#include "tests/simulator/thermal_model.h"

#include <algorithm>

namespace wattproof::simulator {

namespace {

constexpr double kSmoothing = 0.3;  // of one control tick
constexpr double kCapStepDown = 0.97, kCapStepUp = 1.01;
constexpr double kRaiseBelow = 0.97;  // of the limit: the loop's dead band
constexpr double kLowestClock = 0.4;

}  // namespace

void ThermalModel::step(double seconds, double watts) {
    const double share = seconds / config_.timeConstantS;
    const double target = config_.ambientC + config_.resistanceKPerW * watts;
    temperatureC_ = (temperatureC_ + share * target) / (1 + share);
}

void ThermalModel::settle(double watts) {
    temperatureC_ = config_.ambientC + config_.resistanceKPerW * watts;
}

void Governor::tick(double temperatureC, double meanWatts) {
    if (temperatureC >= thermal_.clampAboveC)
        clamped_ = true;
    else if (temperatureC <= thermal_.releaseBelowC)
        clamped_ = false;
    smoothedWatts_ += kSmoothing * (meanWatts - smoothedWatts_);
    if (smoothedWatts_ > power_.limitW)
        capClock_ = std::max(kLowestClock, capClock_ * kCapStepDown);
    else if (smoothedWatts_ < power_.limitW * kRaiseBelow)
        capClock_ = std::min(1.0, capClock_ * kCapStepUp);
}

double Governor::clock() const {
    return std::min(capClock_, clamped_ ? thermal_.clampedClock : 1.0);
}

}  // namespace wattproof::simulator
