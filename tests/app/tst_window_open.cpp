#include "tests/app/window_fixture.h"
#include "tests/app/window_helpers.h"
#include "widgets/panes/alignment_pane.h"
#include "widgets/panes/findings_pane.h"
#include "widgets/panes/warnings_pane.h"
#include "widgets/panes/welcome_page.h"
#include "widgets/window/docks.h"
#include "widgets/window/headline_bar.h"
#include "widgets/window/status_line.h"

#include <QAction>
#include <QDockWidget>
#include <QListWidget>
#include <QPushButton>
#include <QTest>
#include <QToolButton>

using namespace wattproof;
using namespace wattproof::test;
using namespace wattproof::widgets;

class WindowOpenTest : public QObject {
    Q_OBJECT

private slots:
    void nothingOpenOffersFileAndSample();
    void commandOpensTraceAndLogTogether();
    void firstViewIsOfTheMainPart();
    void dropOpensFiles();
    void dropWithControlAddsToTheWorkspace();
    void sampleIsLabelledSimulated();
    void brokenFileLeavesTheWorkspaceAndSaysWhy();
    void missingFileIsOneSentence();
    void cancelledImportLeavesTheWorkspace();
    void aLaterOpenReplacesTheRunningOne();
    void recentFilesAreKeptAndOpenAgain();
    void unchangedFilesOpenTheirWorkspaceAgain();
    void openingWhatIsOpenKeepsIt();
    void truncatedTraceOpensWithItsWarning();
    void saveAsGoesOnWithTheCopy();
    void workspaceInUseOpensReadOnly();
    void closeGoesBackToTheWelcomePage();
    void layoutAndHiddenPanesAreRemembered();
};

void WindowOpenTest::nothingOpenOffersFileAndSample() {
    WindowFixture fixture;
    QVERIFY(!fixture->view());
    QStringList buttons;
    for (const QPushButton *button : fixture->welcome()->findChildren<QPushButton *>())
        if (button->isVisible())
            buttons << button->text();
    QCOMPARE(buttons.size(), 2);
    QVERIFY(!fixture->action("analyze")->isEnabled());
    QVERIFY(!fixture->docks().dock(Place::Findings)->isVisible());
}

