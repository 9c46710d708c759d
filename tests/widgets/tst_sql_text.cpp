// What the console knows of SQL as text, and of the rows of an answer: without widgets.
#include "widgets/sql/query_history.h"
#include "widgets/sql/result_jump.h"
#include "widgets/sql/result_order.h"
#include "widgets/sql/result_series.h"
#include "widgets/sql/sql_text.h"

#include <cmath>

#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

using namespace wattproof;
using namespace wattproof::widgets;

namespace {

const QStringList kViews{"slices", "gpu_kernels"};

// "k:SELECT" for every part, in order.
QStringList parts(const QString &line, SqlOpen before = SqlOpen::Nothing) {
    const QString letters = QStringLiteral("kfvnsc:o");
    QStringList found;
    for (const SqlSpan &span : sqlSpans(line, before, kViews).spans)
        found << letters[static_cast<int>(span.kind)] + QLatin1Char('|') + line.mid(span.begin, span.length);
    return found;
}

std::vector<store::PublicView> views() {
    return {{"slices", {"id", "ts", "dur", "name"}}, {"gpu_kernels", {"slice_id", "device", "stream"}}};
}

// Cells by their SQL spelling: NULL, 1, 2.5, text.
store::QueryResult resultOf(std::vector<std::string> columns, std::vector<std::vector<std::string>> rows) {
    store::QueryResult result;
    result.columns = std::move(columns);
    for (auto &row : rows) {
        std::vector<int> types;
        for (std::string &cell : row) {
            bool integer = false, real = false;
            const QString text = QString::fromStdString(cell);
            (void)text.toLongLong(&integer);
            (void)text.toDouble(&real);
            types.push_back(cell == "NULL" ? store::kNull : integer ? store::kInteger : real ? store::kFloat : store::kText);
        }
        result.types.push_back(types);
        result.rows.push_back(row);
    }
    return result;
}

QStringList columnInOrder(const store::QueryResult &result, bool descending) {
    QStringList cells;
    const auto order = orderBy(result, 0, descending);
    for (const std::uint32_t row : order.value())
        cells << QString::fromStdString(result.rows[row][0]) + QString::fromStdString(result.rows[row][1]);
    return cells;
}

}  // namespace

class SqlTextTest : public QObject {
    Q_OBJECT

private slots:
    void partsOfALine_data();
    void partsOfALine();
    void commentsAndTextsRunOverLines();
    void everySplitOfATextIsRead();
    void completionsKnowWhereTheyStand_data();
    void completionsKnowWhereTheyStand();
    void bytesBecomePlaces();
    void historyIsWalkedAndKept();
    void ordersAreThoseOfSqlite();
    void rowsKnowTheirTime_data();
    void rowsKnowTheirTime();
    void farAwayTimesDoNotOverflow();
    void seriesLeaveUnknownValuesOpen();
    void ticksAreShort_data();
    void ticksAreShort();
};

void SqlTextTest::partsOfALine_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QStringList>("expected");
    QTest::newRow("all kinds") << "select count(*) FROM slices WHERE name = 'it''s' AND dur > 1e6 -- why"
                               << QStringList{"k|select", "f|count", "k|FROM", "v|slices", "k|WHERE", "s|'it''s'",
                                              "k|AND", "n|1e6", "c|-- why"};
    QTest::newRow("a column named like a function") << "SELECT s.count, total FROM gpu_kernels s"
                                                    << QStringList{"k|SELECT", "k|FROM", "v|gpu_kernels"};
    QTest::newRow("parameter") << "WHERE ts >= :begin" << QStringList{"k|WHERE", ":|:begin"};
    QTest::newRow("quoted names") << "SELECT \"select\" FROM slices" << QStringList{"k|SELECT", "k|FROM", "v|slices"};
    QTest::newRow("comment inside") << "SELECT /* no */ 1" << QStringList{"k|SELECT", "c|/* no */", "n|1"};
    QTest::newRow("empty") << "" << QStringList{};
}

void SqlTextTest::partsOfALine() {
    QFETCH(QString, line);
    QFETCH(QStringList, expected);
    QCOMPARE(parts(line), expected);
}

void SqlTextTest::commentsAndTextsRunOverLines() {
    QVERIFY(sqlSpans("SELECT /* a", SqlOpen::Nothing, kViews).open == SqlOpen::Comment);
    QCOMPARE(parts("still */ FROM", SqlOpen::Comment), QStringList({"c|still */", "k|FROM"}));
    QVERIFY(sqlSpans("still", SqlOpen::Comment, kViews).open == SqlOpen::Comment);
    QVERIFY(sqlSpans("SELECT 'a", SqlOpen::Nothing, kViews).open == SqlOpen::String);
    QCOMPARE(parts("b' FROM", SqlOpen::String), QStringList({"s|b'", "k|FROM"}));
}

