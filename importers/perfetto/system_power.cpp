#include "importers/perfetto/system_power.h"

#include "importers/text/mended.h"
#include "importers/trace/time_crowd.h"

#include <algorithm>
#include <cctype>

namespace wattproof::importers::perfetto {
namespace {

enum PacketField : std::uint32_t { kBattery = 38, kPowerRails = 40, kEnergyBreakdown = 77, kEntityResidency = 91 };

constexpr double kMicro = 1e6, kMilli = 1e3, kSecondsPerHour = 3600;
constexpr Ns kNsPerMs = 1'000'000;

std::string lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return std::tolower(c); });
    return out;
}

bool isOneOf(const std::string &text, std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return text == word; });
}

}  // namespace

std::vector<std::uint32_t> PowerModule::fields() const {
    return {kBattery, kPowerRails, kEnergyBreakdown, kEntityResidency};
}

// Rails are sorted by what they feed, so that they count as accelerator, host or memory; the rest are rails.
DeviceId PowerModule::partDevice(std::uint32_t machine, std::string_view subsystem) {
    const std::string part = lower(subsystem);
    ftrace::Tracks &tracks = tracks_.of(machine);
    if (isOneOf(part, {"gpu", "g3d"}))
        return tracks.device(DeviceKind::Gpu, "GPU 0", "0");
    if (part.starts_with("cpu"))
        return tracks.device(DeviceKind::Cpu, "CPU", "cpu");
    if (isOneOf(part, {"mem", "memory", "ddr", "dram", "ram"}))
        return tracks.device(DeviceKind::Dram, "DRAM", "dram");
    const std::string name = subsystem.empty() ? "rails" : std::string(subsystem);
    return tracks.device(DeviceKind::Rail, name, name);
}

void PowerModule::railDescriptor(const Packet &packet, std::string_view bytes) {
    std::int64_t index = 0;
    Rail rail;
    Message message(bytes);
    for (Field field; message.next(field);) {
        if (field.id == 1)
            index = field.integer();
        else if (field.id == 2 && field.isBytes())
            rail.name = field.bytes;
        else if (field.id == 3 && field.isBytes())
            rail.subsystem = field.bytes;
    }
    // The rail is listed even when no reading follows.
    static_cast<void>(railCounter(packet.machine, rail));
    rails_[{scopeOf(packet), index}] = std::move(rail);
}

CounterId PowerModule::railCounter(std::uint32_t machine, const Rail &rail) {
    return tracks_.of(machine).counter("rail " + rail.subsystem + '/' + rail.name, [&](CounterRow &row) {
        row.name = rail.name;
        row.domain = rail.name;
        row.quantity = "energy";
        row.unit = "J";
        row.kind = CounterKind::Counter;
        row.device = partDevice(machine, rail.subsystem);
    });
}

// A reading may carry the time, in ms of the boot clock, at which the meter was read.
std::optional<Ns> PowerModule::railTime(const Packet &packet, std::string_view sample) const {
    Message message(sample);
    for (Field field; message.next(field);)
        if (field.id == 2 && field.number < static_cast<std::uint64_t>(kLargestTime / kNsPerMs)) {
            const Ns boot = field.integer() * kNsPerMs;
            const auto converted =
                context_.clocks.toTrace(machineClock(clock_id::kBoottime, packet.machine), boot);
            return !converted && packet.last ? std::optional(boot) : converted;
        }
    return packet.hasTime ? std::optional(packet.ts) : std::nullopt;
}

void PowerModule::railSample(const Packet &packet, std::string_view bytes) {
    std::int64_t index = 0;
    std::uint64_t microJoules = 0;
    Message message(bytes);
    for (Field field; message.next(field);) {
        if (field.id == 1)
            index = field.integer();
        else if (field.id == 3)
            microJoules = field.number;
    }
    const auto rail = rails_.find({scopeOf(packet), index});
    const auto ts = railTime(packet, bytes);
    if (rail == rails_.end() || !ts)
        return context_.builder.warn(
            "unknown_rail", "Readings of power rails that the trace does not name were left out.", packet.origin);
    measured_ = true;
    context_.builder.sample(railCounter(packet.machine, rail->second), *ts,
                            static_cast<double>(microJoules) / kMicro, packet.origin);
}

