#include "importers/perfetto/system_stats.h"

#include <array>

namespace wattproof::importers::perfetto {
namespace {

constexpr std::uint32_t kSysStats = 7;
constexpr double kBytesPerKilobyte = 1024, kNsPerSecond = 1e9, kUsPerSecond = 1e6, kMsPerSecond = 1e3;
constexpr double kBytesPerSector = 512;

// In the order of MeminfoCounters, with the names of /proc/meminfo.
constexpr std::array<std::string_view, 34> kMemory = {"",
                                                      "MemTotal",
                                                      "MemFree",
                                                      "MemAvailable",
                                                      "Buffers",
                                                      "Cached",
                                                      "SwapCached",
                                                      "Active",
                                                      "Inactive",
                                                      "Active(anon)",
                                                      "Inactive(anon)",
                                                      "Active(file)",
                                                      "Inactive(file)",
                                                      "Unevictable",
                                                      "Mlocked",
                                                      "SwapTotal",
                                                      "SwapFree",
                                                      "Dirty",
                                                      "Writeback",
                                                      "AnonPages",
                                                      "Mapped",
                                                      "Shmem",
                                                      "Slab",
                                                      "SReclaimable",
                                                      "SUnreclaim",
                                                      "KernelStack",
                                                      "PageTables",
                                                      "CommitLimit",
                                                      "Committed_AS",
                                                      "VmallocTotal",
                                                      "VmallocUsed",
                                                      "VmallocChunk",
                                                      "CmaTotal",
                                                      "CmaFree"};

// A few of VmstatCounters by their number; the others bear their number.
std::string vmstatName(std::uint64_t key) {
    constexpr std::pair<std::uint64_t, std::string_view> kNames[] = {
        {1, "nr_free_pages"}, {10, "nr_mapped"},  {12, "nr_dirty"},   {13, "nr_writeback"},
        {38, "pgpgin"},       {39, "pgpgout"},    {41, "pswpin"},     {42, "pswpout"},
        {49, "pgfault"},      {50, "pgmajfault"}, {73, "allocstall"}, {82, "compact_stall"}};
    for (const auto &[number, name] : kNames)
        if (number == key)
            return std::string(name);
    return "counter " + std::to_string(key);
}

struct KeyValue {
    std::uint64_t key = 0, value = 0;
    std::string_view name, type;
};

// Small messages of a key or name, a value and perhaps a second text.
KeyValue keyValue(std::string_view bytes) {
    KeyValue pair;
    Message message(bytes);
    for (Field field; message.next(field);) {
        if (field.isBytes())
            (field.id == 1 ? pair.name : pair.type) = field.bytes;
        else
            (field.id == 1 ? pair.key : pair.value) = field.number;
    }
    return pair;
}

}  // namespace

std::vector<std::uint32_t> SystemStatsModule::fields() const {
    return {kSysStats};
}

void SystemStatsModule::sample(const Packet &packet, const Series &series, double value) {
    ftrace::Tracks &tracks = tracks_.of(packet.machine);
    const CounterId id = tracks.counter(series.name, [&](CounterRow &row) {
        row.name = series.name;
        row.quantity = series.quantity;
        row.unit = series.unit;
        row.kind = series.kind;
        row.device = series.device == DeviceKind::Cpu   ? tracks.device(DeviceKind::Cpu, "CPU", "cpu")
                     : series.device == DeviceKind::Gpu ? tracks.device(DeviceKind::Gpu, "GPU 0", "0")
                                                        : tracks.device(DeviceKind::Node, "system", "system");
    });
    context_.builder.sample(id, packet.ts, value, packet.origin);
}

void SystemStatsModule::memory(const Packet &packet, std::string_view bytes) {
    const KeyValue pair = keyValue(bytes);
    const std::string name = pair.key < kMemory.size() ? std::string(kMemory[pair.key]) : std::to_string(pair.key);
    sample(packet, {"meminfo " + name, "memory", "B"}, static_cast<double>(pair.value) * kBytesPerKilobyte);
}

void SystemStatsModule::kernelCount(const Packet &packet, std::string_view bytes) {
    const KeyValue pair = keyValue(bytes);
    sample(packet, {"vmstat " + vmstatName(pair.key), "", "1"}, static_cast<double>(pair.value));
}

void SystemStatsModule::cpuTimes(const Packet &packet, std::string_view bytes) {
    constexpr std::array<std::string_view, 10> kModes = {"",     "",        "user", "nice",     "system",
                                                         "idle", "io wait", "irq",  "soft irq", "steal"};
    std::uint64_t cpu = 0;
    Message first(bytes);
    for (Field field; first.next(field);)
        if (field.id == 1)
            cpu = field.number;
    Message again(bytes);
    for (Field field; again.next(field);)
        if (field.id >= 2 && field.id < kModes.size())
            sample(packet,
                   {"CPU " + std::to_string(cpu) + ' ' + std::string(kModes[field.id]) + " time", "time", "s",
                    CounterKind::Counter, DeviceKind::Cpu},
                   static_cast<double>(field.number) / kNsPerSecond);
}

void SystemStatsModule::idleStates(const Packet &packet, std::string_view bytes) {
    std::uint64_t cpu = 0;
    Message first(bytes);
    for (Field field; first.next(field);)
        if (field.id == 1)
            cpu = field.number;
    Message again(bytes);
    for (Field field; again.next(field);) {
        if (field.id != 2 || !field.isBytes())
            continue;
        const KeyValue state = keyValue(field.bytes);
        sample(packet,
               {"CPU " + std::to_string(cpu) + " in " + std::string(state.name), "residency", "s",
                CounterKind::Counter, DeviceKind::Cpu},
               static_cast<double>(state.value) / kUsPerSecond);
    }
}

void SystemStatsModule::thermalZone(const Packet &packet, std::string_view bytes) {
    std::string_view name, type;
    std::optional<double> degrees;
    Message message(bytes);
    for (Field field; message.next(field);) {
        if (field.id == 1 && field.isBytes())
            name = field.bytes;
        else if (field.id == 2)
            degrees = static_cast<double>(field.integer());
        else if (field.id == 3 && field.isBytes())
            type = field.bytes;
    }
    if (degrees)
        sample(packet, {std::string(type.empty() ? name : type) + " temperature", "temperature", "degC"},
               *degrees);
}

void SystemStatsModule::disk(const Packet &packet, std::string_view bytes) {
    struct Part {
        std::string_view name, unit;
        double factor;
    };
    constexpr std::array<Part, 10> kParts = {{{"", "", 0},
                                              {"", "", 0},
                                              {"bytes read", "B", kBytesPerSector},
                                              {"time reading", "s", 1 / kMsPerSecond},
                                              {"bytes written", "B", kBytesPerSector},
                                              {"time writing", "s", 1 / kMsPerSecond},
                                              {"bytes discarded", "B", kBytesPerSector},
                                              {"time discarding", "s", 1 / kMsPerSecond},
                                              {"flushes", "1", 1},
                                              {"time flushing", "s", 1 / kMsPerSecond}}};
    std::string device;
    Message message(bytes);
    for (Field field; message.next(field);) {
        if (field.id == 1 && field.isBytes())
            device = field.bytes;
        else if (field.id >= 2 && field.id < kParts.size())
            sample(packet,
                   {device + ' ' + std::string(kParts[field.id].name), "", kParts[field.id].unit,
                    CounterKind::Counter},
                   static_cast<double>(field.number) * kParts[field.id].factor);
    }
}

void SystemStatsModule::stall(const Packet &packet, std::string_view bytes) {
    constexpr std::array<std::string_view, 7> kNames = {"unspecified", "cpu some",    "cpu full",   "io some",
                                                        "io full",     "memory some", "memory full"};
    const KeyValue pair = keyValue(bytes);
    if (pair.key < kNames.size())
        sample(packet, {"pressure " + std::string(kNames[pair.key]), "time", "s", CounterKind::Counter},
               static_cast<double>(pair.value) / kNsPerSecond);
}

void SystemStatsModule::deviceFrequency(const Packet &packet, std::string_view bytes) {
    const KeyValue pair = keyValue(bytes);
    sample(packet, {std::string(pair.name) + " frequency", "clock", "Hz"}, static_cast<double>(pair.value) * 1e3);
}

// A list without keys: its place is the number of the processor.
void SystemStatsModule::frequencies(const Packet &packet, const Field &field, DeviceKind kind, double factor,
                                    std::size_t &next) {
    constexpr std::size_t kMost = 4096;
    eachNumber(field, [&](std::uint64_t value) {
        if (next >= kMost)
            return;
        const std::string unit = (kind == DeviceKind::Cpu ? "CPU " : "GPU ") + std::to_string(next++);
        sample(packet, {unit + " frequency", "clock", "Hz", CounterKind::Gauge, kind},
               static_cast<double>(value) * factor);
    });
}

void SystemStatsModule::one(const Packet &packet, const Field &field) {
    switch (field.id) {
        case 1:
            return memory(packet, field.bytes);
        case 2:
            return kernelCount(packet, field.bytes);
        case 3:
            return cpuTimes(packet, field.bytes);
        case 4:
            return sample(packet, {"forks", "", "1", CounterKind::Counter}, static_cast<double>(field.number));
        case 5:
            return sample(packet, {"interrupts", "", "1", CounterKind::Counter},
                          static_cast<double>(field.number));
        case 7:
            return sample(packet, {"soft interrupts", "", "1", CounterKind::Counter},
                          static_cast<double>(field.number));
        case 10:
            return deviceFrequency(packet, field.bytes);
        case 13:
            return disk(packet, field.bytes);
        case 14:
            return stall(packet, field.bytes);
        case 15:
            return thermalZone(packet, field.bytes);
        case 16:
            return idleStates(packet, field.bytes);
        default:
            return context_.census.count("sys_stats", field.id, packet.origin.offset);
    }
}

Taken SystemStatsModule::take(const Packet &packet, const Field &payload) {
    constexpr std::uint32_t kCollectionEnd = 9, kCpuFrequencies = 11, kGpuFrequencies = 17;
    std::size_t cpu = 0, gpu = 0;
    Message message(payload.bytes);
    for (Field field; message.next(field);) {
        if (field.id == kCpuFrequencies)
            frequencies(packet, field, DeviceKind::Cpu, 1e3, cpu);
        else if (field.id == kGpuFrequencies)
            frequencies(packet, field, DeviceKind::Gpu, 1e6, gpu);
        else if (field.id != kCollectionEnd)
            one(packet, field);
    }
    return Taken::Done;
}

}  // namespace wattproof::importers::perfetto
