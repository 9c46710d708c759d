#include "analysis/alignment/clock_fit.h"

#include "analysis/alignment/peak_search.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace wattproof::analysis {
namespace {

constexpr int kStretches = 12;
constexpr std::size_t kMinStretches = 5;
constexpr std::size_t kMostPoints = 4000;  // of a stretch: more make it slower, not better
constexpr std::size_t kFewestPoints = 20;
constexpr double kFits = 0.6;  // correlation of a stretch
constexpr double kDeviations = 4;
constexpr double kFinest = 0.02;  // of a period: no local offset is better than that
constexpr double kMostPpm = 1000;  // a crystal is within 100, a clock that is being slewed within 500
constexpr double kSearchedPpm = 300;  // over the whole run, to both sides
constexpr Ns kFewestPeriods = 3;  // searched to both sides at least

struct LocalOffset {
    double at = 0;      // ns, trace time since the first stretch
    double offset = 0;  // ns, against the given one
};

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

std::optional<double> localOffset(const IntervalSet &busy, const SensorModel &model, const std::vector<Sample> &points,
                                  TimeRange stretch, Ns offset, Ns radius) {
    const auto before = [](const Sample &s, Ns t) { return s.ts < t; };
    const auto first = std::lower_bound(points.begin(), points.end(), stretch.begin - offset - radius, before);
    const auto last = std::lower_bound(first, points.end(), stretch.end - offset + radius, before);
    const std::vector<Sample> near(first, last);
    if (near.size() < kFewestPoints)
        return std::nullopt;
    const IntervalSet load = clip(busy, {stretch.begin - model.window - model.lag, stretch.end});
    if (load.empty())
        return std::nullopt;
    const auto score = [&](Ns by) { return scoreOf(load, model, near, stretch, offset + by); };
    const Ns step = std::max<Ns>({model.period / 4, radius / 200, 1});
    Ns best = 0;
    double top = -1;
    for (Ns by = -radius; by <= radius; by += step)
        if (const double r = score(by); r > top) {
            top = r;
            best = by;
        }
    for (Ns fine = step / 2; fine >= std::max<Ns>(model.period / 50, 1); fine /= 2)
        for (const Ns by : {best - fine, best + fine})
            if (const double r = score(by); r > top) {
                top = r;
                best = by;
            }
    if (top < kFits || std::llabs(best) >= radius - step)
        return std::nullopt;
    return static_cast<double>(best);
}

struct Line {
    double at = 0, value = 0, slope = 0, valueSigma = 0, slopeSigma = 0;
};

Line throughMedians(const std::vector<LocalOffset> &points) {
    std::vector<double> slopes, rests;
    for (std::size_t i = 0; i < points.size(); ++i)
        for (std::size_t j = i + 1; j < points.size(); ++j)
            slopes.push_back((points[j].offset - points[i].offset) / (points[j].at - points[i].at));
    Line line;
    line.slope = median(slopes);
    for (const LocalOffset &p : points)
        rests.push_back(p.offset - line.slope * p.at);
    line.value = median(rests);
    return line;
}

Line leastSquares(const std::vector<LocalOffset> &points, double finest) {
    const auto n = static_cast<double>(points.size());
    Line line;
    for (const LocalOffset &p : points) {
        line.at += p.at / n;
        line.value += p.offset / n;
    }
    double xx = 0, xy = 0, rest = 0;
    for (const LocalOffset &p : points) {
        xx += (p.at - line.at) * (p.at - line.at);
        xy += (p.at - line.at) * (p.offset - line.value);
    }
    line.slope = xy / xx;
    for (const LocalOffset &p : points)
        rest += std::pow(p.offset - line.value - line.slope * (p.at - line.at), 2);
    const double sigma = std::max(std::sqrt(rest / (n - 2)), finest);
    line.slopeSigma = sigma / std::sqrt(xx);
    line.valueSigma = sigma / std::sqrt(n);
    return line;
}

std::vector<LocalOffset> withoutOutliers(const std::vector<LocalOffset> &points, double finest) {
    constexpr double kDeviationOfMedian = 1.4826;
    const Line line = throughMedians(points);
    std::vector<double> distances;
    for (const LocalOffset &p : points)
        distances.push_back(std::abs(p.offset - line.value - line.slope * p.at));
    const double limit = kDeviations * std::max(kDeviationOfMedian * median(distances), finest);
    std::vector<LocalOffset> kept;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (distances[i] <= limit)
            kept.push_back(points[i]);
    return kept;
}

std::string driftText(const ClockFit &fit) {
    char text[160];
    std::snprintf(text, sizeof text, "; the log's clock is %.1f ± %.1f ppm %s (%d stretches over %.0f s)",
                  std::abs(fit.ppm), 2 * fit.ppmSigma, fit.ppm > 0 ? "slow" : "fast", fit.stretches,
                  static_cast<double>(fit.length) / 1e9);
    return text;
}

}  // namespace

