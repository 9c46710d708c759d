#include "importers/trace/track_assembler.h"

#include <algorithm>

namespace wattproof::importers {

void TrackAssembler::start(TrackId track, std::size_t events) {
    track_ = track;
    rows_.clear();
    rows_.reserve(events);
    origins_.clear();
    origins_.reserve(events);
    open_.clear();
}

void TrackAssembler::push(const EventRecord &event, Ns dur, SliceState state) {
    SliceRow row;
    row.track = track_;
    row.ts = event.ts - crowd_.begin();
    row.dur = dur;
    row.name = StringId(event.name);
    row.category = StringId(event.category);
    row.args = ArgSetId(event.args);
    row.state = state;
    row.kind = event.type == EventType::Instant ? SliceKind::Instant : SliceKind::Slice;
    rows_.push_back(row);
    origins_.push_back({event.offset, event.aux, event.type});
}

// A begin before the crowd stands at its edge, so that its end finds it; anything else out there is left out.
void TrackAssembler::addOutsider(EventRecord event) {
    warnings_.add(
        "timestamp_outlier",
        "Events more than a year away from all others: their times cannot be right. Begins were moved to the "
        "start of the trace, everything else was left out.",
        event.offset);
    if (event.type != EventType::Begin || event.ts > crowd_.begin())
        return;
    event.ts = crowd_.begin();
    add(event);
}

void TrackAssembler::add(const EventRecord &event) {
    if (crowd_.compare(event.ts) != 0)
        return addOutsider(event);
    switch (event.type) {
        case EventType::Begin:
            open_.push_back(rows_.size());
            [[fallthrough]];
        case EventType::Unfinished:
            return push(event, crowd_.end() - event.ts, SliceState::Unfinished);
        case EventType::End:
            return end(event);
        default:
            return push(event, event.dur, SliceState::Ok);
    }
}

// An end with a name closes the nearest open begin of that name, one without closes the nearest.
void TrackAssembler::end(const EventRecord &event) {
    for (std::size_t i = open_.size(); i-- > 0;)
        if (event.name == 0 || rows_[open_[i]].name.value == event.name)
            return close(i, event);
    warnings_.add("unmatched_end", "Ends without a begin of the same name on their thread were left out.",
                  event.offset);
}

// What began inside and never ended lasts no longer than what it is inside of.
void TrackAssembler::close(std::size_t openIndex, const EventRecord &event) {
    const Ns now = event.ts - crowd_.begin();
    for (std::size_t i = openIndex; i < open_.size(); ++i)
        rows_[open_[i]].dur = now - rows_[open_[i]].ts;
    SliceRow &closed = rows_[open_[openIndex]];
    closed.state = SliceState::Ok;
    if (!closed.args.valid() || event.aux == kWholeArgs)
        closed.args = ArgSetId(event.args);
    else if (event.args != 0)
        warnings_.add("ignored_arguments",
                      "Ends that carry arguments beside those of their begin: the begin's are kept.",
                      event.offset);
    open_.resize(openIndex);
}

void TrackAssembler::orderTie(std::size_t first, std::size_t last) {
    std::vector<std::pair<SliceRow, SliceOrigin>> tie;
    for (std::size_t i = first; i < last; ++i)
        tie.emplace_back(rows_[i], origins_[i]);
    std::stable_sort(tie.begin(), tie.end(),
                     [](const auto &a, const auto &b) { return a.first.dur > b.first.dur; });
    for (std::size_t i = first; i < last; ++i) {
        rows_[i] = tie[i - first].first;
        origins_[i] = tie[i - first].second;
    }
}

void TrackAssembler::orderTies() {
    const auto shorterFirst = [](const SliceRow &a, const SliceRow &b) { return a.dur < b.dur; };
    for (std::size_t first = 0; first < rows_.size();) {
        std::size_t last = first + 1;
        while (last < rows_.size() && rows_[last].ts == rows_[first].ts)
            ++last;
        const auto begin = rows_.begin() + static_cast<std::ptrdiff_t>(first);
        if (std::adjacent_find(begin, rows_.begin() + static_cast<std::ptrdiff_t>(last), shorterFirst) !=
            rows_.begin() + static_cast<std::ptrdiff_t>(last))
            orderTie(first, last);
        first = last;
    }
}

void TrackAssembler::finish() {
    for (std::size_t i = 0; i < rows_.size(); ++i)
        if (rows_[i].state == SliceState::Unfinished)
            warnings_.add("unfinished_slice",
                          "Slices that were begun and never ended run to the end of what they are in.",
                          origins_[i].offset);
    orderTies();
}

}  // namespace wattproof::importers
