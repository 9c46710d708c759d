#include "widgets/timeline/link_painter.h"

#include "report/draw/lane_painter.h"

#include <algorithm>

#include <QPainterPath>

namespace wattproof::widgets {
namespace {

constexpr double kHead = 5;
constexpr double kFar = 1e5;  // pixels: beyond it curves lose their shape and painters their precision

double bounded(double x) {
    return std::clamp(x, -kFar, kFar);
}

// A launch leaves where the call begins, since the operation may start before the call returns; a flow where it
// ends.
QPointF startOf(const SliceLink &link, const QRectF &row, const draw::TimeScale &scale) {
    return {bounded(scale.x(link.launch ? link.from.range.begin : link.from.range.end)), row.center().y()};
}

void paintHead(QPainter &painter, const QPointF &tip, const QColor &colour) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawPolygon(QPolygonF({tip, tip + QPointF(-kHead, -kHead * 0.7), tip + QPointF(-kHead, kHead * 0.7)}));
    painter.setBrush(Qt::NoBrush);
}

}  // namespace

void paintLink(QPainter &painter, const SliceLink &link, const QRectF &from, const QRectF &to,
               const draw::TimeScale &scale, const draw::Theme &theme) {
    if (from.isEmpty() || to.isEmpty())
        return;
    const QPointF start = startOf(link, from, scale);
    const QPointF end(bounded(scale.x(link.to.range.begin)), to.center().y());
    const double bend = std::clamp(std::abs(end.x() - start.x()) / 2, 16.0, 120.0);
    QPainterPath path(start);
    path.cubicTo(start + QPointF(bend, 0), end - QPointF(bend + kHead, 0), end - QPointF(kHead, 0));
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.background, 3.5));
    painter.drawPath(path);
    painter.setPen(QPen(theme.text, 1.5, link.launch ? Qt::SolidLine : Qt::DashLine));
    painter.drawPath(path);
    paintHead(painter, end, theme.text);
    painter.restore();
}

void paintSelectedSlice(QPainter &painter, const SlicePlace &place, const QRectF &row,
                        const draw::TimeScale &scale, const draw::Theme &theme) {
    if (!scale.shows(place.range))
        return;
    const double left = std::max(scale.left - 4, scale.x(place.range.begin));
    const double right = std::min(scale.right() + 4, std::max(scale.x(place.range.end), left + 3));
    draw::paintSelected(painter, QRectF(QPointF(left, row.top()), QPointF(right, row.bottom())), theme);
}

}  // namespace wattproof::widgets
