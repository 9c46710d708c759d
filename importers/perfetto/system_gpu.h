// Counters of GPUs and what the GPUs are.
// Messages: protos/perfetto/trace/gpu/gpu_counter_event.proto, common/gpu_counter_descriptor.proto
#pragma once

#include "importers/perfetto/packet_module.h"
#include "importers/perfetto/system_tracks.h"

#include <map>
#include <string>
#include <vector>

namespace wattproof::importers::perfetto {

// Units by the numbers of MeasureUnit, as text ("Vertex/s") and, where there is one, as an SI unit and a factor.
struct GpuUnit {
    std::string text;
    double factor = 1;
    std::string_view quantity;
};
[[nodiscard]] GpuUnit gpuUnit(const std::vector<std::uint64_t> &numerators,
                              const std::vector<std::uint64_t> &denominators);

class GpuModule final : public PacketModule {
public:
    GpuModule(ImportContext &context, SystemTracks &tracks) : context_(context), tracks_(tracks) {}

    [[nodiscard]] std::vector<std::uint32_t> fields() const override;
    [[nodiscard]] Taken take(const Packet &, const Field &) override;
    [[nodiscard]] Status finish() override;

private:
    struct Spec {
        std::string name, description;
        GpuUnit unit;
        std::int64_t gpu = 0;
    };
    struct Group {
        std::string name, description;
        std::vector<std::string> counters;
    };
    using Id = std::pair<std::uint32_t, std::uint64_t>;  // machine, number of the counter

    void counters(const Packet &, std::string_view);
    void descriptor(const Packet &, std::int64_t gpu, std::string_view);
    void spec(const Packet &, std::int64_t gpu, std::string_view);
    void group(const Packet &, std::string_view);
    void value(const Packet &, std::int64_t gpu, std::string_view);
    void info(const Packet &, std::string_view);
    void oneGpu(const Packet &, std::size_t index, std::string_view);

    ImportContext &context_;
    SystemTracks &tracks_;
    std::size_t metadataRows_ = 0;
    std::map<Id, Spec> specs_;
    std::map<std::uint64_t, Group> groups_;
    std::map<std::uint64_t, std::vector<Id>> members_;  // of groups, by their numbers
};

}  // namespace wattproof::importers::perfetto
