// What a timeline shows, in pictures and words; its hands are in timeline_pane.cpp.
#include "report/draw/ruler_painter.h"
#include "report/report.h"
#include "widgets/panes/words.h"
#include "widgets/search/slice_finder.h"
#include "widgets/timeline/group_summary.h"
#include "widgets/timeline/link_painter.h"
#include "widgets/timeline/slice_colours.h"
#include "widgets/timeline/timeline_pane.h"
#include "widgets/timeline/timeline_render.h"

#include <algorithm>

#include <QPainter>

namespace wattproof::widgets {
namespace {

constexpr double kFlagWidth = 7, kFlagHeight = 12;

}  // namespace

QString TimelinePane::hoverText(const TimelineHit &hit) const {
    if (hit.node < 0)
        return {};
    const TrackNode &node = tree_.nodes[static_cast<std::size_t>(hit.node)];
    const QString track = draw::safeText(node.label).toHtmlEscaped();
    if (!hit.span) {
        const auto notes = notes_.find(node.track);
        QString text = track + summaryOf(hit.node);
        if (notes != notes_.end())
            for (const QString &note : notes->second)
                text += QStringLiteral("<br>") + note.toHtmlEscaped();
        return QStringLiteral("<qt>%1</qt>").arg(text);
    }
    const store::LaneSpan &span = *hit.span;
    const draw::NameLook &look = const_cast<PictureCache &>(pictures_).looks().look(span.name);
    QString what = QString::fromStdString(report::duration(span.dur));
    if (span.count > 1)
        what = tr("%n slices in %1, %2 busy; the longest is named", nullptr, static_cast<int>(span.count))
                   .arg(what, QString::fromStdString(report::percent(span.busy)));
    else if (span.kind == SliceKind::Instant)
        what = tr("instant");
    else if (span.state == SliceState::Unfinished)
        what = tr("%1, unfinished: runs to the end of its trace").arg(what);
    const QString coloured = SliceColours::of(&session())->say(look);
    if (!coloured.isEmpty())
        what += QStringLiteral("<br>") + coloured.toHtmlEscaped();
    return QStringLiteral("<qt><b>%1</b><br>%2<br>%3</qt>").arg(look.full.toHtmlEscaped(), what, track);
}

// How busy a collapsed group is in the visible range.
QString TimelinePane::summaryOf(int node) const {
    const LaidTrack *laid = layout_.of(node);
    if (!laid || !laid->collapsed || !nodeOf(node).isGroup())
        return {};
    const std::vector<TrackId> tracks = tracksBelow(tree_, node);
    const auto &activity = activity_->activity();
    const auto device = std::find_if(activity.begin(), activity.end(),
                                     [&](const DeviceActivity &d) { return d.device == nodeOf(node).device; });
    if (nodeOf(node).kind == NodeKind::Device && device != activity.end() && !tracks.empty()) {
        const ActivityShares shares = sharesIn(*device, timeScale().visible);
        if (shares.length > 0)
            return QStringLiteral("<br>") +
                   tr("%1 busy, %2 operations at once")
                       .arg(qs(report::percent(1 - shares.idle)), qs(report::quantity(shares.concurrency, "")));
    }
    return QStringLiteral("<br>") + tr("%n tracks", nullptr, static_cast<int>(tracks.size()));
}

void TimelinePane::takeColours() {
    const SliceColours &colours = *SliceColours::of(&session());
    pictures_.looks().setPower(colours.power());
    pictures_.looks().setColourBy(colours.chosen());
    if (isVisible() && !colours.legend().isEmpty())
        say(colours.legend());
    invalidate();
}

void TimelinePane::paintPicture(QPainter &painter) {
    const SliceFinder *finder = SliceFinder::of(&session());
    renderTracks(painter,
                 {tree_, layout_, data_->tables(), activity_->activity(), pictures_, theme(), noted_, timeScale(),
                  timeWords(), kRulerHeight, offset(), static_cast<double>(height()), devicePixel(), nameWidth(),
                  showHidden_, finder->isActive() ? &finder->hits() : nullptr});
    draw::paintRuler(painter, timeScale(), QRectF(kGutterWidth, 0, timeScale().width, kRulerHeight), theme(),
                     timeWords());
    paintNotes(painter);
}

// Notes stand on the ruler as flags, with a line along the time they speak of.
void TimelinePane::paintNotes(QPainter &painter) const {
    if (timedNotes_.empty())
        return;
    const draw::TimeScale scale = timeScale();
    painter.save();
    painter.setClipRect(QRectF(scale.left, 0, scale.width, kRulerHeight));
    for (const store::Annotation &note : timedNotes_) {
        if (!scale.shows({note.ts, note.ts + note.dur}))
            continue;
        const double x = scale.x(note.ts), end = scale.x(note.ts + note.dur);
        painter.fillRect(QRectF(x, kRulerHeight - 3, std::max(devicePixel(), end - x), 2), theme().accent);
        painter.fillRect(QRectF(x, kRulerHeight - kFlagHeight, devicePixel(), kFlagHeight - 1), theme().accent);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme().accent);
        painter.drawPolygon(QPolygonF({{x, kRulerHeight - kFlagHeight},
                                       {x + kFlagWidth, kRulerHeight - kFlagHeight * 0.7},
                                       {x, kRulerHeight - kFlagHeight * 0.4}}));
    }
    painter.restore();
}

