#include "report/comparison.h"

#include <algorithm>
#include <map>
#include <set>

namespace wattproof::report {
namespace {

using analysis::AnalysisResult;

std::optional<double> ratio(const std::optional<double> &a, const std::optional<double> &b) {
    if (!a || !b || *b == 0)
        return std::nullopt;
    return *a / *b;
}

std::optional<double> sustainedSeconds(const AnalysisResult &r) {
    if (!r.headline.sustained || r.headline.sustained->empty())
        return std::nullopt;
    return static_cast<double>(r.headline.sustained->length()) * 1e-9;
}

std::optional<double> inSeconds(const std::optional<double> &ms) {
    return ms ? std::optional(*ms / 1000) : std::nullopt;
}

std::map<std::string, double> joulesByPath(const AnalysisResult &r) {
    std::map<std::string, double> joules;
    for (const analysis::EnergyPath &path : r.energy.byPath)
        joules[path.path] += path.j;
    return joules;
}

}  // namespace

std::optional<double> OperatingRow::change() const {
    const auto quotient = ratio(after, before);
    return quotient ? std::optional(*quotient - 1) : std::nullopt;
}

std::vector<OperatingRow> operatingPoints(const AnalysisResult &before, const AnalysisResult &after) {
    const auto rate = [](const AnalysisResult &r) { return ratio(r.headline.units, sustainedSeconds(r)); };
    const auto watts = [](const AnalysisResult &r) { return ratio(r.headline.energyJ, sustainedSeconds(r)); };
    const std::string unit = after.headline.unit;
    const std::string work = unit.ends_with("/J") ? unit.substr(0, unit.size() - 2) : unit;
    std::vector<OperatingRow> rows{
        {"throughput per watt under SLA", unit, before.headline.value, after.headline.value},
        {"throughput per watt, no SLA", unit, before.headline.valueNoSla, after.headline.valueNoSla},
        {"throughput", work + "/s", rate(before), rate(after)},
        {"mean power", "W", watts(before), watts(after)},
        {"latency p50", "s", inSeconds(before.latency.p50Ms), inSeconds(after.latency.p50Ms)},
        {"latency p95", "s", inSeconds(before.latency.p95Ms), inSeconds(after.latency.p95Ms)},
        {"latency p99", "s", inSeconds(before.latency.p99Ms), inSeconds(after.latency.p99Ms)},
        {"thermal clamp, share of time", "1", before.thermal.timeShare, after.thermal.timeShare},
    };
    const auto b = joulesByPath(before), a = joulesByPath(after);
    std::set<std::string> paths;
    for (const auto &[path, j] : b)
        paths.insert(path);
    for (const auto &[path, j] : a)
        paths.insert(path);
    const auto joules = [](const std::map<std::string, double> &m, const std::string &path) -> std::optional<double> {
        const auto found = m.find(path);
        return found == m.end() ? std::nullopt : std::optional(found->second);
    };
    for (const std::string &path : paths)
        rows.push_back({"energy of " + path, "J", joules(b, path), joules(a, path)});
    return rows;
}

std::vector<std::string> comparisonCautions(const AnalysisResult &before, const AnalysisResult &after) {
    std::vector<std::string> cautions;
    if (before.headline.unit != after.headline.unit)
        cautions.push_back("The units of work differ (" + before.headline.unit + " and " + after.headline.unit +
                           "): the headlines cannot be compared.");
    auto b = before.headline.domainsMeasured, a = after.headline.domainsMeasured;
    std::sort(b.begin(), b.end());
    std::sort(a.begin(), a.end());
    if (a != b)
        cautions.push_back("The measured domains differ: watts of one run hold what those of the other leave out.");
    if (!before.headline.settled || !after.headline.settled)
        cautions.push_back("At least one run is a burst, not a settled state.");
    return cautions;
}

}  // namespace wattproof::report
