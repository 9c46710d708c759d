// The device as a physical thing: load in, power, heat and clock out.
#pragma once

#include "tests/simulator/config.h"
#include "tests/simulator/power_curve.h"
#include "tests/simulator/thermal_model.h"

namespace wattproof::simulator {

inline constexpr Ns kControlPeriod = 10'000'000;

class Plant {
public:
    explicit Plant(const SimulationConfig &);

    [[nodiscard]] Ns now() const { return now_; }
    [[nodiscard]] Ns nextTick() const { return nextTick_; }
    [[nodiscard]] double clock() const { return governor_.clock(); }

    // Watts at full clock of all that runs from now on; busy: something runs.
    void setLoad(double wattsAtFullClock, bool busy);
    void setContext(bool held);  // the active floor instead of the deep one
    void advanceTo(Ns);          // not beyond nextTick()
    [[nodiscard]] PowerCurve finish();

private:
    void tick();
    void emitSegment();
    [[nodiscard]] double floorW() const;
    [[nodiscard]] double watts() const;

    PowerConfig power_;
    ThermalModel thermal_;
    Governor governor_;
    PowerCurve curve_;
    Ns now_ = 0, nextTick_ = kControlPeriod;
    double load_ = 0;
    double tickEnergyJ_ = 0;
    bool busy_ = false, context_ = false;
};

}  // namespace wattproof::simulator
