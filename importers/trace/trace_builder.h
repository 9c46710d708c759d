// From events in any order to slices in their final place. Every trace importer pushes raw events here; the
// builder sorts them per track, matches begins with ends, nests by the rules of docs/methods.md, lays partly
// overlapping slices in lanes, binds flows and launches, and hands complete tracks to the store's writer.
//
// Times handed in are stated ns (epoch where the file has it); the builder subtracts the source's base (its
// earliest time).
#pragma once

#include "importers/importer.h"
#include "store/bulk_writer.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace wattproof::importers {

// Position of an event in its file: for warnings and as the last sort key.
struct EventOrigin {
    std::uint64_t offset = 0;
};

struct RawEvent {
    TrackId track;
    Ns ts = 0;
    StringId name;  // none: an end without a name
    StringId category;
    ArgSetId args;
    EventOrigin origin;
    bool wholeArgs = false;  // of an end: `args` holds those of its begin as well, and replaces them
};

// Scope of an async pair: the importer decides which of category, id, name and pid take part, and hands their
// hash.
struct AsyncKey {
    std::uint64_t hash = 0;
};

// Touch: the earliest of its key starts the flow, later ones are steps. Finish: a step after which the key is
// free.
enum class FlowPhase : std::uint8_t { Start, Step, End, Touch, Finish };
// OwnEvent: the slice or instant that the event itself made (same time and origin), else what encloses its time.
enum class FlowBinding : std::uint8_t { EnclosingSlice, NextSlice, OwnEvent };

struct RawFlow {
    TrackId track;
    Ns ts = 0;
    std::uint64_t key = 0;  // hash of (category, name, id)
    StringId name, category;
    FlowPhase phase = FlowPhase::Start;
    FlowBinding binding = FlowBinding::EnclosingSlice;
    EventOrigin origin;
    bool loneStartIsNormal = false;  // a start that nothing follows is no warning (calls that may launch nothing)
};

class TraceBuilder {
public:
    // memoryBudget: bytes of event records held before a sorted run is spilled to a temporary file.
    TraceBuilder(store::BulkWriter &, SourceId, std::size_t memoryBudget = std::size_t{512} << 20U);
    ~TraceBuilder();
    TraceBuilder(const TraceBuilder &) = delete;
    TraceBuilder &operator=(const TraceBuilder &) = delete;

    void complete(const RawEvent &, Ns dur);
    // A GPU operation; op.slice and op.launch are filled in later by correlation (or by `launchHint`, External
    // id).
    void gpuOperation(const RawEvent &, Ns dur, GpuOpRow op, std::int64_t externalId);
    // A host call that may launch GPU work: found again by correlation, else by external id.
    void launchCall(const RawEvent &, Ns dur, std::int64_t correlation, std::int64_t externalId);
    void begin(const RawEvent &);
    void end(const RawEvent &);
    void instant(const RawEvent &);
    void asyncBegin(const RawEvent &, AsyncKey);
    void asyncEnd(const RawEvent &, AsyncKey);
    void asyncInstant(const RawEvent &, AsyncKey);
    void flow(const RawFlow &);
    void sample(CounterId, Ns ts, double value, EventOrigin);
    // What a thread did from row.ts (stated) on; dur < 0: to the end of the trace. States of one thread do not
    // overlap.
    void threadState(const ThreadStateRow &, EventOrigin);

    // The earliest time that was handed in so far, odd ones aside.
    [[nodiscard]] std::optional<Ns> earliest() const;

    // What the positions of warnings count, where it is not bytes of the file ("record").
    void positionsAre(std::string_view unit);
    // Counts a warning of this source; the first position is kept.
    void warn(std::string_view kind, std::string_view message, EventOrigin, std::int64_t count = 1);

    // Sorts, nests, binds and writes everything, warnings included. Fills the counts and warnings of the summary
    // and sets SourceRow::statedBase; the caller hands the row to BulkWriter::updateSource.
    [[nodiscard]] Status finish(SourceRow &, Summary &, const Task &);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace wattproof::importers
