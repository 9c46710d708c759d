// Sources that are taken out of a workspace or read anew: what of them must go, what must stay, and that it is all
// or nothing.
#include "store/analysis_store.h"
#include "store/edit/source_removal.h"
#include "store/edits.h"
#include "store/reader.h"
#include "store/schema/schema.h"
#include "tests/support/temporary_workspace.h"

#include <algorithm>
#include <random>

#include <QTest>

using namespace wattproof;
using namespace wattproof::store;
using namespace wattproof::test;

namespace {

constexpr Ns kBase = 1'700'000'000'000'000'000;
constexpr Ns kLater = kBase + 50;

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

// A trace with every kind of row; `count` slices, each with arguments and a launch, and an arrow between
// neighbours.
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

// A power log whose counter speaks of `device`.
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

QStringList linesOf(const std::string &path, const std::string &table) {
    const QString text = plainText(path, "SELECT * FROM " + table);
    return text.isEmpty() ? QStringList() : text.split(QLatin1Char('\n'));
}

QMap<QString, QStringList> viewsOf(const std::string &path) {
    QMap<QString, QStringList> views;
    for (const std::string &view : schema::viewNames())
        views[QString::fromStdString(view)] = linesOf(path, view);
    return views;
}

// The tables of one source's rows; names and shapes of arguments are shared.
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

}  // namespace

class SourceRemovalTest : public QObject {
    Q_OBJECT

private slots:
    void firstSourceLeavesNoRow();
    void lastSourceLeavesNoRow();
    void rowsAreInvisibleBeforeTheyAreDeleted();
    void interruptedSweepIsFinishedAtOpening();
    void anyOrderOfRemovalsLeavesNothing();
    void otherSourcesKeepTheirDevice();
    void notesStayWithoutTheirTrack();
    void notesFindTheirTrackWhenTheFileIsAddedAgain();
    void changedNoteKeepsItsAnchor();
    void undoForgetsTheSource();
    void resultsOfTheAnalysisGo();
    void staleAnalysisIsRefused();
    void removalIsRefusedWhereItCannotBe();
    void replacementIsInvisibleUntilCommit();
    void abandonedReplacementLeavesTheOldOne();
    void failedReplacementLeavesTheOldOne();
    void replacementTakesOverNotesAndAlignment();
    void replacementWithAnotherBeginningKeepsStatedTimes();
    void replacementWithoutTheTrackKeepsTheNote();
    void undoGoesOnAfterAReplacement();
    void forgedRangesEnd();
};

void SourceRemovalTest::firstSourceLeavesNoRow() {
    const TemporaryWorkspace files, alone;
    files.create(bothTraces);
    alone.create([](BulkWriter &writer) { addTrace(writer, "a", kBase, 40); });
    const auto before = viewsOf(files.path()), own = viewsOf(alone.path());
    WATTPROOF_VERIFY_OK(files.open()->removeSource(SourceId{1}));
    const auto after = viewsOf(files.path());
    for (auto view = before.begin(); view != before.end(); ++view) {
        QStringList expected = view.value();
        for (const QString &line : own[view.key()])
            if (!line.startsWith(QLatin1String("NULL|origin")))
                expected.removeOne(line);
        QCOMPARE(after[view.key()], expected);
    }
    QVERIFY(!after["slices"].isEmpty() && !after["args"].isEmpty() && !after["flows"].isEmpty());
}

void SourceRemovalTest::lastSourceLeavesNoRow() {
    const TemporaryWorkspace files, alone;
    files.create(bothTraces);
    alone.create([](BulkWriter &writer) { addTrace(writer, "a", kBase, 40); });
    WATTPROOF_VERIFY_OK(files.open()->removeSource(SourceId{2}));
    QCOMPARE(viewsOf(files.path()), viewsOf(alone.path()));
    auto rows = rowsOf(files.path()), expected = rowsOf(alone.path());
    for (auto *tables : {&rows, &expected})
        tables->remove("metadata_value");  // the origin's rows have other numbers
    QCOMPARE(rows, expected);
}

void SourceRemovalTest::rowsAreInvisibleBeforeTheyAreDeleted() {
    const TemporaryWorkspace files, alone;
    files.create(bothTraces);
    alone.create([](BulkWriter &writer) { addTrace(writer, "a", kBase, 40); });
    const auto database = require(sqlite::Database::open(files.path(), sqlite::OpenAs::ReadWrite));
    WATTPROOF_VERIFY_OK(withdraw(*database, SourceId{2}, {}));
    QCOMPARE(plainText(files.path(), "SELECT count(*) FROM slice"), QStringLiteral("100"));
    QCOMPARE(viewsOf(files.path()), viewsOf(alone.path()));
    for (std::int64_t deleted = 1; deleted > 0;) {
        deleted = require(sweep(*database, 7));
        QVERIFY(deleted <= 7);
        QCOMPARE(viewsOf(files.path()), viewsOf(alone.path()));
    }
    QCOMPARE(plainText(files.path(), "SELECT count(*) FROM slice"), QStringLiteral("40"));
}

