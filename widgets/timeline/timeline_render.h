// Paints the laid-out tracks of a timeline: names, slices, counters, clamps. Selection and cursor come on top of
// it.
#pragma once

#include "widgets/plot/picture_cache.h"
#include "widgets/timeline/track_layout.h"

#include <QPainter>

namespace wattproof::widgets {

struct TimelineScene {
    const TrackTree &tree;
    const TrackLayout &layout;
    const RunTables &tables;
    PictureCache &pictures;
    const draw::Theme &theme;
    draw::TimeScale scale;
    double top = 0;     // of the tracks, below the ruler
    double offset = 0;  // top of the first track
    double height = 0;  // of the widget
    double pixel = 1;   // one device pixel
    double gutter = 0;  // width left for names
    const store::SearchHits *hits = nullptr;  // marked; null: nothing is searched
};

// Asks the cache for what it needs; what has not arrived is drawn from the last picture.
void renderTracks(QPainter &, const TimelineScene &);

}  // namespace wattproof::widgets
