// What a writer of Chrome JSON means by its events: who it is, what a device, a stream, a kernel, a launch and a
// unit of work are. One class a profiler; the trace tells by and by which of them it is from.
#pragma once

#include "importers/chrome/event.h"
#include "importers/chrome/places.h"
#include "store/rows.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace wattproof::importers::chrome {

enum class EventClass : std::uint8_t { Plain, Kernel, Memcpy, Memset, Launch, GpuAnnotation };

// Something in the file that tells who wrote it. Each text is offered once.
enum class ClueKind : std::uint8_t { HeadKey, HeadValue, ProcessName, ThreadName, Category, EventName };
struct Clue {
    ClueKind kind = ClueKind::HeadKey;
    std::string_view text;      // of a HeadValue: its JSON
    std::string_view key = {};  // of a HeadValue
};

// Where device work ran, as the file calls it.
struct WorkPlace {
    std::string device, stream;
    DeviceKind kind = DeviceKind::Gpu;
    std::string deviceName = {};  // label; empty: "GPU" and the id
};

// What joins device work with the call that launched it; 0 is none.
struct LaunchIds {
    std::int64_t correlation = 0, external = 0;
};

class Dialect {
public:
    virtual ~Dialect() = default;

    // For sources.format, by all clues so far.
    [[nodiscard]] virtual std::string format() const = 0;
    // Name pattern of the slices that are one step of the workload; empty where the writer has none.
    [[nodiscard]] virtual std::string_view unitOfWork() const { return {}; }
    virtual void note(const Clue &) {}
    [[nodiscard]] int points() const { return points_; }

    // What a complete event is; of all but Plain and Launch the rest is asked.
    [[nodiscard]] virtual EventClass classOf(const Event &, const Thread &) const { return EventClass::Plain; }
    [[nodiscard]] virtual WorkPlace placeOf(const Event &, const Thread &) const { return {}; }
    [[nodiscard]] virtual LaunchIds idsOf(const Event &) const { return {}; }
    // Geometry, bytes, occupancy, direction of a copy.
    virtual void describe(const Event &, std::string_view /*name*/, GpuOpRow &) const {}

protected:
    int points_ = 0;
};

[[nodiscard]] std::unique_ptr<Dialect> makeKineto();
[[nodiscard]] std::unique_ptr<Dialect> makeJax();
[[nodiscard]] std::unique_ptr<Dialect> makeTensorFlow();
[[nodiscard]] std::unique_ptr<Dialect> makeRocprof();
[[nodiscard]] std::unique_ptr<Dialect> makeDevTools();
[[nodiscard]] std::unique_ptr<Dialect> makeChromeTracing();
[[nodiscard]] std::unique_ptr<Dialect> makeNode();
[[nodiscard]] std::unique_ptr<Dialect> makeClang();
[[nodiscard]] std::unique_ptr<Dialect> makeBazel();
[[nodiscard]] std::unique_ptr<Dialect> makeNinja();
[[nodiscard]] std::unique_ptr<Dialect> makeVizTracer();
[[nodiscard]] std::unique_ptr<Dialect> makeGeneric();

}  // namespace wattproof::importers::chrome