// The texts of the notes whose flags are at a place on the ruler.
QString TimelinePane::notesAt(double x) const {
    const draw::TimeScale scale = timeScale();
    QStringList texts;
    for (const store::Annotation &note : timedNotes_)
        if (const double flag = scale.x(note.ts); x >= flag - 2 && x <= flag + kFlagWidth)
            texts << qs(note.text).toHtmlEscaped();
    return texts.isEmpty() ? QString() : QStringLiteral("<qt>%1</qt>").arg(texts.join(QStringLiteral("<br>")));
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
    paintGutterHands(painter);
}

// The track that commands act on, and where a dragged one would go.
void TimelinePane::paintGutterHands(QPainter &painter) const {
    const int current = current_.empty() ? -1 : tree_.find(current_);
    if (current < 0 && !gutterDrag_.started)
        return;
    painter.save();
    painter.setClipRect(QRectF(0, kRulerHeight, kGutterWidth, height() - kRulerHeight));
    if (const LaidTrack *laid = current < 0 ? nullptr : layout_.of(current)) {
        if (!laid->pinned)
            painter.setClipRect(QRectF(0, tracksTop(), kGutterWidth, height() - tracksTop()));
        painter.fillRect(QRectF(0, topOf(*laid), 3, laid->height - 1), theme().accent);
    }
    if (gutterDrag_.kind == GutterDrag::Kind::Move && gutterDrag_.started)
        painter.fillRect(QRectF(0, gutterDrag_.line - 1, kGutterWidth, 2), theme().accent);
    painter.restore();
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
                row = QRectF(kGutterWidth, topOf(*laid), timeScale().width, theme().rowHeight);
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
    for (const auto *list : {&layout_.pinned, &layout_.tracks})
        for (const LaidTrack &laid : *list) {
            if (nodeOf(laid.node).key != flashed_)
                continue;
            const double from = laid.pinned ? kRulerHeight : tracksTop();
            painter.save();
            painter.setClipRect(QRectF(0, from, width(), height() - from));
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(theme().accent, 3));
            painter.drawRect(
                QRectF(0, topOf(laid), timeScale().right(), laid.height).adjusted(2, 1, -2, -2));
            painter.restore();
        }
}

// The cursor's time beside its line, over the ruler.
void TimelinePane::paintHoverTime(QPainter &painter) const {
    if (!view().cursor() || !view().visible().contains(*view().cursor()))
        return;
    const draw::TimeScale scale = timeScale();
    const Ns step = std::max<Ns>(1, draw::tickStep(scale.visible, scale.width, 1));
    const QString text = qs(timeWords().label(*view().cursor(), step, scale.visible.end));
    const double width = painter.fontMetrics().horizontalAdvance(text) + 8;
    const double x = std::min(scale.x(*view().cursor()), scale.right() - width);
    painter.fillRect(QRectF(x, 2, width, kRulerHeight - 5), theme().text);
    painter.setPen(theme().background);
    painter.drawText(QRectF(x, 2, width, kRulerHeight - 5), Qt::AlignCenter, text);
}

}  // namespace wattproof::widgets
