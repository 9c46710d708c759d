#include "importers/perfetto/system_ftrace.h"

#include "resources/embedded.h"

#include <nlohmann/json.hpp>

namespace wattproof::importers::perfetto {
namespace {

constexpr std::uint32_t kMonotonicRaw = 5;

// resources/kernel/ftrace_events.json: by number within FtraceEvent the event's name, then the names of its fields
// in order of their numbers; "#name" is a kernel function by its interned id, "" a field that is not needed.
using Schemas = std::vector<std::vector<std::string>>;

Schemas loadSchemas() {
    constexpr std::size_t kMost = 4096;
    Schemas schemas(kMost);
    const auto shipped = resources::builtIn("kernel/ftrace_events.json");
    const auto document = nlohmann::json::parse(shipped.value_or("{}"), nullptr, false);
    for (const auto &[number, names] : document.items()) {
        const auto id = ftrace::wholeNumber(number).value_or(0);
        if (id > 0 && id < static_cast<std::int64_t>(kMost))
            schemas[static_cast<std::size_t>(id)] = names.get<std::vector<std::string>>();
    }
    return schemas;
}

const std::vector<std::string> &schemaOf(std::uint32_t id) {
    static const Schemas schemas = loadSchemas();
    static const std::vector<std::string> none;
    return id < schemas.size() ? schemas[id] : none;
}

std::vector<std::uint64_t> numbersOf(std::string_view message, std::uint32_t id) {
    std::vector<std::uint64_t> all;
    Message reader(message);
    for (Field field; reader.next(field);)
        if (field.id == id)
            eachNumber(field, [&](std::uint64_t number) { all.push_back(number); });
    return all;
}

std::vector<std::string_view> textsOf(std::string_view message, std::uint32_t id) {
    std::vector<std::string_view> all;
    Message reader(message);
    for (Field field; reader.next(field);)
        if (field.id == id && field.isBytes())
            all.push_back(field.bytes);
    return all;
}

std::string_view symbolOf(const Packet &packet, std::uint64_t iid) {
    const std::string *message = packet.interned().message(FtraceBundles::kKernelSymbols, iid);
    if (!message)
        return {};
    const auto texts = textsOf(*message, 2);
    return texts.empty() ? std::string_view() : texts.front();
}

}  // namespace

FtraceBundles::Bundle FtraceBundles::headOf(std::string_view bytes) {
    Bundle bundle;
    Message message(bytes);
    for (Field field; message.next(field);) {
        switch (field.id) {
            case 1:
                bundle.cpu = static_cast<std::int32_t>(std::min<std::uint64_t>(field.number, 1U << 20U));
                break;
            case 3:
                bundle.lost = field.truth();
                break;
            case 4:
                bundle.compact = field.bytes;
                break;
            case 5:
                bundle.clock = field.number;
                break;
            case 6:
                bundle.ftraceTime = field.number;
                break;
            case 7:
                bundle.bootTime = field.number;
                break;
            case 10:
                bundle.previousEnd = field.number;
                break;
            default:
                break;
        }
    }
    return bundle;
}

// Kernels that cannot trace on the boot clock say how theirs read when the boot clock was read.
std::optional<Ns> FtraceBundles::toTrace(const Bundle &bundle, std::uint64_t time, bool last) {
    constexpr std::uint64_t kGlobal = 2, kLocal = 3, kRaw = 4;
    Ns boot = static_cast<Ns>(time & (~std::uint64_t{0} >> 2U));
    if ((bundle.clock == kGlobal || bundle.clock == kLocal) && bundle.ftraceTime && bundle.bootTime)
        boot += static_cast<Ns>(*bundle.bootTime & (~std::uint64_t{0} >> 2U)) -
                static_cast<Ns>(*bundle.ftraceTime & (~std::uint64_t{0} >> 2U));
    const ClockKey clock =
        machineClock(bundle.clock == kRaw ? kMonotonicRaw : clock_id::kBoottime, bundle.machine);
    if (context_.clocks.traceClock() == clock)
        return boot;
    const auto converted = context_.clocks.toTrace(clock, boot);
    return !converted && last ? std::optional(boot) : converted;
}

Ns FtraceBundles::validFrom(std::uint32_t machine) const {
    const auto found = validFrom_.find(machine);
    return found == validFrom_.end() ? std::numeric_limits<Ns>::min() : found->second;
}

Taken FtraceBundles::take(const Packet &packet, std::string_view bytes, ftrace::KernelTrace &kernel) {
    Bundle bundle = headOf(bytes);
    bundle.machine = packet.machine;
    if (!toTrace(bundle, bundle.bootTime.value_or(0), packet.last))
        return Taken::NeedsClock;
    if (bundle.lost)
        context_.builder.warn("data_loss", "The kernel's ring buffers overflowed: events of processors were lost.",
                              packet.origin);
    const bool first =
        firstPreviousEnd_.try_emplace({packet.machine, bundle.cpu}, bundle.previousEnd.value_or(0)).second;
    const Ns before = validFrom(packet.machine);
    if (first && bundle.previousEnd)
        validFrom_[packet.machine] = std::max(before, toTrace(bundle, *bundle.previousEnd, true).value_or(before));
    Message message(bytes);
    for (Field field; message.next(field);)
        if (field.id == 2 && field.isBytes())
            event(packet, bundle, field.bytes, kernel);
    if (!bundle.compact.empty()) {
        compactSwitches(packet, bundle, kernel);
        compactWakings(packet, bundle, kernel);
    }
    return Taken::Done;
}

void FtraceBundles::fields(const Packet &packet, const std::vector<std::string> &schema, std::string_view bytes) {
    Message message(bytes);
    for (Field field; message.next(field);) {
        if (field.id >= schema.size() || schema[field.id].empty())
            continue;
        const std::string_view key = schema[field.id];
        if (key[0] == '#')
            event_.addText(key.substr(1), symbolOf(packet, field.number));
        else if (field.isBytes())
            event_.addText(key, field.bytes);
        else
            event_.add(key, field.integer());
    }
}

// Events for which Perfetto has no message of their own: a name and fields by name.
void FtraceBundles::genericEvent(std::string_view bytes) {
    Message message(bytes);
    for (Field field; message.next(field);) {
        if (field.id == 1 && field.isBytes())
            event_.name = field.bytes;
        if (field.id != 2 || !field.isBytes())
            continue;
        std::string_view key;
        Message pair(field.bytes);
        for (Field part; pair.next(part);) {
            if (part.id == 1 && part.isBytes())
                key = part.bytes;
            else if (part.id == 3 && part.isBytes())
                event_.addText(key, part.bytes);
            else if (part.id == 4 || part.id == 5)
                event_.add(key, part.integer());
        }
    }
}

void FtraceBundles::event(const Packet &packet, const Bundle &bundle, std::string_view bytes,
                          ftrace::KernelTrace &kernel) {
    constexpr std::uint32_t kTimestamp = 1, kPid = 2, kCommonFlags = 5, kGeneric = 327;
    std::uint64_t time = 0;
    Field payload;
    event_.clear();
    event_.tid = 0;
    Message message(bytes);
    for (Field field; message.next(field);) {
        if (field.id == kTimestamp)
            time = field.number;
        else if (field.id == kPid)
            event_.tid = static_cast<std::int32_t>(field.number);
        else if (field.id != kCommonFlags && field.isBytes())
            payload = field;
    }
    event_.cpu = bundle.cpu;
    event_.offset = packet.origin.offset;
    event_.ts = toTrace(bundle, time, true).value_or(0);
    const std::vector<std::string> &schema = schemaOf(payload.id);
    if (payload.id == kGeneric) {
        event_.name = "generic";
        genericEvent(payload.bytes);
    } else if (schema.empty()) {
        name_ = "field_" + std::to_string(payload.id);
        event_.name = name_;
    } else {
        event_.name = schema.front();
        fields(packet, schema, payload.bytes);
    }
    kernel.take(event_);
}

void FtraceBundles::compactSwitches(const Packet &packet, const Bundle &bundle, ftrace::KernelTrace &kernel) {
    const auto times = numbersOf(bundle.compact, 1), states = numbersOf(bundle.compact, 2);
    const auto pids = numbersOf(bundle.compact, 3), priorities = numbersOf(bundle.compact, 4);
    const auto comms = textsOf(bundle.compact, 5);
    const auto commIndex = numbersOf(bundle.compact, 6);
    const std::size_t count =
        std::min({times.size(), states.size(), pids.size(), priorities.size(), commIndex.size()});
    std::uint64_t time = 0;
    for (std::size_t i = 0; i < count; ++i) {
        time += times[i];
        event_.clear();
        event_.name = "sched_switch_compact";
        event_.cpu = bundle.cpu;
        event_.tid = 0;
        event_.offset = packet.origin.offset;
        event_.ts = toTrace(bundle, time, true).value_or(0);
        event_.add("prev_state", static_cast<std::int64_t>(states[i]));
        event_.add("next_pid", static_cast<std::int32_t>(pids[i]));
        event_.add("next_prio", static_cast<std::int32_t>(priorities[i]));
        if (commIndex[i] < comms.size())
            event_.addText("next_comm", comms[commIndex[i]]);
        kernel.take(event_);
    }
}

void FtraceBundles::compactWakings(const Packet &packet, const Bundle &bundle, ftrace::KernelTrace &kernel) {
    const auto times = numbersOf(bundle.compact, 7), pids = numbersOf(bundle.compact, 8);
    const auto cpus = numbersOf(bundle.compact, 9), priorities = numbersOf(bundle.compact, 10);
    const auto comms = textsOf(bundle.compact, 5);
    const auto commIndex = numbersOf(bundle.compact, 11);
    const std::size_t count =
        std::min({times.size(), pids.size(), cpus.size(), priorities.size(), commIndex.size()});
    std::uint64_t time = 0;
    for (std::size_t i = 0; i < count; ++i) {
        time += times[i];
        event_.clear();
        event_.name = "sched_waking";
        event_.cpu = bundle.cpu;
        event_.tid = 0;
        event_.offset = packet.origin.offset;
        event_.ts = toTrace(bundle, time, true).value_or(0);
        event_.add("pid", static_cast<std::int32_t>(pids[i]));
        event_.add("target_cpu", static_cast<std::int32_t>(cpus[i]));
        if (commIndex[i] < comms.size())
            event_.addText("comm", comms[commIndex[i]]);
        kernel.take(event_);
    }
}

}  // namespace wattproof::importers::perfetto
