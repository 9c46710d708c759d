#include "importers/nsys/sqlite_export.h"

#include "importers/text/mended.h"

#include <array>

namespace wattproof::importers::nsys {
namespace {

// All activities begin with these columns.
enum Column : std::size_t { kStart, kEnd, kDevice, kContext, kStream, kCorrelation, kPid, kFirstOwn };

constexpr std::int64_t kAllStreams = 0xffff'ffff;

// Kinds of memory at the ends of a copy.
constexpr std::array<const char *, 8> kMemoryKinds{"Pageable", "Pinned",        "Device",         "Array",
                                                   "Managed",  "Device static", "Managed static", "Unknown"};

// CUpti_ActivityMemcpyKind.
CopyKind copyKindOf(std::int64_t kind) {
    switch (kind) {
        case 1:
        case 3:
            return CopyKind::HostToDevice;
        case 2:
        case 4:
            return CopyKind::DeviceToHost;
        case 5:
        case 6:
        case 7:
        case 8:
            return CopyKind::DeviceToDevice;
        case 9:
            return CopyKind::HostToHost;
        case 10:
            return CopyKind::PeerToPeer;
        case 11:
            return CopyKind::HostToDevice;
        case 12:
            return CopyKind::DeviceToHost;
        case 13:
            return CopyKind::DeviceToDevice;
        default:
            return CopyKind::Other;
    }
}

std::string copyName(CopyKind kind) {
    return kind == CopyKind::Other ? "[CUDA memcpy]" : "[CUDA memcpy " + std::string(word(kind)) + "]";
}

}  // namespace

// The row's own columns have gone into the arguments already.
void SqliteExport::operation(const ExportRow &row, std::string_view name, GpuOpRow gpu) {
    RawEvent event;
    Ns dur = 0;
    if (!run_.range(row.whole(kStart), row.whole(kEnd), row.record(), event, dur))
        return run_.arguments().clear();
    const std::int64_t pid = row.wholeOr(kPid, 0);
    gpu.device = places_.cudaDevice(pid, row.wholeOr(kDevice, 0));
    gpu.stream = std::to_string(row.wholeOr(kStream, 0));
    gpu.correlation = places_.correlation(pid, row.wholeOr(kCorrelation, 0));
    event.track = places_.stream(gpu.device, pid, row.wholeOr(kContext, 0), gpu.stream);
    event.name = run_.operationName(name, gpu.activity);
    event.category = run_.writer().intern(categoryOf(gpu.activity));
    run_.arguments().integer("correlationId", row.wholeOr(kCorrelation, 0));
    event.args = run_.arguments().write();
    run_.builder().gpuOperation(event, dur, std::move(gpu), 0);
}

Status SqliteExport::kernels() {
    enum : std::size_t {
        kName = kFirstOwn,
        kShort,
        kMangled,
        kGrid,
        kBlock = kGrid + 3,
        kRegisters = kBlock + 3,
        kStatic,
        kDynamic,
        kNode
    };
    return tables_.read(
        "CUPTI_ACTIVITY_KIND_KERNEL",
        {"start",
         "end",
         "deviceId",
         "contextId",
         "streamId",
         "correlationId",
         "globalPid",
         "demangledName",
         "shortName",
         "mangledName",
         "gridX",
         "gridY",
         "gridZ",
         "blockX",
         "blockY",
         "blockZ",
         "registersPerThread",
         "staticSharedMemory",
         "dynamicSharedMemory",
         "graphNodeId"},
        [&](const ExportRow &row) {
            GpuOpRow gpu;
            gpu.grid = row.triple(kGrid);
            gpu.block = row.triple(kBlock);
            std::string_view name;
            for (const std::size_t column : {std::size_t{kName}, std::size_t{kMangled}, std::size_t{kShort}})
                name = name.empty() && row.has(column) ? places_.text(row.wholeOr(column, 0)) : name;
            constexpr std::array<const char *, 4> facts{"registersPerThread", "staticSharedMemory",
                                                        "dynamicSharedMemory", "graphNodeId"};
            for (std::size_t i = 0; i < facts.size(); ++i)
                if (const auto value = row.whole(kRegisters + i))
                    run_.arguments().integer(facts[i], *value);
            operation(row, name.empty() ? "[unnamed kernel]" : name, std::move(gpu));
        });
}

Status SqliteExport::copies() {
    enum : std::size_t { kBytes = kFirstOwn, kKind, kSource, kTarget };
    return tables_.read("CUPTI_ACTIVITY_KIND_MEMCPY",
                        {"start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid",
                         "bytes", "copyKind", "srcKind", "dstKind"},
                        [&](const ExportRow &row) {
                            GpuOpRow gpu;
                            gpu.activity = GpuActivity::Memcpy;
                            gpu.bytes = row.whole(kBytes);
                            gpu.copyKind = copyKindOf(row.wholeOr(kKind, 0));
                            for (const std::size_t end : {std::size_t{kSource}, std::size_t{kTarget}})
                                if (const auto kind = row.whole(end); kind && *kind >= 0 && *kind < 8)
                                    run_.arguments().text(end == kSource ? "source" : "destination",
                                                          kMemoryKinds[static_cast<std::size_t>(*kind)]);
                            const std::string name = copyName(gpu.copyKind);
                            operation(row, name, std::move(gpu));
                        });
}

Status SqliteExport::memorySets() {
    enum : std::size_t { kBytes = kFirstOwn, kValue };
    return tables_.read(
        "CUPTI_ACTIVITY_KIND_MEMSET",
        {"start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid", "bytes", "value"},
        [&](const ExportRow &row) {
            GpuOpRow gpu;
            gpu.activity = GpuActivity::Memset;
            gpu.bytes = row.whole(kBytes);
            if (const auto value = row.whole(kValue))
                run_.arguments().integer("value", *value);
            operation(row, "[CUDA memset]", std::move(gpu));
        });
}

// Recorded whole, a graph hides its kernels.
Status SqliteExport::graphs() {
    return tables_.read(
        "CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
        {"start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid", "graphId"},
        [&](const ExportRow &row) {
            const std::string name = "[CUDA graph " + std::to_string(row.wholeOr(kFirstOwn, 0)) + "]";
            operation(row, name, {});
        });
}

// Waits of the host, told by device and stream: beside the streams, since they are no work.
Status SqliteExport::synchronisations() {
    auto status = tables_.read("ENUM_CUPTI_SYNC_TYPE", {"id", "label"}, [&](const ExportRow &row) {
        syncTypes_.try_emplace(row.wholeOr(0, 0), row.text(1));
    });
    if (!status)
        return status;
    enum : std::size_t { kType = kFirstOwn, kEvent };
    return tables_.read(
        "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
        {"start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid", "syncType", "eventId"},
        [&](const ExportRow &row) {
            RawEvent event;
            Ns dur = 0;
            if (!run_.range(row.whole(kStart), row.whole(kEnd), row.record(), event, dur))
                return;
            const auto type = syncTypes_.find(row.wholeOr(kType, 0));
            event.track = run_.places().annotations(
                places_.cudaDevice(row.wholeOr(kPid, 0), row.wholeOr(kDevice, 0)), "waits of the host");
            event.name =
                run_.name(type == syncTypes_.end() || type->second.empty() ? "Synchronization" : type->second);
            event.category = run_.writer().intern("cuda_sync");
            if (const std::int64_t stream = row.wholeOr(kStream, kAllStreams); stream != kAllStreams)
                run_.arguments().integer("stream", stream);
            run_.arguments().integer("correlationId", row.wholeOr(kCorrelation, 0));
            event.args = run_.arguments().write();
            run_.builder().complete(event, dur);
        });
}

// typeId carries the GPU's id in its lowest byte.
Status SqliteExport::metrics() {
    std::map<std::pair<std::int64_t, std::int64_t>, std::string> names;
    auto status =
        tables_.read("TARGET_INFO_GPU_METRICS", {"typeId", "metricId", "metricName"}, [&](const ExportRow &row) {
            names.try_emplace({row.wholeOr(0, 0), row.wholeOr(1, 0)}, row.text(2));
        });
    if (!status)
        return status;
    std::map<std::pair<std::int64_t, std::int64_t>, CounterId> counters;
    return tables_.read("GPU_METRICS", {"timestamp", "typeId", "metricId", "value"}, [&](const ExportRow &row) {
        const std::pair key{row.wholeOr(1, 0), row.wholeOr(2, 0)};
        RawEvent event;
        Ns dur = 0;
        const auto value = row.cell(3).number();
        if (!run_.range(row.whole(0), row.whole(0), row.record(), event, dur))
            return;
        if (!value)
            return run_.warn("missing_value", "Samples without a value were left out.", row.record());
        CounterId &counter = counters[key];
        if (!counter.valid()) {
            CounterRow own;
            own.source = run_.source().id;
            own.name = names.contains(key) ? mendedText(names[key]) : "metric " + std::to_string(key.second);
            own.device = places_.gpu(key.first & 0xff);
            counter = run_.writer().addCounter(own);
        }
        run_.builder().sample(counter, event.ts, *value, event.origin);
    });
}

}  // namespace wattproof::importers::nsys
