#include "store/analysis_store.h"
#include "store/edits.h"
#include "store/reader.h"
#include "tests/support/temporary_workspace.h"

#include <random>

#include <QTest>
#include <sqlite3.h>

using namespace wattproof;
using namespace wattproof::store;
using namespace wattproof::test;

namespace {

constexpr Ns kBase = 1'700'000'000'000'000'000;

// A trace with slices up to ten minutes, and a power log with a device of its own.
void fill(BulkWriter &writer) {
    const SourceId trace = require(writer.addSource(traceSource(kBase, "trace")));
    DeviceRow gpu;
    gpu.source = trace;
    gpu.name = "GPU 0";
    gpu.nativeId = "0";
    writer.addDevice(gpu);
    TrackRow row;
    row.source = trace;
    row.name = "main";
    const TrackId track = writer.addTrack(row);
    std::vector<SliceRow> slices;
    for (Ns i = 0; i < 50; ++i)
        slices.push_back(sliceAt(i * 12'345'678'901, 9'876'543'210, writer.intern("s")));
    require(writer.writeTrackSlices(track, slices, std::vector<std::int32_t>(slices.size(), -1)));
    require(writer.finishSource(trace));

    SourceRow log = traceSource(kBase + 3, "power");
    log.path = "/logs/power.csv";
    log.kind = SourceKind::Power;
    const SourceId power = require(writer.addSource(log));
    DeviceRow own;
    own.source = power;
    own.name = "00:01.0";
    own.nativeId = "00:01.0";
    CounterRow counter;
    counter.source = power;
    counter.name = "power";
    counter.device = writer.addDevice(own);
    require(writer.writeSamples(writer.addCounter(counter), std::vector{Sample{0, 1}, Sample{5, 2}}));
    require(writer.finishSource(power));
}

Alignment alignment(SourceId source, Ns offset, std::int64_t drift = 0, Ns anchor = 0) {
    Alignment a;
    a.source = source;
    a.offset = offset;
    a.driftPpb = drift;
    a.anchor = anchor;
    a.method = "manual";
    a.confidence = 0.5;
    a.uncertainty = 7;
    a.note = "by hand";
    return a;
}

void forgeInverse(const std::string &path, const char *json) {
    sqlite3 *database = nullptr;
    sqlite3_open(path.c_str(), &database);
    char *sql = sqlite3_mprintf("UPDATE edit_log SET inverse = %Q", json);
    sqlite3_exec(database, sql, nullptr, nullptr, nullptr);
    sqlite3_free(sql);
    sqlite3_close(database);
}

}  // namespace

class EditsTest : public QObject {
    Q_OBJECT

private slots:
    void init() { files_.create(fill); }
    void viewsComputeWhatTimeMapComputes();
    void readersAndViewsAgree();
    void undoSurvivesReopening();
    void newEditEndsRedo();
    void undoTextNamesTheEdit();
    void annotationMovesWithItsSource();
    void annotationsAreChangedAndRemoved();
    void decisionsAndScenarioAreUndoable();
    void aliasJoinsDevices();
    void viewStateIsNotAnEdit();
    void changedViewStateIsAnEdit();
    void analysisReplacesTheLastOne();
    void hostileUndoLogIsRefused();

private:
    TemporaryWorkspace files_;
};

