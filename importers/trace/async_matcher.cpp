#include "importers/trace/async_matcher.h"

namespace wattproof::importers {

using Emit = std::function<void(const EventRecord &)>;

void AsyncMatcher::leaveOpen(const Emit &emit) {
    for (EventRecord &event : open_) {
        event.type = EventType::Unfinished;
        emit(event);
    }
    open_.clear();
}

void AsyncMatcher::take(const EventRecord &event, WarningBook &warnings, const Emit &emit) {
    if (event.type == EventType::Begin) {
        open_.push_back(event);
        return;
    }
    if (open_.empty()) {
        warnings.add("unmatched_end", "Ends without a begin of the same name on their thread were left out.",
                     event.offset);
        return;
    }
    EventRecord whole = open_.back();
    open_.pop_back();
    whole.dur = event.ts - whole.ts;
    whole.type = EventType::Complete;
    if (whole.args == 0 || event.aux == kWholeArgs)
        whole.args = event.args;
    else if (event.args != 0)
        warnings.add("ignored_arguments",
                     "Ends that carry arguments beside those of their begin: the begin's are kept.", event.offset);
    emit(whole);
}

Status AsyncMatcher::match(const TimeCrowd &crowd, WarningBook &warnings, const std::stop_token &stop,
                           const Emit &emit) {
    if (auto status = sorter_.seal(stop); !status)
        return status;
    std::uint64_t key = 0;
    for (const AsyncRecord *record = sorter_.peek(); record; record = sorter_.peek()) {
        if (record->key != key)
            leaveOpen(emit);
        key = record->key;
        EventRecord event = record->event;
        const int place = crowd.compare(event.ts);
        if (place != 0)
            warnings.add(
                "timestamp_outlier",
                "Events more than a year away from all others: their times cannot be right. Begins were moved "
                "to the start of the trace, everything else was left out.",
                event.offset);
        if (place < 0)
            event.ts = crowd.begin();
        if (place == 0 || (place < 0 && event.type == EventType::Begin))
            take(event, warnings, emit);
        sorter_.pop();
    }
    leaveOpen(emit);
    return sorter_.status();
}

}  // namespace wattproof::importers
