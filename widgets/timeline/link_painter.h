// The selected slice's outline and the arrows between it and what it is tied to.
#pragma once

#include "report/draw/theme.h"
#include "report/draw/time_scale.h"
#include "widgets/timeline/selected_slice.h"

#include <QPainter>

namespace wattproof::widgets {

// `from` and `to` are the rows the ends stand in; an empty one is not on the timeline and its arrow is left out.
void paintLink(QPainter &, const SliceLink &, const QRectF &from, const QRectF &to, const draw::TimeScale &,
               const draw::Theme &);
void paintSelectedSlice(QPainter &, const SlicePlace &, const QRectF &row, const draw::TimeScale &,
                        const draw::Theme &);

}  // namespace wattproof::widgets
