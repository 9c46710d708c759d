#include "importers/perfetto/system_kernel.h"

#include <array>
#include <unordered_map>

namespace wattproof::importers::perfetto {
namespace {

enum PacketField : std::uint32_t {
    kFtraceEvents = 1,
    kProcessTree = 2,
    kProcessStats = 9,
    kGpuMemTotal = 71,
    kSystemProperty = 86,
    kGenericTaskState = 117,
    kGenericCpuFrequency = 118,
    kGenericTaskRename = 120,
    kGenericProcessTree = 122,
    kGenericGpuFrequency = 129
};

constexpr double kBytesPerKilobyte = 1024, kNsPerSecond = 1e9;

// Fields of ProcessStats.Process that are sampled: memory in kB, times in ns.
struct StatField {
    std::uint32_t id;
    std::string_view name, unit;
    double factor, divisor;
};
constexpr std::array<StatField, 11> kStats = {{{2, "mem.virt", "B", kBytesPerKilobyte, 1},
                                               {3, "mem.rss", "B", kBytesPerKilobyte, 1},
                                               {4, "mem.rss.anon", "B", kBytesPerKilobyte, 1},
                                               {5, "mem.rss.file", "B", kBytesPerKilobyte, 1},
                                               {6, "mem.rss.shmem", "B", kBytesPerKilobyte, 1},
                                               {7, "mem.swap", "B", kBytesPerKilobyte, 1},
                                               {8, "mem.locked", "B", kBytesPerKilobyte, 1},
                                               {9, "mem.rss.watermark", "B", kBytesPerKilobyte, 1},
                                               {10, "oom_score_adj", "1", 1, 1},
                                               {21, "runtime.user", "s", 1, kNsPerSecond},
                                               {22, "runtime.kernel", "s", 1, kNsPerSecond}}};

}  // namespace

std::vector<std::uint32_t> KernelModule::fields() const {
    return {kFtraceEvents,       kProcessTree,        kProcessStats,        kGpuMemTotal,
            kSystemProperty,     kGenericTaskState,   kGenericCpuFrequency, kGenericTaskRename,
            kGenericProcessTree, kGenericGpuFrequency};
}

ftrace::KernelTrace &KernelModule::kernel(std::uint32_t machine) {
    auto &held = kernels_[machine];
    if (!held)
        held = std::make_unique<ftrace::KernelTrace>(tracks_.of(machine), context_.builder);
    return *held;
}

void KernelModule::asEvent(const Packet &packet, std::string_view name,
                           std::initializer_list<std::string_view> names, std::string_view bytes) {
    ftrace::FtraceEvent event;
    event.ts = packet.ts;
    event.name = name;
    event.offset = packet.origin.offset;
    Message message(bytes);
    for (Field field; message.next(field);) {
        if (field.id == 0 || field.id > names.size())
            continue;
        const std::string_view key = names.begin()[field.id - 1];
        if (field.isBytes())
            event.addText(key, field.bytes);
        else if (key == "Hz")
            event.add("state", field.integer() / 1000);
        else
            event.add(key, field.integer());
        if (key == "cpu")
            event.cpu = static_cast<std::int32_t>(field.number);
    }
    kernel(packet.machine).take(event);
}

void KernelModule::process(const Packet &packet, std::string_view bytes) {
    std::int64_t pid = 0, parent = -1;
    std::optional<Ns> start;
    std::string_view name;
    bool isComm = false;
    Message message(bytes);
    for (Field field; message.next(field);) {
        if (field.id == 1)
            pid = static_cast<std::int32_t>(field.number);
        else if (field.id == 2)
            parent = static_cast<std::int32_t>(field.number);
        else if (field.id == 3 && field.isBytes() && name.empty())
            name = field.bytes;
        else if (field.id == 7)
            start = field.integer();
        else if (field.id == 9)
            isComm = field.truth();
    }
    // Workers of the kernel append what they are doing.
    if (isComm && name.starts_with("kworker/"))
        name = name.substr(0, name.find('-'));
    ftrace::KernelTrace &trace = kernel(packet.machine);
    trace.processInfo(packet.ts, pid, parent, name, packet.origin.offset, start);
    if (isComm)
        trace.threadInfo(packet.ts, pid, pid, name, packet.origin.offset);
}

void KernelModule::thread(const Packet &packet, std::string_view bytes) {
    std::int64_t tid = 0, tgid = 0;
    std::string_view name;
    Message message(bytes);
    for (Field field; message.next(field);) {
        if (field.id == 1)
            tid = static_cast<std::int32_t>(field.number);
        else if (field.id == 3)
            tgid = static_cast<std::int32_t>(field.number);
        else if (field.id == 2 && field.isBytes())
            name = field.bytes;
    }
    kernel(packet.machine).threadInfo(packet.ts, tid, tgid, name, packet.origin.offset);
}

void KernelModule::processTree(const Packet &packet, std::string_view bytes) {
    Message message(bytes);
    for (Field field; message.next(field);) {
        if (field.id == 1 && field.isBytes())
            process(packet, field.bytes);
        else if (field.id == 2 && field.isBytes())
            thread(packet, field.bytes);
    }
}

void KernelModule::genericProcesses(const Packet &packet, std::string_view bytes) {
    Message message(bytes);
    for (Field field; message.next(field);) {
        std::int64_t first = 0, second = -1;
        std::string_view name;
        Message entry(field.bytes);
        for (Field part; entry.next(part);) {
            if (part.id == 1)
                first = part.integer();
            else if (part.id == 2)
                second = part.integer();
            else if (part.id == 3 && part.isBytes())
                name = part.bytes;
        }
        if (field.id == 1)
            kernel(packet.machine).processInfo(packet.ts, first, second, name, packet.origin.offset);
        else if (field.id == 2)
            kernel(packet.machine)
                .threadInfo(packet.ts, first, std::max<std::int64_t>(second, 0), name, packet.origin.offset);
    }
}

void KernelModule::processStats(const Packet &packet, std::string_view bytes) {
    Message message(bytes);
    for (Field field; message.next(field);) {
        if (field.id != 1 || !field.isBytes())
            continue;
        std::int64_t pid = -1;
        Message first(field.bytes);
        for (Field part; first.next(part);)
            if (part.id == 1)
                pid = static_cast<std::int32_t>(part.number);
        Message again(field.bytes);
        for (Field part; pid >= 0 && again.next(part);)
            for (const StatField &stat : kStats)
                if (stat.id == part.id)
                    kernel(packet.machine)
                        .sample(packet.ts, pid, stat.name, stat.unit,
                                static_cast<double>(part.integer()) * stat.factor / stat.divisor,
                                packet.origin.offset);
    }
}

// Android's properties that exist for tracing ("debug.tracing.battery_stats.wifi") are states of the machine.
void KernelModule::systemProperties(const Packet &packet, std::string_view bytes) {
    constexpr std::string_view kPrefix = "debug.tracing.";
    Message message(bytes);
    for (Field field; message.next(field);) {
        if (field.id != 1 || !field.isBytes())
            continue;
        std::string_view name, value;
        Message pair(field.bytes);
        for (Field part; pair.next(part);)
            if (part.isBytes())
                (part.id == 1 ? name : value) = part.bytes;
        const auto number = ftrace::wholeNumber(value);
        if (number && name.starts_with(kPrefix))
            kernel(packet.machine)
                .sample(packet.ts, -1, name.substr(kPrefix.size()), "1", static_cast<double>(*number),
                        packet.origin.offset);
    }
}

Taken KernelModule::take(const Packet &packet, const Field &payload) {
    if (!payload.isBytes())
        return Taken::Done;
    switch (payload.id) {
        case kFtraceEvents:
            return bundles_.take(packet, payload.bytes, kernel(packet.machine));
        case kProcessTree:
            processTree(packet, payload.bytes);
            break;
        case kProcessStats:
            processStats(packet, payload.bytes);
            break;
        case kGpuMemTotal:
            asEvent(packet, "gpu_mem_total", {"gpu_id", "pid", "size"}, payload.bytes);
            break;
        case kSystemProperty:
            systemProperties(packet, payload.bytes);
            break;
        case kGenericTaskState:
            asEvent(packet, "task_state", {"cpu", "comm", "tid", "state", "prio"}, payload.bytes);
            break;
        case kGenericCpuFrequency:
            asEvent(packet, "cpu_frequency", {"cpu_id", "Hz"}, payload.bytes);
            break;
        case kGenericTaskRename:
            asEvent(packet, "task_rename", {"pid", "newcomm"}, payload.bytes);
            break;
        case kGenericProcessTree:
            genericProcesses(packet, payload.bytes);
            break;
        case kGenericGpuFrequency:
            asEvent(packet, "gpu_frequency", {"gpu_id", "state"}, payload.bytes);
            break;
        default:
            break;
    }
    return Taken::Done;
}

void KernelModule::adopt(std::uint32_t machine, ftrace::KernelTrace &trace) {
    for (const Process &process : context_.places.processes())
        if (process.machine == machine)
            trace.threads().adopt(process.pid, process.row);
    for (const Thread &thread : context_.places.threads())
        if (thread.process->machine == machine)
            trace.threads().adopt(thread.process->pid, thread.tid, thread.row, thread.track);
}

// Places writes all names once more when everything is known.
void KernelModule::handBack(ftrace::KernelTrace &trace) {
    std::unordered_map<ProcessId, const ftrace::Process *> processes;
    for (const ftrace::Process &process : trace.threads().processes())
        processes[process.row.id] = &process;
    for (Process &process : context_.places.processes())
        if (const auto found = processes.find(process.row.id); found != processes.end())
            process.row = found->second->row;
    std::unordered_map<ThreadId, const ftrace::Thread *> threads;
    for (const ftrace::Thread &thread : trace.threads().all())
        threads[thread.row.id] = &thread;
    for (Thread &thread : context_.places.threads()) {
        const auto found = threads.find(thread.row.id);
        if (found == threads.end())
            continue;
        thread.row = found->second->row;
        thread.track = found->second->track;
    }
}

Status KernelModule::finish() {
    for (auto &[machine, trace] : kernels_) {
        adopt(machine, *trace);
        trace->setMachine(context_.facts.machine);
        const Ns whole = bundles_.validFrom(machine);
        trace->setStart(std::max(whole, context_.facts.tracingStarted.value_or(whole)));
        if (auto status = trace->finish(context_.task); !status)
            return status;
        handBack(*trace);
    }
    return {};
}

}  // namespace wattproof::importers::perfetto
