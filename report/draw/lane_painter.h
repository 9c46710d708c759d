// Paints the slices of a track. Antialiasing stays off: edges are sharp at any device pixel ratio.
#pragma once

#include "report/draw/labels.h"
#include "report/draw/lanes.h"

#include <vector>

#include <QPainter>

namespace wattproof::draw {

// Boxes as laneBoxes() made them from these spans. Rows lower than `kLabelledRow` carry no labels.
void paintLanes(QPainter &, const std::vector<LaneBox> &, const std::vector<store::LaneSpan> &, NameLooks &,
                const Theme &, double pixel);

inline constexpr double kLabelledRow = 12;

// The names alone, for slices (not runs) with room for them.
void paintLaneLabels(QPainter &, const std::vector<LaneBox> &, const std::vector<store::LaneSpan> &, NameLooks &);

// What a span is filled with.
[[nodiscard]] QColor spanFill(const store::LaneSpan &, const NameLooks &, const Theme &);

// Fill of a run of short slices: its name's fill, faded towards the background by how little of it is busy.
[[nodiscard]] QColor runFill(const QColor &fill, float busy, const Theme &);

// Outline of the selected slice.
void paintSelected(QPainter &, const QRectF &, const Theme &);

}  // namespace wattproof::draw
