// Heat and what the firmware does about it.
#pragma once

#include "tests/simulator/config.h"

namespace wattproof::simulator {

class ThermalModel {
public:
    explicit ThermalModel(const ThermalConfig &config) : config_(config), temperatureC_(config.ambientC) {}

    [[nodiscard]] double temperatureC() const { return temperatureC_; }
    // Backward Euler: stable for any step, and free of exp(), whose last bit differs between machines.
    void step(double seconds, double watts);
    void settle(double watts);  // the temperature that these watts hold for ever

private:
    ThermalConfig config_;
    double temperatureC_;
};

// Chooses the clock at each control tick: thermal hysteresis, and a slow loop that holds the mean power below the
// limit.
class Governor {
public:
    Governor(const ThermalConfig &thermal, const PowerConfig &power) : thermal_(thermal), power_(power) {}

    void tick(double temperatureC, double meanWatts);
    [[nodiscard]] double clock() const;  // share of the maximum
    [[nodiscard]] bool thermallyClamped() const { return clamped_; }
    [[nodiscard]] bool powerCapped() const { return capClock_ < 1; }

private:
    ThermalConfig thermal_;
    PowerConfig power_;
    double smoothedWatts_ = 0;
    double capClock_ = 1;
    bool clamped_ = false;
};

}  // namespace wattproof::simulator
