#include "importers/chrome/gpu.h"

#include "importers/chrome/decimal.h"
#include "importers/text/mended.h"

#include <algorithm>

namespace wattproof::importers::chrome {
namespace {

GpuActivity activityOf(EventClass eventClass) {
    if (eventClass == EventClass::Memcpy)
        return GpuActivity::Memcpy;
    return eventClass == EventClass::Memset ? GpuActivity::Memset : GpuActivity::Kernel;
}

}  // namespace

Gpus::Device &Gpus::device(const WorkPlace &place) {
    Device *&known = deviceById_[place.deviceName + place.device];
    if (!known) {
        known = &devices_.emplace_back();
        known->row.source = source_;
        known->row.kind = place.kind;
        known->row.nativeId = mendedText(place.device);
        known->row.name = place.deviceName.empty() ? "GPU " + known->row.nativeId : mendedText(place.deviceName);
        known->row.id = writer_.addDevice(known->row);
    }
    return *known;
}

Gpus::Stream &Gpus::stream(const Dialect &dialect, const Event &event, const Thread &thread) {
    const WorkPlace place = dialect.placeOf(event, thread);
    key_.assign(place.device).append(1, '\0').append(place.stream);
    Stream *&known = streamByIds_[key_];
    if (!known) {
        known = &streams_.emplace_back();
        known->device = &device(place);
        known->name = mendedText(place.stream);
        known->process = thread.process->row.id;
        known->thread = thread.row.id;
    }
    return *known;
}

TrackId Gpus::makeTrack(const Stream &stream, TrackKind kind, std::string name, TrackId parent) {
    TrackRow row;
    row.source = source_;
    row.kind = kind;
    row.name = std::move(name);
    row.process = stream.process;
    row.thread = stream.thread;
    row.parent = parent;
    row.device = stream.device->row.id;
    row.stream = stream.name;
    return writer_.addTrack(row);
}

TrackId Gpus::workTrack(Stream &own) {
    if (!own.track.valid())
        own.track = makeTrack(own, TrackKind::GpuStream,
                              own.name.starts_with("stream") ? own.name : "stream " + own.name, {});
    return own.track;
}

TrackId Gpus::annotationTrack(const Dialect &dialect, const Event &event, const Thread &thread) {
    Stream &own = stream(dialect, event, thread);
    const TrackId parent = workTrack(own);
    if (!own.annotations.valid())
        own.annotations = makeTrack(own, TrackKind::Async, "annotations", parent);
    return own.annotations;
}

void Gpus::classify(EventClass eventClass, StringId name, std::string_view nameText) {
    if (!name.valid() || !classified_.insert(name).second)
        return;
    if (eventClass == EventClass::Memcpy)
        return writer_.classifyName(name, "copy", "");
    if (eventClass == EventClass::Memset)
        return writer_.classifyName(name, "memset", "");
    const KernelClass found = classifier_.classify(nameText);
    writer_.classifyName(name, found.opClass, found.precision);
}

Gpus::Work Gpus::work(const Dialect &dialect, const Event &event, EventClass eventClass, StringId name,
                      std::string_view nameText, const Thread &thread) {
    classify(eventClass, name, nameText);
    Stream &own = stream(dialect, event, thread);
    Work work;
    work.track = workTrack(own);
    work.ids = dialect.idsOf(event);
    work.row.activity = activityOf(eventClass);
    work.row.device = own.device->row.id;
    work.row.stream = own.name;
    work.row.correlation = work.ids.correlation;
    dialect.describe(event, nameText, work.row);
    return work;
}

// By id where every device of the trace has one; else by position (ROCm counts agents, of which the first are
// CPUs), or by elimination when all are of one model.
const DeviceProperties *Gpus::propertiesOf(const Device &device) const {
    const auto withId = [this](const Device &each) {
        return std::find_if(properties_.begin(), properties_.end(),
                            [&each](const DeviceProperties &p) { return p.id == each.row.nativeId; });
    };
    if (properties_.empty() || device.row.kind != DeviceKind::Gpu)
        return nullptr;
    if (std::all_of(devices_.begin(), devices_.end(),
                    [&](const Device &d) { return withId(d) != properties_.end(); }))
        return &*withId(device);
    std::vector<std::int64_t> ordinals;
    for (const Device &each : devices_)
        ordinals.push_back(integer(each.row.nativeId).value_or(-1));
    std::sort(ordinals.begin(), ordinals.end());
    const auto position = std::find(ordinals.begin(), ordinals.end(), integer(device.row.nativeId).value_or(-1));
    if (ordinals.size() == properties_.size() && position != ordinals.end())
        return &properties_[static_cast<std::size_t>(position - ordinals.begin())];
    const bool oneModel = std::all_of(properties_.begin(), properties_.end(), [this](const DeviceProperties &p) {
        return p.name == properties_.front().name;
    });
    return oneModel ? &oneModel_ : nullptr;
}

void Gpus::writeDevices() {
    if (!properties_.empty())
        oneModel_.name = properties_.front().name;
    for (Device &device : devices_) {
        const DeviceProperties *properties = propertiesOf(device);
        if (!properties)
            continue;
        device.row.model = properties->name;
        device.row.uuid = properties->uuid;
        device.row.pci = properties->pci;
        writer_.updateDevice(device.row);
    }
}

}  // namespace wattproof::importers::chrome
