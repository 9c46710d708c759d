// What a timeline shows, in pictures and words; its hands are in timeline_pane.cpp.
#include "report/draw/ruler_painter.h"
#include "report/report.h"
#include "widgets/search/slice_finder.h"
#include "widgets/timeline/link_painter.h"
#include "widgets/timeline/timeline_pane.h"
#include "widgets/timeline/timeline_render.h"

#include <algorithm>

#include <QPainter>

namespace wattproof::widgets {

QString TimelinePane::hoverText(const TimelineHit &hit) const {
    if (hit.node < 0)
        return {};
    const TrackNode &node = tree_.nodes[static_cast<std::size_t>(hit.node)];
    const QString track = draw::safeText(node.label).toHtmlEscaped();
    if (!hit.span)
        return QStringLiteral("<qt>%1</qt>").arg(track);
    const store::LaneSpan &span = *hit.span;
    const QString name = const_cast<PictureCache &>(pictures_).looks().look(span.name).full.toHtmlEscaped();
    QString what = QString::fromStdString(report::duration(span.dur));
    if (span.count > 1)
        what = tr("%n slices in %1, %2 busy; the longest is named", nullptr, static_cast<int>(span.count))
                   .arg(what, QString::fromStdString(report::percent(span.busy)));
    else if (span.kind == SliceKind::Instant)
        what = tr("instant");
    else if (span.state == SliceState::Unfinished)
        what = tr("%1, unfinished: runs to the end of its trace").arg(what);
    return QStringLiteral("<qt><b>%1</b><br>%2<br>%3</qt>").arg(name, what, track);
}

void TimelinePane::paintPicture(QPainter &painter) {
    const SliceFinder *finder = SliceFinder::of(&session());
    renderTracks(painter, {tree_, layout_, data_->tables(), pictures_, theme(), timeScale(), kRulerHeight,
                           offset(), static_cast<double>(height()), devicePixel(), nameWidth(),
                           finder->isActive() ? &finder->hits() : nullptr});
    draw::paintRuler(painter, timeScale(), QRectF(kGutterWidth, 0, timeScale().width, kRulerHeight), theme());
}

void TimelinePane::paintOver(QPainter &painter) {
    if (!data_->tables().error.empty())
        paintEmpty(painter, tr("The tracks could not be read."), QString::fromStdString(data_->tables().error));
    else if (data_->loaded() && tree_.roots.empty())
        paintEmpty(painter, tr("No tracks yet"), tr("Open or drop a trace to see what the accelerator did."));
    paintLinks(painter);
    paintFlash(painter);
    paintAreaAndCursor(painter, 0, height());
    paintHoverTime(painter);
}

void TimelinePane::paintLinks(QPainter &painter) const {
    if (!selected_)
        return;
    painter.save();
    painter.setClipRect(QRectF(kGutterWidth, kRulerHeight, timeScale().width, height() - kRulerHeight));
    const auto place = [this](const SlicePlace &slice) -> QRectF {
        QRectF row = rowRect(slice.track, slice.row);
        for (int node = tree_.find(slice.track); row.isEmpty() && node >= 0;
             node = tree_.nodes[static_cast<std::size_t>(node)].parent)
            if (const LaidTrack *laid = layout_.of(node))
                row = QRectF(kGutterWidth, laid->top + offset(), timeScale().width, theme().rowHeight);
        return row;
    };
    for (const SliceLink &link : selected_->links)
        paintLink(painter, link, place(link.from), place(link.to), timeScale(), theme());
    const QRectF row = rowRect(selected_->place.track, selected_->place.row);
    if (!row.isEmpty())
        paintSelectedSlice(painter, selected_->place, row, timeScale(), theme());
    painter.restore();
}

// The track that was asked for, for a moment.
void TimelinePane::paintFlash(QPainter &painter) const {
    if (flashed_.empty())
        return;
    for (const LaidTrack &laid : layout_.tracks) {
        if (tree_.nodes[static_cast<std::size_t>(laid.node)].key != flashed_)
            continue;
        painter.save();
        painter.setClipRect(QRectF(0, kRulerHeight, width(), height() - kRulerHeight));
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme().accent, 3));
        painter.drawRect(QRectF(0, laid.top + offset(), timeScale().right(), laid.height).adjusted(2, 1, -2, -2));
        painter.restore();
    }
}

// The cursor's time beside its line, over the ruler.
void TimelinePane::paintHoverTime(QPainter &painter) const {
    if (!view().cursor() || !view().visible().contains(*view().cursor()))
        return;
    const draw::TimeScale scale = timeScale();
    const Ns step = std::max<Ns>(1, draw::tickStep(scale.visible, scale.width, 1));
    const QString text = QString::fromStdString(draw::timeLabel(*view().cursor(), step, scale.visible.end));
    const double width = painter.fontMetrics().horizontalAdvance(text) + 8;
    const double x = std::min(scale.x(*view().cursor()), scale.right() - width);
    painter.fillRect(QRectF(x, 2, width, kRulerHeight - 5), theme().text);
    painter.setPen(theme().background);
    painter.drawText(QRectF(x, 2, width, kRulerHeight - 5), Qt::AlignCenter, text);
}

}  // namespace wattproof::widgets
