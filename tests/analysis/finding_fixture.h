// Contexts made by hand for tests of rules: operations, host calls, power and clamps of one device, in
// microseconds.
#pragma once

#include "analysis/context.h"
#include "analysis/findings/rule.h"
#include "analysis/timeline/gpu_timeline.h"
#include "analysis/timeline/idle_cause.h"

#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace wattproof::test {

inline constexpr Ns kUs = 1000, kMs = 1'000'000, kSecond = 1'000'000'000;

class ContextMaker {
public:
    enum : std::int32_t { Gemm, Communication, Copy };

    ContextMaker() : context_(std::make_unique<analysis::Context>()) {
        context_->kernels.classes = {{"gemm", "bf16"}, {"communication", ""}, {"copy", ""}};
        DeviceRow device;
        device.id = device_;
        device.name = "GPU 0";
        context_->devices = {device};
        SourceRow trace, log;
        trace.id = SourceId(1);
        trace.path = "run_trace.json";
        log.id = SourceId(2);
        log.path = "run_power.csv";
        log.kind = SourceKind::Power;
        context_->sources = {trace, log};
        TrackRow track;
        track.id = TrackId(1);
        track.source = SourceId(1);
        track.name = "stream 7";
        context_->tracks = {track};
    }

    // A host call; its slice id can be given to operation() as the launch.
    std::int64_t call(const std::string &category, const std::string &name, double beginUs, double endUs) {
        store::HostCall row;
        row.slice = SliceId(nextSlice_++);
        row.range = range(beginUs, endUs);
        row.name = intern(name);
        row.category = intern(category);
        calls_.push_back(row);
        return row.slice.value;
    }

    void operation(double beginUs, double endUs, std::int32_t opClass = Gemm, std::int64_t launch = 0) {
        store::KernelInterval kernel;
        kernel.slice = SliceId(nextSlice_++);
        kernel.range = range(beginUs, endUs);
        kernel.activity = opClass == Copy ? GpuActivity::Memcpy : GpuActivity::Kernel;
        kernel.device = device_;
        kernel.track = TrackId(1);
        kernel.classIndex = opClass;
        kernel.launch = SliceId(launch);
        context_->kernels.kernels.push_back(kernel);
    }

    // Readings every period over [from, to): watts(t in seconds).
    void power(double fromS, double toS, double periodS, const std::function<double(double)> &watts) {
        CounterRow channel;
        channel.id = CounterId(5);
        channel.source = SourceId(2);
        channel.device = device_;
        channel.quantity = "power";
        channel.unit = "W";
        channel.sensor.period = channel.sensor.window = static_cast<Ns>(periodS * 1e9);
        std::vector<Sample> samples;
        for (int i = 0; fromS + i * periodS < toS; ++i)
            samples.push_back({std::llround((fromS + i * periodS) * 1e9), watts(fromS + i * periodS)});
        context_->power.emplace(device_, analysis::PowerSeries(channel, std::move(samples)));
    }

    void idleFloor(double deep, double active) {
        context_->result.energy.idleFloorW["GPU 0"] = {deep, active, "estimated"};
    }

    void headline(double value) {
        context_->result.headline.value = value;
        context_->result.headline.valueNoSla = value;
    }

    void clamp(const std::string &clampClass, double beginUs, double endUs, std::optional<double> lostClock,
               bool inferred = false) {
        context_->clamps.push_back({device_, range(beginUs, endUs), clampClass, "test", lostClock, inferred});
    }

    void unit(double beginUs, double endUs) {
        analysis::WorkUnit unit;
        unit.range = range(beginUs, endUs);
        unit.slice = SliceId(nextSlice_++);
        context_->units.push_back(unit);
    }

    analysis::Context &context() { return *context_; }
    [[nodiscard]] DeviceId device() const { return device_; }

    std::unique_ptr<analysis::Context> finish() {
        using analysis::HostTimeline;
        std::sort(context_->kernels.kernels.begin(), context_->kernels.kernels.end(),
                  [](const auto &a, const auto &b) { return a.range.begin < b.range.begin; });
        if (!calls_.empty())
            context_->host = HostTimeline(calls_, context_->texts);
        context_->activity = deviceActivities(*context_);
        for (auto &[id, activity] : context_->activity) {
            findGaps(activity, context_->host);
            context_->result.timeline.push_back(timelineOf(activity));
        }
        return std::move(context_);
    }

private:
    static TimeRange range(double beginUs, double endUs) {
        return {std::llround(beginUs * 1000), std::llround(endUs * 1000)};
    }

    StringId intern(const std::string &text) {
        const auto [it, fresh] = ids_.try_emplace(text, StringId(static_cast<std::int64_t>(ids_.size()) + 1));
        if (fresh)
            context_->texts[it->second] = text;
        return it->second;
    }

    std::unique_ptr<analysis::Context> context_;
    DeviceId device_{1};
    std::vector<store::HostCall> calls_;
    std::map<std::string, StringId> ids_;
    std::int64_t nextSlice_ = 100;
};

// All rules over a context, their findings ranked into it.
inline void runRules(analysis::Context &context) {
    for (const analysis::Rule *rule : analysis::rules()) {
        analysis::RuleOutcome outcome = rule->evaluate(context);
        for (analysis::Finding &f : outcome.findings)
            context.result.findings.push_back(std::move(f));
        for (analysis::RuleNeed &need : outcome.needs)
            context.result.needs.push_back(std::move(need));
    }
    analysis::rankFindings(context);
}

inline const analysis::Finding *findingOf(const analysis::Context &context, const std::string &rule) {
    for (const analysis::Finding &f : context.result.findings)
        if (f.rule == rule)
            return &f;
    return nullptr;
}

inline bool needs(const analysis::Context &context, const std::string &rule) {
    for (const analysis::RuleNeed &need : context.result.needs)
        if (need.rule == rule && !need.needs.empty())
            return true;
    return false;
}

// Back-to-back operations, launched well ahead.
inline void fillHealthy(ContextMaker &maker, int operations = 100) {
    maker.call("cpu_op", "aten::linear", 0, 50);
    for (int i = 0; i < operations; ++i) {
        const auto launch = maker.call("cuda_runtime", "cudaLaunchKernel", 1 + i * 10, 7 + i * 10);
        maker.operation(100 + i * 1000, 1090 + i * 1000, ContextMaker::Gemm, launch);
    }
}

// The host works 900 us for each operation of 100 us.
inline void fillHostBound(ContextMaker &maker, int operations = 100) {
    for (int i = 0; i < operations; ++i) {
        const double t = i * 1000;
        maker.call("cpu_op", "aten::linear", t, t + 890);
        const auto launch = maker.call("cuda_runtime", "cudaLaunchKernel", t + 890, t + 898);
        maker.operation(t + 900, t + 1000, ContextMaker::Gemm, launch);
    }
}

// After each operation of 1 ms the host, which waited for it, needs 500 us for the next launch.
inline void fillSynchronized(ContextMaker &maker, int operations = 100) {
    for (int i = 0; i < operations; ++i) {
        const double t = i * 1500;
        maker.call("cpu_op", "aten::linear", t, t + 490);
        const auto launch = maker.call("cuda_runtime", "cudaLaunchKernel", t + 490, t + 498);
        maker.operation(t + 500, t + 1500, ContextMaker::Gemm, launch);
        maker.call("cuda_runtime", "cudaDeviceSynchronize", t + 498, t + 1500);
    }
}

}  // namespace wattproof::test
