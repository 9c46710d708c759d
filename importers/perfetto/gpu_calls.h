// Calls of the host that say which stages of a GPU they submitted or waited for (extension gpu_correlation of
// TrackEvent): arrows between both, and the launch of each stage.
// Message: protos/perfetto/trace/gpu/gpu_track_event.proto
#pragma once

#include "importers/perfetto/event_sink.h"

#include <string_view>
#include <unordered_map>
#include <vector>

namespace wattproof::importers::perfetto {

// Stages are numbered by each machine (GpuRenderStageEvent.event_id).
[[nodiscard]] std::uint64_t stageFlow(std::uint32_t machine, std::uint64_t stage);  // from a stage to who waits
[[nodiscard]] std::uint64_t submissionFlow(std::uint32_t machine,
                                           std::uint64_t stage);  // from a call to its stage
// By which a stage and its call find each other.
[[nodiscard]] std::int64_t launchId(std::uint32_t machine, std::uint64_t stage);

class GpuCalls {
public:
    GpuCalls(EventSink &sink, SystemFacts &facts) : sink_(sink), facts_(facts) {}

    [[nodiscard]] bool empty() const { return open_.empty(); }
    // A begin whose event bears the extension: it is held back until its end, since a launch is known by its
    // length. depth: how many begins are open on the track, this one included.
    void begin(Track &, std::size_t depth, const RawEvent &, std::string_view correlation, std::uint32_t machine);
    // True when the end belongs to a call that was held back: both are done with.
    [[nodiscard]] bool end(Track &, std::size_t depth, const RawEvent &);
    // Of an event without length, after it was passed on itself.
    void instant(Track &, const RawEvent &, std::string_view correlation, std::uint32_t machine);
    // Calls that never ended.
    void finish();

private:
    struct Stages {
        std::vector<std::uint64_t> submitted, awaited;
    };
    struct Call {
        Track *track = nullptr;
        std::size_t depth = 0;
        RawEvent event;
        Stages stages;
        std::uint32_t machine = 0;
    };

    [[nodiscard]] static Stages read(std::string_view correlation);
    void submissions(Track &, const RawEvent &, const Stages &, std::uint32_t machine);
    void waits(Track &, const RawEvent &, const Stages &, std::uint32_t machine);

    EventSink &sink_;
    SystemFacts &facts_;
    std::unordered_map<const Track *, std::vector<Call>> open_;  // innermost last
};

}  // namespace wattproof::importers::perfetto
