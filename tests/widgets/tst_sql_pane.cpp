// The SQL console by its keys and buttons, on a small run.
#include "tests/widgets/pane_bench.h"
#include "widgets/sql/result_chart.h"
#include "widgets/sql/result_files.h"
#include "widgets/sql/result_model.h"
#include "widgets/sql/sql_editor.h"
#include "widgets/sql/sql_pane.h"
#include "widgets/tables/long_table.h"

#include <QAbstractItemModelTester>
#include <QAbstractItemView>
#include <QClipboard>
#include <QComboBox>
#include <QCompleter>
#include <QFile>
#include <QGuiApplication>
#include <QAction>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>

using namespace wattproof;
using namespace wattproof::test;
using namespace wattproof::widgets;

namespace {

const char *const kEndless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
const char *const kMany =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) SELECT i, 5000 - i AS rest FROM n";

QByteArray contentOf(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

class SqlPaneTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void controlEnterRunsAndSaysRowsAndTime();
    void selectedPartRunsAlone();
    void errorStandsBesideTheTextAndUnderlinesItsPlace();
    void writingIsRefusedInOneSentence();
    void escapeStopsARunningQuery();
    void firstThousandRowsThenAll();
    void theHeadSortsAndKeepsTheRows();
    void enterGoesToASlice();
    void enterGoesToARange();
    void rowsAndCellsAreCopied();
    void wordsAreCompleted();
    void controlArrowsWalkTheHistory();
    void exampleRunsFromTheEmptyPane();
    void numbersAreDrawn();
    void filesHoldTheRowsAsShown();
    void filesAreWholeOrNotThere();

private:
    void type(const char *sql);
    void press(int key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(pane_->editor(), Qt::Key(key), modifiers); }
    void runAndWait(const char *sql);
    [[nodiscard]] QString cell(qint64 row, int column) const { return pane_->model().text(row, column); }

    PaneBench bench_;
    std::unique_ptr<SqlPane> pane_;
};

void SqlPaneTest::init() {
    bench_.session->view().clearSelection();
    bench_.session->view().fitAll();
    pane_ = std::make_unique<SqlPane>(bench_.session.get(), draw::lightTheme());
    bench_.show(*pane_, 1000, 300);
    pane_->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(pane_.get()));
    pane_->begin();
}

void SqlPaneTest::type(const char *sql) {
    pane_->editor()->put(QString::fromUtf8(sql));
}

void SqlPaneTest::runAndWait(const char *sql) {
    type(sql);
    press(Qt::Key_Return, Qt::ControlModifier);
    QVERIFY(pane_->isRunning());
    QTRY_VERIFY(!pane_->isRunning());
}

