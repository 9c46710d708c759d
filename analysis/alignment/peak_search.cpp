#include "analysis/alignment/peak_search.h"

#include "analysis/alignment/cross_correlation.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace wattproof::analysis {
namespace {

constexpr std::size_t kMaxGrid = std::size_t{1} << 20;  // points of both curves together
constexpr std::size_t kMaxCurve = 2000;
constexpr double kMinLoadRange = 0.1;    // of the busy share: less is a flat load
constexpr double kMinProminence = 0.02;  // of a local maximum that counts as a second peak
constexpr std::size_t kCandidates = 12;
constexpr double kHidden = 0.3;  // of the correlation, which the grid may take from a peak

// Both curves on one grid, about half the sensor's period apart, and how a lag of the grid becomes an offset.
struct Grid {
    Ns step = 1;
    Ns loadStart = 0, powerStart = 0;
    Curve load, power;
    [[nodiscard]] Ns offset(std::ptrdiff_t lag) const { return loadStart - powerStart - step * lag; }
};

std::size_t pointsIn(TimeRange range, Ns step) {
    return static_cast<std::size_t>(range.length() / step) + 1;
}

Curve loadCurve(const IntervalSet &busy, const SensorModel &model, TimeRange range, Ns step) {
    SensorView view(busy, model);
    Curve curve(pointsIn(range, step));
    for (std::size_t i = 0; i < curve.size(); ++i)
        curve[i] = view.share(range.begin + step * static_cast<Ns>(i));
    return curve;
}

// Linear between neighbours; missing where they are further apart than the gap rule bridges.
Curve powerCurve(const std::vector<Sample> &points, Ns maxGap, TimeRange range, Ns step) {
    Curve curve(pointsIn(range, step), std::numeric_limits<double>::quiet_NaN());
    std::size_t next = 1;
    for (std::size_t i = 0; i < curve.size(); ++i) {
        const Ns t = range.begin + step * static_cast<Ns>(i);
        while (next + 1 < points.size() && points[next].ts < t)
            ++next;
        const Sample &a = points[next - 1], &b = points[next];
        if (b.ts - a.ts > maxGap || t > b.ts || b.ts == a.ts)
            continue;
        const double share = static_cast<double>(t - a.ts) / static_cast<double>(b.ts - a.ts);
        curve[i] = a.value + (b.value - a.value) * share;
    }
    return curve;
}

Grid resample(const IntervalSet &busy, const SensorModel &model, const std::vector<Sample> &points,
              TimeRange observed, Ns medianPeriod) {
    const TimeRange log{points.front().ts, points.back().ts};
    Grid grid;
    const auto limit = static_cast<Ns>(kMaxGrid);
    grid.step = std::max<Ns>({model.period / 2, (observed.length() + log.length()) / limit, 1});
    grid.loadStart = observed.begin;
    grid.powerStart = log.begin;
    grid.load = loadCurve(busy, model, observed, grid.step);
    grid.power =
        powerCurve(points, kPeriodsBridged * std::max({medianPeriod, model.period, grid.step}), log, grid.step);
    return grid;
}

// Changes between low and high, each counted once: a threshold with hysteresis about the middle of the range.
int countEdges(const Curve &curve) {
    const auto range = std::minmax_element(curve.begin(), curve.end());
    const double low = *range.first + 0.35 * (*range.second - *range.first);
    const double high = *range.first + 0.65 * (*range.second - *range.first);
    int edges = 0;
    bool up = curve.front() > high;
    for (const double v : curve) {
        if ((up && v < low) || (!up && v > high)) {
            up = !up;
            ++edges;
        }
    }
    return edges;
}

double rangeOf(const Curve &curve) {
    const auto range = std::minmax_element(curve.begin(), curve.end());
    return *range.second - *range.first;
}

// The largest local maximum that stands apart from the main peak: between both the score falls by kMinProminence.
std::optional<std::size_t> secondPeak(const std::vector<LagScore> &scores, std::size_t peak) {
    std::optional<std::size_t> best;
    const auto walk = [&](int direction) {
        double valley = scores[peak].correlation;
        for (auto i = static_cast<std::ptrdiff_t>(peak); i >= 0 && i < std::ssize(scores); i += direction) {
            const auto at = static_cast<std::size_t>(i);
            const double r = scores[at].correlation;
            valley = std::min(valley, r);
            if (r >= valley + kMinProminence && (!best || r > scores[*best].correlation))
                best = at;
        }
    };
    walk(-1);
    walk(+1);
    return best;
}

// Local maxima that may be the peak once they are judged on the readings themselves, best first: between the
// points of the grid a narrow peak can hide.
std::vector<std::size_t> candidates(const std::vector<LagScore> &scores) {
    std::vector<std::size_t> tops;
    for (std::size_t i = 0; i < scores.size(); ++i) {
        const bool rises = i == 0 || scores[i].correlation >= scores[i - 1].correlation;
        const bool falls = i + 1 == scores.size() || scores[i].correlation > scores[i + 1].correlation;
        if (rises && falls)
            tops.push_back(i);
    }
    const auto better = [&](std::size_t a, std::size_t b) {
        return scores[a].correlation > scores[b].correlation;
    };
    const std::size_t kept = std::min(tops.size(), kCandidates);
    std::partial_sort(tops.begin(), tops.begin() + static_cast<std::ptrdiff_t>(kept), tops.end(), better);
    tops.resize(kept);
    std::erase_if(
        tops, [&](std::size_t i) { return scores[i].correlation < scores[tops.front()].correlation - kHidden; });
    return tops;
}

std::vector<AlignmentScore> thinned(const std::vector<LagScore> &scores, const Grid &grid) {
    std::vector<AlignmentScore> curve;
    const std::size_t bucket = (scores.size() + kMaxCurve - 1) / kMaxCurve;
    for (std::size_t begin = 0; begin < scores.size(); begin += bucket) {
        const auto first = scores.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto last = scores.begin() + static_cast<std::ptrdiff_t>(std::min(begin + bucket, scores.size()));
        const auto top = std::max_element(
            first, last, [](const LagScore &a, const LagScore &b) { return a.correlation < b.correlation; });
        curve.push_back({grid.offset(top->lag), top->correlation});
    }
    std::reverse(curve.begin(), curve.end());
    return curve;
}

// Finer than the grid: the best of offsets an eighth of a step apart, then the vertex of the parabola through its
// neighbours.
AlignmentScore refine(const IntervalSet &busy, const SensorModel &model, const std::vector<Sample> &points,
                      TimeRange observed, Ns coarse, Ns step) {
    const Ns fine = std::max<Ns>(step / 8, 1);
    const auto score = [&](Ns offset) { return scoreOf(busy, model, points, observed, offset); };
    AlignmentScore best{coarse, score(coarse)};
    for (Ns offset = coarse - step; offset <= coarse + step; offset += fine)
        if (const double r = score(offset); r > best.correlation)
            best = {offset, r};
    const double before = score(best.offset - fine), after = score(best.offset + fine);
    const double bend = before - 2 * best.correlation + after;
    if (bend < 0)
        best.offset += std::llround(static_cast<double>(fine) * 0.5 * (before - after) / bend);
    return best;
}

}  // namespace

