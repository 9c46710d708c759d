#include "analysis/findings/finding_builder.h"

#include "analysis/findings/rule_settings.h"

#include <algorithm>
#include <cstdio>

namespace wattproof::analysis {
namespace {

constexpr double kHigh = 0.95, kMedium = 0.7;
constexpr double kMostOfSpan = 0.9999;  // keeps the gain of a device that does next to nothing finite

std::string formatted(const char *format, double value) {
    char text[48];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

const char *levelOf(double p) {
    return p >= kHigh ? "high" : p >= kMedium ? "medium" : "low";
}

// Other time without computation, which may go with the lost time because its cause is the same: up to half of it
// again.
double alongside(const DeviceScope &scope, Ns lost) {
    const Ns other = scope.span().length() - length(scope.activity.compute) - lost;
    return std::clamp(static_cast<double>(other), 0.0, static_cast<double>(lost) / 2);
}

}  // namespace

Finding draft(const DeviceScope &scope, const std::string &rule, TimeRange range) {
    Finding f;
    f.key = rule + ":" + scope.key();
    f.rule = rule;
    f.bottleneckClass = rule;
    f.range = range.empty() ? scope.span() : range;
    f.tracks = scope.streamNames();
    f.slices = static_cast<std::int64_t>(scope.activity.operations.size());
    return f;
}

void setChain(Finding &f, Chain chain) {
    f.chainIntent = std::move(chain.intent);
    f.chainMapping = std::move(chain.mapping);
    f.chainBehaviour = std::move(chain.behaviour);
    f.chainImpact = std::move(chain.impact);
}

void setSavedTime(Finding &f, const DeviceScope &scope, double lowNs, double highNs) {
    const double span = scope.spanNs();
    highNs = std::min(highNs, kMostOfSpan * span);
    lowNs = std::min(lowNs, highNs);
    f.recoverableNs = (lowNs + highNs) / 2;
    f.throughputGain = Interval{lowNs / (span - lowNs), highNs / (span - highNs)};
    if (const auto watts = scope.idleWatts(); watts && scope.power())
        setSavedEnergy(f, scope, {lowNs / 1e9 * watts->low, highNs / 1e9 * watts->high});
}

void setSavedIdle(Finding &f, const DeviceScope &scope, Ns lost, double lowPart, double highPart) {
    const auto ns = static_cast<double>(lost);
    setSavedTime(f, scope, lowPart * ns, highPart * ns + alongside(scope, lost));
    f.recoverableNs = (lowPart + highPart) / 2 * ns;
    if (f.recoverableJ)
        setSavedEnergy(f, scope, {f.recoverableJ->low, f.recoverableJ->high * ruleSettings().shortPauseFactor});
}

void setSavedTransfer(Finding &f, const DeviceScope &scope, const IntervalSet &exposed, Ns room, double lowPart) {
    const Ns all = length(exposed);
    const double low = lowPart * static_cast<double>(std::min(all, room));
    setSavedTime(f, scope, low, static_cast<double>(all) + alongside(scope, all));
    f.recoverableNs = (low + static_cast<double>(all)) / 2;
    if (f.recoverableJ)
        setSavedEnergy(f, scope,
                       {f.recoverableJ->low, std::max(f.recoverableJ->high, scope.power()->energy(exposed).j)});
}

void setSavedEnergy(Finding &f, const DeviceScope &scope, Interval joules) {
    f.recoverableJ = joules;
    const std::optional<double> all = scope.measuredJ();
    if (!all || !scope.context.result.headline.value || *all <= joules.high)
        return;
    f.headlineGain = Interval{joules.low / (*all - joules.low), joules.high / (*all - joules.high)};
}

void addEvidence(Finding &f, std::string claim, double value, std::string unit, std::string query, TimeRange range,
                 std::string source) {
    f.evidence.push_back({std::move(claim), value, std::move(unit), std::move(query), range, std::move(source)});
}

void addCheck(Finding &f, std::string claim, std::string query, bool passed, double confidenceIfFailed) {
    if (!passed) {
        addContradiction(f, "does not hold: " + claim, query, "lowers confidence");
        limitConfidence(f, confidenceIfFailed, "a check failed: " + claim);
    }
    f.checks.push_back({std::move(claim), std::move(query), passed});
}

void addContradiction(Finding &f, std::string claim, std::string query, std::string effect) {
    f.contradictions.push_back({std::move(claim), std::move(query), std::move(effect)});
}

void limitConfidence(Finding &f, double atMost, std::string reason) {
    setConfidence(f, std::min(f.confidenceP, atMost), std::move(reason));
}

void setConfidence(Finding &f, double p, std::string reason) {
    f.confidenceP = p;
    f.confidence = levelOf(p);
    f.confidenceReasons.push_back(std::move(reason));
}

void noteEnergySource(Finding &f, const DeviceScope &scope) {
    if (!scope.power())
        f.confidenceReasons.push_back("no power log covers " + scope.name() + ": joules are not stated");
    else if (!scope.idleWatts())
        f.confidenceReasons.push_back("no idle floor of " + scope.name() + " is known: joules are not stated");
    else
        f.confidenceReasons.push_back("joules follow from the idle floor of " + scope.name() + ", measured in " +
                                      scope.powerFile());
}

std::string asMs(double ns) {
    return formatted(ns < 1e6 ? "%.3f ms" : "%.1f ms", ns / 1e6);
}

std::string asPercent(double share) {
    return formatted("%.1f %%", 100 * share);
}

std::string asWatts(double watts) {
    return formatted("%.0f W", watts);
}

}  // namespace wattproof::analysis
