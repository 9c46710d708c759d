#include "analysis/alignment/matching.h"

#include <algorithm>
#include <map>
#include <utility>

namespace wattproof::analysis {
namespace {

constexpr Ns kUnknownWindow = 3600'000'000'000;  // a sensor that states no window comes after all that do

bool measuresPower(const CounterRow &counter) {
    return (counter.quantity == "power" && counter.unit == "W") ||
           (counter.quantity == "energy" && counter.unit == "J");
}

bool showsEdgesBetter(const CounterRow &a, const CounterRow &b) {
    const auto rank = [](const CounterRow &c) {
        return std::pair(c.quantity == "power" ? 0 : 1, c.sensor.window > 0 ? c.sensor.window : kUnknownWindow);
    };
    return rank(a) < rank(b);
}

}  // namespace

const DeviceRow *deviceById(const std::vector<DeviceRow> &devices, DeviceId id) {
    const auto it = std::find_if(devices.begin(), devices.end(), [id](const DeviceRow &d) { return d.id == id; });
    return it == devices.end() ? nullptr : &*it;
}

bool isAccelerator(const DeviceRow &device) {
    return device.kind == DeviceKind::Gpu || device.kind == DeviceKind::GpuInstance;
}

bool sameDevice(const DeviceRow &a, const DeviceRow &b) {
    if (a.id == b.id)
        return true;
    if (!a.uuid.empty() && !b.uuid.empty())
        return a.uuid == b.uuid;
    if (!a.pci.empty() && !b.pci.empty())
        return a.pci == b.pci;
    return isAccelerator(a) && isAccelerator(b) && a.nativeId == b.nativeId;
}

std::vector<CounterRow> edgeChannels(const std::vector<CounterRow> &counters,
                                     const std::vector<DeviceRow> &devices, SourceId log) {
    std::map<DeviceId, CounterRow> accelerators, others;
    for (const CounterRow &counter : counters) {
        if (counter.source != log || !measuresPower(counter) || counter.parent.valid())
            continue;
        const DeviceRow *device = deviceById(devices, counter.device);
        auto &group = device && isAccelerator(*device) ? accelerators : others;
        const auto [it, added] = group.try_emplace(counter.device, counter);
        if (!added && showsEdgesBetter(counter, it->second))
            it->second = counter;
    }
    std::vector<CounterRow> channels;
    for (const auto &[device, counter] : accelerators.empty() ? others : accelerators)
        channels.push_back(counter);
    return channels;
}

}  // namespace wattproof::analysis
