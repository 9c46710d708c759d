#include "store/writer/import_writer.h"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace wattproof::store {
namespace {

constexpr std::size_t kArgBatchBytes = std::size_t{1} << 20U;
constexpr std::size_t kArgBatchRows = 4096;
constexpr std::size_t kStringBatchRows = 4096;

constexpr RowTable kStrings{"string", "INSERT INTO string VALUES(?, ?)"};
constexpr RowTable kArgSets{"arg_set", "INSERT INTO arg_set VALUES(?, ?, ?)"};

constexpr const char *kSeriesNames[] = {"source",  "metadata_value", "warning",    "device", "process",
                                        "thread",  "track",          "counter",    "string", "arg_shape",
                                        "arg_set", "slice",          "flow",       "sample", "thread_state",
                                        "request", "quality_value",  "tile_level", "tile"};

Status insertKeys(Inserts &inserts, std::int64_t shape, const std::string &keysJson) {
    const auto keys = nlohmann::json::parse(keysJson, nullptr, false);
    std::int64_t position = 0;
    for (const auto &key : keys.is_array() ? keys : nlohmann::json::array()) {
        const std::string text = key.is_string() ? key.get<std::string>() : key.dump();
        if (Status status = inserts.run("INSERT INTO arg_key VALUES(?, ?, ?)", shape, position++, text); !status)
            return status;
    }
    return {};
}

}  // namespace

const char *nameOf(Series series) {
    return kSeriesNames[static_cast<std::size_t>(series)];
}

Series seriesOf(std::string_view name) {
    const auto *const it = std::find(std::begin(kSeriesNames), std::end(kSeriesNames), name);
    return static_cast<Series>(it - std::begin(kSeriesNames));
}

ImportWriter::ImportWriter(std::unique_ptr<InsertQueue> queue, Ending ending)
    : queue_(std::move(queue)), ending_(std::move(ending)) {}

ImportWriter::~ImportWriter() {
    if (committed_)
        return;
    queue_.reset();
    ending_.abandon();
}

Marks ImportWriter::currentMarks() {
    last(Series::Source) = sources_.lastId();
    last(Series::Device) = devices_.lastId();
    last(Series::Process) = processes_.lastId();
    last(Series::Thread) = threads_.lastId();
    last(Series::Track) = tracks_.lastId();
    last(Series::Counter) = counters_.lastId();
    last(Series::String) = strings_.lastId();
    return marks_;
}

Status ImportWriter::continueFrom(const sqlite::Database &reader, SourceId replaced) {
    for (std::size_t i = 0; i < marks_.size(); ++i) {
        auto mark =
            reader.integer(std::string("SELECT last_id FROM high_water WHERE name = '") + kSeriesNames[i] + "'");
        if (!mark)
            return passOn(mark);
        marks_[i] = mark->value_or(0);
    }
    sources_.startAt(last(Series::Source) + 1);
    devices_.startAt(last(Series::Device) + 1);
    processes_.startAt(last(Series::Process) + 1);
    threads_.startAt(last(Series::Thread) + 1);
    tracks_.startAt(last(Series::Track) + 1);
    counters_.startAt(last(Series::Counter) + 1);
    auto texts = reader.prepare("SELECT text, id FROM string");
    if (!texts)
        return passOn(texts);
    while (texts->step())
        strings_.add(texts->text(0), texts->integer(1));
    strings_.startAt(last(Series::String) + 1);
    auto hashes = reader.prepare("SELECT sha256 FROM sources WHERE id <> ?");
    if (!hashes)
        return passOn(hashes);
    hashes->bindAll(replaced.value);
    while (hashes->step())
        knownHashes_.push_back(hashes->string(0));
    auto origin = reader.prepare("SELECT key, value FROM metadata_value WHERE source_id IS NULL");
    if (!origin)
        return passOn(origin);
    while (origin->step()) {
        if (origin->text(0) == "origin_ns")
            origin_ = {origin->integer(1), origin_.wall, false};
        else if (origin->text(0) == "origin_clock")
            origin_.wall = origin->text(1) == "wall";
    }
    return origin->status();
}

Expected<SourceId> ImportWriter::addSource(const SourceRow &row) {
    const Marks before = currentMarks();
    const SourceId id{sources_.add({row, before, before, false})};
    sources_.records().back().row.id = id;
    if (Status status = queue_->status(); !status)
        return passOn(status);
    return id;
}

Status ImportWriter::updateSource(const SourceRow &row) {
    if (SourceRecord *record = sources_.find(row.id.value))
        record->row = row;
    return queue_->status();
}

DeviceId ImportWriter::addDevice(const DeviceRow &row) {
    const DeviceId id{devices_.add(row)};
    devices_.records().back().id = id;
    return id;
}

void ImportWriter::updateDevice(const DeviceRow &row) {
    if (DeviceRow *held = devices_.find(row.id.value))
        *held = row;
}

ProcessId ImportWriter::addProcess(const ProcessRow &row) {
    const ProcessId id{processes_.add(row)};
    processes_.records().back().id = id;
    return id;
}

void ImportWriter::updateProcess(const ProcessRow &row) {
    if (ProcessRow *held = processes_.find(row.id.value))
        *held = row;
}

