// Tables written as pages hold the same as tables filled by INSERT, and SQLite finds nothing wrong with them.
#include "store/pages/loader.h"
#include "store/sqlite/database.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <limits>
#include <random>

using namespace wattproof;
using namespace wattproof::store;

namespace {

struct Row {
    std::int64_t id = 0, integer = 0;
    std::optional<double> real;
    std::string text, blob;
};

std::span<const std::byte> bytesOf(const std::string &text) {
    return std::as_bytes(std::span(text.data(), text.size()));
}

// Fills the table `pages`; its index as well unless SQLite shall make it.
void load(const std::string &path, const std::map<std::string, pages::PageNumber> &roots,
          const std::vector<Row> &rows, bool withIndex = true) {
    auto loader = pages::Loader::open(path, roots);
    QVERIFY(loader.has_value());
    pages::Record record;
    for (const Row &row : rows) {
        record.fill(row.integer, row.real, row.text, bytesOf(row.blob));
        QVERIFY((*loader)->table("pages")->append(row.id, record));
        (*loader)->index("pages_i")->add(row.integer, row.id);
    }
    if (!withIndex)
        (*loader)->index("pages_i")->leaveToSqlite();
    QVERIFY((*loader)->finish().has_value());
    QCOMPARE((*loader)->incompleteIndexes().empty(), withIndex || rows.empty());
}

// Numbers about every boundary of the format's integer sizes, of either sign.
std::int64_t anyInteger(std::mt19937_64 &random) {
    const auto bits = 1 + random() % 63;
    const auto value = static_cast<std::int64_t>(random() >> (64 - bits));
    return random() % 8 == 0 ? std::numeric_limits<std::int64_t>::min() + value : (random() % 2 == 0 ? value : -value);
}

std::optional<double> anyReal(std::mt19937_64 &random) {
    switch (random() % 6) {
        case 0:
            return std::nullopt;
        case 1:
            return static_cast<double>(anyInteger(random));
        case 2:
            return -0.0;
        case 3:
            return std::numeric_limits<double>::infinity();
        default:
            return std::ldexp(static_cast<double>(random() % 1'000'003), static_cast<int>(random() % 80) - 40);
    }
}

std::string anyText(std::mt19937_64 &random, std::size_t pageSize) {
    const std::size_t size = random() % 12 == 0 ? random() % (3 * pageSize) : random() % 60;
    return std::string(size, static_cast<char>('a' + random() % 26));
}

std::vector<Row> anyRows(std::size_t count, std::size_t pageSize) {
    std::mt19937_64 random(count * 31 + pageSize);
    std::vector<Row> rows;
    std::int64_t id = -static_cast<std::int64_t>(random() % 1000);
    for (std::size_t i = 0; i < count; ++i) {
        id += 1 + static_cast<std::int64_t>(random() % 5 == 0 ? random() % 100'000 : 0);
        rows.push_back({id, random() % 3 == 0 ? static_cast<std::int64_t>(random() % 40) : anyInteger(random), anyReal(random), anyText(random, pageSize), anyText(random, pageSize)});
    }
    return rows;
}

constexpr const char *kTable = "(id INTEGER PRIMARY KEY, i INTEGER, r REAL, t TEXT, b BLOB)";

class Fixture {
public:
    explicit Fixture(std::size_t pageSize) {
        auto database = open();
        must(database->execute("PRAGMA page_size = " + std::to_string(pageSize)));
        must(database->execute(std::string("CREATE TABLE pages") + kTable));
        must(database->execute("CREATE INDEX pages_i ON pages(i)"));
        must(database->execute(std::string("CREATE TABLE other") + kTable));
        roots_ = *pages::Loader::rootsOf(*database);
    }

    [[nodiscard]] std::unique_ptr<sqlite::Database> open() const {
        return std::move(*sqlite::Database::open(path(), sqlite::OpenAs::New));
    }
    [[nodiscard]] std::string path() const { return folder_.filePath("pages.sqlite").toStdString(); }
    [[nodiscard]] const auto &roots() const { return roots_; }

private:
    static void must(const Status &status) {
        if (!status)
            qFatal("%s", status.error().sentence().c_str());
    }
    QTemporaryDir folder_;
    std::map<std::string, pages::PageNumber> roots_;
};

void insert(const sqlite::Database &database, const std::vector<Row> &rows) {
    auto statement = database.prepare("INSERT INTO other VALUES(?, ?, ?, ?, ?)");
    QVERIFY(statement.has_value());
    QVERIFY(database.execute("BEGIN").has_value());
    for (const Row &row : rows)
        QVERIFY(statement->bindAll(row.id, row.integer, row.real, row.text, bytesOf(row.blob)).run());
    QVERIFY(database.execute("COMMIT").has_value());
}

QString textOf(const sqlite::Database &database, const char *sql) {
    auto statement = database.prepare(sql);
    return statement && statement->step() ? QString::fromStdString(statement->string(0)) : QStringLiteral("failed");
}

// Makes the database longer by pages that nothing uses.
bool growTo(const std::string &path, pages::PageNumber count, std::size_t pageSize) {
    QFile file(QString::fromStdString(path));
    char bytes[4];
    pages::putBigEndian<4>(bytes, count);
    return file.open(QIODevice::ReadWrite) && file.seek(28) && file.write(bytes, 4) == 4 &&
           file.resize(static_cast<qint64>(count) * static_cast<qint64>(pageSize));
}

}  // namespace

class TestPages : public QObject {
    Q_OBJECT

private slots:
    void holdWhatInsertHolds_data() {
        QTest::addColumn<int>("pageSize");
        QTest::addColumn<int>("rows");
        // Small pages make a tree of several levels of few rows.
        for (const int pageSize : {512, 1024, 4096, 16384, 65536})
            for (const int rows : {0, 1, 2, 7, 300})
                QTest::addRow("%d rows, pages of %d", rows, pageSize) << pageSize << rows;
        QTest::addRow("20000 rows, pages of 512") << 512 << 20000;
    }

