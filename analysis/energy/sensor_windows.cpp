#include "analysis/energy/sensor_windows.h"

#include <algorithm>

namespace wattproof::analysis {
namespace {

bool averages(const CounterRow &channel) {
    return channel.kind == CounterKind::Gauge && channel.sensor.window > 0;
}

// Counters polled faster than they update repeat themselves; the next change belongs to the whole stretch.
std::vector<Sample> distinctReadings(const PowerSeries &series) {
    if (series.channel().kind != CounterKind::Counter)
        return series.updates();
    std::vector<Sample> kept;
    for (const Sample &sample : series.samples())
        if (kept.empty() || sample.value != kept.back().value)
            kept.push_back(sample);
    return kept;
}

}  // namespace

std::vector<PowerWindow> sensorWindows(const PowerSeries &series) {
    const CounterRow &channel = series.channel();
    const std::vector<Sample> readings = distinctReadings(series);
    std::vector<PowerWindow> windows;
    windows.reserve(readings.size());
    if (averages(channel)) {
        for (const Sample &reading : readings) {
            const Ns end = reading.ts - channel.sensor.lag;
            windows.push_back({{end - channel.sensor.window, end}, reading.value});
        }
        return windows;
    }
    for (std::size_t i = 1; i < readings.size(); ++i) {
        const TimeRange stretch{readings[i - 1].ts, readings[i].ts};
        const EnergyOfRange energy = series.energy(stretch);
        if (!stretch.empty() && energy.missingS == 0 && energy.coveredS > 0)
            windows.push_back({{stretch.begin - channel.sensor.lag, stretch.end - channel.sensor.lag},
                               energy.j / energy.coveredS});
    }
    return windows;
}

std::vector<PowerWindow> windowsInside(const std::vector<PowerWindow> &windows, TimeRange range) {
    std::vector<PowerWindow> inside;
    for (const PowerWindow &window : windows)
        if (window.range.begin >= range.begin && window.range.end <= range.end && !window.range.empty())
            inside.push_back(window);
    return inside;
}

std::size_t independentWindows(const std::vector<PowerWindow> &windows) {
    std::size_t count = 0;
    Ns free = 0;
    for (const PowerWindow &window : windows) {
        if (count > 0 && window.range.begin < free)
            continue;
        ++count;
        free = window.range.end;
    }
    return count;
}

PowerSeries centred(const PowerSeries &series) {
    const CounterRow &channel = series.channel();
    const Ns shift = channel.sensor.lag + (averages(channel) ? channel.sensor.window / 2 : 0);
    std::vector<Sample> samples = series.samples();
    for (Sample &sample : samples)
        sample.ts -= shift;
    return {channel, std::move(samples), series.maxGap()};
}

Ns resolution(const PowerSeries &series, const std::vector<PowerWindow> &windows) {
    std::vector<Ns> steps;
    for (std::size_t i = 1; i < windows.size(); ++i)
        steps.push_back(windows[i].range.end - windows[i - 1].range.end);
    Ns step = series.medianPeriod();
    if (!steps.empty()) {
        const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
        std::nth_element(steps.begin(), middle, steps.end());
        step = *middle;
    }
    return std::max({step, series.channel().sensor.window, series.channel().sensor.period});
}

}  // namespace wattproof::analysis
