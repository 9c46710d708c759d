// The stretch of a run over which its throughput may be called sustained (docs/methods.md, Sustained interval).
#pragma once

#include "analysis/context.h"

#include <optional>
#include <vector>

namespace wattproof::analysis {

struct Sustained {
    TimeRange range;
    std::size_t first = 0;  // index of its first unit; it always runs to the last one
    std::string note;
    std::size_t windows = 0;  // in which the pace was looked at; 0 with `all`
};

// The latest stationary stretch of whole units after warm-up. Units ordered by end. It always ends with the last
// unit, so that a slow ending stays in; a short fast ending does not stand alone. `all`: every unit. `window`: the
// pace is looked at in stretches of whole units at least that long; 0: in at most 200 of equal count.
[[nodiscard]] std::optional<Sustained> sustainedInterval(const std::vector<WorkUnit> &, bool all, Ns window = 0);

// Time in which the temperature covers 63 % of its rise; none without a rise of 5 °C.
[[nodiscard]] std::optional<Ns> thermalTimeConstant(const std::vector<Sample> &temperatureC);

struct Settling {
    bool settled = false;
    std::string missing;  // what it lacks; empty when settled
};

// At least 60 s, five thermal time constants and, where clamps cycle, three cycles.
[[nodiscard]] Settling settling(TimeRange sustained, const Context &);

}  // namespace wattproof::analysis
