// The hands on the tracks of a timeline: pin, hide, move, resize, note; by key, menu and drag in the gutter.
#include "store/edits.h"
#include "widgets/new_note.h"
#include "widgets/panes/words.h"
#include "widgets/timeline/timeline_pane.h"
#include "widgets/timeline/timeline_render.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QApplication>
#include <QContextMenuEvent>
#include <QLineEdit>
#include <QMenu>

namespace wattproof::widgets {
namespace {

constexpr double kEdge = 4;  // pixels above and below the lower edge of a track that take hold of it
constexpr double kTallerStep = 1.25;

bool isResizable(const TrackNode &node) {
    return !node.isGroup();
}

bool isCollapsible(const TrackNode &node) {
    return node.isGroup() || node.rowCount > 1 || node.kind == NodeKind::Counter;
}

}  // namespace

bool TimelinePane::isCollapsed(int node) const {
    return arrangement().collapsed.contains(tree_.nodes.at(static_cast<std::size_t>(node)).key);
}

void TimelinePane::setCollapsed(int node, bool collapsed) {
    const TrackNode &track = tree_.nodes.at(static_cast<std::size_t>(node));
    Arrangement next = arrangement();
    next.setCollapsed(track.key, collapsed);
    arrangement_->change(std::move(next), (collapsed ? "collapse " : "open ") + track.label);
}

int TimelinePane::currentTrack() const {
    if (const int chosen = current_.empty() ? -1 : tree_.find(current_); chosen >= 0)
        return chosen;
    const LaidTrack *under = underMouse() ? laidAt(mapFromGlobal(QCursor::pos()).y()) : nullptr;
    return under ? under->node : -1;
}

void TimelinePane::setCurrentTrack(int node) {
    current_ = node < 0 ? std::string() : nodeOf(node).key;
    update();
}

bool TimelinePane::canPerform(TrackCommand command, int node) const {
    if (command == TrackCommand::ShowHidden)
        return layout_.hiddenCount > 0;
    if (command == TrackCommand::NaturalOrder)
        return !arrangement().order.empty();
    if (command == TrackCommand::Previous || command == TrackCommand::Next)
        return !layout_.pinned.empty() || !layout_.tracks.empty();
    if (node < 0)
        return false;
    const TrackNode &track = nodeOf(node);
    switch (command) {
        case TrackCommand::Collapse:
            return isCollapsible(track);
        case TrackCommand::Taller:
        case TrackCommand::Lower:
        case TrackCommand::UsualHeight:
            return isResizable(track);
        case TrackCommand::Note:
            return track.track.valid() && session().workspace().writable();
        default:
            return true;
    }
}

void TimelinePane::perform(TrackCommand command) {
    const int node = currentTrack();
    if (!canPerform(command, node))
        return;
    if (node >= 0)
        current_ = nodeOf(node).key;
    Arrangement next = arrangement();
    const auto changeKey = [&](auto way, bool on, const char *phrase) {
        const TrackNode &track = nodeOf(node);
        (next.*way)(track.key, on);
        arrangement_->change(std::move(next), phrase + track.label);
    };
    switch (command) {
        case TrackCommand::Pin: {
            const bool pinned = next.isPinned(nodeOf(node).key);
            return changeKey(&Arrangement::setPinned, !pinned, pinned ? "unpin " : "pin ");
        }
        case TrackCommand::Hide: {
            const bool hidden = next.hidden.contains(nodeOf(node).key);
            return changeKey(&Arrangement::setHidden, !hidden, hidden ? "show again " : "hide ");
        }
        case TrackCommand::Collapse:
            return setCollapsed(node, !isCollapsed(node));
        case TrackCommand::NaturalOrder:
            next.order.clear();
            return arrangement_->change(std::move(next), "put the tracks into their natural order");
        case TrackCommand::ShowHidden:
            return toggleHiddenShown();
        case TrackCommand::MoveUp:
        case TrackCommand::MoveDown:
            return moveCurrent(command == TrackCommand::MoveUp ? -1 : 1);
        case TrackCommand::Previous:
        case TrackCommand::Next:
            return chooseNeighbour(command == TrackCommand::Previous ? -1 : 1);
        case TrackCommand::Taller:
        case TrackCommand::Lower:
        case TrackCommand::UsualHeight:
            return changeHeight(node, command == TrackCommand::Taller  ? kTallerStep
                                      : command == TrackCommand::Lower ? 1 / kTallerStep
                                                                       : 0);
        case TrackCommand::Note:
            return beginTrackNote(node);
    }
}

void TimelinePane::toggleHiddenShown() {
    showHidden_ = !showHidden_;
    relayout();
}

// `factor` 0: back to the usual height.
void TimelinePane::changeHeight(int node, double factor) {
    const TrackNode &track = nodeOf(node);
    Arrangement next = arrangement();
    next.setHeight(track.key, factor == 0 ? 1 : next.heightOf(track.key) * factor);
    arrangement_->change(std::move(next), "change the height of " + track.label);
}

void TimelinePane::moveCurrent(int direction) {
    const int node = currentTrack();
    const auto blocks = siblingBlocks(tree_, layout_, node);
    const auto own = std::find_if(blocks.begin(), blocks.end(), [node](const TrackBlock &b) { return b.node == node; });
    const auto place = own - blocks.begin();
    const auto size = static_cast<std::ptrdiff_t>(blocks.size());
    if (own == blocks.end() || place + direction < 0 || place + direction >= size)
        return;
    const auto before = direction < 0 ? place - 1 : place + 2;
    dropTrack(node, before < size ? blocks[static_cast<std::size_t>(before)].node : -1);
    scrollToTrack(node);
}

void TimelinePane::dropTrack(int node, int before) {
    const TrackNode &track = nodeOf(node);
    const LaidTrack *laid = layout_.of(node);
    Arrangement next = arrangement();
    if (laid && laid->pinned && laid->level == 0)
        movePinned(next, track.key, before < 0 ? std::string() : nodeOf(before).key);
    else
        moveTrack(next, tree_, node, before);
    arrangement_->change(std::move(next), "move " + track.label);
}

void TimelinePane::chooseNeighbour(int direction) {
    std::vector<const LaidTrack *> all;
    for (const std::vector<LaidTrack> *list : {&layout_.pinned, &layout_.tracks})
        for (const LaidTrack &laid : *list)
            all.push_back(&laid);
    const int node = currentTrack();
    const auto at = std::find_if(all.begin(), all.end(), [node](const LaidTrack *laid) { return laid->node == node; });
    const auto last = static_cast<std::ptrdiff_t>(all.size()) - 1;
    const std::ptrdiff_t next = at == all.end() ? 0 : std::clamp<std::ptrdiff_t>(at - all.begin() + direction, 0, last);
    setCurrentTrack(all[static_cast<std::size_t>(next)]->node);
    scrollToTrack(currentTrack());
}

void TimelinePane::scrollToTrack(int node) {
    const LaidTrack *laid = layout_.of(node);
    if (!laid || laid->pinned)
        return;
    const double top = topOf(*laid);
    if (top < tracksTop())
        scrollBy(top - tracksTop());
    else if (const double bottom = top + std::min<double>(laid->height, height() - tracksTop()); bottom > height())
        scrollBy(bottom - height());
}

void TimelinePane::revealNode(int node) {
    openAbove(node);
    if (!layout_.of(node))
        return;
    scrollToTrack(node);
    flashed_ = nodeOf(node).key;
    flash_.start();
    update();
}

void TimelinePane::clickedName(const QPointF &at) {
    const LaidTrack *laid = laidAt(at.y());
    if (!laid) {
        const double below = at.y() - offset() - layout_.height;
        if (below >= 0 && below < theme().rowHeight && !hiddenText(layout_, showHidden_).isEmpty())
            toggleHiddenShown();
        return;
    }
    setCurrentTrack(laid->node);
    if (isCollapsible(nodeOf(laid->node)))
        setCollapsed(laid->node, !isCollapsed(laid->node));
}

// The track whose lower edge is at a height, if it can be made taller; else -1.
int TimelinePane::edgeAt(double y) const {
    const LaidTrack *above = laidAt(y - kEdge), *below = laidAt(y + kEdge);
    return above && above != below && isResizable(nodeOf(above->node)) ? above->node : -1;
}

bool TimelinePane::startDrag(const QPointF &at) {
    gutterDrag_ = {};
    if (at.x() >= nameWidth())
        return false;
    const int edge = edgeAt(at.y());
    const LaidTrack *laid = edge >= 0 ? layout_.of(edge) : laidAt(at.y());
    if (!laid)
        return false;
    gutterDrag_.kind = edge >= 0 ? GutterDrag::Kind::Resize : GutterDrag::Kind::Move;
    gutterDrag_.node = laid->node;
    gutterDrag_.from = at.y();
    gutterDrag_.height = laid->height;
    gutterDrag_.draft = arrangement();
    return true;
}

void TimelinePane::dragTo(const QPointF &at) {
    if (gutterDrag_.kind == GutterDrag::Kind::None)
        return;
    if (std::abs(at.y() - gutterDrag_.from) >= QApplication::startDragDistance() / 2.0)
        gutterDrag_.started = true;
    if (!gutterDrag_.started)
        return;
    if (gutterDrag_.kind == GutterDrag::Kind::Resize)
        dragEdge(at.y());
    else
        dragName(at.y());
}

void TimelinePane::dragEdge(double y) {
    const std::string &key = nodeOf(gutterDrag_.node).key;
    const double height = std::max(1.0, gutterDrag_.height + y - gutterDrag_.from);
    gutterDrag_.draft.setHeight(key, arrangement().heightOf(key) * height / gutterDrag_.height);
    relayout();
}

void TimelinePane::dragName(double y) {
    setCursor(Qt::ClosedHandCursor);
    const LaidTrack *laid = layout_.of(gutterDrag_.node);
    const double top = laid && laid->pinned ? kRulerHeight : offset();
    gutterDrag_.before = -1;
    for (const TrackBlock &block : siblingBlocks(tree_, layout_, gutterDrag_.node)) {
        gutterDrag_.line = top + block.bottom;
        if (y - top < (block.top + block.bottom) / 2) {
            gutterDrag_.before = block.node;
            gutterDrag_.line = top + block.top;
            break;
        }
    }
    update();
}

void TimelinePane::endDrag(const QPointF &at) {
    const GutterDrag drag = std::exchange(gutterDrag_, {});
    if (drag.kind == GutterDrag::Kind::None)
        return;
    if (!drag.started)
        return clicked(at);
    setCurrentTrack(drag.node);
    if (drag.kind == GutterDrag::Kind::Resize) {
        arrangement_->change(drag.draft, "change the height of " + nodeOf(drag.node).label);
        relayout();
    } else {
        dropTrack(drag.node, drag.before);
    }
}

void TimelinePane::takeNotes() {
    session().edits().ask(
        this, [](store::Edits &edits) { return edits.annotations(); },
        [this](const Expected<std::vector<store::Annotation>> &rows) {
            if (!rows)
                return;
            notes_.clear();
            noted_.clear();
            timedNotes_ = *rows;
            for (const store::Annotation &note : *rows)
                if (note.track.valid()) {
                    notes_[note.track] << qs(note.text);
                    noted_.insert(note.track);
                }
            invalidate();
        });
}

QMenu *TimelinePane::makeTrackMenu(int node) {
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (const TrackCommandEntry &entry : trackCommands()) {
        if (entry.command == TrackCommand::Previous || entry.command == TrackCommand::Next)
            continue;
        QString text = entry.words();
        if (entry.command == TrackCommand::ShowHidden && layout_.hiddenCount > 0)
            text = showHidden_ ? tr("&Show no hidden tracks") : tr("&Show hidden (%1)").arg(layout_.hiddenCount);
        else if (entry.command == TrackCommand::Pin && node >= 0)
            text = arrangement().isPinned(nodeOf(node).key) ? tr("Un&pin") : tr("&Pin");
        else if (entry.command == TrackCommand::Hide && node >= 0)
            text = arrangement().hidden.contains(nodeOf(node).key) ? tr("S&how again") : tr("&Hide");
        if (entry.key != 0)
            text += QLatin1Char('\t') + entry.keys().toString(QKeySequence::NativeText);
        QAction *action = menu->addAction(text);
        action->setEnabled(canPerform(entry.command, node));
        connect(action, &QAction::triggered, this, [this, command = entry.command] { perform(command); });
    }
    return menu;
}

void TimelinePane::contextMenuEvent(QContextMenuEvent *event) {
    QPoint at = event->globalPos();
    int node = -1;
    if (event->reason() == QContextMenuEvent::Keyboard) {
        node = currentTrack();
        if (const LaidTrack *laid = node < 0 ? nullptr : layout_.of(node))
            at = mapToGlobal(QPointF(kGutterWidth / 2.0, topOf(*laid) + theme().rowHeight).toPoint());
    } else {
        if (event->pos().x() >= kGutterWidth)
            return PlotPane::contextMenuEvent(event);
        const LaidTrack *laid = laidAt(event->pos().y());
        node = laid ? laid->node : -1;
    }
    setCurrentTrack(node);
    makeTrackMenu(node)->popup(at);
}

void TimelinePane::beginTrackNote(int node) {
    scrollToTrack(node);
    const LaidTrack *laid = layout_.of(node);
    if (!laid)
        return;
    notedNode_ = node;
    noteField_->clear();
    noteField_->setPlaceholderText(tr("Note on %1").arg(qs(nodeOf(node).label)));
    noteField_->setGeometry(4, static_cast<int>(topOf(*laid)), kGutterWidth - 8, theme().rowHeight + 6);
    noteField_->show();
    noteField_->setFocus();
}

void TimelinePane::keepTrackNote() {
    noteField_->hide();
    setFocus();
    const QString text = noteField_->text().trimmed();
    if (text.isEmpty() || notedNode_ < 0)
        return;
    const TrackId track = nodeOf(notedNode_).track;
    const auto row = std::find_if(data_->tables().tracks.begin(), data_->tables().tracks.end(),
                                  [track](const TrackRow &r) { return r.id == track; });
    if (row == data_->tables().tracks.end())
        return;
    addNote(session(), {row->extent, track, text, {}});
}

}  // namespace wattproof::widgets
