#include "tests/simulator/simulator.h"

#include <cmath>
#include <ostream>

#include <nlohmann/json.hpp>

namespace wattproof::simulator {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchemaVersion = 1;

// Six decimals: microjoules are below what the model means, and short numbers keep the file readable.
double rounded(double value) {
    return std::round(value * 1e6) / 1e6;
}

Json orNull(const std::optional<double> &value) {
    return value ? Json(rounded(*value)) : Json(nullptr);
}

Json jsonOf(TimeRange range) {
    return Json::array({range.begin, range.end});
}

Json energyOf(const Truth &truth) {
    Json classes = Json::array();
    for (const auto &[path, entry] : truth.classes) {
        classes.push_back({{"path", path},
                           {"watts_at_full_clock", rounded(entry.wattsAtFullClock)},
                           {"busy_ns", entry.busyNs},
                           {"dynamic_j", rounded(entry.dynamicJ)}});
    }
    return {{"total_j", rounded(truth.totalJ)},          {"outside_run_j", rounded(truth.outsideJ)},
            {"busy_floor_j", rounded(truth.busyFloorJ)}, {"idle_j", rounded(truth.idleJ)},
            {"hidden_j", rounded(truth.hiddenJ)},        {"classes", std::move(classes)}};
}

Json clampsOf(const Truth &truth) {
    Json clamps = Json::array();
    for (const ClampSpan &span : truth.clamps)
        clamps.push_back({{"class", span.clampClass},
                          {"range_ns", jsonOf(span.range)},
                          {"mean_clock", rounded(span.meanClock)}});
    return clamps;
}

Json injectionsOf(const Truth &truth) {
    Json injections = Json::array();
    for (const Counterfactual &entry : truth.counterfactuals) {
        injections.push_back({{"bottleneck_class", nameOf(entry.injection.kind)},
                              {"severity", entry.injection.severity},
                              {"recoverable_time", orNull(entry.recoverableTime)},
                              {"recoverable_j", orNull(entry.recoverableJ)},
                              {"throughput_gain", orNull(entry.throughputGain)},
                              {"units_per_joule_gain", orNull(entry.unitsPerJouleGain)}});
    }
    return injections;
}

}  // namespace

void writeTruth(const Simulation &simulation, std::ostream &out) {
    const Truth &truth = simulation.truth;
    const Json document = {{"schema_version", kSchemaVersion},
                           {"wattproof_simulated", true},
                           {"name", simulation.config.name},
                           {"seed", simulation.config.seed},
                           {"epoch_ns", simulation.config.epoch},
                           {"log_ns", jsonOf(truth.log)},
                           {"run_ns", jsonOf(truth.run)},
                           {"energy", energyOf(truth)},
                           {"busy_ns", truth.busyNs},
                           {"idle_ns", truth.idleNs},
                           {"idle_by_host_ns", truth.idleByHostNs},
                           {"idle_floor_w", {{"deep", truth.deepIdleW}, {"active", truth.activeIdleW}}},
                           {"units", truth.units},
                           {"clamps", clampsOf(truth)},
                           {"alignment", {{"offset_ns", truth.alignmentOffset}, {"drift_ppb", truth.driftPpb}}},
                           {"injections", injectionsOf(truth)}};
    out << document.dump(1) << '\n';
}

}  // namespace wattproof::simulator
