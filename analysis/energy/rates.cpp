#include "analysis/energy/rates.h"

#include <algorithm>

namespace wattproof::analysis {
namespace {

double seconds(Ns ns) {
    return static_cast<double>(ns) / 1e9;
}

}  // namespace

PiecewiseRate::PiecewiseRate(std::vector<Piece> pieces) : pieces_(std::move(pieces)) {
    before_.reserve(pieces_.size() + 1);
    long double sum = 0;
    for (const Piece &piece : pieces_) {
        before_.push_back(static_cast<double>(sum));
        sum += static_cast<long double>(piece.rate) * seconds(piece.range.length());
    }
    before_.push_back(static_cast<double>(sum));
}

PiecewiseRate::PiecewiseRate(const IntervalSet &where, double rate) {
    std::vector<Piece> pieces;
    pieces.reserve(where.size());
    for (const TimeRange &range : where)
        pieces.push_back({range, rate});
    *this = PiecewiseRate(std::move(pieces));
}

double PiecewiseRate::upTo(Ns t) const {
    const auto it = std::partition_point(pieces_.begin(), pieces_.end(),
                                         [t](const Piece &piece) { return piece.range.end <= t; });
    const auto i = static_cast<std::size_t>(it - pieces_.begin());
    if (before_.empty())
        return 0;
    if (it == pieces_.end() || t <= it->range.begin)
        return before_[i];
    return before_[i] + it->rate * seconds(t - it->range.begin);
}

double PiecewiseRate::over(const IntervalSet &set) const {
    double sum = 0;
    for (const TimeRange &range : set)
        sum += over(range);
    return sum;
}

}  // namespace wattproof::analysis
