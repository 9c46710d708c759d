// A counter over time: an outline through its samples with the min–max envelope of what a pixel hides. Gaps stay
// open.
#pragma once

#include "report/draw/theme.h"
#include "report/draw/time_scale.h"
#include "store/reader.h"

#include <string>
#include <vector>

#include <QPainter>
#include <QPolygonF>

namespace wattproof::draw {

struct ValueScale {
    double low = 0, high = 1;
    double top = 0, bottom = 1;  // pixels
    [[nodiscard]] double y(double value) const {
        return bottom - (value - low) / (high > low ? high - low : 1) * (bottom - top);
    }
};

// Steps hold a value until the next sample; lines join samples.
enum class CounterShape { Line, Steps };

// How a channel is drawn: readings of a continuous quantity are joined, all else holds its value.
[[nodiscard]] CounterShape shapeOf(const CounterRow &);
[[nodiscard]] QColor channelColour(const std::string &quantity, const Theme &);

struct CounterCurve {
    std::vector<QPolygonF> lines;  // one for each stretch without a gap
    std::vector<QLineF> envelope;  // vertical strokes where a bucket hides a spread
};

// Geometry of the buckets that show; lines leave the plot at its edges where the curve goes on beyond.
[[nodiscard]] CounterCurve counterCurve(const std::vector<store::CounterBucket> &, const TimeScale &,
                                        const ValueScale &, CounterShape);

void paintCurve(QPainter &, const CounterCurve &, const QColor &);
// Stretches without a sample that show.
[[nodiscard]] std::vector<TimeRange> gapsIn(const std::vector<store::CounterBucket> &, const TimeScale &);
// Hatches gaps over the whole height.
void paintGaps(QPainter &, const std::vector<TimeRange> &gaps, const TimeScale &, double top, double bottom, const Theme &);

// Value at a time by the curve's own shape; false in a gap and outside.
[[nodiscard]] bool valueAt(const std::vector<store::CounterBucket> &, Ns time, CounterShape, double &value);

// [low, high] of what is shown, widened to round values and to zero where zero is near.
[[nodiscard]] std::pair<double, double> niceRange(double low, double high);

}  // namespace wattproof::draw
