#include "widgets/overlay/plot_channels.h"

#include <algorithm>
#include <limits>

#include <QCoreApplication>

namespace wattproof::widgets {
namespace {

// Limits of two axes that both end at theirs would lie on each other.
double headroomOf(ChannelAxis axis) {
    return axis == ChannelAxis::Temperature ? 1.12 : axis == ChannelAxis::Clock ? 1.25 : 1.0;
}

}  // namespace

draw::TimeScale moved(draw::TimeScale scale, Ns shift) {
    scale.visible = {scale.visible.begin - shift, scale.visible.end - shift};
    return scale;
}

bool PlotChannels::isStackable(std::size_t channel) const {
    return channels[channel].axis == ChannelAxis::Power && channels[channel].role != PowerRole::SameAgain &&
           curves[channel].shown;
}

bool PlotChannels::stacking() const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < channels.size(); ++i)
        count += isStackable(i) ? 1 : 0;
    return stacked && count > 1;
}

std::vector<StackedWhole> PlotChannels::stackedWholes() const {
    std::vector<StackedWhole> wholes;
    for (std::size_t i = 0; i < channels.size(); ++i)
        if (isInStack(i) && channels[i].role == PowerRole::Whole)
            wholes.push_back({channels[i].counter.device, channels[i].counter.domain});
    return wholes;
}

std::vector<DrawnLayer> PlotChannels::layers(const draw::TimeScale &scale, const draw::Theme &theme) const {
    std::vector<StackPart> parts;
    std::vector<std::size_t> channelOf;
    for (std::size_t i = 0; i < channels.size(); ++i) {
        if (!isInStack(i))
            continue;
        const CounterRow &counter = channels[i].counter;
        const CounterId whole = channels[i].role == PowerRole::Part ? counter.parent : CounterId();
        parts.push_back({counter.id, whole, &curves[i].items, channels[i].shape});
        channelOf.push_back(i);
    }
    if (parts.empty())
        return {};
    std::vector<DrawnLayer> drawn;
    std::vector<StackLayer> stack = stackOf(parts, moved(scale, curves[channelOf.front()].shift));
    for (std::size_t i = 0; i < stack.size(); ++i) {
        const OverlayChannel &channel = channels[channelOf[stack[i].part]];
        const bool rest = stack[i].rest;
        const QString label =
            rest ? QCoreApplication::translate("overlay", "rest of %1").arg(channel.label) : channel.label;
        const QColor fill = layerFill(i, stack.size(), rest, theme);
        const Curve &curve = curves[channelOf[stack[i].part]];
        std::vector<DoubtSpan> doubts = curve.doubts;
        for (DoubtSpan &span : doubts)
            span.range = {span.range.begin + curve.shift, span.range.end + curve.shift};
        drawn.push_back({std::move(stack[i]), label, fill, std::move(doubts)});
    }
    return drawn;
}

double PlotChannels::highestOf(ChannelAxis axis) const {
    double single = 0, sum = 0;
    for (std::size_t i = 0; i < channels.size(); ++i) {
        if (channels[i].axis != axis)
            continue;
        const bool stored = channels[i].reading == Reading::AsStored;
        const double high = stored ? channels[i].counter.maxValue : curves[i].highest;
        single = std::max(single, high);
        sum += isInStack(i) && channels[i].role == PowerRole::Whole ? high : 0;
    }
    return std::max(single, sum);
}

double PlotChannels::lowestOf(ChannelAxis axis) const {
    double low = axis == ChannelAxis::Power && stacking() ? 0 : std::numeric_limits<double>::max();
    for (const OverlayChannel &channel : channels)
        if (channel.axis == axis)
            low = std::min(low, channel.reading == Reading::AsStored ? channel.counter.minValue : 0);
    return low;
}

std::pair<double, double> PlotChannels::rangeOf(ChannelAxis axis, const LimitLines &limits) const {
    double high = highestOf(axis);
    for (const LimitLine &limit : limits.lines)
        if (limit.axis == axis)
            high = std::max(high, limit.value * headroomOf(axis));
    return {lowestOf(axis), high};
}

std::vector<TimeRange> PlotChannels::missing() const {
    std::vector<TimeRange> extents;
    for (const OverlayChannel &channel : channels)
        extents.push_back(channel.counter.extent);
    return missingOf(curves, extents);
}

}  // namespace wattproof::widgets