void SqlPaneTest::controlEnterRunsAndSaysRowsAndTime() {
    const QAbstractItemModelTester tester(const_cast<ResultModel *>(&pane_->model()),
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    runAndWait("SELECT name, dur, NULL AS void, 2.5 AS half FROM slices WHERE dur > 0 ORDER BY dur DESC LIMIT 3");
    QCOMPARE(pane_->model().total(), 3);
    QCOMPARE(pane_->model().columnCount(), 4);
    QVERIFY2(pane_->statusText().startsWith("3 rows in "), qPrintable(pane_->statusText()));
    QVERIFY(pane_->errorText().isEmpty());
    const QModelIndex first = pane_->model().index(0, 1);
    QVERIFY(first.data(Qt::ToolTipRole).toString().contains("s"));
    QVERIFY(first.data(Qt::TextAlignmentRole).value<Qt::Alignment>() & Qt::AlignRight);
    QCOMPARE(pane_->model().index(0, 2).data().toString(), QStringLiteral("NULL"));
    QCOMPARE(pane_->model().index(0, 3).data().toString(), QStringLiteral("2.5"));
    runAndWait("SELECT 1 WHERE 0");
    QVERIFY2(pane_->statusText().startsWith("0 rows in "), qPrintable(pane_->statusText()));
}

void SqlPaneTest::selectedPartRunsAlone() {
    type("SELECT 1;\nSELECT nane FROM slices");
    QTextCursor cursor = pane_->editor()->textCursor();
    cursor.setPosition(10);
    cursor.movePosition(QTextCursor::End, QTextCursor::KeepAnchor);
    pane_->editor()->setTextCursor(cursor);
    press(Qt::Key_Return, Qt::ControlModifier);
    QTRY_VERIFY(!pane_->errorText().isEmpty());
    // The place counts from the begin of the whole text.
    QCOMPARE(pane_->editor()->extraSelections().value(0).cursor.selectedText(), QStringLiteral("nane"));
}

void SqlPaneTest::errorStandsBesideTheTextAndUnderlinesItsPlace() {
    runAndWait("SELECT 'ä', name FROM slices WHERE nane = 1");
    QVERIFY2(pane_->errorText().contains("line 1, column 36"), qPrintable(pane_->errorText()));
    QCOMPARE(pane_->editor()->extraSelections().value(0).cursor.selectedText(), QStringLiteral("nane"));
    QTest::keyClicks(pane_->editor(), " ");
    QVERIFY(pane_->editor()->extraSelections().isEmpty());
    runAndWait("SELECT 1");
    QVERIFY(pane_->errorText().isEmpty());
}

void SqlPaneTest::writingIsRefusedInOneSentence() {
    for (const char *sql : {"DELETE FROM slices", "ATTACH 'x' AS y", "PRAGMA journal_mode = DELETE",
                            "SELECT load_extension('x')", "CREATE TEMP TABLE t(x)"}) {
        runAndWait(sql);
        QVERIFY2(pane_->errorText().contains("only read"), qPrintable(pane_->errorText()));
        QCOMPARE(pane_->errorText().count(QLatin1Char('\n')), 0);
    }
}

void SqlPaneTest::escapeStopsARunningQuery() {
    auto *cancel = pane_->findChild<QToolButton *>("sql-cancel");
    QVERIFY(cancel->isHidden());
    for (const bool byKey : {true, false}) {
        type(kEndless);
        press(Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(pane_->isRunning() && cancel->isVisible());
        QTRY_VERIFY(pane_->statusText().startsWith("Running for"));
        if (byKey)
            press(Qt::Key_Escape);
        else
            QTest::mouseClick(cancel, Qt::LeftButton);
        QVERIFY(!pane_->isRunning());
        QVERIFY(pane_->statusText().startsWith("Cancelled after"));
        bench_.session->longQueries().service().waitIdle();
    }
    runAndWait("SELECT 1");
    QCOMPARE(pane_->model().total(), 1);
}

void SqlPaneTest::firstThousandRowsThenAll() {
    auto *all = pane_->findChild<QToolButton *>("sql-all");
    runAndWait(kMany);
    QCOMPARE(pane_->model().total(), 1000);
    QVERIFY2(pane_->statusText().contains("there are more"), qPrintable(pane_->statusText()));
    QVERIFY(all->isVisible());
    type("SELECT 'what stands there meanwhile'");
    QTest::mouseClick(all, Qt::LeftButton);
    QTRY_COMPARE(pane_->model().total(), 5000);
    QVERIFY(all->isHidden());
    QVERIFY2(pane_->statusText().startsWith("5,000 rows in"), qPrintable(pane_->statusText()));
    QVERIFY(pane_->model().rowCount() < 30);
}

void SqlPaneTest::theHeadSortsAndKeepsTheRows() {
    runAndWait(kMany);
    emit pane_->table()->sortRequested(1, Qt::AscendingOrder);
    QTRY_COMPARE(cell(0, 0), QStringLiteral("1000"));
    QCOMPARE(cell(999, 0), QStringLiteral("1"));
    emit pane_->table()->sortRequested(1, Qt::DescendingOrder);
    QTRY_COMPARE(cell(0, 0), QStringLiteral("1"));
}

void SqlPaneTest::enterGoesToASlice() {
    const TimeRange before = bench_.session->view().visible();
    runAndWait("SELECT id, ts, dur, name, track_id FROM slices WHERE name LIKE '%gemm%'");
    QTest::keyClick(pane_->table()->table(), Qt::Key_Down);
    QTest::keyClick(pane_->table()->table(), Qt::Key_Return);
    QTRY_COMPARE(bench_.session->view().selection().slice, bench_.run.gemm);
    QCOMPARE(bench_.session->view().visible(), before);  // it was in sight
    bench_.session->view().setVisible({80 * kMs, 90 * kMs});
    QTest::keyClick(pane_->table()->table(), Qt::Key_Return);
    QTRY_VERIFY(bench_.session->view().visible().contains(30 * kMs));
}

void SqlPaneTest::enterGoesToARange() {
    const std::string sql = "SELECT 40000000 AS ts, 10000000 AS dur, " + std::to_string(bench_.run.stream7.value) + " AS track_id";
    runAndWait(sql.c_str());
    QTest::mouseDClick(pane_->table()->table()->viewport(), Qt::LeftButton, {}, {20, 10});
    const Selection &selection = bench_.session->view().selection();
    QVERIFY(selection.isArea());
    QCOMPARE(selection.range, (TimeRange{40 * kMs, 50 * kMs}));
    QCOMPARE(selection.tracks, std::vector<TrackId>{bench_.run.stream7});
    runAndWait("SELECT 12000000 AS ts");
    QTest::mouseDClick(pane_->table()->table()->viewport(), Qt::LeftButton, {}, {20, 10});
    QCOMPARE(bench_.session->view().cursor().value_or(-1), 12 * kMs);
}

void SqlPaneTest::rowsAndCellsAreCopied() {
    runAndWait("SELECT 1 AS a, 'x' || char(9) || 'y' AS b UNION ALL SELECT 2, 'z' UNION ALL SELECT 3, 'w'");
    QTableView *table = pane_->table()->table();
    table->setFocus();
    QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("a\tb\n1\t\"x\ty\"\n2\tz\n3\tw\n"));
    QTest::keyClick(table, Qt::Key_Down);
    QTest::keyClick(table, Qt::Key_Down);
    QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("a\tb\n2\tz\n"));
    QTest::keyClick(table, Qt::Key_Right);
    QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("z"));
}

