#include "widgets/timeline/timeline_pane.h"

#include "store/edits.h"
#include "widgets/search/slice_finder.h"
#include "widgets/timeline/collapsed_state.h"

#include <algorithm>
#include <cmath>

#include <QEvent>
#include <QHelpEvent>
#include <QLineEdit>
#include <QToolTip>

namespace wattproof::widgets {
namespace {

constexpr double kClickSlack = 3;  // pixels beside a slice that still mean it
constexpr double kFocusMargin = 0.15;
constexpr int kFlashMs = 1500;
const char *const kCollapsedKey = "timeline.collapsed";

}  // namespace

TimelinePane::TimelinePane(Session *session, QWidget *parent)
    : PlotPane(session, parent),
      data_(RunData::of(session)),
      pictures_(session, "timeline", this),
      filter_(new QLineEdit(this)) {
    setAccessibleName(tr("Timeline"));
    setAccessibleDescription(
        tr("Tracks of slices and counters over time. W and S zoom, A and D move, comma and full stop "
           "step through slices."));
    setMinimumHeight(120);
    filter_->setPlaceholderText(tr("Filter tracks"));
    filter_->setAccessibleName(tr("Filter tracks by name"));
    filter_->setClearButtonEnabled(true);
    filter_->setFrame(false);
    connect(filter_, &QLineEdit::returnPressed, this, [this] { setFocus(); });
    connect(filter_, &QLineEdit::textChanged, this, &TimelinePane::relayout);
    connect(&pictures_, &PictureCache::arrived, this, &TimelinePane::invalidate);
    connect(&view(), &TimeView::selectionChanged, this, &TimelinePane::selectionChanged);
    connect(data_, &RunData::changed, this, &TimelinePane::takeTables);
    connect(SliceFinder::of(session), &SliceFinder::changed, this, &TimelinePane::invalidate);
    connect(SliceFinder::of(session), &SliceFinder::stepped, this, &TimelinePane::showTime);
    flash_.setSingleShot(true);
    flash_.setInterval(kFlashMs);
    connect(&flash_, &QTimer::timeout, this, [this] {
        flashed_.clear();
        update();
    });
    takeTables();
}

TimelinePane::~TimelinePane() = default;

void TimelinePane::takeTables() {
    tree_ = buildTrackTree(data_->tables());
    pictures_.looks().setClasses(data_->tables().classes);
    if (data_->loaded() && !collapsedKnown_) {
        collapsedKnown_ = true;
        collapsed_ = collapsedAtFirst(tree_);
        session().edits().ask(
            this,
            [](store::Edits &edits) {
                auto stored = edits.viewState(kCollapsedKey);
                return stored && *stored ? **stored : std::string();
            },
            [this](const std::string &stored) { restoreCollapsed(stored); });
    }
    relayout();
}

void TimelinePane::restoreCollapsed(const std::string &stored) {
    if (auto keys = collapsedFromText(stored)) {
        collapsed_ = std::move(*keys);
        relayout();
    }
}

void TimelinePane::storeCollapsed() {
    if (!session().workspace().writable())
        return;
    session().edits().ask(
        this,
        [text = collapsedToText(collapsed_)](store::Edits &edits) {
            return edits.setViewState(kCollapsedKey, text);
        },
        [](const Status &) {});  // a layout that could not be kept is no loss worth a message
}

void TimelinePane::relayout() {
    layout_ = layoutTracks(tree_, collapsed_, filter_->text().toStdString(), theme().rowHeight);
    setContent(layout_.height + theme().rowHeight, kRulerHeight);
}

double TimelinePane::offset() const {
    return kRulerHeight - scrolled();
}

bool TimelinePane::isCollapsed(int node) const {
    return collapsed_.contains(tree_.nodes.at(static_cast<std::size_t>(node)).key);
}

void TimelinePane::setCollapsed(int node, bool collapsed) {
    const std::string &key = tree_.nodes.at(static_cast<std::size_t>(node)).key;
    if (collapsed)
        collapsed_.insert(key);
    else
        collapsed_.erase(key);
    storeCollapsed();
    relayout();
}

void TimelinePane::setFilter(const QString &text) {
    filter_->setText(text);
}

TimelineHit TimelinePane::hitAt(const QPointF &at) const {
    TimelineHit hit;
    const LaidTrack *laid = at.y() < kRulerHeight ? nullptr : layout_.at(at.y() - offset());
    if (!laid)
        return hit;
    hit.node = laid->node;
    hit.time = timeScale().time(at.x());
    const TrackNode &node = tree_.nodes[static_cast<std::size_t>(laid->node)];
    const LanePicture *picture = node.kind == NodeKind::Slices ? pictures_.cachedLanes(node.track) : nullptr;
    if (!picture || !inPlot(at))
        return hit;
    const auto metrics = laneMetrics(*laid, node, laid->top + offset(), theme().rowHeight, devicePixel());
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
    const TrackNode &node = tree_.nodes[static_cast<std::size_t>(index)];
    const auto metrics = laneMetrics(*laid, node, laid->top + offset(), theme().rowHeight, devicePixel());
    return {timeScale().left, metrics.top + row * metrics.rowHeight, timeScale().width, metrics.rowHeight};
}

void TimelinePane::reveal(TrackId track, std::int32_t row) {
    const int index = tree_.find(track);
    if (index < 0)
        return;
    openAbove(index);
    const QRectF rect = rowRect(track, row);
    const double page = height() - kRulerHeight;
    if (rect.top() < kRulerHeight || rect.bottom() > height())
        scrollBy(rect.center().y() - kRulerHeight - page / 2);
}

void TimelinePane::openAbove(int index) {
    if (!layout_.of(index))
        filter_->clear();
    for (int node = index; node >= 0; node = tree_.nodes[static_cast<std::size_t>(node)].parent)
        if (isCollapsed(node) && node != index)
            setCollapsed(node, false);
}

void TimelinePane::revealNode(int node) {
    openAbove(node);
    const LaidTrack *laid = layout_.of(node);
    if (!laid)
        return;
    const double page = height() - kRulerHeight;
    if (laid->top < scrolled() || laid->top + std::min(laid->height, page) > scrolled() + page)
        scrollBy(laid->top - scrolled() - std::max(0.0, page - laid->height) / 2);
    flashed_ = tree_.nodes[static_cast<std::size_t>(node)].key;
    flash_.start();
    update();
}

void TimelinePane::themeChanged() {
    pictures_.looks().setTheme(theme());
    QPalette colours = filter_->palette();
    colours.setColor(QPalette::Base, theme().panel);
    colours.setColor(QPalette::Text, theme().text);
    colours.setColor(QPalette::PlaceholderText, theme().muted);
    filter_->setPalette(colours);
    relayout();
}

void TimelinePane::clicked(const QPointF &at) {
    const TimelineHit hit = hitAt(at);
    if (at.x() < kGutterWidth && hit.node >= 0) {
        const TrackNode &node = tree_.nodes[static_cast<std::size_t>(hit.node)];
        if (node.isGroup() || node.rowCount > 1 || node.kind == NodeKind::Counter)
            setCollapsed(hit.node, !isCollapsed(hit.node));
    } else if (hit.span) {
        selectHit(hit);
    } else {
        view().clearSelection();
    }
}

// A run stands for many slices: the store knows which of them is under the pointer.
void TimelinePane::selectHit(const TimelineHit &hit) {
    const store::LaneSpan span = *hit.span;
    const TrackId track = tree_.nodes[static_cast<std::size_t>(hit.node)].track;
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
    const TimelineHit hit = hitAt(at);
    const bool onName = at.x() < nameWidth() && hit.node >= 0;
    setCursor(onName ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void TimelinePane::hoverEnded() {
    QToolTip::hideText();
}

bool TimelinePane::event(QEvent *event) {
    if (event->type() != QEvent::ToolTip)
        return PlotPane::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const QString text = hoverText(hitAt(help->pos()));
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), text, this);
    return true;
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

// Escape in the filter's line takes the filter away first.
bool TimelinePane::leaveFilter() {
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
            if (!row)
                return;
            Selection selection;
            selection.slice = row->id;
            selection.range = {row->ts, row->ts + row->dur};
            selection.tracks = {row->track};
            view().select(selection);
            showTime(selection.range);
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
    for (const LaidTrack &laid : layout_.tracks) {
        const TrackNode &node = tree_.nodes[static_cast<std::size_t>(laid.node)];
        if (node.kind == NodeKind::Slices && laid.bottom() + offset() > top && laid.top + offset() <= bottom)
            tracks.push_back(node.track);
    }
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
            if (revealed_ != selected_->place.slice)
                reveal(selected_->place.track, selected_->place.row);
            revealed_ = selected_->place.slice;
            update();
        });
}

void TimelinePane::resizeEvent(QResizeEvent *event) {
    PlotPane::resizeEvent(event);
    filter_->setGeometry(4, 1, kGutterWidth - 8, kRulerHeight - 3);
}

void TimelinePane::changeEvent(QEvent *event) {
    if (event->type() == QEvent::FontChange)
        pictures_.looks().fontChanged();
    PlotPane::changeEvent(event);
}

}  // namespace wattproof::widgets
