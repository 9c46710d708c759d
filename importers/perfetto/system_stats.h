// What is polled from /proc and /sys: memory, processor times, idle states, frequencies, temperatures, disks,
// stalls. Messages: protos/perfetto/trace/sys_stats/sys_stats.proto
#pragma once

#include "importers/perfetto/packet_module.h"
#include "importers/perfetto/system_tracks.h"

#include <vector>

namespace wattproof::importers::perfetto {

class SystemStatsModule final : public PacketModule {
public:
    SystemStatsModule(ImportContext &context, SystemTracks &tracks) : context_(context), tracks_(tracks) {}

    [[nodiscard]] std::vector<std::uint32_t> fields() const override;
    [[nodiscard]] Taken take(const Packet &, const Field &) override;

private:
    struct Series {
        std::string name;
        std::string_view quantity, unit;
        CounterKind kind = CounterKind::Gauge;
        DeviceKind device = DeviceKind::Node;
    };

    void sample(const Packet &, const Series &, double value);
    void one(const Packet &, const Field &);
    void memory(const Packet &, std::string_view);
    void kernelCount(const Packet &, std::string_view);
    void cpuTimes(const Packet &, std::string_view);
    void idleStates(const Packet &, std::string_view);
    void thermalZone(const Packet &, std::string_view);
    void disk(const Packet &, std::string_view);
    void stall(const Packet &, std::string_view);
    void deviceFrequency(const Packet &, std::string_view);
    void frequencies(const Packet &, const Field &, DeviceKind, double factor, std::size_t &next);

    ImportContext &context_;
    SystemTracks &tracks_;
};

}  // namespace wattproof::importers::perfetto
