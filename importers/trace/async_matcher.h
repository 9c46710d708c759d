// Pairs asynchronous begins with ends by their key, across threads and processes.
#pragma once

#include "importers/trace/event_record.h"
#include "importers/trace/record_sorter.h"
#include "importers/trace/time_crowd.h"
#include "importers/trace/warning_book.h"

#include <functional>
#include <vector>

namespace wattproof::importers {

struct AsyncRecord {
    std::uint64_t key = 0;
    Ns ts = 0;
    std::uint64_t offset = 0;
    EventRecord event;  // type Begin or End; event.key is the track
};

class AsyncMatcher {
public:
    explicit AsyncMatcher(std::size_t budget) : sorter_(budget) {}

    void push(std::uint64_t key, const EventRecord &event) { sorter_.push({key, event.ts, event.offset, event}); }

    // Hands out complete and unfinished events, on the track of their begin.
    [[nodiscard]] Status match(const TimeCrowd &, WarningBook &, const std::stop_token &,
                               const std::function<void(const EventRecord &)> &emit);

private:
    void take(const EventRecord &, WarningBook &, const std::function<void(const EventRecord &)> &emit);
    void leaveOpen(const std::function<void(const EventRecord &)> &emit);

    RecordSorter<AsyncRecord> sorter_;
    std::vector<EventRecord> open_;  // of the key at hand
};

}  // namespace wattproof::importers
