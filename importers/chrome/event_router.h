// Sends each event of a Chrome trace to where it belongs, by its phase and by what its writer means by it.
#pragma once

#include "importers/chrome/async_events.h"
#include "importers/chrome/counter_events.h"
#include "importers/chrome/cpu_profiles.h"
#include "importers/chrome/flows.h"
#include "importers/chrome/gpu.h"
#include "importers/chrome/head.h"
#include "importers/chrome/open_begins.h"
#include "importers/chrome/places.h"
#include "importers/chrome/scribe.h"

#include <array>
#include <string>

namespace wattproof::importers::chrome {

class EventRouter {
public:
    EventRouter(store::BulkWriter &, SourceId, TraceBuilder &, Head &, Recogniser &, const KernelClassifier &);

    void take(const Event &);
    // One of the list `samples` beside the events.
    void takeSample(const Event &);
    // After the last event: what had to wait, names, devices.
    [[nodiscard]] Status finish(const Task &);

    [[nodiscard]] Places &places() { return places_; }
    [[nodiscard]] std::int64_t events() const { return events_; }

private:
    void metadata(const Event &);
    void nameOf(const Event &, std::string_view what);
    void offerName(const Event &, std::string_view what, std::string_view text);
    void timed(const Event &, Ns ts);
    [[nodiscard]] bool readTime(const Event &, Ns &ts);
    [[nodiscard]] bool readDuration(const Event &, Ns ts, Ns &dur);

    void complete(const Event &, Ns ts, Ns dur);
    void begin(const Event &, Ns ts);
    void end(const Event &, Ns ts);
    void instant(const Event &, Ns ts, Thread &);
    void clockSync(const Event &, Ns ts);
    void memoryDump(const Event &, Ns ts);
    void unsupported(const Event &);
    void warnUnsupported();

    TraceBuilder &builder_;
    Head &head_;
    Recogniser &recogniser_;
    Scribe scribe_;
    Places places_;
    Gpus gpus_;
    OpenBegins begins_;
    AsyncEvents asyncs_;
    CounterEvents counters_;
    Flows flows_;
    CpuProfiles profiles_;
    std::array<std::int64_t, 256> unsupported_{};
    std::uint64_t firstUnsupported_ = 0;
    std::int64_t events_ = 0;
    std::string scratch_;
};

}  // namespace wattproof::importers::chrome
