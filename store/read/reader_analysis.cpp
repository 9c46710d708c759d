// What the analysis reads in bulk: GPU operations, host calls, arguments.
#include "store/read/sqlite_reader.h"
#include "store/slice_flags.h"

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

KernelInterval kernelFrom(const sqlite::Statement &row) {
    KernelInterval kernel;
    kernel.slice = row.id<SliceId>(0);
    kernel.activity = static_cast<GpuActivity>(row.integer(1));
    kernel.device = row.id<DeviceId>(2);
    kernel.launch = row.id<SliceId>(3);
    kernel.copyKind = static_cast<CopyKind>(row.integer(4));
    kernel.bytes = row.isNull(5) ? -1 : row.integer(5);
    kernel.correlation = row.integer(6);
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
        "SELECT slice_id, activity, device_id, launch_id, copy_kind, bytes, correlation FROM gpu_op "
        "WHERE slice_id BETWEEN ? AND ?");
    if (!statement)
        return passOn(statement);
    const sqlite::Interruptible interruptible(*database_, stop);
    SliceBlocks blocks(*database_, {SliceColumn::Name, SliceColumn::Dur, SliceColumn::Ts});
    for (const TrackSpan &track : *tracks) {
        statement->reset();
        statement->bindAll(track.firstId, track.lastId);
        while (statement->step()) {
            KernelInterval kernel = kernelFrom(*statement);
            if (Status status = blocks.load(track, kernel.slice.value); !status)
                return passOn(status);
            const auto i = static_cast<std::size_t>(kernel.slice.value - blocks.firstId());
            kernel.track = track.id;
            kernel.range = track.map.toWorkspace(blocks.range(i));
            kernel.name = StringId{blocks[SliceColumn::Name][i]};
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
    using enum SliceColumn;
    SliceBlocks blocks(*database_, {Name, Dur, Ts, Row, Flags, Category, RowAboveDepth});
    std::vector<HostCall> calls;
    Status status = eachSlice(
        blocks, *tracks, range, stop, [](const TrackSpan &) {},
        [&](const TrackSpan &track, std::size_t i) {
            const std::int64_t category = blocks[Category][i];
            if (kindOf(blocks[Flags][i]) == SliceKind::Instant || (!categories.empty() && !wanted->has(category)))
                return;
            calls.push_back({SliceId{blocks.id(i)}, track.id, track.map.toWorkspace(blocks.range(i)),
                             StringId{blocks[Name][i]}, StringId{category},
                             static_cast<std::int32_t>(blocks[Row][i] - blocks[RowAboveDepth][i])});
        });
    if (!status)
        return passOn(status);
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
