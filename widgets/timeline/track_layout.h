// Where each visible node of the track tree stands. Pinned ones stand under the ruler and never scroll; the others
// count from the top of all tracks (not of the window).
#pragma once

#include "report/draw/lanes.h"
#include "widgets/timeline/arrangement.h"
#include "widgets/timeline/track_tree.h"

#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace wattproof::widgets {

struct LaidTrack {
    int node = 0;  // into TrackTree::nodes
    double top = 0;
    double height = 0;
    bool collapsed = false;
    bool pinned = false;
    bool hidden = false;  // shown all the same, because hidden ones are to be seen
    int level = 0;        // of indentation

    [[nodiscard]] double bottom() const { return top + height; }
};

struct TrackLayout {
    std::vector<LaidTrack> pinned, tracks;  // each in order, from 0, without gaps
    double pinnedHeight = 0;
    double height = 0;     // of what scrolls
    int hiddenCount = 0;   // tracks and groups that the user hid
    std::vector<int> placeOf;  // of each node: 0 none, n the nth of `tracks`, -n the nth of `pinned`

    // The one at a height of its list; none below the last.
    [[nodiscard]] static const LaidTrack *at(const std::vector<LaidTrack> &, double y);
    [[nodiscard]] const LaidTrack *of(int node) const;
};

struct LayoutChoice {
    // Words: keeps the nodes that have each of them, or stand below one that has it, with what stands above them; opens
    // groups.
    std::string filter;
    int rowHeight = 19;
    bool showHidden = false;
    // Pinned tracks get no more than this: first they are collapsed, then they stay where they were.
    double pinnedRoom = std::numeric_limits<double>::infinity();
};

// A collapsed group hides what is below it; a collapsed track of slices shows all its rows squeezed into one.
[[nodiscard]] TrackLayout layoutTracks(const TrackTree &, const Arrangement &, const LayoutChoice &);

// A laid-out node with all that is laid out below it.
struct TrackBlock {
    int node = 0;
    double top = 0, bottom = 0;
};
// Of the siblings of a node, or of the pinned ones where it is one, as they are laid out.
[[nodiscard]] std::vector<TrackBlock> siblingBlocks(const TrackTree &, const TrackLayout &, int node);

// Rows of a laid track of slices in window coordinates: `top` is where the track starts.
[[nodiscard]] draw::LaneMetrics laneMetrics(const LaidTrack &, const TrackNode &, double top, double pixel);

}  // namespace wattproof::widgets
