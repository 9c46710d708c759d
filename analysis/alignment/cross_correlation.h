// Normalised cross-correlation of two sampled curves with missing points, at every lag at once.
#pragma once

#include <cstddef>
#include <vector>

namespace wattproof::analysis {

// Equidistant values; NaN = missing.
using Curve = std::vector<double>;

struct LagScore {
    std::ptrdiff_t lag = 0;  // power[i + lag] stands beside load[i]
    double correlation = 0;  // Pearson's r over the points present in both
};

// Scores of all lags at which at least `minimumOverlap` points are present in both, by lag. A lag at which one of
// the curves is constant scores 0. Six products of transforms: O(n log n) with n the sum of both lengths.
[[nodiscard]] std::vector<LagScore> crossCorrelation(const Curve &load, const Curve &power,
                                                     std::size_t minimumOverlap);

}  // namespace wattproof::analysis
