// Least squares with coefficients that cannot be negative, on normal equations.
#pragma once

#include <Eigen/Dense>

namespace wattproof::analysis {

// min ½ xᵀ G x − hᵀ x with x >= 0, G = AᵀA + ridge (symmetric positive definite), h = Aᵀy: the active-set method
// of Lawson and Hanson in the form of Bro and de Jong.
[[nodiscard]] Eigen::VectorXd solveNonNegative(const Eigen::MatrixXd &gram, const Eigen::VectorXd &moment);

// Square root of the ratio of extreme eigenvalues of the Gram matrix with unit diagonal: how hard columns are to
// tell apart. Infinite when one is a combination of the others.
[[nodiscard]] double conditionNumber(const Eigen::MatrixXd &gram);

// Of each column: how much its variance is inflated by its likeness to the others (1: none; huge: it is their
// combination, and only a ridge would choose its coefficient).
[[nodiscard]] Eigen::VectorXd varianceInflation(const Eigen::MatrixXd &gram);

}  // namespace wattproof::analysis
