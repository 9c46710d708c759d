#include "analysis/main_parts.h"

#include <algorithm>
#include <utility>

namespace wattproof::analysis {

Expected<MainParts> MainParts::read(store::Reader &reader, const std::vector<SourceRow> &sources,
                                    const std::vector<TrackRow> &tracks) {
    MainParts parts;
    for (const SourceRow &source : sources) {
        if (source.kind != SourceKind::Trace)
            continue;
        auto part = reader.mainPart(source.id);
        if (!part)
            return passOn(part);
        parts.ofSource_[source.id] = part->range;
        for (const TrackRow &track : tracks)
            if (!part->isAll() && track.source == source.id)
                parts.ofTrack_[track.id] = part->range;
    }
    return parts;
}

TimeRange MainParts::of(SourceId source) const {
    const auto it = ofSource_.find(source);
    return it == ofSource_.end() ? TimeRange() : it->second;
}

void MainParts::trim(store::KernelTable &table) const {
    if (ofTrack_.empty())
        return;
    std::erase_if(table.kernels, [this](const store::KernelInterval &operation) {
        return !holds(operation.track, operation.range);
    });
    for (store::KernelInterval &operation : table.kernels)
        if (const auto it = ofTrack_.find(operation.track); it != ofTrack_.end())
            operation.range.end = std::min(operation.range.end, it->second.end);
}

Expected<store::KernelTable> mainOperations(store::Reader &reader, std::stop_token stop) {
    auto table = reader.kernels(std::move(stop));
    if (!table)
        return table;
    auto sources = reader.sources();
    if (!sources)
        return passOn(sources);
    auto tracks = reader.tracks();
    if (!tracks)
        return passOn(tracks);
    auto parts = MainParts::read(reader, *sources, *tracks);
    if (!parts)
        return passOn(parts);
    parts->trim(*table);
    return table;
}

}  // namespace wattproof::analysis
