// The SQL console and the events table in the window: their keys, their files, their links with the timeline.
#include "tests/app/window_fixture.h"
#include "widgets/events/events_pane.h"
#include "widgets/sql/result_model.h"
#include "widgets/sql/sql_editor.h"
#include "widgets/sql/sql_pane.h"
#include "widgets/tables/long_table.h"
#include "widgets/window/docks.h"
#include "widgets/window/shortcuts_dialog.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <QTest>

using namespace wattproof;
using namespace wattproof::test;
using namespace wattproof::widgets;

class WindowTablesTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void keyOpensTheConsole();
    void escapeInTheConsoleKeepsTheSelection();
    void answerIsSavedInTheBackground();
    void unwritablePlaceIsSaid();
    void keyFindsEvents();
    void historySurvivesTheProgram();
    void keysAreListed();

private:
    void press(int key, Qt::KeyboardModifiers modifiers = {}) {
        QTest::keyClick(QApplication::focusWidget(), Qt::Key(key), modifiers);
    }
    SqlPane *sql() { return fixture_->view().sql(); }

    std::unique_ptr<WindowFixture> fixture_;
};

void WindowTablesTest::initTestCase() {
    fixture_ = std::make_unique<WindowFixture>();
    QVERIFY(fixture_->open(simulatedRun().both()));
}

void WindowTablesTest::keyOpensTheConsole() {
    fixture_->window().activateWindow();
    fixture_->view().timeline()->setFocus();
    press(Qt::Key_F8);
    QVERIFY(sql()->editor()->hasFocus());
    QTest::keyClicks(sql()->editor(), "select count(*) from slices ");
    press(Qt::Key_Return, Qt::ControlModifier);
    QVERIFY(fixture_->settle());
    QCOMPARE(sql()->model().total(), 1);
    QVERIFY(sql()->model().text(0, 0).toInt() > 100);
}

void WindowTablesTest::escapeInTheConsoleKeepsTheSelection() {
    Selection area;
    area.range = {1'000, 2'000};
    fixture_->session().view().select(area);
    sql()->begin();
    press(Qt::Key_Escape);
    QVERIFY(fixture_->session().view().selection().isArea());
    fixture_->session().view().clearSelection();
}

void WindowTablesTest::answerIsSavedInTheBackground() {
    sql()->editor()->put("SELECT 1 AS a, 'x' AS b");
    sql()->run();
    QVERIFY(fixture_->settle());
    const QString path = fixture_->filePath("rows.csv");
    fixture_->window().saveRows(path);
    QVERIFY(fixture_->settle());
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("a,b\r\n1,x\r\n"));
    QVERIFY(fixture_->bannerSays("Saved"));
}

void WindowTablesTest::unwritablePlaceIsSaid() {
    fixture_->window().saveRows(fixture_->filePath("no such folder/rows.json"));
    QVERIFY(fixture_->settle());
    QVERIFY(fixture_->bannerSays("cannot be written"));
}

void WindowTablesTest::keyFindsEvents() {
    fixture_->window().activateWindow();  // the list of completions was
    QVERIFY(QTest::qWaitForWindowActive(&fixture_->window()));
    fixture_->view().timeline()->setFocus();
    press(Qt::Key_F7);
    EventsPane *events = fixture_->view().events();
    QVERIFY(events->filterBar()->nameField()->hasFocus());
    QVERIFY(fixture_->settle());
    const store::KernelInterval kernel = fixture_->longestKernel();
    events->showNamed({});
    emit events->table()->sortRequested(EventsModel::Duration, Qt::DescendingOrder);
    QVERIFY(fixture_->settle());
    QVERIFY(events->isComplete());
    // The timeline selects: the row is marked. The table selects: the timeline shows.
    Selection selection;
    selection.slice = kernel.slice;
    selection.range = kernel.range;
    fixture_->session().view().select(selection);
    QVERIFY(fixture_->settle());
    QCOMPARE(events->model().ids()->at(static_cast<std::size_t>(events->table()->currentRow())), kernel.slice);
    QTest::keyClick(events->table()->table(), Qt::Key_Down);
    QVERIFY(fixture_->settle());
    QVERIFY(fixture_->session().view().selection().isSlice());
    QVERIFY(fixture_->session().view().selection().slice != kernel.slice);
    fixture_->session().view().clearSelection();
}

void WindowTablesTest::historySurvivesTheProgram() {
    sql()->editor()->put("SELECT 42");
    sql()->run();
    QVERIFY(fixture_->settle());
    fixture_->restart();
    QVERIFY(fixture_->open(simulatedRun().both()));
    fixture_->trigger("sql-console");
    press(Qt::Key_Up, Qt::ControlModifier);
    QCOMPARE(sql()->editor()->toPlainText(), QStringLiteral("SELECT 42"));
}

void WindowTablesTest::keysAreListed() {
    fixture_->window().action("shortcuts")->trigger();
    auto *dialog = fixture_->window().findChild<ShortcutsDialog *>();
    QVERIFY(dialog);
    QStringList texts;
    for (const QLabel *label : dialog->findChildren<QLabel *>())
        texts << label->text();
    for (const char *text : {"F8", "F7", "Ctrl + Enter", "Stop the query"})
        QVERIFY2(texts.contains(text), text);
    dialog->close();
}

QTEST_MAIN(WindowTablesTest)
#include "tst_window_tables.moc"
