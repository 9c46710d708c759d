#include "importers/chrome/gpu.h"

#include "importers/chrome/decimal.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace wattproof::importers::chrome {
namespace {

struct CategoryClass {
    std::string_view category;
    EventClass eventClass;
};

// Of Kineto since 2020, CUDA and ROCm; the capitalised ones are those of its first years.
constexpr CategoryClass kCategories[] = {
    {"kernel", EventClass::Kernel},
    {"Kernel", EventClass::Kernel},
    {"concurrent_kernel", EventClass::Kernel},
    {"mtia_ccp_events", EventClass::Kernel},
    {"gpu_memcpy", EventClass::Memcpy},
    {"Memcpy", EventClass::Memcpy},
    {"gpu_memset", EventClass::Memset},
    {"Memset", EventClass::Memset},
    {"cuda_runtime", EventClass::Launch},
    {"cuda_driver", EventClass::Launch},
    {"hip_runtime", EventClass::Launch},
    {"Runtime", EventClass::Launch},
    {"mtia_runtime", EventClass::Launch},
    {"gpu_user_annotation", EventClass::GpuAnnotation},
};

struct Direction {
    std::string_view text;
    CopyKind kind;
};

constexpr Direction kDirections[] = {
    {"htod", CopyKind::HostToDevice},
    {"h2d", CopyKind::HostToDevice},
    {"hosttodevice", CopyKind::HostToDevice},
    {"host_to_device", CopyKind::HostToDevice},
    {"dtoh", CopyKind::DeviceToHost},
    {"d2h", CopyKind::DeviceToHost},
    {"devicetohost", CopyKind::DeviceToHost},
    {"device_to_host", CopyKind::DeviceToHost},
    {"ptop", CopyKind::PeerToPeer},
    {"p2p", CopyKind::PeerToPeer},
    {"peertopeer", CopyKind::PeerToPeer},
    {"dtod", CopyKind::DeviceToDevice},
    {"d2d", CopyKind::DeviceToDevice},
    {"devicetodevice", CopyKind::DeviceToDevice},
    {"device_to_device", CopyKind::DeviceToDevice},
    {"htoh", CopyKind::HostToHost},
    {"hosttohost", CopyKind::HostToHost},
    {"host_to_host", CopyKind::HostToHost},
};

std::optional<std::int64_t> integerOf(const RawValue *value) {
    return value && (value->kind == ValueKind::Number || value->kind == ValueKind::String) ? integer(value->text())
                                                                                           : std::nullopt;
}

// "[1, 2, 3]"; nothing when it is not three whole numbers, or all of them are 0 (ROCm's way of not knowing).
std::optional<std::array<std::int64_t, 3>> triple(const RawValue *value) {
    if (!value || value->kind != ValueKind::Array)
        return std::nullopt;
    Scanner scanner(value->data + 1, value->data + value->size);
    std::array<std::int64_t, 3> numbers{};
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        RawValue number;
        bool more = false;
        if (scanner.value(number) != Scan::Ok || scanner.separator(']', more) != Scan::Ok || more != (i < 2))
            return std::nullopt;
        const auto parsed = integerOf(&number);
        if (!parsed)
            return std::nullopt;
        numbers[i] = *parsed;
    }
    return numbers == std::array<std::int64_t, 3>{} ? std::nullopt : std::optional(numbers);
}

// A static estimate in per cent, as the key says.
std::optional<double> occupancyOf(const Event &event) {
    const RawValue *value = event.argument("est. achieved occupancy %");
    const auto percent = value ? real(value->text()) : std::nullopt;
    return percent ? std::optional(*percent / 100.0) : std::nullopt;
}

GpuActivity activityOf(EventClass eventClass) {
    if (eventClass == EventClass::Memcpy)
        return GpuActivity::Memcpy;
    return eventClass == EventClass::Memset ? GpuActivity::Memset : GpuActivity::Kernel;
}

std::string_view textOr(const RawValue *value, std::string &scratch, std::string_view otherwise) {
    return value && value->present() ? plainText(*value, scratch) : otherwise;
}

}  // namespace

EventClass classOfCategory(std::string_view category) {
    for (const CategoryClass &entry : kCategories)
        if (entry.category == category)
            return entry.eventClass;
    return EventClass::Plain;
}

CopyKind copyKindOf(std::string_view text) {
    std::string lower(text.substr(0, 256));
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    for (const Direction &direction : kDirections)
        if (lower.find(direction.text) != std::string::npos)
            return direction.kind;
    return CopyKind::Other;
}

Gpus::Device &Gpus::device(std::string_view nativeId, bool isGpu) {
    Device *&known = deviceById_[std::string(nativeId)];
    if (!known) {
        known = &devices_.emplace_back();
        known->isGpu = isGpu;
        known->row.source = source_;
        known->row.kind = isGpu ? DeviceKind::Gpu : DeviceKind::Other;
        known->row.nativeId = nativeId;
        known->row.name = (isGpu ? "GPU " : "MTIA ") + std::string(nativeId);
        known->row.id = writer_.addDevice(known->row);
    }
    return *known;
}

Gpus::Stream &Gpus::stream(const Event &event, Thread &thread) {
    const std::string_view deviceId = textOr(event.argument("device"), scratch_, thread.process->row.pid);
    const std::string_view streamId = textOr(event.argument("stream"), otherScratch_, thread.row.tid);
    key_.assign(deviceId).append(1, '\0').append(streamId);
    Stream *&known = streamByIds_[key_];
    if (!known) {
        known = &streams_.emplace_back();
        known->device = &device(deviceId, event.category.text() != "mtia_ccp_events");
        known->name = streamId;
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

TrackId Gpus::streamTrack(const Event &event, Thread &thread) {
    Stream &own = stream(event, thread);
    if (!own.track.valid())
        own.track = makeTrack(own, TrackKind::GpuStream,
                              own.name.starts_with("stream") ? own.name : "stream " + own.name, {});
    return own.track;
}

TrackId Gpus::annotationTrack(const Event &event, Thread &thread) {
    Stream &own = stream(event, thread);
    const TrackId parent = streamTrack(event, thread);
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

GpuOpRow Gpus::operation(const Event &event, EventClass eventClass, StringId name, std::string_view nameText,
                         Thread &thread) {
    classify(eventClass, name, nameText);
    const Stream &own = stream(event, thread);
    GpuOpRow row;
    row.activity = activityOf(eventClass);
    row.device = own.device->row.id;
    row.stream = own.name;
    row.correlation = integerOf(event.argument("correlation")).value_or(0);
    row.grid = triple(event.argument("grid"));
    row.block = triple(event.argument("block"));
    row.occupancy = occupancyOf(event);
    row.bytes = integerOf(event.argument("bytes"));
    if (eventClass == EventClass::Memcpy) {
        row.copyKind = copyKindOf(nameText);
        if (row.copyKind == CopyKind::Other)
            row.copyKind = copyKindOf(textOr(event.argument("kind"), scratch_, ""));
    }
    return row;
}

// By id where every device of the trace has one; else by position (ROCm counts agents, of which the first are
// CPUs), or by elimination when all are of one model.
const DeviceProperties *Gpus::propertiesOf(const Device &device) const {
    const auto withId = [this](const Device &each) {
        return std::find_if(properties_.begin(), properties_.end(),
                            [&each](const DeviceProperties &p) { return p.id == each.row.nativeId; });
    };
    if (properties_.empty() || !device.isGpu)
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
