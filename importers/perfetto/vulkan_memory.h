// How much memory a program's Vulkan driver and its objects hold, as running sums of what was allocated, bound and
// given back. Message: protos/perfetto/trace/gpu/vulkan_memory_event.proto
#pragma once

#include "importers/perfetto/packet_module.h"
#include "importers/perfetto/system_tracks.h"

#include <string>
#include <unordered_map>

namespace wattproof::importers::perfetto {

class VulkanMemoryModule final : public PacketModule {
public:
    VulkanMemoryModule(ImportContext &context, SystemTracks &tracks) : context_(context), tracks_(tracks) {}

    [[nodiscard]] std::vector<std::uint32_t> fields() const override;
    [[nodiscard]] Taken take(const Packet &, const Field &) override;

private:
    enum class Source : std::uint8_t { None, Driver, Device, DeviceMemory, Buffer, Image };
    enum class Operation : std::uint8_t { None, Create, Destroy, Bind, DestroyBound, Annotations };
    struct Event {
        Source source = Source::None;
        Operation operation = Operation::None;
        std::int64_t pid = 0, size = 0;
        std::uint64_t scope = 0, type = 0;
    };
    struct Sum {
        CounterId counter;
        double bytes = 0;
    };

    [[nodiscard]] static Event decode(std::string_view);
    // Which sum an event changes; empty: none.
    [[nodiscard]] static std::string sumOf(const Event &);
    [[nodiscard]] CounterId counterOf(const Packet &, const Event &, const std::string &name);

    ImportContext &context_;
    SystemTracks &tracks_;
    std::unordered_map<std::string, Sum> sums_;  // by machine, process and name
};

}  // namespace wattproof::importers::perfetto
