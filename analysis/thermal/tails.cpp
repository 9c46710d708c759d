#include "analysis/stats/percentile.h"
#include "analysis/stats/random.h"
#include "analysis/thermal/clamps.h"

#include <algorithm>

namespace wattproof::analysis {
namespace {

constexpr double kTailPercent = 95;
constexpr std::size_t kFewestUnits = 40;
constexpr std::size_t kFewestEpisodes = 6;
constexpr int kShifts = 999;
constexpr std::uint64_t kSeed = 8128;

double oddsRatio(const std::vector<TimeRange> &units, const std::vector<bool> &slow, const IntervalSet &clamps) {
    double table[2][2] = {{0.5, 0.5}, {0.5, 0.5}};
    for (std::size_t i = 0; i < units.size(); ++i) {
        const bool clamped = overlapLength(clamps, units[i]) > 0;
        table[clamped ? 1 : 0][slow[i] ? 1 : 0] += 1;
    }
    return table[1][1] * table[0][0] / (table[1][0] * table[0][1]);
}

IntervalSet shifted(const IntervalSet &spans, TimeRange ring, Ns by) {
    std::vector<TimeRange> moved;
    for (const TimeRange &span : spans) {
        const Ns begin = ring.begin + (span.begin - ring.begin + by) % ring.length();
        const Ns end = begin + span.length();
        moved.push_back({begin, std::min(end, ring.end)});
        if (end > ring.end)
            moved.push_back({ring.begin, ring.begin + (end - ring.end)});
    }
    return unionOf(std::move(moved));
}

void say(Context &context, const std::string &reason) {
    context.result.reasons.try_emplace("thermal.tail_odds_ratio", reason);
    context.result.reasons.try_emplace("thermal.tail_p_value", reason);
}

}  // namespace

void associateTails(Context &context) {
    std::vector<TimeRange> spans;
    for (const ClampSpan &clamp : context.clamps)
        if (clamp.clampClass == "thermal")
            spans.push_back(clamp.range);
    if (spans.empty())
        return say(context, "no thermal clamp was seen");
    std::vector<TimeRange> units;
    std::vector<double> lengths;
    for (const WorkUnit &unit : context.units) {
        if (unit.ok) {
            units.push_back(unit.range);
            lengths.push_back(static_cast<double>(unit.range.length()));
        }
    }
    if (units.size() < kFewestUnits)
        return say(context, "fewer than 40 units of work were seen");
    std::vector<double> sorted = lengths;
    std::sort(sorted.begin(), sorted.end());
    const double limit = *percentile(sorted, kTailPercent);
    std::vector<bool> slow;
    for (const double length : lengths)
        slow.push_back(length > limit);
    TimeRange ring{units.front().begin, units.front().end};
    for (const TimeRange &unit : units)
        ring = {std::min(ring.begin, unit.begin), std::max(ring.end, unit.end)};
    const IntervalSet clamps = clip(unionOf(std::move(spans)), ring);
    const double ratio = oddsRatio(units, slow, clamps);
    context.result.thermal.tailOddsRatio = ratio;
    if (clamps.size() < kFewestEpisodes)
        return say(context, "fewer than six clamp episodes: a shift test would prove nothing");
    Random random(kSeed);
    int asLarge = 0;
    for (int i = 0; i < kShifts; ++i) {
        const auto by = static_cast<Ns>(random.uniform() * static_cast<double>(ring.length()));
        asLarge += oddsRatio(units, slow, shifted(clamps, ring, by)) >= ratio ? 1 : 0;
    }
    context.result.thermal.tailPValue = (1.0 + asLarge) / (1.0 + kShifts);
}

}  // namespace wattproof::analysis