// While it is typed a text is cut anywhere: nothing hangs, nothing reaches beyond the line.
void SqlTextTest::everySplitOfATextIsRead() {
    const QString text = "SELECT \"a\" , 'b''' /* c */ FROM slices WHERE x=:p AND y<.5e3 -- \xc3\xa4";
    for (int at = 0; at <= text.size(); ++at)
        for (const SqlOpen before : {SqlOpen::Nothing, SqlOpen::Comment, SqlOpen::String})
            for (const QString &line : {text.left(at), text.mid(at)})
                for (const SqlSpan &span : sqlSpans(line, before, kViews).spans)
                    QVERIFY(span.begin >= 0 && span.length > 0 && span.begin + span.length <= line.size());
}

void SqlTextTest::completionsKnowWhereTheyStand_data() {
    QTest::addColumn<QString>("text");  // | is the cursor
    QTest::addColumn<QString>("first");
    QTest::newRow("keyword") << "sel|" << "SELECT";
    QTest::newRow("view") << "SELECT * FROM sl|" << "slices";
    QTest::newRow("column of a view that is named later") << "SELECT du| FROM slices" << "dur";
    QTest::newRow("by alias") << "SELECT k.de| FROM slices s JOIN gpu_kernels k" << "device";
    QTest::newRow("by name") << "SELECT gpu_kernels.| FROM gpu_kernels" << "slice_id";
    QTest::newRow("behind AS") << "SELECT g.st| FROM gpu_kernels AS g" << "stream";
    QTest::newRow("unknown alias") << "SELECT x.na| FROM slices s" << "";
    QTest::newRow("function") << "SELECT group_c|" << "group_concat";
    QTest::newRow("no such word") << "SELECT xyz|" << "";
}

void SqlTextTest::completionsKnowWhereTheyStand() {
    QFETCH(QString, text);
    QFETCH(QString, first);
    const qsizetype at = text.indexOf('|');
    const QStringList words = sqlCompletions(text.remove('|'), at, views());
    QCOMPARE(words.value(0), first);
}

void SqlTextTest::bytesBecomePlaces() {
    const QString text = QStringLiteral("SELECT 'ä€', nane");
    QCOMPARE(placeOfByte(text, text.toUtf8().indexOf("nane")), text.indexOf("nane"));
    QCOMPARE(placeOfByte(text, -1), qsizetype{-1});
    QCOMPARE(placeOfByte(text, 1000), text.size());
}

void SqlTextTest::historyIsWalkedAndKept() {
    const QTemporaryDir folder;
    QSettings settings(folder.filePath("s.ini"), QSettings::IniFormat);
    QueryHistory history;
    history.use(&settings);
    for (const char *text : {"one", "two", "one", "three\nlines"})
        history.add(text);
    QCOMPARE(history.entries(), QStringList({"two", "one", "three\nlines"}));
    QCOMPARE(history.step(-1, "being written"), QStringLiteral("three\nlines"));
    QCOMPARE(history.step(-1, "three\nlines"), QStringLiteral("one"));
    QCOMPARE(history.step(-1, "one"), QStringLiteral("two"));
    QVERIFY(history.step(-1, "two").isNull());
    QCOMPARE(history.step(1, "two"), QStringLiteral("one"));
    QCOMPARE(history.step(1, "one"), QStringLiteral("three\nlines"));
    QCOMPARE(history.step(1, "three\nlines"), QStringLiteral("being written"));
    QVERIFY(history.step(1, "being written").isNull());
    settings.sync();
    QueryHistory again;
    again.use(&settings);
    QCOMPARE(again.entries(), history.entries());
    // What stands in the editor because it just ran is not a step back.
    QCOMPARE(again.step(-1, "three\nlines"), QStringLiteral("one"));
    for (int i = 0; i < 300; ++i)
        again.add(QString::number(i));
    QCOMPARE(again.entries().size(), 200);
}

void SqlTextTest::ordersAreThoseOfSqlite() {
    const auto result = resultOf({"x", "y"}, {{"b", "1"},
                                              {"10", "2"},
                                              {"NULL", "3"},
                                              {"9", "4"},
                                              {"9007199254740993", "5"},
                                              {"9007199254740992", "6"},
                                              {"9.5", "7"},
                                              {"9", "8"},
                                              {"B", "9"}});
    QCOMPARE(columnInOrder(result, false),
             QStringList({"NULL3", "94", "98", "9.57", "102", "90071992547409926", "90071992547409935", "B9", "b1"}));
    QCOMPARE(columnInOrder(result, true),
             QStringList({"b1", "B9", "90071992547409935", "90071992547409926", "102", "9.57", "94", "98", "NULL3"}));
    std::stop_source stop;
    stop.request_stop();
    QVERIFY(!orderBy(result, 0, false, stop.get_token()));
}

