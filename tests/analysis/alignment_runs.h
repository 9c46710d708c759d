// Simulated runs for the alignment: a load with random bursts, a sensor of random period, window and lag, and a
// log with noise, gaps and repeated polls, set against the trace by a random offset that is known.
#pragma once

#include "analysis/alignment/sensor_view.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace wattproof::test {

struct RandomRun {
    CounterRow channel;
    std::vector<Sample> samples;  // at the log's times
    analysis::IntervalSet busy;
    Ns offset = 0;   // the truth, to be added to the log's times
    Ns trueLag = 0;  // channel.sensor.lag is 0 where the lag is not declared
    int distinctEdges = 0;
};

struct RandomRunOptions {
    bool lagDeclared = true;
    double driftPpm = 0;
    double seconds = 0;  // 0: random, 20 to 120 s, at least 60 periods
};

namespace detail {

inline double logUniform(std::mt19937 &random, double low, double high) {
    return std::exp(std::uniform_real_distribution<double>(std::log(low), std::log(high))(random));
}

inline Ns ns(double seconds) {
    return static_cast<Ns>(std::llround(seconds * 1e9));
}

// Bursts and pauses around a typical length: spread over a decade, or nearly periodic in one run of five.
inline analysis::IntervalSet bursts(std::mt19937 &random, double from, double to) {
    const double typical = logUniform(random, 0.3, to / 6);
    const double spread = random() % 5 == 0 ? 1.05 : 3;
    analysis::IntervalSet busy;
    for (double t = from; t < to;) {
        const double end = std::min(to, t + typical * logUniform(random, 1 / spread, spread));
        busy.push_back({ns(t), ns(end)});
        t = end + typical * logUniform(random, 1 / spread, spread);
    }
    return busy;
}

// Edges that the sensor can tell apart: pauses and bursts shorter than its window or its period do not count.
inline int distinctEdges(const analysis::IntervalSet &busy, Ns resolution) {
    analysis::IntervalSet merged;
    for (const TimeRange &burst : busy) {
        if (!merged.empty() && burst.begin - merged.back().end < resolution)
            merged.back().end = burst.end;
        else
            merged.push_back(burst);
    }
    return static_cast<int>(2 * std::count_if(merged.begin(), merged.end(),
                                              [&](const TimeRange &r) { return r.length() >= resolution; }));
}

}  // namespace detail

inline RandomRun randomRun(std::uint32_t seed, const RandomRunOptions &options = {}) {
    std::mt19937 random(seed);
    const auto uniform = [&](double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(random);
    };
    RandomRun run;
    const double period = detail::logUniform(random, 0.01, 1.0);
    const double window = uniform(0, 1) < 0.5 ? period : detail::logUniform(random, 0.01, 1.0);
    run.trueLag = detail::ns(options.lagDeclared ? uniform(0.001, 0.3) : detail::logUniform(random, 0.005, 0.15));
    Sensor &sensor = run.channel.sensor;
    sensor.period = detail::ns(period);
    sensor.window = detail::ns(window);
    sensor.lag = options.lagDeclared ? run.trueLag : 0;
    run.channel.name = "power.draw";
    run.channel.quantity = "power";
    run.channel.unit = "W";

    const double seconds = options.seconds > 0 ? options.seconds : std::max(uniform(20, 120), 60 * period);
    const double before = uniform(1, 10), after = uniform(1, 10);
    const analysis::IntervalSet all = detail::bursts(random, 0, seconds);
    const bool excerpt =
        options.driftPpm == 0 && uniform(0, 1) < 0.25;  // the trace holds part of what the log saw
    const double from = excerpt ? uniform(0, 0.4) * seconds : 0, to = excerpt ? from + 0.5 * seconds : seconds;
    run.busy = analysis::clip(all, {detail::ns(from), detail::ns(to)});
    run.distinctEdges = detail::distinctEdges(run.busy, std::max(sensor.period, sensor.window));
    run.offset = detail::ns(uniform(-1000, 1000));
    const double idle = uniform(20, 100), swing = uniform(50, 500);
    std::normal_distribution<double> noise(0, uniform(0.2, 0.15 * swing));
    const bool polled = uniform(0, 1) < 0.5;  // else the log has each update once, when it comes
    const double polls = polled ? uniform(1.5, 6) : 1;
    const double gapShare = uniform(0, 1) < 0.5 ? 0.0 : uniform(0.02, 0.15);

    const double strength = uniform(0.3, 1);  // of the weakest work, which differs from burst to burst
    analysis::IntervalSet strong, weak;
    for (const TimeRange &burst : all)
        (random() % 3 == 0 ? weak : strong).push_back(burst);
    analysis::SensorView strongView(strong, {sensor.period, sensor.window, run.trueLag, 0});
    analysis::SensorView weakView(weak, {sensor.period, sensor.window, run.trueLag, 0});
    std::vector<TimeRange> gaps;
    for (double t = uniform(0, seconds / 4); gapShare > 0 && t < seconds; t += uniform(seconds / 5, seconds / 3)) {
        gaps.push_back({detail::ns(t), detail::ns(t + gapShare * seconds / 4)});
    }
    double quantised = 0;
    const Ns pollEvery = detail::ns(period / polls);
    const Ns phase = polled ? detail::ns(uniform(0, period)) : 0;
    Ns update = detail::ns(-before) - 2 * sensor.period;
    for (Ns poll = detail::ns(-before) + phase; poll < detail::ns(seconds + after); poll += pollEvery) {
        while (update + sensor.period <= poll) {
            update += sensor.period;
            quantised = std::round((idle + swing * (strongView.share(update) + strength * weakView.share(update)) +
                                    noise(random)) *
                                   100) /
                        100;
        }
        const bool lost =
            std::any_of(gaps.begin(), gaps.end(), [&](const TimeRange &g) { return g.contains(poll); });
        const auto jitter = detail::ns(uniform(0, 0.05) * period / polls);
        const auto drift = static_cast<Ns>(options.driftPpm * 1e-6 * static_cast<double>(poll));
        if (!lost)
            run.samples.push_back({poll + jitter - run.offset - drift, quantised});
    }
    return run;
}

struct RunTally {
    int runs = 0, answered = 0, withinHalf = 0, withinOne = 0, confident = 0, confidentlyWrong = 0;
    int edgy = 0, edgyRefused = 0;
};

}  // namespace wattproof::test
