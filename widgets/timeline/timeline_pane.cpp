#include "widgets/timeline/timeline_pane.h"

#include "store/edits.h"
#include "widgets/search/slice_finder.h"
#include "widgets/timeline/slice_colours.h"
#include "widgets/timeline/track_categories.h"

#include <algorithm>
#include <cmath>

#include <QEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QToolTip>

namespace wattproof::widgets {
namespace {

constexpr double kClickSlack = 3;  // pixels beside a slice that still mean it
constexpr double kFocusMargin = 0.15;
constexpr double kPinnedShare = 2.0 / 3;  // of the tracks' room, at most, for pinned ones
constexpr int kFlashMs = 1500;

}  // namespace

TimelinePane::TimelinePane(Session *session, QWidget *parent)
    : PlotPane(session, parent),
      data_(RunData::of(session)),
      activity_(ActivityData::of(session)),
      pictures_(session, "timeline", this),
      filter_(new QLineEdit(this)),
      noteField_(new QLineEdit(this)),
      arrangement_(new ArrangementStore(session, this)),
      viewsDocument_(new StoredDocument(session, {"timeline.views"}, this)) {
    setAccessibleName(tr("Timeline"));
    setAccessibleDescription(
        tr("Tracks of slices and counters over time. W and S zoom, A and D move, comma and full stop "
           "step through slices."));
    setMinimumHeight(120);
    filter_->setPlaceholderText(tr("Filter tracks"));
    filter_->setAccessibleName(tr("Filter tracks"));
    filter_->setToolTip(tr("Name, pid, tid, device or category; every word must match"));
    filter_->setClearButtonEnabled(true);
    filter_->setFrame(false);
    connect(filter_, &QLineEdit::returnPressed, this, [this] { setFocus(); });
    connect(filter_, &QLineEdit::textChanged, this, &TimelinePane::filterChanged);
    connect(&pictures_, &PictureCache::arrived, this, &TimelinePane::invalidate);
    connect(&view(), &TimeView::selectionChanged, this, &TimelinePane::selectionChanged);
    connect(data_, &RunData::changed, this, &TimelinePane::takeTables);
    connect(activity_, &ActivityData::changed, this, &TimelinePane::invalidate);
    connect(SliceColours::of(session), &SliceColours::changed, this, &TimelinePane::takeColours);
    connect(arrangement_, &ArrangementStore::changed, this, &TimelinePane::arrange);
    connect(session, &Session::dataChanged, this, &TimelinePane::takeNotes);
    connect(viewsDocument_, &StoredDocument::arrived, this,
            [this](const std::string &stored) { savedViews_ = savedViewsFromText(stored); });
    viewsDocument_->read();
    for (QLineEdit *field : {filter_, noteField_})
        field->installEventFilter(this);
    noteField_->hide();
    noteField_->setAccessibleName(tr("Note on the track"));
    connect(noteField_, &QLineEdit::returnPressed, this, &TimelinePane::keepTrackNote);
    connect(SliceFinder::of(session), &SliceFinder::changed, this, &TimelinePane::invalidate);
    connect(SliceFinder::of(session), &SliceFinder::stepped, this, &TimelinePane::showTime);
    flash_.setSingleShot(true);
    flash_.setInterval(kFlashMs);
    connect(&flash_, &QTimer::timeout, this, [this] {
        flashed_.clear();
        update();
    });
    takeTables();
    takeNotes();
    takeColours();
}

TimelinePane::~TimelinePane() = default;

void TimelinePane::takeTables() {
    natural_ = buildTrackTree(data_->tables());
    addCategories(natural_, categories_);
    categoriesAsked_ = false;
    gutterDrag_ = {};  // its nodes are others now
    notedNode_ = -1;
    pictures_.looks().setClasses(data_->tables().classes);
    if (data_->loaded() && !arrangementKnown_) {
        arrangementKnown_ = true;
        Arrangement first;
        first.collapsed = collapsedAtFirst(natural_);
        arrangement_->load(std::move(first));
    }
    arrange();
}

void TimelinePane::arrange() {
    tree_ = natural_;
    orderTracks(tree_, arrangement());
    relayout();
}

void TimelinePane::relayout() {
    const bool resizing = gutterDrag_.kind == GutterDrag::Kind::Resize && gutterDrag_.started;
    layout_ = layoutTracks(
        tree_, resizing ? gutterDrag_.draft : arrangement(),
        {filter_->text().toStdString(), theme().rowHeight, showHidden_, (height() - kRulerHeight) * kPinnedShare});
    setContent(layout_.height + theme().rowHeight, static_cast<int>(tracksTop()));
}

double TimelinePane::offset() const {
    return tracksTop() - scrolled();
}

double TimelinePane::topOf(const LaidTrack &laid) const {
    return laid.top + (laid.pinned ? kRulerHeight : offset());
}

const LaidTrack *TimelinePane::laidAt(double y) const {
    if (y < kRulerHeight)
        return nullptr;
    return y < tracksTop() ? TrackLayout::at(layout_.pinned, y - kRulerHeight)
                           : TrackLayout::at(layout_.tracks, y - offset());
}

// Categories are read when somebody begins to look for one: it takes a look into every track.
void TimelinePane::filterChanged() {
    if (!filter_->text().isEmpty() && !categoriesAsked_) {
        categoriesAsked_ = true;
        session().queries().ask(
            this, "timeline/categories",
            [tables = data_->shared()](store::Reader &reader, const std::stop_token &stop) {
                return readCategories(reader, tables->tracks, stop);
            },
            [this](std::map<TrackId, std::string> &&categories) {
                categories_ = std::move(categories);
                addCategories(natural_, categories_);
                arrange();
            });
    }
    relayout();
}

void TimelinePane::setFilter(const QString &text) {
    filter_->setText(text);
}

TimelineHit TimelinePane::hitAt(const QPointF &at) const {
    TimelineHit hit;
    const LaidTrack *laid = laidAt(at.y());
    if (!laid)
        return hit;
    hit.node = laid->node;
    hit.time = timeScale().time(at.x());
    const TrackNode &node = nodeOf(laid->node);
    const LanePicture *picture = node.kind == NodeKind::Slices ? pictures_.cachedLanes(node.track) : nullptr;
    if (!picture || !inPlot(at))
        return hit;
    const auto metrics = laneMetrics(*laid, node, topOf(*laid), devicePixel());
    hit.row = draw::rowAt(at.y(), metrics, node.rowCount);
    const Ns slack = static_cast<Ns>(kClickSlack * timeScale().nsPerPixel());
    if (const auto index = draw::spanAt(picture->items, hit.row, hit.time, slack))
        hit.span = picture->items[*index];
    return hit;
}

QRectF TimelinePane::rowRect(TrackId track, std::int32_t row) const {
    const int index = tree_.find(track);
    const LaidTrack *laid = index < 0 ? nullptr : layout_.of(index);
    if (!laid)
        return {};
    const TrackNode &node = nodeOf(index);
    const auto metrics = laneMetrics(*laid, node, topOf(*laid), devicePixel());
    return {timeScale().left, metrics.top + row * metrics.rowHeight, timeScale().width, metrics.rowHeight};
}

void TimelinePane::reveal(TrackId track, std::int32_t row) {
    const int index = tree_.find(track);
    if (index < 0)
        return;
    openAbove(index);
    const LaidTrack *laid = layout_.of(index);
    const QRectF rect = rowRect(track, row);
    const double page = height() - tracksTop();
    if (laid && !laid->pinned && (rect.top() < tracksTop() || rect.bottom() > height()))
        scrollBy(rect.center().y() - tracksTop() - page / 2);
}

void TimelinePane::openAbove(int index) {
    if (!layout_.of(index))
        filter_->clear();
    Arrangement opened = arrangement();
    for (int node = index; node >= 0; node = nodeOf(node).parent) {
        showHidden_ = showHidden_ || opened.hidden.contains(nodeOf(node).key);
        if (node != index)
            opened.setCollapsed(nodeOf(node).key, false);
    }
    arrangement_->show(std::move(opened));
    relayout();
}

void TimelinePane::themeChanged() {
    pictures_.looks().setTheme(theme());
    QPalette colours = filter_->palette();
    colours.setColor(QPalette::Base, theme().panel);
    colours.setColor(QPalette::Text, theme().text);
    colours.setColor(QPalette::PlaceholderText, theme().muted);
    filter_->setPalette(colours);
    colours.setColor(QPalette::Base, theme().background);
    noteField_->setPalette(colours);
    relayout();
}

void TimelinePane::clicked(const QPointF &at) {
    const TimelineHit hit = hitAt(at);
    if (at.x() < kGutterWidth) {
        clickedName(at);
    } else if (hit.span) {
        selectHit(hit);
    } else {
        view().clearSelection();
    }
}

// A run stands for many slices: the store knows which of them is under the pointer.
void TimelinePane::selectHit(const TimelineHit &hit) {
    const store::LaneSpan span = *hit.span;
    const TrackId track = nodeOf(hit.node).track;
    const auto select = [this, track](SliceId slice, TimeRange range) {
        Selection selection;
        selection.slice = slice;
        selection.range = range;
        selection.tracks = {track};
        revealed_ = slice;
        view().select(selection);
    };
    if (span.count <= 1)
        return select(span.slice, {span.ts, span.ts + span.dur});
    session().queries().ask(
        this, "timeline/pick",
        [track, span, row = hit.row, time = hit.time](store::Reader &reader, std::stop_token) {
            auto at = reader.sliceAt(track, row, time);
            if (at && *at)
                return std::optional<SliceRow>(**at);
            auto longest = reader.slice(span.slice);
            return longest ? std::optional<SliceRow>(longest->slice) : std::nullopt;
        },
        [select](const std::optional<SliceRow> &row) {
            if (row)
                select(row->id, {row->ts, row->ts + row->dur});
        });
}

void TimelinePane::doubleClicked(const QPointF &at) {
    const TimelineHit hit = hitAt(at);
    if (hit.span && inPlot(at))
        view().fit({hit.span->ts, hit.span->ts + hit.span->dur}, kFocusMargin);
}

void TimelinePane::hovered(const QPointF &at) {
    const bool inGutter = at.x() < nameWidth();
    setCursor(inGutter && edgeAt(at.y()) >= 0 ? Qt::SizeVerCursor
              : inGutter && laidAt(at.y())    ? Qt::PointingHandCursor
                                              : Qt::ArrowCursor);
}

void TimelinePane::hoverEnded() {
    QToolTip::hideText();
}

bool TimelinePane::event(QEvent *event) {
    if (event->type() != QEvent::ToolTip)
        return PlotPane::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const QString text = help->pos().y() < kRulerHeight ? notesAt(help->pos().x()) : hoverText(hitAt(help->pos()));
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), text, this);
    return true;
}