void Moments::add(double a, double b) {
    n += 1;
    x += a;
    y += b;
    xx += a * a;
    yy += b * b;
    xy += a * b;
}

double Moments::slope() const {
    const double vx = n * xx - x * x;
    return vx > 0 ? (n * xy - x * y) / vx : 0;
}

double Moments::correlation() const {
    const double vx = n * xx - x * x, vy = n * yy - y * y;
    constexpr double flat = 1e-12;
    if (n < 3 || vx <= flat * n * xx || vy <= flat * n * yy)
        return 0;
    return (n * xy - x * y) / std::sqrt(vx * vy);
}

double scoreOf(const IntervalSet &busy, const SensorModel &model, const std::vector<Sample> &points,
               TimeRange observed, Ns offset) {
    if (busy.empty() || points.empty())
        return 0;
    const double reference = points.front().value;
    auto it = std::lower_bound(points.begin(), points.end(), observed.begin - offset,
                               [](const Sample &s, Ns t) { return s.ts < t; });
    SensorView view(busy, model);
    Moments moments;
    for (; it != points.end() && it->ts + offset <= observed.end; ++it)
        moments.add(view.share(it->ts + offset), it->value - reference);
    return moments.correlation();
}

Found search(const IntervalSet &busy, const SensorModel &model, const std::vector<Sample> &points,
             TimeRange observed, Ns medianPeriod) {
    Found found;
    found.observed = observed;
    AlignmentProposal &p = found.proposal;
    const Grid grid = resample(busy, model, points, observed, medianPeriod);
    found.step = grid.step;
    p.edges = countEdges(grid.load);
    if (rangeOf(grid.load) < kMinLoadRange) {
        p.refusal =
            "the load is too flat as this sensor sees it: its busy share varies by less than "
            "10 %; align by hand, or use a log with a shorter averaging window";
        return found;
    }
    const auto scores = crossCorrelation(grid.load, grid.power, std::min(grid.load.size(), grid.power.size()) / 2);
    if (scores.empty()) {
        p.refusal = "the log's readings nowhere cover half of the trace";
        return found;
    }
    const std::vector<std::size_t> tops = candidates(scores);
    p.searched = {grid.offset(scores.back().lag), grid.offset(scores.front().lag)};
    p.curve = thinned(scores, grid);
    std::size_t best = tops.front();
    std::vector<AlignmentScore> refined;
    for (const std::size_t top : tops) {
        refined.push_back(refine(busy, model, points, observed, grid.offset(scores[top].lag), grid.step));
        if (!p.peak || refined.back().correlation > p.peak->correlation) {
            p.peak = refined.back();
            best = top;
        }
    }
    if (const auto second = secondPeak(scores, best))
        p.secondPeak = AlignmentScore{grid.offset(scores[*second].lag), scores[*second].correlation};
    for (const AlignmentScore &other : refined)
        if (std::llabs(other.offset - p.peak->offset) > kNearPeriods * std::max(model.period, model.window) &&
            (!p.secondPeak || other.correlation > p.secondPeak->correlation))
            p.secondPeak = other;
    return found;
}

}  // namespace wattproof::analysis
