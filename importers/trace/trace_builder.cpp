#include "importers/trace/trace_builder.h"

#include "importers/trace/async_matcher.h"
#include "importers/trace/flow_binder.h"
#include "importers/trace/launch_linker.h"
#include "importers/trace/nesting.h"
#include "importers/trace/record_sorter.h"
#include "importers/trace/time_crowd.h"
#include "importers/trace/track_assembler.h"
#include "importers/trace/warning_book.h"

#include <algorithm>
#include <future>
#include <unordered_set>

namespace wattproof::importers {
namespace {

struct SampleRecord {
    std::uint32_t key = 0;  // counter
    Ns ts = 0;
    double value = 0;
    std::uint64_t offset = 0;
};

struct StateRecord {
    std::uint32_t key = 0;  // thread
    std::int32_t cpu = -1;
    Ns ts = 0, dur = 0;
    std::uint64_t offset = 0;
    ThreadState state = ThreadState::Unknown;
};

EventRecord recordOf(const RawEvent &event, EventType type, Ns dur = 0) {
    EventRecord record;
    record.key = static_cast<std::uint32_t>(event.track.value);
    record.name = static_cast<std::uint32_t>(event.name.value);
    record.category = static_cast<std::uint32_t>(event.category.value);
    record.args = static_cast<std::uint32_t>(event.args.value);
    record.ts = event.ts;
    record.dur = dur;
    record.offset = event.origin.offset;
    record.type = type;
    if (type == EventType::End && event.wholeArgs)
        record.aux = kWholeArgs;
    return record;
}

constexpr std::uint64_t kSlicesPerReport = 50'000;
constexpr std::size_t kStateBatch = 4096;

}  // namespace

struct TraceBuilder::Impl {
    store::BulkWriter &writer;
    SourceId source;
    RecordSorter<EventRecord> events;
    std::vector<std::uint32_t> eventsOfTrack;
    AsyncMatcher asyncs;
    FlowBinder flows;
    RecordSorter<SampleRecord> samples;
    RecordSorter<StateRecord> states;
    LaunchLinker linker;
    TimeCrowd crowd;
    WarningBook warnings;
    std::unordered_set<std::uint32_t> asyncTracks;
    std::uint64_t reported = 0;

    Impl(store::BulkWriter &w, SourceId s, std::size_t budget)
        : writer(w),
          source(s),
          events(budget / 2),
          asyncs(budget / 8),
          flows(budget / 4),
          samples(budget / 8),
          states(budget / 8) {}

    void push(const EventRecord &record) {
        crowd.note(record.ts, record.ts + record.dur);
        keep(record);
    }

    void keep(const EventRecord &record) {
        if (record.key >= eventsOfTrack.size())
            eventsOfTrack.resize(record.key + 64);
        ++eventsOfTrack[record.key];
        events.push(record);
    }

    void pushAsync(const RawEvent &event, AsyncKey key, EventType type) {
        crowd.note(event.ts, event.ts);
        const EventRecord record = recordOf(event, type);
        asyncTracks.insert(record.key);
        asyncs.push(key.hash, record);
    }

    Status sealAll(const std::stop_token &stop) {
        crowd.settle();
        auto status = asyncs.match(crowd, warnings, stop, [this](const EventRecord &event) { keep(event); });
        if (status)
            status = events.seal(stop);
        if (status)
            status = flows.sealWaiting(stop);
        if (status)
            status = samples.seal(stop);
        return status ? states.seal(stop) : status;
    }

