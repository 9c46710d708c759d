// The time ruler and the grid below it.
#pragma once

#include "report/draw/theme.h"
#include "report/draw/time_scale.h"

#include <QPainter>

namespace wattproof::draw {

void paintRuler(QPainter &, const TimeScale &, const QRectF &, const Theme &);
void paintGrid(QPainter &, const TimeScale &, double top, double bottom, const Theme &);

}  // namespace wattproof::draw