bool ClockFit::drifts(Ns period) const {
    const double effect = std::abs(ppm) * 1e-6 * static_cast<double>(length);
    return std::abs(ppm) >= kDeviations * ppmSigma && std::abs(ppm) <= kMostPpm &&
           effect >= static_cast<double>(period) / 4;
}

std::optional<ClockFit> fitClock(const IntervalSet &busy, const SensorModel &model, const std::vector<Sample> &points,
                                 Ns offset, Ns radius, const Task &task) {
    const TimeRange run = insideRange(busy, model);
    const Ns each = run.length() / kStretches;
    const Ns longest = static_cast<Ns>(kMostPoints) * model.period;
    std::vector<LocalOffset> offsets;
    TimeRange compared{run.begin, run.begin};
    for (int i = 0; i < kStretches && !run.empty() && !task.cancelled(); ++i) {
        const Ns middle = run.begin + each * i + each / 2;
        const Ns half = std::min(each, longest) / 2;
        const auto local = localOffset(busy, model, points, {middle - half, middle + half}, offset, radius);
        if (!local)
            continue;
        if (offsets.empty())
            compared.begin = middle;
        compared.end = middle;
        offsets.push_back({static_cast<double>(middle - run.begin), *local});
    }
    if (offsets.size() < kMinStretches)
        return std::nullopt;
    const double finest = kFinest * static_cast<double>(model.period);
    offsets = withoutOutliers(offsets, finest);
    if (offsets.size() < kMinStretches)
        return std::nullopt;
    const Line line = leastSquares(offsets, finest);
    ClockFit fit;
    fit.offset = offset + std::llround(line.value);
    fit.anchor = run.begin + std::llround(line.at) - fit.offset;
    fit.offsetSigma = line.valueSigma;
    fit.ppm = line.slope * 1e6;
    fit.ppmSigma = line.slopeSigma * 1e6;
    fit.length = compared.length();
    fit.stretches = static_cast<int>(offsets.size());
    return fit;
}

std::optional<ClockFit> addDrift(store::Alignment &alignment, const IntervalSet &busy, const PowerSeries &power, Ns base,
                                 const Task &task) {
    const SensorModel model = sensorModel(power);
    const auto length = static_cast<double>(busy.empty() ? 0 : busy.back().end - busy.front().begin);
    const Ns radius = std::max<Ns>(kFewestPeriods * model.period, std::llround(kSearchedPpm * 1e-6 * length));
    auto fit = fitClock(busy, model, wattPoints(power), alignment.offset, radius, task);
    if (!fit || !fit->drifts(model.period))
        return fit;
    // Clocks that both state wall time differ by less than what is not known of the sensor's lag.
    const bool stated = alignment.method == "wall-clock";
    if (!stated || std::llabs(fit->offset - alignment.offset) > alignment.uncertainty)
        alignment.offset = fit->offset;
    alignment.driftPpb = std::llround(fit->ppm * 1000);
    alignment.anchor = fit->anchor - base;
    alignment.uncertainty += std::llround(fit->ppmSigma * 1e-6 * length);  // two standard errors at both ends
    alignment.note += driftText(*fit);
    return fit;
}

}  // namespace wattproof::analysis
