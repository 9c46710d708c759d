// The slices of a track that pass a filter of the events table, block by block and in either direction. Columns that
// the filter does not need, or that no slice of a block gets as far as, are not read.
#pragma once

#include "store/events.h"
#include "store/read/name_set.h"
#include "store/read/slice_blocks.h"

#include <optional>
#include <vector>

namespace wattproof::store {

class EventBlocks {
public:
    EventBlocks(const sqlite::Database &database, const EventFilter &filter)
        : database_(database),
          filter_(filter),
          names_(database, {SliceColumn::Name}),
          categories_(database, {SliceColumn::Category}),
          times_(database, {SliceColumn::Dur, SliceColumn::Ts}) {}

    [[nodiscard]] Status findTexts();  // comes first
    // No slice can pass: a text that no name has.
    [[nodiscard]] bool isEmpty() const;

    // Indexes of the slices in the block of `id` that pass; in the scan's range where the filter has one.
    [[nodiscard]] Status load(const TrackSpan &, const SliceScan &, std::int64_t id);
    [[nodiscard]] const std::vector<std::size_t> &passed() const { return passed_; }
    [[nodiscard]] std::int64_t id(std::size_t i) const { return times_.id(i); }
    // In workspace time.
    [[nodiscard]] Ns ts(const TrackSpan &, std::size_t i) const;
    [[nodiscard]] Ns dur(const TrackSpan &, std::size_t i) const;

private:
    [[nodiscard]] Status keepTexts(const std::optional<NameSet> &set, SliceBlocks &blocks, SliceColumn column,
                                   const TrackSpan &, std::int64_t id);
    [[nodiscard]] bool fitsTime(const TrackSpan &, const SliceScan &, std::size_t i) const;

    const sqlite::Database &database_;
    EventFilter filter_;
    std::optional<NameSet> nameSet_, categorySet_;
    SliceBlocks names_, categories_, times_;
    std::vector<std::size_t> passed_;
};

}  // namespace wattproof::store
