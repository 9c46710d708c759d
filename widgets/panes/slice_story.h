// Everything the details pane says about one slice, gathered on a worker: names instead of ids.
#pragma once

#include "store/reader.h"

#include <optional>
#include <string>
#include <vector>

namespace wattproof::widgets {

// A slice that the shown one is tied to.
struct RelatedSlice {
    SliceId slice;
    TimeRange range;
    std::string name;
    std::optional<Ns> delay;  // launch to start on the device
};

struct SliceStory {
    store::SliceDetails details;
    SourceRow source;
    Ns statedStart = 0;  // as the source's file states it; epoch ns where the source has wall time
    std::string device;
    std::vector<RelatedSlice> ancestors;  // parent first
    std::optional<RelatedSlice> launch;   // the call that launched this operation
    std::vector<RelatedSlice> launched;   // operations this call launched
    std::vector<RelatedSlice> flowsIn, flowsOut;
};

[[nodiscard]] Expected<SliceStory> readSliceStory(store::Reader &, SliceId, const std::stop_token &);

}  // namespace wattproof::widgets
