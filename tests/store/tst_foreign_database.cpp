// SQLite files of other programs, and hostile ones, as input.
#include "store/foreign_database.h"
#include "tests/support/foreign_file.h"

#include <QFile>
#include <QFileInfo>
#include <QTest>

using namespace wattproof;
using store::ForeignCell;
using store::ForeignDatabase;

namespace {

struct Table {
    std::vector<std::vector<std::string>> rows;  // "i:1", "r:0.5", "t:text", "b:bytes", "-"
    std::string outcome = "ok";
};

std::string cellText(const ForeignCell &cell) {
    switch (cell.kind) {
        case ForeignCell::Kind::Integer:
            return "i:" + std::to_string(cell.integer);
        case ForeignCell::Kind::Real:
            return "r:" + QString::number(cell.real).toStdString();
        case ForeignCell::Kind::Text:
            return "t:" + std::string(cell.text);
        case ForeignCell::Kind::Bytes:
            return "b:" + std::string(cell.text);
        default:
            return "-";
    }
}

Table read(const ForeignDatabase &database, const std::string &name, std::vector<std::string_view> columns,
           const std::stop_token &stop = {}) {
    Table table;
    const auto result = database.read(
        name, columns,
        [&](std::span<const ForeignCell> cells) -> Status {
            table.rows.emplace_back();
            for (const ForeignCell &cell : cells)
                table.rows.back().push_back(cellText(cell));
            return {};
        },
        stop);
    if (!result)
        table.outcome = isCancelled(result.error()) ? "cancelled" : result.error().sentence();
    else if (!result->damage.empty())
        table.outcome = "damage: " + result->damage;
    return table;
}

std::string openSentence(const std::string &path) {
    const auto database = ForeignDatabase::open(path);
    return database ? "ok" : database.error().sentence();
}

}  // namespace

class ForeignDatabaseTest : public QObject {
    Q_OBJECT

private slots:
    void cellsKeepTheirOwnType();
    void onlyOrdinaryTablesAreThere();
    void computedColumnsAreNotRun();
    void namesAreNeverPartOfTheStatement();
    void nothingIsWrittenBeside();
    void logsLeftBehindAreNamed();
    void otherFilesAreRefused();
    void damagedPagesEndTheirTable();
    void pagesUsedTwiceAreFound();
    void cancelAndErrorsEndTheReading();
};

void ForeignDatabaseTest::cellsKeepTheirOwnType() {
    const test::ForeignFile file(
        "CREATE TABLE t(a INT, b TEXT);"
        "INSERT INTO t VALUES (1, 2), ('x', 0.5), (x'414200', NULL), (3.0, -9)");
    const auto database = ForeignDatabase::open(file.path());
    QVERIFY(database);
    const Table table = read(**database, "t", {"b", "missing", "a"});
    QCOMPARE(table.outcome, std::string("ok"));
    const std::vector<std::vector<std::string>> wanted{
        {"t:2", "-", "i:1"}, {"t:0.5", "-", "t:x"}, {"-", "-", std::string("b:AB\0", 5)}, {"t:-9", "-", "i:3"}};
    QVERIFY(table.rows == wanted);
    ForeignCell real;
    real.kind = ForeignCell::Kind::Real;
    real.real = 4.0;
    QVERIFY(real.whole() == std::optional<std::int64_t>(4));
    real.real = 1e300;
    QVERIFY(!real.whole());
}

void ForeignDatabaseTest::onlyOrdinaryTablesAreThere() {
    const test::ForeignFile file(
        "CREATE TABLE t(a); CREATE VIEW v AS SELECT * FROM t;"
        "CREATE TRIGGER g AFTER INSERT ON t BEGIN DELETE FROM t; END;"
        "CREATE VIRTUAL TABLE f USING fts5(x)");
    const auto database = ForeignDatabase::open(file.path());
    QVERIFY(database);
    QVERIFY((*database)->has("t") && !(*database)->has("v") && !(*database)->has("f"));
    QVERIFY(read(**database, "v", {"a"}).rows.empty());
    QVERIFY(read(**database, "sqlite_schema", {"sql"}).rows.empty());
}

void ForeignDatabaseTest::computedColumnsAreNotRun() {
    const test::ForeignFile file(
        "CREATE TABLE t(a, c AS (a + 1), d AS (a * 2) STORED); INSERT INTO t(a) VALUES (1)");
    QCOMPARE(file.error(), std::string());
    const auto database = ForeignDatabase::open(file.path());
    QVERIFY(database);
    QVERIFY(read(**database, "t", {"a", "c", "d"}).rows ==
            (std::vector<std::vector<std::string>>{{"i:1", "-", "-"}}));
}

void ForeignDatabaseTest::namesAreNeverPartOfTheStatement() {
    const test::ForeignFile file(
        "CREATE TABLE \"a\"\"; DROP TABLE b; --\"(\"x\"\"y\"); CREATE TABLE b(z);"
        "INSERT INTO \"a\"\"; DROP TABLE b; --\" VALUES (7)");
    QCOMPARE(file.error(), std::string());
    const auto database = ForeignDatabase::open(file.path());
    QVERIFY(database);
    QVERIFY(read(**database, "a\"; DROP TABLE b; --", {"x\"y"}).rows ==
            (std::vector<std::vector<std::string>>{{"i:7"}}));
    QVERIFY((*database)->has("b"));
}

