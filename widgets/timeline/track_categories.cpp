#include "widgets/timeline/track_categories.h"

#include <set>

namespace wattproof::widgets {
namespace {

constexpr std::int64_t kSlicesLookedAt = 500;

}  // namespace

std::map<TrackId, std::string> readCategories(store::Reader &reader, const std::vector<TrackRow> &tracks,
                                              const std::stop_token &stop) {
    std::map<TrackId, std::string> categories;
    for (const TrackRow &track : tracks) {
        if (track.sliceCount == 0)
            continue;
        if (stop.stop_requested())
            break;
        const auto slices = reader.slices(track.id, {track.extent.begin, track.extent.end + 1}, kSlicesLookedAt, stop);
        if (!slices)
            continue;
        std::set<StringId> ids;
        for (const SliceRow &slice : *slices)
            if (slice.category.valid())
                ids.insert(slice.category);
        const auto texts = reader.texts({ids.begin(), ids.end()});
        if (texts)
            for (const std::string &text : *texts)
                categories[track.id] += ' ' + lowerCase(text);
    }
    return categories;
}

void addCategories(TrackTree &tree, const std::map<TrackId, std::string> &categories) {
    for (const auto &[track, words] : categories)
        if (const int node = tree.find(track); node >= 0)
            tree.nodes[static_cast<std::size_t>(node)].words += words;
}

}  // namespace wattproof::widgets