    Status writeTracks(Summary &, const Task &);
    Status writeTrack(TrackAssembler &, std::uint32_t track, Summary &);
    void follow(TrackAssembler &, std::span<const std::uint32_t> overlapping, Summary &);
    Status writeSamples(Summary &);
    Status writeStates();
    Status writeCounter(std::uint32_t counter, const std::vector<Sample> &, Summary &);
    void report(const Summary &, const Task &);
};

TraceBuilder::TraceBuilder(store::BulkWriter &writer, SourceId source, std::size_t memoryBudget)
    : impl_(std::make_unique<Impl>(writer, source, memoryBudget)) {}

TraceBuilder::~TraceBuilder() = default;

void TraceBuilder::complete(const RawEvent &event, Ns dur) {
    impl_->push(recordOf(event, EventType::Complete, dur));
}

void TraceBuilder::gpuOperation(const RawEvent &event, Ns dur, GpuOpRow op, std::int64_t externalId) {
    EventRecord record = recordOf(event, EventType::GpuOperation, dur);
    record.aux = impl_->linker.addOperation(op, op.correlation, externalId);
    impl_->push(record);
}

void TraceBuilder::launchCall(const RawEvent &event, Ns dur, std::int64_t correlation, std::int64_t externalId) {
    EventRecord record = recordOf(event, EventType::Launch, dur);
    record.aux = impl_->linker.addLaunch(correlation, externalId);
    impl_->push(record);
}

void TraceBuilder::begin(const RawEvent &event) {
    impl_->push(recordOf(event, EventType::Begin));
}

void TraceBuilder::end(const RawEvent &event) {
    impl_->push(recordOf(event, EventType::End));
}

void TraceBuilder::instant(const RawEvent &event) {
    impl_->push(recordOf(event, EventType::Instant));
}

void TraceBuilder::asyncBegin(const RawEvent &event, AsyncKey key) {
    impl_->pushAsync(event, key, EventType::Begin);
}

void TraceBuilder::asyncEnd(const RawEvent &event, AsyncKey key) {
    impl_->pushAsync(event, key, EventType::End);
}

void TraceBuilder::asyncInstant(const RawEvent &event, AsyncKey) {
    impl_->asyncTracks.insert(static_cast<std::uint32_t>(event.track.value));
    impl_->push(recordOf(event, EventType::Instant));
}

void TraceBuilder::flow(const RawFlow &flow) {
    impl_->crowd.note(flow.ts, flow.ts);
    impl_->flows.push(flow);
}

void TraceBuilder::sample(CounterId counter, Ns ts, double value, EventOrigin origin) {
    impl_->crowd.note(ts, ts);
    impl_->samples.push({static_cast<std::uint32_t>(counter.value), ts, value, origin.offset});
}

void TraceBuilder::threadState(const ThreadStateRow &row, EventOrigin origin) {
    impl_->crowd.note(row.ts, row.ts + std::max<Ns>(row.dur, 0));
    impl_->states.push(
        {static_cast<std::uint32_t>(row.thread.value), row.cpu, row.ts, row.dur, origin.offset, row.state});
}

std::optional<Ns> TraceBuilder::earliest() const {
    TimeCrowd crowd = impl_->crowd;
    crowd.settle();
    return crowd.empty() ? std::nullopt : std::optional(crowd.begin());
}

void TraceBuilder::positionsAre(std::string_view unit) {
    impl_->warnings.positionsAre(unit);
}

void TraceBuilder::warn(std::string_view kind, std::string_view message, EventOrigin origin, std::int64_t count) {
    impl_->warnings.add(kind, message, origin.offset, count);
}

void TraceBuilder::Impl::report(const Summary &summary, const Task &task) {
    const auto done = static_cast<std::uint64_t>(summary.slices + summary.instants);
    if (done < reported + kSlicesPerReport)
        return;
    reported = done;
    task.report({"Writing slices", done, events.size(), "slices"});
}

// Launches, GPU operations and overlaps of a track that has just been written.
void TraceBuilder::Impl::follow(TrackAssembler &assembler, std::span<const std::uint32_t> overlapping,
                                Summary &summary) {
    const auto rows = assembler.rows();
    const auto origins = assembler.origins();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (origins[i].type == EventType::GpuOperation)
            linker.placeOperation(origins[i].aux, rows[i], origins[i].offset);
        else if (origins[i].type == EventType::Launch)
            linker.placeLaunch(origins[i].aux, rows[i]);
        (rows[i].kind == SliceKind::Instant ? summary.instants : summary.slices) += 1;
    }
    for (const std::uint32_t i : overlapping)
        warnings.add("overlapping_slice",
                     "Slices that partly overlap another on their thread or stream are shown beside it, whole.",
                     origins[i].offset);
}

