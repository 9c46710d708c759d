#include "analysis/energy/sensor_equations.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace wattproof::analysis {
namespace {

constexpr int kSweeps = 30;
constexpr double kSettled = 1e-3;      // W: no bound moves by more in a sweep
constexpr double kSampledPart = 1.05;  // of duty times period: a window this short is the sampled part itself

std::vector<TimeRange> seenBy(TimeRange window, double duty, Ns period) {
    if (duty <= 0 || duty >= 1)
        return {window};
    const double sampled = duty * static_cast<double>(period > 0 ? period : window.length());
    if (period > 0 && window.length() > period) {
        std::vector<TimeRange> comb;
        for (Ns end = window.end; end > window.begin; end -= period)
            comb.insert(comb.begin(), {std::max(window.begin, end - std::max<Ns>(1, std::llround(sampled))), end});
        return comb;
    }
    if (static_cast<double>(window.length()) <= kSampledPart * sampled)
        return {window};
    const double part = duty * static_cast<double>(window.length());
    return {{window.end - std::max<Ns>(1, std::llround(part)), window.end}};
}

bool touches(const PowerWindow &window, TimeRange range) {
    return window.range.overlaps(range) && !window.range.empty();
}

// Energy that a part of a cell can hold, W·ns.
struct Span {
    double low = 0, high = 0;
};

Span partOf(double high, double time, double cell, PowerLimits limits) {
    const double least = limits.floor * time;
    return {least, std::min(limits.ceiling * time, least + (high - limits.floor) * cell)};
}

class Propagation {
public:
    Propagation(const CellGrid &grid, PowerLimits limits)
        : cell_(static_cast<double>(grid.cell)),
          limits_(limits),
          bounds_{std::vector<double>(grid.count, limits.floor), std::vector<double>(grid.count, limits.ceiling)} {
    }

    // Returns by how much a bound moved.
    double apply(const SensorEquation &equation);
    CellBounds take();

private:
    [[nodiscard]] bool whole(const CellTime &c) const {
        return std::abs(static_cast<double>(c.time)) > cell_ - 0.5;
    }
    [[nodiscard]] Span term(const CellTime &c) const;
    double tighten(std::size_t cell, double low, double high);

    double cell_;
    PowerLimits limits_;
    CellBounds bounds_;
};

// What a cell adds to the equation's sum.
Span Propagation::term(const CellTime &c) const {
    const double time = std::abs(static_cast<double>(c.time));
    const Span energy = whole(c) ? Span{bounds_.low[c.cell] * cell_, bounds_.high[c.cell] * cell_}
                                 : partOf(bounds_.high[c.cell], time, cell_, limits_);
    return c.time > 0 ? energy : Span{-energy.high, -energy.low};
}

double Propagation::tighten(std::size_t cell, double low, double high) {
    double moved = 0;
    if (low > bounds_.low[cell] && std::isfinite(low)) {
        moved = low - bounds_.low[cell];
        bounds_.low[cell] = std::min(low, limits_.ceiling);
    }
    if (high < bounds_.high[cell]) {
        moved = std::isfinite(bounds_.high[cell]) ? std::max(moved, bounds_.high[cell] - high)
                                                  : std::numeric_limits<double>::infinity();
        bounds_.high[cell] = std::max(high, limits_.floor);
    }
    return moved;
}

double Propagation::apply(const SensorEquation &equation) {
    Span sum;
    int unboundedLow = 0, unboundedHigh = 0;
    for (const CellTime &c : equation.cells) {
        const Span t = term(c);
        std::isfinite(t.low) ? sum.low += t.low : ++unboundedLow;
        std::isfinite(t.high) ? sum.high += t.high : ++unboundedHigh;
    }
    const Span energy{equation.energy - equation.tolerance, equation.energy + equation.tolerance};
    const double infinite = std::numeric_limits<double>::infinity();
    double moved = 0;
    for (const CellTime &c : equation.cells) {
        if (!whole(c))
            continue;
        const Span t = term(c);
        const bool onlyLow = unboundedLow == (std::isfinite(t.low) ? 0 : 1);
        const bool onlyHigh = unboundedHigh == (std::isfinite(t.high) ? 0 : 1);
        const double most = onlyLow ? energy.high - (sum.low - (std::isfinite(t.low) ? t.low : 0)) : infinite;
        const double least = onlyHigh ? energy.low - (sum.high - (std::isfinite(t.high) ? t.high : 0)) : -infinite;
        moved = std::max(moved, c.time > 0 ? tighten(c.cell, least / cell_, most / cell_)
                                           : tighten(c.cell, -most / cell_, -least / cell_));
    }
    return moved;
}

CellBounds Propagation::take() {
    for (std::size_t i = 0; i < bounds_.low.size(); ++i)
        if (bounds_.low[i] > bounds_.high[i])
            std::swap(bounds_.low[i], bounds_.high[i]);
    return std::move(bounds_);
}

}  // namespace

