#include "analysis/alignment/sensor_view.h"

#include <algorithm>
#include <set>

namespace wattproof::analysis {
namespace {

constexpr Ns kMarginShare = 20;  // of the run's length, on each side
constexpr double kSecond = 1e9;

constexpr std::size_t kRepeatsThatTell = 2;  // readings for each change: more, and the log polls its sensor
constexpr std::size_t kFewLevels = 8;  // as few values: what repeats is the load or the quantum, not a poll

std::vector<Sample> differenced(const PowerSeries &power, const std::vector<Sample> &samples) {
    std::vector<Sample> points;
    for (std::size_t i = 1; i < samples.size(); ++i) {
        const auto elapsed = static_cast<double>(samples[i].ts - samples[i - 1].ts) / kSecond;
        const bool isDelta = power.channel().kind == CounterKind::Delta;
        double joules = isDelta ? samples[i].value : samples[i].value - samples[i - 1].value;
        if (joules < 0)
            joules += static_cast<double>(power.channel().modulus);
        if (elapsed > 0 && joules >= 0)
            points.push_back({samples[i].ts, joules / elapsed});
    }
    return points;
}

// How often the value changes, where polls repeat it: the sensor's period if nothing states it. Median, so that a
// stretch at rest does not count as one slow update.
Ns changePeriod(const PowerSeries &power) {
    const std::vector<Sample> &samples = power.samples();
    std::vector<Ns> distances;
    std::set<double> levels;
    Ns last = samples.empty() ? 0 : samples.front().ts;
    for (std::size_t i = 1; i < samples.size(); ++i) {
        if (samples[i].value == samples[i - 1].value)
            continue;
        distances.push_back(samples[i].ts - last);
        last = samples[i].ts;
        if (levels.size() <= kFewLevels)
            levels.insert(samples[i].value);
    }
    if (distances.size() * kRepeatsThatTell > samples.size() || levels.size() <= kFewLevels)
        return power.medianPeriod();
    const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
    std::nth_element(distances.begin(), middle, distances.end());
    return std::max(*middle, power.medianPeriod());
}

// The first poll of each update, at the likeliest time of the update itself.
std::vector<Sample> updatesOf(const PowerSeries &power, Ns period) {
    const std::vector<Sample> &samples = power.samples();
    const Ns poll = power.medianPeriod();
    if (samples.empty() || (poll > 0 && period < poll + poll / 4))
        return samples;
    const bool counts = power.channel().kind == CounterKind::Counter;
    std::vector<Sample> kept{samples.front()};
    Ns lastPoll = samples.front().ts;
    for (std::size_t i = 1; i < samples.size(); ++i) {
        const Sample &s = samples[i];
        const bool changed = s.value != kept.back().value;
        if (changed || (!counts && s.ts - kept.back().ts >= period))
            kept.push_back({s.ts - (changed ? std::min(s.ts - lastPoll, poll) / 2 : 0), s.value});
        lastPoll = s.ts;
    }
    return kept;
}

}  // namespace

SensorModel sensorModel(const PowerSeries &power) {
    const Sensor &sensor = power.channel().sensor;
    SensorModel model;
    model.period = std::max<Ns>(sensor.period > 0 ? sensor.period : changePeriod(power), 1);
    model.window = sensor.window > 0 ? sensor.window : model.period;
    model.lag = sensor.lag;
    model.lagKnown = sensor.lag > 0;
    model.lagDoubt = model.lagKnown ? sensor.lag / 4 : model.period / 2;
    return model;
}

std::vector<Sample> wattPoints(const PowerSeries &power) {
    const CounterKind kind = power.channel().kind;
    if (kind == CounterKind::Delta)
        return differenced(power, power.samples());
    const Ns stated = power.channel().sensor.period;
    std::vector<Sample> updates = updatesOf(power, stated > 0 ? stated : changePeriod(power));
    return kind == CounterKind::Counter ? differenced(power, updates) : updates;
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

TimeRange insideRange(const IntervalSet &busy, const SensorModel &model) {
    return {busy.front().begin + model.window + model.lag, busy.back().end + model.lag};
}

}  // namespace wattproof::analysis
