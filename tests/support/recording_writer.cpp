#include "tests/support/recording_writer.h"

#include "importers/text/mended.h"

#include <cmath>

#include <nlohmann/json.hpp>

namespace wattproof::test {
namespace {

// Id of a row that is stored at the end of its table.
template <class IdType, class Row>
IdType append(std::vector<Row> &rows, Row row) {
    const IdType id(static_cast<std::int64_t>(rows.size()) + 1);
    row.id = id;
    rows.push_back(std::move(row));
    return id;
}

std::int64_t intern(std::unordered_map<std::string, std::int64_t> &ids, std::vector<std::string> &texts,
                    std::string_view text) {
    const auto [it, added] = ids.try_emplace(std::string(text), static_cast<std::int64_t>(texts.size()) + 1);
    if (added)
        texts.emplace_back(text);
    return it->second;
}

bool isArray(std::string_view json) {
    const auto parsed = nlohmann::json::parse(json, nullptr, false);
    return parsed.is_array();
}

}  // namespace

const std::string &RecordingWriter::text(StringId id) const {
    static const std::string none;
    return id.valid() ? strings.at(index(id.value)) : none;
}

const SliceRow *RecordingWriter::findSlice(std::string_view name, std::size_t nth) const {
    for (const SliceRow &row : slices)
        if (text(row.name) == name && nth-- == 0)
            return &row;
    return nullptr;
}

const CounterRow *RecordingWriter::findCounter(std::string_view name) const {
    for (const CounterRow &row : counters)
        if (row.name == name)
            return &row;
    return nullptr;
}

const WarningRow *RecordingWriter::findWarning(std::string_view kind) const {
    for (const WarningRow &row : warnings)
        if (row.kind == kind)
            return &row;
    return nullptr;
}

std::int64_t RecordingWriter::warningCount(std::string_view kind) const {
    const WarningRow *row = findWarning(kind);
    return row ? row->count : 0;
}

std::string RecordingWriter::metadataValue(std::string_view key) const {
    for (const MetadataRow &row : metadata)
        if (row.key == key)
            return row.value;
    return {};
}

std::optional<std::string> RecordingWriter::argument(const SliceRow &row, const std::string &key) const {
    if (!row.args.valid())
        return std::nullopt;
    const Args &set = args.at(index(row.args.value));
    const auto keys = nlohmann::json::parse(shapes.at(index(set.shape)));
    const auto values = nlohmann::json::parse(set.values);
    for (std::size_t i = 0; i < keys.size() && i < values.size(); ++i)
        if (keys[i] == key)
            return values[i].dump();
    return std::nullopt;
}

void RecordingWriter::require(bool holds, std::string sentence) {
    if (!holds)
        violations.push_back(std::move(sentence));
}

void RecordingWriter::requireText(std::initializer_list<std::string_view> texts) {
    for (const std::string_view text : texts)
        if (importers::mendedText(text) != text)
            violations.push_back("a text is not UTF-8: " + importers::mendedText(text));
}

Expected<SourceId> RecordingWriter::addSource(const SourceRow &row) {
    return append<SourceId>(sources, row);
}

Status RecordingWriter::updateSource(const SourceRow &row) {
    sources.at(index(row.id.value)) = row;
    return {};
}

DeviceId RecordingWriter::addDevice(const DeviceRow &row) {
    require(known(sources, row.source.value), "a device names no known source");
    requireText({row.name, row.nativeId, row.host, row.uuid, row.pci, row.model});
    return append<DeviceId>(devices, row);
}

void RecordingWriter::updateDevice(const DeviceRow &row) {
    requireText({row.name, row.nativeId, row.host, row.uuid, row.pci, row.model});
    devices.at(index(row.id.value)) = row;
}

ProcessId RecordingWriter::addProcess(const ProcessRow &row) {
    require(known(sources, row.source.value), "a process names no known source");
    requireText({row.pid, row.name, row.labels});
    return append<ProcessId>(processes, row);
}

void RecordingWriter::updateProcess(const ProcessRow &row) {
    requireText({row.pid, row.name, row.labels});
    processes.at(index(row.id.value)) = row;
}

ThreadId RecordingWriter::addThread(const ThreadRow &row) {
    require(!row.process.valid() || known(processes, row.process.value), "a thread names no known process");
    requireText({row.tid, row.name});
    return append<ThreadId>(threads, row);
}

void RecordingWriter::updateThread(const ThreadRow &row) {
    requireText({row.tid, row.name});
    threads.at(index(row.id.value)) = row;
}

TrackId RecordingWriter::addTrack(const TrackRow &row) {
    require(known(sources, row.source.value), "a track names no known source");
    requireText({row.name, row.stream});
    return append<TrackId>(tracks, row);
}

void RecordingWriter::updateTrack(const TrackRow &row) {
    requireText({row.name, row.stream});
    tracks.at(index(row.id.value)) = row;
}

CounterId RecordingWriter::addCounter(const CounterRow &row) {
    require(known(sources, row.source.value), "a counter names no known source");
    requireText({row.name, row.domain, row.quantity, row.unit, row.sensor.note});
    CounterRow own = row;
    if (!own.track.valid()) {
        TrackRow trackRow;
        trackRow.source = row.source;
        trackRow.kind = TrackKind::Counter;
        trackRow.name = row.name;
        trackRow.device = row.device;
        own.track = addTrack(trackRow);
    }
    return append<CounterId>(counters, own);
}

void RecordingWriter::updateCounter(const CounterRow &row) {
    requireText({row.name, row.domain, row.quantity, row.unit, row.sensor.note});
    counters.at(index(row.id.value)) = row;
}

StringId RecordingWriter::intern(std::string_view value) {
    requireText({value});
    return StringId(test::intern(stringIds_, strings, value));
}

void RecordingWriter::classifyName(StringId name, std::string_view opClass, std::string_view precision) {
    require(known(strings, name.value), "an unknown name was classified");
    classes[name.value] = {std::string(opClass), std::string(precision)};
}

std::int64_t RecordingWriter::internArgShape(std::string_view keysJson) {
    const std::int64_t id = test::intern(shapeIds_, shapes, keysJson);
    if (id == static_cast<std::int64_t>(shapes.size()))
        require(isArray(keysJson), "argument keys are not a JSON array: " + std::string(keysJson));
    return id;
}

ArgSetId RecordingWriter::addArgs(std::int64_t shape, std::string_view valuesJson) {
    require(known(shapes, shape), "an argument set names no known shape");
    require(isArray(valuesJson), "argument values are not a JSON array: " + std::string(valuesJson));
    args.push_back({shape, std::string(valuesJson)});
    return ArgSetId(static_cast<std::int64_t>(args.size()));
}

void RecordingWriter::checkNesting(const SliceRow &child, const SliceRow &parent) {
    require(child.ts >= parent.ts && child.ts + child.dur <= parent.ts + parent.dur,
            "a slice is not inside its parent: " + text(child.name) + " in " + text(parent.name));
    require(child.lane != parent.lane || child.depth == parent.depth + 1,
            "depth does not follow the parent: " + text(child.name));
}

void RecordingWriter::checkSlices(TrackId track, std::span<const SliceRow> rows,
                                  std::span<const std::int32_t> parentIndex) {
    require(known(tracks, track.value), "slices of an unknown track");
    require(writtenTracks_.insert(track.value).second, "a track was written twice");
    require(rows.size() == parentIndex.size(), "slices and parents differ in number");
    for (std::size_t i = 0; i < rows.size(); ++i) {
        require(rows[i].dur >= 0 && rows[i].ts >= 0, "a slice with a negative time: " + text(rows[i].name));
        require(i == 0 || rows[i - 1].ts < rows[i].ts || (rows[i - 1].ts == rows[i].ts && rows[i - 1].dur >= rows[i].dur),
                "slices are not ordered by start, longer first: " + text(rows[i].name));
        if (parentIndex[i] >= 0)
            checkNesting(rows[i], rows[static_cast<std::size_t>(parentIndex[i])]);
    }
}

Status RecordingWriter::writeTrackSlices(TrackId track, std::span<SliceRow> rows,
                                         std::span<const std::int32_t> parentIndex) {
    checkSlices(track, rows, parentIndex);
    const auto first = static_cast<std::int64_t>(slices.size()) + 1;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i].id = SliceId(first + static_cast<std::int64_t>(i));
        rows[i].track = track;
        rows[i].parent = parentIndex[i] < 0 ? SliceId() : SliceId(first + parentIndex[i]);
        slices.push_back(rows[i]);
    }
    return {};
}

