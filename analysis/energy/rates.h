// A rate over time that is constant in pieces, and its integral.
#pragma once

#include "analysis/intervals.h"

#include <vector>

namespace wattproof::analysis {

class PiecewiseRate {
public:
    struct Piece {
        TimeRange range;
        double rate = 0;  // per second
    };

    PiecewiseRate() = default;
    explicit PiecewiseRate(std::vector<Piece> pieces);  // ordered, disjoint; zero elsewhere
    PiecewiseRate(const IntervalSet &where, double rate);

    [[nodiscard]] double upTo(Ns) const;  // integral from the start of time
    [[nodiscard]] double over(TimeRange range) const { return upTo(range.end) - upTo(range.begin); }
    [[nodiscard]] double over(const IntervalSet &) const;
    [[nodiscard]] double total() const { return before_.empty() ? 0 : before_.back(); }

private:
    std::vector<Piece> pieces_;
    std::vector<double> before_;  // integral up to the begin of piece i; one more for the end
};

}  // namespace wattproof::analysis
