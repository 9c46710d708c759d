// Loads that lists of marks tell: the reference of a log's clock where no device was traced.
#pragma once

#include "analysis/intervals.h"
#include "store/reader.h"

#include <stop_token>
#include <vector>

namespace wattproof::analysis {

struct MarkedLoad {
    SourceId source;
    IntervalSet busy;  // while the load was on, workspace time
};

// One of each source that is a list of marks.
[[nodiscard]] Expected<std::vector<MarkedLoad>> readMarkedLoads(store::Reader &, const std::stop_token &);

}  // namespace wattproof::analysis
