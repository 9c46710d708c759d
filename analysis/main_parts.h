// The main part of each trace as the analysis takes it: times, shares and loads are of it alone, so that one event an
// hour away does not dilute a second of work (store/main_cluster.h has the rule, the import's warning says what lies
// outside).
#pragma once

#include "store/reader.h"

#include <map>
#include <stop_token>
#include <vector>

namespace wattproof::analysis {

class MainParts {
public:
    [[nodiscard]] static Expected<MainParts> read(store::Reader &, const std::vector<SourceRow> &,
                                                  const std::vector<TrackRow> &);

    // Of a trace; its extent where nothing lies outside.
    [[nodiscard]] TimeRange of(SourceId) const;
    // Whether what a track holds at that time is part of it.
    [[nodiscard]] bool holds(TrackId track, TimeRange range) const {
        if (ofTrack_.empty())
            return true;
        const auto it = ofTrack_.find(track);
        return it == ofTrack_.end() || (range.begin <= it->second.end && it->second.begin <= range.end);
    }
    // Takes out the operations that lie outside, and ends unfinished ones with the main part.
    void trim(store::KernelTable &) const;

private:
    std::map<SourceId, TimeRange> ofSource_;
    std::map<TrackId, TimeRange> ofTrack_;  // of traces with something outside
};

// The operations of the main parts.
[[nodiscard]] Expected<store::KernelTable> mainOperations(store::Reader &, std::stop_token);

}  // namespace wattproof::analysis
