// The time ruler and the grid below it.
#pragma once

#include "report/draw/theme.h"
#include "report/draw/time_words.h"

#include <QPainter>

namespace wattproof::draw {

// Where two labels would touch, only one of them is written.
void paintRuler(QPainter &, const TimeScale &, const QRectF &, const Theme &, const TimeWords & = {});
void paintGrid(QPainter &, const TimeScale &, double top, double bottom, const Theme &, const TimeWords & = {});

}  // namespace wattproof::draw
