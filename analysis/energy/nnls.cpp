#include "analysis/energy/nnls.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace wattproof::analysis {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd solveFree(const MatrixXd &gram, const VectorXd &moment, const std::vector<Index> &free) {
    const auto n = static_cast<Index>(free.size());
    MatrixXd part(n, n);
    VectorXd right(n);
    for (Index i = 0; i < n; ++i) {
        right(i) = moment(free[static_cast<std::size_t>(i)]);
        for (Index j = 0; j < n; ++j)
            part(i, j) = gram(free[static_cast<std::size_t>(i)], free[static_cast<std::size_t>(j)]);
    }
    const VectorXd solution = part.ldlt().solve(right);
    VectorXd whole = VectorXd::Zero(moment.size());
    for (Index i = 0; i < n; ++i)
        whole(free[static_cast<std::size_t>(i)]) = solution(i);
    return whole;
}

// Steps from x towards the unconstrained solution until a free coefficient reaches zero; true when one did.
bool stepInside(VectorXd &x, const VectorXd &target, std::vector<Index> &free) {
    double step = 1;
    for (const Index i : free)
        if (target(i) <= 0)
            step = std::min(step, x(i) / (x(i) - target(i)));
    x += step * (target - x);
    if (step >= 1)
        return false;
    std::erase_if(free, [&](Index i) {
        if (target(i) > 0 || x(i) > 1e-12 * (1 + x.cwiseAbs().maxCoeff()))
            return false;
        x(i) = 0;
        return true;
    });
    return true;
}

// The Gram matrix with columns scaled to length 1; zero columns stay zero.
MatrixXd unitDiagonal(const MatrixXd &gram) {
    const VectorXd length = gram.diagonal().cwiseMax(0).cwiseSqrt();
    const VectorXd scale = length.unaryExpr([](double l) { return l > 0 ? 1 / l : 0.0; });
    return scale.asDiagonal() * gram * scale.asDiagonal();
}

}  // namespace

VectorXd solveNonNegative(const MatrixXd &gram, const VectorXd &moment) {
    const Index n = moment.size();
    VectorXd x = VectorXd::Zero(n);
    std::vector<Index> free;
    std::vector<bool> isFree(static_cast<std::size_t>(n), false);
    const double tolerance = 1e-10 * (1 + moment.cwiseAbs().maxCoeff());
    for (Index round = 0; round < 3 * n + 10; ++round) {
        const VectorXd gradient = moment - gram * x;
        Index best = -1;
        for (Index i = 0; i < n; ++i)
            if (!isFree[static_cast<std::size_t>(i)] && gradient(i) > tolerance &&
                (best < 0 || gradient(i) > gradient(best)))
                best = i;
        if (best < 0)
            break;
        free.push_back(best);
        while (!free.empty() && stepInside(x, solveFree(gram, moment, free), free)) {
        }
        isFree.assign(isFree.size(), false);
        for (const Index i : free)
            isFree[static_cast<std::size_t>(i)] = true;
    }
    return x;
}

double conditionNumber(const MatrixXd &gram) {
    if (gram.size() == 0 || gram.diagonal().minCoeff() <= 0)
        return std::numeric_limits<double>::infinity();
    const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(unitDiagonal(gram), Eigen::EigenvaluesOnly);
    const VectorXd &values = solver.eigenvalues();
    if (values.minCoeff() <= 1e-14 * values.maxCoeff())
        return std::numeric_limits<double>::infinity();
    return std::sqrt(values.maxCoeff() / values.minCoeff());
}

VectorXd varianceInflation(const MatrixXd &gram) {
    constexpr double kRidge = 1e-10;
    const MatrixXd unit = unitDiagonal(gram) + kRidge * MatrixXd::Identity(gram.rows(), gram.cols());
    return unit.inverse().diagonal();
}

}  // namespace wattproof::analysis
