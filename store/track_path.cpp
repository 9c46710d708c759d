#include "store/track_path.h"

namespace wattproof::store {
namespace {

constexpr const char *kSelect =
    "SELECT t.id, s.sha256, coalesce(p.pid, '') || '/' || coalesce(h.tid, '') || '/' || t.kind || '/' || t.stream "
    "|| "
    "'/' || t.name, a.base_ns, a.offset_ns, a.drift_ppb, a.anchor_ns FROM track t JOIN source s ON s.id = "
    "t.source_id "
    "JOIN alignment a ON a.source_id = s.id LEFT JOIN process p ON p.id = t.process_id "
    "LEFT JOIN thread h ON h.id = t.thread_id";

TrackAnchor anchorFrom(const sqlite::Statement &row) {
    return {row.string(1), row.string(2), {row.integer(3), row.integer(4), row.integer(5), row.integer(6)}};
}

}  // namespace

Expected<TrackAnchor> anchorOf(const sqlite::Database &database, TrackId track) {
    auto statement = database.prepare(std::string(kSelect) + " WHERE t.id = ?");
    if (!statement)
        return passOn(statement);
    statement->bindAll(track);
    if (statement->step())
        return anchorFrom(*statement);
    if (Status status = statement->status(); !status)
        return passOn(status);
    return failure("there is no such track", {}, "choose one of the workspace's tracks");
}

Expected<std::vector<std::pair<TrackId, std::string>>> trackPaths(const sqlite::Database &database,
                                                                  SourceId source) {
    auto statement = database.prepare(std::string(kSelect) + " WHERE t.source_id = ? ORDER BY t.id");
    if (!statement)
        return passOn(statement);
    statement->bindAll(source);
    std::vector<std::pair<TrackId, std::string>> paths;
    while (statement->step())
        paths.emplace_back(statement->id<TrackId>(0), statement->string(2));
    if (Status status = statement->status(); !status)
        return passOn(status);
    return paths;
}

}  // namespace wattproof::store
