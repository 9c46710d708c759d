// Arrows: each flow event is bound to a slice of its track while that track is at hand; then the events of one key
// are followed in time order.
#pragma once

#include "importers/trace/event_record.h"
#include "importers/trace/record_sorter.h"
#include "importers/trace/time_crowd.h"
#include "importers/trace/trace_builder.h"
#include "importers/trace/warning_book.h"

#include <cstdint>
#include <span>
#include <vector>

namespace wattproof::importers {

class FlowBinder {
public:
    explicit FlowBinder(std::size_t budget) : waiting_(budget / 2), bound_(budget / 2) {}

    void push(const RawFlow &);
    [[nodiscard]] Status sealWaiting(const std::stop_token &stop) { return waiting_.seal(stop); }
    // Tracks in ascending order; rows as written, with their ids. Flows of tracks skipped in between stay unbound.
    void bindTrack(TrackId, std::span<const SliceRow> rows, std::span<const std::int32_t> parents,
                   const TimeCrowd &, std::span<const SliceOrigin> origins);
    // Number of arrows written.
    [[nodiscard]] Expected<std::int64_t> write(store::BulkWriter &, WarningBook &, const std::stop_token &);

private:
    struct Waiting {
        std::uint32_t key = 0;  // track
        std::uint32_t name = 0, category = 0;
        Ns ts = 0;
        std::uint64_t flow = 0, offset = 0;
        FlowPhase phase = FlowPhase::Start;
        FlowBinding binding = FlowBinding::EnclosingSlice;
        bool loneStartIsNormal = false;
    };
    struct Bound {
        std::uint64_t key = 0;  // flow
        Ns ts = 0;
        std::uint64_t offset = 0;
        std::int64_t slice = 0;  // 0: no slice to bind to
        std::uint32_t name = 0, category = 0;
        FlowPhase phase = FlowPhase::Start;
        bool loneStartIsNormal = false;
    };
    struct Chain;  // the events of one key so far

    void keep(const Waiting &, std::int64_t slice);
    void follow(const Bound &, Chain &, std::vector<FlowRow> &, WarningBook &) const;

    RecordSorter<Waiting> waiting_;
    RecordSorter<Bound> bound_;
};

}  // namespace wattproof::importers
