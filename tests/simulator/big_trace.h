// A large trace for benchmarks: shaped like a PyTorch profiler's file of a long run, streamed out without a
// simulation.
#pragma once

#include "store/result.h"

#include <cstdint>
#include <string>

namespace wattproof::simulator {

struct BigTraceConfig {
    std::int64_t events = 1'000'000;  // at least; the last group of calls is completed
    std::uint64_t seed = 1;
    int hostThreads = 4;  // each feeds one stream of each device
    int devices = 2;
    int stackDepth = 14;  // Python frames around each group of calls
};

struct BigTraceCounts {
    std::int64_t events = 0, slices = 0, flows = 0, counters = 0, instants = 0, bytes = 0;
};

// Of 100 events about 69 are complete slices with ten arguments each, 28 are flow halves, the rest counters and
// instants.
[[nodiscard]] Expected<BigTraceCounts> writeBigTrace(const BigTraceConfig &, const std::string &path);

}  // namespace wattproof::simulator
