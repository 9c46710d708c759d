// GPU operations as profilers write them into Chrome JSON: which events they are, on which device and stream, what
// their arguments say; and the devices themselves.
#pragma once

#include "importers/chrome/places.h"
#include "importers/kernel_classes.h"

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace wattproof::importers::chrome {

enum class EventClass : std::uint8_t { Plain, Kernel, Memcpy, Memset, Launch, GpuAnnotation };

// What a category says: GPU work, a host call that may launch some, an annotation mirrored onto a stream, or
// neither.
[[nodiscard]] EventClass classOfCategory(std::string_view category);

// The direction of a copy by its name ("Memcpy HtoD (Pageable -> Device)", "CopyDeviceToHost") or by its `kind`
// argument.
[[nodiscard]] CopyKind copyKindOf(std::string_view text);

// A device as the head of the file describes it.
struct DeviceProperties {
    std::string id, name, uuid, pci;
};

class Gpus {
public:
    Gpus(store::BulkWriter &writer, SourceId source, const KernelClassifier &classifier)
        : writer_(writer), source_(source), classifier_(classifier) {}

    // The track of the event's stream: by the arguments device and stream, else by pid and tid.
    [[nodiscard]] TrackId streamTrack(const Event &, Thread &);
    // Annotations of a stream have a track of their own: they are no work.
    [[nodiscard]] TrackId annotationTrack(const Event &, Thread &);
    // Everything but slice and launch. Also classifies the name.
    [[nodiscard]] GpuOpRow operation(const Event &, EventClass, StringId name, std::string_view nameText,
                                     Thread &);

    [[nodiscard]] bool any() const { return !devices_.empty(); }
    void setProperties(std::vector<DeviceProperties> properties) { properties_ = std::move(properties); }
    // Models of the devices, when the whole file is known.
    void writeDevices();

private:
    struct Device {
        DeviceRow row;
        bool isGpu = true;
    };
    struct Stream {
        Device *device = nullptr;
        std::string name;
        ProcessId process;
        ThreadId thread;
        TrackId track, annotations;
    };

    [[nodiscard]] Stream &stream(const Event &, Thread &);
    [[nodiscard]] Device &device(std::string_view nativeId, bool isGpu);
    [[nodiscard]] TrackId makeTrack(const Stream &, TrackKind, std::string name, TrackId parent);
    void classify(EventClass, StringId name, std::string_view nameText);
    [[nodiscard]] const DeviceProperties *propertiesOf(const Device &) const;

    store::BulkWriter &writer_;
    SourceId source_;
    const KernelClassifier &classifier_;
    std::deque<Device> devices_;
    std::deque<Stream> streams_;
    std::unordered_map<std::string, Device *> deviceById_;
    std::unordered_map<std::string, Stream *> streamByIds_;
    std::unordered_set<StringId> classified_;
    std::vector<DeviceProperties> properties_;
    DeviceProperties oneModel_;  // what is common to all of them
    std::string key_, scratch_, otherScratch_;
};

}  // namespace wattproof::importers::chrome
