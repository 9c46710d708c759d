// Typed row ids of the workspace: an id of one table cannot be handed in for another's. 0 means none.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace wattproof {

template <class Tag>
struct Id {
    std::int64_t value = 0;

    constexpr Id() = default;
    constexpr explicit Id(std::int64_t v) : value(v) {}
    constexpr auto operator<=>(const Id &) const = default;
    [[nodiscard]] constexpr bool valid() const { return value != 0; }
};

using SourceId = Id<struct SourceTag>;
using DeviceId = Id<struct DeviceTag>;
using ProcessId = Id<struct ProcessTag>;    // row of processes, not the operating system's pid
using ThreadId = Id<struct ThreadTag>;      // row of threads, not the tid
using TrackId = Id<struct TrackTag>;
using SliceId = Id<struct SliceTag>;
using StringId = Id<struct StringTag>;
using ArgSetId = Id<struct ArgSetTag>;
using FlowId = Id<struct FlowTag>;
using CounterId = Id<struct CounterTag>;
using AnnotationId = Id<struct AnnotationTag>;
using FindingId = Id<struct FindingTag>;

}  // namespace wattproof

template <class Tag>
struct std::hash<wattproof::Id<Tag>> {
    std::size_t operator()(const wattproof::Id<Tag> &id) const noexcept { return std::hash<std::int64_t>{}(id.value); }
};
