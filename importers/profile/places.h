// Devices, processes, threads and streams of a profiler's export, each made when it is first named.
#pragma once

#include "store/bulk_writer.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

namespace wattproof::importers {

class ProfilePlaces {
public:
    ProfilePlaces(store::BulkWriter &writer, SourceId source) : writer_(writer), source_(source) {}

    // A device by its native id; the first row that names it holds. Tell all that is known: by it another source's
    // device may be found to be the same.
    [[nodiscard]] DeviceId device(DeviceRow row);
    [[nodiscard]] const DeviceRow &deviceRow(DeviceId id) const { return devices_.at(id.value); }
    // The machine all devices are of, where that is known only at the end.
    void setHost(std::string_view host);

    [[nodiscard]] ProcessId process(std::string_view pid, std::string_view name);
    // The process that stands for a device: its streams are its threads.
    [[nodiscard]] ProcessId deviceProcess(DeviceId);
    [[nodiscard]] TrackId thread(ProcessId process, std::string_view tid, std::string_view name);
    // A stream's track. `context` keeps streams of one number apart; it is shown unless it is the first.
    [[nodiscard]] TrackId stream(DeviceId device, std::string_view stream, std::string_view context = {});
    // Ranges that belong to a device and are no work of it.
    [[nodiscard]] TrackId annotations(DeviceId device, std::string_view name);
    [[nodiscard]] TrackId other(TrackKind kind, ProcessId process, std::string_view name);

private:
    [[nodiscard]] TrackId add(const std::string &key, TrackRow row);

    store::BulkWriter &writer_;
    SourceId source_;
    std::map<std::int64_t, DeviceRow> devices_;
    std::unordered_map<std::string, DeviceId> deviceIds_;
    std::unordered_map<std::string, ProcessId> processes_;
    std::unordered_map<std::string, TrackId> tracks_;
};

}  // namespace wattproof::importers