void WindowOpenTest::commandOpensTraceAndLogTogether() {
    WindowFixture fixture;
    QVERIFY(fixture.open(simulatedRun().both()));
    QVERIFY(fixture->view());
    QVERIFY(fixture.session().analysis());
    QVERIFY(fixture.longestKernel().slice.valid());
    QVERIFY(fixture->windowTitle().contains("run_trace.json"));
    QCOMPARE(fixture.session().view().visible(), fixture.session().view().extent());
    QVERIFY(fixture.session().view().extent().length() > 1'000'000'000);
    QVERIFY(fixture->docks().dock(Place::Findings)->isVisible());
}

void WindowOpenTest::firstViewIsOfTheMainPart() {
    QByteArray text = R"({"traceEvents": [)";
    for (int i = 0; i < 100; ++i)
        text += R"({"name": "work", "ph": "X", "ts": )" + QByteArray::number(10'000 * i) +
                R"(, "dur": 5000, "pid": 1, "tid": 1}, )";
    text += R"({"name": "late", "ph": "X", "ts": 3600000000, "dur": 1, "pid": 1, "tid": 2}]})";
    WindowFixture fixture;
    QVERIFY(fixture.open({fixture.write("far.json", text)}));
    TimeView &axis = fixture.session().view();
    QCOMPARE(axis.visible().length(), Ns{995'000'000});
    QVERIFY(fixture.bannerSays("1 event lies outside the main 995 ms"));
    fixture.trigger("fit-all");
    QCOMPARE(axis.visible(), axis.extent());
    QVERIFY(axis.visible().length() > Ns{3'600'000'000'000});
    fixture.trigger("fit-all");
    QCOMPARE(axis.visible(), axis.mainRange());
}

void WindowOpenTest::dropOpensFiles() {
    WindowFixture fixture;
    drop(fixture.window(), simulatedRun().both());
    confirmImport(fixture.window());
    QVERIFY(fixture.settle());
    QVERIFY(fixture->view());
    QCOMPARE(fixture.view().alignment()->model().rowCount(), 1);
}

void WindowOpenTest::dropWithControlAddsToTheWorkspace() {
    WindowFixture fixture;
    QVERIFY(fixture.open({simulatedRun().trace}));
    QVERIFY(!fixture.session().analysis()->energy.totalJ);
    const Session *before = &fixture.session();
    drop(fixture.window(), {simulatedRun().power}, Qt::ControlModifier);
    confirmImport(fixture.window());
    QVERIFY(fixture.settle());
    QCOMPARE(&fixture.session(), before);
    QCOMPARE(fixture.view().alignment()->model().rowCount(), 1);
    QVERIFY(fixture.session().analysis()->energy.totalJ);
}

void WindowOpenTest::sampleIsLabelledSimulated() {
    WindowFixture fixture;
    fixture.trigger("sample");
    QVERIFY(fixture->view());
    QVERIFY(fixture->headline().texts().contains("simulated"));
    QVERIFY(!fixture.view().findings()->cards().isEmpty());
}

void WindowOpenTest::brokenFileLeavesTheWorkspaceAndSaysWhy() {
    WindowFixture fixture;
    QVERIFY(fixture.open(simulatedRun().both()));
    const Session *before = &fixture.session();
    const QString broken = fixture.write("holiday.json", "\x89PNG not a trace at all");
    QVERIFY(fixture.open({broken}));
    QVERIFY(fixture.bannerSays("holiday.json"));
    QCOMPARE(fixture->document().session(), before);
    QVERIFY(fixture->view());
    QVERIFY(fixture.session().analysis());
}

void WindowOpenTest::missingFileIsOneSentence() {
    WindowFixture fixture;
    QVERIFY(fixture.open({fixture.filePath("gone.json")}));
    QVERIFY(fixture.bannerSays("gone.json"));
    QCOMPARE(fixture->banners().texts().size(), 1);
    QVERIFY(!fixture->view());
}

void WindowOpenTest::cancelledImportLeavesTheWorkspace() {
    const auto service = std::make_shared<EndlessService>();
    WindowFixture fixture(service);
    QVERIFY(fixture.open(simulatedRun().both()));
    const Session *before = &fixture.session();
    service->endless = true;
    const QString other = fixture.write("endless.json", "[]");
    fixture->document().open({other});
    QTRY_VERIFY(fixture->statusLine().taskText().contains("Reading endless.json"));
    QVERIFY(fixture->statusLine().taskText().contains("25 %"));
    auto *cancel = fixture->statusLine().findChild<QToolButton *>();
    QTest::mouseClick(cancel, Qt::LeftButton);
    QVERIFY(fixture.settle());
    QVERIFY(fixture.bannerSays("cancelled"));
    QCOMPARE(fixture->document().session(), before);
    for (const QString &name : QDir(fixture.filePath("cache")).entryList(QDir::Files))
        QVERIFY2(!name.startsWith("endless"), qPrintable(name));
}

void WindowOpenTest::aLaterOpenReplacesTheRunningOne() {
    const auto service = std::make_shared<EndlessService>();
    service->endless = true;
    WindowFixture fixture(service);
    fixture->document().open({fixture.write("endless.json", "[]")});
    QTRY_VERIFY(fixture->statusLine().taskText().contains("Reading"));
    service->endless = false;
    QVERIFY(fixture.open(simulatedRun().both()));
    QVERIFY(fixture->windowTitle().contains("run_trace.json"));
    QVERIFY(!fixture.bannerSays("cancelled"));
}

void WindowOpenTest::recentFilesAreKeptAndOpenAgain() {
    WindowFixture fixture;
    QVERIFY(fixture.open(simulatedRun().both()));
    fixture.restart();
    QCOMPARE(fixture->recent().entries().size(), 1);
    QCOMPARE(fixture->recent().entries().front(), simulatedRun().both());
    auto *list = fixture->welcome()->findChild<QListWidget *>();
    QCOMPARE(list->count(), 1);
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(0)).center());
    QVERIFY(fixture.settle());
    QVERIFY(fixture->view());
    QCOMPARE(fixture->recent().entries().size(), 1);
}

