// Circular block bootstrap over consecutive observations: neighbours stay together, so that correlation in time
// widens the interval as it should. Deterministic for a seed.
#pragma once

#include "analysis/result.h"
#include "analysis/stats/random.h"

#include <optional>
#include <vector>

namespace wattproof::analysis {

// Indices of one resample of n observations in blocks.
[[nodiscard]] std::vector<std::size_t> blockResample(std::size_t n, std::size_t block, Random &random);

// Block length n^(1/3), at least `least`, at most n.
[[nodiscard]] std::size_t blockLength(std::size_t n, std::size_t least = 1);

// Percentile interval of Σ numerator ÷ Σ denominator; none with fewer than 8 observations.
[[nodiscard]] std::optional<Interval> bootstrapRatio(const std::vector<double> &numerator,
                                                     const std::vector<double> &denominator, std::uint64_t seed,
                                                     double level = 0.95, int resamples = 1000);

// The central `level` of a set of replicates.
[[nodiscard]] Interval centralInterval(std::vector<double> replicates, double level = 0.95);

}  // namespace wattproof::analysis
