#include "widgets/search/slice_finder.h"

#include "widgets/panes/words.h"

#include <QPointer>

namespace wattproof::widgets {
namespace {

// The first hits are handed over while the search runs, but no copy of millions.
constexpr std::int64_t kMostFirstHits = 50'000;

}  // namespace

SliceFinder *SliceFinder::of(Session *session) {
    if (auto *existing = session->findChild<SliceFinder *>(QString(), Qt::FindDirectChildrenOnly))
        return existing;
    return new SliceFinder(session);
}

SliceFinder::SliceFinder(Session *session) : QObject(session), session_(session) {
    connect(session, &Session::dataChanged, this, [this] {
        if (isActive())
            search();
    });
    connect(&session->view(), &TimeView::selectionChanged, this, &SliceFinder::followSelection);
}

void SliceFinder::setText(const QString &text) {
    if (text == text_)
        return;
    text_ = text;
    const store::SearchTerms terms = store::searchTerms(text.toStdString());
    if (terms == terms_)
        return;
    terms_ = terms;
    search();
}

void SliceFinder::search() {
    ++turn_;
    pending_ = 0;
    error_.clear();
    searching_ = isActive();
    if (!searching_) {
        session_->queries().service().cancel("search");
        count_ = 0;
        hits_ = std::make_shared<const store::SearchHits>();
        followSelection();
        emit changed();
        return;
    }
    // Told from the search's own thread: posted to the bridge, which outlives it.
    const auto tell = [bridge = &session_->queries(), alive = QPointer<SliceFinder>(this),
                       turn = turn_](const store::SearchHits &soFar) {
        const bool few = soFar.count() <= kMostFirstHits;
        auto copy = few ? std::make_shared<const store::SearchHits>(soFar) : nullptr;
        QMetaObject::invokeMethod(
            bridge,
            [alive, turn, count = soFar.count(), copy] {
                if (alive && alive->turn_ == turn && alive->searching_)
                    alive->takeFirst(count, copy);
            },
            Qt::QueuedConnection);
    };
    session_->queries().ask(
        this, "search",
        [terms = terms_, tell](store::Reader &reader, const std::stop_token &stop) {
            return reader.search(terms, tell, stop);
        },
        [this, turn = turn_](Expected<store::SearchHits> &&hits) {
            if (turn == turn_)
                takeAll(std::move(hits));
        });
    emit changed();
}

void SliceFinder::takeFirst(std::int64_t count, std::shared_ptr<const store::SearchHits> hits) {
    count_ = count;
    if (hits)
        hits_ = std::move(hits);
    emit changed();
}

void SliceFinder::takeAll(Expected<store::SearchHits> &&hits) {
    searching_ = false;
    if (!hits)
        error_ = qs(hits.error().sentence());
    hits_ = std::make_shared<const store::SearchHits>(hits ? std::move(*hits) : store::SearchHits());
    count_ = hits_->count();
    followSelection();
    emit changed();
    for (; pending_ != 0; pending_ += pending_ > 0 ? -1 : 1)
        go(pending_ > 0 ? 1 : -1);
}

void SliceFinder::step(int direction) {
    if (searching_)
        pending_ += direction;
    else
        go(direction);
}

void SliceFinder::go(int direction) {
    const TimeView &view = session_->view();
    std::optional<store::SearchHit> hit;
    if (current_)
        hit = direction > 0 ? hits_->after(current_->ts, current_->slice) : hits_->before(current_->ts, current_->slice);
    else if (view.selection().isSlice())
        hit = direction > 0 ? hits_->after(view.selection().range.begin, view.selection().slice)
                            : hits_->before(view.selection().range.begin, view.selection().slice);
    else
        hit = direction > 0 ? hits_->after(view.visible().begin, SliceId{}) : hits_->before(view.visible().end, SliceId{});
    if (!hit)
        hit = direction > 0 ? hits_->first() : hits_->last();
    if (hit)
        selectHit(*hit);
}

// The number follows at once, the selection when the store has said how long the slice is: of many steps in a row only
// the last is shown.
void SliceFinder::selectHit(const store::SearchHit &hit) {
    current_ = hit;
    setNumber(hits_->countBefore(hit.ts, hit.slice) + 1);
    session_->queries().ask(
        this, "search/step",
        [slice = hit.slice](store::Reader &reader, const std::stop_token &) { return reader.slice(slice); },
        [this, hit](Expected<store::SliceDetails> &&details) {
            if (!details || !current_ || current_->slice != hit.slice)
                return;
            Selection selection;
            selection.slice = hit.slice;
            selection.range = {details->slice.ts, details->slice.ts + details->slice.dur};
            selection.tracks = {hit.track};
            session_->view().select(selection);
            emit stepped(selection.range);
        });
}

// What is selected otherwise is the place from which the next step goes on.
void SliceFinder::followSelection() {
    const Selection &selection = session_->view().selection();
    if (current_ && (selection.slice != current_->slice || !hits_->has(current_->track, current_->row, current_->slice)))
        current_.reset();
    std::int64_t number = 0;
    if (selection.isSlice()) {
        const auto next = hits_->after(selection.range.begin, SliceId{selection.slice.value - 1});
        if (next && next->slice == selection.slice)
            number = hits_->countBefore(next->ts, next->slice) + 1;
    }
    setNumber(number);
}

void SliceFinder::setNumber(std::int64_t number) {
    if (number == number_)
        return;
    number_ = number;
    emit numberChanged();
}

const std::vector<std::uint32_t> &SliceFinder::columns(TimeRange range, std::size_t count) {
    if (columns_.of == hits_ && columns_.range == range && columns_.counts.size() == count)
        return columns_.counts;
    columns_ = {range, std::vector<std::uint32_t>(count), hits_};
    if (hits_->count() > 0)
        session_->queries().ask(
            this, "search/columns",
            [hits = hits_, range, count](store::Reader &, const std::stop_token &) {
                return hits->perColumn(range, count);
            },
            [this, hits = hits_, range](std::vector<std::uint32_t> &&counts) {
                if (columns_.of != hits || !(columns_.range == range) || columns_.counts.size() != counts.size())
                    return;
                columns_.counts = std::move(counts);
                emit columnsChanged();
            });
    return columns_.counts;
}

}  // namespace wattproof::widgets