// Escape in a field means the field, though the window has a use for it too. A note that is left is not written.
bool TimelinePane::eventFilter(QObject *field, QEvent *event) {
    if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape)
        event->accept();
    else if (event->type() == QEvent::FocusOut && field == noteField_)
        noteField_->hide();
    return PlotPane::eventFilter(field, event);
}

bool TimelinePane::command(NavigationCommand command) {
    switch (command) {
        case NavigationCommand::ClearSelection:
            return leaveFilter();
        case NavigationCommand::PreviousSlice:
            stepSlice(-1);
            return true;
        case NavigationCommand::NextSlice:
            stepSlice(1);
            return true;
        default:
            return false;
    }
}

// Escape in the filter's line takes the filter away first, in that of a note the note.
bool TimelinePane::leaveFilter() {
    if (noteField_->isVisible()) {
        noteField_->hide();
        setFocus();
        return true;
    }
    if (!filter_->hasFocus())
        return false;
    filter_->clear();
    setFocus();
    return true;
}

void TimelinePane::stepSlice(int direction) {
    const SliceId from = view().selection().slice;
    if (!from.valid())
        return;
    session().queries().ask(
        this, "timeline/step",
        [from, direction](store::Reader &reader, std::stop_token) {
            auto next = reader.nextSlice(from, direction);
            return next ? *next : std::optional<SliceRow>();
        },
        [this](const std::optional<SliceRow> &row) {
            if (row)
                selectSlice(row->id, {row->ts, row->ts + row->dur}, row->track);
        });
}

