// Every node of the track tree as something to choose.
#pragma once

#include "widgets/search/quick_list_model.h"
#include "widgets/timeline/track_tree.h"

namespace wattproof::widgets {

// Keys are those of the nodes. What stands above a track is its detail; pid and tid are matched too.
[[nodiscard]] std::vector<QuickItem> trackItems(const TrackTree &, const RunTables &);

}  // namespace wattproof::widgets
