// Who is who in an export of Nsight Systems: strings, processes, threads, and the devices behind CUDA's ordinals.
#pragma once

#include "importers/profile/export_tables.h"

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace wattproof::importers::nsys {

// Global ids carry the process in bits 24 to 47 and the thread in bits 0 to 23.
[[nodiscard]] constexpr std::int64_t pidOf(std::int64_t globalId) {
    return (globalId >> 24) & 0xffffff;
}
[[nodiscard]] constexpr std::int64_t tidOf(std::int64_t globalId) {
    return globalId & 0xffffff;
}
[[nodiscard]] constexpr std::int64_t processPart(std::int64_t globalId) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(globalId) & 0xffff'ffff'ff00'0000U);
}

class ExportPlaces {
public:
    ExportPlaces(ExportTables &tables, ProfileRun &run) : tables_(tables), run_(run) {}

    [[nodiscard]] Status load();

    // Text of StringIds; empty when it is not there.
    [[nodiscard]] std::string_view text(std::int64_t id) const;
    // An activity's deviceId is the process's own ordinal.
    [[nodiscard]] DeviceId cudaDevice(std::int64_t globalPid, std::int64_t ordinal);
    // By the id of TARGET_INFO_GPU.
    [[nodiscard]] DeviceId gpu(std::int64_t id);
    [[nodiscard]] ProcessId process(std::int64_t globalId);
    [[nodiscard]] TrackId thread(std::int64_t globalTid);
    [[nodiscard]] TrackId stream(DeviceId, std::int64_t globalPid, std::int64_t context,
                                 const std::string &stream);
    // One number for (process, correlation id): that of the first process stands as it is.
    [[nodiscard]] std::int64_t correlation(std::int64_t globalId, std::int64_t id);

private:
    struct Gpu {
        std::string name, uuid, pci;
        std::int64_t cudaDevice = -1;
    };

    [[nodiscard]] Status loadStrings();
    [[nodiscard]] Status loadGpus();
    [[nodiscard]] Status loadNames();
    [[nodiscard]] std::optional<std::int64_t> gpuIdOf(std::int64_t globalPid, std::int64_t ordinal) const;
    [[nodiscard]] DeviceId deviceOf(std::int64_t ordinal, std::optional<std::int64_t> gpuId);

    ExportTables &tables_;
    ProfileRun &run_;
    std::unordered_map<std::int64_t, std::string> strings_;
    std::map<std::int64_t, Gpu> gpus_;
    std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> gpuByCuda_;  // (pid, ordinal)
    std::unordered_map<std::int64_t, std::string> processNames_;
    std::unordered_map<std::int64_t, std::int64_t> threadNames_;  // string ids
    std::unordered_map<std::int64_t, TrackId> threads_;
    std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>> firstContext_;  // by device
    std::map<std::int64_t, std::int64_t> processOrder_;
};

}  // namespace wattproof::importers::nsys
