// Paints the laid-out tracks of a timeline: names, slices, counters, clamps. Selection and cursor come on top of
// it.
#pragma once

#include "report/draw/time_words.h"
#include "widgets/occupancy/activity.h"
#include "widgets/plot/picture_cache.h"
#include "widgets/timeline/track_layout.h"

#include <set>

#include <QPainter>

namespace wattproof::widgets {

struct TimelineScene {
    const TrackTree &tree;
    const TrackLayout &layout;
    const RunTables &tables;
    const Activity &activity;
    PictureCache &pictures;
    const draw::Theme &theme;
    const std::set<TrackId> &noted;  // tracks that bear a note of their own
    draw::TimeScale scale;
    draw::TimeWords words;
    double top = 0;     // of the pinned tracks, below the ruler; the others follow
    double offset = 0;  // top of the first track that scrolls
    double height = 0;  // of the widget
    double pixel = 1;   // one device pixel
    double gutter = 0;  // width left for names
    bool showHidden = false;
    const store::SearchHits *hits = nullptr;  // marked; null: nothing is searched
};

// What stands below the last track when some are hidden; a click there shows them, or hides them again.
[[nodiscard]] QString hiddenText(const TrackLayout &, bool shown);

// Asks the cache for what it needs; what has not arrived is drawn from the last picture.
void renderTracks(QPainter &, const TimelineScene &);

}  // namespace wattproof::widgets
