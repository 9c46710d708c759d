// What a collapsed group still says: how busy the tracks below it are, and how many at once.
#pragma once

#include "report/draw/theme.h"
#include "report/draw/time_scale.h"
#include "widgets/occupancy/activity.h"
#include "widgets/plot/picture_cache.h"
#include "widgets/timeline/track_tree.h"

#include <vector>

#include <QPainter>

namespace wattproof::widgets {

// Tracks of slices below a node.
[[nodiscard]] std::vector<TrackId> tracksBelow(const TrackTree &, int node);

// Of a device: its busy share as a strip, and its mean concurrency as a line over it.
void paintDeviceSummary(QPainter &, const DeviceActivity &, const draw::TimeScale &, const QRectF &, double pixel,
                        const draw::Theme &);

// How many of some tracks run at once on average in each column of `pixel` width: of their outermost slices.
[[nodiscard]] std::vector<float> runningAtOnce(const std::vector<const LanePicture *> &, const draw::TimeScale &,
                                               double pixel);
// As bars; the rectangle's height stands for all tracks.
void paintRunning(QPainter &, const std::vector<float> &, std::size_t tracks, const QRectF &, double pixel,
                  const QColor &);

}  // namespace wattproof::widgets
