// Single slices and their relations, and lists of slices.
#include "store/read/sqlite_reader.h"

#include <algorithm>

namespace wattproof::store {
namespace {

constexpr std::int64_t kMostLaunched = 100;

std::optional<std::array<std::int64_t, 3>> dimensionsFrom(std::string_view text) {
    std::array<std::int64_t, 3> values{};
    if (text.empty() ||
        std::sscanf(std::string(text).c_str(), "%ld,%ld,%ld", &values[0], &values[1], &values[2]) != 3)
        return std::nullopt;
    return values;
}

// Of the scan, in the order of ids. Every row touches the range: it runs, or begins, inside.
std::string rowsOf(const SliceScan &scan) {
    const std::string begin = std::to_string(scan.range.begin);
    const std::string select = std::string("SELECT ") + kSliceColumns + " FROM slice s WHERE ";
    const std::string touches = " AND s.ts < " + std::to_string(scan.range.end) + " AND (s.ts + s.dur > " + begin +
                                " OR s.ts >= " + begin + ")";
    std::string ids;
    for (const std::int64_t id : scan.open)
        ids += (ids.empty() ? "" : ", ") + std::to_string(id);
    return select + "s.id IN (" + ids + ")" + touches + " UNION ALL " + select +
           "s.id >= " + std::to_string(scan.first) + " AND s.id < " + std::to_string(scan.end) + touches;
}

GpuOpRow gpuOpFrom(const sqlite::Statement &row) {
    GpuOpRow op;
    op.slice = row.id<SliceId>(0);
    op.activity = static_cast<GpuActivity>(row.integer(1));
    op.device = row.id<DeviceId>(2);
    op.stream = row.string(3);
    op.correlation = row.integer(4);
    op.grid = dimensionsFrom(row.text(5));
    op.block = dimensionsFrom(row.text(6));
    op.occupancy = row.optionalReal(7);
    op.bytes = row.optionalInteger(8);
    op.flops = row.optionalReal(9);
    op.copyKind = static_cast<CopyKind>(row.integer(10));
    op.launch = row.id<SliceId>(11);
    return op;
}

}  // namespace

Expected<SliceDetails> SqliteReader::slice(SliceId id) {
    auto track = trackOfSlice(id);
    if (!track)
        return passOn(track);
    auto statement = database_->prepare(std::string("SELECT ") + kSliceColumns +
                                        ", t.name, t.source_id FROM slice s JOIN track t ON t.id = s.track_id "
                                        "WHERE s.id = ?");
    if (!statement)
        return passOn(statement);
    statement->bindAll(id);
    SliceDetails details;
    if (statement->step()) {
        details.slice = sliceFrom(*statement, track->map);
        details.trackName = statement->string(12);
        details.source = statement->id<SourceId>(13);
    }
    Status status = statement->status();
    if (status)
        status = describe(details);
    if (status)
        status = relate(details);
    if (!status)
        return passOn(status);
    return details;
}

// Name, arguments, GPU operation, class and joules.
Status SqliteReader::describe(SliceDetails &details) const {
    const SliceId id = details.slice.id;
    auto names = collect<std::string>(
        "SELECT coalesce((SELECT text FROM string WHERE id = " + std::to_string(details.slice.name.value) +
            "), '') UNION ALL SELECT coalesce((SELECT text FROM string WHERE id = " +
            std::to_string(details.slice.category.value) + "), '')",
        [](const sqlite::Statement &row) { return row.string(0); });
    if (!names)
        return passOn(names);
    details.name = names->at(0);
    details.category = names->at(1);
    const std::string where = " WHERE slice_id = " + std::to_string(id.value);
    auto arguments =
        collect<Argument>("SELECT key, type, value FROM args" + where, [](const sqlite::Statement &row) {
            return Argument{row.string(0), row.string(1), row.string(2)};
        });
    if (!arguments)
        return passOn(arguments);
    details.arguments = std::move(*arguments);
    auto ops = collect<GpuOpRow>("SELECT * FROM gpu_op" + where, gpuOpFrom);
    if (!ops)
        return passOn(ops);
    if (!ops->empty())
        details.gpuOp = ops->front();
    auto statement = database_->prepare(
        "SELECT k.op_class, k.precision, e.j, e.low, e.high FROM (SELECT 1) LEFT JOIN name_class k ON k.name_id = "
        "?1 "
        "LEFT JOIN (SELECT sum(j) AS j, sum(j_low) AS low, sum(j_high) AS high FROM energy_part WHERE slice_id = "
        "?2) e");
    if (!statement)
        return passOn(statement);
    statement->bindAll(details.slice.name, id);
    if (statement->step()) {
        details.opClass = statement->string(0);
        details.precision = statement->string(1);
        details.joules = statement->optionalReal(2);
        details.joulesLow = statement->optionalReal(3);
        details.joulesHigh = statement->optionalReal(4);
    }
    return statement->status();
}

// Ancestors, launched operations and flows.
Status SqliteReader::relate(SliceDetails &details) const {
    const SliceId id = details.slice.id;
    auto ancestors = idsOf(
        "WITH RECURSIVE up(id, step) AS (SELECT parent_id, 1 FROM slice WHERE id = ?1 UNION ALL SELECT "
        "s.parent_id, "
        "step + 1 FROM up JOIN slice s ON s.id = up.id WHERE step < 10000) SELECT id FROM up WHERE id IS NOT NULL "
        "ORDER BY step",
        id);
    auto launched = idsOf("SELECT slice_id FROM gpu_op WHERE launch_id = ?1 ORDER BY slice_id", id);
    auto in = idsOf("SELECT from_id FROM flow WHERE to_id = ?1 ORDER BY id", id);
    auto out = idsOf("SELECT to_id FROM flow WHERE from_id = ?1 ORDER BY id", id);
    for (auto *list : {&ancestors, &launched, &in, &out}) {
        if (!*list)
            return passOn(*list);
    }
    details.ancestors = std::move(*ancestors);
    details.launchedCount = static_cast<std::int64_t>(launched->size());
    launched->resize(static_cast<std::size_t>(std::min(details.launchedCount, kMostLaunched)));
    details.launched = std::move(*launched);
    details.flowsIn = std::move(*in);
    details.flowsOut = std::move(*out);
    return {};
}

Expected<std::vector<SliceId>> SqliteReader::idsOf(const char *sql, SliceId id) const {
    auto statement = database_->prepare(sql);
    if (!statement)
        return passOn(statement);
    statement->bindAll(id);
    return collect<SliceId>(*statement, [](const sqlite::Statement &row) { return row.id<SliceId>(0); });
}

Expected<std::optional<SliceRow>> SqliteReader::sliceRow(SliceId id, const TimeMap &map) const {
    auto statement = database_->prepare(std::string("SELECT ") + kSliceColumns + " FROM slice s WHERE s.id = ?");
    if (!statement)
        return passOn(statement);
    statement->bindAll(id);
    std::optional<SliceRow> row;
    if (statement->step())
        row = sliceFrom(*statement, map);
    if (Status status = statement->status(); !status)
        return passOn(status);
    return row;
}

// The last of the row that has begun: instants are met at their own nanosecond.
Expected<std::optional<SliceRow>> SqliteReader::sliceAt(TrackId id, std::int32_t row, Ns time) {
    using enum SliceColumn;
    auto track = trackSpan(id);
    if (!track)
        return passOn(track);
    SliceBlocks blocks(*database_, {Dur, Ts, Row});
    std::optional<std::int64_t> found;
    Status status = eachSlice(
        blocks, {*track}, {time, time + 1}, {}, [](const TrackSpan &) {},
        [&](const TrackSpan &, std::size_t i) {
            if (blocks[Row][i] == row)
                found = blocks.id(i);
        });
    if (!status)
        return passOn(status);
    return found ? sliceRow(SliceId{*found}, track->map) : std::nullopt;
}

Expected<std::optional<SliceRow>> SqliteReader::nextSlice(SliceId id, int direction) {
    auto track = trackOfSlice(id);
    if (!track)
        return passOn(track);
    SliceBlocks blocks(*database_, {SliceColumn::Row});
    const std::int64_t step = direction < 0 ? -1 : 1;
    std::optional<std::int64_t> row;
    for (std::int64_t at = id.value; at >= track->firstId && at <= track->lastId; at += step) {
        if (Status status = blocks.load(*track, at); !status)
            return passOn(status);
        const std::int64_t rowHere = blocks[SliceColumn::Row][static_cast<std::size_t>(at - blocks.firstId())];
        if (row && rowHere == *row)
            return sliceRow(SliceId{at}, track->map);
        if (!row)
            row = rowHere;
    }
    return std::nullopt;
}

Expected<std::vector<SliceRow>> SqliteReader::slices(TrackId id, TimeRange range, std::int64_t limit,
                                                     std::stop_token stop) {
    auto track = trackSpan(id);
    if (!track)
        return passOn(track);
    auto scan = scanOf(*track, range);
    if (!scan)
        return passOn(scan);
    return collect<SliceRow>(
        rowsOf(*scan) + " LIMIT " + std::to_string(limit),
        [&](const sqlite::Statement &s) { return sliceFrom(s, track->map); }, stop);
}

template <class Use>
Status SqliteReader::eachNamed(const NameSet &names, const std::stop_token &stop, Use use) const {
    if (names.empty())
        return {};
    auto tracks = trackSpans(" ORDER BY t.id");
    if (!tracks)
        return passOn(tracks);
    SliceBlocks blocks(*database_, {SliceColumn::Name});
    for (const TrackSpan &track : *tracks) {
        for (std::int64_t block = track.firstId; block <= track.lastId; block += kSlicesPerBlock) {
            if (stop.stop_requested())
                return cancelled();
            if (Status status = blocks.load(track, block); !status)
                return status;
            const auto &column = blocks[SliceColumn::Name];
            for (std::size_t i = 0; i < column.size(); ++i) {
                if (names.has(column[i]) && !use(track, SliceId{blocks.id(i)}))
                    return {};
            }
        }
    }
    return {};
}

Expected<std::vector<SliceRow>> SqliteReader::slicesByNameGlob(std::string_view glob, std::stop_token stop) {
    auto names = NameSet::matching(*database_, glob);
    if (!names)
        return passOn(names);
    auto statement = database_->prepare(std::string("SELECT ") + kSliceColumns + " FROM slice s WHERE s.id = ?");
    if (!statement)
        return passOn(statement);
    std::vector<SliceRow> found;
    Status status = eachNamed(*names, stop, [&](const TrackSpan &track, SliceId id) {
        statement->reset();
        statement->bindAll(id);
        if (statement->step())
            found.push_back(sliceFrom(*statement, track.map));
        return statement->status().has_value();
    });
    if (status)
        status = statement->status();
    if (!status)
        return passOn(status);
    std::stable_sort(found.begin(), found.end(), [](const SliceRow &a, const SliceRow &b) { return a.ts < b.ts; });
    return found;
}

}  // namespace wattproof::store
