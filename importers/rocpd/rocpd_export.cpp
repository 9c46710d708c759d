#include "importers/rocpd/rocpd_export.h"

#include "importers/copy_kind.h"
#include "importers/profile/correlation.h"
#include "importers/profile/work_items.h"
#include "importers/rocpd/region_names.h"
#include "importers/text/mended.h"

#include <algorithm>

namespace wattproof::importers::rocpd {
namespace {

// All rows of work begin with these; then come the table's own columns.
enum Column : std::size_t {
    kStart,
    kEnd,
    kStartId,
    kEndId,
    kPid,
    kTid,
    kTrack,
    kQueue,
    kStream,
    kEvent,
    kFirstOwn
};

}  // namespace

Expected<Summary> RocpdExport::import() {
    using Step = Status (RocpdExport::*)();
    constexpr std::array<Step, 10> steps{
        &RocpdExport::loadNames,   &RocpdExport::loadPlaces, &RocpdExport::loadAgents, &RocpdExport::loadEvents,
        &RocpdExport::metadata,    &RocpdExport::kernels,    &RocpdExport::copies,     &RocpdExport::regions,
        &RocpdExport::allocations, &RocpdExport::counters};
    for (const Step step : steps)
        if (Status status = (this->*step)(); !status)
            return passOn(status);
    const auto counts = [](std::string_view table) {
        return table.starts_with("rocpd_") && !table.starts_with("rocpd_info_") && !table.starts_with("rocpd_arg");
    };
    if (Status status = tables_.tellUnread(counts); !status)
        return passOn(status);
    return run_.finish(std::nullopt);
}

bool RocpdExport::times(const ExportRow &row, std::size_t first, std::uint32_t run, RawEvent &event, Ns &dur) {
    auto start = row.whole(first), end = row.whole(first + 1);
    const auto stamp = [&](std::size_t column) {
        const Ns *found = row.has(column) ? timestamps_.find({run, row.wholeOr(column, 0)}) : nullptr;
        return found ? std::optional(*found) : std::nullopt;
    };
    if (!start)
        start = stamp(first + 2);
    if (!end)
        end = stamp(first + 3);
    if (start && !end)
        run_.warn("missing_end", "Rows without an end were given the length 0.", row.record());
    return run_.range(start, end, row.record(), event, dur);
}

// pid, tid, track_id, queue_id, stream_id from `first` on.
RocpdExport::Place RocpdExport::placeOf(const ExportRow &row, std::size_t first, std::uint32_t run) const {
    Place place;
    if (const Place *track = row.has(first + 2) ? tracks_.find({run, row.wholeOr(first + 2, 0)}) : nullptr)
        place = *track;
    place.process = row.wholeOr(first, place.process);
    place.thread = row.wholeOr(first + 1, place.thread);
    place.hasQueue = place.hasQueue || row.has(first + 3);
    place.queue = row.wholeOr(first + 3, place.queue);
    place.hasStream = place.hasStream || row.has(first + 4);
    place.stream = row.wholeOr(first + 4, place.stream);
    return place;
}

DeviceId RocpdExport::deviceOf(GlobalId agent) {
    if (const Agent *found = agents_.find(agent))
        return run_.places().device(found->row);
    DeviceRow row;
    row.kind = DeviceKind::Gpu;
    row.nativeId = "agent " + std::to_string(agent.id);
    row.name = "GPU (agent " + std::to_string(agent.id) + ")";
    return run_.places().device(std::move(row));
}

TrackId RocpdExport::streamOf(DeviceId device, const Place &place, std::uint32_t run, std::string &stream) {
    stream = place.hasStream  ? std::to_string(place.stream)
             : place.hasQueue ? "queue " + std::to_string(place.queue)
                              : "0";
    const Process *process = processes_.find({run, place.process});
    const bool other = run > 0 && process;
    return run_.places().stream(device, stream, other ? "process " + std::to_string(process->pid) : std::string());
}

TrackId RocpdExport::threadOf(const Place &place, std::uint32_t run) {
    const Process *process = processes_.find({run, place.process});
    const Thread *thread = threads_.find({run, place.thread});
    const std::string pid = std::to_string(process ? process->pid : place.process);
    const std::string tid = std::to_string(thread ? thread->tid : place.thread);
    return run_.places().thread(run_.places().process(pid, process ? process->command : ""), tid,
                                thread ? thread->name : std::string_view());
}

RocpdExport::Event RocpdExport::eventOf(GlobalId id) const {
    const Event *found = events_.find(id);
    return found ? *found : Event{};
}

std::int64_t RocpdExport::correlation(std::uint32_t run, std::int64_t stack) {
    return correlationOf(run, stack);
}

// The row's own columns have gone into the arguments already.
void RocpdExport::emitGpu(const ExportRow &row, std::uint32_t run, std::string_view name, std::int64_t agent,
                          GpuOpRow gpu) {
    RawEvent event;
    Ns dur = 0;
    if (!times(row, kStart, run, event, dur))
        return run_.arguments().clear();
    const Place place = placeOf(row, kPid, run);
    gpu.device = deviceOf({run, agent != 0 ? agent : place.agent});
    event.track = streamOf(gpu.device, place, run, gpu.stream);
    gpu.correlation = correlation(run, eventOf({run, row.wholeOr(kEvent, 0)}).stack);
    if (place.hasQueue)
        run_.arguments().integer("queue", place.queue);
    event.name = run_.operationName(name, gpu.activity);
    event.category = run_.writer().intern(categoryOf(gpu.activity));
    event.args = run_.arguments().write();
    run_.builder().gpuOperation(event, dur, std::move(gpu), 0);
}

Status RocpdExport::kernels() {
    enum : std::size_t { kAgent = kFirstOwn, kKernel, kGrid, kBlock = kGrid + 3, kGroup = kBlock + 3, kPrivate };
    return read("rocpd_kernel_dispatch",
                {"start",
                 "end",
                 "start_id",
                 "end_id",
                 "pid",
                 "tid",
                 "track_id",
                 "queue_id",
                 "stream_id",
                 "event_id",
                 "agent_id",
                 "kernel_id",
                 "grid_size_x",
                 "grid_size_y",
                 "grid_size_z",
                 "workgroup_size_x",
                 "workgroup_size_y",
                 "workgroup_size_z",
                 "group_segment_size",
                 "private_segment_size",
                 "guid"},
                [&](const ExportRow &row, std::uint32_t run) {
                    GpuOpRow gpu;
                    const auto items = row.triple(kGrid), group = row.triple(kBlock);
                    if (items && group) {
                        gpu.grid = workgroupsOf(*items, *group);
                        gpu.block = group;
                    }
                    for (const auto &[column, key] : {std::pair{std::size_t{kGroup}, "group_segment_size"},
                                                      std::pair{std::size_t{kPrivate}, "private_segment_size"}})
                        if (const auto value = row.whole(column))
                            run_.arguments().integer(key, *value);
                    const std::int64_t kernel = row.wholeOr(kKernel, 0);
                    const std::string *name = kernels_.find({run, kernel});
                    emitGpu(row, run, name ? *name : "kernel " + std::to_string(kernel), row.wholeOr(kAgent, 0),
                            std::move(gpu));
                });
}

Status RocpdExport::copies() {
    enum : std::size_t { kName = kFirstOwn, kTarget, kSource, kSize };
    return read("rocpd_memory_copy",
                {"start", "end", "start_id", "end_id", "pid", "tid", "track_id", "queue_id", "stream_id",
                 "event_id", "name_id", "dst_agent_id", "src_agent_id", "size", "guid"},
                [&](const ExportRow &row, std::uint32_t run) {
                    const std::string name(text({run, row.wholeOr(kName, 0)}));
                    GpuOpRow gpu;
                    gpu.activity = GpuActivity::Memcpy;
                    gpu.copyKind = copyKindOf(name);
                    gpu.bytes = row.whole(kSize);
                    const bool toHost = gpu.copyKind == CopyKind::DeviceToHost && row.has(kSource);
                    emitGpu(row, run, name.empty() ? "memory copy" : name,
                            row.wholeOr(toHost ? kSource : kTarget, 0), std::move(gpu));
                });
}

// Rows of what a thread did, with their time, track and, behind the common columns, those of their own.
Status RocpdExport::hostRows(const std::string &table, std::string_view first, std::string_view second,
                             const TakeHost &take) {
    return read(table,
                {"start", "end", "start_id", "end_id", "pid", "tid", "track_id", "queue_id", "stream_id",
                 "event_id", first, second, "guid"},
                [&](const ExportRow &row, std::uint32_t run) {
                    RawEvent event;
                    Ns dur = 0;
                    if (!times(row, kStart, run, event, dur))
                        return;
                    event.track = threadOf(placeOf(row, kPid, run), run);
                    take(row, run, event, dur);
                });
}

Status RocpdExport::regions() {
    enum : std::size_t { kName = kFirstOwn, kExtra };
    return hostRows("rocpd_region", "name_id", "extdata",
                    [&](const ExportRow &row, std::uint32_t run, RawEvent &event, Ns dur) {
                        const Event own = eventOf({run, row.wholeOr(kEvent, 0)});
                        const std::string_view category = regionCategory(text({run, own.category}));
                        const std::string_view name = text({run, row.wholeOr(kName, 0)});
                        event.name =
                            run_.name(category == kAnnotation ? annotationName(name, row.text(kExtra)) : name);
                        event.category = run_.writer().intern(category);
                        const std::int64_t id = correlation(run, own.stack);
                        if (category == kAnnotation && dur == 0)
                            run_.builder().instant(event);
                        else if (category == kAnnotation || id == 0)
                            run_.builder().complete(event, dur);
                        else
                            run_.builder().launchCall(event, dur, id, 0);
                    });
}

Status RocpdExport::allocations() {
    enum : std::size_t { kType = kFirstOwn, kSize };
    return hostRows("rocpd_memory_allocate", "type", "size",
                    [&](const ExportRow &row, std::uint32_t, RawEvent &event, Ns dur) {
                        event.name = run_.name("memory " + std::string(row.text(kType)));
                        event.category = run_.writer().intern("memory");
                        if (const auto size = row.whole(kSize))
                            run_.arguments().integer("bytes", *size);
                        event.args = run_.arguments().write();
                        run_.builder().complete(event, dur);
                    });
}

// Counters that are sampled over time. Those of single dispatches have no time of their own and are counted.
Status RocpdExport::counters() {
    IdTable<Ns> samples;
    auto status = read("rocpd_sample", {"timestamp", "timestamp_id", "event_id", "guid"},
                       [&](const ExportRow &row, std::uint32_t run) {
                           auto at = row.whole(0);
                           if (const Ns *found = at ? nullptr : timestamps_.find({run, row.wholeOr(1, 0)}))
                               at = *found;
                           if (at)
                               samples.add({run, row.wholeOr(2, 0)}, *at);
                       });
    samples.settle();
    if (!status)
        return status;
    status = read("rocpd_info_pmc", {"id", "name", "symbol", "units", "agent_id", "guid"},
                  [&](const ExportRow &row, std::uint32_t run) {
                      counters_.try_emplace({run, row.wholeOr(0, 0)},
                                            Counter{std::string(row.text(row.text(1).empty() ? 2 : 1)),
                                                    std::string(row.text(3)),
                                                    row.wholeOr(4, 0),
                                                    {}});
                  });
    if (!status)
        return status;
    return read("rocpd_pmc_event", {"event_id", "pmc_id", "value", "guid"},
                [&](const ExportRow &row, std::uint32_t run) { counterValue(row, run, samples); });
}

void RocpdExport::counterValue(const ExportRow &row, std::uint32_t run, const IdTable<Ns> &samples) {
    const Ns *at = samples.find({run, row.wholeOr(0, 0)});
    const auto value = row.cell(2).number();
    Ns none = 0;
    if (!at)
        return run_.warn("unread_section", "Counter values of single dispatches are not shown.", row.record());
    if (!value || !run_.acceptable(*at, none, row.record()))
        return run_.warn("missing_value", "Samples without a value were left out.", row.record());
    run_.countEvent();
    const GlobalId id{run, row.wholeOr(1, 0)};
    Counter &counter = counters_[id];
    if (!counter.id.valid()) {
        CounterRow own;
        own.source = run_.source().id;
        own.name = counter.name.empty() ? "counter " + std::to_string(id.id) : mendedText(counter.name);
        if (agents_.find({run, counter.agent}))
            own.device = deviceOf({run, counter.agent});
        counter.id = run_.writer().addCounter(own);
    }
    run_.builder().sample(counter.id, *at, *value, {row.record()});
}

}  // namespace wattproof::importers::rocpd
