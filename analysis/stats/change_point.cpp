#include "analysis/stats/change_point.h"

#include <algorithm>
#include <cmath>

namespace wattproof::analysis {
namespace {

constexpr double kPenalty = 4.0;

// Robust: the median of absolute first differences, scaled for a Gaussian.
double noiseVariance(const std::vector<double> &values) {
    std::vector<double> steps;
    for (std::size_t i = 1; i < values.size(); ++i)
        steps.push_back(std::abs(values[i] - values[i - 1]));
    if (steps.empty())
        return 0;
    const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
    std::nth_element(steps.begin(), middle, steps.end());
    const double sigma = *middle / (0.6745 * std::sqrt(2.0));
    return sigma * sigma;
}

class Splitter {
public:
    Splitter(const std::vector<double> &values, std::size_t shortest)
        : shortest_(std::max<std::size_t>(shortest, 1)), sums_(values.size() + 1) {
        double scale = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            sums_[i + 1] = sums_[i] + values[i];
            scale = std::max(scale, std::abs(values[i]));
        }
        // The floor keeps rounding noise of a constant sequence from counting as a shift.
        const double variance = std::max(noiseVariance(values), 1e-12 * scale * scale);
        threshold_ = kPenalty * std::log(static_cast<double>(std::max<std::size_t>(values.size(), 2))) * variance;
    }

    void split(std::size_t begin, std::size_t end, std::vector<Segment> &out) const {
        std::size_t best = 0;
        double bestGain = threshold_;
        for (std::size_t cut = begin + shortest_; cut + shortest_ <= end; ++cut) {
            if (const double gain = gainOf(begin, cut, end); gain > bestGain) {
                bestGain = gain;
                best = cut;
            }
        }
        if (best == 0) {
            out.push_back({begin, end, mean(begin, end)});
            return;
        }
        split(begin, best, out);
        split(best, end, out);
    }

private:
    [[nodiscard]] double mean(std::size_t begin, std::size_t end) const {
        return (sums_[end] - sums_[begin]) / static_cast<double>(end - begin);
    }
    // How much the sum of squares falls when [begin, end) is cut.
    [[nodiscard]] double gainOf(std::size_t begin, std::size_t cut, std::size_t end) const {
        const auto left = static_cast<double>(cut - begin);
        const auto right = static_cast<double>(end - cut);
        const double step = mean(begin, cut) - mean(cut, end);
        return left * right / (left + right) * step * step;
    }

    std::size_t shortest_;
    std::vector<double> sums_;
    double threshold_ = 0;
};

}  // namespace

std::vector<Segment> levelSegments(const std::vector<double> &values, std::size_t shortest) {
    std::vector<Segment> segments;
    if (!values.empty())
        Splitter(values, shortest).split(0, values.size(), segments);
    return segments;
}

}  // namespace wattproof::analysis
