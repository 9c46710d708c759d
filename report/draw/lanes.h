// Where the slices of one track stand on the picture, and which of them is under a point. No painting here.
#pragma once

#include "report/draw/time_scale.h"
#include "store/reader.h"

#include <cstddef>
#include <optional>
#include <vector>

#include <QRectF>

namespace wattproof::draw {

struct LaneMetrics {
    double top = 0;  // of the track's first row
    double rowHeight = 19;
    double pixel = 1;  // one device pixel in device-independent ones: nothing is narrower
};

struct LaneBox {
    QRectF rect;
    std::size_t span = 0;  // index into the spans
};

// Spans of Reader::lanes (ordered by row, then time) that show, cut to the plot, each at least a device pixel
// wide. What would fall wholly into a pixel that its row has drawn already is left out.
[[nodiscard]] std::vector<LaneBox> laneBoxes(const std::vector<store::LaneSpan> &, const TimeScale &,
                                             const LaneMetrics &);

// The span of a row at a time. Within `slack` of it the nearest one answers: a one-pixel slice stays clickable. Of
// a run and an instant at the same place, the instant.
[[nodiscard]] std::optional<std::size_t> spanAt(const std::vector<store::LaneSpan> &, std::int32_t row, Ns time,
                                                Ns slack);

// Row of a track under a height below its top.
[[nodiscard]] std::int32_t rowAt(double y, const LaneMetrics &, std::int32_t rowCount);

}  // namespace wattproof::draw
