// SQLite files as other programs write them, for tests: made from SQL text in a temporary folder.
#pragma once

#include <string>

#include <QTemporaryDir>
#include <sqlite3.h>

namespace wattproof::test {

class ForeignFile {
public:
    // Statements are run one after the other in a new file; see error() when one fails.
    explicit ForeignFile(const std::string &sql) {
        path_ = folder_.filePath(QStringLiteral("export.sqlite")).toStdString();
        run(sql);
    }

    void run(const std::string &sql) {
        sqlite3 *database = nullptr;
        char *message = nullptr;
        const std::string quick = "PRAGMA synchronous = OFF;" + sql;
        if (sqlite3_open(path_.c_str(), &database) != SQLITE_OK ||
            sqlite3_exec(database, quick.c_str(), nullptr, nullptr, &message) != SQLITE_OK)
            error_ = message != nullptr ? message : "cannot open";
        sqlite3_free(message);
        sqlite3_close(database);
    }

    [[nodiscard]] const std::string &path() const { return path_; }
    [[nodiscard]] std::string folder() const { return folder_.path().toStdString(); }
    [[nodiscard]] const std::string &error() const { return error_; }

private:
    QTemporaryDir folder_;
    std::string path_, error_;
};

}  // namespace wattproof::test
