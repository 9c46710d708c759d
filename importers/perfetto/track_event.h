// A TrackEvent message, taken apart. Views point into the packet.
#pragma once

#include "importers/perfetto/wire.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace wattproof::importers::perfetto {

enum class TrackEventType : std::uint8_t { Unspecified, Begin, End, Instant, Counter, State };

struct LegacyEvent {
    char phase = 0;  // 0: the event's own type says what it is
    std::uint64_t nameIid = 0;
    std::optional<std::int64_t> durationUs;
    enum class Id : std::uint8_t { None, Unscoped, Local, Global } idKind = Id::None;
    std::uint64_t id = 0;
    std::string_view idScope;
    std::optional<std::uint64_t> bindId;
    bool bindToEnclosing = false;
    enum class Flow : std::uint8_t { None, In, Out, InOut } flow = Flow::None;
    enum class Scope : std::uint8_t { None, Global, Process, Thread } scope = Scope::None;
    std::optional<std::int64_t> pid, tid;
};

struct TrackEvent {
    TrackEventType type = TrackEventType::Unspecified;
    std::uint64_t nameIid = 0;
    std::string_view name;
    std::optional<std::uint64_t> track;
    std::vector<std::uint64_t> categoryIids;
    std::vector<std::string_view> categories;
    // Fields that become arguments, in the order of the message.
    std::vector<Field> arguments;
    struct Flow {
        std::uint64_t id = 0;
        bool terminates = false;
    };
    std::vector<Flow> flows;
    std::string_view gpuCorrelation;  // extension: stages of a GPU that the event submitted or waits for

    std::optional<std::int64_t> count;
    std::optional<double> value;
    bool ownCounters = false, ownDoubleCounters = false;  // states tracks itself: the defaults do not count
    std::vector<std::uint64_t> counters, doubleCounters;
    std::vector<std::int64_t> counts;
    std::vector<double> values;

    // The deprecated ways to tell time.
    std::optional<std::int64_t> deltaUs, absoluteUs, threadDeltaUs, threadAbsoluteUs, instructionsDelta,
        instructionsAbsolute;
    bool hasLegacy = false;
    LegacyEvent legacy;

    void clear();
};

// Fields of TrackEvent that become arguments.
namespace event_argument {
inline constexpr std::uint32_t kDebugAnnotation = 4, kTaskExecution = 5, kLogMessage = 21, kSourceLocation = 33,
                               kSourceLocationIid = 34, kCorrelationId = 52, kCorrelationText = 53,
                               kInlineCallstack = 55;
}

// Calls `unknown` with the number of each field that is not read. False when the message is damaged.
template <class Unknown>
[[nodiscard]] bool decodeTrackEvent(std::string_view bytes, TrackEvent &event, Unknown &&unknown);

// True when the field was taken.
[[nodiscard]] bool takeTrackEventField(const Field &, TrackEvent &);

template <class Unknown>
bool decodeTrackEvent(std::string_view bytes, TrackEvent &event, Unknown &&unknown) {
    event.clear();
    Message message(bytes);
    for (Field field; message.next(field);)
        if (!takeTrackEventField(field, event))
            unknown(field.id);
    return !message.damaged();
}

}  // namespace wattproof::importers::perfetto
