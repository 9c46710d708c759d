#include "importers/perfetto/system_gpu.h"

#include "importers/text/mended.h"

#include <algorithm>
#include <array>

namespace wattproof::importers::perfetto {
namespace {

enum PacketField : std::uint32_t { kGpuCounters = 52, kGpuInfo = 128 };

constexpr std::size_t kMostGpus = 1024, kMostMetadata = 512;

struct Unit {
    std::string_view text, si;  // si empty: none
    double factor = 1;
    std::string_view quantity = {};
};

// In the order of MeasureUnit.
constexpr std::array<Unit, 41> kUnits = {{{"", "", 1},
                                          {"bit", "", 1},
                                          {"kbit", "", 1},
                                          {"Mbit", "", 1},
                                          {"Gbit", "", 1},
                                          {"Tbit", "", 1},
                                          {"Pbit", "", 1},
                                          {"B", "B", 1},
                                          {"KB", "B", 1024.0},
                                          {"MB", "B", 1024.0 * 1024},
                                          {"GB", "B", 1024.0 * 1024 * 1024},
                                          {"TB", "B", 1024.0 * 1024 * 1024 * 1024},
                                          {"PB", "B", 1024.0 * 1024 * 1024 * 1024 * 1024},
                                          {"Hz", "Hz", 1, "clock"},
                                          {"kHz", "Hz", 1e3, "clock"},
                                          {"MHz", "Hz", 1e6, "clock"},
                                          {"GHz", "Hz", 1e9, "clock"},
                                          {"THz", "Hz", 1e12, "clock"},
                                          {"PHz", "Hz", 1e15, "clock"},
                                          {"ns", "s", 1e-9},
                                          {"us", "s", 1e-6},
                                          {"ms", "s", 1e-3},
                                          {"s", "s", 1},
                                          {"min", "s", 60},
                                          {"h", "s", 3600},
                                          {"Vertex", "", 1},
                                          {"Pixel", "", 1},
                                          {"Triangle", "", 1},
                                          {"mW", "W", 1e-3, "power"},
                                          {"W", "W", 1, "power"},
                                          {"kW", "W", 1e3, "power"},
                                          {"J", "J", 1, "energy"},
                                          {"V", "V", 1, "voltage"},
                                          {"A", "A", 1, "current"},
                                          {"C", "degC", 1, "temperature"},
                                          {"F", "", 1},
                                          {"K", "", 1},
                                          {"%", "1", 0.01, "utilisation"},
                                          {"Primitive", "", 1},
                                          {"Fragment", "", 1},
                                          {"Instruction", "", 1}}};
constexpr std::uint64_t kSecond = 22;

std::string joined(const std::vector<std::uint64_t> &units) {
    std::string text;
    for (const std::uint64_t unit : units)
        if (unit > 0 && unit < kUnits.size())
            (text += text.empty() ? "" : ":") += kUnits[unit].text;
    return text;
}

std::string hexOf(std::string_view bytes) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (const char c : bytes) {
        text += kDigits[static_cast<unsigned char>(c) >> 4U];
        text += kDigits[static_cast<unsigned char>(c) & 0xfU];
    }
    return text;
}

// The form in which the driver's tools write the id of an NVIDIA device, so that their logs meet it.
std::string uuidText(std::string_view bytes, std::string_view vendor) {
    const std::string hex = hexOf(bytes);
    if (vendor != "NVIDIA" || hex.size() != 32)
        return hex;
    return "GPU-" + hex.substr(0, 8) + '-' + hex.substr(8, 4) + '-' + hex.substr(12, 4) + '-' + hex.substr(16, 4) +
           '-' + hex.substr(20);
}

}  // namespace

