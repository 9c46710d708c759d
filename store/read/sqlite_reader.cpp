#include "store/read/sqlite_reader.h"

#include "store/slice_flags.h"

namespace wattproof::store {
namespace {

constexpr int kGapPeriods = 5;  // docs/methods.md

constexpr const char *kTrackSpan =
    "SELECT t.id, t.first_id, t.last_id, t.min_ts, t.max_end, a.base_ns, a.offset_ns, a.drift_ppb, a.anchor_ns "
    "FROM track t JOIN alignment a ON a.source_id = t.source_id";

TimeMap mapFrom(const sqlite::Statement &row, int column) {
    return {row.integer(column), row.integer(column + 1), row.integer(column + 2), row.integer(column + 3)};
}

TrackSpan spanFrom(const sqlite::Statement &row) {
    return {row.id<TrackId>(0), row.integer(1), row.integer(2), {row.integer(3), row.integer(4)}, mapFrom(row, 5)};
}

}  // namespace

std::string tracksCondition(const std::vector<TrackId> &tracks) {
    if (tracks.empty())
        return " ORDER BY t.id";
    std::string list;
    for (const TrackId track : tracks)
        list += (list.empty() ? "" : ", ") + std::to_string(track.value);
    return " WHERE t.id IN (" + list + ") ORDER BY t.id";
}

SliceRow sliceFrom(const sqlite::Statement &row, const TimeMap &map) {
    SliceRow slice;
    slice.id = row.id<SliceId>(0);
    slice.track = row.id<TrackId>(1);
    const Ns begin = row.integer(2);
    slice.ts = map.toWorkspace(begin);
    slice.dur = map.toWorkspace(begin + row.integer(3)) - slice.ts;
    slice.depth = row.int32(4);
    slice.lane = row.int32(5);
    slice.row = row.int32(6);
    slice.parent = row.id<SliceId>(7);
    slice.name = row.id<StringId>(8);
    slice.category = row.id<StringId>(9);
    slice.state = stateOf(row.integer(10));
    slice.kind = kindOf(row.integer(10));
    slice.args = row.id<ArgSetId>(11);
    return slice;
}

Expected<std::unique_ptr<Reader>> SqliteReader::make(std::shared_ptr<const Place> place) {
    auto database = place->connectToRead();
    if (!database)
        return passOn(database);
    return std::unique_ptr<Reader>(new SqliteReader(std::move(place), std::move(*database)));
}

Expected<std::vector<TrackSpan>> SqliteReader::trackSpans(const std::string &condition) const {
    return collect<TrackSpan>(kTrackSpan + condition, spanFrom);
}

Expected<TrackSpan> SqliteReader::trackSpan(TrackId id) const {
    auto spans = trackSpans(" WHERE t.id = " + std::to_string(id.value));
    if (!spans)
        return passOn(spans);
    if (spans->empty())
        return failure("there is no such track", {}, "choose one of the workspace's tracks");
    return spans->front();
}

Expected<SqliteReader::CounterSpan> SqliteReader::counterSpan(CounterId id) const {
    auto spans = collect<CounterSpan>(
        "SELECT c.first_id, c.last_id, c.period, coalesce((SELECT CAST(m.value * 1e9 AS INTEGER) "
        "FROM metadata_value m WHERE m.source_id = c.source_id AND m.key = 'max_gap_s'), " +
            std::to_string(kGapPeriods) +
            " * c.period), a.base_ns, a.offset_ns, a.drift_ppb, a.anchor_ns FROM counter c "
            "JOIN alignment a ON a.source_id = c.source_id WHERE c.id = " +
            std::to_string(id.value),
        [](const sqlite::Statement &row) {
            return CounterSpan{row.integer(0), row.integer(1), row.integer(2), row.integer(3), mapFrom(row, 4)};
        });
    if (!spans)
        return passOn(spans);
    if (spans->empty())
        return failure("there is no such counter", {}, "choose one of the workspace's counters");
    return spans->front();
}

Expected<TrackSpan> SqliteReader::trackOfSlice(SliceId id) const {
    auto spans = trackSpans(" JOIN slice s ON s.track_id = t.id WHERE s.id = " + std::to_string(id.value));
    if (!spans)
        return passOn(spans);
    if (spans->empty())
        return failure("there is no such slice", {}, "choose one of the workspace's slices");
    return spans->front();
}

Expected<const TrackBlocks *> SqliteReader::blocksOf(const TrackSpan &track) {
    const auto known = blocks_.find(track.id.value);
    if (known != blocks_.end())
        return &known->second;
    auto statement = database_->prepare("SELECT data FROM track_blocks WHERE track_id = ?");
    if (!statement)
        return passOn(statement);
    statement->bindAll(track.id);
    TrackBlocks blocks;
    if (statement->step())
        blocks = unpackBlocks(statement->blob(0), track.firstId);
    if (Status status = statement->status(); !status)
        return passOn(status);
    return &blocks_.emplace(track.id.value, std::move(blocks)).first->second;
}

Expected<SliceScan> SqliteReader::scanOf(const TrackSpan &track, TimeRange range) {
    SliceScan scan;
    scan.range = {track.map.toSource(range.begin), track.map.toSource(range.end)};
    scan.first = track.firstId;
    scan.end = track.lastId + 1;
    if (track.slices() <= kSlicesPerBlock)
        return scan;
    auto blocks = blocksOf(track);
    if (!blocks)
        return passOn(blocks);
    const auto &list = (*blocks)->blocks;
    if (list.empty())
        return scan;
    const std::size_t at = (*blocks)->before(scan.range.begin);
    const auto blocksToEnd = static_cast<std::int64_t>((*blocks)->before(scan.range.end)) + 1;
    scan.open = list[at].open;
    scan.end = std::min(scan.end, scan.first + blocksToEnd * kSlicesPerBlock);
    scan.first += static_cast<std::int64_t>(at) * kSlicesPerBlock;
    return scan;
}

Expected<const std::vector<LevelDirectory> *> SqliteReader::levelsOf(std::int64_t owner, TileOwner kind) {
    const auto known = levels_.find({kind, owner});
    if (known != levels_.end())
        return &known->second;
    auto statement = database_->prepare(
        "SELECT bucket, first_tile, directory FROM tile_level WHERE owner_id = ? AND owner_kind = ? ORDER BY "
        "bucket");
    if (!statement)
        return passOn(statement);
    statement->bindAll(owner, static_cast<int>(kind));
    auto levels = collect<LevelDirectory>(*statement, [](const sqlite::Statement &row) {
        return LevelDirectory{row.integer(0), row.integer(1), unpackDirectory(row.blob(2))};
    });
    if (!levels)
        return passOn(levels);
    return &levels_.emplace(std::pair(kind, owner), std::move(*levels)).first->second;
}

Expected<std::int64_t> SqliteReader::lowerBound(const char *sql, std::int64_t first, std::int64_t last,
                                                Ns ts) const {
    auto statement = database_->prepare(sql);
    if (!statement)
        return passOn(statement);
    std::int64_t end = last + 1;
    while (first < end) {
        const std::int64_t middle = first + (end - first) / 2;
        statement->reset();
        statement->bindAll(middle);
        if (!statement->step()) {
            Status status = statement->status();
            return status ? failure("the workspace is damaged: a row is missing", database_->path())
                          : passOn(status);
        }
        if (statement->integer(0) < ts)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

}  // namespace wattproof::store