Status RecordingWriter::writeGpuOps(std::span<const GpuOpRow> rows) {
    for (const GpuOpRow &row : rows) {
        require(known(slices, row.slice.value), "a GPU operation names no known slice");
        require(!row.launch.valid() || known(slices, row.launch.value), "a launch names no known slice");
        gpuOps.push_back(row);
    }
    return {};
}

Status RecordingWriter::writeFlows(std::span<const FlowRow> rows) {
    for (const FlowRow &row : rows) {
        require(known(slices, row.from.value) && known(slices, row.to.value), "a flow names no known slice");
        flows.push_back(row);
    }
    return {};
}

Status RecordingWriter::writeSamples(CounterId counter, std::span<const Sample> rows) {
    require(known(counters, counter.value), "samples of an unknown counter");
    require(writtenCounters_.insert(counter.value).second, "a counter was written twice");
    for (std::size_t i = 1; i < rows.size(); ++i)
        require(rows[i - 1].ts <= rows[i].ts, "samples are not ordered by time");
    samples[counter.value].assign(rows.begin(), rows.end());
    return {};
}

Status RecordingWriter::writeThreadStates(std::span<const ThreadStateRow> rows) {
    threadStates.insert(threadStates.end(), rows.begin(), rows.end());
    return {};
}

Status RecordingWriter::writeRequests(SourceId source, std::span<const RequestRow> rows) {
    require(known(sources, source.value), "requests name no known source");
    for (const RequestRow &row : rows) {
        requireText({row.name, row.attributesJson});
        require(row.ts >= 0 && row.dur >= 0, "a request begins before its source, or ends before it begins");
        require(row.attributesJson.empty() || nlohmann::json::parse(row.attributesJson, nullptr, false).is_object(),
                "a request's attributes are no JSON object: " + row.attributesJson);
    }
    requests.insert(requests.end(), rows.begin(), rows.end());
    return {};
}

