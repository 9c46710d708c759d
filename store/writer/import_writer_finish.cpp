// The small tables of a source, the origin, the alignments, and making everything visible.
#include "store/schema/schema.h"
#include "store/sensor_json.h"
#include "store/writer/import_writer.h"

#include <algorithm>

namespace wattproof::store {
namespace {

bool isWall(ClockBasis clock) {
    return clock == ClockBasis::Epoch || clock == ClockBasis::WallAssumedZone;
}

Status insert(Inserts &inserts, const SourceRow &row) {
    return inserts.run("INSERT OR REPLACE INTO source VALUES(?,?,?,?,?,?,?,?,?,?,?,?)", row.id, word(row.kind),
                       row.path, row.format, static_cast<std::int64_t>(row.sizeBytes), row.sha256, row.importedAt,
                       row.toolVersion, word(row.clock), row.zone, row.statedBase, row.simulated ? 1 : 0);
}

Status insert(Inserts &inserts, const DeviceRow &row) {
    return inserts.run("INSERT OR REPLACE INTO device VALUES(?,?,?,?,?,?,?,?,?,?)", row.id, row.source, row.host,
                       word(row.kind), row.name, row.model, row.uuid, row.pci, row.nativeId, row.parent);
}

Status insert(Inserts &inserts, const ProcessRow &row) {
    return inserts.run("INSERT OR REPLACE INTO process VALUES(?,?,?,?,?,?)", row.id, row.source, row.pid, row.name,
                       row.labels, row.sortIndex);
}

Status insert(Inserts &inserts, const ThreadRow &row) {
    return inserts.run("INSERT OR REPLACE INTO thread VALUES(?,?,?,?,?,?)", row.id, row.source, row.process,
                       row.tid, row.name, row.sortIndex);
}

// A track without slices has an empty range of ids: 0 to -1.
Status insert(Inserts &inserts, const TrackRecord &record) {
    const TrackRow &row = record.row;
    return inserts.run("INSERT OR REPLACE INTO track VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?)", row.id, row.source,
                       word(row.kind), row.name, row.process, row.thread, row.parent, row.device, row.stream,
                       record.firstId, record.lastId, row.rowCount, record.extent.begin, record.extent.end);
}

Status insert(Inserts &inserts, const CounterRecord &record) {
    const CounterRow &row = record.row;
    return inserts.run("INSERT OR REPLACE INTO counter VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", row.id,
                       row.track, row.source, row.parent, row.name, row.device, row.domain, row.quantity, row.unit,
                       word(row.kind), sensorToJson(row.sensor), row.flagTable,
                       static_cast<std::int64_t>(row.modulus), record.firstId, record.lastId, record.extent.begin,
                       record.extent.end, row.minValue, row.maxValue, record.period);
}

const SourceId &sourceOf(const TrackRecord &record) {
    return record.row.source;
}
const SourceId &sourceOf(const CounterRecord &record) {
    return record.row.source;
}
template <class Row>
const SourceId &sourceOf(const Row &row) {
    return row.source;
}

template <class Record>
void pushThoseOf(InsertQueue &queue, SourceId source, const std::vector<Record> &records) {
    std::vector<Record> own;
    std::copy_if(records.begin(), records.end(), std::back_inserter(own),
                 [&](const Record &record) { return sourceOf(record) == source; });
    queue.push([rows = std::move(own)](Inserts &inserts) -> Status {
        for (const Record &row : rows) {
            if (Status status = insert(inserts, row); !status)
                return status;
        }
        return {};
    });
}

// Strings and shapes are nobody's own: another source may have met the same since.
bool isShared(std::size_t series) {
    return series == static_cast<std::size_t>(Series::String) ||
           series == static_cast<std::size_t>(Series::ArgShape);
}

Status deleteBetween(Inserts &inserts, const Marks &from, const Marks &to) {
    for (const auto &table : schema::numberedTables()) {
        const auto index = static_cast<std::size_t>(seriesOf(table.counter));
        if (isShared(index) || from[index] == to[index])
            continue;
        const std::string column = table.idColumn;
        Status status = inserts.database().execute("DELETE FROM " + std::string(table.name) + " WHERE " + column +
                                                   " > " + std::to_string(from[index]) + " AND " + column +
                                                   " <= " + std::to_string(to[index]));
        if (!status)
            return status;
    }
    return {};
}

Status insertRanges(Inserts &inserts, SourceId source, const Marks &from, const Marks &to) {
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (isShared(i) || from[i] == to[i])
            continue;
        Status status = inserts.run("INSERT OR REPLACE INTO source_range VALUES(?, ?, ?, ?)", source,
                                    nameOf(static_cast<Series>(i)), from[i] + 1, to[i]);
        if (!status)
            return status;
    }
    return {};
}

}  // namespace