Taken PowerModule::rails(const Packet &packet, std::string_view bytes) {
    Message descriptors(bytes);
    for (Field field; descriptors.next(field);)
        if (field.id == 2 && field.isBytes() && !packet.last && !railTime(packet, field.bytes))
            return Taken::NeedsClock;
    Message again(bytes);
    for (Field field; again.next(field);)
        if (field.id == 1 && field.isBytes())
            railDescriptor(packet, field.bytes);
    Message samples(bytes);
    for (Field field; samples.next(field);)
        if (field.id == 2 && field.isBytes())
            railSample(packet, field.bytes);
    return Taken::Done;
}

void PowerModule::batterySample(const Packet &packet, std::string_view what, std::string_view quantity,
                                std::string_view unit, double value) {
    ftrace::Tracks &tracks = tracks_.of(packet.machine);
    const std::string name = "battery " + std::string(what);
    const CounterId id = tracks.counter(name, [&](CounterRow &row) {
        row.name = name;
        row.domain = "battery";
        row.quantity = quantity;
        row.unit = unit;
        row.device = tracks.device(DeviceKind::Node, "battery", "battery");
    });
    context_.builder.sample(id, packet.ts, value, packet.origin);
}

// What is left in the battery is a level, never energy that was used. What is drawn from it is power where current
// and voltage were read together; a current into the battery says nothing about what the machine draws.
void PowerModule::battery(const Packet &packet, std::string_view bytes) {
    std::optional<double> current, voltage, charge, energy;
    Message message(bytes);
    for (Field field; message.next(field);) {
        const auto value = static_cast<double>(field.integer());
        if (field.id == 1)
            charge = value;
        else if (field.id == 2)
            batterySample(packet, "level", "level", "1", field.real() / 100);
        else if (field.id == 3)
            current = value / kMicro;
        else if (field.id == 4)
            batterySample(packet, "mean current", "current", "A", value / kMicro);
        else if (field.id == 6)
            energy = value;
        else if (field.id == 7)
            voltage = value / kMicro;
    }
    if (!charge && energy && voltage && *voltage > 0)
        charge = *energy / *voltage;  // microwatt-hours by volts are microampere-hours
    if (charge)
        batterySample(packet, "charge", "charge", "C", *charge * kSecondsPerHour / kMicro);
    if (energy)
        batterySample(packet, "remaining energy", "level_energy", "J", *energy * kSecondsPerHour / kMicro);
    if (current)
        batterySample(packet, "current", "current", "A", *current);
    if (voltage)
        batterySample(packet, "voltage", "voltage", "V", *voltage);
    if (current && voltage && *current > 0)
        batterySample(packet, "draw", "power", "W", *current * *voltage);
}

void PowerModule::consumer(const Packet &packet, std::string_view bytes) {
    std::int64_t id = 0;
    Consumer made;
    Message message(bytes);
    for (Field field; message.next(field);) {
        if (field.id == 1)
            id = field.integer();
        else if (field.id == 2)
            made.ordinal = field.integer();
        else if (field.id == 3 && field.isBytes())
            made.type = mendedText(field.bytes);
        else if (field.id == 4 && field.isBytes())
            made.name = mendedText(field.bytes);
    }
    consumers_[{scopeOf(packet), id}] = std::move(made);
}

CounterId PowerModule::consumerCounter(std::uint32_t machine, const Consumer &consumer) {
    const std::string name = consumer.name.empty() ? consumer.type : consumer.name;
    std::optional<CounterRow> made;
    const CounterId id = tracks_.of(machine).counter(
        "consumer " + consumer.type + std::to_string(consumer.ordinal) + name, [&](CounterRow &row) {
            row.name = name + " (estimated)";
            row.domain = "estimate " + name;
            row.quantity = "energy";
            row.unit = "J";
            row.kind = CounterKind::Counter;
            row.sensor.modelled = true;
            row.sensor.note = "an estimate of Android's energy model for consumers of kind " + consumer.type;
            row.device = partDevice(machine, lower(name) == "gpu" ? "gpu" : lower(consumer.type));
            made = row;
        });
    if (made) {
        made->id = id;
        modelled_.push_back(std::move(*made));
    }
    return id;
}

