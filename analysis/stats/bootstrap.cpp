#include "analysis/stats/bootstrap.h"

#include "analysis/stats/percentile.h"

#include <algorithm>
#include <cmath>

namespace wattproof::analysis {
namespace {
constexpr std::size_t kFewest = 8;
}

std::vector<std::size_t> blockResample(std::size_t n, std::size_t block, Random &random) {
    std::vector<std::size_t> indices;
    indices.reserve(n + block);
    while (indices.size() < n) {
        const std::size_t start = random.below(n);
        for (std::size_t i = 0; i < block && indices.size() < n; ++i)
            indices.push_back((start + i) % n);
    }
    return indices;
}

std::size_t blockLength(std::size_t n, std::size_t least) {
    const auto natural = static_cast<std::size_t>(std::lround(std::cbrt(static_cast<double>(n))));
    return std::clamp<std::size_t>(std::max(natural, least), 1, std::max<std::size_t>(n, 1));
}

Interval centralInterval(std::vector<double> replicates, double level) {
    std::sort(replicates.begin(), replicates.end());
    const double tail = (1 - level) / 2 * 100;
    return {*percentile(replicates, tail), *percentile(replicates, 100 - tail)};
}

std::optional<Interval> bootstrapRatio(const std::vector<double> &numerator,
                                       const std::vector<double> &denominator, std::uint64_t seed, double level,
                                       int resamples) {
    const std::size_t n = numerator.size();
    if (n < kFewest || denominator.size() != n)
        return std::nullopt;
    Random random(seed);
    const std::size_t block = blockLength(n);
    std::vector<double> ratios;
    for (int r = 0; r < resamples; ++r) {
        double above = 0;
        double below = 0;
        for (const std::size_t i : blockResample(n, block, random)) {
            above += numerator[i];
            below += denominator[i];
        }
        if (below > 0)
            ratios.push_back(above / below);
    }
    if (ratios.empty())
        return std::nullopt;
    return centralInterval(std::move(ratios), level);
}

}  // namespace wattproof::analysis
