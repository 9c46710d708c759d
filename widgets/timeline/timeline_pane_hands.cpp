// The hands on what is selected: marks, areas, flows, saved views.
#include "store/edits.h"
#include "widgets/new_note.h"
#include "widgets/panes/words.h"
#include "widgets/plot/axis_choices.h"
#include "widgets/timeline/timeline_pane.h"

#include <algorithm>

#include <QClipboard>
#include <QGuiApplication>
#include <QToolTip>

namespace wattproof::widgets {
namespace {

// The next slice along a flow: the launch or what was launched first, then the one that is nearest in time.
std::optional<SlicePlace> along(store::Reader &reader, SliceId from, int direction) {
    const auto selected = readSelectedSlice(reader, from);
    if (!selected)
        return std::nullopt;
    const SliceLink *next = nullptr;
    const auto end = [direction](const SliceLink &link) { return direction > 0 ? link.to : link.from; };
    for (const SliceLink &link : selected->links) {
        if ((direction > 0 ? link.from : link.to).slice != from)
            continue;
        const bool nearer = next && link.launch == next->launch &&
                            (direction > 0 ? end(link).range.begin < end(*next).range.begin
                                           : end(link).range.begin > end(*next).range.begin);
        if (!next || nearer || (link.launch && !next->launch))
            next = &link;
    }
    return next ? std::optional(end(*next)) : std::nullopt;
}

}  // namespace

void TimelinePane::perform(HandCommand command) {
    switch (command) {
        case HandCommand::Mark:
            return markSelection();
        case HandCommand::KeepMark:
            return keepMark();
        case HandCommand::SliceToArea:
            return sliceToArea();
        case HandCommand::FlowBack:
            return followFlow(-1);
        case HandCommand::FlowAhead:
            return followFlow(1);
        case HandCommand::CopyTime:
            return copyTime();
    }
}

// One sentence where the eye is, for what a key could not do.
void TimelinePane::say(const QString &sentence) {
    QToolTip::showText(mapToGlobal(QPoint(kGutterWidth + 8, kRulerHeight)), sentence, this);
}

std::optional<TimeRange> TimelinePane::rangeToMark() const {
    const Selection &selection = view().selection();
    if (!selection.isEmpty())
        return selection.range;
    return view().cursor() ? std::optional(TimeRange{*view().cursor(), *view().cursor()}) : std::nullopt;
}

void TimelinePane::markSelection() {
    const auto range = rangeToMark();
    if (!range)
        return say(tr("Select a slice or an area to mark it, or point at a time."));
    choices().setMark(choices().mark() == range ? std::nullopt : range);
}

// The mark where there is one, else what M would mark.
void TimelinePane::keepMark() {
    const auto range = choices().mark() ? choices().mark() : rangeToMark();
    if (!range)
        return say(tr("Select a slice or an area to mark it, or point at a time."));
    if (!session().workspace().writable())
        return say(tr("This workspace is read-only: a mark cannot be kept in it."));
    addNote(session(), {*range, {}, tr("Mark at %1").arg(timeText(range->begin)), {}});
    choices().setMark(std::nullopt);
}

void TimelinePane::sliceToArea() {
    Selection area = view().selection();
    if (!area.isSlice())
        return say(tr("Select a slice first."));
    area.slice = {};
    if (area.range.empty())  // an instant
        area.range.end = area.range.begin + 1;
    view().select(area);
}

void TimelinePane::followFlow(int direction) {
    const SliceId from = view().selection().slice;
    if (!from.valid())
        return say(tr("Select a slice first."));
    session().queries().ask(
        this, "timeline/step",
        [from, direction](store::Reader &reader, std::stop_token) { return along(reader, from, direction); },
        [this, direction](const std::optional<SlicePlace> &next) {
            if (!next)
                return say(direction > 0 ? tr("Nothing flows out of this slice.") : tr("Nothing flows into this slice."));
            selectSlice(next->slice, next->range, next->track);
        });
}

void TimelinePane::selectSlice(SliceId slice, TimeRange range, TrackId track) {
    Selection selection;
    selection.slice = slice;
    selection.range = range;
    selection.tracks = {track};
    view().select(selection);
    showTime(range);
}

void TimelinePane::copyTime() {
    const auto range = view().cursor() ? std::optional(TimeRange{*view().cursor(), 0}) : rangeToMark();
    if (!range)
        return say(tr("Point at a time to copy it."));
    const QString text = QString::number(timeWords().exact(range->begin));
    QGuiApplication::clipboard()->setText(text);
    say(tr("Copied %1").arg(text));
}

void TimelinePane::saveView(int digit) {
    SavedView saved;
    saved.visible = view().visible();
    saved.slice = view().selection().slice;
    saved.selected = view().selection().range;
    for (const TrackId track : view().selection().tracks)
        if (const int node = tree_.find(track); node >= 0)
            saved.tracks.push_back(nodeOf(node).key);
    if (const LaidTrack *first = TrackLayout::at(layout_.tracks, scrolled())) {
        saved.topTrack = nodeOf(first->node).key;
        saved.below = scrolled() - first->top;
    }
    savedViews_[digit] = std::move(saved);
    viewsDocument_->write(savedViewsToText(savedViews_), "save view " + std::to_string(digit));
    say(tr("Saved as view %1; the key %1 comes back to it.").arg(digit));
}

void TimelinePane::recallView(int digit) {
    const auto found = savedViews_.find(digit);
    if (found == savedViews_.end())
        return say(tr("There is no view %1 yet; Ctrl+%1 saves one.").arg(digit));
    const SavedView &saved = found->second;
    view().setVisible(saved.visible);
    if (const int top = saved.topTrack.empty() ? -1 : tree_.find(saved.topTrack); top >= 0)
        if (const LaidTrack *laid = layout_.of(top); laid && !laid->pinned)
            scrollBy(laid->top + saved.below - scrolled());
    recallSelection(saved);
}

// Ids of slices change when a file is imported again: where another slice has this one's, its place is shown.
void TimelinePane::recallSelection(const SavedView &saved) {
    Selection selection;
    selection.range = saved.selected;
    for (const std::string &key : saved.tracks)
        if (const int node = tree_.find(key); node >= 0 && nodeOf(node).track.valid())
            selection.tracks.push_back(nodeOf(node).track);
    if (!saved.slice.valid())
        return view().select(selection);
    session().queries().ask(
        this, "timeline/step",
        [slice = saved.slice](store::Reader &reader, std::stop_token) { return reader.slice(slice); },
        [this, selection, slice = saved.slice](const Expected<store::SliceDetails> &details) mutable {
            const TimeRange range = selection.range;
            if (details && details->slice.ts == range.begin && details->slice.ts + details->slice.dur == range.end) {
                selection.slice = slice;
                revealed_ = slice;  // it was scrolled to already
            }
            view().select(selection);
        });
}

}  // namespace wattproof::widgets