void PowerModule::breakdown(const Packet &packet, std::string_view bytes) {
    std::int64_t id = 0;
    std::optional<double> joules;
    std::vector<std::pair<std::int64_t, double>> users;
    Message message(bytes);
    for (Field field; message.next(field);) {
        if (field.id == 1 && field.isBytes()) {
            Message list(field.bytes);
            for (Field entry; list.next(entry);)
                if (entry.id == 1 && entry.isBytes())
                    consumer(packet, entry.bytes);
        } else if (field.id == 2) {
            id = field.integer();
        } else if (field.id == 3) {
            joules = static_cast<double>(field.number) / kMicro;
        } else if (field.id == 4 && field.isBytes()) {
            std::pair<std::int64_t, double> user;
            Message entry(field.bytes);
            for (Field part; entry.next(part);)
                (part.id == 1) ? void(user.first = part.integer())
                               : void(user.second = static_cast<double>(part.number) / kMicro);
            users.push_back(user);
        }
    }
    const auto found = consumers_.find({scopeOf(packet), id});
    if (!joules || found == consumers_.end())
        return;
    const CounterId whole = consumerCounter(packet.machine, found->second);
    context_.builder.sample(whole, packet.ts, *joules, packet.origin);
    for (const auto &[uid, share] : users) {
        const std::string name = found->second.name + " of user " + std::to_string(uid);
        const CounterId part = tracks_.of(packet.machine).counter("share " + name, [&](CounterRow &row) {
            row.name = name + " (estimated)";
            row.quantity = "energy_share";
            row.unit = "J";
            row.kind = CounterKind::Counter;
            row.parent = whole;
            row.sensor.modelled = true;
        });
        context_.builder.sample(part, packet.ts, share, packet.origin);
    }
}

void PowerModule::residency(const Packet &packet, std::string_view bytes) {
    Message message(bytes);
    for (Field field; message.next(field);) {
        if (!field.isBytes())
            continue;
        std::int64_t entity = 0, state = 0;
        double milliseconds = 0;
        std::string entityName, stateName;
        Message entry(field.bytes);
        for (Field part; entry.next(part);) {
            if (part.id == 1)
                entity = part.integer();
            else if (part.id == 2)
                state = part.integer();
            else if (part.id == 3 && part.isBytes())
                entityName = part.bytes;
            else if (part.id == 3)
                milliseconds = static_cast<double>(part.number);
            else if (part.id == 4 && part.isBytes())
                stateName = part.bytes;
        }
        auto &names = states_[{{scopeOf(packet), entity}, state}];
        if (field.id == 1)
            names = {entityName, stateName};
        if (field.id != 2 || names.first.empty())
            continue;
        const std::string name = "Entity residency: " + names.first + " is " + names.second;
        ftrace::Tracks &tracks = tracks_.of(packet.machine);
        const CounterId id = tracks.counter(name, [&](CounterRow &row) {
            row.name = name;
            row.domain = names.second;
            row.quantity = "residency";
            row.unit = "s";
            row.kind = CounterKind::Counter;
            row.device = tracks.device(DeviceKind::SocBlock, names.first, names.first);
        });
        context_.builder.sample(id, packet.ts, milliseconds / kMilli, packet.origin);
    }
}

Taken PowerModule::take(const Packet &packet, const Field &payload) {
    if (!payload.isBytes())
        return Taken::Done;
    switch (payload.id) {
        case kPowerRails:
            return rails(packet, payload.bytes);
        case kBattery:
            battery(packet, payload.bytes);
            break;
        case kEnergyBreakdown:
            breakdown(packet, payload.bytes);
            break;
        default:
            residency(packet, payload.bytes);
            break;
    }
    return Taken::Done;
}

// Where rails were measured, the model's figures stand beside them and are not added to them.
Status PowerModule::finish() {
    if (!measured_)
        return {};
    for (CounterRow &row : modelled_) {
        row.quantity = "energy_estimate";
        context_.writer.updateCounter(row);
    }
    return {};
}

}  // namespace wattproof::importers::perfetto
