// Sources that are taken out of a workspace: what of them must go, what must stay, and that it is all or nothing.
#include "store/edit/source_removal.h"
#include "store/reader.h"
#include "store/schema/schema.h"
#include "tests/support/temporary_workspace.h"
#include "tests/support/two_sources.h"

#include <algorithm>
#include <random>

#include <QTest>

using namespace wattproof;
using namespace wattproof::store;
using namespace wattproof::test;

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
