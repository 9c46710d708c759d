// How a part of the importer claims packets: by the fields of TracePacket that it understands. One module per
// group of data (track events, kernel events, power rails ...); what nobody claims is counted by field.
#pragma once

#include "importers/perfetto/clock_tracker.h"
#include "importers/perfetto/field_census.h"
#include "importers/perfetto/places.h"
#include "importers/perfetto/sequence.h"
#include "importers/perfetto/wire.h"
#include "importers/trace/trace_builder.h"

#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace wattproof::importers::perfetto {

// What one module learns and others need at the end.
struct SystemFacts {
    std::string machine;                            // as `uname -m` names it
    std::optional<Ns> tracingStarted;               // on the trace clock
    std::unordered_set<std::uint64_t> submissions;  // flow keys of stages of GPUs that calls say they submitted
};

// What all modules of one import share.
struct ImportContext {
    store::BulkWriter &writer;
    SourceId source;
    TraceBuilder &builder;
    ClockTracker &clocks;
    Places &places;
    FieldCensus &census;
    SourceRow &sourceRow;
    const Task &task;
    SystemFacts facts{};
};

struct Packet {
    std::string_view bytes;  // the whole TracePacket message
    EventOrigin origin;
    Ns ts = 0;  // on the trace clock; meaningless without hasTime
    bool hasTime = false;
    bool last = false;          // replayed at the end: there will be no more clock snapshots
    std::uint32_t machine = 0;  // 0: the host that recorded
    std::int64_t trustedPid = 0;
    Sequence *sequence = nullptr;          // never null; of packets without a sequence, one of its own
    const SequenceState *state = nullptr;  // as it was when the packet was written; never null

    [[nodiscard]] const Interned &interned() const { return *state->interned; }
};

enum class Taken : std::uint8_t {
    Done,
    NeedsClock  // times inside it cannot be converted yet: hand it over again when more snapshots are known
};

class PacketModule {
public:
    virtual ~PacketModule() = default;
    PacketModule() = default;
    PacketModule(const PacketModule &) = delete;
    PacketModule &operator=(const PacketModule &) = delete;

    // Field numbers of TracePacket.
    [[nodiscard]] virtual std::vector<std::uint32_t> fields() const = 0;
    // Field numbers of InternedData whose messages it will look up with Interned::message.
    [[nodiscard]] virtual std::vector<std::uint32_t> internedFields() const { return {}; }
    // Views are valid during the call. A packet for which NeedsClock was answered must have had no effect.
    [[nodiscard]] virtual Taken take(const Packet &, const Field &payload) = 0;
    // After the last packet; modules finish in the order in which they were added.
    [[nodiscard]] virtual Status finish() { return {}; }
};

}  // namespace wattproof::importers::perfetto
