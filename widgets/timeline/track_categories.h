// The categories of the slices of a track, for the filter.
#pragma once

#include "store/reader.h"
#include "widgets/timeline/track_tree.h"

#include <map>
#include <stop_token>
#include <string>

namespace wattproof::widgets {

// In lower case, separated by spaces. Of long tracks only the beginning is looked at: there are millions of slices and a
// handful of categories, and the file keeps no list of them.
[[nodiscard]] std::map<TrackId, std::string> readCategories(store::Reader &, const std::vector<TrackRow> &,
                                                            const std::stop_token &);
void addCategories(TrackTree &, const std::map<TrackId, std::string> &);

}  // namespace wattproof::widgets
