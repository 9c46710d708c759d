// Runs of one fault each, made by hand, and all rules over them.
#pragma once

#include "tests/analysis/finding_fixture.h"

namespace wattproof::test {

// The first field of a finding that a rule left empty; empty when there is none.
inline std::string emptyField(const analysis::Finding &f) {
    const std::pair<const char *, const std::string *> fields[] = {{"key", &f.key},
                                                                   {"rule", &f.rule},
                                                                   {"bottleneckClass", &f.bottleneckClass},
                                                                   {"title", &f.title},
                                                                   {"mechanism", &f.mechanism},
                                                                   {"counterfactual", &f.counterfactual},
                                                                   {"effect", &f.effect},
                                                                   {"confidence", &f.confidence},
                                                                   {"chainIntent", &f.chainIntent},
                                                                   {"chainMapping", &f.chainMapping},
                                                                   {"chainBehaviour", &f.chainBehaviour},
                                                                   {"chainImpact", &f.chainImpact},
                                                                   {"doesNotProve", &f.doesNotProve},
                                                                   {"nextAction", &f.nextAction},
                                                                   {"intervention", &f.intervention},
                                                                   {"rollbackBoundary", &f.rollbackBoundary}};
    for (const auto &[name, value] : fields)
        if (value->empty())
            return name;
    if (f.range.empty() || f.tracks.empty() || f.slices == 0)
        return "scope";
    if (f.evidence.size() < 2 || f.checks.empty() || f.guardrails.empty() || f.confidenceReasons.empty())
        return "lists";
    for (const analysis::Evidence &e : f.evidence)
        if (e.claim.empty() || e.unit.empty() || e.query.empty() || e.range.empty() || e.source.empty())
            return "evidence: " + e.claim;
    for (const analysis::Check &c : f.checks)
        if (c.claim.empty() || c.query.empty())
            return "check";
    for (const analysis::Contradiction &c : f.contradictions)
        if (c.claim.empty() || c.query.empty() || c.effect.empty())
            return "contradiction";
    return {};
}

inline std::unique_ptr<analysis::Context> evaluated(ContextMaker &maker) {
    auto context = maker.finish();
    runRules(*context);
    return context;
}

inline std::string rulesOf(const analysis::Context &context) {
    std::string names;
    for (const analysis::Finding &f : context.result.findings)
        names += f.rule + " ";
    return names;
}

inline void addPower(ContextMaker &maker, double busyShare, double seconds) {
    maker.power(-1, seconds + 1, 0.01, [=](double t) {
        return t < 0 || t > seconds ? 70.0 : 110 + 400 * busyShare + 5 * std::sin(t * 31);
    });
    maker.idleFloor(70, 110);
}

inline void fillCommunication(ContextMaker &maker, double exposedUs) {
    fillHealthy(maker);
    for (int i = 0; i < 20; ++i)
        maker.operation(100'100 + i * 1000, 100'100 + i * 1000 + exposedUs, ContextMaker::Communication);
}

// Half a second of work, a third of it with the clock held down.
inline void fillClamped(ContextMaker &maker, const std::string &clampClass, std::optional<double> lost,
                        bool inferred = false) {
    fillHealthy(maker, 600);
    for (int i = 0; i < 4; ++i)
        maker.clamp(clampClass, 50'000 + i * 100'000, 90'000 + i * 100'000, lost, inferred);
    maker.context().hasThrottleFlags[maker.device()] = !inferred;
    maker.context().hasClock[maker.device()] = maker.context().hasTemperature[maker.device()] = true;
}

// 8 units of 2 ms work, 8 ms apart, nothing recorded on the host between them.
inline void fillLowLoad(ContextMaker &maker, bool withUnits) {
    for (int i = 0; i < 8; ++i) {
        const double t = i * 10'000;
        if (withUnits)
            maker.unit(t, t + 2'000);
        maker.call("cpu_op", "aten::linear", t, t + 50);
        const auto launch = maker.call("cuda_runtime", "cudaLaunchKernel", t + 50, t + 56);
        maker.operation(t + 60, t + 2'000, ContextMaker::Gemm, launch);
    }
}

// One blocking copy of 460 ms with nothing recorded inside.
inline void fillBlocked(ContextMaker &maker) {
    fillHealthy(maker, 5);
    const auto copy = maker.call("cuda_runtime", "hipMemcpyWithStream", 5'100, 465'200);
    maker.operation(465'100, 465'150, ContextMaker::Copy, copy);
    maker.operation(465'160, 470'000);
}

// Bursts of 100 ms; in the pauses between them the device draws `gapWatts`.
inline void fillBursts(ContextMaker &maker, double gapWatts) {
    for (int i = 0; i < 20; ++i) {
        const double t = i * 200'000;
        for (int k = 0; k < 10; ++k)
            maker.operation(t + k * 10'000, t + (k + 1) * 10'000);
    }
    maker.operation(4'000'000, 4'010'000);
    maker.power(-1, 6, 0.02, [=](double t) {
        if (t < 0 || t > 4.02)
            return 70.0;
        const double phase = std::fmod(t, 0.2);
        const double share = phase < 0.02   ? phase / 0.02
                             : phase < 0.1  ? 1
                             : phase < 0.12 ? (0.12 - phase) / 0.02
                                            : 0;
        return share * 520 + (1 - share) * gapWatts + 3 * std::sin(t * 77);
    });
    maker.idleFloor(70, 110);
}

}  // namespace wattproof::test
