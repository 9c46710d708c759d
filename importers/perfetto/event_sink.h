// Passes events on to the builder: at once where their track is known, else when the whole trace is. Events of
// named tracks always wait: which of them share a row of the timeline depends on all of them.
#pragma once

#include "importers/perfetto/track_table.h"
#include "importers/trace/record_sorter.h"

namespace wattproof::importers::perfetto {

class EventSink {
public:
    EventSink(ImportContext &context, TrackTable &tracks)
        : context_(context), tracks_(tracks), events_(kBudget), flows_(kBudget / 4), samples_(kBudget / 4) {}

    enum class Type : std::uint8_t { Begin, End, Instant, Complete, Launch };

    // The event's own track is filled in here.
    void event(Track &, Type, RawEvent, Ns dur = 0);
    // A whole call that launched the GPU operation of this external id.
    void launch(Track &, RawEvent, Ns dur, std::int64_t externalId);
    void flow(Track &, RawFlow);
    // A value of a counter as its events state it; incremental ones added up.
    void sample(Track &, Ns ts, double value, EventOrigin);

    // When all tracks have their place.
    [[nodiscard]] Status replay();

private:
    static constexpr std::size_t kBudget = std::size_t{64} << 20U;

    struct PendingEvent {
        std::uint32_t key = 0;  // index of the track
        std::uint32_t name = 0, category = 0, args = 0;
        Ns ts = 0, dur = 0;
        std::uint64_t offset = 0;
        std::uint32_t launch = 0;  // index of its external id
        Type type = Type::Instant;
        bool wholeArgs = false;
    };
    struct PendingFlow {
        std::uint32_t key = 0;
        std::uint32_t name = 0, category = 0;
        Ns ts = 0;
        std::uint64_t flow = 0, offset = 0;
        FlowPhase phase = FlowPhase::Touch;
        FlowBinding binding = FlowBinding::OwnEvent;
        bool loneStartIsNormal = false;
    };
    struct PendingSample {
        std::uint32_t key = 0;
        Ns ts = 0;
        double value = 0;
        std::uint64_t offset = 0;
    };

    void send(Type, const RawEvent &, Ns dur, std::uint32_t launch);
    void pass(Track &, Type, RawEvent, Ns dur, std::uint32_t launch);
    void keep(Track &, Type, const RawEvent &, Ns dur, std::uint32_t launch);
    [[nodiscard]] CounterId counterOf(Track &);
    [[nodiscard]] Status replayEvents();
    [[nodiscard]] Status replayFlows();
    [[nodiscard]] Status replaySamples();

    ImportContext &context_;
    TrackTable &tracks_;
    std::vector<std::int64_t> launchIds_;
    RecordSorter<PendingEvent> events_;
    RecordSorter<PendingFlow> flows_;
    RecordSorter<PendingSample> samples_;
};

}  // namespace wattproof::importers::perfetto
