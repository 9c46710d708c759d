#include "analysis/alignment/matching.h"
#include "analysis/context_builder.h"

#include <algorithm>

namespace wattproof::analysis {
namespace {

bool measuresEnergy(const CounterRow &channel) {
    return (channel.quantity == "power" || channel.quantity == "energy") && channel.kind != CounterKind::Flags &&
           channel.sampleCount > 0;
}

bool contains(const std::string &text, const char *part) {
    return text.find(part) != std::string::npos;
}

// A counter that never moved is a counter that does not work.
int preference(const CounterRow &channel) {
    if (channel.kind == CounterKind::Counter)
        return channel.maxValue > channel.minValue ? 6 : 0;
    if (channel.kind == CounterKind::Delta)
        return 5;
    if (channel.kind == CounterKind::Mean)
        return 4;
    if (channel.kind == CounterKind::Run)
        return 0;
    return contains(channel.name, "instant") ? 3 : contains(channel.name, "average") ? 1 : 2;
}

const CounterRow *byId(const std::vector<CounterRow> &channels, CounterId id) {
    const auto it =
        std::find_if(channels.begin(), channels.end(), [id](const CounterRow &c) { return c.id == id; });
    return it == channels.end() ? nullptr : &*it;
}

bool insideMeasured(const std::vector<CounterRow> &channels, const CounterRow &channel) {
    const CounterRow *parent = channel.parent.valid() ? byId(channels, channel.parent) : nullptr;
    return parent != nullptr && measuresEnergy(*parent);
}

bool sameHost(const DeviceRow &a, const DeviceRow &b) {
    return a.host.empty() || b.host.empty() || a.host == b.host;
}

// psys holds packages and memory; a node's or outlet's meter holds everything behind it.
bool holds(const CounterRow &whole, const DeviceRow &wholeDevice, const CounterRow &part,
           const DeviceRow &partDevice) {
    if (whole.id == part.id || !sameHost(wholeDevice, partDevice))
        return false;
    const bool meter = wholeDevice.kind == DeviceKind::Node || wholeDevice.kind == DeviceKind::Outlet;
    if (meter)
        return partDevice.kind != DeviceKind::Node && partDevice.kind != DeviceKind::Outlet;
    return whole.domain == "psys" && (partDevice.kind == DeviceKind::Cpu || partDevice.kind == DeviceKind::Dram);
}

bool boardDomain(const CounterRow &channel) {
    return channel.domain.empty() || channel.domain == "board" || channel.domain == "socket" ||
           channel.domain == "gpu";
}

}  // namespace

const CounterRow *boardChannel(const std::vector<CounterRow> &channels, const std::set<DeviceId> &rows) {
    const CounterRow *best = nullptr;
    const auto rank = [](const CounterRow &c) { return std::make_pair(boardDomain(c), preference(c)); };
    for (const CounterRow &channel : channels)
        if (rows.contains(channel.device) && measuresEnergy(channel) &&
            (best == nullptr || rank(channel) > rank(*best)))
            best = &channel;
    return best;
}

std::vector<CounterRow> rootChannels(const std::vector<CounterRow> &channels,
                                     const std::vector<DeviceRow> &devices) {
    std::map<std::pair<DeviceId, std::string>, const CounterRow *> best;
    for (const CounterRow &channel : channels) {
        const DeviceRow *device = deviceById(devices, channel.device);
        const bool counts = measuresEnergy(channel) && device != nullptr && device->kind != DeviceKind::Process &&
                            !insideMeasured(channels, channel);
        if (!counts)
            continue;
        const CounterRow *&chosen = best[{channel.device, channel.domain}];
        if (chosen == nullptr || preference(channel) > preference(*chosen))
            chosen = &channel;
    }
    std::vector<CounterRow> roots;
    for (const auto &[key, channel] : best) {
        const CounterRow *part = channel;
        const bool held = std::any_of(best.begin(), best.end(), [&](const auto &other) {
            return holds(*other.second, *deviceById(devices, other.second->device), *part,
                         *deviceById(devices, part->device));
        });
        if (!held)
            roots.push_back(*channel);
    }
    return roots;
}

std::map<DeviceId, DeviceId> joinDevices(const std::vector<DeviceRow> &devices, const std::set<DeviceId> &traced,
                                         const std::set<DeviceId> &logged, std::vector<std::string> &notes) {
    std::map<DeviceId, DeviceId> joined;
    std::vector<const DeviceRow *> withoutTrace;
    std::vector<const DeviceRow *> inTrace;
    for (const DeviceRow &device : devices) {
        if (!isAccelerator(device))
            continue;
        if (traced.contains(device.id))
            inTrace.push_back(&device);
        else if (logged.contains(device.id))
            withoutTrace.push_back(&device);
    }
    const auto find = [&](const DeviceRow &row, auto &&matches) {
        const auto it =
            std::find_if(inTrace.begin(), inTrace.end(), [&](const DeviceRow *t) { return matches(*t, row); });
        if (it != inTrace.end())
            joined.try_emplace(row.id, (*it)->id);
    };
    for (const DeviceRow *row : withoutTrace) {
        find(*row, [](const DeviceRow &a, const DeviceRow &b) { return !a.uuid.empty() && a.uuid == b.uuid; });
        find(*row, [](const DeviceRow &a, const DeviceRow &b) { return !a.pci.empty() && a.pci == b.pci; });
        find(*row, [](const DeviceRow &a, const DeviceRow &b) {
            return !a.name.empty() && a.name == b.name && sameHost(a, b);
        });
    }
    if (joined.empty() && inTrace.size() == 1 && withoutTrace.size() == 1) {
        joined[withoutTrace[0]->id] = inTrace[0]->id;
        notes.push_back("\"" + withoutTrace[0]->name + "\" of the log is taken for \"" + inTrace[0]->name +
                        "\" of the trace, because each has one accelerator");
    }
    return joined;
}

}  // namespace wattproof::analysis