void SqlPaneTest::wordsAreCompleted() {
    QAbstractItemView *list = pane_->editor()->completer()->popup();
    type("SELECT  FROM slices s");
    QTextCursor cursor = pane_->editor()->textCursor();
    cursor.setPosition(7);
    pane_->editor()->setTextCursor(cursor);
    QTest::keyClicks(pane_->editor(), "s.cat");
    QVERIFY(list->isVisible());
    QCOMPARE(list->model()->index(0, 0).data().toString(), QStringLiteral("category"));
    QTest::keyClick(list, Qt::Key_Return);
    QVERIFY(!list->isVisible());
    QCOMPARE(pane_->editor()->toPlainText(), QStringLiteral("SELECT s.category FROM slices s"));
    QTest::keyClicks(pane_->editor(), ", du");
    QVERIFY(list->isVisible());
    QTest::keyClick(list, Qt::Key_Escape);
    QVERIFY(!list->isVisible());
    press(Qt::Key_Space, Qt::ControlModifier);
    QVERIFY(list->isVisible());
    list->hide();
}

void SqlPaneTest::controlArrowsWalkTheHistory() {
    const QTemporaryDir folder;
    QSettings settings(folder.filePath("s.ini"), QSettings::IniFormat);
    pane_->useSettings(&settings);
    runAndWait("SELECT 1");
    runAndWait("SELECT 2");
    type("SELECT 3");
    press(Qt::Key_Up, Qt::ControlModifier);
    QCOMPARE(pane_->editor()->toPlainText(), QStringLiteral("SELECT 2"));
    press(Qt::Key_Up, Qt::ControlModifier);
    QCOMPARE(pane_->editor()->toPlainText(), QStringLiteral("SELECT 1"));
    press(Qt::Key_Down, Qt::ControlModifier);
    press(Qt::Key_Down, Qt::ControlModifier);
    QCOMPARE(pane_->editor()->toPlainText(), QStringLiteral("SELECT 3"));
    QCOMPARE(settings.value("sql/history").toStringList(), QStringList({"SELECT 1", "SELECT 2"}));
    pane_->useSettings(nullptr);
}

