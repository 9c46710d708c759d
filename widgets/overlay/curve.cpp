#include "widgets/overlay/curve.h"

#include "analysis/intervals.h"

#include <algorithm>
#include <limits>

namespace wattproof::widgets {
namespace {

constexpr Ns kEver = std::numeric_limits<Ns>::max() / 4;

class PointMaker {
public:
    PointMaker(const Curve &curve, double divisor) : curve_(curve), divisor_(divisor) {
        points_.time.reserve(curve.items.size() + 16);
        points_.value.reserve(curve.items.size() + 16);
    }

    CurvePoints make() {
        const store::CounterBucket *before = nullptr;
        for (const store::CounterBucket &bucket : curve_.items) {
            if (before && (bucket.gapBefore || isBridged(before->end, bucket.ts)))
                open();
            before = &bucket;
            if (isDoubted(curve_, bucket))
                open();
            else
                add(bucket);
        }
        finish();
        return std::move(points_);
    }

private:
    void add(const store::CounterBucket &bucket) {
        addPoint(bucket.ts, (bucket.min + bucket.max) / 2 / divisor_);
        last_ = &bucket;
    }

    // The last bucket before the line ends is drawn to its own end; any other goes on to the next.
    void finish() {
        if (last_ && last_->end > last_->ts)
            addPoint(last_->end, points_.value.back());
    }

    // At once: steps would hold their value up to it.
    void open() {
        if (!last_)
            return;
        finish();
        addPoint(last_->end + 1, std::numeric_limits<double>::quiet_NaN());
        last_ = nullptr;
    }

    void addPoint(Ns time, double value) {
        points_.time.push_back(static_cast<double>(time + curve_.shift));
        points_.value.push_back(value);
    }

    [[nodiscard]] bool isBridged(Ns from, Ns to) const {
        return std::any_of(curve_.doubts.begin(), curve_.doubts.end(), [from, to](const DoubtSpan &span) {
            return span.doubt == Doubt::Bridged && span.range.begin <= from && to <= span.range.end;
        });
    }

    const Curve &curve_;
    double divisor_;
    CurvePoints points_;
    const store::CounterBucket *last_ = nullptr;  // of the line as it goes on
};

}  // namespace

bool isDoubted(const Curve &curve, const store::CounterBucket &bucket) {
    return std::any_of(curve.doubts.begin(), curve.doubts.end(), [&bucket](const DoubtSpan &span) {
        return span.doubt != Doubt::Bridged && span.range.begin <= bucket.ts && bucket.end <= span.range.end;
    });
}

std::vector<CurveGap> gapsOf(const std::vector<store::CounterBucket> &items) {
    std::vector<CurveGap> gaps;
    for (std::size_t i = 1; i < items.size(); ++i)
        if (items[i].gapBefore)
            gaps.push_back({{items[i - 1].end, items[i].ts}, items[i - 1].last, items[i].first});
    return gaps;
}

std::vector<draw::ColumnSpan> columnSpans(const Curve &curve, const draw::TimeScale &scale) {
    if (curve.doubts.empty())
        return draw::columnSpans(curve.items, scale);
    return draw::columnSpans(curve.items, scale,
                             [&curve](const store::CounterBucket &bucket) { return isDoubted(curve, bucket); });
}

CurvePoints pointsOf(const Curve &curve, double divisor) {
    return PointMaker(curve, divisor).make();
}

std::vector<TimeRange> missingOf(const std::vector<Curve> &curves, const std::vector<TimeRange> &extents) {
    analysis::IntervalSet all{{-kEver, kEver}};
    bool any = false;
    for (std::size_t i = 0; i < curves.size(); ++i) {
        const Curve &curve = curves[i];
        if (!curve.shown || curve.items.empty())
            continue;
        std::vector<TimeRange> gaps{{-kEver, extents[i].begin + curve.shift}};
        for (const CurveGap &gap : curve.gaps)
            gaps.push_back({gap.range.begin + curve.shift, gap.range.end + curve.shift});
        gaps.push_back({extents[i].end + curve.shift, kEver});
        all = analysis::intersection(all, analysis::unionOf(std::move(gaps)));
        any = true;
    }
    return any ? all : std::vector<TimeRange>();
}

}  // namespace wattproof::widgets
