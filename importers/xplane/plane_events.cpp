#include "importers/xplane/plane_events.h"

#include "importers/text/mended.h"
#include "importers/xplane/details.h"

#include <algorithm>
#include <array>

#include <protozero/pbf_reader.hpp>

namespace wattproof::importers::xplane {
namespace {

constexpr std::string_view kDevicePrefix = "/device:";
constexpr std::uint64_t kEventsPerCheck = 4096;
constexpr std::size_t kMostArguments = 128;

// "GPU:0" of "/device:GPU:0", when it is an accelerator's.
std::string_view acceleratorOf(std::string_view plane) {
    if (!plane.starts_with(kDevicePrefix))
        return {};
    const std::string_view device = plane.substr(kDevicePrefix.size());
    return device.starts_with("GPU:") || device.starts_with("TPU:") ? device : std::string_view();
}

std::string valueText(const Stat &stat) {
    if (stat.kind == Stat::Kind::Text)
        return std::string(stat.text);
    if (stat.kind == Stat::Kind::Natural)
        return std::to_string(stat.natural);
    return stat.kind == Stat::Kind::Integer ? std::to_string(stat.integer) : std::to_string(stat.real);
}

std::string modelOf(const Plane &plane) {
    for (const std::string &message : plane.stats)
        if (const auto stat = readStat(message, plane); stat && stat->kind == Stat::Kind::Text)
            if (stat->key == "device_type_string" || stat->key == "gpu_device_name")
                return std::string(stat->text);
    return {};
}

std::string_view runtimeCategory(std::string_view name) {
    if (name.starts_with("hip"))
        return "hip_runtime";
    return name.starts_with("cuda") || name.starts_with("cu") ? "cuda_runtime" : "Runtime";
}

std::uint64_t mixed(std::uint64_t kind, std::uint64_t id) {
    std::uint64_t hash = (kind + 1) * 0x9e3779b97f4a7c15U ^ id;
    hash ^= hash >> 31U;
    return hash * 0xbf58476d1ce4e5b9U;
}

// Half up, and exact at the far ends too.
Ns nanoseconds(std::int64_t picoseconds) {
    const std::int64_t whole = picoseconds / 1000, rest = picoseconds % 1000;
    return whole + (rest >= 500 ? 1 : 0) - (rest < -500 ? 1 : 0);
}

}  // namespace

// One event with what its statistics and those of its kind say.
struct PlaneEvents::Event {
    std::int64_t kind = 0, offsetPs = 0, durationPs = 0;
    bool hasDuration = false, aggregated = false;
    std::vector<std::string_view> statMessages;
    std::uint64_t fileOffset = 0;

