#include "widgets/events/track_names.h"

#include "widgets/panes/words.h"
#include "widgets/timeline/track_tree.h"

#include <algorithm>

namespace wattproof::widgets {

TrackNames::TrackNames(const RunTables &tables) {
    const TrackTree tree = buildTrackTree(tables);
    for (const TrackNode &node : tree.nodes) {
        if (node.kind != NodeKind::Slices)
            continue;
        const QString group = node.parent < 0 ? QString() : qs(tree.nodes[static_cast<std::size_t>(node.parent)].label);
        names_.emplace(node.track, Names{qs(node.label), group});
    }
}

const TrackNames::Names &TrackNames::of(TrackId track) const {
    static const Names unknown;
    const auto found = names_.find(track);
    return found == names_.end() ? unknown : found->second;
}

std::vector<TrackId> TrackNames::matching(const QString &text) const {
    std::vector<TrackId> tracks;
    for (const auto &[track, names] : names_)
        if (names.track.contains(text, Qt::CaseInsensitive) || names.group.contains(text, Qt::CaseInsensitive))
            tracks.push_back(track);
    std::sort(tracks.begin(), tracks.end());
    return tracks;
}

}  // namespace wattproof::widgets
