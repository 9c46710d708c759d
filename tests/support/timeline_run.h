// A small run with everything a timeline shows, made through the BulkWriter: for tests of painters and panes.
#pragma once

#include "store/bulk_writer.h"

namespace wattproof::test {

inline constexpr Ns kMs = 1'000'000;
// A name that would be markup, were it not escaped; with a control character.
inline constexpr const char *kHostileName = "<script>alert(\"&\")</script>\x01";

// Ids of what timelineRun() wrote.
struct TimelineRun {
    DeviceId gpu, logGpu;
    TrackId host, stream7, stream20, counterTrack;
    CounterId power, temperature, clock;
    SliceId step, launch, gemm;
};

// A trace of 100 ms on a relative clock: host thread with nested and one partly overlapping slice (own row), stream 7
// with a gemm (20–50 ms), a copy (65–70) and 500 short kernels (70–71), stream 20 with communication (45–60), a trace
// counter. A power log of -20…120 ms every 5 ms with a gap at 60–100, temperature, clock and a limit of 300 W.
[[nodiscard]] TimelineRun timelineRun(store::BulkWriter &);

}  // namespace wattproof::test
