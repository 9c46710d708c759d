#include "widgets/search/hit_painter.h"

#include <algorithm>

#include <QPainter>
#include <QRectF>
#include <QVarLengthArray>

namespace wattproof::widgets {
namespace {

constexpr double kLine = 2;
constexpr double kLeastWidth = 3;
constexpr double kFrameFrom = 8;  // narrower ones have no sides

bool isHit(const store::SearchHits &hits, TrackId track, const store::LaneSpan &span) {
    return span.count <= 1 ? hits.has(track, span.row, span.slice)
                           : hits.any(track, span.row, {span.ts, span.ts + std::max<Ns>(1, span.dur)});
}

}  // namespace

void paintHits(QPainter &painter, const store::SearchHits &hits, TrackId track, const std::vector<store::LaneSpan> &spans,
               const draw::TimeScale &scale, const draw::LaneMetrics &metrics, const draw::Theme &theme) {
    if (!hits.any(track))
        return;
    QVarLengthArray<QRectF, 256> marks;
    double marked = 0;    // to here, in this row
    qsizetype strip = -1;  // the marks above and below the narrow ones that lead up to `marked`
    std::int32_t row = -1;
    for (const store::LaneSpan &span : spans) {
        if (!scale.shows({span.ts, span.ts + span.dur}))
            continue;
        const double left = std::max(scale.left - kLine, scale.x(span.ts));
        const double right = std::min(scale.right() + kLine, std::max(scale.x(span.ts + span.dur), left + kLeastWidth));
        if ((span.row == row && right <= marked) || !isHit(hits, track, span))
            continue;
        const bool narrow = right - left < kFrameFrom;
        const bool goesOn = narrow && strip >= 0 && span.row == row && left <= marked + metrics.pixel;
        row = span.row;
        marked = right;
        if (goesOn) {
            marks[strip].setRight(right);
            marks[strip + 1].setRight(right);
            continue;
        }
        strip = narrow ? marks.size() : -1;
        const double top = metrics.top + span.row * metrics.rowHeight, bottom = top + metrics.rowHeight - metrics.pixel;
        marks.append(QRectF(left, top, right - left, kLine));
        marks.append(QRectF(left, bottom - kLine, right - left, kLine));
        if (!narrow) {
            marks.append(QRectF(left, top, kLine, bottom - top));
            marks.append(QRectF(right - kLine, top, kLine, bottom - top));
        }
    }
    painter.save();
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.text);
    painter.drawRects(marks.constData(), static_cast<int>(marks.size()));
    painter.restore();
}

void paintHitTicks(QPainter &painter, const std::vector<std::uint32_t> &columns, const QRectF &area,
                   const draw::Theme &theme) {
    const double step = area.width() / static_cast<double>(std::max<std::size_t>(1, columns.size()));
    for (std::size_t i = 0; i < columns.size(); ++i)
        if (columns[i] > 0)
            painter.fillRect(QRectF(area.left() + static_cast<double>(i) * step, area.top(), std::max(1.0, step),
                                    area.height()),
                             theme.accent);
}

}  // namespace wattproof::widgets
