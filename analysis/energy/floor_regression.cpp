#include "analysis/energy/floor_regression.h"

#include "analysis/stats/student.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Dense>

namespace wattproof::analysis {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::size_t kFewestWindows = 10;
constexpr std::size_t kWindowsPerColumn = 4;
constexpr double kLeastMeanShare = 0.02;   // classes below share one column
constexpr double kSteadyClock = 0.03;      // of the median, for a window to count as run at the usual clock
constexpr double kReachWhenMixed = 0.35;   // one column for several classes: their mix must not matter
constexpr double kLargestCondition = 1e4;  // of the columns, scaled to one

double share(const IntervalSet &busy, const PowerWindow &window) {
    return static_cast<double>(overlapLength(busy, window.range)) / static_cast<double>(window.range.length());
}

double clockAt(const std::vector<Sample> &clock, Ns t) {
    const auto it =
        std::partition_point(clock.begin(), clock.end(), [t](const Sample &sample) { return sample.ts < t; });
    return it == clock.end() ? clock.back().value : it->value;
}

// Power at a clock that was held down is another function of the shares.
std::vector<PowerWindow> atUsualClock(const std::vector<PowerWindow> &windows, const std::vector<Sample> &clock) {
    if (clock.empty() || windows.empty())
        return windows;
    std::vector<double> values;
    for (const PowerWindow &window : windows)
        values.push_back(clockAt(clock, window.range.end));
    std::vector<double> sorted = values;
    std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2),
                     sorted.end());
    const double usual = sorted[sorted.size() / 2];
    std::vector<PowerWindow> kept;
    for (std::size_t i = 0; i < windows.size(); ++i) {
        // The clock may change inside a window: both ends count.
        const double before = clockAt(clock, windows[i].range.begin);
        if (std::abs(values[i] - usual) <= kSteadyClock * usual &&
            std::abs(before - usual) <= kSteadyClock * usual)
            kept.push_back(windows[i]);
    }
    return independentWindows(kept) >= kFewestWindows ? kept : windows;
}

// A column of shares for each class that matters, one for all the others.
MatrixXd columnsOf(const std::vector<PowerWindow> &windows, const std::vector<ClassColumn> &classes) {
    std::vector<VectorXd> columns;
    IntervalSet rest;
    const auto column = [&](const IntervalSet &busy) {
        VectorXd shares(static_cast<Index>(windows.size()));
        for (std::size_t i = 0; i < windows.size(); ++i)
            shares(static_cast<Index>(i)) = share(busy, windows[i]);
        return shares;
    };
    for (const ClassColumn &item : classes) {
        VectorXd shares = column(item.busy);
        if (shares.mean() >= kLeastMeanShare)
            columns.push_back(std::move(shares));
        else
            rest = unionOf(rest, item.busy);
    }
    if (VectorXd shares = column(rest); shares.maxCoeff() > 0)
        columns.push_back(std::move(shares));
    MatrixXd out(static_cast<Index>(windows.size()), static_cast<Index>(columns.size()) + 1);
    out.col(0).setOnes();
    for (std::size_t c = 0; c < columns.size(); ++c)
        out.col(static_cast<Index>(c) + 1) = columns[c];
    return out;
}

MatrixXd busyColumn(const std::vector<PowerWindow> &windows, const IntervalSet &busy) {
    MatrixXd out = MatrixXd::Ones(static_cast<Index>(windows.size()), 2);
    for (std::size_t i = 0; i < windows.size(); ++i)
        out(static_cast<Index>(i), 1) = share(busy, windows[i]);
    return out;
}

bool tells(const MatrixXd &columns) {
    MatrixXd scaled = columns;
    for (Index c = 0; c < scaled.cols(); ++c) {
        if (scaled.col(c).norm() <= 0)
            return false;
        scaled.col(c).normalize();
    }
    const VectorXd values = scaled.jacobiSvd().singularValues();
    return values(values.size() - 1) * kLargestCondition > values(0);
}

// How much wider an error is because neighbouring residuals resemble each other.
double widening(const VectorXd &residuals) {
    const Index n = residuals.size();
    const double squares = residuals.squaredNorm();
    if (squares <= 0)
        return 1;
    const double correlation = std::clamp(residuals.head(n - 1).dot(residuals.tail(n - 1)) / squares, 0.0, 0.95);
    return std::sqrt((1 + correlation) / (1 - correlation));
}

std::optional<FloorFit> fit(const std::vector<PowerWindow> &windows, const MatrixXd &columns) {
    const auto independent = independentWindows(windows);
    const auto parameters = static_cast<std::size_t>(columns.cols());
    if (independent < std::max(kFewestWindows, kWindowsPerColumn * parameters) || !tells(columns))
        return std::nullopt;
    VectorXd watts(columns.rows());
    for (Index i = 0; i < watts.size(); ++i)
        watts(i) = windows[static_cast<std::size_t>(i)].watts;
    const VectorXd weights = columns.colPivHouseholderQr().solve(watts);
    const VectorXd residuals = watts - columns * weights;
    const auto freedom = static_cast<double>(columns.rows()) - static_cast<double>(parameters);
    const double variance = residuals.squaredNorm() / freedom;
    const double leverage = (columns.transpose() * columns).inverse()(0, 0);
    const double overlap = static_cast<double>(columns.rows()) / static_cast<double>(independent);
    const double error = std::sqrt(variance * leverage) * std::max(widening(residuals), std::sqrt(overlap));
    const double half = student95(independent - parameters) * error;
    return FloorFit{weights(0), {weights(0) - half, weights(0) + half}, independent, 1};
}

}  // namespace

std::optional<FloorFit> fitFloor(const FloorEvidence &evidence) {
    const auto windows = atUsualClock(windowsInside(evidence.windows, evidence.traced), evidence.clockHz);
    if (windows.empty() || evidence.classes.empty())
        return std::nullopt;
    IntervalSet busy;
    for (const ClassColumn &item : evidence.classes)
        busy = unionOf(busy, item.busy);
    const MatrixXd one = busyColumn(windows, busy);
    const double lowest = one.col(1).minCoeff();
    auto found = fit(windows, columnsOf(windows, evidence.classes));
    if (!found && lowest <= kReachWhenMixed)
        found = fit(windows, one);
    if (found)
        found->lowestShare = lowest;
    return found;
}

}  // namespace wattproof::analysis
