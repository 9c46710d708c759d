#include "analysis/alignment/align.h"
#include "analysis/alignment/cross_correlation.h"
#include "analysis/alignment/sensor_view.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>

namespace wattproof::analysis {
namespace {

constexpr std::size_t kMaxGrid = std::size_t{1} << 20;  // points of both curves together
constexpr std::size_t kMaxCurve = 2000;
constexpr std::size_t kMinSamples = 10;
constexpr int kBridgedPeriods = 5;
constexpr double kMinLoadRange = 0.1;  // of the busy share: less is a flat load
constexpr double kMinCorrelation = 0.5;
constexpr double kMinLead = 0.05;        // of the peak over the second one
constexpr double kMinProminence = 0.02;  // of a local maximum that counts as a second peak
constexpr int kMinEdges = 2;
constexpr int kMaxEdgesThatCount = 12;  // more edges of one run are not independent of each other

struct Moments {
    double n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
    void add(double a, double b) {
        n += 1;
        x += a;
        y += b;
        xx += a * a;
        yy += b * b;
        xy += a * b;
    }
    [[nodiscard]] double correlation() const {
        const double vx = n * xx - x * x, vy = n * yy - y * y;
        constexpr double flat = 1e-12;
        if (n < 3 || vx <= flat * n * xx || vy <= flat * n * yy)
            return 0;
        return (n * xy - x * y) / std::sqrt(vx * vy);
    }
};

double scoreOf(const IntervalSet &busy, const SensorModel &model, const std::vector<Sample> &points, Ns offset) {
    if (busy.empty() || points.empty())
        return 0;
    const TimeRange observed = observedRange(busy, model);
    const double reference = points.front().value;
    auto it = std::lower_bound(points.begin(), points.end(), observed.begin - offset,
                               [](const Sample &s, Ns t) { return s.ts < t; });
    SensorView view(busy, model);
    Moments moments;
    for (; it != points.end() && it->ts + offset <= observed.end; ++it)
        moments.add(view.share(it->ts + offset), it->value - reference);
    return moments.correlation();
}

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
              Ns medianPeriod) {
    const TimeRange observed = observedRange(busy, model);
    const TimeRange log{points.front().ts, points.back().ts};
    Grid grid;
    const auto limit = static_cast<Ns>(kMaxGrid);
    grid.step = std::max<Ns>({model.period / 2, (observed.length() + log.length()) / limit, 1});
    grid.loadStart = observed.begin;
    grid.powerStart = log.begin;
    grid.load = loadCurve(busy, model, observed, grid.step);
    grid.power = powerCurve(points, kBridgedPeriods * std::max(medianPeriod, grid.step), log, grid.step);
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
                      Ns coarse, Ns step) {
    const Ns fine = std::max<Ns>(step / 8, 1);
    const auto score = [&](Ns offset) { return scoreOf(busy, model, points, offset); };
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

double normalDistribution(double z) {
    return 0.5 * std::erfc(-z / std::sqrt(2.0));
}

// Probability that the peak is the right one: Fisher's z of its lead over the second peak, each distinct edge
// counting as one independent observation, lowered where the peak itself explains little of the power's variance.
double confidence(double peak, double second, int edges) {
    const auto fisher = [](double r) { return std::atanh(std::clamp(r, 0.0, 0.999)); };
    const double observations = std::min(edges, kMaxEdgesThatCount);
    const double lead = (fisher(peak) - fisher(second)) * std::sqrt(observations);
    return std::min(0.99, normalDistribution(lead) * std::min(1.0, peak / 0.9));
}

std::string phrase(const char *format, double a, double b, int c) {
    char text[240];
    std::snprintf(text, sizeof text, format, a, b, c);
    return text;
}

AlignmentProposal refuse(AlignmentProposal proposal, std::string why) {
    proposal.refusal = std::move(why);
    return proposal;
}

std::string ambiguity(const AlignmentProposal &p) {
    if (p.edges < kMinEdges)
        return "the trace holds fewer than two distinct load edges: align by hand, or record the idle time before "
               "and "
               "after the run";
    if (p.peak->correlation < kMinCorrelation)
        return phrase(
            "no offset explains the power: the best correlation is %.2f, at least %.2f is needed; check that the "
            "log is of the traced device and run",
            p.peak->correlation, kMinCorrelation, 0);
    if (p.secondPeak && p.peak->correlation - p.secondPeak->correlation < kMinLead)
        return phrase(
            "two offsets fit almost equally (correlation %.3f and %.3f): the load repeats itself; align by hand "
            "at its start or end",
            p.peak->correlation, p.secondPeak->correlation, 0);
    return {};
}

store::Alignment alignmentFrom(const AlignmentProposal &p, const SensorModel &model, Ns step) {
    store::Alignment a;
    a.offset = p.peak->offset;
    a.method = "correlation";
    a.confidence = confidence(p.peak->correlation, p.secondPeak ? p.secondPeak->correlation : 0, p.edges);
    a.uncertainty = std::max((model.period + 1) / 2, step / 2) + model.lagDoubt;
    a.note = phrase("correlation of busy share and power: peak %.3f, second peak %.3f, %d load edges",
                    p.peak->correlation, p.secondPeak ? p.secondPeak->correlation : 0, p.edges);
    return a;
}

std::string unusable(const IntervalSet &busy, const std::vector<Sample> &points) {
    if (busy.empty())
        return "the trace has no device operations to compare with the power";
    if (points.size() < kMinSamples)
        return "the log has fewer than 10 power readings";
    const auto range = std::minmax_element(points.begin(), points.end(),
                                           [](const Sample &a, const Sample &b) { return a.value < b.value; });
    if (range.first->value == range.second->value)
        return "the power never changes over the whole log: a dead sensor, or no load";
    return {};
}

}  // namespace

double alignmentScore(const IntervalSet &busy, const PowerSeries &power, Ns offset) {
    return scoreOf(busy, sensorModel(power), wattPoints(power), offset);
}

AlignmentProposal correlate(const IntervalSet &busy, const PowerSeries &power, const Task &task) {
    AlignmentProposal proposal;
    const SensorModel model = sensorModel(power);
    const std::vector<Sample> points = wattPoints(power);
    if (std::string why = unusable(busy, points); !why.empty())
        return refuse(std::move(proposal), std::move(why));
    const Grid grid = resample(busy, model, points, power.medianPeriod());
    proposal.edges = countEdges(grid.load);
    if (rangeOf(grid.load) < kMinLoadRange)
        return refuse(std::move(proposal),
                      "the load is too flat as this sensor sees it: its busy share varies by less than "
                      "10 %; align by hand, or use a log with a shorter averaging window");
    const auto scores = crossCorrelation(grid.load, grid.power, std::min(grid.load.size(), grid.power.size()) / 2);
    if (task.cancelled())
        return refuse(std::move(proposal), "cancelled");
    if (scores.empty())
        return refuse(std::move(proposal), "the log's readings nowhere cover half of the trace");
    const auto top = std::max_element(scores.begin(), scores.end(), [](const LagScore &a, const LagScore &b) {
        return a.correlation < b.correlation;
    });
    proposal.searched = {grid.offset(scores.back().lag), grid.offset(scores.front().lag)};
    proposal.curve = thinned(scores, grid);
    proposal.peak = refine(busy, model, points, grid.offset(top->lag), grid.step);
    if (const auto second = secondPeak(scores, static_cast<std::size_t>(top - scores.begin())))
        proposal.secondPeak = AlignmentScore{grid.offset(scores[*second].lag), scores[*second].correlation};
    if (std::string why = ambiguity(proposal); !why.empty())
        return refuse(std::move(proposal), std::move(why));
    proposal.alignment = alignmentFrom(proposal, model, grid.step);
    return proposal;
}

}  // namespace wattproof::analysis
