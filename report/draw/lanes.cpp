#include "report/draw/lanes.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace wattproof::draw {
namespace {

using store::LaneSpan;
using Spans = std::vector<LaneSpan>;

Ns endOf(const LaneSpan &span) {
    return span.ts + span.dur;
}

// First span of [first, last), one row in time order, that may reach `time`. Spans of a row do not overlap,
// instants aside: those may stand on a slice that began before them.
Spans::const_iterator firstReaching(Spans::const_iterator first, Spans::const_iterator last, Ns time) {
    auto it = std::partition_point(first, last, [time](const LaneSpan &s) { return s.ts < time; });
    while (it != first && (endOf(*std::prev(it)) >= time || std::prev(it)->kind == SliceKind::Instant))
        --it;
    return it;
}

void addRow(std::vector<LaneBox> &boxes, const Spans &spans, Spans::const_iterator first,
            Spans::const_iterator last, const TimeScale &scale, const LaneMetrics &metrics) {
    const double top = metrics.top + first->row * metrics.rowHeight;
    double drawnTo = scale.left - 1;
    for (auto it = firstReaching(first, last, scale.visible.begin); it != last && it->ts < scale.visible.end;
         ++it) {
        if (endOf(*it) < scale.visible.begin)
            continue;
        const double left = std::max(scale.left, scale.x(it->ts));
        const double right = std::min(scale.right(), std::max(scale.x(endOf(*it)), left + metrics.pixel));
        if (right <= drawnTo && it->kind != SliceKind::Instant)
            continue;
        boxes.push_back(
            {QRectF(left, top, right - left, metrics.rowHeight), static_cast<std::size_t>(it - spans.begin())});
        drawnTo = std::max(drawnTo, std::ceil(right / metrics.pixel - 1e-6) * metrics.pixel);
    }
}

Ns distance(const LaneSpan &span, Ns time) {
    if (time < span.ts)
        return span.ts - time;
    return std::max<Ns>(0, time - std::max(span.ts, endOf(span) - 1));
}

}  // namespace

std::vector<LaneBox> laneBoxes(const Spans &spans, const TimeScale &scale, const LaneMetrics &metrics) {
    std::vector<LaneBox> boxes;
    for (auto first = spans.begin(); first != spans.end();) {
        const auto last =
            std::partition_point(first, spans.end(), [first](const LaneSpan &s) { return s.row <= first->row; });
        addRow(boxes, spans, first, last, scale, metrics);
        first = last;
    }
    return boxes;
}

std::optional<std::size_t> spanAt(const Spans &spans, std::int32_t row, Ns time, Ns slack) {
    const auto first =
        std::partition_point(spans.begin(), spans.end(), [row](const LaneSpan &s) { return s.row < row; });
    const auto last = std::partition_point(first, spans.end(), [row](const LaneSpan &s) { return s.row <= row; });
    std::optional<std::size_t> best;
    Ns bestScore = std::numeric_limits<Ns>::max();
    for (auto it = firstReaching(first, last, time - slack); it != last && it->ts <= time + slack; ++it) {
        const Ns away = distance(*it, time);
        const Ns score = it->kind == SliceKind::Instant ? away : away + slack + 1;
        if (away <= slack && score < bestScore) {
            bestScore = score;
            best = static_cast<std::size_t>(it - spans.begin());
        }
    }
    return best;
}

std::int32_t rowAt(double y, const LaneMetrics &metrics, std::int32_t rowCount) {
    const auto row = static_cast<std::int32_t>(std::floor((y - metrics.top) / metrics.rowHeight));
    return std::clamp<std::int32_t>(row, 0, std::max(0, rowCount - 1));
}

}  // namespace wattproof::draw
