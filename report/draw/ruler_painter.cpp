#include "report/draw/ruler_painter.h"

#include "report/draw/hatch.h"

#include <algorithm>

namespace wattproof::draw {
namespace {

// Between two labelled ticks stand four short ones.
void paintMinorTicks(QPainter &painter, const TimeScale &scale, const QRectF &rect) {
    const Ns step = std::max<Ns>(1, tickStep(scale.visible, scale.width, 90) / 5);
    std::vector<QLineF> lines;
    for (Ns t = scale.visible.begin / step * step; t <= scale.visible.end; t += step)
        if (const double x = scale.x(t); x >= scale.left)
            lines.emplace_back(x, rect.bottom() - 4, x, rect.bottom());
    paintLines(painter, lines);
}

}  // namespace

void paintRuler(QPainter &painter, const TimeScale &scale, const QRectF &rect, const Theme &theme) {
    painter.fillRect(rect, theme.panel);
    painter.setPen(QPen(theme.grid, 0));
    painter.drawLine(QLineF(rect.left(), rect.bottom(), rect.right(), rect.bottom()));
    painter.setPen(QPen(theme.muted, 0));
    paintMinorTicks(painter, scale, rect);
    const QFontMetricsF metrics(painter.font(), painter.device());
    const double baseline = rect.top() + (rect.height() - 4 + metrics.ascent() - metrics.descent()) / 2;
    for (const TimeTick &tick : timeTicks(scale)) {
        const double x = scale.x(tick.time);
        painter.drawLine(QLineF(x, rect.bottom() - 8, x, rect.bottom()));
        const QString text = QString::fromStdString(tick.label);
        const double width = metrics.horizontalAdvance(text);
        if (x + 3 + width <= scale.right())
            painter.drawText(QPointF(x + 3, baseline), text);
    }
}

void paintGrid(QPainter &painter, const TimeScale &scale, double top, double bottom, const Theme &theme) {
    painter.setPen(QPen(theme.grid, 0));
    std::vector<QLineF> lines;
    for (const TimeTick &tick : timeTicks(scale))
        lines.emplace_back(scale.x(tick.time), top, scale.x(tick.time), bottom);
    paintLines(painter, lines);
}

}  // namespace wattproof::draw
