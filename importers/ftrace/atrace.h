// The text that programs write into the kernel's trace: "B|12|name", "E", "C|12|name|3" and their kin.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace wattproof::importers::ftrace {

struct Mark {
    char phase = 0;           // B E C S F I and, on named tracks, G H N
    std::int64_t pid = 0;     // 0: not said
    std::string_view name;    // empty: an end
    std::string_view track;   // of G H N
    std::int64_t cookie = 0;  // of S F G H
    double value = 0;         // of C
};

// Nothing when the text is no annotation of these kinds, or a malformed one.
[[nodiscard]] std::optional<Mark> parseMark(std::string_view text);

// "trace_event_clock_sync: parent_ts=81.25" (seconds of the clock of the program that asked for the trace) or
// "… realtime_ts=1449008542345" (ms since 1970), written by the tool that recorded.
struct ClockSync {
    bool realtime = false;
    std::int64_t ns = 0;
};
[[nodiscard]] std::optional<ClockSync> parseClockSync(std::string_view text);

}  // namespace wattproof::importers::ftrace