void EditsTest::viewsComputeWhatTimeMapComputes() {
    std::mt19937_64 random(7);
    const auto workspace = files_.open();
    for (int round = 0; round < 20; ++round) {
        const auto drift = static_cast<std::int64_t>(random() % 400'000'000) - 200'000'000;
        const Alignment a = alignment(SourceId{1}, static_cast<Ns>(random() % 1'000'000'000'000), drift,
                                      static_cast<Ns>(random() % 600'000'000'000));
        WATTPROOF_VERIFY_OK(workspace->edits().setAlignment(a));
        const TimeMap map{0, a.offset, a.driftPpb, a.anchor};
        for (const auto &row : plainQuery(files_.path(),
                                          "SELECT s.ts, s.dur, v.ts, v.dur FROM slices v JOIN slice s "
                                          "ON s.id = v.id")) {
            const Ns begin = std::stoll(row[0]), end = begin + std::stoll(row[1]);
            QCOMPARE(std::stoll(row[2]), map.toWorkspace(begin));
            QCOMPARE(std::stoll(row[3]), map.toWorkspace(end) - map.toWorkspace(begin));
        }
    }
}

void EditsTest::readersAndViewsAgree() {
    const auto workspace = files_.open();
    WATTPROOF_VERIFY_OK(workspace->edits().setAlignment(alignment(SourceId{1}, -5, 123'456, 1'000)));
    auto reader = require(workspace->reader());
    const auto slices = require(reader->slices(TrackId{1}, require(reader->extent()), 100));
    const auto rows = plainQuery(files_.path(), "SELECT ts, dur FROM slices");
    QCOMPARE(slices.size(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        QCOMPARE(slices[i].ts, std::stoll(rows[i][0]));
        QCOMPARE(slices[i].dur, std::stoll(rows[i][1]));
    }
}

void EditsTest::undoSurvivesReopening() {
    WATTPROOF_VERIFY_OK(files_.open()->edits().setAlignment(alignment(SourceId{2}, 500)));
    {
        const auto workspace = files_.open();
        QCOMPARE(require(workspace->edits().alignments()).at(1).offset, Ns{500});
        QCOMPARE(require(workspace->edits().alignments()).at(1).uncertainty, Ns{7});
        WATTPROOF_VERIFY_OK(workspace->edits().undo());
        QCOMPARE(require(workspace->edits().alignments()).at(1).offset, Ns{0});
        QCOMPARE(plainText(files_.path(), "SELECT ts FROM samples"), QStringLiteral("3\n8"));
    }
    const auto workspace = files_.open();
    WATTPROOF_VERIFY_OK(workspace->edits().redo());
    QCOMPARE(plainText(files_.path(), "SELECT ts FROM samples"), QStringLiteral("503\n508"));
    WATTPROOF_VERIFY_OK(workspace->edits().undo());
    WATTPROOF_VERIFY_OK(workspace->edits().undo());
    QCOMPARE(require(workspace->edits().alignments()).at(1).offset, Ns{0});
}

void EditsTest::newEditEndsRedo() {
    const auto workspace = files_.open();
    Edits &edits = workspace->edits();
    WATTPROOF_VERIFY_OK(edits.setScenario("1"));
    WATTPROOF_VERIFY_OK(edits.setScenario("2"));
    WATTPROOF_VERIFY_OK(edits.undo());
    QVERIFY(!edits.redoText().empty());
    WATTPROOF_VERIFY_OK(edits.setScenario("3"));
    QVERIFY(edits.redoText().empty());
    WATTPROOF_VERIFY_OK(edits.undo());
    QCOMPARE(QString::fromStdString(require(edits.scenario())), QStringLiteral("1"));
}

void EditsTest::undoTextNamesTheEdit() {
    const auto workspace = files_.open();
    QVERIFY(workspace->edits().undoText().empty());
    WATTPROOF_VERIFY_OK(workspace->edits().setAlignment(alignment(SourceId{2}, 1'250'000'000)));
    QCOMPARE(QString::fromStdString(workspace->edits().undoText()), QStringLiteral("align power.csv by +1.25 s"));
    QVERIFY(!workspace->edits().setAlignment(alignment(SourceId{9}, 1)));
}

void EditsTest::annotationMovesWithItsSource() {
    const auto workspace = files_.open();
    Annotation note;
    note.ts = 1'000;
    note.dur = 50;
    note.track = TrackId{1};
    note.text = "here it stalls";
    note.findingKey = "host_orchestration/GPU 0";
    const auto id = workspace->edits().addAnnotation(note);
    WATTPROOF_VERIFY_OK(id);
    note.track = TrackId{};
    WATTPROOF_VERIFY_OK(workspace->edits().addAnnotation(note));
    WATTPROOF_VERIFY_OK(workspace->edits().setAlignment(alignment(SourceId{1}, 10'000)));
    const auto notes = require(workspace->edits().annotations());
    QCOMPARE(notes.size(), std::size_t{2});
    QCOMPARE(notes[0].ts, Ns{1'000});
    QCOMPARE(notes[1].ts, Ns{11'000});
    QCOMPARE(notes[1].dur, Ns{50});
    QCOMPARE(notes[1].findingKey, note.findingKey);
    QCOMPARE(plainText(files_.path(), "SELECT anchor_sha256, anchor_path FROM annotation WHERE track_id = 1"),
             QStringLiteral("trace|//thread//main"));
}

void EditsTest::annotationsAreChangedAndRemoved() {
    const auto workspace = files_.open();
    Edits &edits = workspace->edits();
    Annotation note;
    note.text = "one";
    note.id = require(edits.addAnnotation(note));
    note.text = "two";
    WATTPROOF_VERIFY_OK(edits.changeAnnotation(note));
    QCOMPARE(require(edits.annotations()).at(0).text, std::string("two"));
    WATTPROOF_VERIFY_OK(edits.removeAnnotation(note.id));
    QVERIFY(require(edits.annotations()).empty());
    WATTPROOF_VERIFY_OK(edits.undo());
    QCOMPARE(require(edits.annotations()).at(0).text, std::string("two"));
    WATTPROOF_VERIFY_OK(edits.undo());
    QCOMPARE(require(edits.annotations()).at(0).text, std::string("one"));
}

void EditsTest::decisionsAndScenarioAreUndoable() {
    const auto workspace = files_.open();
    Edits &edits = workspace->edits();
    QCOMPARE(require(edits.scenario()), std::string("{}"));
    WATTPROOF_VERIFY_OK(edits.setDecision({"key", "owner", "rollback", "accepted", "because"}));
    QCOMPARE(require(edits.decisions()).at(0).owner, std::string("owner"));
    WATTPROOF_VERIFY_OK(edits.undo());
    QVERIFY(require(edits.decisions()).empty());
    WATTPROOF_VERIFY_OK(edits.redo());
    QCOMPARE(require(edits.decisions()).at(0).reason, std::string("because"));
}

void EditsTest::aliasJoinsDevices() {
    const auto workspace = files_.open();
    auto reader = require(workspace->reader());
    QCOMPARE(require(reader->counters()).at(0).device, DeviceId{2});
    WATTPROOF_VERIFY_OK(workspace->edits().setDeviceAlias(SourceId{2}, "00:01.0", DeviceId{1}));
    QCOMPARE(require(reader->counters()).at(0).device, DeviceId{1});
    QCOMPARE(plainText(files_.path(), "SELECT device FROM counters"), QStringLiteral("GPU 0"));
    WATTPROOF_VERIFY_OK(workspace->edits().undo());
    QCOMPARE(plainText(files_.path(), "SELECT device FROM counters"), QStringLiteral("00:01.0"));
}

void EditsTest::viewStateIsNotAnEdit() {
    const auto workspace = files_.open();
    QVERIFY(!require(workspace->edits().viewState("layout")).has_value());
    WATTPROOF_VERIFY_OK(workspace->edits().setViewState("layout", "abc"));
    QCOMPARE(require(workspace->edits().viewState("layout")).value(), std::string("abc"));
    QVERIFY(workspace->edits().undoText().empty());
}

void EditsTest::changedViewStateIsAnEdit() {
    const auto workspace = files_.open();
    store::Edits &edits = workspace->edits();
    WATTPROOF_VERIFY_OK(edits.setViewState("other", "x"));
    WATTPROOF_VERIFY_OK(edits.changeViewState("tracks", "one", "pin stream 7"));
    WATTPROOF_VERIFY_OK(edits.changeViewState("tracks", "two", "hide stream 20"));
    QCOMPARE(edits.undoText(), std::string("hide stream 20"));
    WATTPROOF_VERIFY_OK(edits.undo());
    QCOMPARE(require(edits.viewStates()), (std::map<std::string, std::string>{{"other", "x"}, {"tracks", "one"}}));
    WATTPROOF_VERIFY_OK(edits.undo());
    QVERIFY(!require(edits.viewState("tracks")).has_value());
    WATTPROOF_VERIFY_OK(edits.redo());
    WATTPROOF_VERIFY_OK(edits.redo());
    QCOMPARE(require(edits.viewState("tracks")).value(), std::string("two"));
}

void EditsTest::analysisReplacesTheLastOne() {
    const auto workspace = files_.open();
    AnalysisStore &analysis = workspace->analysisStore();
    QVERIFY(!require(analysis.resultJson()).has_value());
    AnalysisRows rows;
    rows.deviceStates = {{DeviceId{1}, 0, 5, "idle", "host"}};
    rows.energy = {{"compute", SliceId{1}, DeviceId{1}, "board", 0, 5, 2.5, 2, 3}};
    rows.clamps = {{DeviceId{1}, 1, 2, "thermal", "hw_thermal_slowdown", 0.25}};
    FindingRow finding;
    finding.rank = 1;
    finding.key = "k";
    finding.gainLow = 0.1;
    rows.findings = {finding};
    rows.resultJson = "{}";
    WATTPROOF_VERIFY_OK(analysis.replace(rows));
    WATTPROOF_VERIFY_OK(analysis.replace(rows));
    QCOMPARE(require(analysis.deviceStates()).size(), std::size_t{1});
    QCOMPARE(require(analysis.clamps()).at(0).lostClock.value(), 0.25);
    QCOMPARE(require(analysis.findings()).at(0).gainLow.value(), 0.1);
    QVERIFY(!require(analysis.findings()).at(0).gainHigh.has_value());
    QCOMPARE(require(analysis.resultJson()).value(), std::string("{}"));
    const auto details = require(require(workspace->reader())->slice(SliceId{1}));
    QCOMPARE(details.joules.value(), 2.5);
    QCOMPARE(plainText(files_.path(), "SELECT path, slice_id, j FROM energy"), QStringLiteral("compute|1|2.5"));
}

void EditsTest::hostileUndoLogIsRefused() {
    for (const char *forged : {R"([{"table":"sqlite_schema","key":{"name":"x"},"row":null}])",
                               R"([{"table":"annotation","key":{"id = 1 OR 1":1},"row":null}])", "nonsense"}) {
        const auto workspace = files_.open();
        WATTPROOF_VERIFY_OK(workspace->edits().setScenario("1"));
        forgeInverse(files_.path(), forged);
        QVERIFY(!workspace->edits().undo());
        QCOMPARE(require(workspace->edits().scenario()), std::string("1"));
    }
}

QTEST_APPLESS_MAIN(EditsTest)
#include "tst_edits.moc"
