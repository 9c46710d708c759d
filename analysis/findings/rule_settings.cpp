#include "analysis/findings/rule_settings.h"

#include "resources/embedded.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include <nlohmann/json.hpp>

namespace wattproof::analysis {
namespace {

using nlohmann::json;
using S = RuleSettings;

struct Field {
    const char *rule, *key;
    double S::*member;
    double low, high;
};

constexpr double kMany = 1e9;

constexpr Field kFields[] = {
    {"host_orchestration", "min_idle_share", &S::hostMinIdleShare, 0, 1},
    {"host_orchestration", "stall_ms", &S::hostStallMs, 0, kMany},
    {"host_orchestration", "stall_share", &S::hostStallShare, 0, 1},
    {"host_orchestration", "short_kernel_us", &S::hostShortKernelUs, 0, kMany},
    {"host_orchestration", "recoverable_low", &S::hostRecoverableLow, 0, 1},
    {"host_orchestration", "recoverable_high", &S::hostRecoverableHigh, 0, 1},
    {"host_orchestration", "confidence", &S::hostConfidence, 0, 1},
    {"synchronization", "min_idle_share", &S::syncMinIdleShare, 0, 1},
    {"synchronization", "min_pauses", &S::syncMinPauses, 1, kMany},
    {"synchronization", "recoverable_low", &S::syncRecoverableLow, 0, 1},
    {"synchronization", "recoverable_high", &S::syncRecoverableHigh, 0, 1},
    {"synchronization", "confidence", &S::syncConfidence, 0, 1},
    {"communication", "min_exposed_share", &S::commMinExposedShare, 0, 1},
    {"communication", "min_total_us", &S::commMinTotalUs, 0, kMany},
    {"communication", "recoverable_low", &S::commRecoverableLow, 0, 1},
    {"communication", "confidence", &S::commConfidence, 0, 1},
    {"data_movement", "min_exposed_share", &S::copyMinExposedShare, 0, 1},
    {"data_movement", "min_total_us", &S::copyMinTotalUs, 0, kMany},
    {"data_movement", "recoverable_low", &S::copyRecoverableLow, 0, 1},
    {"data_movement", "confidence", &S::copyConfidence, 0, 1},
    {"thermal_clamp", "min_busy_share", &S::clampMinBusyShare, 0, 1},
    {"thermal_clamp", "slowdown_low", &S::clampSlowdownLow, 0, 1},
    {"thermal_clamp", "energy_exponent_low", &S::clampExponentLow, 0, 3},
    {"thermal_clamp", "energy_exponent_high", &S::clampExponentHigh, 0, 3},
    {"thermal_clamp", "confidence", &S::clampConfidence, 0, 1},
    {"power_cap", "min_busy_share", &S::capMinBusyShare, 0, 1},
    {"power_cap", "slowdown_low", &S::capSlowdownLow, 0, 1},
    {"power_cap", "energy_exponent_low", &S::capExponentLow, 0, 3},
    {"power_cap", "energy_exponent_high", &S::capExponentHigh, 0, 3},
    {"power_cap", "near_limit", &S::capNearLimit, 0, 1},
    {"power_cap", "confidence", &S::capConfidence, 0, 1},
    {"low_load", "min_idle_share", &S::loadMinIdleShare, 0, 1},
    {"low_load", "recoverable_low", &S::loadRecoverableLow, 0, 1},
    {"low_load", "recoverable_high", &S::loadRecoverableHigh, 0, 1},
    {"low_load", "confidence", &S::loadConfidence, 0, 1},
    {"trace_incomplete", "min_blocked_ms", &S::traceMinBlockedMs, 0, kMany},
    {"trace_incomplete", "min_share", &S::traceMinShare, 0, 1},
    {"trace_incomplete", "leading_share", &S::traceLeadingShare, 0, 1},
    {"trace_incomplete", "idle_factor", &S::traceIdleFactor, 1, 10},
    {"trace_incomplete", "active_over_deep", &S::traceActiveOverDeep, 1, 10},
    {"trace_incomplete", "min_windows", &S::traceMinWindows, 3, kMany},
    {"trace_incomplete", "min_share_spread", &S::traceMinShareSpread, 0, 1},
    {"trace_incomplete", "confidence", &S::traceConfidence, 0, 1},
    {"common", "idle_watts_spread", &S::idleWattsSpread, 0, 1},
    {"common", "short_pause_factor", &S::shortPauseFactor, 1, 10},
    {"common", "contradicted_confidence", &S::contradictedConfidence, 0, 1},
};

const Field *fieldOf(const std::string &rule, const std::string &key) {
    const auto *it = std::find_if(std::begin(kFields), std::end(kFields),
                                  [&](const Field &f) { return rule == f.rule && key == f.key; });
    return it == std::end(kFields) ? nullptr : it;
}

std::string number(double value) {
    return json(value).dump();
}

Status readField(RuleSettings &settings, const std::string &rule, const std::string &key, const json &value,
                 const std::string &origin) {
    const std::string where = origin + ", " + rule + "." + key;
    const Field *field = fieldOf(rule, key);
    if (!field)
        return failure("the rules have no such setting", where, "remove the key or correct its spelling");
    if (!value.is_number() || value.get<double>() < field->low || value.get<double>() > field->high)
        return failure("a number from " + number(field->low) + " to " + number(field->high) +
                           " is expected, not " + value.dump(),
                       where, "correct the value");
    settings.*field->member = value.get<double>();
    return {};
}

struct Loaded {
    RuleSettings settings{};
    std::string warning;
};

// A built-in file that does not parse leaves zeros, which the test of the shipped file forbids.
Loaded loadSettings() {
    Loaded loaded;
    if (const auto shipped = resources::builtIn("rules.json"))
        if (auto parsed = parseRuleSettings(*shipped, "rules.json (built in)", {}))
            loaded.settings = *parsed;
    const std::string path = resources::configFolder() + "/rules.json";
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return loaded;
    const std::string text(std::istreambuf_iterator<char>(file), {});
    if (auto parsed = parseRuleSettings(text, path, loaded.settings))
        loaded.settings = *parsed;
    else
        loaded.warning = parsed.error().sentence() + " (the shipped settings are in force)";
    return loaded;
}

const Loaded &loadedSettings() {
    static const Loaded loaded = loadSettings();
    return loaded;
}

}  // namespace

Expected<RuleSettings> parseRuleSettings(std::string_view text, const std::string &origin,
                                         const RuleSettings &base) {
    const json document = json::parse(text, nullptr, false);
    if (!document.is_object())
        return failure("an object with one object a rule is expected", origin, "see resources/rules.json");
    RuleSettings settings = base;
    for (const auto &rule : document.items()) {
        if (!rule.value().is_object())
            return failure("an object of settings is expected", origin + ", " + rule.key(),
                           "see resources/rules.json");
        for (const auto &entry : rule.value().items())
            if (auto status = readField(settings, rule.key(), entry.key(), entry.value(), origin); !status)
                return passOn(status);
    }
    return settings;
}

const RuleSettings &ruleSettings() {
    return loadedSettings().settings;
}

const std::string &ruleSettingsWarning() {
    return loadedSettings().warning;
}

}  // namespace wattproof::analysis
