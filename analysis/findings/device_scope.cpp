#include "analysis/findings/device_scope.h"

#include "analysis/findings/rule_settings.h"

#include <algorithm>
#include <set>

namespace wattproof::analysis {
namespace {

constexpr double kMinCoverage = 0.5;  // of the span, for energies to stand for it

std::string fileOf(const Context &context, SourceId source) {
    for (const SourceRow &row : context.sources)
        if (row.id == source)
            return row.path;
    return {};
}

std::vector<DeviceId> rowsOf(const Context &context, DeviceId device) {
    std::vector<DeviceId> ids{device};
    for (const auto &[id, representative] : context.sameDevice)
        if (representative == device && id != device)
            ids.push_back(id);
    return ids;
}

// Joules over the range; none where less than half of it is covered.
std::optional<double> coveredJoules(const PowerSeries &series, TimeRange range) {
    const EnergyOfRange energy = series.energy(range);
    if (energy.coveredS * 1e9 < kMinCoverage * static_cast<double>(range.length()))
        return std::nullopt;
    return energy.j;
}

}  // namespace

DeviceScope::DeviceScope(const Context &c, const DeviceActivity &a)
    : context(c), activity(a), idle(idleLedger(c, a)), ids_(rowsOf(c, a.device.id)) {}

std::string DeviceScope::key() const {
    return activity.device.host.empty() ? name() : activity.device.host + "/" + name();
}

const PowerSeries *DeviceScope::power() const {
    const auto it = context.power.find(id());
    return it == context.power.end() || it->second.samples().empty() ? nullptr : &it->second;
}

std::optional<double> DeviceScope::measuredJ() const {
    const PowerSeries *own = power();
    if (!own || !coveredJoules(*own, span()))
        return std::nullopt;
    double sum = 0;
    for (const auto &[device, series] : context.power)
        if (!context.insideOther.contains(device))
            sum += coveredJoules(series, span()).value_or(0);
    for (const DomainPower &domain : context.otherPower)
        sum += coveredJoules(domain.series, span()).value_or(0);
    return sum;
}

std::optional<Interval> DeviceScope::idleWatts() const {
    const auto &floors = context.result.energy.idleFloorW;
    const auto it = floors.find(name());
    if (it == floors.end())
        return std::nullopt;
    const IdleFloor &floor = it->second;
    const std::optional<double> watts = floor.active ? floor.active : floor.deep;
    if (!watts)
        return std::nullopt;
    const double spread = ruleSettings().idleWattsSpread;
    Interval out{*watts * (1 - spread), *watts * (1 + spread)};
    if (floor.activeCi95)
        out = {std::min(out.low, floor.activeCi95->low), std::max(out.high, floor.activeCi95->high)};
    return out;
}

std::string DeviceScope::traceFile() const {
    if (activity.operations.empty())
        return {};
    const TrackId track = activity.table->kernels[activity.operations.front()].track;
    for (const TrackRow &row : context.tracks)
        if (row.id == track)
            return fileOf(context, row.source);
    return {};
}

std::string DeviceScope::powerFile() const {
    return power() ? fileOf(context, power()->channel().source) : std::string();
}

std::vector<std::string> DeviceScope::streamNames() const {
    std::set<TrackId> tracks;
    for (const std::size_t i : activity.operations)
        tracks.insert(activity.table->kernels[i].track);
    std::vector<std::string> names;
    for (const TrackRow &row : context.tracks)
        if (tracks.contains(row.id))
            names.push_back(row.name);
    if (names.empty())
        names.push_back(name());
    return names;
}

std::string DeviceScope::operations(sql::Work work) const {
    return operations(span(), work);
}

std::string DeviceScope::operations(TimeRange range, sql::Work work) const {
    return sql::operationRows(ids_, range, work);
}

std::string DeviceScope::computeAndCommunication() const {
    return sql::both(operations(sql::Work::Compute), operations(sql::Work::Communication));
}

std::string DeviceScope::idleMsQuery() const {
    return sql::minus(toMs(spanNs()), sql::unionMs(operations()));
}

double DeviceScope::idleMs() const {
    return toMs(spanNs() - static_cast<double>(length(activity.busy)));
}

Ns DeviceScope::gapTime(const std::vector<std::string> &causes) const {
    Ns total = 0;
    for (const DeviceActivity::Gap &gap : activity.gaps)
        if (std::find(causes.begin(), causes.end(), gap.cause) != causes.end())
            total += gap.range.length();
    return total;
}

std::int64_t DeviceScope::operationsShorterThan(Ns limit) const {
    return std::count_if(activity.operations.begin(), activity.operations.end(), [&](std::size_t i) {
        const Ns duration = activity.table->kernels[i].range.length();
        return duration > 0 && duration < limit;
    });
}

std::vector<DeviceScope> deviceScopes(const Context &context) {
    std::vector<DeviceScope> scopes;
    for (const auto &[id, activity] : context.activity)
        if (!activity.span.empty())
            scopes.emplace_back(context, activity);
    return scopes;
}

std::vector<std::string> callNames(const Context &context, HostActivity wanted) {
    std::set<std::string> names;
    for (const auto &[id, text] : context.texts)
        if (hostActivity("cuda_runtime", text) == wanted)
            names.insert(text);
    return {names.begin(), names.end()};
}

TimeRange hullOf(const IntervalSet &set) {
    return set.empty() ? TimeRange{} : TimeRange{set.front().begin, set.back().end};
}

TimeRange longestOf(const IntervalSet &set) {
    const auto it = std::max_element(
        set.begin(), set.end(), [](const TimeRange &a, const TimeRange &b) { return a.length() < b.length(); });
    return it == set.end() ? TimeRange{} : *it;
}

}  // namespace wattproof::analysis