std::vector<SensorReading> readingsOf(const PowerSeries &power, TimeRange touching, Ns period) {
    std::vector<SensorReading> readings;
    for (const PowerWindow &window : sensorWindows(power)) {
        if (!touches(window, touching))
            continue;
        SensorReading reading{window, seenBy(window.range, power.channel().sensor.duty, period), 0};
        for (const TimeRange &part : reading.seen)
            reading.seenLength += part.length();
        readings.push_back(std::move(reading));
    }
    return readings;
}

std::size_t CellGrid::at(Ns t) const {
    const Ns index = (t - start) / cell;
    return static_cast<std::size_t>(std::clamp<Ns>(index, 0, static_cast<Ns>(count) - 1));
}

SensorEquation equationOf(const SensorReading &reading, const CellGrid &grid, double toleranceW) {
    SensorEquation equation;
    equation.energy = reading.window.watts * static_cast<double>(reading.seenLength);
    equation.tolerance = toleranceW * static_cast<double>(reading.seenLength);
    for (const TimeRange &part : reading.seen) {
        for (std::size_t i = grid.at(part.begin); i < grid.count && grid.range(i).begin < part.end; ++i) {
            const TimeRange cell = grid.range(i);
            const Ns time = std::min(cell.end, part.end) - std::max(cell.begin, part.begin);
            if (time > 0)
                equation.cells.push_back({i, time});
        }
    }
    return equation;
}

std::vector<SensorEquation> differences(const std::vector<SensorEquation> &equations) {
    std::vector<SensorEquation> all;
    for (std::size_t k = 1; k < equations.size(); ++k) {
        const auto &before = equations[k - 1].cells, &after = equations[k].cells;
        if (before.empty() || after.empty() || after.front().cell >= before.back().cell)
            continue;
        SensorEquation difference;
        difference.energy = equations[k].energy - equations[k - 1].energy;
        difference.tolerance = equations[k].tolerance + equations[k - 1].tolerance;
        auto a = before.begin(), b = after.begin();
        while (a != before.end() || b != after.end()) {
            const bool left = b == after.end() || (a != before.end() && a->cell <= b->cell);
            const bool right = a == before.end() || (b != after.end() && b->cell <= a->cell);
            const Ns time = (right ? b->time : 0) - (left ? a->time : 0);
            if (time != 0)
                difference.cells.push_back({left ? a->cell : b->cell, time});
            a += left ? 1 : 0;
            b += right ? 1 : 0;
        }
        all.push_back(std::move(difference));
    }
    return all;
}

CellBounds boundsOf(const std::vector<SensorEquation> &equations, const CellGrid &grid, PowerLimits limits,
                    const std::stop_token &stop) {
    Propagation propagation(grid, limits);
    const std::vector<SensorEquation> rolling = differences(equations);
    for (int sweep = 0; sweep < kSweeps && !stop.stop_requested(); ++sweep) {
        double moved = 0;
        for (const auto *set : {&equations, &rolling}) {
            for (std::size_t k = 0; k < set->size(); ++k)  // each second sweep from the end
                moved = std::max(moved, propagation.apply((*set)[sweep % 2 == 0 ? k : set->size() - 1 - k]));
        }
        if (moved < kSettled)
            break;
    }
    return propagation.take();
}

}  // namespace wattproof::analysis
