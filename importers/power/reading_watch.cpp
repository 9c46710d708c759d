#include "importers/power/reading_watch.h"

#include <cmath>

namespace wattproof::importers {
namespace {

constexpr std::int64_t kFrozenFrom = 20;    // readings: fewer equal ones happen to a quiet device
constexpr Ns kFrozenLeast = 2'000'000'000;  // a sensor that averages over a second may stand still for one
constexpr std::int64_t kFewestChanges = 10, kRunsForASingle = 4, kMostlyEqual = 5;
constexpr double kLeastLoad = 0.5, kLeastDegrees = 2;
constexpr double kFineSteps = 20;  // in the range of a channel's values

}  // namespace

void DeviceMoves::note(Sensor &sensor, Ns ts, double value, bool load) {
    const double least = load ? kLeastLoad : kLeastDegrees;
    if (sensor.anchor && std::abs(value - *sensor.anchor) < least)
        return;
    if (sensor.anchor)
        (load ? load_ : any_) = ts;
    sensor.anchor = value;
}

bool DeviceMoves::since(Ns ts, bool wholeUnits) const {
    return (load_ && *load_ > ts) || (!wholeUnits && any_ && *any_ > ts);
}

void ReadingWatch::add(Ns ts, double value, const DeviceMoves &moves) {
    zeros_ += value == 0 ? 1 : 0;
    fractions_ = fractions_ || value != std::floor(value);
    if (run_ > 0 && value == last_) {
        ++equal_;
        ++run_;
        runEnd_ = ts;
        after_ += movedAt_ ? 1 : 0;
        if (!movedAt_ && moves.since(runBegin_, !fractions_))
            movedAt_ = ts;
        return;
    }
    if (run_ > 0) {
        const double step = std::abs(value - last_);
        step_ = changes_++ == 0 ? step : std::fmin(step_, step);
        singles_ += run_ == 1 ? 1 : 0;
        closeRun();
    }
    run_ = 1;
    runBegin_ = runEnd_ = ts;
    last_ = value;
}

// What moves with the power is seen before it, for the sensor lags: only what comes long after counts.
void ReadingWatch::closeRun() {
    if (movedAt_ && after_ >= kFrozenFrom && runEnd_ - *movedAt_ >= kFrozenLeast && frozen_++ == 0)
        frozenValue_ = last_;
    run_ = after_ = 0;
    movedAt_.reset();
}

bool ReadingWatch::isAskedTooOften(double range) const {
    const bool fine = fractions_ && range >= kFineSteps * step_;
    const bool inSteps = equal_ >= changes_ && singles_ * kRunsForASingle <= changes_;
    return fine && changes_ >= kFewestChanges && (inSteps || equal_ >= kMostlyEqual * changes_);
}

}  // namespace wattproof::importers
