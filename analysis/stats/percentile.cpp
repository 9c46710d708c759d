#include "analysis/stats/percentile.h"

#include <algorithm>
#include <cmath>

namespace wattproof::analysis {
namespace {

double binomial(std::size_t n, double p, std::size_t k) {
    const auto N = static_cast<double>(n);
    const auto K = static_cast<double>(k);
    return std::exp(std::lgamma(N + 1) - std::lgamma(K + 1) - std::lgamma(N - K + 1) + K * std::log(p) +
                    (N - K) * std::log1p(-p));
}

}  // namespace

std::size_t nearestRank(double percent, std::size_t n) {
    // The product is taken a hair below: 0.99 × 100 is 99.00000000000001 in doubles, yet rank 99 is meant.
    const double exact = percent * static_cast<double>(n) / 100.0;
    const auto rank = static_cast<std::size_t>(std::ceil(exact - 1e-9 * std::max(1.0, exact)));
    return std::clamp<std::size_t>(rank, 1, n);
}

std::optional<double> percentile(const std::vector<double> &sorted, double percent) {
    if (sorted.empty())
        return std::nullopt;
    return sorted[nearestRank(percent, sorted.size()) - 1];
}

std::optional<Ranks> percentileRanks(double percent, std::size_t n, double level) {
    const double q = percent / 100.0;
    if (n < 2 || q <= 0 || q >= 1)
        return std::nullopt;
    // Order statistics low and high cover when low <= B <= high - 1, B binomial: grow from its mode.
    Ranks ranks;
    const auto mode = static_cast<std::size_t>(q * static_cast<double>(n + 1));
    ranks.low = std::clamp<std::size_t>(mode, 1, n - 1);
    ranks.high = ranks.low + 1;
    double coverage = binomial(n, q, ranks.low);
    while (coverage < level) {
        const double below = ranks.low > 1 ? binomial(n, q, ranks.low - 1) : -1.0;
        const double above = ranks.high < n ? binomial(n, q, ranks.high) : -1.0;
        if (below < 0 && above < 0)
            return std::nullopt;
        if (below >= above) {
            --ranks.low;
            coverage += below;
        } else {
            ++ranks.high;
            coverage += above;
        }
    }
    return ranks;
}

std::optional<Interval> percentileInterval(const std::vector<double> &sorted, double percent, double level) {
    const auto ranks = percentileRanks(percent, sorted.size(), level);
    if (!ranks)
        return std::nullopt;
    return Interval{sorted[ranks->low - 1], sorted[ranks->high - 1]};
}

}  // namespace wattproof::analysis
