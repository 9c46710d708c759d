// What names a track beyond one workspace: the hash of its source and its path there.
#pragma once

#include "store/result.h"
#include "store/rows.h"
#include "store/sqlite/database.h"

#include <string>
#include <utility>
#include <vector>

namespace wattproof::store {

struct TrackAnchor {
    std::string sha256;
    std::string path;  // process, thread, kind, stream and name: "1234/5678/thread//python"
    TimeMap map;
};

[[nodiscard]] Expected<TrackAnchor> anchorOf(const sqlite::Database &, TrackId);
// The path of every track of a source, in the order of their ids.
[[nodiscard]] Expected<std::vector<std::pair<TrackId, std::string>>> trackPaths(const sqlite::Database &, SourceId);

}  // namespace wattproof::store
