#include "report/draw/ruler_painter.h"

#include "report/draw/hatch.h"

#include <algorithm>

namespace wattproof::draw {
namespace {

// Between two labelled ticks stand four short ones, where there is a nanosecond for each.
void paintMinorTicks(QPainter &painter, const TimeScale &scale, const std::vector<TimeTick> &ticks,
                     const QRectF &rect) {
    if (ticks.size() < 2)
        return;
    const Ns major = ticks[1].time - ticks[0].time, step = major / 5;
    std::vector<QLineF> lines;
    if (step >= 1)
        for (Ns t = ticks[0].time - major; t <= scale.visible.end; t += step)
            if (const double x = scale.x(t); x >= scale.left)
                lines.emplace_back(x, rect.bottom() - 4, x, rect.bottom());
    paintLines(painter, lines);
}

}  // namespace

void paintRuler(QPainter &painter, const TimeScale &scale, const QRectF &rect, const Theme &theme,
                const TimeWords &words) {
    painter.fillRect(rect, theme.panel);
    painter.setPen(QPen(theme.grid, 0));
    painter.drawLine(QLineF(rect.left(), rect.bottom(), rect.right(), rect.bottom()));
    painter.setPen(QPen(theme.muted, 0));
    const std::vector<TimeTick> ticks = timeTicks(scale, words);
    paintMinorTicks(painter, scale, ticks, rect);
    const QFontMetricsF metrics(painter.font(), painter.device());
    const double baseline = rect.top() + (rect.height() - 4 + metrics.ascent() - metrics.descent()) / 2;
    double free = rect.left();
    for (const TimeTick &tick : ticks) {
        const double x = scale.x(tick.time);
        painter.drawLine(QLineF(x, rect.bottom() - 8, x, rect.bottom()));
        const QString text = QString::fromStdString(tick.label);
        const double width = metrics.horizontalAdvance(text);
        if (x < free || x + 3 + width > scale.right())
            continue;
        painter.drawText(QPointF(x + 3, baseline), text);
        free = x + 3 + width + 6;
    }
}

void paintGrid(QPainter &painter, const TimeScale &scale, double top, double bottom, const Theme &theme,
               const TimeWords &words) {
    painter.setPen(QPen(theme.grid, 0));
    std::vector<QLineF> lines;
    for (const TimeTick &tick : timeTicks(scale, words))
        lines.emplace_back(scale.x(tick.time), top, scale.x(tick.time), bottom);
    paintLines(painter, lines);
}

}  // namespace wattproof::draw
