#include "analysis/alignment/sensor_view.h"

#include <algorithm>

namespace wattproof::analysis {
namespace {

constexpr Ns kMarginShare = 20;  // of the run's length, on each side
constexpr double kSecond = 1e9;

bool isEnergy(CounterKind kind) {
    return kind == CounterKind::Counter || kind == CounterKind::Delta;
}

}  // namespace

SensorModel sensorModel(const PowerSeries &power) {
    const Sensor &sensor = power.channel().sensor;
    SensorModel model;
    model.period = std::max<Ns>(sensor.period > 0 ? sensor.period : power.medianPeriod(), 1);
    model.window = sensor.window > 0 ? sensor.window : model.period;
    model.lag = sensor.lag;
    model.lagDoubt = sensor.lag > 0 ? sensor.lag / 4 : model.period / 2;
    return model;
}

std::vector<Sample> wattPoints(const PowerSeries &power) {
    const std::vector<Sample> &samples = power.samples();
    const CounterKind kind = power.channel().kind;
    if (!isEnergy(kind))
        return samples;
    std::vector<Sample> points;
    for (std::size_t i = 1; i < samples.size(); ++i) {
        const auto elapsed = static_cast<double>(samples[i].ts - samples[i - 1].ts) / kSecond;
        double joules = kind == CounterKind::Delta ? samples[i].value : samples[i].value - samples[i - 1].value;
        if (joules < 0)
            joules += static_cast<double>(power.channel().modulus);
        if (elapsed > 0 && joules >= 0)
            points.push_back({samples[i].ts, joules / elapsed});
    }
    return points;
}

Ns BusyClock::busyBefore(Ns t) {
    if (next_ > 0 && busy_[next_ - 1].end > t) {
        next_ = 0;
        complete_ = 0;
    }
    while (next_ < busy_.size() && busy_[next_].end <= t)
        complete_ += busy_[next_++].length();
    const Ns partial = next_ < busy_.size() ? std::max<Ns>(0, t - busy_[next_].begin) : 0;
    return complete_ + partial;
}

double SensorView::share(Ns t) {
    const Ns until = t - model_.lag;
    const Ns covered = end_.busyBefore(until) - begin_.busyBefore(until - model_.window);
    return static_cast<double>(covered) / static_cast<double>(model_.window);
}

TimeRange observedRange(const IntervalSet &busy, const SensorModel &model) {
    const TimeRange run{busy.front().begin, busy.back().end};
    const Ns margin = std::max(run.length() / kMarginShare, model.window + model.lag + 2 * model.period);
    return {run.begin - margin, run.end + margin};
}

}  // namespace wattproof::analysis
