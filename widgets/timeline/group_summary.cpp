#include "widgets/timeline/group_summary.h"

#include "widgets/occupancy/occupancy_painter.h"

#include <algorithm>
#include <cmath>

namespace wattproof::widgets {
namespace {

// Adds what a span covers of each column, times how much of it is busy.
void addSpan(std::vector<float> &columns, double from, double to, float busy) {
    const double last = static_cast<double>(columns.size());
    from = std::clamp(from, 0.0, last);
    to = std::clamp(to, 0.0, last);
    for (auto column = static_cast<std::size_t>(from); static_cast<double>(column) < to; ++column) {
        const double left = std::max(from, static_cast<double>(column)),
                     right = std::min(to, static_cast<double>(column + 1));
        columns[column] += static_cast<float>(right - left) * busy;
    }
}

}  // namespace

std::vector<TrackId> tracksBelow(const TrackTree &tree, int node) {
    std::vector<TrackId> tracks;
    std::vector<int> open{node};
    while (!open.empty()) {
        const TrackNode &n = tree.nodes[static_cast<std::size_t>(open.back())];
        open.pop_back();
        if (n.kind == NodeKind::Slices)
            tracks.push_back(n.track);
        open.insert(open.end(), n.children.begin(), n.children.end());
    }
    return tracks;
}

void paintDeviceSummary(QPainter &painter, const DeviceActivity &device, const draw::TimeScale &scale,
                        const QRectF &rect, double pixel, const draw::Theme &theme) {
    paintBusy(painter, device.busy, scale, rect, pixel, draw::blend(theme.panel, computeFill(theme), 0.6));
    if (const int most = device.concurrency.most(scale.visible); most > 1)
        paintConcurrency(painter, device, scale, rect, most, pixel, theme);
}

std::vector<float> runningAtOnce(const std::vector<const LanePicture *> &pictures, const draw::TimeScale &scale,
                                 double pixel) {
    std::vector<float> columns(static_cast<std::size_t>(std::max(1.0, std::ceil(scale.width / pixel))));
    for (const LanePicture *picture : pictures)
        for (const store::LaneSpan &span : picture->items) {
            if (span.row != 0)
                break;  // ordered by row
            if (span.ts >= scale.visible.end || span.ts + span.dur <= scale.visible.begin)
                continue;
            addSpan(columns, (scale.x(span.ts) - scale.left) / pixel, (scale.x(span.ts + span.dur) - scale.left) / pixel,
                    span.busy);
        }
    return columns;
}

void paintRunning(QPainter &painter, const std::vector<float> &columns, std::size_t tracks, const QRectF &rect,
                  double pixel, const QColor &colour) {
    std::vector<QRectF> bars;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const double height = rect.height() * std::min(1.0, static_cast<double>(columns[i]) / static_cast<double>(tracks));
        if (height > 0)
            bars.emplace_back(rect.left() + static_cast<double>(i) * pixel, rect.bottom() - height, pixel, height);
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawRects(bars.data(), static_cast<int>(bars.size()));
}

}  // namespace wattproof::widgets
