#include "analysis/findings/clamp_case.h"

#include "analysis/findings/finding_builder.h"

#include <algorithm>
#include <cmath>

namespace wattproof::analysis {
namespace {

std::string whereClause(const ClampCase &c) {
    const TimeRange span = c.scope.span();
    std::string ids;
    for (const DeviceId id : c.scope.ids())
        ids += (ids.empty() ? "" : ", ") + std::to_string(id.value);
    return " FROM clamps WHERE device_id IN (" + ids + ") AND class = " + sql::quoted(c.clampClass) +
           " AND ts < " + std::to_string(span.end) + " AND ts + dur > " + std::to_string(span.begin);
}

std::optional<double> meanLostClock(const std::vector<ClampSpan> &spans) {
    double weight = 0, sum = 0;
    for (const ClampSpan &span : spans) {
        if (!span.lostClock)
            continue;
        weight += static_cast<double>(span.range.length());
        sum += *span.lostClock * static_cast<double>(span.range.length());
    }
    return weight > 0 ? std::optional(sum / weight) : std::nullopt;
}

bool isOf(const DeviceScope &scope, DeviceId device) {
    return std::find(scope.ids().begin(), scope.ids().end(), device) != scope.ids().end();
}

// Units that miss the latency limit and would meet it without the time lost to the clamp.
double rescuedUnits(const ClampCase &c) {
    const auto &sla = c.scope.context.scenario.sla;
    if (sla.empty() || !c.lostClock)
        return 0;
    const double limitNs = sla.front().limitMs * 1e6;
    double units = 0;
    for (const WorkUnit &unit : c.scope.context.units) {
        const auto latency = static_cast<double>(unit.range.length());
        const double back = *c.lostClock * static_cast<double>(overlapLength(c.heldBusy, unit.range));
        if (unit.ok && latency > limitNs && latency - back <= limitNs)
            units += unit.units;
    }
    return units;
}

void addRescuedUnits(Finding &f, const ClampCase &c) {
    const auto &within = c.scope.context.result.headline.unitsWithinSla;
    if (!f.headlineGain || !within || *within <= 0)
        return;
    const double rescue = rescuedUnits(c) / *within;
    f.headlineGain->high = (1 + f.headlineGain->high) * (1 + rescue) - 1;
}

// Joules that the same work saves (static part of the saved time) less those it costs at the higher clock.
std::optional<Interval> savedJoules(const ClampCase &c, const ClampModel &model, Interval savedS) {
    const auto idle = c.scope.idleWatts();
    const PowerSeries *power = c.scope.power();
    if (!idle || !power)
        return std::nullopt;
    const EnergyOfRange held = power->energy(c.heldBusy);
    // What is not idle power grows with the clock: at most, with the least idle power, all above it.
    const auto growth = [&](double idleWatts, double exponent) {
        const double dynamic = std::max(0.0, held.j - idleWatts * held.coveredS);
        return dynamic * (std::pow(1 - *c.lostClock, -exponent) - 1);
    };
    return Interval{savedS.low * idle->low - growth(idle->low, model.exponentHigh),
                    savedS.high * idle->high - growth(idle->high, model.exponentLow)};
}

}  // namespace

double ClampCase::busyShare() const {
    const Ns busy = length(scope.activity.busy);
    return busy > 0 ? static_cast<double>(length(heldBusy)) / static_cast<double>(busy) : 0;
}

std::string ClampCase::rows() const {
    return "SELECT ts AS b, ts + dur AS e" + whereClause(*this);
}

std::string ClampCase::lostClockQuery() const {
    return "SELECT SUM(lost_clock * dur) / SUM(dur)" + whereClause(*this) + " AND lost_clock IS NOT NULL";
}

ClampCase clampCase(const DeviceScope &scope, const std::string &clampClass) {
    ClampCase c{scope, clampClass, {}, {}, {}, {}, true};
    std::vector<TimeRange> ranges;
    for (const ClampSpan &span : scope.context.clamps) {
        if (span.clampClass != clampClass || !isOf(scope, span.device) || !span.range.overlaps(scope.span()))
            continue;
        c.spans.push_back(span);
        c.inferred = c.inferred && span.inferred;
        ranges.push_back(span.range);
    }
    c.held = clip(unionOf(std::move(ranges)), scope.span());
    c.heldBusy = intersection(c.held, scope.activity.busy);
    c.lostClock = meanLostClock(c.spans);
    return c;
}

void setClampGains(Finding &f, const ClampCase &c, const ClampModel &model) {
    if (!c.lostClock || *c.lostClock <= 0 || *c.lostClock >= 1)
        return;
    const double lostNs = static_cast<double>(length(c.heldBusy)) * *c.lostClock;
    setSavedTime(f, c.scope, model.slowdownLow * lostNs, lostNs);
    f.recoverableJ.reset();
    f.headlineGain.reset();
    if (const auto joules = savedJoules(c, model, {model.slowdownLow * lostNs / 1e9, lostNs / 1e9})) {
        setSavedEnergy(f, c.scope, *joules);
        addRescuedUnits(f, c);
    }
}

void addClampEvidence(Finding &f, const ClampCase &c) {
    const std::string file = c.scope.powerFile();
    IntervalSet ranges;
    Ns total = 0;
    for (const ClampSpan &span : c.spans) {
        ranges.push_back(span.range);
        total += span.range.length();
    }
    const TimeRange longest = longestOf(ranges);
    addEvidence(f, "episodes of the clock being held down", static_cast<double>(c.spans.size()), "episodes",
                sql::count(c.rows()), longest, file);
    addEvidence(f, "their length", toMs(static_cast<double>(total)), "ms", sql::sumMs(c.rows()), longest, file);
    if (c.lostClock)
        addEvidence(f, "clock lost in them, as a share of the reference clock", *c.lostClock, "share",
                    c.lostClockQuery(), longest, file);
    const Ns busy = overlapLength(c.scope.activity.busy, longest);
    const std::string operations = sql::inside(c.scope.operations(longest), longest);
    addCheck(f, "the device worked for at least half of the longest episode",
             sql::compare(sql::unionMs(operations), ">=", toMs(static_cast<double>(longest.length())) / 2),
             toMs(static_cast<double>(busy)) >= toMs(static_cast<double>(longest.length())) / 2, 0.5);
}

}  // namespace wattproof::analysis