// A database in WAL mode is read without the files that this mode makes.
void ForeignDatabaseTest::nothingIsWrittenBeside() {
    const test::ForeignFile file("PRAGMA journal_mode = WAL; CREATE TABLE t(a); INSERT INTO t VALUES (1)");
    QFile::setPermissions(QString::fromStdString(file.path()), QFileDevice::ReadOwner);
    const auto entries = [&] { return QDir(QString::fromStdString(file.folder())).entryList(QDir::Files); };
    const QStringList before = entries();
    const auto database = ForeignDatabase::open(file.path());
    QVERIFY(database);
    QCOMPARE(read(**database, "t", {"a"}).rows.size(), std::size_t{1});
    QCOMPARE(entries(), before);
    QVERIFY((*database)->leftBehind().empty());
}

void ForeignDatabaseTest::logsLeftBehindAreNamed() {
    const test::ForeignFile file("CREATE TABLE t(a)");
    QFile log(QString::fromStdString(file.path() + "-wal"));
    QVERIFY(log.open(QIODevice::WriteOnly));
    log.write("x");
    log.close();
    const auto database = ForeignDatabase::open(file.path());
    QVERIFY(database);
    QCOMPARE((*database)->leftBehind(), file.path() + "-wal");
}

void ForeignDatabaseTest::otherFilesAreRefused() {
    const test::ForeignFile file("CREATE TABLE t(a)");
    QFile other(QString::fromStdString(file.folder() + "/x"));
    QVERIFY(other.open(QIODevice::WriteOnly));
    other.write("SQLite format 3" + QByteArray(1, '\0') + QByteArray(5000, 'z'));
    other.close();
    QVERIFY(openSentence(other.fileName().toStdString()).find("SQLite") != std::string::npos);
    QVERIFY(openSentence(file.folder() + "/none").find("cannot be opened") != std::string::npos);
}

void ForeignDatabaseTest::damagedPagesEndTheirTable() {
    const test::ForeignFile file(
        "CREATE TABLE t(a); CREATE TABLE u(a); INSERT INTO u VALUES (1);"
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) "
        "INSERT INTO t SELECT i || 'abcdefgh' FROM n");
    const QString path = QString::fromStdString(file.path());
    const qint64 whole = QFileInfo(path).size();
    QVERIFY(QFile::resize(path, whole / 2));
    QVERIFY(openSentence(file.path()).find("damaged or cut") != std::string::npos);
    QVERIFY(QFile::resize(path, whole));  // with zeros in place of what was lost
    const auto database = ForeignDatabase::open(file.path());
    QVERIFY(database);
    const Table table = read(**database, "t", {"a"});
    QCOMPARE(table.outcome, std::string("damage: its pages are damaged or missing"));
    QVERIFY(table.rows.size() > 1000 && table.rows.size() < 20'000);
    QCOMPARE(read(**database, "u", {"a"}).rows.size(), std::size_t{1});
}

// The root's cells are all made to name the same page.
void ForeignDatabaseTest::pagesUsedTwiceAreFound() {
    const test::ForeignFile file(
        "PRAGMA page_size = 512; CREATE TABLE t(a);"
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) "
        "INSERT INTO t SELECT i FROM n");
    QFile raw(QString::fromStdString(file.path()));
    QVERIFY(raw.open(QIODevice::ReadWrite));
    QByteArray bytes = raw.readAll();
    const int root = 512;  // page 2
    QCOMPARE(bytes.at(root), char(5));
    const int cells =
        static_cast<unsigned char>(bytes[root + 3]) * 256 + static_cast<unsigned char>(bytes[root + 4]);
    const QByteArray target = bytes.mid(root + 8, 4);
    for (int i = 0; i < cells; ++i) {
        const int at = root + static_cast<unsigned char>(bytes[root + 12 + 2 * i]) * 256 +
                       static_cast<unsigned char>(bytes[root + 13 + 2 * i]);
        bytes.replace(at, 4, target);
    }
    raw.seek(0);
    raw.write(bytes);
    raw.close();
    const auto database = ForeignDatabase::open(file.path());
    QVERIFY(database);
    QVERIFY(read(**database, "t", {"a"}).rows.size() < static_cast<std::size_t>(bytes.size()));
}

void ForeignDatabaseTest::cancelAndErrorsEndTheReading() {
    const test::ForeignFile file(
        "CREATE TABLE t(a); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
        "WHERE i < 50000) INSERT INTO t SELECT i FROM n");
    const auto database = ForeignDatabase::open(file.path());
    QVERIFY(database);
    std::stop_source stop;
    stop.request_stop();
    QCOMPARE(read(**database, "t", {"a"}, stop.get_token()).outcome, std::string("cancelled"));
    int rows = 0;
    const auto result = (*database)->read(
        "t", {},
        [&](std::span<const ForeignCell>) -> Status { return ++rows == 3 ? failure("enough") : Status(); }, {});
    QVERIFY(!result && result.error().what == "enough");
    QCOMPARE(rows, 3);
}

QTEST_APPLESS_MAIN(ForeignDatabaseTest)
#include "tst_foreign_database.moc"
