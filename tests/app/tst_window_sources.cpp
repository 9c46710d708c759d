// The sources of a workspace in the window: one taken out, one read anew, a large one in part, a damaged file.
#include "tests/app/window_fixture.h"
#include "tests/app/window_helpers.h"
#include "tests/support/temporary_workspace.h"
#include "widgets/panes/alignment_pane.h"
#include "widgets/panes/findings_pane.h"
#include "widgets/panes/table_view.h"
#include "widgets/window/import_again_dialog.h"
#include "widgets/window/part_dialog.h"
#include "widgets/window/sources_dialog.h"
#include "widgets/window/status_line.h"

#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

using namespace wattproof;
using namespace wattproof::test;
using namespace wattproof::widgets;

namespace {

bool namesTracksOf(const TimelinePane &timeline, const QString &text) {
    for (const TrackNode &node : timeline.tree().nodes)
        if (QString::fromStdString(node.label).contains(text))
            return true;
    return false;
}

void click(QPushButton *button) {
    QVERIFY(button && button->isEnabled());
    QTest::mouseClick(button, Qt::LeftButton);
}

}  // namespace

class WindowSourcesTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup() { fixture_.reset(); }
    void dialogListsWhatWasImported();
    void removeAsksOnceAndTakesTheTracksAway();
    void lastSourceCanGo();
    void importAgainTakesARange();
    void importAgainReadsAnotherFile();
    void importAgainChecksWhatIsTyped();
    void logHasNoPart();
    void missingFileIsSaidInTheBanner();
    void cancelledImportLeavesTheSource();
    void readOnlyWorkspaceChangesNothing();
    void keyboardReachesEverything();
    void largeFileIsOfferedInPart();
    void largeFileIsImportedWhole();
    void largeFileThatIsKnownIsNotAskedAbout();
    void largeFileIsAddedInPart();
    void damageIsSaid();
    void damagedWorkspaceIsImportedAnew();
    void wholeFileIsNotCalledDamaged();

private:
    void open(const QStringList &paths) { QVERIFY(fixture_->open(paths)); }
    SourcesDialog *sources();
    ImportAgainDialog *importAgain(const QString &file);
    PartDialog *offered();
    void choose(const QString &file);
    [[nodiscard]] const SourceEntry *entryOf(const QString &file);
    [[nodiscard]] QString savedWorkspace();

    std::shared_ptr<EndlessService> service_;
    std::unique_ptr<WindowFixture> fixture_;
};

void WindowSourcesTest::init() {
    service_ = std::make_shared<EndlessService>();
    fixture_ = std::make_unique<WindowFixture>(service_);
}

SourcesDialog *WindowSourcesTest::sources() {
    if (auto *shown = fixture_->window().findChild<SourcesDialog *>())
        return shown;
    fixture_->trigger("sources");
    return fixture_->window().findChild<SourcesDialog *>();
}

const SourceEntry *WindowSourcesTest::entryOf(const QString &file) {
    for (const SourceEntry &entry : sources()->model().rows())
        if (QString::fromStdString(entry.row.path) == file)
            return &entry;
    return nullptr;
}

void WindowSourcesTest::choose(const QString &file) {
    TableView *table = sources()->table();
    for (int row = 0; row < table->model()->rowCount(); ++row)
        if (table->model()->index(row, SourcesModel::File).data(kExactRole).toString() == file)
            QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                              table->visualRect(table->model()->index(row, 0)).center());
}

ImportAgainDialog *WindowSourcesTest::importAgain(const QString &file) {
    choose(file);
    QTest::mouseClick(sources()->againButton(), Qt::LeftButton);
    return sources()->findChild<ImportAgainDialog *>();
}

PartDialog *WindowSourcesTest::offered() {
    auto *dialog = fixture_->window().findChild<PartDialog *>();
    return dialog && dialog->isVisible() ? dialog : nullptr;
}