    void holdWhatInsertHolds() {
        QFETCH(int, pageSize);
        QFETCH(int, rows);
        const Fixture fixture(static_cast<std::size_t>(pageSize));
        const auto expected = anyRows(static_cast<std::size_t>(rows), static_cast<std::size_t>(pageSize));
        load(fixture.path(), fixture.roots(), expected);
        const auto database = fixture.open();
        QCOMPARE(textOf(*database, "PRAGMA integrity_check"), QString("ok"));
        insert(*database, expected);
        QCOMPARE(textOf(*database, "SELECT count(*) FROM pages"), QString::number(rows));
        QCOMPARE(textOf(*database,
                        "SELECT count(*) FROM (SELECT id, i, r, typeof(r), t, b, typeof(b) FROM pages EXCEPT "
                        "SELECT id, i, r, typeof(r), t, b, typeof(b) FROM other)"),
                 QString("0"));
        // Each row is found by its id and by its number, so the keys above the leaves are right.
        QCOMPARE(textOf(*database, "SELECT count(*) FROM other o JOIN pages p INDEXED BY pages_i ON p.i = o.i WHERE "
                                   "p.id = o.id"),
                 QString::number(rows));
        QCOMPARE(textOf(*database, "SELECT count(*) FROM other o JOIN pages p ON p.id = o.id WHERE p.i = o.i"),
                 QString::number(rows));
    }

    void growByInsertAfterwards() {
        const Fixture fixture(1024);
        const auto rows = anyRows(3000, 1024);
        load(fixture.path(), fixture.roots(), rows);
        const auto database = fixture.open();
        insert(*database, rows);
        QVERIFY(database->execute("DELETE FROM pages WHERE id % 3 = 0; INSERT OR REPLACE INTO pages SELECT * FROM "
                                  "other; DELETE FROM other").has_value());
        QCOMPARE(textOf(*database, "PRAGMA integrity_check"), QString("ok"));
        QCOMPARE(textOf(*database, "SELECT count(*) FROM pages"), QString::number(rows.size()));
    }

    void leaveAnIndexToSqlite() {
        const Fixture fixture(1024);
        const auto rows = anyRows(500, 1024);
        load(fixture.path(), fixture.roots(), rows, false);
        const auto database = fixture.open();
        QVERIFY(textOf(*database, "PRAGMA integrity_check") != QString("ok"));
        QVERIFY(database->execute("REINDEX pages_i").has_value());
        QCOMPARE(textOf(*database, "PRAGMA integrity_check"), QString("ok"));
    }

    void refuseRowsOutOfOrder() {
        const Fixture fixture(4096);
        auto loader = pages::Loader::open(fixture.path(), fixture.roots());
        pages::Record record;
        record.fill(1, std::optional<double>(), "a", bytesOf("b"));
        QVERIFY((*loader)->table("pages")->append(7, record));
        QVERIFY(!(*loader)->table("pages")->append(7, record));
        QVERIFY(!(*loader)->table("pages")->append(6, record));
        QVERIFY((*loader)->table("none") == nullptr);
    }

    // SQLite keeps the page with the byte at 1 GiB for its locks.
    void leaveTheLockPageAlone() {
        const Fixture fixture(65536);
        pages::PageFile file;
        const std::vector<char> page(65536);
        const pages::PageNumber lock = 0x4000'0000 / 65536 + 1;
        // A hole stands for the pages before.
        QVERIFY(growTo(fixture.path(), lock - 3, 65536));
        QVERIFY(file.open(fixture.path()).has_value());
        QCOMPARE(file.next(), lock - 2);
        file.append(page);
        QCOMPARE(file.next(), lock - 1);
        QCOMPARE(file.following(), lock + 1);
        file.append(page);
        QCOMPARE(file.next(), lock + 1);
    }

    void sayWhenTheFileIsNotAsItWasMade() {
        const Fixture fixture(4096);
        {
            QFile file(QString::fromStdString(fixture.path()));
            QVERIFY(file.open(QIODevice::Append));
            file.write("more");
        }
        const auto loader = pages::Loader::open(fixture.path(), fixture.roots());
        QVERIFY(!loader.has_value());
    }
};

QTEST_GUILESS_MAIN(TestPages)
#include "tst_pages.moc"
