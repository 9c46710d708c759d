// Sends each event of a Chrome trace to where it belongs, by its phase and category.
#pragma once

#include "importers/chrome/arguments.h"
#include "importers/chrome/gpu.h"
#include "importers/chrome/head.h"
#include "importers/chrome/places.h"
#include "importers/trace/trace_builder.h"

#include <array>
#include <string>
#include <vector>

namespace wattproof::importers::chrome {

class EventRouter {
public:
    EventRouter(store::BulkWriter &, SourceId, TraceBuilder &, Head &, const KernelClassifier &);

    void take(const Event &);
    // After the last event: what had to wait, names, devices.
    void finish();

    [[nodiscard]] std::int64_t events() const { return events_; }
    [[nodiscard]] bool sawGpu() const { return gpus_.any(); }

private:
    struct PendingFlow {
        RawFlow flow;
        Thread *thread;
    };

    void metadata(const Event &);
    void nameOf(const Event &, std::string_view what);
    void timed(const Event &, Ns ts);
    [[nodiscard]] bool readTime(const Event &, Ns &ts);
    [[nodiscard]] bool readDuration(const Event &, Ns ts, Ns &dur);

    void complete(const Event &, Ns ts);
    void end(const Event &, Ns ts);
    void placeComplete(const Event &, Ns ts, Ns dur, EventClass);
    void launch(const Event &, const RawEvent &, Ns dur);
    void async(const Event &, Ns ts);
    void flow(const Event &, Ns ts);
    void boundFlow(const Event &, const RawEvent &);
    void counter(const Event &, Ns ts);
    void series(const Event &, Ns ts, const Member &);
    void unsupported(const Event &);
    void warnUnsupported();

    [[nodiscard]] RawEvent raw(const Event &, Ns ts, TrackId);
    [[nodiscard]] StringId intern(const RawValue &);
    [[nodiscard]] std::uint64_t idHash(const Event &, bool withName);
    void warn(const Event &, std::string_view kind, std::string_view message);

    store::BulkWriter &writer_;
    TraceBuilder &builder_;
    Head &head_;
    Places places_;
    Gpus gpus_;
    Arguments arguments_;
    std::vector<PendingFlow> pendingFlows_;  // on threads whose track is not known yet
    std::array<std::int64_t, 256> unsupported_{};
    std::uint64_t firstUnsupported_ = 0;
    std::int64_t events_ = 0;
    std::string scratch_, nameText_;
};

}  // namespace wattproof::importers::chrome
