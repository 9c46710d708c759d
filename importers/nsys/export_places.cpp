#include "importers/nsys/export_places.h"

#include "importers/profile/correlation.h"

namespace wattproof::importers::nsys {
namespace {

constexpr std::size_t kMostText = std::size_t{512} << 20U;

}  // namespace

Status ExportPlaces::load() {
    if (auto status = loadStrings(); !status)
        return status;
    if (auto status = loadGpus(); !status)
        return status;
    return loadNames();
}

Status ExportPlaces::loadStrings() {
    std::size_t bytes = 0;
    return tables_.read("StringIds", {"id", "value"}, [&](const ExportRow &row) {
        bytes += row.text(1).size();
        if (bytes <= kMostText)
            strings_.try_emplace(row.wholeOr(0, 0), row.text(1));
        else
            run_.warn("oversized_event", "Names after the first 512 MiB of text were left out.", row.record());
    });
}

Status ExportPlaces::loadGpus() {
    auto status = tables_.read("TARGET_INFO_GPU",
                               {"id", "name", "uuid", "busLocation", "cuDevice", "totalMemory", "memoryBandwidth",
                                "clockRate", "smCount"},
                               [&](const ExportRow &row) {
                                   const std::int64_t id = row.wholeOr(0, 0);
                                   Gpu gpu{std::string(row.text(1)), std::string(row.text(2)),
                                           std::string(row.text(3)), row.wholeOr(4, -1)};
                                   if (!gpu.uuid.empty() && !gpu.uuid.starts_with("GPU-"))
                                       gpu.uuid.insert(0, "GPU-");
                                   const std::string prefix = "gpu." + std::to_string(id) + ".";
                                   run_.metadata(prefix + "name", gpu.name);
                                   constexpr std::array<const char *, 4> facts{
                                       "total_memory_b", "memory_bandwidth_b_per_s", "max_clock_hz", "sm_count"};
                                   for (std::size_t i = 0; i < facts.size(); ++i)
                                       if (const auto value = row.whole(5 + i))
                                           run_.metadata(prefix + facts[i], std::to_string(*value));
                                   gpus_.try_emplace(id, std::move(gpu));
                               });
    if (!status)
        return status;
    return tables_.read("TARGET_INFO_CUDA_DEVICE", {"gpuId", "cudaId", "pid"}, [&](const ExportRow &row) {
        gpuByCuda_.try_emplace({row.wholeOr(2, 0), row.wholeOr(1, 0)}, row.wholeOr(0, 0));
    });
}

Status ExportPlaces::loadNames() {
    auto status = tables_.read("PROCESSES", {"globalPid", "name"}, [&](const ExportRow &row) {
        processNames_.try_emplace(processPart(row.wholeOr(0, 0)), row.text(1));
    });
    if (!status)
        return status;
    return tables_.read("ThreadNames", {"globalTid", "nameId"}, [&](const ExportRow &row) {
        threadNames_.try_emplace(row.wholeOr(0, 0), row.wholeOr(1, 0));
    });
}

std::string_view ExportPlaces::text(std::int64_t id) const {
    const auto found = strings_.find(id);
    return found == strings_.end() ? std::string_view() : std::string_view(found->second);
}

// By the process's own table of devices, else by the ordinal that the GPU is said to have.
std::optional<std::int64_t> ExportPlaces::gpuIdOf(std::int64_t globalPid, std::int64_t ordinal) const {
    if (const auto found = gpuByCuda_.find({pidOf(globalPid), ordinal}); found != gpuByCuda_.end())
        return found->second;
    for (const auto &[id, gpu] : gpus_)
        if (gpu.cudaDevice == ordinal)
            return id;
    return gpus_.size() == 1 ? std::optional(gpus_.begin()->first) : std::nullopt;
}

DeviceId ExportPlaces::deviceOf(std::int64_t ordinal, std::optional<std::int64_t> gpuId) {
    DeviceRow row;
    row.kind = DeviceKind::Gpu;
    row.nativeId = std::to_string(ordinal);
    if (gpuId)
        if (const auto found = gpus_.find(*gpuId); found != gpus_.end()) {
            row.model = found->second.name;
            row.uuid = found->second.uuid;
            row.pci = found->second.pci;
            if (found->second.cudaDevice >= 0)
                row.nativeId = std::to_string(found->second.cudaDevice);
        }
    row.name = "GPU " + row.nativeId;
    return run_.places().device(std::move(row));
}

DeviceId ExportPlaces::cudaDevice(std::int64_t globalPid, std::int64_t ordinal) {
    return deviceOf(ordinal, gpuIdOf(globalPid, ordinal));
}

DeviceId ExportPlaces::gpu(std::int64_t id) {
    return deviceOf(id, id);
}

ProcessId ExportPlaces::process(std::int64_t globalId) {
    const auto found = processNames_.find(processPart(globalId));
    return run_.places().process(std::to_string(pidOf(globalId)),
                                 found == processNames_.end() ? std::string_view() : found->second);
}

TrackId ExportPlaces::thread(std::int64_t globalTid) {
    TrackId &track = threads_[globalTid];
    if (!track.valid()) {
        const auto name = threadNames_.find(globalTid);
        track = run_.places().thread(process(globalTid), std::to_string(tidOf(globalTid)),
                                     name == threadNames_.end() ? std::string_view() : text(name->second));
    }
    return track;
}

TrackId ExportPlaces::stream(DeviceId device, std::int64_t globalPid, std::int64_t context,
                             const std::string &stream) {
    const std::pair own{pidOf(globalPid), context};
    const auto first = firstContext_.try_emplace(device.value, own).first->second;
    std::string label;
    if (own.first != first.first)
        label = "process " + std::to_string(own.first) + ", ";
    if (own != first)
        label += "context " + std::to_string(context);
    return run_.places().stream(device, stream, label);
}

std::int64_t ExportPlaces::correlation(std::int64_t globalId, std::int64_t id) {
    if (id <= 0)
        return 0;
    const auto order = static_cast<std::int64_t>(processOrder_.size());
    const std::int64_t index = processOrder_.try_emplace(processPart(globalId), order).first->second;
    return correlationOf(index, id);
}

}  // namespace wattproof::importers::nsys