void SourceRemovalTest::interruptedSweepIsFinishedAtOpening() {
    const TemporaryWorkspace files;
    files.create(bothTraces);
    {
        const auto database = require(sqlite::Database::open(files.path(), sqlite::OpenAs::ReadWrite));
        WATTPROOF_VERIFY_OK(withdraw(*database, SourceId{1}, {}));
        QVERIFY(require(sweep(*database, 5)) > 0);
    }
    files.open().reset();
    QCOMPARE(plainText(files.path(), "SELECT count(*) FROM slice"), QStringLiteral("60"));
    QCOMPARE(plainText(files.path(), "SELECT count(*) FROM removed_range"), QStringLiteral("0"));
}

void SourceRemovalTest::anyOrderOfRemovalsLeavesNothing() {
    std::mt19937 random(3);
    for (int round = 0; round < 6; ++round) {
        const TemporaryWorkspace files;
        files.create([](BulkWriter &writer) {
            for (const char *name : {"a", "b", "c", "d"})
                addTrace(writer, name, kBase, 20);
        });
        std::vector<std::int64_t> order{1, 2, 3, 4};
        std::shuffle(order.begin(), order.end(), random);
        const auto workspace = files.open();
        for (const std::int64_t source : order)
            WATTPROOF_VERIFY_OK(workspace->removeSource(SourceId{source}));
        for (const std::string &view : schema::viewNames())
            QCOMPARE(plainText(files.path(), "SELECT count(*) FROM " + view),
                     view == "metadata" ? QStringLiteral("2") : QStringLiteral("0"));
        QVERIFY(require(require(workspace->reader())->extent()).empty());
    }
}

void SourceRemovalTest::otherSourcesKeepTheirDevice() {
    const TemporaryWorkspace files;
    files.create(traceAndLog);
    const auto workspace = files.open();
    const auto shared = require(workspace->sharedDevices(SourceId{1}));
    QCOMPARE(shared.size(), std::size_t{1});
    QCOMPARE(shared[0].heir, SourceId{2});
    WATTPROOF_VERIFY_OK(workspace->removeSource(SourceId{1}));
    QCOMPARE(plainText(files.path(), "SELECT id, source_id, name FROM devices"), QStringLiteral("1|2|GPU of a"));
    QCOMPARE(plainText(files.path(), "SELECT device FROM counters"), QStringLiteral("GPU of a"));
    QVERIFY(require(workspace->sharedDevices(SourceId{2})).empty());
}

