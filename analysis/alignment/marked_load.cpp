#include "analysis/alignment/marked_load.h"

#include "store/load_marks.h"

#include <limits>
#include <set>

namespace wattproof::analysis {

Expected<std::vector<MarkedLoad>> readMarkedLoads(store::Reader &reader, const std::stop_token &stop) {
    auto sources = reader.sources();
    if (!sources)
        return passOn(sources);
    std::set<SourceId> lists;
    for (const SourceRow &source : *sources)
        if (source.format == kLoadMarksFormat)
            lists.insert(source.id);
    auto tracks = reader.tracks();
    if (!tracks)
        return passOn(tracks);
    std::vector<MarkedLoad> loads;
    for (const TrackRow &track : *tracks) {
        if (!lists.contains(track.source))
            continue;
        auto slices = reader.slices(track.id, {track.extent.begin, track.extent.end + 1},
                                    std::numeric_limits<std::int64_t>::max(), stop);
        if (!slices)
            return passOn(slices);
        std::vector<TimeRange> ranges;
        for (const SliceRow &slice : *slices)
            if (slice.kind == SliceKind::Slice)
                ranges.push_back({slice.ts, slice.ts + slice.dur});
        loads.push_back({track.source, unionOf(std::move(ranges))});
    }
    return loads;
}

}  // namespace wattproof::analysis
