#include "store/read/sqlite_reader.h"

namespace wattproof::store {
namespace {

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
    const std::int64_t flags = row.integer(10);
    slice.state = static_cast<SliceState>(flags & 3);
    slice.kind = static_cast<SliceKind>((flags >> 2) & 1);
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
        "SELECT c.first_id, c.last_id, c.period, a.base_ns, a.offset_ns, a.drift_ppb, a.anchor_ns FROM counter c "
        "JOIN alignment a ON a.source_id = c.source_id WHERE c.id = " +
            std::to_string(id.value),
        [](const sqlite::Statement &row) {
            return CounterSpan{row.integer(0), row.integer(1), row.integer(2), mapFrom(row, 3)};
        });
    if (!spans)
        return passOn(spans);
    if (spans->empty())
        return failure("there is no such counter", {}, "choose one of the workspace's counters");
    return spans->front();
}

Expected<TimeMap> SqliteReader::mapOfSlice(SliceId id) const {
    auto spans = trackSpans(" JOIN slice s ON s.track_id = t.id WHERE s.id = " + std::to_string(id.value));
    if (!spans)
        return passOn(spans);
    if (spans->empty())
        return failure("there is no such slice", {}, "choose one of the workspace's slices");
    return spans->front().map;
}

Expected<std::int64_t> SqliteReader::lowerBound(const char *sql, std::int64_t first, std::int64_t last, Ns ts) const {
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
            return status ? failure("the workspace is damaged: a row is missing", database_->path()) : passOn(status);
        }
        if (statement->integer(0) < ts)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

}  // namespace wattproof::store