GpuUnit gpuUnit(const std::vector<std::uint64_t> &numerators, const std::vector<std::uint64_t> &denominators) {
    std::vector<std::uint64_t> below;
    std::copy_if(denominators.begin(), denominators.end(), std::back_inserter(below),
                 [](std::uint64_t unit) { return unit != 0; });
    GpuUnit unit;
    const bool single = numerators.size() == 1 && numerators[0] < kUnits.size();
    const bool bySecond = below.size() == 1 && below[0] == kSecond;
    if (single && !kUnits[numerators[0]].si.empty() && (below.empty() || bySecond)) {
        const Unit &known = kUnits[numerators[0]];
        unit.text = std::string(known.si) + (bySecond ? "/s" : "");
        unit.factor = known.factor;
        unit.quantity = bySecond ? std::string_view() : known.quantity;
        return unit;
    }
    unit.text = joined(numerators);
    if (const std::string divisor = joined(below); !divisor.empty())
        unit.text += '/' + divisor;
    if (unit.text.empty())
        unit.text = "1";
    return unit;
}

std::vector<std::uint32_t> GpuModule::fields() const {
    return {kGpuCounters, kGpuInfo};
}

void GpuModule::spec(const Packet &packet, std::int64_t gpu, std::string_view bytes) {
    std::uint64_t number = 0;
    std::vector<std::uint64_t> numerators, denominators, groups;
    Spec made;
    made.gpu = gpu;
    Message message(bytes);
    for (Field field; message.next(field);) {
        if (field.id == 1)
            number = field.number;
        else if (field.id == 2 && field.isBytes())
            made.name = mendedText(field.bytes);
        else if (field.id == 3 && field.isBytes())
            made.description = mendedText(field.bytes);
        else if (field.id == 7)
            eachNumber(field, [&](std::uint64_t unit) { numerators.push_back(unit); });
        else if (field.id == 8)
            eachNumber(field, [&](std::uint64_t unit) { denominators.push_back(unit); });
        else if (field.id == 10)
            eachNumber(field, [&](std::uint64_t id) { groups.push_back(id); });
    }
    made.unit = gpuUnit(numerators, denominators);
    const Id id{packet.machine, number};
    if (groups.empty())
        groups.push_back(0);
    for (const std::uint64_t each : groups)
        if (auto &members = members_[each]; std::find(members.begin(), members.end(), id) == members.end())
            members.push_back(id);
    specs_[id] = std::move(made);
}

void GpuModule::group(const Packet &packet, std::string_view bytes) {
    std::uint64_t id = 0;
    Group made;
    std::vector<std::uint64_t> counters;
    Message message(bytes);
    for (Field field; message.next(field);) {
        if (field.id == 1)
            id = field.number;
        else if (field.id == 2 && field.isBytes())
            made.name = mendedText(field.bytes);
        else if (field.id == 3 && field.isBytes())
            made.description = mendedText(field.bytes);
        else if (field.id == 4)
            eachNumber(field, [&](std::uint64_t number) { counters.push_back(number); });
    }
    for (const std::uint64_t number : counters)
        members_[id].push_back({packet.machine, number});
    groups_[id] = std::move(made);
}

void GpuModule::descriptor(const Packet &packet, std::int64_t gpu, std::string_view bytes) {
    Message message(bytes);
    for (Field field; message.next(field);) {
        if (field.id == 1 && field.isBytes())
            spec(packet, gpu, field.bytes);
        else if (field.id == 6 && field.isBytes())
            group(packet, field.bytes);
    }
}

// A reading holds for the interval that ends at its time.
void GpuModule::value(const Packet &packet, std::int64_t gpu, std::string_view bytes) {
    std::uint64_t number = 0;
    std::optional<double> reading;
    Message message(bytes);
    for (Field field; message.next(field);) {
        if (field.id == 1)
            number = field.number;
        else if (field.id == 2 || field.id == 3)
            reading = field.real();
    }
    const auto found = specs_.find({packet.machine, number});
    if (!reading || found == specs_.end())
        return context_.builder.warn("unknown_counter",
                                     "Readings of GPU counters that the trace does not describe were left out.",
                                     packet.origin);
    const Spec &spec = found->second;
    const std::string label = "GPU " + std::to_string(gpu >= 0 ? gpu : spec.gpu);
    ftrace::Tracks &tracks = tracks_.of(packet.machine);
    const CounterId id = tracks.counter(label + " counter " + std::to_string(number), [&](CounterRow &row) {
        row.name = spec.name;
        row.unit = spec.unit.text;
        row.quantity = spec.unit.quantity;
        row.kind = row.quantity == "energy" ? CounterKind::Delta : CounterKind::Mean;
        row.sensor.note = spec.description;
        row.device = tracks.device(DeviceKind::Gpu, label, label.substr(4));
    });
    context_.builder.sample(id, packet.ts, *reading * spec.unit.factor, packet.origin);
}