Status RecordingWriter::writeQuality(SourceId source, std::span<const QualityRow> rows) {
    require(known(sources, source.value), "figures name no known source");
    for (const QualityRow &row : rows) {
        requireText({row.metric, row.slice});
        require(!row.metric.empty() && std::isfinite(row.value), "a figure has no name or no number");
    }
    quality.insert(quality.end(), rows.begin(), rows.end());
    return {};
}

void RecordingWriter::addMetadata(const MetadataRow &row) {
    requireText({row.key, row.value});
    metadata.push_back(row);
}

void RecordingWriter::addWarning(const WarningRow &row) {
    require(known(sources, row.source.value), "a warning names no known source");
    requireText({row.message, row.firstPosition});
    for (WarningRow &own : warnings) {
        if (own.source == row.source && own.kind == row.kind) {
            own.count += row.count;
            return;
        }
    }
    warnings.push_back(row);
}

bool RecordingWriter::hasSource(std::string_view sha256) {
    return knownHashes.count(std::string(sha256)) > 0;
}

Status RecordingWriter::finishSource(SourceId id) {
    require(known(sources, id.value), "an unknown source was finished");
    finished.push_back(id);
    return {};
}

Status RecordingWriter::commit() {
    committed = true;
    return {};
}

}  // namespace wattproof::test
