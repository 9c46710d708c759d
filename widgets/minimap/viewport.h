// The visible range as a window on the whole extent: what a press on the minimap takes hold of, and where a drag
// leads.
#pragma once

#include "report/draw/time_scale.h"

namespace wattproof::widgets {

enum class ViewportPart { Outside, Inside, Begin, End };

// What is at x. Handles are `handle` wide and reach outwards, so that a narrow window keeps its inside; outside of
// both is Outside.
[[nodiscard]] ViewportPart viewportPart(double x, const draw::TimeScale &extent, TimeRange visible, double handle);

// The visible range after dragging a part from one time to another. Edges do not cross.
[[nodiscard]] TimeRange draggedViewport(ViewportPart, TimeRange visible, Ns from, Ns to);

// The window centred on a time.
[[nodiscard]] TimeRange centredViewport(TimeRange visible, Ns centre);

}  // namespace wattproof::widgets