void SqlTextTest::rowsKnowTheirTime_data() {
    QTest::addColumn<QStringList>("columns");
    QTest::addColumn<QStringList>("cells");
    QTest::addColumn<qint64>("slice");
    QTest::addColumn<qint64>("track");
    QTest::addColumn<qint64>("begin");
    QTest::addColumn<qint64>("end");
    const auto row = [](const char *what, QStringList columns, QStringList cells, qint64 slice, qint64 track,
                        qint64 begin, qint64 end) {
        QTest::newRow(what) << std::move(columns) << std::move(cells) << slice << track << begin << end;
    };
    row("a range", {"ts", "dur"}, {"5", "10"}, 0, 0, 5, 15);
    row("an instant", {"ts", "value"}, {"5", "1.5"}, 0, 0, 5, 5);
    row("an average", {"ts"}, {"5.75"}, 0, 0, 5, 5);
    row("of a track", {"ts", "dur", "track_id"}, {"5", "10", "3"}, 0, 3, 5, 15);
    row("a row of slices", {"id", "ts", "dur", "name", "track_id"}, {"7", "5", "10", "x", "3"}, 7, 3, 5, 15);
    row("a row of annotations", {"id", "ts", "dur", "track_id", "text"}, {"7", "5", "10", "3", "x"}, 0, 3, 5, 15);
    row("slice_id", {"slice_id"}, {"9"}, 9, 0, -1, -1);
    row("nothing", {"name", "n"}, {"a", "1"}, 0, 0, -1, -1);
    row("a ts that is NULL", {"ts", "dur"}, {"NULL", "10"}, 0, 0, -1, -1);
}

void SqlTextTest::rowsKnowTheirTime() {
    QFETCH(QStringList, columns);
    QFETCH(QStringList, cells);
    QFETCH(qint64, slice);
    QFETCH(qint64, track);
    QFETCH(qint64, begin);
    QFETCH(qint64, end);
    std::vector<std::string> names, values;
    for (const QString &column : columns)
        names.push_back(column.toStdString());
    for (const QString &cell : cells)
        values.push_back(cell.toStdString());
    const JumpTarget target = jumpTarget(resultOf(names, {values}), 0);
    QCOMPARE(qint64{target.slice.value}, slice);
    QCOMPARE(qint64{target.track.value}, track);
    QCOMPARE(qint64{target.range.value_or(TimeRange{-1, -1}).begin}, begin);
    QCOMPARE(qint64{target.range.value_or(TimeRange{-1, -1}).end}, end);
}

void SqlTextTest::farAwayTimesDoNotOverflow() {
    for (const char *far : {"9223372036854775807", "-9223372036854775808", "1e300", "-1e300"}) {
        const auto target = jumpTarget(resultOf({"ts", "dur"}, {{far, "9223372036854775807"}}), 0);
        QVERIFY(target.range && target.range->end >= target.range->begin);
    }
}

void SqlTextTest::seriesLeaveUnknownValuesOpen() {
    const auto result = resultOf({"name", "ts", "mixed", "n"}, {{"a", "2000000000", "1", "1"},
                                                                {"b", "3000000000", "x", "NULL"},
                                                                {"c", "NULL", "2", "3"}});
    QCOMPARE(numericColumns(result), (std::vector<int>{1, 3}));
    const ResultSeries byTime = seriesOf(result, {}, 1, 3, 10);
    QCOMPARE(byTime.x, QVector<double>({2, 3}));  // seconds; a row without a place is left out
    QCOMPARE(byTime.y[0], 1.0);
    QVERIFY(std::isnan(byTime.y[1]));
    const auto backwards = std::make_shared<const std::vector<std::uint32_t>>(std::vector<std::uint32_t>{2, 1, 0});
    const ResultSeries byName = seriesOf(result, backwards, 0, 3, 2);
    QCOMPARE(byName.labels, QStringList({"c", "b"}));
    QCOMPARE(byName.x, QVector<double>({1, 2}));
    QVERIFY(byName.cut && !byTime.cut);
}

void SqlTextTest::ticksAreShort_data() {
    QTest::addColumn<double>("value");
    QTest::addColumn<double>("step");
    QTest::addColumn<double>("most");
    QTest::addColumn<QString>("text");
    QTest::newRow("thousands") << 1240.0 << 20.0 << 1300.0 << QStringLiteral("1.24\u2009k");
    QTest::newRow("seconds") << 12.345 << 0.005 << 12.36 << QStringLiteral("12.345\u2009s");
    QTest::newRow("small") << 2e-6 << 1e-6 << 5e-6 << QStringLiteral("2\u2009µs");
    QTest::newRow("zero") << -1e-18 << 1.0 << 4.0 << QStringLiteral("0\u2009s");
    QTest::newRow("nothing but zero") << 0.0 << 0.5 << 0.0 << QStringLiteral("0.0\u2009s");
    QTest::newRow("large") << 3e15 << 1e15 << 5e15 << QStringLiteral("3000\u2009T");
}

void SqlTextTest::ticksAreShort() {
    QFETCH(double, value);
    QFETCH(double, step);
    QFETCH(double, most);
    QFETCH(QString, text);
    const QString unit = text.endsWith('s') ? QStringLiteral("s") : QString();
    QCOMPARE(tickText(value, step, most, unit), text);
}

QTEST_MAIN(SqlTextTest)
#include "tst_sql_text.moc"
