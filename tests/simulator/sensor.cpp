#include "tests/simulator/sensor.h"

#include "tests/simulator/clock_reasons.h"
#include "tests/simulator/random.h"

#include <algorithm>
#include <cmath>

namespace wattproof::simulator {

namespace {

constexpr std::uint64_t kNoiseKey = 11, kMissingKey = 12;
constexpr Ns kUtilisationWindow = 1'000'000'000;
constexpr double kBusyForNoIdleFlag = 0.01;

class Sensor {
public:
    Sensor(const SimulationConfig &config, const PowerCurve &curve)
        : config_(config), sensor_(config.sensor), curve_(curve), random_(config.seed) {}

    [[nodiscard]] PowerSample poll(Ns t) const;

private:
    [[nodiscard]] double wattsShownAt(Ns update) const;
    [[nodiscard]] Ns loggedTime(Ns t) const;

    const SimulationConfig &config_;
    const SensorConfig &sensor_;
    const PowerCurve &curve_;
    Random random_;
};

double Sensor::wattsShownAt(Ns update) const {
    const Ns end = update - sensor_.lag;
    const Ns seen = std::max<Ns>(1, std::llround(static_cast<double>(sensor_.window) * sensor_.duty));
    const double mean = curve_.energyJ({end - seen, end}) / (static_cast<double>(seen) * 1e-9);
    const auto index = static_cast<std::uint64_t>(update / std::max<Ns>(1, sensor_.updatePeriod));
    const double noisy = mean + sensor_.noiseW * random_.normal(kNoiseKey, index);
    const double quantum = sensor_.quantumW > 0 ? sensor_.quantumW : 1e-6;
    return std::max(0.0, std::floor(noisy / quantum + 0.5) * quantum);
}

Ns Sensor::loggedTime(Ns t) const {
    const Ns drift = static_cast<Ns>(static_cast<double>(t) * static_cast<double>(config_.clock.driftPpb) * 1e-9);
    return t + config_.clock.offset + drift;
}

PowerSample Sensor::poll(Ns t) const {
    PowerSample sample;
    sample.ts = loggedTime(t);
    const auto index = static_cast<std::uint64_t>(t / sensor_.pollPeriod);
    if (random_.uniform(kMissingKey, index) >= sensor_.missingShare)
        sample.watts = wattsShownAt(t - t % std::max<Ns>(1, sensor_.updatePeriod));
    const PowerSegment &state = curve_.at(t);
    sample.temperatureC = static_cast<int>(state.temperatureC + 0.5);
    sample.clockMHz = static_cast<int>(state.clock * config_.power.maximumClockMHz / 15 + 0.5) * 15;
    const double busy = curve_.busySeconds({std::max<Ns>(0, t - kUtilisationWindow), t});
    sample.utilisation = static_cast<int>(busy * 100 + 0.5);
    const bool recentlyBusy = curve_.busySeconds({std::max<Ns>(0, t - sensor_.updatePeriod), t}) >
                              kBusyForNoIdleFlag * static_cast<double>(sensor_.updatePeriod) * 1e-9;
    sample.reasons = recentlyBusy ? state.reasons & ~kReasonIdle : state.reasons;
    return sample;
}

}  // namespace

PowerLog sense(const SimulationConfig &config, const PowerCurve &curve) {
    const Sensor sensor(config, curve);
    PowerLog log;
    log.limitW = config.power.limitW;
    const std::vector<TimeRange> &gaps = config.sensor.gaps;
    for (Ns t = 0; t <= curve.extent().end; t += config.sensor.pollPeriod) {
        if (std::none_of(gaps.begin(), gaps.end(), [&](const TimeRange &gap) { return gap.contains(t); }))
            log.samples.push_back(sensor.poll(t));
    }
    return log;
}

}  // namespace wattproof::simulator
