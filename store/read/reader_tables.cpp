// Whole small tables.
#include "store/main_cluster.h"
#include "store/read/sqlite_reader.h"
#include "store/sensor_json.h"

#include <algorithm>

namespace wattproof::store {
namespace {

constexpr const char *kMap = "a.base_ns, a.offset_ns, a.drift_ppb, a.anchor_ns";

TimeMap mapFrom(const sqlite::Statement &row, int column) {
    return {row.integer(column), row.integer(column + 1), row.integer(column + 2), row.integer(column + 3)};
}

// The device that the user or the alignment says it is.
constexpr const char *kDevice =
    "(SELECT coalesce(x.device_id, o.id) FROM device o LEFT JOIN device_alias x ON x.source_id = o.source_id "
    "AND x.native_id = o.native_id WHERE o.id = ";

SourceRow sourceFrom(const sqlite::Statement &row) {
    SourceRow source;
    source.id = row.id<SourceId>(0);
    source.kind = sourceKindFromWord(row.text(1)).value_or(SourceKind::Trace);
    source.path = row.string(2);
    source.format = row.string(3);
    source.sizeBytes = static_cast<std::uint64_t>(row.integer(4));
    source.sha256 = row.string(5);
    source.importedAt = row.string(6);
    source.toolVersion = row.string(7);
    source.clock = clockBasisFromWord(row.text(8)).value_or(ClockBasis::Relative);
    source.zone = row.string(9);
    source.statedBase = row.integer(10);
    source.simulated = row.integer(11) != 0;
    source.map = mapFrom(row, 12);
    return source;
}

TrackRow trackFrom(const sqlite::Statement &row) {
    TrackRow track;
    track.id = row.id<TrackId>(0);
    track.source = row.id<SourceId>(1);
    track.kind = trackKindFromWord(row.text(2)).value_or(TrackKind::Thread);
    track.name = row.string(3);
    track.process = row.id<ProcessId>(4);
    track.thread = row.id<ThreadId>(5);
    track.parent = row.id<TrackId>(6);
    track.device = row.id<DeviceId>(7);
    track.stream = row.string(8);
    track.sliceCount = row.integer(10) - row.integer(9) + 1;
    track.rowCount = row.int32(11);
    if (track.sliceCount > 0)
        track.extent = mapFrom(row, 14).toWorkspace(TimeRange{row.integer(12), row.integer(13)});
    else
        track.sliceCount = 0;
    return track;
}

CounterRow counterFrom(const sqlite::Statement &row) {
    CounterRow counter;
    counter.id = row.id<CounterId>(0);
    counter.track = row.id<TrackId>(1);
    counter.source = row.id<SourceId>(2);
    counter.parent = row.id<CounterId>(3);
    counter.name = row.string(4);
    counter.device = row.id<DeviceId>(5);
    counter.domain = row.string(6);
    counter.quantity = row.string(7);
    counter.unit = row.string(8);
    counter.kind = counterKindFromWord(row.text(9)).value_or(CounterKind::Gauge);
    counter.sensor = sensorFromJson(row.text(10));
    counter.flagTable = row.string(11);
    counter.modulus = static_cast<std::uint64_t>(row.integer(12));
    counter.sampleCount = std::max<std::int64_t>(0, row.integer(14) - row.integer(13) + 1);
    if (counter.sampleCount > 0)
        counter.extent = mapFrom(row, 19).toWorkspace(TimeRange{row.integer(15), row.integer(16)});
    counter.minValue = row.real(17);
    counter.maxValue = row.real(18);
    return counter;
}

}  // namespace

Expected<std::vector<SourceRow>> SqliteReader::sources() {
    return collect<SourceRow>(
        std::string(
            "SELECT s.id, s.kind, s.path, s.format, s.size_bytes, s.sha256, s.imported_at, s.tool_version, "
            "s.clock, s.zone, s.stated_base, s.simulated, ") +
            kMap + " FROM source s JOIN alignment a ON a.source_id = s.id ORDER BY s.id",
        sourceFrom);
}

Expected<std::vector<DeviceRow>> SqliteReader::devices() {
    return collect<DeviceRow>(
        "SELECT id, source_id, host, kind, name, model, uuid, pci, native_id, parent_id FROM device "
        "WHERE source_id IN (SELECT source_id FROM alignment) ORDER BY id",
        [](const sqlite::Statement &row) {
            return DeviceRow{row.id<DeviceId>(0), row.id<SourceId>(1),
                             row.string(2),       deviceKindFromWord(row.text(3)).value_or(DeviceKind::Other),
                             row.string(4),       row.string(5),
                             row.string(6),       row.string(7),
                             row.string(8),       row.id<DeviceId>(9)};
        });
}

Expected<std::vector<ProcessRow>> SqliteReader::processes() {
    return collect<ProcessRow>(
        "SELECT id, source_id, pid, name, labels, sort_index FROM process "
        "WHERE source_id IN (SELECT source_id FROM alignment) ORDER BY id",
        [](const sqlite::Statement &row) {
            return ProcessRow{row.id<ProcessId>(0), row.id<SourceId>(1), row.string(2),
                              row.string(3),        row.string(4),       row.optionalInteger(5)};
        });
}

Expected<std::vector<ThreadRow>> SqliteReader::threads() {
    return collect<ThreadRow>(
        "SELECT id, source_id, process_id, tid, name, sort_index FROM thread "
        "WHERE source_id IN (SELECT source_id FROM alignment) ORDER BY id",
        [](const sqlite::Statement &row) {
            return ThreadRow{row.id<ThreadId>(0), row.id<SourceId>(1), row.id<ProcessId>(2),
                             row.string(3),       row.string(4),       row.optionalInteger(5)};
        });
}

Expected<std::vector<TrackRow>> SqliteReader::tracks() {
    return collect<TrackRow>(
        std::string("SELECT t.id, t.source_id, t.kind, t.name, t.process_id, t.thread_id, t.parent_id, ") +
            kDevice + "t.device_id), t.stream, t.first_id, t.last_id, t.row_count, t.min_ts, t.max_end, " + kMap +
            " FROM track t JOIN alignment a ON a.source_id = t.source_id ORDER BY t.id",
        trackFrom);
}

Expected<std::vector<CounterRow>> SqliteReader::counters() {
    return collect<CounterRow>(
        std::string("SELECT c.id, c.track_id, c.source_id, c.parent_id, c.name, ") + kDevice +
            "c.device_id), c.domain, c.quantity, c.unit, c.kind, c.sensor, c.flag_table, c.modulus, c.first_id, "
            "c.last_id, c.min_ts, c.max_ts, c.min_value, c.max_value, " +
            kMap + " FROM counter c JOIN alignment a ON a.source_id = c.source_id ORDER BY c.id",
        counterFrom);
}

Expected<std::vector<WarningRow>> SqliteReader::warnings() {
    return collect<WarningRow>(
        "SELECT source_id, kind, count, first_position, message FROM warnings", [](const sqlite::Statement &row) {
            return WarningRow{row.id<SourceId>(0), row.string(1), row.integer(2), row.string(3), row.string(4)};
        });
}

Expected<std::vector<MetadataRow>> SqliteReader::metadata() {
    return collect<MetadataRow>("SELECT source_id, key, value FROM metadata", [](const sqlite::Statement &row) {
        return MetadataRow{row.id<SourceId>(0), row.string(1), row.string(2)};
    });
}

Expected<std::optional<std::string>> SqliteReader::metadata(SourceId source, std::string_view key) {
    auto statement = database_->prepare("SELECT value FROM metadata WHERE source_id IS ? AND key = ?");
    if (!statement)
        return passOn(statement);
    statement->bindAll(source, key);
    std::optional<std::string> value;
    if (statement->step())
        value = statement->string(0);
    if (Status status = statement->status(); !status)
        return passOn(status);
    return value;
}

Ns SqliteReader::origin() {
    const auto value =
        database_->integer("SELECT value FROM metadata WHERE source_id IS NULL AND key = 'origin_ns'");
    return value ? value->value_or(0) : 0;
}

Expected<TimeRange> SqliteReader::extentWhere(const std::string &condition) const {
    const std::string rest =
        " JOIN alignment a ON a.source_id = o.source_id WHERE o.last_id >= o.first_id" + condition;
    auto ranges =
        collect<TimeRange>(std::string("SELECT o.min_ts, o.max_end, ") + kMap + " FROM track o" + rest +
                               " UNION ALL SELECT o.min_ts, o.max_ts, " + kMap + " FROM counter o" + rest,
                           [](const sqlite::Statement &row) {
                               return mapFrom(row, 2).toWorkspace(TimeRange{row.integer(0), row.integer(1)});
                           });
    if (!ranges)
        return passOn(ranges);
    TimeRange whole;
    for (std::size_t i = 0; i < ranges->size(); ++i) {
        const TimeRange &range = (*ranges)[i];
        whole = i == 0 ? range : TimeRange{std::min(whole.begin, range.begin), std::max(whole.end, range.end)};
    }
    return whole;
}

Expected<TimeRange> SqliteReader::extent() {
    return extentWhere("");
}

Expected<TimeRange> SqliteReader::extent(SourceId source) {
    return extentWhere(" AND o.source_id = " + std::to_string(source.value));
}

namespace {

MainPart partOf(const SourceRow &source, TimeRange whole, const std::vector<MetadataRow> &metadata) {
    const auto cluster = mainClusterFrom(metadata, source.id);
    if (!cluster)
        return {whole};
    const TimeRange range = source.map.toWorkspace(TimeRange{cluster->begin, cluster->end});
    const TimeRange inside{std::max(range.begin, whole.begin), std::min(range.end, whole.end)};
    return inside.empty() ? MainPart{whole} : MainPart{inside, cluster->before, cluster->after};
}

}  // namespace

Expected<std::vector<SqliteReader::PartOfSource>> SqliteReader::partsOfSources(std::optional<SourceId> only) {
    auto all = sources();
    if (!all)
        return passOn(all);
    auto rows = metadata();
    if (!rows)
        return passOn(rows);
    std::vector<PartOfSource> parts;
    for (const SourceRow &source : *all) {
        if (only && source.id != *only)
            continue;
        auto whole = extent(source.id);
        if (!whole)
            return passOn(whole);
        if (*whole != TimeRange())
            parts.push_back({*whole, partOf(source, *whole, *rows)});
    }
    return parts;
}

Expected<MainPart> SqliteReader::mainPart(SourceId source) {
    auto parts = partsOfSources(source);
    if (!parts)
        return passOn(parts);
    return parts->empty() ? MainPart() : parts->front().main;
}

// What lies outside one source's cluster but inside another's range is not outside.
Expected<MainPart> SqliteReader::mainPart() {
    auto parts = partsOfSources();
    if (!parts || parts->empty())
        return parts ? Expected<MainPart>(MainPart()) : passOn(parts);
    MainPart all{parts->front().main.range};
    for (const auto &[whole, main] : *parts)
        all.range = {std::min(all.range.begin, main.range.begin), std::max(all.range.end, main.range.end)};
    for (const auto &[whole, main] : *parts) {
        all.before += whole.begin < all.range.begin ? main.before : 0;
        all.after += whole.end > all.range.end ? main.after : 0;
    }
    return all;
}

Expected<std::string> SqliteReader::text(StringId id) {
    auto all = texts({id});
    if (!all)
        return passOn(all);
    return std::move(all->front());
}

Expected<std::vector<std::string>> SqliteReader::texts(const std::vector<StringId> &ids) {
    auto statement = database_->prepare("SELECT text FROM string WHERE id = ?");
    if (!statement)
        return passOn(statement);
    std::vector<std::string> list;
    list.reserve(ids.size());
    for (const StringId id : ids) {
        statement->reset();
        statement->bindAll(id);
        list.push_back(statement->step() ? statement->string(0) : std::string());
        if (Status status = statement->status(); !status)
            return passOn(status);
    }
    return list;
}

Expected<std::vector<NameClass>> SqliteReader::classesOfNames() {
    return collect<NameClass>("SELECT name_id, op_class, precision FROM name_class", [](const sqlite::Statement &row) {
        return NameClass{row.id<StringId>(0), row.string(1), row.string(2)};
    });
}

Expected<std::vector<RequestRow>> SqliteReader::requests() {
    return collect<RequestRow>("SELECT name, ts, dur, units, ok, attributes FROM requests ORDER BY ts",
                               [](const sqlite::Statement &row) {
                                   return RequestRow{row.string(0),       row.integer(1),      row.integer(2),
                                                     row.optionalReal(3), row.integer(4) != 0, row.string(5)};
                               });
}

Expected<std::vector<QualityRow>> SqliteReader::quality() {
    return collect<QualityRow>(
        "SELECT metric, slice, value, threshold, higher_is_better FROM quality", [](const sqlite::Statement &row) {
            return QualityRow{row.string(0), row.string(1), row.real(2), row.optionalReal(3), row.integer(4) != 0};
        });
}

Expected<std::map<SourceId, RequestCounts>> SqliteReader::requestCounts() {
    const std::string sql =
        "SELECT source_id, sum(request), sum(failed), sum(untimed), sum(metric) FROM "
        "(SELECT source_id, 1 AS request, ok = 0 AS failed, instr(attributes, '" +
        std::string(kUntimedAttribute) +
        "') > 0 AS untimed, 0 AS metric FROM requests UNION ALL SELECT source_id, 0, 0, 0, 1 FROM quality) "
        "GROUP BY source_id";
    using Entry = std::pair<SourceId, RequestCounts>;
    auto rows = collect<Entry>(sql, [](const sqlite::Statement &row) {
        return Entry{row.id<SourceId>(0), {row.integer(1), row.integer(2), row.integer(3), row.integer(4)}};
    });
    if (!rows)
        return passOn(rows);
    return std::map<SourceId, RequestCounts>(rows->begin(), rows->end());
}

}  // namespace wattproof::store
