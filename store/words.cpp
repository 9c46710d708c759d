#include "store/rows.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace wattproof {
namespace {

// One table a type, in the order of its enumerators.
constexpr std::array kSourceKinds{"trace", "power", "requests", "quality"};
constexpr std::array kDeviceKinds{"gpu",       "gpu_instance", "cpu",    "dram",    "rail",
                                  "soc_block", "node",         "outlet", "process", "other"};
constexpr std::array kTrackKinds{"thread", "async", "gpu_stream", "cpu", "counter", "global", "process"};
constexpr std::array kSliceStates{"ok", "unfinished", "unmatched_end"};
constexpr std::array kSliceKinds{"slice", "instant"};
constexpr std::array kActivities{"kernel", "memcpy", "memset"};
constexpr std::array kCopyKinds{"", "HtoD", "DtoH", "DtoD", "PtoP", "HtoH", "other"};
constexpr std::array kCounterKinds{"gauge", "mean", "delta", "counter", "flags", "run"};
constexpr std::array kThreadStates{"running", "runnable", "sleeping", "blocked_io", "unknown"};
constexpr std::array kClockBases{"epoch", "wall_assumed_zone", "time_of_day", "relative", "none"};

template <class Enum, std::size_t N>
const char *at(const std::array<const char *, N> &words, Enum value) {
    return words.at(static_cast<std::size_t>(value));
}

template <class Enum, std::size_t N>
std::optional<Enum> find(const std::array<const char *, N> &words, std::string_view text) {
    const auto it = std::find(words.begin(), words.end(), text);
    if (it == words.end())
        return std::nullopt;
    return static_cast<Enum>(it - words.begin());
}

}  // namespace

const char *word(SourceKind kind) {
    return at(kSourceKinds, kind);
}
const char *word(DeviceKind kind) {
    return at(kDeviceKinds, kind);
}
const char *word(TrackKind kind) {
    return at(kTrackKinds, kind);
}
const char *word(SliceState state) {
    return at(kSliceStates, state);
}
const char *word(SliceKind kind) {
    return at(kSliceKinds, kind);
}
const char *word(GpuActivity activity) {
    return at(kActivities, activity);
}
const char *word(CopyKind kind) {
    return at(kCopyKinds, kind);
}
const char *word(CounterKind kind) {
    return at(kCounterKinds, kind);
}
const char *word(ThreadState state) {
    return at(kThreadStates, state);
}
const char *word(ClockBasis basis) {
    return at(kClockBases, basis);
}

std::optional<SourceKind> sourceKindFromWord(std::string_view text) {
    return find<SourceKind>(kSourceKinds, text);
}
std::optional<DeviceKind> deviceKindFromWord(std::string_view text) {
    return find<DeviceKind>(kDeviceKinds, text);
}
std::optional<CounterKind> counterKindFromWord(std::string_view text) {
    return find<CounterKind>(kCounterKinds, text);
}
std::optional<TrackKind> trackKindFromWord(std::string_view text) {
    return find<TrackKind>(kTrackKinds, text);
}
std::optional<ClockBasis> clockBasisFromWord(std::string_view text) {
    return find<ClockBasis>(kClockBases, text);
}

}  // namespace wattproof