ThreadId ImportWriter::addThread(const ThreadRow &row) {
    const ThreadId id{threads_.add(row)};
    threads_.records().back().id = id;
    return id;
}

void ImportWriter::updateThread(const ThreadRow &row) {
    if (ThreadRow *held = threads_.find(row.id.value))
        *held = row;
}

TrackId ImportWriter::addTrack(const TrackRow &row) {
    const TrackId id{tracks_.add({row, 0, -1, {}})};
    tracks_.records().back().row.id = id;
    return id;
}

void ImportWriter::updateTrack(const TrackRow &row) {
    if (TrackRecord *held = tracks_.find(row.id.value)) {
        const std::int32_t rows = held->row.rowCount;
        held->row = row;
        held->row.rowCount = rows;
    }
}

CounterId ImportWriter::addCounter(const CounterRow &row) {
    CounterRow own = row;
    if (!own.track.valid()) {
        TrackRow track;
        track.source = row.source;
        track.kind = TrackKind::Counter;
        track.name = row.name;
        track.device = row.device;
        own.track = addTrack(track);
    }
    const CounterId id{counters_.add({own, 0, -1, {}, 0})};
    counters_.records().back().row.id = id;
    return id;
}

void ImportWriter::updateCounter(const CounterRow &row) {
    if (CounterRecord *held = counters_.find(row.id.value)) {
        const CounterRow before = held->row;
        held->row = row;
        held->row.track = row.track.valid() ? row.track : before.track;
        held->row.minValue = before.minValue;
        held->row.maxValue = before.maxValue;
    }
}

StringId ImportWriter::intern(std::string_view text) {
    const StringPool::Entry entry = strings_.intern(text);
    if (entry.isNew) {
        if (newStrings_.texts.empty())
            newStrings_.firstId = entry.id;
        newStrings_.texts.push_back(entry.text);
        if (newStrings_.texts.size() >= kStringBatchRows)
            pushStrings();
    }
    return StringId{entry.id};
}

// The pool keeps its texts where they are until the writer goes, so the batch may point to them.
void ImportWriter::pushStrings() {
    queue_->pushRows([batch = std::move(newStrings_)](RowTarget &target) -> Status {
        auto rows = target.rows(kStrings);
        if (!rows)
            return passOn(rows);
        std::int64_t id = batch.firstId;
        for (const std::string_view text : batch.texts) {
            if (!rows->append(id++, text))
                return rows->status();
        }
        return {};
    });
    newStrings_ = {};
}

void ImportWriter::classifyName(StringId name, std::string_view opClass, std::string_view precision) {
    queue_->push([name, opClass = std::string(opClass), precision = std::string(precision)](Inserts &inserts) {
        return inserts.run("INSERT OR REPLACE INTO name_class VALUES(?, ?, ?)", name, opClass, precision);
    });
}

std::int64_t ImportWriter::internArgShape(std::string_view keysJson) {
    const auto [it, isNew] = argShapes_.try_emplace(std::string(keysJson), last(Series::ArgShape) + 1);
    if (isNew) {
        ++last(Series::ArgShape);
        queue_->push(
            [id = it->second, keys = it->first](Inserts &inserts) { return insertKeys(inserts, id, keys); });
    }
    return it->second;
}

ArgSetId ImportWriter::addArgs(std::int64_t shape, std::string_view valuesJson) {
    const std::int64_t id = ++last(Series::ArgSet);
    if (newArgs_.shapesAndEnds.empty()) {
        newArgs_.firstId = id;
        newArgs_.text.reserve(kArgBatchBytes);
        newArgs_.shapesAndEnds.reserve(kArgBatchRows);
    }
    newArgs_.text.append(valuesJson);
    newArgs_.shapesAndEnds.emplace_back(shape, newArgs_.text.size());
    if (newArgs_.text.size() >= kArgBatchBytes || newArgs_.shapesAndEnds.size() >= kArgBatchRows)
        pushArgs();
    return ArgSetId{id};
}

void ImportWriter::pushArgs() {
    queue_->pushRows([batch = std::move(newArgs_)](RowTarget &target) -> Status {
        auto rows = target.rows(kArgSets);
        if (!rows)
            return passOn(rows);
        std::int64_t id = batch.firstId;
        std::size_t begin = 0;
        for (const auto &[shape, end] : batch.shapesAndEnds) {
            const std::string_view values(batch.text.data() + begin, end - begin);
            if (!rows->append(id++, shape, values))
                return rows->status();
            begin = end;
        }
        return {};
    });
    newArgs_ = {};
}

void ImportWriter::addMetadata(const MetadataRow &row) {
    metadata_.push_back(row);
}

void ImportWriter::addWarning(const WarningRow &row) {
    const auto [it, isNew] = warnings_.try_emplace({row.source.value, row.kind}, row);
    if (!isNew)
        it->second.count += row.count;
}

bool ImportWriter::hasSource(std::string_view sha256) {
    if (sha256.empty())
        return false;
    const auto &records = sources_.records();
    return std::find(knownHashes_.begin(), knownHashes_.end(), sha256) != knownHashes_.end() ||
           std::any_of(records.begin(), records.end(),
                       [&](const SourceRecord &record) { return record.finished && record.row.sha256 == sha256; });
}

}  // namespace wattproof::store
