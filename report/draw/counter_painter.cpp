#include "report/draw/counter_painter.h"

#include "report/draw/hatch.h"

#include <algorithm>
#include <cmath>

namespace wattproof::draw {
namespace {

using store::CounterBucket;
using Buckets = std::vector<CounterBucket>;

// A line from outside the plot is cut at its edge: SVG renderers and printers do not clip for us.
QPointF cutAt(const QPointF &a, const QPointF &b, double x) {
    const double share = b.x() == a.x() ? 0 : (x - a.x()) / (b.x() - a.x());
    return {x, a.y() + share * (b.y() - a.y())};
}

void addSegment(QPolygonF &line, QPointF a, QPointF b, const TimeScale &scale) {
    if (b.x() < scale.left || a.x() > scale.right())
        return;
    if (a.x() < scale.left)
        a = cutAt(a, b, scale.left);
    if (b.x() > scale.right())
        b = cutAt(a, b, scale.right());
    if (line.isEmpty() || line.back() != a)
        line << a;
    if (line.back() != b)
        line << b;
}

class CurveMaker {
public:
    CurveMaker(const TimeScale &scale, const ValueScale &values, CounterShape shape)
        : scale_(scale), values_(values), shape_(shape) {}

    void add(const CounterBucket &bucket) {
        const QPointF first(scale_.x(bucket.ts), values_.y(bucket.first));
        const QPointF last(scale_.x(bucket.end), values_.y(bucket.last));
        if (started_ && bucket.gapBefore)
            flush();
        else if (started_)
            join(at_, first);
        if (bucket.count > 1)
            spread(bucket, first, last);
        else if (!started_ || bucket.gapBefore)
            addSegment(line_, first, first, scale_);
        at_ = last;
        started_ = true;
    }

    CounterCurve take() {
        flush();
        return std::move(curve_);
    }

private:
    void join(const QPointF &a, const QPointF &b) {
        if (shape_ == CounterShape::Line)
            return addSegment(line_, a, b, scale_);
        const QPointF corner(b.x(), a.y());
        addSegment(line_, a, corner, scale_);
        addSegment(line_, corner, b, scale_);
    }

    void spread(const CounterBucket &bucket, const QPointF &first, const QPointF &last) {
        join(first, last);
        const double x = (first.x() + last.x()) / 2;
        if (x >= scale_.left && x <= scale_.right() && bucket.max > bucket.min)
            curve_.envelope.emplace_back(x, values_.y(bucket.min), x, values_.y(bucket.max));
    }

    void flush() {
        if (!line_.isEmpty())
            curve_.lines.push_back(std::move(line_));
        line_ = {};
    }

    const TimeScale &scale_;
    const ValueScale &values_;
    CounterShape shape_;
    CounterCurve curve_;
    QPolygonF line_;
    QPointF at_;
    bool started_ = false;
};

// The first bucket to draw: the one before the plot, whose line enters it.
Buckets::const_iterator firstShown(const Buckets &buckets, Ns begin) {
    auto it = std::partition_point(buckets.begin(), buckets.end(),
                                   [begin](const CounterBucket &b) { return b.end < begin; });
    return it == buckets.begin() ? it : std::prev(it);
}

}  // namespace

CounterShape shapeOf(const CounterRow &counter) {
    const bool continuous = counter.quantity == "power" || counter.quantity == "temperature" ||
                            counter.quantity == "voltage" || counter.quantity == "current";
    return continuous && counter.kind == CounterKind::Gauge ? CounterShape::Line : CounterShape::Steps;
}

QColor channelColour(const std::string &quantity, const Theme &theme) {
    if (quantity == "temperature")
        return theme.lineOf("communication");
    if (quantity == "clock")
        return theme.lineOf("norm");
    return quantity == "utilisation" || quantity == "throttle" ? theme.muted : theme.accent;
}

CounterCurve counterCurve(const Buckets &buckets, const TimeScale &scale, const ValueScale &values,
                          CounterShape shape) {
    CurveMaker maker(scale, values, shape);
    for (auto it = firstShown(buckets, scale.visible.begin); it != buckets.end(); ++it) {
        maker.add(*it);
        if (it->ts > scale.visible.end)
            break;
    }
    return maker.take();
}

void paintCurve(QPainter &painter, const CounterCurve &curve, const QColor &colour) {
    QColor faint = colour;
    faint.setAlpha(110);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(faint, 0));
    paintLines(painter, curve.envelope);
    painter.setPen(QPen(colour, 0));
    for (const QPolygonF &line : curve.lines) {
        painter.drawPolyline(line);
        if (line.size() == 1)
            painter.fillRect(QRectF(line.front() - QPointF(1, 1), QSizeF(3, 3)),
                             colour);  // a lone sample is a dot
    }
}

std::vector<TimeRange> gapsIn(const Buckets &buckets, const TimeScale &scale) {
    std::vector<TimeRange> gaps;
    auto before = firstShown(buckets, scale.visible.begin);
    if (before == buckets.end())
        return gaps;
    for (auto next = std::next(before); next != buckets.end() && before->end <= scale.visible.end; before = next++)
        if (next->gapBefore)
            gaps.push_back({before->end, next->ts});
    return gaps;
}

void paintGaps(QPainter &painter, const std::vector<TimeRange> &gaps, const TimeScale &scale, double top,
               double bottom, const Theme &theme) {
    for (const TimeRange &gap : gaps) {
        const double left = std::max(scale.left, scale.x(gap.begin)),
                     right = std::min(scale.right(), scale.x(gap.end));
        if (right > left)
            paintMissing(painter, QRectF(QPointF(left, top), QPointF(right, bottom)), theme);
    }
}

bool valueAt(const Buckets &buckets, Ns time, CounterShape shape, double &value) {
    const auto next = std::partition_point(buckets.begin(), buckets.end(),
                                           [time](const CounterBucket &b) { return b.ts <= time; });
    if (next == buckets.begin())
        return false;
    const CounterBucket &before = *std::prev(next);
    value = before.last;
    if (time <= before.end)
        return true;
    if (next == buckets.end() || next->gapBefore)
        return false;
    if (shape == CounterShape::Line && next->ts > before.end) {
        const double share = static_cast<double>(time - before.end) / static_cast<double>(next->ts - before.end);
        value += share * (next->first - before.last);
    }
    return true;
}

std::pair<double, double> niceRange(double low, double high) {
    if (low > 0 && low < high * 0.6)
        low = 0;
    if (!(high > low)) {
        const double pad = std::max(1.0, std::abs(high) * 0.1);
        return {low - (low == 0 ? 0 : pad), high + pad};
    }
    const double pad = (high - low) * 0.06;
    return {low == 0 ? 0 : low - pad, high + pad};
}

}  // namespace wattproof::draw
