#include "analysis/energy/class_model.h"

#include "analysis/energy/nnls.h"
#include "analysis/stats/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace wattproof::analysis {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kWidestHalf = 0.15;
constexpr double kCombination = 1e5;  // inflation of a column that the others add up to
constexpr std::size_t kFewestWindows = 10;
constexpr int kResamples = 400;
constexpr std::size_t kMostColumns = 12;
constexpr std::uint64_t kSeed = 20260712;

using Group = std::vector<std::size_t>;  // columns that share their watts

struct Design {
    MatrixXd shares;        // window × group
    VectorXd watts;         // above the floor
    std::size_t block = 1;  // windows that overlap or correlate
};

struct Estimate {
    VectorXd watts;
    std::vector<Interval> ci;
    VectorXd inflation;
};

// Readings whose windows overlap repeat each other: a block must be longer than one window.
std::size_t blockOf(const std::vector<PowerWindow> &windows) {
    const std::size_t n = windows.size();
    const Ns span = windows.back().range.end - windows.front().range.end;
    const Ns spacing = std::max<Ns>(1, span / static_cast<Ns>(n - 1));
    const auto overlap = static_cast<std::size_t>(windows.front().range.length() / spacing) + 1;
    return std::min(blockLength(n, 2 * overlap), std::max<std::size_t>(1, n / 5));
}

Design designOf(const std::vector<PowerWindow> &windows, const std::vector<ClassColumn> &columns,
                const std::vector<Group> &groups, double floorW) {
    Design design;
    design.shares = MatrixXd::Zero(static_cast<Index>(windows.size()), static_cast<Index>(groups.size()));
    design.watts.resize(static_cast<Index>(windows.size()));
    for (std::size_t g = 0; g < groups.size(); ++g) {
        IntervalSet busy;
        for (const std::size_t c : groups[g])
            busy = unionOf(busy, columns[c].busy);
        for (std::size_t i = 0; i < windows.size(); ++i)
            design.shares(static_cast<Index>(i), static_cast<Index>(g)) =
                static_cast<double>(overlapLength(busy, windows[i].range)) /
                static_cast<double>(windows[i].range.length());
    }
    for (std::size_t i = 0; i < windows.size(); ++i)
        design.watts(static_cast<Index>(i)) = windows[i].watts - floorW;
    design.block = blockOf(windows);
    return design;
}

MatrixXd ridged(const MatrixXd &gram) {
    const double ridge = 1e-9 * (gram.trace() / static_cast<double>(gram.rows()) + 1e-300);
    return gram + ridge * MatrixXd::Identity(gram.rows(), gram.cols());
}

Interval boundsOf(const VectorXd &column) {
    return centralInterval({column.data(), column.data() + column.size()});
}

