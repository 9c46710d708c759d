#include "report/draw/lane_painter.h"

#include "report/draw/hatch.h"

#include <algorithm>

#include <QPolygonF>

namespace wattproof::draw {
namespace {

using store::LaneSpan;

constexpr double kPadding = 4;

// The rectangle that is filled: a pixel of ground below, and one to the right where there is room, tells
// neighbours apart.
QRectF filled(const QRectF &box, double pixel) {
    const double right = box.width() >= 3 * pixel ? pixel : 0;
    const double below = box.height() >= 4 * pixel ? pixel : 0;
    return box.adjusted(0, 0, -right, -below);
}

void paintInstant(QPainter &painter, const QRectF &box, const QColor &fill, double pixel) {
    const double half = std::min(4.0, box.height() / 3), x = box.left();
    painter.fillRect(QRectF(x, box.top(), pixel, box.height() - pixel), fill);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawPolygon(
        QPolygonF({{x - half, box.top()}, {x + half + pixel, box.top()}, {x, box.top() + 1.5 * half}}));
    painter.setBrush(Qt::NoBrush);
}

// Copies are yellow and need an edge; an unfinished slice ends in a hatch, because its end is not known.
void paintMarks(QPainter &painter, const QRectF &rect, const LaneSpan &span, const NameLook &look,
                const Theme &theme, double pixel) {
    if (look.opClass == "copy" && rect.width() >= 3)
        painter.fillRect(QRectF(rect.left(), rect.bottom() - pixel, rect.width(), pixel), look.fill.darker(220));
    if (span.state == SliceState::Unfinished && rect.width() >= 4)
        paintMissing(painter,
                     QRectF(std::max(rect.left(), rect.right() - 12), rect.top(), std::min(12.0, rect.width()),
                            rect.height()),
                     theme);
}

void paintLabel(QPainter &painter, const QRectF &rect, StringId name, const QFontMetricsF &metrics,
                NameLooks &looks) {
    const QString text = looks.fitted(name, rect.width() - 2 * kPadding, metrics);
    if (text.isEmpty())
        return;
    painter.setPen(looks.look(name).label);
    const double baseline = rect.top() + (rect.height() + metrics.ascent() - metrics.descent()) / 2;
    painter.drawText(QPointF(rect.left() + kPadding, baseline), text);
}

}  // namespace

QColor spanFill(const LaneSpan &span, const NameLooks &looks, const Theme &theme) {
    const QColor &fill = looks.look(span.name).fill;
    return span.count > 1 ? runFill(fill, span.busy, theme) : fill;
}

QColor runFill(const QColor &fill, float busy, const Theme &theme) {
    const auto share = static_cast<float>(0.3 + 0.7 * std::clamp(busy, 0.0F, 1.0F));
    const auto mix = [share](float a, float b) { return a * share + b * (1 - share); };
    return QColor::fromRgbF(mix(fill.redF(), theme.background.redF()),
                            mix(fill.greenF(), theme.background.greenF()),
                            mix(fill.blueF(), theme.background.blueF()));
}

void paintLanes(QPainter &painter, const std::vector<LaneBox> &boxes, const std::vector<LaneSpan> &spans,
                NameLooks &looks, const Theme &theme, double pixel) {
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (const LaneBox &box : boxes) {
        const LaneSpan &span = spans[box.span];
        const NameLook &look = looks.look(span.name);
        if (span.kind == SliceKind::Instant) {
            paintInstant(painter, box.rect, theme.text, pixel);
            continue;
        }
        const QRectF rect = filled(box.rect, pixel);
        painter.fillRect(rect, spanFill(span, looks, theme));
        paintMarks(painter, rect, span, look, theme, pixel);
    }
    paintLaneLabels(painter, boxes, spans, looks);
}

void paintLaneLabels(QPainter &painter, const std::vector<LaneBox> &boxes, const std::vector<LaneSpan> &spans,
                     NameLooks &looks) {
    const QFontMetricsF metrics(painter.font(), painter.device());
    for (const LaneBox &box : boxes)
        if (box.rect.height() >= kLabelledRow && spans[box.span].count <= 1 &&
            spans[box.span].kind == SliceKind::Slice)
            paintLabel(painter, box.rect, spans[box.span].name, metrics, looks);
}

void paintSelected(QPainter &painter, const QRectF &rect, const Theme &theme) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.background, 0));
    painter.drawRect(rect.adjusted(1, 1, -2, -3));
    QPen outline(theme.text, 2);
    outline.setJoinStyle(Qt::MiterJoin);
    painter.setPen(outline);
    painter.drawRect(rect.adjusted(-1, -1, 0, -1));
}

}  // namespace wattproof::draw
