// Marks of the hits of a search: over the slices of the timeline and along the overview of the run.
#pragma once

#include "report/draw/lanes.h"
#include "report/draw/theme.h"
#include "store/search.h"

#include <cstdint>
#include <vector>

class QPainter;
class QRectF;

namespace wattproof::widgets {

// Frames each span of the track (as Reader::lanes gives them) that is a hit, or a run with one inside. A narrow one is
// marked above and below its row, so that a dense stretch reads as one frame and what is inside stays in sight.
void paintHits(QPainter &, const store::SearchHits &, TrackId, const std::vector<store::LaneSpan> &, const draw::TimeScale &,
               const draw::LaneMetrics &, const draw::Theme &);

// A tick for each part of the area's width that has a hit.
void paintHitTicks(QPainter &, const std::vector<std::uint32_t> &columns, const QRectF &area, const draw::Theme &);

}  // namespace wattproof::widgets
