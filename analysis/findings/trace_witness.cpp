#include "analysis/findings/trace_witness.h"

#include "analysis/alignment/sensor_view.h"
#include "analysis/findings/rule_settings.h"

#include <algorithm>
#include <cmath>

namespace wattproof::analysis {
namespace {

constexpr double kMaxShareDoubt = 0.1;  // a window whose share depends that much on the alignment is left out
constexpr double kLowShare = 0.35;      // the regression must have seen windows at least this idle
constexpr double kNormal95 = 1.96;
constexpr std::size_t kLongestPauses = 20;
constexpr double kOverLimit = 1.05;

struct Window {
    double share = 0, watts = 0;
};

Ns alignmentDoubt(const DeviceScope &scope) {
    const SourceId source = scope.power()->channel().source;
    for (const store::Alignment &a : scope.context.alignments)
        if (a.source == source)
            return a.uncertainty;
    return 0;
}

bool readsWatts(const PowerSeries &power) {
    return power.channel().unit == "W" && power.channel().kind != CounterKind::Run;
}

std::vector<Window> windowsInside(const DeviceScope &scope) {
    const SensorModel model = sensorModel(*scope.power());
    const Ns doubt = alignmentDoubt(scope);
    SensorView view(scope.activity.busy, model), early(scope.activity.busy, model),
        late(scope.activity.busy, model);
    std::vector<Window> windows;
    for (const Sample &s : scope.power()->updates()) {
        const bool inside = s.ts - model.lag - model.window - doubt >= scope.span().begin &&
                            s.ts - model.lag + doubt <= scope.span().end;
        const double share = inside ? view.share(s.ts) : 0;
        const bool sure = inside && std::abs(early.share(s.ts - doubt) - share) <= kMaxShareDoubt &&
                          std::abs(late.share(s.ts + doubt) - share) <= kMaxShareDoubt;
        if (sure)
            windows.push_back({share, s.value});
    }
    return windows;
}

struct Moments {
    double n = 0, share = 0, watts = 0, shareSquares = 0, product = 0;
};

Moments momentsOf(const std::vector<Window> &windows) {
    Moments m;
    m.n = static_cast<double>(windows.size());
    for (const Window &w : windows) {
        m.share += w.share / m.n;
        m.watts += w.watts / m.n;
    }
    for (const Window &w : windows) {
        m.shareSquares += (w.share - m.share) * (w.share - m.share);
        m.product += (w.share - m.share) * (w.watts - m.watts);
    }
    return m;
}

// Standard error of the intercept, widened for residuals that follow each other: successive windows are not
// independent.
double interceptError(const std::vector<Window> &windows, const Moments &m, double intercept, double slope) {
    double squares = 0, neighbours = 0, before = 0;
    for (std::size_t i = 0; i < windows.size(); ++i) {
        const double residual = windows[i].watts - intercept - slope * windows[i].share;
        squares += residual * residual;
        neighbours += i > 0 ? residual * before : 0;
        before = residual;
    }
    const double variance = squares / (m.n - 2);
    const double correlation = squares > 0 ? std::clamp(neighbours / squares, 0.0, 0.95) : 0;
    const double plain = std::sqrt(variance * (1 / m.n + m.share * m.share / m.shareSquares));
    return plain * std::sqrt((1 + correlation) / (1 - correlation));
}

bool tells(const std::vector<Window> &windows, const Moments &m) {
    const RuleSettings &settings = ruleSettings();
    if (m.n < settings.traceMinWindows || std::sqrt(m.shareSquares / m.n) < settings.traceMinShareSpread)
        return false;
    const auto lowest = std::min_element(windows.begin(), windows.end(),
                                         [](const Window &a, const Window &b) { return a.share < b.share; });
    return lowest->share <= kLowShare;
}

// Power that the busy time would have to draw if the gaps were as idle as the trace says.
bool impliesImpossiblePower(const DeviceScope &scope, const GapPower &gap, double idle) {
    const auto limit = scope.context.powerLimitW.find(scope.id());
    if (limit == scope.context.powerLimitW.end() || gap.meanShare <= 0)
        return false;
    const double implied = (gap.meanWatts - (1 - gap.meanShare) * idle) / gap.meanShare;
    return implied > kOverLimit * limit->second;
}

IntervalSet longest(IntervalSet set, std::size_t count) {
    if (set.size() > count) {
        std::nth_element(set.begin(), set.begin() + static_cast<std::ptrdiff_t>(count), set.end(),
                         [](const TimeRange &a, const TimeRange &b) { return a.length() > b.length(); });
        set.resize(count);
    }
    return unionOf(std::move(set));
}

void judgeByHost(TraceVerdict &verdict, const DeviceScope &scope) {
    const IntervalSet contradicted = unionOf(scope.idle.blocked, scope.idle.undelivered);
    if (scope.shareOfSpan(length(contradicted)) < ruleSettings().traceMinShare)
        return;
    verdict.hostContradicts = true;
    verdict.contradicted = contradicted;
}

void judgeByPower(TraceVerdict &verdict, const DeviceScope &scope) {
    if (!verdict.gap || !verdict.idle)
        return;
    const IntervalSet idle = complement(scope.activity.busy, scope.span());
    const bool hot = verdict.gap->gapWattsLow > ruleSettings().traceIdleFactor * *verdict.idle;
    verdict.powerContradicts = (hot || impliesImpossiblePower(scope, *verdict.gap, *verdict.idle)) &&
                               scope.shareOfSpan(length(idle)) >= ruleSettings().traceMinShare;
    if (verdict.powerContradicts)
        verdict.contradicted = idle;
}

}  // namespace

std::optional<GapPower> gapPower(const DeviceScope &scope) {
    if (!scope.power() || !readsWatts(*scope.power()))
        return std::nullopt;
    const std::vector<Window> windows = windowsInside(scope);
    if (windows.size() < 3)
        return std::nullopt;
    const Moments m = momentsOf(windows);
    if (!tells(windows, m))
        return std::nullopt;
    const double slope = m.product / m.shareSquares;
    GapPower gap;
    gap.windows = static_cast<int>(windows.size());
    gap.meanWatts = m.watts;
    gap.meanShare = m.share;
    gap.gapWatts = m.watts - slope * m.share;
    gap.busyWatts = gap.gapWatts + slope;
    gap.gapWattsLow = gap.gapWatts - kNormal95 * interceptError(windows, m, gap.gapWatts, slope);
    return gap;
}

std::optional<double> idleReference(const DeviceScope &scope) {
    const auto &stated = scope.context.scenario.idleFloorW;
    if (const auto it = stated.find(scope.name()); it != stated.end())
        return it->second;
    const auto &floors = scope.context.result.energy.idleFloorW;
    const auto it = floors.find(scope.name());
    if (it == floors.end())
        return std::nullopt;
    const IdleFloor &floor = it->second;
    // Seen apart from the gaps that are to be judged: as it is. Else at most twice the deep floor.
    const bool apartFromGaps = floor.method == "beside" || floor.method == "scenario";
    if (!floor.deep || (floor.active && apartFromGaps))
        return floor.active;
    const double bound = ruleSettings().traceActiveOverDeep * *floor.deep;
    return floor.active ? std::min(*floor.active, bound) : bound;
}

std::optional<WattsIn> readingsInside(const DeviceScope &scope, const IntervalSet &intervals) {
    if (!scope.power() || !readsWatts(*scope.power()))
        return std::nullopt;
    const SensorModel model = sensorModel(*scope.power());
    const Ns doubt = alignmentDoubt(scope);
    WattsIn found;
    std::string conditions;
    double sum = 0;
    for (const TimeRange &r : longest(intervals, kLongestPauses)) {
        const Ns first = r.begin + model.lag + model.window + doubt, last = r.end + model.lag - doubt;
        for (const Sample &s : scope.power()->samples()) {
            if (s.ts < first || s.ts > last)
                continue;
            sum += s.value;
            ++found.readings;
        }
        if (first <= last)
            conditions += (conditions.empty() ? "ts BETWEEN " : " OR ts BETWEEN ") + std::to_string(first) +
                          " AND " + std::to_string(last);
    }
    if (found.readings == 0)
        return std::nullopt;
    found.watts = sum / found.readings;
    found.range = longestOf(intervals);
    found.query =
        "SELECT AVG(value) FROM samples WHERE counter_id = " + std::to_string(scope.power()->channel().id.value) +
        " AND (" + conditions + ")";
    return found;
}

TraceVerdict judgeTrace(const DeviceScope &scope) {
    TraceVerdict verdict;
    verdict.idle = idleReference(scope);
    verdict.gap = gapPower(scope);
    judgeByHost(verdict, scope);
    judgeByPower(verdict, scope);
    if (verdict.contradicted.empty())
        return verdict;
    verdict.inside = readingsInside(scope, verdict.contradicted);
    verdict.powerAcquits = verdict.hostContradicts && !verdict.powerContradicts && verdict.inside &&
                           verdict.idle && verdict.inside->watts <= ruleSettings().traceIdleFactor * *verdict.idle;
    verdict.share = scope.shareOfSpan(length(verdict.contradicted));
    return verdict;
}

}  // namespace wattproof::analysis
