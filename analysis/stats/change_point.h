// Level shifts in a sequence, by binary segmentation.
#pragma once

#include <vector>

namespace wattproof::analysis {

struct Segment {
    std::size_t begin = 0, end = 0;  // half-open indices
    double mean = 0;
    [[nodiscard]] std::size_t size() const { return end - begin; }
};

// Splits where it lowers the sum of squares by more than 4 × ln(n) noise variances (noise from first differences,
// so that the shifts themselves do not hide), each piece at least `shortest` long. Always at least one segment for
// n > 0.
[[nodiscard]] std::vector<Segment> levelSegments(const std::vector<double> &values, std::size_t shortest);

}  // namespace wattproof::analysis
