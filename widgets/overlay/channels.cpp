#include "widgets/overlay/channels.h"

#include "report/draw/labels.h"
#include "report/report.h"
#include "widgets/panes/words.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include <QCoreApplication>

namespace wattproof::widgets {
namespace {

constexpr std::array<Qt::PenStyle, 4> kStyles{Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};

using Domain = std::pair<DeviceId, std::string>;

bool isPower(const CounterRow &counter) {
    return counter.quantity == "power" && counter.unit == "W";
}

bool isEnergy(const CounterRow &counter) {
    return counter.quantity == "energy" && counter.unit == "J" &&
           (counter.kind == CounterKind::Counter || counter.kind == CounterKind::Delta);
}

std::set<Domain> domainsWithPower(const RunTables &tables) {
    std::set<Domain> domains;
    for (const CounterRow &counter : tables.counters)
        if (isPower(counter) && counter.sampleCount > 0)
            domains.insert({counter.device, counter.domain});
    return domains;
}

// Energy stands in for power only where the log has no power of the same domain.
std::optional<ChannelAxis> axisOf(const CounterRow &counter, const std::set<Domain> &powered) {
    if (counter.sampleCount == 0 || counter.kind == CounterKind::Run)
        return std::nullopt;
    if (isPower(counter) || (isEnergy(counter) && !powered.contains({counter.device, counter.domain})))
        return ChannelAxis::Power;
    if (counter.quantity == "temperature" && counter.unit == "degC")
        return ChannelAxis::Temperature;
    if (counter.quantity == "clock" && counter.unit == "Hz")
        return ChannelAxis::Clock;
    return std::nullopt;
}

Reading readingOf(const CounterRow &counter) {
    if (!isEnergy(counter))
        return Reading::AsStored;
    return counter.kind == CounterKind::Counter ? Reading::CounterRate : Reading::DeltaRate;
}

QString deviceName(const RunTables &tables, DeviceId id) {
    const DeviceRow *device = tables.device(id);
    return device ? draw::safeText(device->name) : QString();
}

OverlayChannel channelOf(const RunTables &tables, const CounterRow &counter, ChannelAxis axis,
                         const draw::Theme &theme) {
    OverlayChannel channel;
    channel.counter = counter;
    channel.axis = axis;
    channel.reading = readingOf(counter);
    channel.unit = axis == ChannelAxis::Power ? "W" : counter.unit;
    channel.device = deviceName(tables, counter.device);
    const QString name = draw::safeText(counter.name);
    channel.label = channel.device.isEmpty() || name.startsWith(channel.device)
                        ? name
                        : channel.device + QLatin1Char(' ') + name;
    channel.colour = draw::channelColour(quantityOf(axis), theme);
    channel.shape = channel.reading == Reading::AsStored ? draw::shapeOf(counter) : draw::CounterShape::Steps;
    return channel;
}

// Depth first from each whole, so that a stack is built in the order of the list.
void appendWithParts(const std::vector<OverlayChannel> &all, const OverlayChannel &channel,
                     std::vector<OverlayChannel> &ordered) {
    ordered.push_back(channel);
    for (const OverlayChannel &other : all)
        if (other.role != PowerRole::Whole && other.counter.parent == channel.counter.id)
            appendWithParts(all, other, ordered);
}

void setRoles(std::vector<OverlayChannel> &channels) {
    for (OverlayChannel &channel : channels) {
        const auto whole = std::find_if(channels.begin(), channels.end(), [&](const OverlayChannel &other) {
            return other.axis == ChannelAxis::Power && other.counter.id == channel.counter.parent;
        });
        if (channel.axis != ChannelAxis::Power || !channel.counter.parent.valid() || whole == channels.end())
            continue;
        const bool same =
            whole->counter.device == channel.counter.device && whole->counter.domain == channel.counter.domain;
        channel.role = same ? PowerRole::SameAgain : PowerRole::Part;
    }
}

// The first device has the axis's own colour, the others darker (on dark ground: lighter) ones, which read better
// still.
void setLooks(std::vector<OverlayChannel> &channels, const draw::Theme &theme) {
    std::map<ChannelAxis, std::size_t> used;
    std::map<DeviceId, std::size_t> places;
    for (const OverlayChannel &channel : channels)
        places.try_emplace(channel.counter.device, places.size());
    for (OverlayChannel &channel : channels) {
        channel.style = kStyles[used[channel.axis]++ % kStyles.size()];
        const double share = places.size() < 2 ? 0
                                               : 0.6 * static_cast<double>(places[channel.counter.device]) /
                                                     static_cast<double>(places.size() - 1);
        channel.colour = draw::blend(channel.colour, theme.text, share);
    }
}

constexpr double kNsPerSecond = 1e9;

// Joules between two readings of a counter; none where it was set back.
std::optional<double> gained(double before, double after, std::uint64_t modulus) {
    const double difference = after - before;
    if (difference >= 0)
        return difference;
    const double wrapped = difference + static_cast<double>(modulus);
    return wrapped >= 0 && modulus > 0 ? std::optional(wrapped) : std::nullopt;
}

// A bucket as the time it stands for; none where its power is unknown: nothing before it, or a counter set back.
std::optional<store::CounterBucket> standingFor(const store::CounterBucket *before, store::CounterBucket bucket,
                                                const OverlayChannel &channel) {
    const bool counts = channel.reading == Reading::CounterRate;
    // A counter went on during a gap, so its power is true over any distance.
    const bool joined = before && (counts || !bucket.gapBefore) && bucket.end > before->end;
    if (!joined)
        return channel.reading == Reading::AsStored ? std::optional(bucket) : std::nullopt;
    const double seconds = static_cast<double>(bucket.end - before->end) / kNsPerSecond;
    bucket.ts = before->end;
    bucket.gapBefore = false;
    if (counts) {
        const auto joules = gained(before->last, bucket.last, channel.counter.modulus);
        if (!joules)
            return std::nullopt;
        bucket.min = bucket.max = bucket.first = bucket.last = *joules / seconds;
    } else if (channel.reading == Reading::DeltaRate) {
        for (double *value : {&bucket.min, &bucket.max, &bucket.first, &bucket.last})
            *value *= bucket.count / seconds;
    }
    return bucket;
}

}  // namespace

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

std::vector<DeviceId> overlayDevices(const RunTables &tables) {
    const std::set<Domain> powered = domainsWithPower(tables);
    std::set<DeviceId> devices;
    for (const CounterRow &counter : tables.counters)
        if (axisOf(counter, powered))
            devices.insert(counter.device);
    return {devices.begin(), devices.end()};
}

std::vector<OverlayChannel> overlayChannels(const RunTables &tables, const std::set<DeviceId> &devices,
                                            const draw::Theme &theme) {
    const std::set<Domain> powered = domainsWithPower(tables);
    std::vector<OverlayChannel> channels;
    for (const CounterRow &counter : tables.counters)
        if (const auto axis = axisOf(counter, powered); axis && devices.contains(counter.device))
            channels.push_back(channelOf(tables, counter, *axis, theme));
    std::stable_sort(channels.begin(), channels.end(), [](const auto &a, const auto &b) {
        return std::pair(a.axis, a.counter.device) < std::pair(b.axis, b.counter.device);
    });
    setRoles(channels);
    std::vector<OverlayChannel> ordered;
    for (const OverlayChannel &channel : channels)
        if (channel.role == PowerRole::Whole)
            appendWithParts(channels, channel, ordered);
    setLooks(ordered, theme);
    return ordered;
}

std::vector<CounterRow> throttleMasks(const RunTables &tables, const std::set<DeviceId> &devices) {
    std::vector<CounterRow> masks;
    for (const CounterRow &counter : tables.counters)
        if (counter.kind == CounterKind::Flags && !counter.flagTable.empty() && counter.sampleCount > 0 &&
            devices.contains(counter.device))
            masks.push_back(counter);
    return masks;
}

std::vector<store::CounterBucket> asDrawn(const std::vector<store::CounterBucket> &buckets,
                                          const OverlayChannel &channel) {
    if (channel.counter.kind != CounterKind::Mean && channel.reading == Reading::AsStored)
        return buckets;
    std::vector<store::CounterBucket> drawn;
    drawn.reserve(buckets.size());
    bool broken = false;
    for (std::size_t i = 0; i < buckets.size(); ++i) {
        const auto made = standingFor(i > 0 ? &buckets[i - 1] : nullptr, buckets[i], channel);
        if (made) {
            drawn.push_back(*made);
            drawn.back().gapBefore = broken || made->gapBefore;
        }
        broken = !made;
    }
    return drawn;
}

QString sensorText(const Sensor &sensor) {
    const auto say = [](const char *text) { return QCoreApplication::translate("overlay", text); };
    QStringList parts;
    if (sensor.window > 0)
        parts << say("mean of %1").arg(durationText(sensor.window));
    if (sensor.period > 0)
        parts << say("every %1").arg(durationText(sensor.period));
    if (sensor.lag > 0)
        parts << say("%1 late").arg(durationText(sensor.lag));
    if (sensor.duty < 1)
        parts << say("sampled %1 of the time").arg(QString::fromStdString(report::percent(sensor.duty)));
    if (sensor.modelled)
        parts << say("modelled, not measured");
    return parts.join(QStringLiteral(", "));
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