    std::string_view name;
    RawEvent raw;
    Ns dur = 0;
    std::int64_t correlation = 0;
    std::string_view kernelDetails, copyDetails, setDetails, allocator;
    std::optional<double> occupancy, flops;
    std::optional<std::int64_t> allocated, producerType, producer, consumerType, consumer;
    std::optional<std::uint64_t> flow;
};

PlaneEvents::PlaneEvents(const Plane &plane, const RecordSpool &spool, ProfileRun &run, FileFacts &facts)
    : plane_(plane), spool_(spool), run_(run), facts_(facts) {}

void PlaneEvents::metadata() {
    const std::string_view accelerator = acceleratorOf(plane_.name);
    const std::string prefix = accelerator.empty() ? plane_.name : std::string(accelerator);
    for (const std::string &message : plane_.stats) {
        const auto stat = readStat(message, plane_);
        if (!stat || stat->kind == Stat::Kind::None || stat->kind == Stat::Kind::Bytes)
            continue;
        run_.metadata(prefix + "." + std::string(stat->key), valueText(*stat));
        if (stat->key == "profile_start_time")
            facts_.profileStart = stat->whole();
    }
}

void PlaneEvents::beginDevice() {
    const std::string_view accelerator = acceleratorOf(plane_.name);
    isGpu_ = accelerator.starts_with("GPU:");
    if (accelerator.empty()) {
        if (!plane_.lines.empty())
            process_ = run_.places().process(plane_.name, plane_.name);
        return;
    }
    std::string name(accelerator);
    name[name.find(':')] = ' ';
    if (plane_.lines.empty())
        return facts_.devicesWithoutEvents.push_back(name);
    DeviceRow row;
    row.kind = isGpu_ ? DeviceKind::Gpu : DeviceKind::Other;
    row.nativeId = isGpu_ ? accelerator.substr(4) : accelerator;
    row.name = name;
    row.model = modelOf(plane_);
    device_ = run_.places().device(std::move(row));
}

// Beside its streams a device has lines that sum them up by step, program or operator: they are no work.
PlaneEvents::Role PlaneEvents::roleOf(const Line &line) const {
    if (!device_.valid())
        return Role::HostThread;
    const bool work = isGpu_ ? line.name.starts_with("Stream") : line.name == "XLA Ops";
    return work ? Role::GpuStream : Role::DeviceRange;
}

TrackId PlaneEvents::trackOf(const Line &line, Role role) {
    if (role == Role::HostThread)
        return run_.places().thread(process_, std::to_string(line.id), line.name);
    if (role == Role::DeviceRange)
        return run_.places().annotations(device_, line.name.empty() ? std::to_string(line.id) : line.name);
    return run_.places().stream(device_, isGpu_ ? std::to_string(line.id) : line.name);
}

Status PlaneEvents::write() {
    beginDevice();
    metadata();
    for (const Line &each : plane_.lines)
        if (auto status = line(each); !status)
            return status;
    return {};
}

Status PlaneEvents::line(const Line &line) {
    const Role role = roleOf(line);
    RecordSpool::Reader reader(spool_, line.begin, line.end);
    std::string_view message;
    std::uint64_t offset = 0;
    TrackId track;
    while (reader.next(message, offset)) {
        if (++events_ % kEventsPerCheck == 0)
            if (auto status = run_.checkpoint(); !status)
                return status;
        Event event;
        event.fileOffset = offset;
        run_.countEvent();
        if (!read(message, event)) {
            run_.warn("malformed_event", "Events whose bytes make no sense were left out.", offset);
        } else if (event.aggregated) {
            run_.warn("aggregated_event", "Events that only count how often something happened were left out.",
                      offset);
        } else if (place(line, event)) {
            if (!track.valid())
                track = trackOf(line, role);
            emit(line, role, track, event);
        }
    }
    return reader.status();
}

// XEvent: metadata_id 1, offset_ps 2, duration_ps 3, stats 4, num_occurrences 5.
bool PlaneEvents::read(std::string_view message, Event &event) const {
    try {
        protozero::pbf_reader reader(message.data(), message.size());
        while (reader.next()) {
            const bool number = reader.wire_type() == protozero::pbf_wire_type::varint;
            if (reader.tag() == 4 && reader.wire_type() == protozero::pbf_wire_type::length_delimited) {
                const auto view = reader.get_view();
                if (event.statMessages.size() < kMostArguments)
                    event.statMessages.emplace_back(view.data(), view.size());
            } else if (!number || reader.tag() > 5) {
                reader.skip();
            } else {
                const std::int64_t value = reader.get_int64();
                const auto tag = reader.tag();
                (tag == 1   ? event.kind
                 : tag == 2 ? event.offsetPs
                            : event.durationPs) = tag == 5 ? event.durationPs : value;
                event.hasDuration = event.hasDuration || tag == 3;
                event.aggregated = event.aggregated || tag == 5;
            }
        }
    } catch (const protozero::exception &) {
        return false;
    }
    return true;
}

// Time and name. Beginning and end are rounded each, so that neighbours do not come to overlap.
bool PlaneEvents::place(const Line &line, Event &event) {
    std::int64_t endPs = 0;
    Ns begin = 0, end = 0;
    const bool overflow = __builtin_add_overflow(event.offsetPs, event.durationPs, &endPs) ||
                          __builtin_add_overflow(line.timestampNs, nanoseconds(event.offsetPs), &begin) ||
                          __builtin_add_overflow(line.timestampNs, nanoseconds(endPs), &end) ||
                          __builtin_sub_overflow(end, begin, &event.dur);
    if (overflow) {
        run_.warn("timestamp_outlier", "Events whose times are beyond any clock were left out.", event.fileOffset);
        return false;
    }
    event.raw.ts = begin;
    event.raw.origin = {event.fileOffset};
    const auto kind = plane_.kinds.find(event.kind);
    if (kind != plane_.kinds.end())
        event.name = kind->second.displayName.empty() ? kind->second.name : kind->second.displayName;
    else
        run_.warn("unnamed_event", "Events whose name is not in the file are shown without it.", event.fileOffset);
    return run_.acceptable(begin, event.dur, event.fileOffset);
}

void PlaneEvents::stats(Event &event) {
    const auto take = [&](std::string_view message) {
        const auto stat = readStat(message, plane_);
        if (!stat)
            return;
        ProfileArguments &arguments = run_.arguments();
        if (stat->kind == Stat::Kind::Text)
            arguments.text(stat->key, stat->text);
        else if (stat->kind == Stat::Kind::Real)
            arguments.real(stat->key, stat->real);
        else if (stat->kind == Stat::Kind::Natural)
            arguments.natural(stat->key, stat->natural);
        else if (stat->kind == Stat::Kind::Integer)
            arguments.integer(stat->key, stat->integer);
        notice(*stat, event);
    };
    run_.arguments().clear();
    if (const auto kind = plane_.kinds.find(event.kind); kind != plane_.kinds.end()) {
        if (!kind->second.displayName.empty())
            run_.arguments().text("long_name", kind->second.name);
        std::for_each(kind->second.stats.begin(), kind->second.stats.end(), take);
    }
    std::for_each(event.statMessages.begin(), event.statMessages.end(), take);
}

// Statistics that mean more than an argument.
void PlaneEvents::notice(const Stat &stat, Event &event) {
    const std::string_view key = stat.key;
    if (key == "correlation_id")
        event.correlation = stat.whole().value_or(0);
    else if (key == "kernel_details")
        event.kernelDetails = stat.text;
    else if (key == "memcpy_details")
        event.copyDetails = stat.text;
    else if (key == "memset_details")
        event.setDetails = stat.text;
    else if (key == "theoretical_occupancy_pct")
        event.occupancy = stat.number();
    else if (key == "flops")
        event.flops = stat.number();
    else if (key == "allocator_name")
        event.allocator = stat.text;
    else if (key == "bytes_allocated")
        event.allocated = stat.whole();
    else
        noticeFlow(stat, event);
}

// Producers and consumers of the host's contexts, and arrows with their direction packed into one number.
void PlaneEvents::noticeFlow(const Stat &stat, Event &event) {
    if (stat.key == "_pt")
        event.producerType = stat.whole();
    else if (stat.key == "_p")
        event.producer = stat.whole();
    else if (stat.key == "_ct")
        event.consumerType = stat.whole();
    else if (stat.key == "_c")
        event.consumer = stat.whole();
    else if (stat.key == "flow" && stat.whole())
        event.flow = static_cast<std::uint64_t>(*stat.whole());
}

void PlaneEvents::emit(const Line &line, Role role, TrackId track, Event &event) {
    stats(event);
    event.raw.track = track;
    event.raw.args = run_.arguments().write();
    if (role == Role::GpuStream) {
        gpuEvent(line, event);
    } else {
        event.raw.name = run_.name(event.name);
        if (role == Role::HostThread)
            hostEvent(event);
        else
            run_.builder().complete(event.raw, event.dur);
    }
    flows(event);
}

void PlaneEvents::hostEvent(Event &event) {
    if (event.name.starts_with('$'))
        event.raw.category = run_.writer().intern("python_function");
    else if (event.correlation != 0)
        event.raw.category = run_.writer().intern(runtimeCategory(event.name));
    memorySample(event);
    if (!event.hasDuration)
        run_.builder().instant(event.raw);
    else if (event.correlation != 0)
        run_.builder().launchCall(event.raw, event.dur, event.correlation, 0);
    else
        run_.builder().complete(event.raw, event.dur);
}

GpuOpRow PlaneEvents::operation(const Line &line, const Event &event) const {
    GpuOpRow row;
    if (!event.copyDetails.empty() || event.name.starts_with("Memcpy"))
        row.activity = GpuActivity::Memcpy;
    else if (!event.setDetails.empty() || event.name.starts_with("Memset"))
        row.activity = GpuActivity::Memset;
    row.device = device_;
    row.stream = isGpu_ ? std::to_string(line.id) : line.name;
    row.correlation = event.correlation;
    row.grid = tripleDetail(event.kernelDetails, "grid");
    row.block = tripleDetail(event.kernelDetails, "block");
    row.flops = event.flops;
    // 0 per cent is how a back end that does not know says so.
    if (event.occupancy && *event.occupancy > 0)
        row.occupancy = *event.occupancy / 100.0;
    if (row.activity == GpuActivity::Kernel)
        return row;
    row.bytes = wholeDetail(event.copyDetails.empty() ? event.setDetails : event.copyDetails, "size");
    if (row.activity == GpuActivity::Memcpy)
        row.copyKind = copyDirection(event.name, event.copyDetails, line.name);
    return row;
}

void PlaneEvents::gpuEvent(const Line &line, Event &event) {
    GpuOpRow row = operation(line, event);
    event.raw.name = run_.operationName(event.name, row.activity);
    event.raw.category = run_.writer().intern(categoryOf(row.activity));
    run_.builder().gpuOperation(event.raw, event.dur, std::move(row), 0);
}

void PlaneEvents::flow(const Event &event, std::uint64_t key, bool in, bool out) {
    RawFlow flow;
    flow.track = event.raw.track;
    flow.ts = event.raw.ts;
    flow.key = key;
    flow.name = run_.writer().intern("flow");
    flow.phase = in && out ? FlowPhase::Step : out ? FlowPhase::Start : FlowPhase::End;
    flow.origin = event.raw.origin;
    flow.loneStartIsNormal = true;
    run_.builder().flow(flow);
}

void PlaneEvents::flows(const Event &event) {
    if (event.producer)
        flow(event,
             mixed(static_cast<std::uint64_t>(event.producerType.value_or(0)),
                   static_cast<std::uint64_t>(*event.producer)),
             false, true);
    if (event.consumer)
        flow(event,
             mixed(static_cast<std::uint64_t>(event.consumerType.value_or(0)),
                   static_cast<std::uint64_t>(*event.consumer)),
             true, false);
    if (event.flow && (*event.flow & 3U) != 0)
        flow(event, mixed(~std::uint64_t{0}, *event.flow >> 2U), (*event.flow & 1U) != 0, (*event.flow & 2U) != 0);
}

void PlaneEvents::memorySample(const Event &event) {
    if (event.allocator.empty() || !event.allocated)
        return;
    const auto [found, added] = facts_.memory.try_emplace(std::string(event.allocator));
    if (added) {
        CounterRow row;
        row.source = run_.source().id;
        row.name = "allocated by " + mendedText(found->first);
        row.quantity = "memory";
        row.unit = "B";
        found->second = run_.writer().addCounter(row);
    }
    run_.builder().sample(found->second, event.raw.ts, static_cast<double>(*event.allocated), event.raw.origin);
}

}  // namespace wattproof::importers::xplane