void WindowOpenTest::unchangedFilesOpenTheirWorkspaceAgain() {
    WindowFixture fixture;
    QVERIFY(fixture.open(simulatedRun().both()));
    const std::string path = fixture.session().workspace().path();
    store::Annotation note;
    note.text = "kept";
    fixture.session().edits().apply([note](store::Edits &edits) -> Status {
        auto added = edits.addAnnotation(note);
        if (!added)
            return passOn(added);
        return {};
    });
    QVERIFY(fixture.settle());
    fixture.restart();
    QVERIFY(fixture.open(simulatedRun().both()));
    QCOMPARE(fixture.session().workspace().path(), path);
    QCOMPARE(fixture.session().workspace().edits().annotations()->size(), std::size_t{1});
}

void WindowOpenTest::openingWhatIsOpenKeepsIt() {
    WindowFixture fixture;
    QVERIFY(fixture.open(simulatedRun().both()));
    const Session *before = &fixture.session();
    QVERIFY(fixture.open(simulatedRun().both()));
    QCOMPARE(fixture->document().session(), before);
    QVERIFY(fixture.session().workspace().writable());
}

void WindowOpenTest::truncatedTraceOpensWithItsWarning() {
    WindowFixture fixture;
    QFile whole(simulatedRun().trace);
    QVERIFY(whole.open(QIODevice::ReadOnly));
    const QByteArray bytes = whole.readAll();
    QVERIFY(fixture.open({fixture.write("cut.json", bytes.left(bytes.size() * 3 / 4))}));
    QVERIFY(fixture->view());
    QVERIFY(fixture.bannerSays("cut.json"));
    QVERIFY(fixture.view().warnings()->model().rowCount() > 0);
    QVERIFY(fixture->docks().dock(Place::Warnings)->windowTitle().contains("("));
}

void WindowOpenTest::saveAsGoesOnWithTheCopy() {
    WindowFixture fixture;
    QVERIFY(fixture.open(simulatedRun().both()));
    QVERIFY(fixture->document().isInCache());
    const QString copy = fixture.filePath("kept.wattproof");
    fixture->document().saveAs(copy);
    QVERIFY(fixture.settle());
    QCOMPARE(QString::fromStdString(fixture.session().workspace().path()), copy);
    QVERIFY(!fixture->document().isInCache());
    QVERIFY(fixture.session().analysis());
    QVERIFY(fixture->windowTitle().contains("kept.wattproof"));
}

void WindowOpenTest::workspaceInUseOpensReadOnly() {
    WindowFixture first;
    QVERIFY(first.open(simulatedRun().both()));
    const QString copy = first.filePath("shared.wattproof");
    first->document().saveAs(copy);
    QVERIFY(first.settle());
    WindowFixture second;
    QVERIFY(second.open({copy}));
    QVERIFY(second->view());
    QVERIFY(!second.session().workspace().writable());
    QVERIFY(second.bannerSays("another window"));
    QVERIFY(second.session().analysis());
}

void WindowOpenTest::closeGoesBackToTheWelcomePage() {
    WindowFixture fixture;
    QVERIFY(fixture.open(simulatedRun().both()));
    fixture.trigger("close");
    QVERIFY(!fixture->view());
    QVERIFY(!fixture->document().session());
    QVERIFY(fixture->welcome()->isVisible());
    QVERIFY(!fixture->docks().dock(Place::Selection)->isVisible());
    QVERIFY(fixture.open(simulatedRun().both()));
    QVERIFY(fixture->docks().dock(Place::Selection)->isVisible());
}

void WindowOpenTest::layoutAndHiddenPanesAreRemembered() {
    WindowFixture fixture;
    QVERIFY(fixture.open(simulatedRun().both()));
    fixture->docks().dock(Place::Findings)->close();
    fixture.trigger("close");
    QVERIFY(fixture.open(simulatedRun().both()));
    QVERIFY(!fixture->docks().dock(Place::Findings)->isVisible());
    fixture.trigger("reset-layout");
    QVERIFY(fixture->docks().dock(Place::Findings)->isVisible());
}

QTEST_MAIN(WindowOpenTest)
#include "tst_window_open.moc"