Status TraceBuilder::Impl::writeTrack(TrackAssembler &assembler, std::uint32_t track, Summary &summary) {
    Nesting nesting(asyncTracks.count(track) > 0 ? Layout::SideBySide : Layout::Nested);
    std::vector<std::int32_t> parents;
    nesting.place(assembler.rows(), parents);
    if (auto status = writer.writeTrackSlices(TrackId(track), assembler.rows(), parents); !status)
        return status;
    flows.bindTrack(TrackId(track), assembler.rows(), parents, crowd, assembler.origins());
    follow(assembler, nesting.overlapping(), summary);
    return {};
}

Status TraceBuilder::Impl::writeTracks(Summary &summary, const Task &task) {
    TrackAssembler assembler(crowd, warnings);
    while (const EventRecord *event = events.peek()) {
        const std::uint32_t track = event->key;
        assembler.start(TrackId(track), eventsOfTrack[track]);
        for (; event && event->key == track; event = events.peek()) {
            assembler.add(*event);
            events.pop();
        }
        if (task.cancelled())
            return cancelled();
        assembler.finish();
        if (auto status = writeTrack(assembler, track, summary); !status)
            return status;
        report(summary, task);
    }
    return events.status();
}

Status TraceBuilder::Impl::writeCounter(std::uint32_t counter, const std::vector<Sample> &rows, Summary &summary) {
    summary.counters += 1;
    summary.samples += static_cast<std::int64_t>(rows.size());
    return writer.writeSamples(CounterId(counter), rows);
}

Status TraceBuilder::Impl::writeSamples(Summary &summary) {
    std::vector<Sample> rows;
    while (const SampleRecord *sample = samples.peek()) {
        const std::uint32_t counter = sample->key;
        rows.clear();
        for (; sample && sample->key == counter; sample = samples.peek()) {
            if (crowd.compare(sample->ts) == 0)
                rows.push_back({sample->ts - crowd.begin(), sample->value});
            else
                warnings.add("timestamp_outlier", "Samples more than a year away from all events were left out.",
                             sample->offset);
            samples.pop();
        }
        if (auto status = writeCounter(counter, rows, summary); !status)
            return status;
    }
    return samples.status();
}

Status TraceBuilder::Impl::writeStates() {
    std::vector<ThreadStateRow> rows;
    for (const StateRecord *state = states.peek(); state; state = states.peek()) {
        const Ns end = state->dur < 0 ? crowd.end() : state->ts + state->dur;
        if (crowd.compare(state->ts) == 0)
            rows.push_back(
                {ThreadId(state->key), state->ts - crowd.begin(), end - state->ts, state->state, state->cpu});
        else
            warnings.add("timestamp_outlier", "Thread states more than a year away from all events were left out.",
                         state->offset);
        states.pop();
        if (rows.size() < kStateBatch)
            continue;
        if (auto status = writer.writeThreadStates(rows); !status)
            return status;
        rows.clear();
    }
    if (auto status = writer.writeThreadStates(rows); !status)
        return status;
    return states.status();
}

Status TraceBuilder::finish(SourceRow &source, Summary &summary, const Task &task) {
    Impl &impl = *impl_;
    task.report({"Sorting", 0, impl.events.size(), "slices"});
    auto status = impl.sealAll(task.stop);
    if (status)
        status = impl.writeTracks(summary, task);
    if (status)
        status = impl.writeSamples(summary);
    if (status)
        status = impl.writeStates();
    if (!status)
        return status;
    auto indexed = std::async(std::launch::async, [&] { return impl.linker.makeIndexes(task.stop); });
    auto arrows = impl.flows.write(impl.writer, impl.warnings, task.stop);
    if (!arrows)
        return passOn(arrows);
    if (!indexed.get())
        return cancelled();
    auto links = impl.linker.write(impl.writer, impl.warnings);
    if (!links)
        return passOn(links);
    summary.flows = *arrows;
    summary.gpuOps = links->operations;
    summary.links = links->links;
    source.statedBase = impl.crowd.begin();
    summary.warnings = impl.warnings.rows(impl.source);
    for (const WarningRow &row : summary.warnings)
        impl.writer.addWarning(row);
    return {};
}

}  // namespace wattproof::importers
