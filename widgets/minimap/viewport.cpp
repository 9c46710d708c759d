#include "widgets/minimap/viewport.h"

#include <algorithm>

namespace wattproof::widgets {

ViewportPart viewportPart(double x, const draw::TimeScale &extent, TimeRange visible, double handle) {
    const double begin = extent.x(visible.begin), end = std::max(extent.x(visible.end), begin + 1);
    if (x >= begin - handle && x < begin + std::min(2.0, (end - begin) / 4))
        return ViewportPart::Begin;
    if (x <= end + handle && x > end - std::min(2.0, (end - begin) / 4))
        return ViewportPart::End;
    return x >= begin && x <= end ? ViewportPart::Inside : ViewportPart::Outside;
}

TimeRange draggedViewport(ViewportPart part, TimeRange visible, Ns from, Ns to) {
    const Ns delta = to - from;
    if (part == ViewportPart::Begin)
        return {std::min(visible.begin + delta, visible.end - 1), visible.end};
    if (part == ViewportPart::End)
        return {visible.begin, std::max(visible.end + delta, visible.begin + 1)};
    return part == ViewportPart::Inside ? TimeRange{visible.begin + delta, visible.end + delta} : visible;
}

TimeRange centredViewport(TimeRange visible, Ns centre) {
    const Ns begin = centre - visible.length() / 2;
    return {begin, begin + visible.length()};
}

}  // namespace wattproof::widgets
