// Time is int64 nanoseconds. Three clocks, never mixed:
//   stated    what the source's file says (epoch ns where it has wall time)
//   source    ns since the source's own base (its first moment), as stored in the physical tables
//   workspace ns since the workspace's origin, as in every public view, with the source's alignment applied
#pragma once

#include <cstdint>

namespace wattproof {

using Ns = std::int64_t;

struct TimeRange {
    Ns begin = 0;
    Ns end = 0;

    [[nodiscard]] constexpr Ns length() const { return end - begin; }
    [[nodiscard]] constexpr bool empty() const { return end <= begin; }
    [[nodiscard]] constexpr bool contains(Ns t) const { return begin <= t && t < end; }
    [[nodiscard]] constexpr bool overlaps(const TimeRange &o) const { return begin < o.end && o.begin < end; }
    constexpr bool operator==(const TimeRange &) const = default;
};

// Alignment of one source: workspace = f(source) = source + base + offset + drift of (source - anchor).
// The drift term is computed in seconds and remainder, so that it neither overflows nor differs from the views' SQL:
//   d = source - anchor;  (d / 1e9) * drift_ppb + ((d % 1e9) * drift_ppb) / 1e9   (integer parts, towards zero)
struct TimeMap {
    Ns base = 0;         // stated time of source 0, minus the workspace origin
    Ns offset = 0;       // added by alignment
    std::int64_t driftPpb = 0;
    Ns anchor = 0;       // source time about which drift turns

    [[nodiscard]] Ns toWorkspace(Ns source) const;
    // The least source time whose workspace time is >= workspace (f never falls for |drift_ppb| < 1e9).
    [[nodiscard]] Ns toSource(Ns workspace) const;
    [[nodiscard]] TimeRange toWorkspace(TimeRange r) const { return {toWorkspace(r.begin), toWorkspace(r.end)}; }
};

}  // namespace wattproof
