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

    // A device by what the source calls it; what else is known of it may be told before or after (updateDevice).
    [[nodiscard]] DeviceId device(std::string_view nativeId, DeviceKind kind, std::string_view name);
    // The row of a device that device() made.
    [[nodiscard]] DeviceRow &deviceRow(DeviceId id) { return devices_.at(id.value); }
    void updateDevice(DeviceId id) { writer_.updateDevice(deviceRow(id)); }
    void setHost(std::string_view host);
    [[nodiscard]] const std::map<std::int64_t, DeviceRow> &devices() const { return devices_; }

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
