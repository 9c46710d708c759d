#include "analysis/alignment/cross_correlation.h"

#include <bit>
#include <cmath>
#include <complex>
#include <numbers>
#include <utility>

namespace wattproof::analysis {
namespace {

using Spectrum = std::vector<std::complex<double>>;

// Part of a curve's own variance below which a stretch of it is noise (power) or rounding (load), not signal.
constexpr double kFlatPower = 0.0025;
constexpr double kFlatLoad = 1e-9;

void reverseBits(Spectrum &values) {
    const std::size_t n = values.size();
    for (std::size_t i = 1, j = 0; i < n; ++i) {
        std::size_t bit = n >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j)
            std::swap(values[i], values[j]);
    }
}

// Iterative radix-2 transform in place; the size is a power of two. sign +1 gives the unscaled inverse.
void transform(Spectrum &values, const Spectrum &roots, int sign) {
    const std::size_t n = values.size();
    reverseBits(values);
    for (std::size_t half = 1; half < n; half <<= 1) {
        const std::size_t stride = n / (2 * half);
        for (std::size_t block = 0; block < n; block += 2 * half) {
            for (std::size_t k = 0; k < half; ++k) {
                const std::complex<double> root = sign < 0 ? roots[k * stride] : std::conj(roots[k * stride]);
                const std::complex<double> odd = values[block + half + k] * root;
                values[block + half + k] = values[block + k] - odd;
                values[block + k] += odd;
            }
        }
    }
}

Spectrum unitRoots(std::size_t n) {
    Spectrum roots(n / 2);
    for (std::size_t k = 0; k < roots.size(); ++k)
        roots[k] = std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n));
    return roots;
}

// A curve prepared: values centred and scaled to unit variance with missing ones 0, their squares, and presence.
struct Prepared {
    Spectrum value, square, present;
};

std::pair<double, double> meanAndDeviation(const Curve &curve) {
    double n = 0, mean = 0, squares = 0;
    for (const double v : curve) {
        if (std::isnan(v))
            continue;
        n += 1;
        const double before = v - mean;
        mean += before / n;
        squares += before * (v - mean);
    }
    return {mean, n > 0 && squares > 0 ? std::sqrt(squares / n) : 1.0};
}

Prepared prepare(const Curve &curve, std::size_t size, const Spectrum &roots) {
    const auto moments = meanAndDeviation(curve);
    Prepared p{Spectrum(size), Spectrum(size), Spectrum(size)};
    for (std::size_t i = 0; i < curve.size(); ++i) {
        if (std::isnan(curve[i]))
            continue;
        const double v = (curve[i] - moments.first) / moments.second;
        p.value[i] = v;
        p.square[i] = v * v;
        p.present[i] = 1;
    }
    for (Spectrum *spectrum : {&p.value, &p.square, &p.present})
        transform(*spectrum, roots, -1);
    return p;
}

// sum over i of a[i] * b[i + lag], for lag modulo the size.
std::vector<double> laggedSum(const Spectrum &a, const Spectrum &b, const Spectrum &roots) {
    Spectrum product(a.size());
    for (std::size_t k = 0; k < product.size(); ++k)
        product[k] = std::conj(a[k]) * b[k];
    transform(product, roots, +1);
    std::vector<double> sums(product.size());
    for (std::size_t k = 0; k < sums.size(); ++k)
        sums[k] = product[k].real() / static_cast<double>(sums.size());
    return sums;
}

struct Sums {
    std::vector<double> count, load, power, loadSquares, powerSquares, product;
};

Sums allSums(const Prepared &load, const Prepared &power, const Spectrum &roots) {
    return {laggedSum(load.present, power.present, roots), laggedSum(load.value, power.present, roots),
            laggedSum(load.present, power.value, roots),   laggedSum(load.square, power.present, roots),
            laggedSum(load.present, power.square, roots),  laggedSum(load.value, power.value, roots)};
}

double pearson(const Sums &s, std::size_t k) {
    const double n = s.count[k];
    const double loadVariance = s.loadSquares[k] / n - std::pow(s.load[k] / n, 2);
    const double powerVariance = s.powerSquares[k] / n - std::pow(s.power[k] / n, 2);
    if (loadVariance < kFlatLoad || powerVariance < kFlatPower)
        return 0;
    const double covariance = s.product[k] / n - s.load[k] * s.power[k] / (n * n);
    return covariance / std::sqrt(loadVariance * powerVariance);
}

}  // namespace

std::vector<LagScore> crossCorrelation(const Curve &load, const Curve &power, std::size_t minimumOverlap) {
    if (load.empty() || power.empty())
        return {};
    const std::size_t size = std::bit_ceil(load.size() + power.size());
    const Spectrum roots = unitRoots(size);
    const Sums sums = allSums(prepare(load, size, roots), prepare(power, size, roots), roots);
    std::vector<LagScore> scores;
    const auto first = -static_cast<std::ptrdiff_t>(load.size()) + 1;
    for (std::ptrdiff_t lag = first; lag < static_cast<std::ptrdiff_t>(power.size()); ++lag) {
        const auto k = static_cast<std::size_t>(lag < 0 ? lag + static_cast<std::ptrdiff_t>(size) : lag);
        if (std::llround(sums.count[k]) >= static_cast<long long>(minimumOverlap))
            scores.push_back({lag, pearson(sums, k)});
    }
    return scores;
}

}  // namespace wattproof::analysis
