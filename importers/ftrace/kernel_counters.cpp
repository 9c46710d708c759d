#include "importers/ftrace/kernel_counters.h"

#include <bit>

namespace wattproof::importers::ftrace {
namespace {

constexpr double kHertzPerKilohertz = 1000, kMillidegrees = 1000;
constexpr std::int64_t kNotIdle = 0xffff'ffff;  // state -1 as the kernel writes it

}  // namespace

CounterId KernelCounters::processCounter(std::int64_t pid, const std::string &name,
                                         const std::function<void(CounterRow &)> &describe) {
    return scene_.tracks.counter("p" + std::to_string(pid) + ' ' + name, [&](CounterRow &row) {
        row.name = name;
        row.track = scene_.tracks.addTrack(TrackKind::Counter, name, scene_.threads.process(pid).row.id);
        if (describe)
            describe(row);
    });
}

void KernelCounters::cpuSample(const Record &record, std::string_view what, std::string_view quantity,
                               std::string_view unit, double value) {
    const std::string cpu = std::to_string(record.numbers[at::kPid]);
    const std::string name = "CPU " + cpu + ' ' + std::string(what);
    const CounterId id = scene_.tracks.counter(name, [&](CounterRow &row) {
        row.name = name;
        row.quantity = quantity;
        row.unit = unit;
        row.domain = "cpu" + cpu;
        row.device = scene_.tracks.device(DeviceKind::Cpu, "CPU", "cpu");
    });
    scene_.builder.sample(id, record.ts, value, {record.offset});
}

void KernelCounters::cpuFrequency(const Record &record) {
    cpuSample(record, "frequency", "clock", "Hz",
              static_cast<double>(record.numbers[at::kSecond]) * kHertzPerKilohertz);
}

void KernelCounters::cpuFrequencyLimits(const Record &record) {
    cpuSample(record, "lowest allowed frequency", "clock_min", "Hz",
              static_cast<double>(record.numbers[at::kSecond]) * kHertzPerKilohertz);
    cpuSample(record, "highest allowed frequency", "clock_max", "Hz",
              static_cast<double>(record.numbers[at::kThird]) * kHertzPerKilohertz);
}

// State 0 is the lightest sleep; awake is written as -1.
void KernelCounters::cpuIdle(const Record &record) {
    const std::int64_t state = record.numbers[at::kSecond];
    cpuSample(record, "idle state", "idle_state", "1", state == kNotIdle ? -1 : static_cast<double>(state));
}

CounterId KernelCounters::systemCounter(const std::string &part, std::string_view what, std::string_view quantity,
                                        std::string_view unit) {
    const std::string name = part + ' ' + std::string(what);
    return scene_.tracks.counter(name, [&](CounterRow &row) {
        row.name = name;
        row.quantity = quantity;
        row.unit = unit;
        row.domain = part;
        row.device = scene_.tracks.device(DeviceKind::Node, "system", "system");
    });
}

void KernelCounters::temperature(const Record &record) {
    std::string zone(scene_.texts.get(record.texts[0]));
    if (zone.empty())
        zone = "zone " + std::to_string(record.numbers[at::kPid]);
    const CounterId id = systemCounter(zone, "temperature", "temperature", "degC");
    scene_.builder.sample(id, record.ts, static_cast<double>(record.numbers[at::kSecond]) / kMillidegrees,
                          {record.offset});
}

void KernelCounters::coolingDevice(const Record &record) {
    const std::string type(scene_.texts.get(record.texts[0]));
    const CounterId id = systemCounter(type, "cooling", "cooling_state", "1");
    scene_.builder.sample(id, record.ts, static_cast<double>(record.numbers[at::kPid]), {record.offset});
}

void KernelCounters::gpuFrequency(const Record &record) {
    const std::string gpu = std::to_string(record.numbers[at::kPid]);
    const CounterId id = scene_.tracks.counter("GPU " + gpu + " frequency", [&](CounterRow &row) {
        row.name = "GPU " + gpu + " frequency";
        row.quantity = "clock";
        row.unit = "Hz";
        row.device = scene_.tracks.device(DeviceKind::Gpu, "GPU " + gpu, gpu);
    });
    scene_.builder.sample(id, record.ts, static_cast<double>(record.numbers[at::kSecond]) * kHertzPerKilohertz,
                          {record.offset});
}

// Process 0 stands for all of them.
void KernelCounters::gpuMemory(const Record &record) {
    const std::string gpu = std::to_string(record.numbers[at::kPid]);
    const std::int64_t pid = record.numbers[at::kSecond];
    const auto describe = [&](CounterRow &row) {
        row.name = "GPU " + gpu + " memory";
        row.quantity = "memory";
        row.unit = "B";
        row.device = scene_.tracks.device(DeviceKind::Gpu, "GPU " + gpu, gpu);
    };
    const std::string name = "GPU " + gpu + " memory";
    const CounterId id = pid == 0 ? scene_.tracks.counter(name, describe) : processCounter(pid, name, describe);
    scene_.builder.sample(id, record.ts, static_cast<double>(record.numbers[at::kThird]), {record.offset});
}

// Which process a memory map belongs to is learnt from the events in which a process changes its own (curr), and
// from older kernels, which have only those.
void KernelCounters::residentMemory(const Record &record) {
    constexpr std::string_view kMembers[] = {"file", "anon", "swap", "shmem"};
    const std::int64_t member = record.numbers[0], mmId = record.numbers[3];
    Thread *owner =
        mmId == 0 || record.numbers[2] != 0 ? &scene_.threads.thread(record.tid, record.tgid) : nullptr;
    if (mmId != 0 && owner)
        memoryOwners_[mmId] = owner;
    if (const auto known = memoryOwners_.find(mmId); !owner && known != memoryOwners_.end())
        owner = known->second;
    const Process *process = owner ? Threads::processOf(*owner) : nullptr;
    if (!process || member < 0 || member >= 4)
        return scene_.builder.warn("unattributed_memory",
                                   "Sizes of memory whose process is not known from the trace were left out.",
                                   {record.offset});
    const CounterId id =
        processCounter(process->pid, "mem.rss." + std::string(kMembers[member]), [](CounterRow &row) {
            row.quantity = "memory";
            row.unit = "B";
        });
    scene_.builder.sample(id, record.ts, static_cast<double>(record.numbers[1]), {record.offset});
}

void KernelCounters::clockRate(const Record &record) {
    const std::string name(scene_.texts.get(record.texts[0]));
    const CounterId id = systemCounter(name, "frequency", "clock", "Hz");
    scene_.builder.sample(id, record.ts, static_cast<double>(record.numbers[0]), {record.offset});
}

void KernelCounters::sample(const Record &record) {
    const std::string name(scene_.texts.get(record.texts[0]));
    const auto describe = [&](CounterRow &row) {
        row.name = name;
        row.unit = scene_.texts.get(record.texts[1]);
        row.quantity = row.unit == "B" ? "memory" : "";
        row.kind = row.unit == "s" ? CounterKind::Counter : CounterKind::Gauge;
    };
    const CounterId id = record.numbers[0] < 0 ? scene_.tracks.counter("global " + name, describe)
                                               : processCounter(record.numbers[0], name, describe);
    scene_.builder.sample(id, record.ts, std::bit_cast<double>(record.numbers[1]), {record.offset});
}

// What Android writes of its battery is of the machine, whichever process writes it.
void KernelCounters::mark(const Record &record) {
    const std::string name(scene_.texts.get(record.texts[at::kName]));
    const bool global = name.starts_with("battery_stats.");
    const CounterId id = global
                             ? scene_.tracks.counter("global " + name, [&](CounterRow &row) { row.name = name; })
                             : processCounter(record.numbers[at::kMarkPid], name);
    scene_.builder.sample(id, record.ts, std::bit_cast<double>(record.numbers[at::kMarkValue]), {record.offset});
}

}  // namespace wattproof::importers::ftrace