// Moves the view, without zooming, until the range is in it.
void TimelinePane::showTime(TimeRange range) {
    const TimeRange visible = view().visible();
    if (range.begin >= visible.begin && range.end <= visible.end)
        return;
    const Ns middle = range.begin + std::min(range.length(), visible.length()) / 2;
    view().panBy(middle - (visible.begin + visible.length() / 2));
}

std::vector<TrackId> TimelinePane::tracksBetween(double top, double bottom) const {
    std::vector<TrackId> tracks;
    if (top < kRulerHeight)
        return tracks;  // dragged along the ruler: all tracks
    const auto add = [&](const std::vector<LaidTrack> &list, double first, double last) {
        for (const LaidTrack &laid : list)
            if (const TrackNode &node = nodeOf(laid.node);
                node.kind == NodeKind::Slices && topOf(laid) + laid.height > first && topOf(laid) <= last)
                tracks.push_back(node.track);
    };
    add(layout_.pinned, top, std::min(bottom, tracksTop()));
    if (bottom >= tracksTop())
        add(layout_.tracks, std::max(top, tracksTop()), bottom);
    return tracks;
}

void TimelinePane::selectionChanged() {
    const Selection &selection = view().selection();
    if (!selection.isSlice()) {
        selected_.reset();
        return;
    }
    session().queries().ask(
        this, "timeline/selected",
        [slice = selection.slice](store::Reader &reader, std::stop_token) {
            return readSelectedSlice(reader, slice);
        },
        [this](std::optional<SelectedSlice> selected) {
            if (!selected || selected->place.slice != view().selection().slice)
                return;
            selected_ = std::move(selected);
            if (const int node = tree_.find(selected_->place.track); node >= 0)
                current_ = nodeOf(node).key;
            if (revealed_ != selected_->place.slice)
                reveal(selected_->place.track, selected_->place.row);
            revealed_ = selected_->place.slice;
            update();
        });
}

void TimelinePane::resizeEvent(QResizeEvent *event) {
    PlotPane::resizeEvent(event);
    filter_->setGeometry(4, 1, kGutterWidth - 8, kRulerHeight - 3);
    if (!arrangement().pinned.empty())
        relayout();
}

void TimelinePane::changeEvent(QEvent *event) {
    if (event->type() == QEvent::FontChange)
        pictures_.looks().fontChanged();
    PlotPane::changeEvent(event);
}

}  // namespace wattproof::widgets
