#include "tests/support/two_sources.h"

#include "store/schema/schema.h"
#include "tests/support/temporary_workspace.h"

namespace wattproof::test {

using namespace wattproof::store;

namespace {

// What a source holds beside its slices: one row for every public view that an importer fills.
void addSmallRows(BulkWriter &writer, SourceId source, const std::string &name) {
    writer.addMetadata({source, "driver", name});
    writer.addWarning({source, "truncated_input", 1, "byte 7", "It ends early."});
    RequestRow request;
    request.name = name;
    request.attributesJson = "{}";
    require(writer.writeRequests(source, std::vector{request}));
    require(writer.writeQuality(source, std::vector{QualityRow{"accuracy", name, 0.9, 0.8, true}}));
}

QStringList linesOf(const std::string &path, const std::string &table) {
    const QString text = plainText(path, "SELECT * FROM " + table);
    return text.isEmpty() ? QStringList() : text.split(QLatin1Char('\n'));
}

}  // namespace

SourceId addTrace(BulkWriter &writer, const std::string &name, Ns base, int count) {
    SourceRow row = traceSource(base, "hash of " + name);
    row.path = "/data/" + name + ".json";
    const SourceId source = require(writer.addSource(row));
    DeviceRow gpu;
    gpu.source = source;
    gpu.name = "GPU of " + name;
    gpu.nativeId = "0";
    const DeviceId device = writer.addDevice(gpu);
    const ProcessId process = writer.addProcess({{}, source, "7", name, "", std::nullopt});
    const ThreadId thread = writer.addThread({{}, source, process, "8", "main", std::nullopt});
    TrackRow track;
    track.source = source;
    track.name = "main";
    track.process = process;
    track.thread = thread;
    track.device = device;
    const TrackId id = writer.addTrack(track);
    std::vector<SliceRow> slices;
    for (int i = 0; i < count; ++i) {
        slices.push_back(sliceAt(i * 10, 5, writer.intern(name + std::to_string(i % 3))));
        slices.back().args = writer.addArgs(writer.internArgShape(R"(["i"])"), "[" + std::to_string(i) + "]");
    }
    require(writer.writeTrackSlices(id, slices, std::vector<std::int32_t>(slices.size(), -1)));
    std::vector<GpuOpRow> operations;
    std::vector<FlowRow> flows;
    for (std::size_t i = 1; i < slices.size(); ++i) {
        GpuOpRow operation;
        operation.slice = slices[i].id;
        operation.device = device;
        operation.launch = slices[i - 1].id;
        operations.push_back(operation);
        flows.push_back({{}, slices[i - 1].id, slices[i].id, slices[i].name, {}});
    }
    require(writer.writeGpuOps(operations));
    require(writer.writeFlows(flows));
    CounterRow counter;
    counter.source = source;
    counter.name = "clock";
    require(writer.writeSamples(writer.addCounter(counter), std::vector{Sample{0, 1}, Sample{30, 2}}));
    require(writer.writeThreadStates(std::vector{ThreadStateRow{thread, 0, 5, ThreadState::Running, 1}}));
    addSmallRows(writer, source, name);
    require(writer.finishSource(source));
    return source;
}

SourceId addLog(BulkWriter &writer, DeviceId device) {
    SourceRow row = traceSource(kBase, "hash of the log");
    row.kind = SourceKind::Power;
    row.path = "/data/power.csv";
    const SourceId source = require(writer.addSource(row));
    CounterRow counter;
    counter.source = source;
    counter.name = "power";
    counter.device = device;
    require(writer.writeSamples(writer.addCounter(counter), std::vector{Sample{0, 100}, Sample{30, 200}}));
    require(writer.finishSource(source));
    return source;
}

void bothTraces(BulkWriter &writer) {
    addTrace(writer, "a", kBase, 40);
    addTrace(writer, "b", kLater, 60);
}

void traceAndLog(BulkWriter &writer) {
    addTrace(writer, "a", kBase, 40);
    addLog(writer, DeviceId{1});
}

QMap<QString, QStringList> viewsOf(const std::string &path) {
    QMap<QString, QStringList> views;
    for (const std::string &view : schema::viewNames())
        views[QString::fromStdString(view)] = linesOf(path, view);
    return views;
}

QMap<QString, QStringList> rowsOf(const std::string &path) {
    QMap<QString, QStringList> rows;
    for (const auto &table : schema::numberedTables())
        if (std::string_view(table.counter) != "string" && std::string_view(table.counter) != "arg_shape")
            rows[QString::fromLatin1(table.name)] = linesOf(path, table.name);
    for (const char *table : {"source_range", "removed_range", "alignment", "device_alias"})
        rows[QString::fromLatin1(table)] = linesOf(path, table);
    return rows;
}

void storeAnalysis(Workspace &workspace) {
    AnalysisRows rows;
    rows.deviceStates = {{DeviceId{1}, 0, 5, "idle", "host"}};
    rows.energy = {{"compute", SliceId{1}, DeviceId{1}, "board", 0, 5, 2.5, 2, 3}};
    rows.clamps = {{DeviceId{1}, 1, 2, "thermal", "hw_thermal_slowdown", 0.25}};
    rows.findings = {{1, "key", "rule", "compute", "title", {}, {}, {}, {}, "low", "{}"}};
    rows.resultJson = "{}";
    require(workspace.analysisStore().replace(rows));
}

Annotation noteOn(TrackId track, Ns ts) {
    Annotation note;
    note.ts = ts;
    note.dur = 3;
    note.track = track;
    note.text = "here";
    return note;
}

Alignment moved(SourceId source, Ns offset) {
    Alignment alignment;
    alignment.source = source;
    alignment.offset = offset;
    alignment.method = "manual";
    return alignment;
}

}  // namespace wattproof::test