void ImportWriter::pushRowsOf(SourceId source) {
    pushThoseOf(*queue_, source, devices_.records());
    pushThoseOf(*queue_, source, processes_.records());
    pushThoseOf(*queue_, source, threads_.records());
    pushThoseOf(*queue_, source, tracks_.records());
    pushThoseOf(*queue_, source, counters_.records());
    queue_->push([row = sources_.find(source.value)->row](Inserts &inserts) { return insert(inserts, row); });
}

void ImportWriter::pushWarningsAndMetadata(SourceId source) {
    for (const auto &warning : warnings_) {
        if (warning.second.source != source)
            continue;
        queue_->push([id = ++last(Series::Warning), row = warning.second](Inserts &inserts) {
            return inserts.run("INSERT INTO warning VALUES(?, ?, ?, ?, ?, ?)", id, row.source, row.kind, row.count,
                               row.firstPosition, row.message);
        });
    }
    for (const MetadataRow &entry : metadata_) {
        if (entry.source != source)
            continue;
        queue_->push([id = ++last(Series::Metadata), row = entry](Inserts &inserts) {
            return inserts.run("INSERT INTO metadata_value VALUES(?, ?, ?, ?)", id, row.source, row.key,
                               row.value);
        });
    }
}

Status ImportWriter::finishSource(SourceId id) {
    SourceRecord *record = sources_.find(id.value);
    if (record == nullptr || record->finished)
        return failure("a source was finished that is not open");
    record->finished = true;
    pushRowsOf(id);
    pushWarningsAndMetadata(id);
    record->after = currentMarks();
    return queue_->status();
}

// Sources with wall time go before those that state only a relative one: among them the earliest.
void ImportWriter::chooseOrigin() {
    bool found = false;
    for (const SourceRecord &record : sources_.records()) {
        const bool wall = isWall(record.row.clock);
        if (!record.finished || record.row.clock == ClockBasis::None || (found && origin_.wall && !wall))
            continue;
        if (!found || (wall && !origin_.wall) || record.row.statedBase < origin_.stated)
            origin_ = {record.row.statedBase, wall, true};
        found = true;
    }
    metadata_.push_back({SourceId{}, "origin_ns", std::to_string(origin_.stated)});
    metadata_.push_back({SourceId{}, "origin_clock", origin_.wall ? "wall" : "relative"});
}

// A source whose clock has nothing in common with the origin's is laid at the origin, until it is aligned.
Status ImportWriter::insertAlignment(Inserts &inserts, const SourceRow &row, const Origin &origin) {
    const Ns base = row.statedBase - origin.stated;
    const bool comparable = isWall(row.clock) == origin.wall;
    return inserts.run("INSERT OR REPLACE INTO alignment VALUES(?, ?, ?, 0, 0, ?, 0, 0, '')", row.id, base,
                       comparable ? Ns{0} : -base, comparable && origin.wall ? "wall-clock" : "none");
}

// One batch, so that all of it becomes visible in one transaction.
void ImportWriter::pushPublication() {
    std::vector<SourceRecord> finished;
    for (const SourceRecord &record : sources_.records()) {
        if (record.finished)
            finished.push_back(record);
    }
    queue_->push([marks = currentMarks(), finished, origin = origin_, last = ending_.last](Inserts &inserts) {
        for (std::size_t i = 0; i < marks.size(); ++i) {
            Status status = inserts.run("INSERT OR REPLACE INTO high_water VALUES(?, ?)",
                                        nameOf(static_cast<Series>(i)), marks[i]);
            if (!status)
                return status;
        }
        for (const SourceRecord &record : finished) {
            Status status = insertAlignment(inserts, record.row, origin);
            if (status)
                status = insertRanges(inserts, record.row.id, record.before, record.after);
            if (!status)
                return status;
        }
        return last(inserts);
    });
}

// What a source wrote whose import failed lies between the marks of its beginning and the next one's.
void ImportWriter::discardUnfinished() {
    const auto &records = sources_.records();
    for (std::size_t i = 0; i < records.size(); ++i) {
        if (records[i].finished)
            continue;
        const Marks from = records[i].before;
        const Marks to = i + 1 < records.size() ? records[i + 1].before : currentMarks();
        queue_->push([from, to](Inserts &inserts) { return deleteBetween(inserts, from, to); });
    }
}

Status ImportWriter::commit() {
    if (queue_ == nullptr)
        return failure("an import was committed twice");
    if (!newStrings_.texts.empty())
        pushStrings();
    if (!newArgs_.shapesAndEnds.empty())
        pushArgs();
    discardUnfinished();
    if (origin_.isNew)
        chooseOrigin();
    pushWarningsAndMetadata(SourceId{});
    pushPublication();
    queue_->finish();
    if (Status status = queue_->flush(); !status)
        return status;
    queue_.reset();
    Status status = ending_.closed();
    committed_ = status.has_value();
    return status;
}

}  // namespace wattproof::store
