#include "analysis/energy/curve_estimate.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <Eigen/Sparse>
#include <Eigen/SparseCholesky>

namespace wattproof::analysis {
namespace {

constexpr int kPinRounds = 8;
constexpr int kCorrections = 200;

// The readings at the middles of their windows, joined by lines: where the search for a curve begins.
std::vector<double> centredCurve(const std::vector<SensorReading> &readings, const CellGrid &grid) {
    const auto middleOf = [](const SensorReading &r) { return r.seen.front().begin / 2 + r.seen.back().end / 2; };
    std::vector<double> curve(grid.count);
    std::size_t next = 0;
    for (std::size_t i = 0; i < grid.count; ++i) {
        const Ns t = grid.range(i).begin + grid.cell / 2;
        while (next < readings.size() && middleOf(readings[next]) < t)
            ++next;
        const SensorReading &after = readings[std::min(next, readings.size() - 1)];
        const SensorReading &before = readings[next > 0 ? next - 1 : 0];
        const Ns length = middleOf(after) - middleOf(before);
        const double share =
            length > 0 ? static_cast<double>(t - middleOf(before)) / static_cast<double>(length) : 0;
        curve[i] = before.window.watts + std::clamp(share, 0.0, 1.0) * (after.window.watts - before.window.watts);
    }
    return curve;
}

using Matrix = Eigen::SparseMatrix<double>;

Matrix dataMatrix(const std::vector<SensorEquation> &equations, std::size_t cells) {
    std::vector<Eigen::Triplet<double>> entries;
    for (std::size_t k = 0; k < equations.size(); ++k) {
        Ns seen = 0;
        for (const CellTime &c : equations[k].cells)
            seen += c.time;
        for (const CellTime &c : equations[k].cells)
            entries.emplace_back(static_cast<int>(k), static_cast<int>(c.cell),
                                 static_cast<double>(c.time) / static_cast<double>(seen));
    }
    Matrix a(static_cast<Eigen::Index>(equations.size()), static_cast<Eigen::Index>(cells));
    a.setFromTriplets(entries.begin(), entries.end());
    return a;
}

Matrix firstDifferences(std::size_t cells) {
    std::vector<Eigen::Triplet<double>> entries;
    for (std::size_t i = 1; i < cells; ++i) {
        entries.emplace_back(static_cast<int>(i - 1), static_cast<int>(i - 1), -1.0);
        entries.emplace_back(static_cast<int>(i - 1), static_cast<int>(i), 1.0);
    }
    Matrix d(static_cast<Eigen::Index>(cells - 1), static_cast<Eigen::Index>(cells));
    d.setFromTriplets(entries.begin(), entries.end());
    return d;
}

// min |A p − v|² / tolerance² + |D p|² / span² within the limits; cells that leave them are pinned to them.
std::optional<std::vector<double>> smoothest(const std::vector<SensorEquation> &equations,
                                             const std::vector<SensorReading> &readings, const CellGrid &grid,
                                             const ReadingFacts &facts) {
    const auto n = static_cast<Eigen::Index>(grid.count);
    const Matrix a = dataMatrix(equations, grid.count), d = firstDifferences(grid.count);
    Eigen::VectorXd v(static_cast<Eigen::Index>(readings.size()));
    for (std::size_t k = 0; k < readings.size(); ++k)
        v[static_cast<Eigen::Index>(k)] = readings[k].window.watts;
    const double tolerance = std::max(facts.tolerance / 2, 1e-4 * facts.span) + 1e-9;
    const double data = std::pow((facts.span + 1e-6) / tolerance, 2);
    const Matrix base = Matrix(data * (a.transpose() * a)) + Matrix(d.transpose() * d);
    const Eigen::VectorXd moment = data * (a.transpose() * v);
    Eigen::VectorXd pins = Eigen::VectorXd::Constant(n, 1e-9), target = Eigen::VectorXd::Zero(n), p;
    const double pin = 100 * data;
    Eigen::SimplicialLDLT<Matrix> solver;
    for (int round = 0; round < kPinRounds; ++round) {
        Matrix h = base;
        for (Eigen::Index i = 0; i < n; ++i)
            h.coeffRef(i, i) += pins[i];
        if (round == 0)
            solver.analyzePattern(h);
        solver.factorize(h);
        if (solver.info() != Eigen::Success)
            return std::nullopt;
        p = solver.solve(Eigen::VectorXd(moment + pins.cwiseProduct(target)));
        bool changed = false;
        for (Eigen::Index i = 0; i < n; ++i) {
            const double inside = std::clamp(p[i], facts.limits.floor, facts.limits.ceiling);
            if (std::abs(inside - p[i]) <= tolerance || pins[i] > 1)
                continue;
            pins[i] = pin;
            target[i] = inside;
            changed = true;
        }
        if (!changed)
            break;
    }
    return std::vector<double>(p.begin(), p.end());
}

// Moves each reading's mean to within `slack` of the reading, keeping to the limits: what lies above the floor is
// scaled, or what is free below the ceiling is filled.
double correct(std::vector<double> &curve, const SensorEquation &equation, double slack, PowerLimits limits) {
    double energy = 0, above = 0, below = 0, seen = 0;
    for (const CellTime &c : equation.cells) {
        const auto time = static_cast<double>(c.time);
        energy += curve[c.cell] * time;
        above += (curve[c.cell] - limits.floor) * time;
        below += (limits.ceiling - curve[c.cell]) * time;
        seen += time;
    }
    const double error = equation.energy - energy, allowed = slack * seen;
    if (std::abs(error) <= allowed)
        return 0;
    const double wanted = error > 0 ? error - allowed : error + allowed;
    for (const CellTime &c : equation.cells) {
        double &value = curve[c.cell];
        if (wanted < 0 && above > 0)
            value += (value - limits.floor) * std::max(-1.0, wanted / above);
        else if (wanted > 0 && std::isfinite(below) && below > 0)
            value += (limits.ceiling - value) * std::min(1.0, wanted / below);
        else if (wanted > 0)
            value += wanted / seen;
    }
    return std::abs(wanted) / seen;
}

}  // namespace

std::vector<double> estimateCurve(const std::vector<SensorEquation> &equations,
                             const std::vector<SensorReading> &readings, const CellGrid &grid, const ReadingFacts &facts,
                             const std::stop_token &stop) {
    std::vector<double> curve = centredCurve(readings, grid);
    if (facts.span > 0 && grid.cell <= facts.window)
        if (auto found = smoothest(equations, readings, grid, facts))
            curve = std::move(*found);
    for (double &value : curve)
        value = std::clamp(value, facts.limits.floor, facts.limits.ceiling);
    const double slack = facts.overlapping ? facts.tolerance : 0;
    for (int round = 0; round < kCorrections && !stop.stop_requested(); ++round) {
        double moved = 0;
        for (const SensorEquation &equation : equations)
            moved = std::max(moved, correct(curve, equation, slack, facts.limits));
        if (moved <= 1e-9 * std::max(1.0, facts.span))
            break;
    }
    return curve;
}

}  // namespace wattproof::analysis
