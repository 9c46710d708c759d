#include "analysis/energy/floors.h"

#include "analysis/stats/percentile.h"

#include <algorithm>
#include <cmath>

namespace wattproof::analysis {
namespace {

constexpr Ns kSettle = 5'000'000'000;  // clocks and context fall only seconds after the last operation
constexpr std::size_t kFewestReadings = 3;
constexpr std::size_t kFewestWindows = 10;
constexpr double kLeastSpread = 0.05;  // of the busy share, for an intercept to mean something

std::optional<double> medianOf(std::vector<double> values) {
    if (values.size() < kFewestReadings)
        return std::nullopt;
    std::sort(values.begin(), values.end());
    return percentile(values, 50);
}

template <class Accept>
std::vector<double> wattsWhere(const std::vector<PowerWindow> &windows, Accept accept) {
    std::vector<double> values;
    for (const PowerWindow &window : windows)
        if (accept(window.range))
            values.push_back(window.watts);
    return values;
}

struct Line {
    double intercept = 0, spread = 0, lowest = 0;
    std::size_t windows = 0;
};

// Least squares of watts over busy share.
Line powerOverBusy(const std::vector<PowerWindow> &windows, const IntervalSet &busy) {
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    Line line;
    for (const PowerWindow &window : windows) {
        const double x =
            static_cast<double>(overlapLength(busy, window.range)) / static_cast<double>(window.range.length());
        line.lowest = n == 0 ? window.watts : std::min(line.lowest, window.watts);
        n += 1;
        sx += x;
        sy += window.watts;
        sxx += x * x;
        sxy += x * window.watts;
    }
    line.windows = independentWindows(windows);
    const double variance = n > 0 ? sxx / n - sx / n * (sx / n) : 0;
    line.spread = std::sqrt(std::max(0.0, variance));
    if (variance > 0)
        line.intercept = sy / n - (sxy / n - sx / n * (sy / n)) / variance * (sx / n);
    return line;
}

void addSource(IdleFloor &floor, const std::string &text) {
    floor.source += (floor.source.empty() ? "" : "; ") + text;
}

void estimateDeep(IdleFloor &floor, const std::vector<PowerWindow> &windows, TimeRange traced) {
    auto before = wattsWhere(windows, [&](TimeRange r) { return r.end <= traced.begin; });
    auto after = wattsWhere(windows, [&](TimeRange r) { return r.begin >= traced.end + kSettle; });
    const std::size_t readings = before.size() + after.size();
    const auto first = medianOf(std::move(before));
    const auto last = medianOf(std::move(after));
    if (!first && !last)
        return;
    floor.deep = first && last ? std::min(*first, *last) : first ? *first : *last;
    addSource(floor, "deep from " + std::to_string(readings) + " readings outside the trace");
}

void estimateActive(IdleFloor &floor, const std::vector<PowerWindow> &windows, const IntervalSet &busy,
                    TimeRange traced) {
    auto paused = wattsWhere(windows, [&](TimeRange r) {
        return r.begin >= traced.begin && r.end <= traced.end && overlapLength(busy, r) == 0;
    });
    const std::size_t readings = paused.size();
    if (const auto median = medianOf(std::move(paused))) {
        floor.active = std::max(*median, floor.deep.value_or(0));
        return addSource(floor, "active from " + std::to_string(readings) + " readings in pauses");
    }
    const Line line = powerOverBusy(windowsInside(windows, traced), busy);
    if (line.windows < kFewestWindows || line.spread < kLeastSpread)
        return;
    const double least = floor.deep.value_or(0);
    floor.active = std::clamp(line.intercept, least, std::max(least, line.lowest));
    addSource(floor, "active from power over busy share in " + std::to_string(line.windows) + " windows");
}

}  // namespace

IdleFloor estimateFloors(const std::vector<PowerWindow> &windows, const IntervalSet &busy, TimeRange traced) {
    IdleFloor floor;
    estimateDeep(floor, windows, traced);
    estimateActive(floor, windows, busy, traced);
    if (floor.source.empty())
        floor.source = "not seen: no reading lies wholly in an idle stretch";
    return floor;
}

double staticWatts(const IdleFloor &floor) {
    return floor.active.value_or(floor.deep.value_or(0));
}

}  // namespace wattproof::analysis