void WindowSourcesTest::dialogListsWhatWasImported() {
    open(simulatedRun().both());
    QVERIFY(sources());
    QCOMPARE(sources()->model().rowCount(), 2);
    const SourceEntry *trace = entryOf(simulatedRun().trace), *power = entryOf(simulatedRun().power);
    QVERIFY(trace && trace->slices > 100 && trace->extent.length() > 1'000'000'000 && trace->part.isWhole());
    QVERIFY(power && power->slices == 0 && power->samples > 5);
}

void WindowSourcesTest::removeAsksOnceAndTakesTheTracksAway() {
    open(simulatedRun().both());
    QVERIFY(namesTracksOf(*fixture_->view().timeline(), "power"));
    choose(simulatedRun().power);
    click(sources()->removeButton());
    auto *box = sources()->findChild<QMessageBox *>();
    QVERIFY(box && box->text().contains(".csv") && box->informativeText().contains("cannot be undone"));
    click(qobject_cast<QPushButton *>(box->button(QMessageBox::Cancel)));
    QVERIFY(fixture_->settle());
    QCOMPARE(sources()->model().rowCount(), 2);
    click(sources()->removeButton());
    box = nullptr;
    for (auto *candidate : sources()->findChildren<QMessageBox *>())
        if (candidate->isVisible())
            box = candidate;
    QVERIFY(box);
    for (QAbstractButton *button : box->buttons())
        if (box->buttonRole(button) == QMessageBox::DestructiveRole)
            click(qobject_cast<QPushButton *>(button));
    QVERIFY(fixture_->settle());
    QCOMPARE(sources()->model().rowCount(), 1);
    QCOMPARE(fixture_->view().alignment()->model().rowCount(), 0);
    QVERIFY(!namesTracksOf(*fixture_->view().timeline(), "power"));
    QVERIFY(fixture_->longestKernel().slice.valid());
    QVERIFY(fixture_->session().analysis() && !fixture_->session().analysis()->energy.totalJ);
}

void WindowSourcesTest::lastSourceCanGo() {
    open({simulatedRun().trace});
    fixture_->window().document().removeSource(*entryOf(simulatedRun().trace));
    QVERIFY(fixture_->settle());
    QCOMPARE(sources()->model().rowCount(), 0);
    QVERIFY(!sources()->removeButton()->isEnabled());
    QVERIFY(fixture_->view().timeline()->tree().nodes.empty());
    QVERIFY(fixture_->view().findings()->cards().isEmpty());
}

void WindowSourcesTest::importAgainTakesARange() {
    open(simulatedRun().both());
    const SourceEntry before = *entryOf(simulatedRun().trace);
    ImportAgainDialog *dialog = importAgain(simulatedRun().trace);
    QVERIFY(dialog && dialog->fields()->isVisible());
    QTest::keyClicks(dialog->fields()->beginField(), "0.5");
    QTest::keyClicks(dialog->fields()->endField(), "1");
    click(dialog->importButton());
    QVERIFY(fixture_->settle());
    const SourceEntry *part = entryOf(simulatedRun().trace);
    QVERIFY(part);
    QCOMPARE(part->part.range, std::string("0.5..1"));
    QVERIFY(part->slices > 0 && part->slices < before.slices / 2);
    QVERIFY(fixture_->session().analysis());
    // What was wished for before stands in the fields.
    dialog = importAgain(simulatedRun().trace);
    QCOMPARE(dialog->fields()->beginField()->text(), "0.5");
    QCOMPARE(dialog->fields()->endField()->text(), "1");
    dialog->fields()->setPart({});
    click(dialog->importButton());
    QVERIFY(fixture_->settle());
    QCOMPARE(entryOf(simulatedRun().trace)->slices, before.slices);
}

void WindowSourcesTest::importAgainReadsAnotherFile() {
    open(simulatedRun().both());
    const QString moved = fixture_->filePath("moved.json");
    QVERIFY(QFile::copy(simulatedRun().trace, moved));
    ImportAgainDialog *dialog = importAgain(simulatedRun().trace);
    dialog->fileField()->setText(moved);
    click(dialog->importButton());
    QVERIFY(fixture_->settle());
    QVERIFY(entryOf(moved));
    QVERIFY(!entryOf(simulatedRun().trace));
}

void WindowSourcesTest::importAgainChecksWhatIsTyped() {
    open({simulatedRun().trace});
    ImportAgainDialog *dialog = importAgain(simulatedRun().trace);
    QVERIFY(dialog->importButton()->isEnabled());
    for (const auto &[begin, end] : {std::pair("3", "1"), std::pair("soon", ""), std::pair("", "-1"), std::pair("0,5", "1")}) {
        dialog->fields()->beginField()->setText(begin);
        dialog->fields()->endField()->setText(end);
        QVERIFY2(!dialog->importButton()->isEnabled(), begin);
        QVERIFY2(dialog->fields()->message().contains("seconds"), begin);
    }
    dialog->fields()->setPart({"1..", "kernel"});
    QVERIFY(dialog->importButton()->isEnabled());
    QVERIFY(dialog->fields()->message().isEmpty());
    dialog->fileField()->clear();
    QVERIFY(!dialog->importButton()->isEnabled());
}

void WindowSourcesTest::logHasNoPart() {
    open(simulatedRun().both());
    ImportAgainDialog *dialog = importAgain(simulatedRun().power);
    QVERIFY(dialog && !dialog->fields()->isVisible());
    click(dialog->importButton());
    QVERIFY(fixture_->settle());
    QCOMPARE(fixture_->view().alignment()->model().rowCount(), 1);
    QVERIFY(fixture_->session().analysis()->energy.totalJ);
}

void WindowSourcesTest::missingFileIsSaidInTheBanner() {
    const QString moved = fixture_->filePath("moved.json");
    QVERIFY(QFile::copy(simulatedRun().trace, moved));
    open({moved});
    QVERIFY(QFile::remove(moved));
    click(importAgain(moved)->importButton());
    QVERIFY(fixture_->settle());
    QVERIFY(fixture_->bannerSays("no longer where it was"));
    QVERIFY(entryOf(moved));
}

void WindowSourcesTest::cancelledImportLeavesTheSource() {
    open({simulatedRun().trace});
    const SourceId before = entryOf(simulatedRun().trace)->row.id;
    service_->endless = true;
    click(importAgain(simulatedRun().trace)->importButton());
    QTRY_VERIFY(fixture_->window().statusLine().taskText().contains("25 %"));
    QVERIFY(!sources()->removeButton()->isEnabled());
    QTest::mouseClick(fixture_->window().statusLine().findChild<QToolButton *>(), Qt::LeftButton);
    QVERIFY(fixture_->settle());
    QVERIFY(fixture_->bannerSays("cancelled"));
    QCOMPARE(entryOf(simulatedRun().trace)->row.id, before);
    QVERIFY(sources()->removeButton()->isEnabled());
}

QString WindowSourcesTest::savedWorkspace() {
    const QString path = fixture_->filePath("saved.wattproof");
    if (!fixture_->open(simulatedRun().both()))
        return {};
    fixture_->window().document().saveAs(path);
    return fixture_->settle() ? path : QString();
}

void WindowSourcesTest::readOnlyWorkspaceChangesNothing() {
    WindowFixture other;
    QVERIFY(other.open(simulatedRun().both()));
    const QString path = other.filePath("shared.wattproof");
    other->document().saveAs(path);
    QVERIFY(other.settle());
    open({path});
    choose(simulatedRun().trace);
    QVERIFY(!sources()->removeButton()->isEnabled());
    QVERIFY(!sources()->againButton()->isEnabled());
    QVERIFY(!sources()->removeButton()->toolTip().isEmpty());
}

void WindowSourcesTest::keyboardReachesEverything() {
    open({simulatedRun().trace});
    QVERIFY(!fixture_->window().action("sources")->shortcut().isEmpty());
    TableView *table = sources()->table();
    QVERIFY(!table->accessibleName().isEmpty());
    QVERIFY(sources()->removeButton()->focusPolicy() & Qt::TabFocus);
    table->setFocus();
    QTest::keyClick(table, Qt::Key_Return);
    auto *dialog = sources()->findChild<ImportAgainDialog *>();
    QVERIFY(dialog);
    for (QLineEdit *field : dialog->findChildren<QLineEdit *>())
        QVERIFY(!field->accessibleName().isEmpty());
    QTest::keyClick(dialog, Qt::Key_Escape);
    QVERIFY(!dialog->isVisible());
    QTest::keyClick(sources(), Qt::Key_Escape);
    QTRY_VERIFY(!fixture_->window().findChild<SourcesDialog *>());
}

void WindowSourcesTest::largeFileIsOfferedInPart() {
    fixture_->window().document().setLargeFile(1000);
    drop(fixture_->window(), simulatedRun().both());
    confirmImport(fixture_->window());
    QVERIFY(fixture_->settle());
    QVERIFY(offered());
    QVERIFY(!fixture_->window().view());
    QVERIFY(!offered()->partButton()->isEnabled());
    QVERIFY(offered()->allButton()->isDefault());
    QTest::keyClicks(offered()->fields()->endField(), "0.5");
    QVERIFY(offered()->partButton()->isDefault());
    click(offered()->partButton());
    QVERIFY(fixture_->settle());
    QVERIFY(fixture_->window().view());
    QCOMPARE(entryOf(simulatedRun().trace)->part.range, std::string("0..0.5"));
    QVERIFY(entryOf(simulatedRun().power)->part.isWhole());
}

void WindowSourcesTest::largeFileIsImportedWhole() {
    fixture_->window().document().setLargeFile(1000);
    drop(fixture_->window(), {simulatedRun().trace});
    QVERIFY(fixture_->settle());
    QVERIFY(offered());
    QTest::keyClick(offered(), Qt::Key_Return);
    QVERIFY(fixture_->settle());
    QVERIFY(entryOf(simulatedRun().trace)->part.isWhole());
}

void WindowSourcesTest::largeFileThatIsKnownIsNotAskedAbout() {
    open({simulatedRun().trace});
    fixture_->restart();
    fixture_->window().document().setLargeFile(1000);
    drop(fixture_->window(), {simulatedRun().trace});
    QVERIFY(fixture_->settle());
    QVERIFY(!offered());
    QVERIFY(fixture_->window().view());
}

void WindowSourcesTest::largeFileIsAddedInPart() {
    open({simulatedRun().power});
    fixture_->window().document().setLargeFile(1000);
    drop(fixture_->window(), {simulatedRun().trace}, Qt::ControlModifier);
    QVERIFY(fixture_->settle());
    QVERIFY(offered());
    offered()->fields()->setPart({{}, "kernel"});
    click(offered()->partButton());
    QVERIFY(fixture_->settle());
    QCOMPARE(sources()->model().rowCount(), 2);
    QCOMPARE(entryOf(simulatedRun().trace)->part.categories, std::string("kernel"));
}

void WindowSourcesTest::damageIsSaid() {
    const QString path = savedWorkspace();
    fixture_->trigger("close");
    damageFirstLeaf(path.toStdString(), "arg_set");
    open({path});
    QTRY_VERIFY_WITH_TIMEOUT(fixture_->bannerSays("damaged"), 30'000);
    QVERIFY(fixture_->bannerSays("saved.wattproof"));
    QVERIFY(fixture_->bannerSays("import its sources again"));
    QVERIFY(fixture_->window().view());
}

// The worst case: a workspace of the cache, which the same files would open again.
void WindowSourcesTest::damagedWorkspaceIsImportedAnew() {
    open(simulatedRun().both());
    const std::string damaged = fixture_->session().workspace().path();
    fixture_->trigger("close");
    damageFirstLeaf(damaged, "arg_set");
    open(simulatedRun().both());
    QCOMPARE(fixture_->session().workspace().path(), damaged);
    QTRY_VERIFY_WITH_TIMEOUT(fixture_->bannerSays("damaged"), 30'000);
    click(fixture_->window().banners().banners().front()->findChild<QPushButton *>());
    QVERIFY(fixture_->settle());
    const std::string anew = fixture_->session().workspace().path();
    QVERIFY(anew != damaged);
    QVERIFY(fixture_->session().workspace().check()->empty());
    QVERIFY(fixture_->session().analysis());
    QVERIFY(fixture_->bannerSays("the damaged one stays as it is"));
    fixture_->trigger("close");
    open(simulatedRun().both());
    QCOMPARE(fixture_->session().workspace().path(), anew);
}

void WindowSourcesTest::wholeFileIsNotCalledDamaged() {
    const QString path = savedWorkspace();
    fixture_->trigger("close");
    open({path});
    QSignalSpy checked(&fixture_->window().document(), &Document::checked);
    QVERIFY(checked.wait(30'000));
    QVERIFY(!fixture_->bannerSays("damaged"));
}

QTEST_MAIN(WindowSourcesTest)
#include "tst_window_sources.moc"
