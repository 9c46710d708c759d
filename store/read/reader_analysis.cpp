// What the analysis reads in bulk: GPU operations, host calls, arguments.
#include "store/read/name_set.h"
#include "store/read/sqlite_reader.h"

#include <algorithm>
#include <cstdlib>
#include <map>

#include <sqlite3.h>

namespace wattproof::store {
namespace {

using ClassIndex = std::map<std::pair<std::string, std::string>, std::int32_t>;

// The class of each name, as an index into the table's classes; the first is "no class".
Expected<std::unordered_map<std::int64_t, std::int32_t>> readClasses(const sqlite::Database &database,
                                                                     std::vector<KernelTable::Class> &classes) {
    auto statement = database.prepare("SELECT name_id, op_class, precision FROM name_class");
    if (!statement)
        return passOn(statement);
    ClassIndex index{{{"", ""}, 0}};
    classes.push_back({});
    std::unordered_map<std::int64_t, std::int32_t> ofName;
    while (statement->step()) {
        const auto next = static_cast<std::int32_t>(classes.size());
        const auto entry = index.try_emplace({statement->string(1), statement->string(2)}, next);
        if (entry.second)
            classes.push_back({statement->string(1), statement->string(2)});
        ofName[statement->integer(0)] = entry.first->second;
    }
    if (Status status = statement->status(); !status)
        return passOn(status);
    return ofName;
}

Expected<std::unordered_map<std::int64_t, std::int64_t>> readAliases(const sqlite::Database &database) {
    auto statement = database.prepare(
        "SELECT o.id, x.device_id FROM device_alias x JOIN device o ON o.source_id = x.source_id "
        "AND o.native_id = x.native_id");
    if (!statement)
        return passOn(statement);
    std::unordered_map<std::int64_t, std::int64_t> aliases;
    while (statement->step())
        aliases[statement->integer(0)] = statement->integer(1);
    if (Status status = statement->status(); !status)
        return passOn(status);
    return aliases;
}

KernelInterval kernelFrom(const sqlite::Statement &row, const TimeMap &map) {
    KernelInterval kernel;
    kernel.slice = row.id<SliceId>(0);
    kernel.track = row.id<TrackId>(1);
    const Ns begin = row.integer(2);
    kernel.range = map.toWorkspace(TimeRange{begin, begin + row.integer(3)});
    kernel.name = row.id<StringId>(4);
    kernel.activity = static_cast<GpuActivity>(row.integer(5));
    kernel.device = row.id<DeviceId>(6);
    kernel.launch = row.id<SliceId>(7);
    kernel.copyKind = static_cast<CopyKind>(row.integer(8));
    kernel.bytes = row.isNull(9) ? -1 : row.integer(9);
    kernel.correlation = row.integer(10);
    return kernel;
}

template <class Row>
void sortByTime(std::vector<Row> &rows) {
    std::stable_sort(rows.begin(), rows.end(),
                     [](const Row &a, const Row &b) { return a.range.begin < b.range.begin; });
}

std::optional<double> numberFrom(const sqlite::Statement &row) {
    if (row.type(0) == SQLITE_INTEGER || row.type(0) == SQLITE_FLOAT)
        return row.real(0);
    const std::string text = row.string(0);
    char *end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    return !text.empty() && *end == '\0' ? std::optional(value) : std::nullopt;
}

}  // namespace

Expected<KernelTable> SqliteReader::kernels(std::stop_token stop) {
    KernelTable table;
    auto classes = readClasses(*database_, table.classes);
    if (!classes)
        return passOn(classes);
    auto aliases = readAliases(*database_);
    if (!aliases)
        return passOn(aliases);
    auto tracks = trackSpans("");
    if (!tracks)
        return passOn(tracks);
    auto statement = database_->prepare(
        "SELECT s.id, s.track_id, s.ts, s.dur, s.name_id, g.activity, g.device_id, g.launch_id, g.copy_kind, "
        "g.bytes, "
        "g.correlation FROM gpu_op g CROSS JOIN slice s ON s.id = g.slice_id WHERE g.slice_id BETWEEN ? AND ?");
    if (!statement)
        return passOn(statement);
    const sqlite::Interruptible interruptible(*database_, stop);
    for (const TrackSpan &track : *tracks) {
        statement->reset();
        statement->bindAll(track.firstId, track.lastId);
        while (statement->step()) {
            KernelInterval kernel = kernelFrom(*statement, track.map);
            const auto kernelClass = classes->find(kernel.name.value);
            kernel.classIndex = kernelClass == classes->end() ? 0 : kernelClass->second;
            const auto alias = aliases->find(kernel.device.value);
            if (alias != aliases->end())
                kernel.device = DeviceId{alias->second};
            table.kernels.push_back(kernel);
        }
        if (Status status = statement->status(); !status)
            return passOn(status);
    }
    sortByTime(table.kernels);
    return table;
}

Expected<std::vector<HostCall>> SqliteReader::hostCalls(const std::vector<std::string> &categories,
                                                        TimeRange range, std::stop_token stop) {
    auto wanted = NameSet::of(*database_, categories);
    if (!wanted)
        return passOn(wanted);
    auto tracks = trackSpans(" WHERE t.kind = 'thread'");
    if (!tracks)
        return passOn(tracks);
    const sqlite::Interruptible interruptible(*database_, stop);
    std::vector<HostCall> calls;
    for (const TrackSpan &track : *tracks) {
        auto scan = scanOf(track, range);
        if (!scan)
            return passOn(scan);
        auto statement =
            database_->prepare(scan->sql("id, ts, dur, name_id, category_id, depth", " AND s.flags < 4"));
        if (!statement)
            return passOn(statement);
        while (statement->step()) {
            if (!categories.empty() && !wanted->has(statement->integer(4)))
                continue;
            const Ns begin = statement->integer(1);
            calls.push_back({statement->id<SliceId>(0), track.id,
                             track.map.toWorkspace(TimeRange{begin, begin + statement->integer(2)}),
                             statement->id<StringId>(3), statement->id<StringId>(4), statement->int32(5)});
        }
        if (Status status = statement->status(); !status)
            return passOn(status);
    }
    sortByTime(calls);
    return calls;
}

Expected<std::vector<std::pair<SliceId, double>>> SqliteReader::numericArgument(const std::vector<SliceId> &slices,
                                                                                std::string_view key) {
    auto statement = database_->prepare("SELECT value FROM args WHERE slice_id = ? AND key = ?");
    if (!statement)
        return passOn(statement);
    std::vector<std::pair<SliceId, double>> values;
    for (const SliceId id : slices) {
        statement->reset();
        statement->bindAll(id, key);
        if (statement->step()) {
            if (const auto value = numberFrom(*statement))
                values.emplace_back(id, *value);
        }
        if (Status status = statement->status(); !status)
            return passOn(status);
    }
    return values;
}

}  // namespace wattproof::store
