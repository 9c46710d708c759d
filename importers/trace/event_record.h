// The narrow form in which events wait to be sorted.
#pragma once

#include "store/rows.h"

#include <cstdint>

namespace wattproof::importers {

enum class EventType : std::uint8_t {
    Complete,
    Unfinished,    // runs to the end of the trace
    GpuOperation,  // aux: index of the operation
    Launch,        // aux: index of the launch call
    Begin,
    End,
    Instant
};

inline constexpr std::uint32_t kNoAux = 0xffff'ffffU;
inline constexpr std::uint32_t kWholeArgs = 1;  // aux of an End whose arguments replace those of its begin

struct EventRecord {
    std::uint32_t key = 0;  // track
    std::uint32_t name = 0, category = 0, args = 0;
    Ns ts = 0, dur = 0;
    std::uint64_t offset = 0;
    std::uint32_t aux = kNoAux;
    EventType type = EventType::Complete;
};

// What a finished slice still needs to know of its event.
struct SliceOrigin {
    std::uint64_t offset = 0;
    std::uint32_t aux = kNoAux;
    EventType type = EventType::Complete;
};

}  // namespace wattproof::importers
