#include "importers/perfetto/vulkan_memory.h"

#include <array>

namespace wattproof::importers::perfetto {
namespace {

constexpr std::uint32_t kVulkanMemory = 62;

template <class Enum>
Enum bounded(std::uint64_t number, Enum last) {
    return number <= static_cast<std::uint64_t>(last) ? static_cast<Enum>(number) : Enum{};
}

}  // namespace

std::vector<std::uint32_t> VulkanMemoryModule::fields() const {
    return {kVulkanMemory};
}

VulkanMemoryModule::Event VulkanMemoryModule::decode(std::string_view bytes) {
    Event event;
    Message message(bytes);
    for (Field field; message.next(field);) {
        switch (field.id) {
            case 1:
                event.source = bounded(field.number, Source::Image);
                break;
            case 2:
                event.operation = bounded(field.number, Operation::Annotations);
                break;
            case 4:
                event.pid = static_cast<std::int32_t>(field.number);
                break;
            case 6:
                event.size = field.integer();
                break;
            case 8:
                event.scope = field.number;
                break;
            case 18:
                event.type = static_cast<std::uint32_t>(field.number);
                break;
            default:
                break;
        }
    }
    return event;
}

std::string VulkanMemoryModule::sumOf(const Event &event) {
    constexpr std::array<std::string_view, 6> kScopes = {"", "command", "object", "cache", "device", "instance"};
    const bool held = event.operation == Operation::Create || event.operation == Operation::Destroy;
    const bool bound = event.operation == Operation::Bind || event.operation == Operation::DestroyBound;
    if (event.source == Source::Driver && held && event.scope > 0 && event.scope < kScopes.size())
        return "Vulkan driver memory, " + std::string(kScopes[event.scope]);
    if (event.source == Source::DeviceMemory && held)
        return "Vulkan device memory, type " + std::to_string(event.type);
    if ((event.source == Source::Buffer || event.source == Source::Image) && bound)
        return "Vulkan bound memory, type " + std::to_string(event.type);
    return {};
}

CounterId VulkanMemoryModule::counterOf(const Packet &packet, const Event &event, const std::string &name) {
    const ProcessId process = context_.places.process(event.pid, packet.machine).row.id;
    ftrace::Tracks &tracks = tracks_.of(packet.machine);
    return tracks.counter("p" + std::to_string(process.value) + ' ' + name, [&](CounterRow &row) {
        row.name = name;
        row.quantity = "memory";
        row.unit = "B";
        row.track = tracks.addTrack(TrackKind::Counter, name, process);
    });
}

Taken VulkanMemoryModule::take(const Packet &packet, const Field &payload) {
    if (!payload.isBytes() || !packet.hasTime)
        return Taken::Done;
    const Event event = decode(payload.bytes);
    const std::string name = sumOf(event);
    if (name.empty()) {
        context_.census.count("vulkan_memory_event", static_cast<std::uint32_t>(event.operation),
                              packet.origin.offset);
        return Taken::Done;
    }
    Sum &sum = sums_[std::to_string(packet.machine) + ' ' + std::to_string(event.pid) + ' ' + name];
    if (!sum.counter.valid())
        sum.counter = counterOf(packet, event, name);
    const bool grows = event.operation == Operation::Create || event.operation == Operation::Bind;
    sum.bytes += static_cast<double>(grows ? event.size : -event.size);
    context_.builder.sample(sum.counter, packet.ts, sum.bytes, packet.origin);
    return Taken::Done;
}

}  // namespace wattproof::importers::perfetto