void SqlPaneTest::exampleRunsFromTheEmptyPane() {
    const auto buttons = pane_->findChildren<QPushButton *>();
    QCOMPARE(buttons.size(), 1);
    QTest::mouseClick(buttons.front(), Qt::LeftButton);
    QTRY_VERIFY(pane_->model().total() > 2);
    QVERIFY(pane_->editor()->toPlainText().startsWith("SELECT"));
}

void SqlPaneTest::numbersAreDrawn() {
    auto *button = pane_->findChild<QToolButton *>("sql-chart");
    ResultChart *chart = pane_->chart();
    QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(!chart->isVisible());  // nothing ran yet
    runAndWait(kMany);
    QVERIFY(chart->isVisible());
    QCOMPARE(chart->points(), 1000);
    QCOMPARE(chart->xBox()->currentText(), QStringLiteral("i"));
    QCOMPARE(chart->yBox()->currentText(), QStringLiteral("rest"));
    chart->kindBox()->setCurrentIndex(1);
    QCOMPARE(chart->points(), static_cast<int>(ResultChart::kMostBars));
    runAndWait("SELECT name, sum(dur) AS dur FROM slices WHERE dur > 0 GROUP BY 1");
    QCOMPARE(chart->xBox()->currentText(), QStringLiteral("name"));
    QCOMPARE(chart->kindBox()->currentIndex(), 1);
    QVERIFY(chart->points() > 2);
    pane_->setTheme(draw::darkTheme());
    QTRY_COMPARE(pixelAt(*pane_, chart->mapTo(pane_.get(), QPoint(4, chart->height() - 4))),
                 draw::darkTheme().background.rgb());
    runAndWait("SELECT 'no number'");
    QCOMPARE(chart->points(), 0);
    QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(pane_->table()->isVisible());
}

void SqlPaneTest::filesHoldTheRowsAsShown() {
    const QTemporaryDir folder;
    runAndWait("SELECT 1 AS a, '=cmd()' AS b, NULL AS c UNION ALL SELECT 2, 'x,\"y\"', -2.5");
    emit pane_->table()->sortRequested(0, Qt::DescendingOrder);
    QTRY_COMPARE(cell(0, 0), QStringLiteral("2"));
    const ResultModel &model = pane_->model();
    const QString csv = folder.filePath("r.csv"), document = folder.filePath("r.json");
    WATTPROOF_VERIFY_OK(writeResult(*model.result(), model.order(), csv, Task()));
    WATTPROOF_VERIFY_OK(writeResult(*model.result(), model.order(), document, Task()));
    QCOMPARE(contentOf(csv), QByteArray("a,b,c\r\n2,\"x,\"\"y\"\"\",-2.5\r\n1,'=cmd(),\r\n"));
    const QJsonObject object = QJsonDocument::fromJson(contentOf(document)).object();
    QCOMPARE(object["columns"].toArray(), QJsonArray({"a", "b", "c"}));
    QCOMPARE(object["rows"].toArray(), QJsonArray({QJsonArray({2, "x,\"y\"", -2.5}),
                                                   QJsonArray({1, "=cmd()", QJsonValue::Null})}));
    QCOMPARE(object["truncated"].toBool(true), false);
    QSignalSpy asked(pane_.get(), &SqlPane::exportRequested);
    pane_->findChild<QToolButton *>("sql-export")->menu()->actions().at(1)->trigger();
    QCOMPARE(asked.value(0).value(0).toString(), QStringLiteral("json"));
}

void SqlPaneTest::filesAreWholeOrNotThere() {
    const QTemporaryDir folder;
    runAndWait(kMany);
    std::stop_source stop;
    stop.request_stop();
    const QString path = folder.filePath("r.csv");
    const Status stopped = writeResult(*pane_->model().result(), {}, path, Task{{}, stop.get_token()});
    QVERIFY(!stopped && isCancelled(stopped.error()));
    QVERIFY(!QFile::exists(path));
    QVERIFY(!writeResult(*pane_->model().result(), {}, folder.filePath("none/r.csv"), Task()));
}

QTEST_MAIN(SqlPaneTest)
#include "tst_sql_pane.moc"
