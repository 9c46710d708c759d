// Where each visible node of the track tree stands, from the top of all tracks (not of the window).
#pragma once

#include "report/draw/lanes.h"
#include "widgets/timeline/track_tree.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace wattproof::widgets {

struct LaidTrack {
    int node = 0;  // into TrackTree::nodes
    double top = 0;
    double height = 0;
    bool collapsed = false;

    [[nodiscard]] double bottom() const { return top + height; }
};

struct TrackLayout {
    std::vector<LaidTrack> tracks;  // in order, without gaps
    double height = 0;

    // The track under a height; none below the last.
    [[nodiscard]] const LaidTrack *at(double y) const;
    [[nodiscard]] const LaidTrack *of(int node) const;
};

// A collapsed group hides what is below it; a collapsed track of slices shows all its rows squeezed into one.
// `filter` keeps the nodes whose label contains it (without case), with what stands above and below them, and
// opens groups.
[[nodiscard]] TrackLayout layoutTracks(const TrackTree &, const std::set<std::string> &collapsed,
                                       const std::string &filter, int rowHeight);

// Rows of a laid track of slices in window coordinates: `top` is where the track starts.
[[nodiscard]] draw::LaneMetrics laneMetrics(const LaidTrack &, const TrackNode &, double top, int rowHeight,
                                            double pixel);

}  // namespace wattproof::widgets
