// Sources that are read anew in their place: notes and alignments move on, and a failure leaves the old one.
#include "store/reader.h"
#include "tests/support/temporary_workspace.h"
#include "tests/support/two_sources.h"

#include <QTest>

using namespace wattproof;
using namespace wattproof::store;
using namespace wattproof::test;

class SourceReplacementTest : public QObject {
    Q_OBJECT

private slots:
    void replacementIsInvisibleUntilCommit();
    void abandonedReplacementLeavesTheOldOne();
    void failedReplacementLeavesTheOldOne();
    void replacementTakesOverNotesAndAlignment();
    void replacementWithAnotherBeginningKeepsStatedTimes();
    void replacementWithoutTheTrackKeepsTheNote();
    void undoGoesOnAfterAReplacement();
};

void SourceReplacementTest::replacementIsInvisibleUntilCommit() {
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

void SourceReplacementTest::abandonedReplacementLeavesTheOldOne() {
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

void SourceReplacementTest::failedReplacementLeavesTheOldOne() {
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

void SourceReplacementTest::replacementTakesOverNotesAndAlignment() {
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

void SourceReplacementTest::replacementWithAnotherBeginningKeepsStatedTimes() {
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

void SourceReplacementTest::replacementWithoutTheTrackKeepsTheNote() {
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

void SourceReplacementTest::undoGoesOnAfterAReplacement() {
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

QTEST_APPLESS_MAIN(SourceReplacementTest)
#include "tst_source_replacement.moc"
