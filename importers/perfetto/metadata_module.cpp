#include "importers/perfetto/metadata_module.h"

#include "importers/text/mended.h"

#include <array>

namespace wattproof::importers::perfetto {
namespace {

enum PacketField : std::uint32_t {
    kTraceConfig = 33,
    kFtraceStats = 34,
    kTraceStats = 35,
    kSystemInfo = 45,
    kServiceEvent = 69,
    kTraceUuid = 89
};

// A trace from a stranger cannot fill the metadata.
constexpr std::size_t kMostRows = 256, kLongestValue = 4096, kMostProcessors = 65536;
// What a recorder says it lost, at most: sums stay numbers.
constexpr std::uint64_t kMostLost = std::uint64_t{1} << 40U;

// Fields of SystemInfo (protos/perfetto/common/system_info.proto).
std::string_view systemKey(std::uint32_t field) {
    switch (field) {
        case 2:
            return "android_build_fingerprint";
        case 4:
            return "tracing_service_version";
        case 5:
            return "android_sdk_version";
        case 6:
            return "page_size";
        case 7:
            return "timezone_off_mins";
        case 8:
            return "num_cpus";
        case 9:
            return "android_soc_model";
        case 10:
            return "android_hardware_revision";
        case 14:
            return "android_device_manufacturer";
        default:
            return {};
    }
}

}  // namespace

std::vector<std::uint32_t> MetadataModule::fields() const {
    return {kTraceConfig, kFtraceStats, kTraceStats, kSystemInfo, kServiceEvent, kTraceUuid};
}

void MetadataModule::add(std::string_view key, std::string_view value) {
    if (rows_++ < kMostRows)
        context_.writer.addMetadata(
            {context_.source, std::string(key), mendedText(value.substr(0, kLongestValue))});
}

void MetadataModule::systemInfo(std::string_view bytes) {
    constexpr std::array<std::string_view, 4> kUtsname{"system_name", "system_version", "system_release",
                                                       "system_machine"};
    Message message(bytes);
    for (Field field; message.next(field);) {
        if (field.id == 1 && field.isBytes()) {
            Message names(field.bytes);
            for (Field name; names.next(name);)
                if (name.isBytes() && name.id >= 1 && name.id <= kUtsname.size()) {
                    add(kUtsname[name.id - 1], name.bytes);
                    if (name.id == 4)
                        context_.facts.machine = name.bytes;
                }
        } else if (const std::string_view key = systemKey(field.id); !key.empty()) {
            add(key, field.isBytes() ? field.bytes
                                     : std::string_view(std::to_string(static_cast<std::int32_t>(field.number))));
        }
    }
}

void MetadataModule::serviceEvent(const Packet &packet, std::string_view bytes) {
    constexpr std::array<std::string_view, 6> kEvents{"", "all_data_sources_started_ns", "tracing_started_ns", "",
                                                      "", "tracing_disabled_ns"};
    Message message(bytes);
    for (Field field; message.next(field);)
        if (packet.hasTime && field.truth() && field.id < kEvents.size() && !kEvents[field.id].empty()) {
            add(kEvents[field.id], std::to_string(packet.ts));
            if (field.id == 2)
                context_.facts.tracingStarted = packet.ts;
        }
}

void MetadataModule::traceUuid(std::string_view bytes) {
    std::uint64_t high = 0, low = 0;
    Message message(bytes);
    for (Field field; message.next(field);) {
        if (field.id == 1)
            high = field.number;
        else if (field.id == 2)
            low = field.number;
    }
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (const std::uint64_t half : {high, low})
        for (int shift = 60; shift >= 0; shift -= 4)
            text += kDigits[(half >> static_cast<unsigned>(shift)) & 0xfU];
    add("trace_uuid", text);
}

// Sums of the recorder's buffers so far; each later packet repeats them.
void MetadataModule::bufferStats(std::string_view bytes) {
    Message message(bytes);
    for (Field field; message.next(field);) {
        if (field.id == 3)
            latest_.overwritten += field.number;
        else if (field.id == 18)
            latest_.discarded += field.number;
        else if (field.id == 19)
            latest_.packets += field.number;
    }
}

void MetadataModule::traceStats(std::string_view bytes, EventOrigin origin) {
    latest_ = {};
    Message message(bytes);
    for (Field field; message.next(field);)
        if (field.id == 1 && field.isBytes())
            bufferStats(field.bytes);
    losses_ = latest_;
    statsOffset_ = origin.offset;
}

// Counts of the kernel's ring buffers since the machine started, by processor: once when tracing begins, once when
// it ends.
void MetadataModule::ftraceStats(const Packet &packet, std::string_view bytes) {
    constexpr std::uint32_t kPhase = 1, kProcessor = 2, kCpu = 1, kOverrun = 3, kCommitOverrun = 4, kDropped = 8;
    constexpr std::uint64_t kEnd = 2;
    bool ends = false;
    Message message(bytes);
    for (Field field; message.next(field);) {
        if (field.id == kPhase)
            ends = field.number == kEnd;
        if (field.id != kProcessor || !field.isBytes())
            continue;
        std::uint64_t cpu = 0, lost = 0;
        Message counts(field.bytes);
        for (Field count; counts.next(count);) {
            if (count.id == kCpu)
                cpu = count.number;
            else if (count.id == kOverrun || count.id == kCommitOverrun || count.id == kDropped)
                lost += std::min(count.number, kMostLost);
        }
        const std::pair processor(packet.machine, cpu);
        if (kernelLosses_.size() == kMostProcessors && kernelLosses_.count(processor) == 0)
            continue;
        auto &[before, after] = kernelLosses_[processor];
        (ends ? after : before) = lost;
    }
    kernelOffset_ = packet.origin.offset;
}

Taken MetadataModule::take(const Packet &packet, const Field &payload) {
    if (!payload.isBytes())
        return Taken::Done;
    switch (payload.id) {
        case kSystemInfo:
            systemInfo(payload.bytes);
            break;
        case kServiceEvent:
            serviceEvent(packet, payload.bytes);
            break;
        case kTraceUuid:
            traceUuid(payload.bytes);
            break;
        case kFtraceStats:
            ftraceStats(packet, payload.bytes);
            break;
        case kTraceStats:
            traceStats(payload.bytes, packet.origin);
            break;
        default:
            break;  // the configuration says what was asked for, not what happened
    }
    return Taken::Done;
}

Status MetadataModule::finish() {
    const std::uint64_t lost = losses_.overwritten + losses_.discarded + losses_.packets;
    if (lost > 0)
        context_.builder.warn(
            "data_loss",
            "The recorder's buffers were too small: it says that it overwrote, discarded or lost "
            "parts of the trace.",
            {statsOffset_}, static_cast<std::int64_t>(std::min<std::uint64_t>(lost, kMostLost)));
    std::uint64_t kernel = 0;
    for (const auto &[processor, counts] : kernelLosses_)
        kernel += counts.second > counts.first ? counts.second - counts.first : 0;
    if (kernel > 0)
        context_.builder.warn("data_loss",
                              "The kernel's ring buffers were too small: it says that it dropped events while the "
                              "trace was recorded.",
                              {kernelOffset_}, static_cast<std::int64_t>(std::min(kernel, kMostLost)));
    return {};
}

}  // namespace wattproof::importers::perfetto
