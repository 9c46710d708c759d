#include "widgets/overlay/stack.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace wattproof::widgets {
namespace {

using Buckets = std::vector<store::CounterBucket>;
using Columns = std::vector<double>;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Where no sample lies in the column.
double between(const Buckets &buckets, Buckets::const_iterator next, Ns at, draw::CounterShape shape) {
    if (next == buckets.begin())
        return kNaN;
    const store::CounterBucket &before = *std::prev(next);
    if (at <= before.end)
        return (before.min + before.max) / 2;
    if (next == buckets.end() || next->gapBefore)
        return kNaN;
    if (shape == draw::CounterShape::Steps)
        return before.last;
    const double share = static_cast<double>(at - before.end) / static_cast<double>(next->ts - before.end);
    return before.last + (next->first - before.last) * share;
}

class Builder {
public:
    Builder(const std::vector<StackPart> &parts, const draw::TimeScale &scale) : parts_(parts) {
        for (const StackPart &part : parts)
            values_.push_back(columnValues(*part.items, part.shape, scale));
        height_.assign(values_.empty() ? 0 : values_.front().size(), 0.0);
    }

    std::vector<StackLayer> build() {
        for (std::size_t i = 0; i < parts_.size(); ++i)
            if (!isInside(parts_[i]))
                addWhole(i);
        return std::move(layers_);
    }

private:
    [[nodiscard]] bool isInside(const StackPart &part) const {
        return part.whole.valid() && std::any_of(parts_.begin(), parts_.end(), [&part](const StackPart &other) {
                   return other.counter == part.whole;
               });
    }

    void addWhole(std::size_t index) {
        Columns rest = values_[index];
        bool hasParts = false;
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            if (i == index || parts_[i].whole != parts_[index].counter)
                continue;
            hasParts = true;
            addWhole(i);
            for (std::size_t column = 0; column < rest.size(); ++column)
                rest[column] -= values_[i][column];
        }
        if (hasParts)
            for (double &watts : rest)
                watts = watts < 0 ? 0 : watts;
        addLayer(index, hasParts, std::move(rest));
    }

    void addLayer(std::size_t index, bool rest, Columns watts) {
        for (std::size_t column = 0; column < height_.size(); ++column)
            height_[column] += watts[column];
        layers_.push_back({index, rest, std::move(watts), height_});
    }

    const std::vector<StackPart> &parts_;
    std::vector<Columns> values_;
    Columns height_;
    std::vector<StackLayer> layers_;
};

}  // namespace

std::vector<double> columnValues(const Buckets &buckets, draw::CounterShape shape, const draw::TimeScale &scale) {
    Columns values(static_cast<std::size_t>(std::max(0.0, std::ceil(scale.width))), kNaN);
    auto next = std::partition_point(buckets.begin(), buckets.end(), [&scale](const store::CounterBucket &b) {
        return b.ts < scale.visible.begin;
    });
    for (std::size_t column = 0; column < values.size(); ++column) {
        const double left = scale.left + static_cast<double>(column);
        const Ns until = scale.time(left + 1);
        if (next == buckets.end() || next->ts >= until) {
            values[column] = between(buckets, next, scale.time(left + 0.5), shape);
            continue;
        }
        double low = next->min, high = next->max;
        for (; next != buckets.end() && next->ts < until; ++next) {
            low = std::min(low, next->min);
            high = std::max(high, next->max);
        }
        values[column] = (low + high) / 2;
    }
    return values;
}

std::vector<StackLayer> stackOf(const std::vector<StackPart> &parts, const draw::TimeScale &scale) {
    return Builder(parts, scale).build();
}

}  // namespace wattproof::widgets
