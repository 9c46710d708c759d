// The channels of the overlay's plot with their curves: which of them are stacked, and how far an axis has to
// reach.
#pragma once

#include "widgets/overlay/channels.h"
#include "widgets/overlay/curve.h"
#include "widgets/overlay/limits.h"
#include "widgets/overlay/stack_painter.h"

#include <utility>
#include <vector>

namespace wattproof::widgets {

struct PlotChannels {
    std::vector<OverlayChannel> channels;
    std::vector<Curve> curves;  // one for each channel
    bool stacked = true;        // wanted

    [[nodiscard]] bool isStackable(std::size_t channel) const;
    // Stacking is wanted, and there is more than one thing to stack.
    [[nodiscard]] bool stacking() const;
    [[nodiscard]] bool isInStack(std::size_t channel) const { return stacking() && isStackable(channel); }
    [[nodiscard]] bool isLine(std::size_t channel) const { return curves[channel].shown && !isInStack(channel); }
    [[nodiscard]] std::vector<StackedWhole> stackedWholes() const;

    // Layers of the stack at the columns of `scale`, moved in time with the first of them.
    [[nodiscard]] std::vector<DrawnLayer> layers(const draw::TimeScale &, const draw::Theme &) const;

    // Least and greatest value that an axis has to hold, in the store's unit: the readings, or all wholes on top
    // of each other, and limits.
    [[nodiscard]] std::pair<double, double> rangeOf(ChannelAxis, const LimitLines &) const;
    // Where no shown channel has a reading.
    [[nodiscard]] std::vector<TimeRange> missing() const;

private:
    [[nodiscard]] double highestOf(ChannelAxis) const;
    [[nodiscard]] double lowestOf(ChannelAxis) const;
};

// The scale of times as readings state them, when they are drawn moved by `shift`.
[[nodiscard]] draw::TimeScale moved(draw::TimeScale, Ns shift);

}  // namespace wattproof::widgets
