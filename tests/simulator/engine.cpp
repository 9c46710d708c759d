#include "tests/simulator/engine.h"

#include "tests/simulator/host_thread.h"
#include "tests/simulator/plant.h"
#include "tests/simulator/power_model.h"
#include "tests/simulator/streams.h"

#include <algorithm>
#include <utility>

namespace wattproof::simulator {

namespace {

constexpr Ns kLaunchLatency = 3'000;  // from the end of the runtime call to the earliest start on the device
constexpr Ns kProfilerMargin = 2'000'000;

Ns fromSeconds(double seconds) {
    return static_cast<Ns>(seconds * 1e9);
}

class Engine {
public:
    Engine(const SimulationConfig &config, Program program)
        : config_(config),
          program_(std::move(program)),
          plant_(config),
          streams_(program_.operations),
          host_(program_.host, fromSeconds(config.leadInS)),
          contextBegin_(fromSeconds(config.leadInS - config.contextS)) {}

    Execution run();

private:
    void settle();
    void noteRunEnd();
    [[nodiscard]] Ns nextEvent() const;
    void advanceTo(Ns);
    void account(Ns from, Ns to);
    [[nodiscard]] bool deviceIsDone() const { return host_.finished() && streams_.ended(-1); }
    Execution collect();

    SimulationConfig config_;
    Program program_;
    Plant plant_;
    Streams streams_;
    HostThread host_;
    Execution execution_;
    Ns contextBegin_, contextEnd_ = kNever, end_ = kNever;
    bool anyWork_ = false;
};

// All that happens at this very moment, in rounds: an operation's end may free the host, whose launch may start
// another.
void Engine::settle() {
    const Ns now = plant_.now();
    plant_.setContext(now >= contextBegin_ && now < contextEnd_);
    bool changed = true;
    while (changed) {
        changed = streams_.update(now, plant_.clock());
        host_.run(
            now, [this](int operation) { return streams_.ended(operation); },
            [this, now](int operation, int correlation) {
                streams_.launch(operation, correlation, now + kLaunchLatency);
            });
    }
    plant_.setLoad(streams_.watts(), !streams_.running().empty());
    anyWork_ = anyWork_ || !streams_.running().empty();
    noteRunEnd();
}

void Engine::noteRunEnd() {
    if (end_ != kNever || !deviceIsDone())
        return;
    contextEnd_ = plant_.now() + fromSeconds(config_.contextS);
    end_ = plant_.now() + fromSeconds(config_.leadOutS);
}

Ns Engine::nextEvent() const {
    const Ns now = plant_.now();
    Ns next = std::min({plant_.nextTick(), host_.nextEvent(), streams_.nextEvent(now), end_});
    for (const Ns boundary : {contextBegin_, contextEnd_}) {
        if (boundary > now)
            next = std::min(next, boundary);
    }
    return std::max(next, now);
}

void Engine::account(Ns from, Ns to) {
    const double seconds = static_cast<double>(to - from) * 1e-9;
    for (const int index : streams_.running()) {
        const DeviceOperation &what = program_.operations[static_cast<std::size_t>(index)].what;
        const double joules = dynamicWatts(what.watts * config_.power.dynamicScale, plant_.clock()) * seconds;
        ClassTruth &truth = execution_.classes[what.path];
        truth.wattsAtFullClock = what.watts * config_.power.dynamicScale;
        truth.busyNs += to - from;
        truth.dynamicJ += joules;
        execution_.hiddenJ += what.recorded ? 0 : joules;
    }
    if (streams_.running().empty() && anyWork_ && !deviceIsDone())
        execution_.idleByHostNs[host_.activity()] += to - from;
}

void Engine::advanceTo(Ns t) {
    account(plant_.now(), t);
    streams_.progress(t - plant_.now());
    plant_.advanceTo(t);
}

Execution Engine::run() {
    settle();
    while (plant_.now() < end_) {
        advanceTo(nextEvent());
        settle();
    }
    return collect();
}

Execution Engine::collect() {
    execution_.curve = plant_.finish();
    Trace &trace = execution_.trace;
    host_.moveResults(trace);
    for (PlannedOperation &operation : program_.operations)
        trace.operations.push_back(std::move(operation.what));
    std::stable_sort(trace.operations.begin(), trace.operations.end(),
                     [](const auto &a, const auto &b) { return a.range.begin < b.range.begin; });
    trace.window = {fromSeconds(config_.leadInS) - kProfilerMargin,
                    end_ - fromSeconds(config_.leadOutS) + kProfilerMargin};
    return std::move(execution_);
}

}  // namespace

Execution execute(const SimulationConfig &config, Program program) {
    return Engine(config, std::move(program)).run();
}

}  // namespace wattproof::simulator
