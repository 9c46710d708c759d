// Views that the user keeps under the digits 1 to 9, as text: one document of the workspace.
#pragma once

#include "widgets/time_view.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace wattproof::widgets {

struct SavedView {
    TimeRange visible;
    SliceId slice;  // what was selected; it may be gone, or another one after an import
    TimeRange selected;
    std::vector<std::string> tracks;  // keys of the selected ones
    std::string topTrack;             // key of the first one in sight
    double below = 0;                 // pixels of it that had scrolled away

    bool operator==(const SavedView &) const = default;
};

using SavedViews = std::map<int, SavedView>;

[[nodiscard]] std::string savedViewsToText(const SavedViews &);
// What makes no sense is left out.
[[nodiscard]] SavedViews savedViewsFromText(const std::string &);

}  // namespace wattproof::widgets
