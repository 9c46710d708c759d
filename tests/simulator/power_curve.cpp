#include "tests/simulator/power_curve.h"

#include <algorithm>

namespace wattproof::simulator {

void PowerCurve::append(const PowerSegment &segment) {
    const Sums sums = segments_.empty() ? Sums{} : sumsAt(segment.begin);
    segments_.push_back(segment);
    sums_.push_back(sums);
    end_ = segment.begin;
}

void PowerCurve::close(Ns end) {
    end_ = end;
}

TimeRange PowerCurve::extent() const {
    return segments_.empty() ? TimeRange{} : TimeRange{segments_.front().begin, end_};
}

std::size_t PowerCurve::indexAt(Ns t) const {
    const auto after = std::upper_bound(segments_.begin(), segments_.end(), t,
                                        [](Ns time, const PowerSegment &segment) { return time < segment.begin; });
    return after == segments_.begin() ? 0 : static_cast<std::size_t>(after - segments_.begin()) - 1;
}

const PowerSegment &PowerCurve::at(Ns t) const {
    return segments_[indexAt(t)];
}

PowerCurve::Sums PowerCurve::sumsAt(Ns t) const {
    const std::size_t index = indexAt(t);
    const PowerSegment &segment = segments_[index];
    const double seconds = static_cast<double>(t - segment.begin) * 1e-9;
    return {sums_[index].energyJ + segment.watts * seconds, sums_[index].busyS + (segment.busy ? seconds : 0)};
}

double PowerCurve::energyJ(TimeRange range) const {
    return range.empty() || segments_.empty() ? 0 : sumsAt(range.end).energyJ - sumsAt(range.begin).energyJ;
}

double PowerCurve::busySeconds(TimeRange range) const {
    return range.empty() || segments_.empty() ? 0 : sumsAt(range.end).busyS - sumsAt(range.begin).busyS;
}

}  // namespace wattproof::simulator
