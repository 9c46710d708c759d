// The device work of a trace: its devices and streams, and what becomes of an operation. What an event means is
// asked of the dialect.
#pragma once

#include "importers/chrome/dialects/dialect.h"
#include "importers/chrome/dialects/work_facts.h"
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

// A device as the head of the file describes it.
struct DeviceProperties {
    std::string id, name, uuid, pci;
};

class Gpus {
public:
    Gpus(store::BulkWriter &writer, SourceId source, const KernelClassifier &classifier)
        : writer_(writer), source_(source), classifier_(classifier) {}

    struct Work {
        TrackId track;
        GpuOpRow row;  // all but slice and launch
        LaunchIds ids;
    };
    // Also classifies the name.
    [[nodiscard]] Work work(const Dialect &, const Event &, EventClass, StringId name, std::string_view nameText,
                            const Thread &);
    // Annotations of a stream have a track of their own: they are no work.
    [[nodiscard]] TrackId annotationTrack(const Dialect &, const Event &, const Thread &);

    [[nodiscard]] bool any() const { return !devices_.empty(); }
    void setProperties(std::vector<DeviceProperties> properties) { properties_ = std::move(properties); }
    // Models of the devices, when the whole file is known.
    void writeDevices();

private:
    struct Device {
        DeviceRow row;
    };
    struct Stream {
        Device *device = nullptr;
        std::string name;
        ProcessId process;
        ThreadId thread;
        TrackId track, annotations;
    };

    [[nodiscard]] Stream &stream(const Dialect &, const Event &, const Thread &);
    [[nodiscard]] Device &device(const WorkPlace &);
    [[nodiscard]] TrackId workTrack(Stream &);
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
    std::string key_;
};

}  // namespace wattproof::importers::chrome
