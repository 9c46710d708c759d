// What names a track beyond one workspace: the hash of its source and its path there.
#pragma once

#include "store/result.h"
#include "store/rows.h"
#include "store/sqlite/database.h"

#include <string>

namespace wattproof::store {

struct TrackAnchor {
    std::string sha256;
    std::string path;  // process, thread, kind, stream and name: "1234/5678/thread//python"
    TimeMap map;
};

[[nodiscard]] Expected<TrackAnchor> anchorOf(const sqlite::Database &, TrackId);

}  // namespace wattproof::store