Estimate estimate(const Design &design) {
    const Index n = design.shares.rows();
    const Index k = design.shares.cols();
    const auto block = static_cast<Index>(design.block);
    std::vector<MatrixXd> grams;
    std::vector<VectorXd> moments;
    for (Index at = 0; at < n; at += block) {
        const auto rows = design.shares.middleRows(at, std::min(block, n - at));
        grams.emplace_back(rows.transpose() * rows);
        moments.emplace_back(rows.transpose() * design.watts.segment(at, rows.rows()));
    }
    const auto solve = [&](const std::vector<std::size_t> &chosen) {
        MatrixXd gram = MatrixXd::Zero(k, k);
        VectorXd moment = VectorXd::Zero(k);
        for (const std::size_t b : chosen) {
            gram += grams[b];
            moment += moments[b];
        }
        return solveNonNegative(ridged(gram), moment);
    };
    std::vector<std::size_t> all(grams.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    Estimate out{solve(all), {}, varianceInflation(design.shares.transpose() * design.shares)};
    MatrixXd replicates(kResamples, k);
    Random random(kSeed);
    for (Index r = 0; r < kResamples; ++r)
        replicates.row(r) = solve(blockResample(grams.size(), 1, random)).transpose();
    for (Index g = 0; g < k; ++g)
        out.ci.push_back(boundsOf(replicates.col(g)));
    return out;
}

double relativeHalfWidth(const Estimate &fit, Index g) {
    const Interval &ci = fit.ci[static_cast<std::size_t>(g)];
    const double half = (ci.high - ci.low) / 2;
    const bool told = fit.watts(g) > 0 && fit.inflation(g) < kCombination;
    return told ? half / fit.watts(g) : std::numeric_limits<double>::infinity();
}

// The group whose shares rise and fall most with this one's.
Index hardestToTell(const Design &design, Index group) {
    const MatrixXd centred = design.shares.rowwise() - design.shares.colwise().mean();
    Index best = group == 0 ? 1 : 0;
    double bestLikeness = -1;
    for (Index g = 0; g < centred.cols(); ++g) {
        if (g == group)
            continue;
        const double scale = centred.col(g).norm() * centred.col(group).norm();
        const double likeness = scale > 0 ? std::abs(centred.col(g).dot(centred.col(group))) / scale : 0;
        if (likeness > bestLikeness) {
            bestLikeness = likeness;
            best = g;
        }
    }
    return best;
}

// One group a column; the ones beyond what a regression can carry share the last.
std::vector<Group> initialGroups(const std::vector<ClassColumn> &columns) {
    std::vector<std::size_t> order(columns.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return length(columns[a].busy) > length(columns[b].busy);
    });
    std::vector<Group> groups;
    for (const std::size_t c : order) {
        if (groups.size() < kMostColumns)
            groups.push_back({c});
        else
            groups.back().push_back(c);
    }
    return groups;
}

void assign(ClassModel &model, const std::vector<ClassColumn> &columns, const std::vector<Group> &groups,
            const Estimate &fit, bool identified) {
    for (std::size_t g = 0; g < groups.size(); ++g) {
        for (const std::size_t c : groups[g]) {
            ClassFit &out = model.fits[c];
            out.watts = fit.watts(static_cast<Index>(g));
            out.ci95 = fit.ci[g];
            out.group = g;
            out.status = !identified ? "abstained" : groups[g].size() > 1 ? "merged" : "ok";
            for (const std::size_t other : groups[g])
                if (other != c)
                    out.with.push_back(columns[other].name);
        }
    }
}

// Merges until every group has its watts; false when even one group of all has not.
bool mergeUntilTold(const std::vector<PowerWindow> &windows, const std::vector<ClassColumn> &columns,
                    double floorW, std::vector<Group> &groups, Estimate &fit) {
    for (;;) {
        const Design design = designOf(windows, columns, groups, floorW);
        fit = estimate(design);
        Index worst = 0;
        for (Index g = 1; g < fit.watts.size(); ++g)
            if (relativeHalfWidth(fit, g) > relativeHalfWidth(fit, worst))
                worst = g;
        if (relativeHalfWidth(fit, worst) <= kWidestHalf)
            return true;
        if (groups.size() == 1)
            return false;
        const auto from = static_cast<std::size_t>(worst);
        const auto into = static_cast<std::size_t>(hardestToTell(design, worst));
        groups[into].insert(groups[into].end(), groups[from].begin(), groups[from].end());
        groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(from));
    }
}

}  // namespace

bool ClassModel::identified() const {
    return std::any_of(fits.begin(), fits.end(), [](const ClassFit &fit) { return fit.status != "abstained"; });
}

ClassModel fitClasses(const std::vector<PowerWindow> &windows, const std::vector<ClassColumn> &columns,
                      double floorW) {
    ClassModel model;
    model.windows = windows.size();
    model.fits.resize(columns.size());
    for (ClassFit &fit : model.fits)
        fit.status = "abstained";
    if (columns.empty() || independentWindows(windows) < kFewestWindows)
        return model;
    std::vector<Group> groups = initialGroups(columns);
    const Design first = designOf(windows, columns, groups, floorW);
    model.conditionNumber = conditionNumber(first.shares.transpose() * first.shares);
    Estimate fit;
    const bool told = mergeUntilTold(windows, columns, floorW, groups, fit);
    assign(model, columns, groups, fit, told);
    return model;
}

}  // namespace wattproof::analysis
