#include "importers/perfetto/packet_decoder.h"

namespace wattproof::importers::perfetto {
namespace {

// Fields of TracePacket (protos/perfetto/trace/trace_packet.proto).
enum PacketField : std::uint32_t {
    kTrustedUid = 3,
    kClockSnapshot = 6,
    kTimestamp = 8,
    kSequence = 10,
    kInternedData = 12,
    kSequenceFlags = 13,
    kSynchronizationMarker = 36,
    kIncrementalStateCleared = 41,
    kPreviousPacketDropped = 42,
    kCompressedPackets = 50,
    kTimestampClock = 58,
    kDefaults = 59,
    kTrustedPid = 79,
    kFirstPacket = 87,
    kMachine = 98,
    kRemoteClockSync = 107,
    kZstdPackets = 133
};

constexpr std::uint64_t kStateCleared = 1, kNeedsState = 2;

void takeFlags(std::uint64_t flags, DecodedPacket &packet) {
    packet.cleared = packet.cleared || (flags & kStateCleared) != 0;
    packet.needsState = (flags & kNeedsState) != 0;
}

// False for what is a payload.
bool takeEnvelope(const Field &field, DecodedPacket &packet) {
    switch (field.id) {
        case kTrustedUid:
        case kSynchronizationMarker:
            return true;
        case kTimestamp:
            packet.timestamp = field.number;
            packet.hasTimestamp = true;
            return true;
        case kSequence:
            packet.sequence = static_cast<std::uint32_t>(field.number);
            return true;
        case kSequenceFlags:
            takeFlags(field.number, packet);
            return true;
        case kIncrementalStateCleared:
            packet.cleared = packet.cleared || field.truth();
            return true;
        case kPreviousPacketDropped:
            packet.dropped = field.truth();
            return true;
        case kFirstPacket:
            packet.first = field.truth();
            return true;
        case kTimestampClock:
            packet.clock = static_cast<std::uint32_t>(field.number);
            return true;
        case kTrustedPid:
            packet.trustedPid = static_cast<std::int32_t>(field.number);
            return true;
        case kMachine:
            packet.machine = static_cast<std::uint32_t>(field.number);
            return true;
        default:
            return false;
    }
}

bool takeMessage(const Field &field, DecodedPacket &packet) {
    switch (field.id) {
        case kClockSnapshot:
            packet.clockSnapshot = field.bytes;
            return true;
        case kRemoteClockSync:
            packet.clockSync = field.bytes;
            return true;
        case kInternedData:
            packet.internedData = field.bytes;
            return true;
        case kDefaults:
            packet.defaults = field.bytes;
            packet.hasDefaults = true;
            return true;
        case kCompressedPackets:
            packet.deflated = field.bytes;
            return true;
        case kZstdPackets:
            packet.zstd = field.bytes;
            return true;
        default:
            return false;
    }
}

}  // namespace

void DecodedPacket::clear() {
    timestamp = 0;
    clock = sequence = machine = payloadCount = 0;
    trustedPid = 0;
    hasTimestamp = cleared = needsState = dropped = first = hasDefaults = false;
    for (std::string_view *view : {&internedData, &defaults, &clockSnapshot, &clockSync, &deflated, &zstd})
        *view = {};
}

bool decodePacket(std::string_view bytes, DecodedPacket &packet) {
    packet.clear();
    Message message(bytes);
    for (Field field; message.next(field);) {
        const bool known = takeEnvelope(field, packet) || (field.isBytes() && takeMessage(field, packet));
        if (!known && packet.payloadCount < DecodedPacket::kMostPayloads)
            packet.payloads[packet.payloadCount++] = field;
    }
    return !message.damaged();
}

}  // namespace wattproof::importers::perfetto
