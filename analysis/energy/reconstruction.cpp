#include "analysis/energy/reconstruction.h"

#include "analysis/energy/curve_estimate.h"
#include "analysis/energy/sensor_equations.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace wattproof::analysis {
namespace {

constexpr std::size_t kMaxCells = 40'000;
constexpr Ns kCellsInPeriod = 4;
constexpr Ns kCellsInWindow = 64;
constexpr Ns kCellsInStep = 8;  // of rolling means, whose equations are many and wide
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr double kNoiseDeviations = 3;
constexpr double kMostNoise = 0.02;  // of the readings' range: what changes more is load

// Noise of the readings from their second differences: the lower quartile, which steady stretches fill.
double noiseOf(const std::vector<SensorReading> &readings, double span) {
    constexpr double kQuartileOfSecondDifference = 0.781;  // 0.319 · sqrt(6), of a normal distribution
    std::vector<double> bends;
    for (std::size_t k = 2; k < readings.size(); ++k)
        bends.push_back(
            std::abs(readings[k].window.watts - 2 * readings[k - 1].window.watts + readings[k - 2].window.watts));
    if (bends.empty())
        return 0;
    const auto quarter = bends.begin() + static_cast<std::ptrdiff_t>(bends.size() / 4);
    std::nth_element(bends.begin(), quarter, bends.end());
    return std::min(kNoiseDeviations * *quarter / kQuartileOfSecondDifference, kMostNoise * span);
}

double spanOf(const std::vector<SensorReading> &readings) {
    const auto range = std::minmax_element(
        readings.begin(), readings.end(),
        [](const SensorReading &a, const SensorReading &b) { return a.window.watts < b.window.watts; });
    return range.second->window.watts - range.first->window.watts;
}

Ns middle(std::vector<Ns> values) {
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

ReadingFacts factsOf(const PowerSeries &power, const std::vector<SensorReading> &readings, Ns period,
              const ReconstructionQuery &query) {
    ReadingFacts facts;
    std::vector<Ns> windows, seen;
    for (const SensorReading &reading : readings) {
        windows.push_back(reading.window.range.length());
        seen.push_back(reading.seenLength);
    }
    facts.window = middle(std::move(windows));
    facts.observed = middle(std::move(seen));
    facts.period = std::max<Ns>(period, 1);
    facts.overlapping = facts.window > facts.period + facts.period / 4;
    facts.span = spanOf(readings);
    facts.tolerance = std::max(power.channel().sensor.quantum / 2, noiseOf(readings, facts.span));
    facts.limits.floor = query.floorW;
    facts.limits.ceiling =
        query.ceilingW > query.floorW ? query.ceilingW : std::numeric_limits<double>::infinity();
    // Readings outside of the limits refute them.
    for (const SensorReading &reading : readings) {
        facts.limits.floor = std::min(facts.limits.floor, reading.window.watts);
        facts.limits.ceiling = std::max(facts.limits.ceiling, reading.window.watts);
    }
    return facts;
}

CellGrid gridOf(const std::vector<SensorReading> &readings, const ReadingFacts &facts, Ns step) {
    Ns begin = readings.front().window.range.begin, end = readings.front().window.range.end;
    for (const SensorReading &reading : readings) {
        begin = std::min(begin, reading.window.range.begin);
        end = std::max(end, reading.window.range.end);
    }
    Ns finest =
        std::max<Ns>({std::min(facts.observed, facts.period) / kCellsInPeriod, facts.window / kCellsInWindow, 1});
    // The edges of rolling means lie whole periods apart: cells of whole periods have no parts in an equation.
    if (facts.overlapping && step >= 2 * facts.period)
        finest = facts.period * std::max<Ns>({1, step / kCellsInStep / facts.period,
                                              (finest + facts.period - 1) / facts.period});
    CellGrid grid;
    grid.start = begin;
    grid.cell = finest;
    if (step > facts.window && (end - begin) / finest > static_cast<Ns>(kMaxCells))
        grid.cell = (end - begin) / static_cast<Ns>(kMaxCells) + 1;  // steps far longer than windows need no more
    grid.count = static_cast<std::size_t>((end - begin + grid.cell - 1) / grid.cell);
    return grid;
}

// Rolling means that start within one cell of each other say nearly the same: one a cell is enough.
std::vector<SensorReading> oneACell(const std::vector<SensorReading> &readings, Ns cell) {
    std::vector<SensorReading> kept;
    for (const SensorReading &reading : readings)
        if (kept.empty() || reading.window.range.end - kept.back().window.range.end >= cell - cell / 4)
            kept.push_back(reading);
    return kept;
}

// Least and most energy of a stretch, W·ns.
struct EnergySpan {
    double low = 0, high = 0;
};

class Band {
public:
    Band(const std::vector<SensorReading> &readings, const CellGrid &grid, const ReadingFacts &facts, CellBounds bounds)
        : readings_(readings), grid_(grid), facts_(facts), bounds_(std::move(bounds)) {}

    // Whole readings inside count as such; what is left at their sides by its cells.
    [[nodiscard]] EnergySpan of(TimeRange range) const;

private:
    [[nodiscard]] EnergySpan byCells(TimeRange range) const;
    [[nodiscard]] EnergySpan withinReadings(TimeRange range) const;

    const std::vector<SensorReading> &readings_;
    const CellGrid &grid_;
    const ReadingFacts &facts_;
    CellBounds bounds_;
};

EnergySpan Band::byCells(TimeRange range) const {
    EnergySpan sum;
    const PowerLimits &limits = facts_.limits;
    const auto cellLength = static_cast<double>(grid_.cell);
    for (std::size_t i = grid_.at(range.begin); i < grid_.count && grid_.range(i).begin < range.end; ++i) {
        const TimeRange cell = grid_.range(i);
        const auto time = static_cast<double>(std::min(cell.end, range.end) - std::max(cell.begin, range.begin));
        if (time <= 0)
            continue;
        const double rest = cellLength - time;
        const double least =
            rest > 0 ? bounds_.low[i] * cellLength - limits.ceiling * rest : bounds_.low[i] * time;
        sum.low += std::max(limits.floor * time, least);
        sum.high += std::min(limits.ceiling * time, bounds_.high[i] * cellLength - limits.floor * rest);
    }
    return sum;
}

// A stretch within what one reading sees holds no more than the reading less the floor of the rest.
EnergySpan Band::withinReadings(TimeRange range) const {
    EnergySpan best = byCells(range);
    auto it = std::lower_bound(readings_.begin(), readings_.end(), range.end,
                               [](const SensorReading &r, Ns t) { return r.window.range.end < t; });
    for (; it != readings_.end() && it->window.range.begin <= range.begin; ++it) {
        if (it->seen.size() > 1 || it->seen.front().begin > range.begin)
            continue;
        const auto rest = static_cast<double>(it->seenLength - range.length());
        const double energy = it->window.watts * static_cast<double>(it->seenLength);
        const double tolerance = facts_.tolerance * static_cast<double>(it->seenLength);
        best.high = std::min(best.high, energy + tolerance - facts_.limits.floor * rest);
        if (std::isfinite(facts_.limits.ceiling))
            best.low = std::max(best.low, energy - tolerance - facts_.limits.ceiling * rest);
        else if (rest <= 0)
            best.low = std::max(best.low, energy - tolerance);
    }
    return best;
}

EnergySpan Band::of(TimeRange range) const {
    EnergySpan sum;
    Ns cursor = range.begin;
    const auto add = [&](EnergySpan part) {
        sum.low += part.low;
        sum.high += part.high;
    };
    auto it = std::lower_bound(readings_.begin(), readings_.end(), range.begin,
                               [](const SensorReading &r, Ns t) { return r.window.range.end < t; });
    for (; it != readings_.end() && it->window.range.end <= range.end; ++it) {
        if (it->seen.size() > 1 || it->seen.front().begin < cursor)
            continue;
        const TimeRange seen = it->seen.front();
        if (seen.begin > cursor)
            add(withinReadings({cursor, seen.begin}));
        const auto length = static_cast<double>(it->seenLength);
        add({(it->window.watts - facts_.tolerance) * length, (it->window.watts + facts_.tolerance) * length});
        cursor = seen.end;
    }
    if (cursor < range.end)
        add(withinReadings({cursor, range.end}));
    return sum;
}

double energyOf(const std::vector<double> &curve, const CellGrid &grid, TimeRange range) {
    double energy = 0;
    for (std::size_t i = grid.at(range.begin); i < grid.count && grid.range(i).begin < range.end; ++i) {
        const TimeRange cell = grid.range(i);
        const Ns time = std::min(cell.end, range.end) - std::max(cell.begin, range.begin);
        energy += curve[i] * static_cast<double>(std::max<Ns>(time, 0));
    }
    return energy;
}

// Where the log speaks of the power: its readings' windows, and what lies between two that follow each other.
IntervalSet spokenOf(const std::vector<SensorReading> &readings, Ns maxGap) {
    std::vector<TimeRange> ranges;
    for (std::size_t k = 0; k < readings.size(); ++k) {
        ranges.push_back(readings[k].window.range);
        if (k > 0 && readings[k].window.range.end - readings[k - 1].window.range.end <= maxGap)
            ranges.push_back({readings[k - 1].window.range.end, readings[k].window.range.end});
    }
    return unionOf(std::move(ranges));
}

std::string timeText(Ns time) {
    char text[40];
    const auto ms = static_cast<double>(time) / 1e6;
    std::snprintf(text, sizeof text, ms < 1000 ? "%.3g ms" : "%.4g s", ms < 1000 ? ms : ms / 1000);
    return text;
}

std::string noteOf(const ReadingFacts &facts, bool assumed) {
    if (assumed)
        return "The sensor states no averaging window: each reading is taken as a mean since the one before (about " +
               timeText(facts.window) + "); power within it is not known.";
    const bool seesPart = facts.observed + facts.observed / 20 < facts.window;
    return "Each reading is a mean over " + timeText(facts.window) +
           (seesPart ? ", of which the sensor sees a part" : "") + ", one every " + timeText(facts.period) +
           ": the band is what shorter stretches can have been.";
}

Ns stepEdge(const ReconstructionQuery &query, std::size_t i) {
    const auto steps = static_cast<Ns>(query.steps), step = static_cast<Ns>(i), length = query.range.length();
    return query.range.begin + length / steps * step + length % steps * step / steps;
}

}  // namespace

Reconstruction reconstruct(const PowerSeries &power, const ReconstructionQuery &query,
                           const std::stop_token &stop) {
    Reconstruction result;
    if (query.steps == 0 || query.range.empty())
        return result;
    const Sensor &sensor = power.channel().sensor;
    const Ns period = sensor.period > 0 ? std::max(sensor.period, power.medianPeriod()) : power.medianPeriod();
    const Ns around = sensor.window + 2 * period;
    const std::vector<SensorReading> readings =
        readingsOf(power, {query.range.begin - around, query.range.end + around}, period);
    if (readings.empty())
        return result;
    const ReadingFacts facts = factsOf(power, readings, period, query);
    const CellGrid grid = gridOf(readings, facts, query.range.length() / static_cast<Ns>(query.steps));
    const std::vector<SensorReading> used =
        facts.overlapping && grid.cell > facts.period ? oneACell(readings, grid.cell) : readings;
    std::vector<SensorEquation> equations;
    equations.reserve(used.size());
    for (const SensorReading &reading : used)
        equations.push_back(equationOf(reading, grid, facts.tolerance));
    const std::vector<double> curve = estimateCurve(equations, used, grid, facts, stop);
    const Band band(used, grid, facts, boundsOf(equations, grid, facts.limits, stop));
    if (stop.stop_requested())
        return result;
    const IntervalSet spoken = spokenOf(readings, std::max(power.maxGap(), 2 * facts.period));
    for (std::size_t i = 0; i < query.steps; ++i) {
        ReconstructedStep step{{stepEdge(query, i), stepEdge(query, i + 1)}, kUnknown, kUnknown, kUnknown};
        const auto length = static_cast<double>(step.range.length());
        if (length > 0 && overlapLength(spoken, step.range) == step.range.length()) {
            const EnergySpan energy = band.of(step.range);
            step.low = std::min(energy.low, energy.high) / length;
            step.high = std::max(energy.low, energy.high) / length;
            step.central = std::clamp(energyOf(curve, grid, step.range) / length, step.low, step.high);
        }
        result.steps.push_back(step);
    }
    for (const SensorReading &reading : readings)
        if (reading.window.range.overlaps(query.range))
            result.readings.push_back(reading.window);
    result.toleranceW = facts.tolerance;
    result.window = facts.window;
    result.observed = facts.observed;
    result.period = facts.period;
    result.windowAssumed = sensor.window == 0 && power.channel().kind == CounterKind::Gauge;
    result.note = noteOf(facts, result.windowAssumed);
    return result;
}

}  // namespace wattproof::analysis