void GpuModule::counters(const Packet &packet, std::string_view bytes) {
    std::int64_t gpu = -1;
    Message first(bytes);
    for (Field field; first.next(field);)
        if (field.id == 3)
            gpu = static_cast<std::int32_t>(field.number);
    Message again(bytes);
    for (Field field; again.next(field);) {
        if (field.id == 1 && field.isBytes())
            descriptor(packet, std::max<std::int64_t>(gpu, 0), field.bytes);
        else if (field.id == 2 && field.isBytes())
            value(packet, gpu, field.bytes);
        else if (field.id != 3)
            context_.census.count("gpu_counter_event", field.id, packet.origin.offset);
    }
}

void GpuModule::oneGpu(const Packet &packet, std::size_t index, std::string_view bytes) {
    // Fields of GpuInfo.Gpu; those with a key become metadata.
    constexpr std::array<std::string_view, 5> kKeys = {"", "", " vendor", " model", " architecture"};
    constexpr std::uint32_t kExtra = 6, kMostFields = 8;
    std::array<std::string_view, kMostFields> parts{};
    const std::string label = "GPU " + std::to_string(index);
    Message message(bytes);
    for (Field field; message.next(field);) {
        if (!field.isBytes() || field.id >= kMostFields)
            continue;
        parts[field.id] = field.bytes;
        std::string_view key = field.id < kKeys.size() ? kKeys[field.id] : "", value = field.bytes;
        std::string extraKey;
        if (field.id == kExtra) {
            Message pair(field.bytes);
            for (Field part; pair.next(part);)
                if (part.isBytes() && part.id == 1)
                    extraKey = ' ' + std::string(part.bytes);
                else if (part.isBytes())
                    value = part.bytes;
            key = extraKey;
        }
        if (!key.empty() && metadataRows_++ < kMostMetadata)
            context_.writer.addMetadata({context_.source, label + mendedText(key), mendedText(value)});
    }
    static_cast<void>(
        tracks_.of(packet.machine).describe(DeviceKind::Gpu, label, std::to_string(index), [&](DeviceRow &row) {
            row.model = parts[1];
            row.uuid = uuidText(parts[5], parts[2]);
            row.pci = parts[7];
        }));
}

void GpuModule::info(const Packet &packet, std::string_view bytes) {
    std::size_t index = 0;
    Message message(bytes);
    for (Field field; message.next(field);)
        if (field.id == 1 && field.isBytes() && index < kMostGpus)
            oneGpu(packet, index++, field.bytes);
}

Taken GpuModule::take(const Packet &packet, const Field &payload) {
    if (payload.id == kGpuCounters)
        counters(packet, payload.bytes);
    else
        info(packet, payload.bytes);
    return Taken::Done;
}

// Which counters belong together, for those who read the workspace.
Status GpuModule::finish() {
    std::size_t rows = 0;
    for (const auto &[id, members] : members_) {
        if (++rows > kMostMetadata)
            break;
        std::string names;
        for (const Id &member : members)
            if (const auto found = specs_.find(member); found != specs_.end())
                (names += names.empty() ? "" : ", ") += found->second.name;
        const std::string key = "gpu_counter_group." + std::to_string(id);
        context_.writer.addMetadata({context_.source, key + ".counters", names});
        const auto group = groups_.find(id);
        if (group == groups_.end())
            continue;
        context_.writer.addMetadata({context_.source, key + ".name", group->second.name});
        context_.writer.addMetadata({context_.source, key + ".description", group->second.description});
    }
    return {};
}

}  // namespace wattproof::importers::perfetto
