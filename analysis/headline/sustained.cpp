#include "analysis/headline/sustained.h"

#include "analysis/stats/change_point.h"

#include <algorithm>
#include <cmath>

namespace wattproof::analysis {
namespace {

constexpr Ns kShortestSettled = 60'000'000'000;
constexpr std::size_t kMostBins = 200;
constexpr double kSameLevel = 0.05;
constexpr double kShortEnding = 0.2;

// Stretches of whole units and the mean time that each took from completion to completion.
struct Paces {
    std::vector<std::size_t> first;  // unit of each stretch
    std::vector<double> values;
};

Paces pacesOf(const std::vector<WorkUnit> &units, Ns window) {
    const std::size_t count = window > 0 ? 1 : (units.size() + kMostBins - 1) / kMostBins;
    Paces paces;
    std::size_t first = 0;
    Ns begin = units[0].range.begin;
    for (std::size_t i = 0; i < units.size(); ++i) {
        const Ns length = units[i].range.end - begin;
        const std::size_t members = i - first + 1;
        const bool last = i + 1 == units.size();
        if ((members < count || length < window) && !last)
            continue;
        const bool whole = members >= count && length >= window;
        if (whole || paces.first.empty() || window == 0) {
            paces.first.push_back(first);
            paces.values.push_back(static_cast<double>(length) / static_cast<double>(members));
        }
        first = i + 1;
        begin = units[i].range.end;
    }
    return paces;
}

// Whether levels come back: a run that cycles (clamp, recover, clamp) is stationary as a whole.
bool cycles(const std::vector<Segment> &segments) {
    int returns = 0;
    for (std::size_t i = 2; i < segments.size(); ++i)
        returns += std::abs(segments[i].mean - segments[i - 2].mean) <= kSameLevel * segments[i - 2].mean ? 1 : 0;
    return returns >= 2;
}

// First bin of the stretch.
std::size_t startOf(const std::vector<Segment> &segments, std::size_t bins) {
    if (segments.size() < 2)
        return 0;
    if (cycles(segments)) {
        const bool slowStart = segments[0].mean > segments[1].mean &&
                               segments[0].mean > (1 + kSameLevel) * std::max(segments[1].mean, segments[2].mean);
        return slowStart ? segments[0].end : 0;
    }
    std::size_t last = segments.size() - 1;
    const bool shortEnding = static_cast<double>(segments[last].size()) < kShortEnding * static_cast<double>(bins);
    if (shortEnding && segments[last].mean < segments[last - 1].mean)
        --last;
    return segments[last].begin;
}

std::string seconds(Ns ns) {
    return std::to_string(ns / 1'000'000'000) + " s";
}

}  // namespace

std::optional<Sustained> sustainedInterval(const std::vector<WorkUnit> &units, bool all, Ns window) {
    if (units.empty())
        return std::nullopt;
    Sustained out;
    if (!all) {
        const Paces paces = pacesOf(units, window);
        const std::size_t shortest = std::max<std::size_t>(5, paces.values.size() / 20);
        const auto segments = levelSegments(paces.values, shortest);
        out.windows = paces.values.size();
        out.first = paces.first[startOf(segments, paces.values.size())];
        out.note =
            std::to_string(out.first) + " of " + std::to_string(units.size()) + " units left out as warm-up";
        if (paces.values.size() < 2 * shortest)
            out.note += " (" + std::to_string(paces.values.size()) + " windows are too few to tell one)";
    }
    const Ns begin = out.first == 0 ? units[0].range.begin : units[out.first - 1].range.end;
    out.range = {begin, units.back().range.end};
    return out;
}

std::optional<Ns> thermalTimeConstant(const std::vector<Sample> &temperatureC) {
    if (temperatureC.size() < 5)
        return std::nullopt;
    const double first = temperatureC.front().value;
    double highest = first;
    for (const Sample &sample : temperatureC)
        highest = std::max(highest, sample.value);
    if (highest - first < 5)
        return std::nullopt;
    const double level = first + (1 - std::exp(-1.0)) * (highest - first);
    Ns leaves = temperatureC.front().ts;  // the last moment at which it still stood where it began
    for (const Sample &sample : temperatureC) {
        if (sample.value <= first)
            leaves = sample.ts;
        if (sample.value >= level)
            return sample.ts - leaves;
    }
    return std::nullopt;
}

Settling settling(TimeRange sustained, const Context &context) {
    if (sustained.length() < kShortestSettled)
        return {false, "it lasts " + seconds(sustained.length()) + ", settled needs 60 s"};
    Ns slowest = 0;
    for (const auto &[id, readings] : context.readings)
        if (const auto tau = thermalTimeConstant(readings.temperatureC))
            slowest = std::max(slowest, *tau);
    if (sustained.length() < 5 * slowest)
        return {false, "it lasts less than five thermal time constants of " + seconds(slowest)};
    std::vector<TimeRange> spans;
    for (const ClampSpan &clamp : context.clamps)
        if (clamp.clampClass == "thermal")
            spans.push_back(clamp.range);
    const std::size_t episodes = clip(unionOf(std::move(spans)), sustained).size();
    if (episodes > 0 && episodes < 3)
        return {false, "thermal clamps have cycled fewer than three times"};
    return {true, {}};
}

}  // namespace wattproof::analysis
