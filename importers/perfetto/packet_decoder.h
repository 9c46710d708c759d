// The fields of TracePacket that concern the reading itself, and the payloads for modules.
#pragma once

#include "importers/perfetto/wire.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace wattproof::importers::perfetto {

struct DecodedPacket {
    // A well-formed packet has one payload; a few are borne with.
    static constexpr std::size_t kMostPayloads = 4;

    std::uint64_t timestamp = 0;
    std::uint32_t clock = 0, sequence = 0, machine = 0;  // 0: none stated
    std::int64_t trustedPid = 0;
    bool hasTimestamp = false;
    bool cleared = false, needsState = false, dropped = false, first = false;
    std::string_view internedData, defaults, clockSnapshot, clockSync, deflated, zstd;
    bool hasDefaults = false;
    std::array<Field, kMostPayloads> payloads;  // the first payloadCount of them
    std::uint32_t payloadCount = 0;

    void clear();
};

// False when the message is not well-formed: nothing of it should be used.
[[nodiscard]] bool decodePacket(std::string_view bytes, DecodedPacket &);

}  // namespace wattproof::importers::perfetto