void SourceRemovalTest::notesStayWithoutTheirTrack() {
    const TemporaryWorkspace files;
    files.create(bothTraces);
    const auto workspace = files.open();
    require(workspace->edits().addAnnotation(noteOn(TrackId{3}, 70)));
    require(workspace->edits().addAnnotation(noteOn({}, 5)));
    WATTPROOF_VERIFY_OK(workspace->edits().setAlignment(moved(SourceId{2}, 1'000)));
    const auto before = require(workspace->edits().annotations());
    QVERIFY(before[0].lostTrack.empty() && before[1].lostTrack.empty());
    WATTPROOF_VERIFY_OK(workspace->removeSource(SourceId{2}));
    const auto after = require(workspace->edits().annotations());
    QCOMPARE(after.size(), std::size_t{2});
    QCOMPARE(after[0].ts, Ns{5});
    QVERIFY(after[0].lostTrack.empty());
    QCOMPARE(after[1].ts, before[1].ts);
    QVERIFY(!after[1].track.valid());
    QCOMPARE(QString::fromStdString(after[1].lostTrack), QStringLiteral("7/8/thread//main"));
}

void SourceRemovalTest::notesFindTheirTrackWhenTheFileIsAddedAgain() {
    const TemporaryWorkspace files;
    files.create(bothTraces);
    const auto workspace = files.open();
    const AnnotationId id = require(workspace->edits().addAnnotation(noteOn(TrackId{3}, 70)));
    WATTPROOF_VERIFY_OK(workspace->removeSource(SourceId{2}));
    const auto writer = require(workspace->addSources());
    const SourceId again = addTrace(*writer, "b", kLater, 60);
    WATTPROOF_VERIFY_OK(writer->commit());
    const auto notes = require(workspace->edits().annotations());
    QCOMPARE(notes[0].id, id);
    QCOMPARE(notes[0].ts, Ns{70});
    QVERIFY(notes[0].lostTrack.empty());
    QCOMPARE(plainText(files.path(), "SELECT source_id FROM annotations n JOIN tracks t ON t.id = n.track_id"),
             QString::number(again.value));
}

void SourceRemovalTest::changedNoteKeepsItsAnchor() {
    const TemporaryWorkspace files;
    files.create(bothTraces);
    const auto workspace = files.open();
    require(workspace->edits().addAnnotation(noteOn(TrackId{3}, 70)));
    WATTPROOF_VERIFY_OK(workspace->removeSource(SourceId{2}));
    Annotation note = require(workspace->edits().annotations()).at(0);
    note.text = "still here";
    WATTPROOF_VERIFY_OK(workspace->edits().changeAnnotation(note));
    const auto writer = require(workspace->addSources());
    addTrace(*writer, "b", kLater, 60);
    WATTPROOF_VERIFY_OK(writer->commit());
    note = require(workspace->edits().annotations()).at(0);
    QVERIFY(note.track.valid());
    QCOMPARE(note.text, std::string("still here"));
    WATTPROOF_VERIFY_OK(workspace->edits().undo());
    note = require(workspace->edits().annotations()).at(0);
    QVERIFY(note.track.valid());
    QCOMPARE(note.ts, Ns{70});
    QCOMPARE(note.text, std::string("here"));
}

void SourceRemovalTest::undoForgetsTheSource() {
    const TemporaryWorkspace files;
    files.create(bothTraces);
    const auto workspace = files.open();
    Edits &edits = workspace->edits();
    WATTPROOF_VERIFY_OK(edits.setScenario("1"));
    WATTPROOF_VERIFY_OK(edits.setAlignment(moved(SourceId{2}, 1'000)));
    require(edits.addAnnotation(noteOn(TrackId{3}, 2'000)));
    WATTPROOF_VERIFY_OK(edits.setDeviceAlias(SourceId{1}, "0", DeviceId{2}));
    WATTPROOF_VERIFY_OK(edits.setDeviceAlias(SourceId{1}, "0", {}));
    WATTPROOF_VERIFY_OK(workspace->removeSource(SourceId{2}));
    QVERIFY2(edits.undoText().find("annotate") == 0, edits.undoText().c_str());
    WATTPROOF_VERIFY_OK(edits.undo());
    QVERIFY(require(edits.annotations()).empty());
    WATTPROOF_VERIFY_OK(edits.redo());
    QCOMPARE(require(edits.annotations()).at(0).ts, Ns{2'000});
    QVERIFY(!require(edits.annotations()).at(0).track.valid());
    WATTPROOF_VERIFY_OK(edits.undo());
    WATTPROOF_VERIFY_OK(edits.undo());
    QCOMPARE(require(edits.scenario()), std::string("{}"));
    QVERIFY(edits.undoText().empty());
    QCOMPARE(require(edits.alignments()).size(), std::size_t{1});
}

void SourceRemovalTest::resultsOfTheAnalysisGo() {
    const TemporaryWorkspace files;
    files.create(bothTraces);
    const auto workspace = files.open();
    storeAnalysis(*workspace);
    WATTPROOF_VERIFY_OK(workspace->removeSource(SourceId{2}));
    for (const char *view : {"device_states", "energy", "clamps", "findings"})
        QCOMPARE(plainText(files.path(), std::string("SELECT count(*) FROM ") + view), QStringLiteral("0"));
    QVERIFY(!require(workspace->analysisStore().resultJson()));
}

void SourceRemovalTest::staleAnalysisIsRefused() {
    const TemporaryWorkspace files;
    files.create(bothTraces);
    const auto workspace = files.open();
    AnalysisRows rows;
    rows.withdrawals = workspace->withdrawals();
    rows.energy = {{"compute", SliceId{45}, DeviceId{2}, "board", 0, 5, 2.5, 2, 3}};
    WATTPROOF_VERIFY_OK(workspace->analysisStore().replace(rows));
    WATTPROOF_VERIFY_OK(workspace->removeSource(SourceId{2}));
    QVERIFY(!workspace->analysisStore().replace(rows));
    QCOMPARE(plainText(files.path(), "SELECT count(*) FROM energy"), QStringLiteral("0"));
}

void SourceRemovalTest::removalIsRefusedWhereItCannotBe() {
    const TemporaryWorkspace files;
    files.create(bothTraces);
    const auto before = viewsOf(files.path());
    {
        const auto workspace = files.open();
        QVERIFY(!workspace->removeSource(SourceId{9}));
        const auto writer = require(workspace->addSources());
        const Status during = workspace->removeSource(SourceId{1});
        QVERIFY(!during && during.error().sentence().find("import") != std::string::npos);
        QVERIFY(!files.open()->removeSource(SourceId{1}));
    }
    QCOMPARE(viewsOf(files.path()), before);
    WATTPROOF_VERIFY_OK(files.open()->removeSource(SourceId{1}));
}

void SourceRemovalTest::replacementIsInvisibleUntilCommit() {
    const TemporaryWorkspace files;
    files.create(bothTraces);
    const auto before = viewsOf(files.path());
    const auto workspace = files.open();
    storeAnalysis(*workspace);
    const auto analysed = viewsOf(files.path());
    const auto writer = require(workspace->replaceSource(SourceId{1}));
    QVERIFY(!writer->hasSource("hash of a"));
    QVERIFY(writer->hasSource("hash of b"));
    addTrace(*writer, "a", kBase, 45);
    QCOMPARE(viewsOf(files.path()), analysed);
    WATTPROOF_VERIFY_OK(writer->commit());
    QCOMPARE(plainText(files.path(), "SELECT id FROM sources"), QStringLiteral("2\n3"));
    QCOMPARE(plainText(files.path(), "SELECT count(*) FROM slices"), QStringLiteral("105"));
    QCOMPARE(plainText(files.path(), "SELECT count(*) FROM slice"), QStringLiteral("105"));
    QCOMPARE(plainText(files.path(), "SELECT count(*) FROM energy"), QStringLiteral("0"));
}

void SourceRemovalTest::abandonedReplacementLeavesTheOldOne() {
    const TemporaryWorkspace files;
    files.create(bothTraces);
    const auto before = viewsOf(files.path());
    const auto workspace = files.open();
    {
        const auto writer = require(workspace->replaceSource(SourceId{1}));
        addTrace(*writer, "a", kBase, 45);
    }
    QCOMPARE(viewsOf(files.path()), before);
    QCOMPARE(plainText(files.path(), "SELECT count(*) FROM slice"), QStringLiteral("100"));
}

void SourceRemovalTest::failedReplacementLeavesTheOldOne() {
    const TemporaryWorkspace files;
    files.create(bothTraces);
    const auto before = viewsOf(files.path());
    const auto workspace = files.open();
    {
        const auto writer = require(workspace->replaceSource(SourceId{9}));
        addTrace(*writer, "c", kBase, 45);
        QVERIFY(!writer->commit());
    }
    {
        const auto writer = require(workspace->replaceSource(SourceId{1}));
        QVERIFY(!writer->commit());  // nothing was read
    }
    QCOMPARE(viewsOf(files.path()), before);
    QCOMPARE(plainText(files.path(), "SELECT count(*) FROM slice"), QStringLiteral("100"));
}

void SourceRemovalTest::replacementTakesOverNotesAndAlignment() {
    const TemporaryWorkspace files;
    files.create(traceAndLog);
    const auto workspace = files.open();
    Edits &edits = workspace->edits();
    WATTPROOF_VERIFY_OK(edits.setAlignment(moved(SourceId{1}, 1'000)));
    WATTPROOF_VERIFY_OK(edits.setDeviceAlias(SourceId{1}, "0", DeviceId{1}));
    require(edits.addAnnotation(noteOn(TrackId{1}, 1'070)));
    const auto writer = require(workspace->replaceSource(SourceId{1}));
    const SourceId next = addTrace(*writer, "a", kBase, 45);
    WATTPROOF_VERIFY_OK(writer->commit());
    const auto alignments = require(edits.alignments());
    QCOMPARE(alignments[1].source, next);
    QCOMPARE(alignments[1].offset, Ns{1'000});
    QCOMPARE(alignments[1].method, std::string("manual"));
    const Annotation note = require(edits.annotations()).at(0);
    QCOMPARE(note.ts, Ns{1'070});
    QVERIFY(note.track.valid());
    QCOMPARE(plainText(files.path(), "SELECT source_id, native_id FROM device_alias"),
             QString::number(next.value) + QStringLiteral("|0"));
    QCOMPARE(plainText(files.path(), "SELECT device FROM counters WHERE source_id = 2"),
             QStringLiteral("GPU of a"));
}

void SourceRemovalTest::replacementWithAnotherBeginningKeepsStatedTimes() {
    const TemporaryWorkspace files;
    files.create(bothTraces);
    const auto workspace = files.open();
    Edits &edits = workspace->edits();
    Alignment drifting = moved(SourceId{2}, 1'000);
    drifting.anchor = 10;
    drifting.driftPpb = 100'000'000;
    WATTPROOF_VERIFY_OK(edits.setAlignment(drifting));
    require(edits.addAnnotation(noteOn(TrackId{3}, 1'200)));
    const Ns before = require(edits.annotations()).at(0).ts;
    const auto writer = require(workspace->replaceSource(SourceId{2}));
    addTrace(*writer, "b, cut", kLater + 20, 60);
    WATTPROOF_VERIFY_OK(writer->commit());
    const Alignment now = require(edits.alignments()).at(1);
    QCOMPARE(now.anchor, Ns{-10});
    QCOMPARE(now.driftPpb, drifting.driftPpb);
    const Annotation note = require(edits.annotations()).at(0);
    QVERIFY(note.track.valid());
    QCOMPARE(note.ts, before);
    QCOMPARE(plainText(files.path(), "SELECT anchor_sha256 FROM annotation"), QStringLiteral("hash of b, cut"));
}

void SourceRemovalTest::replacementWithoutTheTrackKeepsTheNote() {
    const TemporaryWorkspace files;
    files.create(bothTraces);
    const auto workspace = files.open();
    require(workspace->edits().addAnnotation(noteOn(TrackId{3}, 70)));
    {
        const auto writer = require(workspace->replaceSource(SourceId{2}));
        addLog(*writer, {});
        WATTPROOF_VERIFY_OK(writer->commit());
    }
    Annotation note = require(workspace->edits().annotations()).at(0);
    QVERIFY(!note.track.valid());
    QCOMPARE(note.ts, Ns{70});
    QVERIFY(!note.lostTrack.empty());
    const auto writer = require(workspace->replaceSource(SourceId{3}));
    addTrace(*writer, "b", kLater, 60);
    WATTPROOF_VERIFY_OK(writer->commit());
    note = require(workspace->edits().annotations()).at(0);
    QVERIFY(note.track.valid());
    QCOMPARE(note.ts, Ns{70});
}

void SourceRemovalTest::undoGoesOnAfterAReplacement() {
    const TemporaryWorkspace files;
    files.create(bothTraces);
    const auto workspace = files.open();
    Edits &edits = workspace->edits();
    WATTPROOF_VERIFY_OK(edits.setAlignment(moved(SourceId{2}, 1'000)));
    require(edits.addAnnotation(noteOn(TrackId{3}, 1'070)));
    WATTPROOF_VERIFY_OK(edits.undo());
    const auto writer = require(workspace->replaceSource(SourceId{2}));
    const SourceId next = addTrace(*writer, "b", kLater, 60);
    WATTPROOF_VERIFY_OK(writer->commit());
    WATTPROOF_VERIFY_OK(edits.redo());
    const Annotation note = require(edits.annotations()).at(0);
    QVERIFY(note.track.valid());
    QCOMPARE(note.ts, Ns{1'070});
    WATTPROOF_VERIFY_OK(edits.undo());
    WATTPROOF_VERIFY_OK(edits.undo());
    QCOMPARE(require(edits.alignments()).at(1).source, next);
    QCOMPARE(require(edits.alignments()).at(1).offset, Ns{0});
    QCOMPARE(plainText(files.path(), "SELECT min(ts) FROM slices WHERE track_id > 4"), QStringLiteral("50"));
    QCOMPARE(require(edits.alignments()).size(), std::size_t{2});
}

// A file that others wrote may name ranges that hold next to nothing, or all numbers there are.
void SourceRemovalTest::forgedRangesEnd() {
    const TemporaryWorkspace files;
    files.create(bothTraces);
    const auto database = require(sqlite::Database::open(files.path(), sqlite::OpenAs::ReadWrite));
    WATTPROOF_VERIFY_OK(
        database->execute("INSERT INTO removed_range VALUES('flow', -9223372036854775808, 9223372036854775807), "
                          "('slice', 9, 3), ('no such table', 1, 5), ('string', 1, 100)"));
    int steps = 0;
    while (require(sweep(*database, 50)) > 0)
        ++steps;
    QVERIFY(steps < 10);
    QCOMPARE(plainText(files.path(), "SELECT count(*) FROM slices"), QStringLiteral("100"));
    QCOMPARE(plainText(files.path(), "SELECT count(*) FROM removed_range"), QStringLiteral("0"));
}

QTEST_APPLESS_MAIN(SourceRemovalTest)
#include "tst_source_removal.moc"
