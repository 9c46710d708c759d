#include "tests/support/temporary_workspace.h"

#include <QFile>
#include <QtEndian>
#include <QtGlobal>
#include <sqlite3.h>

namespace wattproof::test {

std::string TemporaryWorkspace::path(const char *name) const {
    return folder_.filePath(QString::fromUtf8(name)).toStdString();
}

void TemporaryWorkspace::create(const std::function<void(store::BulkWriter &)> &fill, const char *name) const {
    auto writer = require(store::createWorkspace(path(name)));
    fill(*writer);
    require(writer->commit());
}

std::shared_ptr<store::Workspace> TemporaryWorkspace::open(const char *name) const {
    return require(store::Workspace::open(path(name)));
}

std::vector<std::vector<std::string>> plainQuery(const std::string &path, const std::string &sql) {
    sqlite3 *database = nullptr;
    std::vector<std::vector<std::string>> rows;
    if (sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READONLY, nullptr) == SQLITE_OK) {
        sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
        sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    }
    sqlite3_stmt *statement = nullptr;
    int result = sqlite3_prepare_v2(database, sql.c_str(), -1, &statement, nullptr);
    while (result == SQLITE_OK && (result = sqlite3_step(statement)) == SQLITE_ROW) {
        std::vector<std::string> cells;
        for (int column = 0; column < sqlite3_column_count(statement); ++column) {
            const auto *text = sqlite3_column_text(statement, column);
            cells.emplace_back(text == nullptr ? "NULL" : reinterpret_cast<const char *>(text));
        }
        rows.push_back(std::move(cells));
        result = SQLITE_OK;
    }
    if (result != SQLITE_DONE)
        rows = {{std::string("error: ") + sqlite3_errmsg(database)}};
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return rows;
}

void changeFile(const std::string &path, const char *sql) {
    sqlite3 *database = nullptr;
    sqlite3_open(path.c_str(), &database);
    sqlite3_exec(database, sql, nullptr, nullptr, nullptr);
    sqlite3_close(database);
}

void damageFirstLeaf(const std::string &path, const char *table) {
    const auto number = [&path](const std::string &sql) { return plainText(path, sql).toLongLong(); };
    const qint64 page = number("PRAGMA page_size");
    qint64 at = (number(std::string("SELECT rootpage FROM sqlite_schema WHERE name = '") + table + "'") - 1) * page;
    QFile file(QString::fromStdString(path));
    if (!file.open(QIODevice::ReadWrite) || !file.seek(at))
        qFatal("cannot damage %s", path.c_str());
    // An inner page: a head of twelve bytes, the places of its cells, each of which begins with a page's number.
    constexpr char kInner = 0x05;
    constexpr int kInnerHead = 12, kLeafHead = 8;
    if (const QByteArray inner = file.read(page); inner[0] == kInner) {
        const auto cell = qFromBigEndian<quint16>(inner.constData() + kInnerHead);
        at = (qFromBigEndian<quint32>(inner.constData() + cell) - qint64{1}) * page;
    }
    if (!file.seek(at + kLeafHead) || file.write(QByteArray(8, '\x5a')) != 8)
        qFatal("cannot damage %s", path.c_str());
}

QString plainText(const std::string &path, const std::string &sql) {
    QStringList lines;
    for (const auto &row : plainQuery(path, sql)) {
        QStringList cells;
        for (const std::string &cell : row)
            cells << QString::fromStdString(cell);
        lines << cells.join(QLatin1Char('|'));
    }
    return lines.join(QLatin1Char('\n'));
}

SourceRow traceSource(Ns base, const std::string &sha256) {
    SourceRow row;
    row.path = "/data/train.json";
    row.format = "kineto";
    row.sizeBytes = 1234;
    row.sha256 = sha256;
    row.importedAt = "2026-01-02T03:04:05Z";
    row.toolVersion = "0.1.0";
    row.clock = ClockBasis::Epoch;
    row.statedBase = base;
    return row;
}

SliceRow sliceAt(Ns ts, Ns dur, StringId name, std::int32_t row) {
    SliceRow slice;
    slice.ts = ts;
    slice.dur = dur;
    slice.name = name;
    slice.row = row;
    slice.depth = row;
    return slice;
}

}  // namespace wattproof::test
