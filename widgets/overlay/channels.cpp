#include "widgets/overlay/channels.h"

#include "report/draw/labels.h"
#include "report/report.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace wattproof::widgets {
namespace {

constexpr std::array<Qt::PenStyle, 4> kStyles{Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};

std::optional<ChannelAxis> axisOf(const CounterRow &counter) {
    if (counter.sampleCount == 0)
        return std::nullopt;
    if (counter.quantity == "power" && counter.unit == "W")
        return ChannelAxis::Power;
    if (counter.quantity == "temperature" && counter.unit == "degC")
        return ChannelAxis::Temperature;
    if (counter.quantity == "clock" && counter.unit == "Hz")
        return ChannelAxis::Clock;
    return std::nullopt;
}

const char *quantityOf(ChannelAxis axis) {
    switch (axis) {
        case ChannelAxis::Power:
            return "power";
        case ChannelAxis::Temperature:
            return "temperature";
        case ChannelAxis::Clock:
            return "clock";
    }
    return "";
}

QString labelOf(const RunTables &tables, const CounterRow &counter) {
    const DeviceRow *device = tables.device(counter.device);
    const QString name = draw::safeText(counter.name);
    return device && !device->name.empty() ? draw::safeText(device->name) + QLatin1Char(' ') + name : name;
}

}  // namespace

std::vector<DeviceId> overlayDevices(const RunTables &tables) {
    std::vector<DeviceId> devices;
    for (const CounterRow &counter : tables.counters)
        if (axisOf(counter) && std::find(devices.begin(), devices.end(), counter.device) == devices.end())
            devices.push_back(counter.device);
    std::sort(devices.begin(), devices.end());
    return devices;
}

std::vector<OverlayChannel> overlayChannels(const RunTables &tables, DeviceId device, const draw::Theme &theme) {
    std::vector<OverlayChannel> channels;
    for (const CounterRow &counter : tables.counters) {
        const auto axis = axisOf(counter);
        if (!axis || (device.valid() && counter.device != device))
            continue;
        OverlayChannel channel;
        channel.counter = counter;
        channel.axis = *axis;
        channel.label = labelOf(tables, counter);
        channel.colour = draw::channelColour(quantityOf(*axis), theme);
        channel.shape = draw::shapeOf(counter);
        channels.push_back(std::move(channel));
    }
    std::stable_sort(channels.begin(), channels.end(),
                     [](const auto &a, const auto &b) { return a.axis < b.axis; });
    std::map<ChannelAxis, std::size_t> used;
    for (OverlayChannel &channel : channels)
        channel.style = kStyles[used[channel.axis]++ % kStyles.size()];
    return channels;
}

std::vector<LimitLine> overlayLimits(const RunTables &tables, DeviceId device) {
    std::vector<LimitLine> limits;
    for (const CounterRow &counter : tables.counters) {
        if (counter.quantity != "limit" || counter.unit != "W" || counter.sampleCount == 0 ||
            (device.valid() && counter.device != device))
            continue;
        const auto same = [&](const LimitLine &l) { return l.watts == counter.maxValue; };
        if (std::none_of(limits.begin(), limits.end(), same))
            limits.push_back(
                {counter.maxValue, QStringLiteral("power limit ") +
                                       QString::fromStdString(report::quantity(counter.maxValue, "W"))});
    }
    return limits;
}

AxisUnit axisUnit(ChannelAxis axis, double largest) {
    if (axis == ChannelAxis::Temperature)
        return {1, "°C"};
    const std::string unit = axis == ChannelAxis::Power ? "W" : "Hz";
    struct Prefix {
        double factor;
        const char *symbol;
    };
    for (const Prefix &prefix : {Prefix{1e9, "G"}, Prefix{1e6, "M"}, Prefix{1e3, "k"}})
        if (largest >= prefix.factor)
            return {prefix.factor, prefix.symbol + unit};
    return {1, unit};
}

}  // namespace wattproof::widgets
