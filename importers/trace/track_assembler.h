// Makes the slices of one track from its events in time order: pairs begins with ends, puts ties in order.
#pragma once

#include "importers/trace/event_record.h"
#include "importers/trace/time_crowd.h"
#include "importers/trace/warning_book.h"

#include <span>
#include <vector>

namespace wattproof::importers {

class TrackAssembler {
public:
    TrackAssembler(const TimeCrowd &crowd, WarningBook &warnings) : crowd_(crowd), warnings_(warnings) {}

    // Events of one track, `events` at most, ordered by (ts, file order). Afterwards finish() makes rows() and
    // origins() valid; their times count from the beginning of the crowd.
    void start(TrackId track, std::size_t events);
    void add(const EventRecord &);
    void finish();

    [[nodiscard]] std::span<SliceRow> rows() { return rows_; }
    [[nodiscard]] std::span<const SliceOrigin> origins() const { return origins_; }

private:
    void push(const EventRecord &, Ns dur, SliceState);
    void addOutsider(EventRecord);
    void end(const EventRecord &);
    void close(std::size_t openIndex, const EventRecord &);
    void orderTies();
    void orderTie(std::size_t first, std::size_t last);

    const TimeCrowd &crowd_;
    WarningBook &warnings_;
    TrackId track_;
    std::vector<SliceRow> rows_;
    std::vector<SliceOrigin> origins_;
    std::vector<std::size_t> open_;  // rows begun and not ended, outermost first
};

}  // namespace wattproof::importers
