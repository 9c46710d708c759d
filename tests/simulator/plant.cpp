#include "tests/simulator/plant.h"

#include "tests/simulator/clock_reasons.h"
#include "tests/simulator/power_model.h"

namespace wattproof::simulator {

namespace {

constexpr double kParkedClock = 0.17;  // of a device without context

}  // namespace

Plant::Plant(const SimulationConfig &config)
    : power_(config.power), thermal_(config.thermal), governor_(config.thermal, config.power) {
    thermal_.settle(power_.deepIdleW);
    emitSegment();
}

double Plant::floorW() const {
    return context_ ? power_.activeIdleW : power_.deepIdleW;
}

double Plant::watts() const {
    return floorW() + dynamicWatts(load_ * power_.dynamicScale, clock());
}

void Plant::emitSegment() {
    PowerSegment segment;
    segment.begin = now_;
    segment.watts = watts();
    segment.floorW = floorW();
    segment.clock = context_ ? clock() : kParkedClock;
    segment.temperatureC = thermal_.temperatureC();
    segment.busy = busy_;
    segment.reasons = (busy_ ? 0 : kReasonIdle) | (governor_.powerCapped() ? kReasonPowerCap : 0) |
                      (governor_.thermallyClamped() ? kReasonThermal : 0);
    curve_.append(segment);
}

void Plant::setLoad(double wattsAtFullClock, bool busy) {
    if (wattsAtFullClock == load_ && busy == busy_)
        return;
    load_ = wattsAtFullClock;
    busy_ = busy;
    emitSegment();
}

void Plant::setContext(bool held) {
    if (held == context_)
        return;
    context_ = held;
    emitSegment();
}

void Plant::advanceTo(Ns t) {
    const double seconds = static_cast<double>(t - now_) * 1e-9;
    tickEnergyJ_ += watts() * seconds;
    thermal_.step(seconds, watts());
    now_ = t;
    if (now_ == nextTick_)
        tick();
}

void Plant::tick() {
    governor_.tick(thermal_.temperatureC(), tickEnergyJ_ / (static_cast<double>(kControlPeriod) * 1e-9));
    tickEnergyJ_ = 0;
    nextTick_ += kControlPeriod;
    emitSegment();
}

PowerCurve Plant::finish() {
    curve_.close(now_);
    return curve_;
}

}  // namespace wattproof::simulator
