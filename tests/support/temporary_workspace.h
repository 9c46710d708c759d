// A workspace file in a folder of its own that goes with the test, and a plain SQLite view of it.
#pragma once

#include "store/bulk_writer.h"
#include "store/workspace.h"

#include <functional>
#include <string>
#include <vector>

#include <QString>
#include <QTemporaryDir>
#include <QVariant>

namespace wattproof::test {

class TemporaryWorkspace {
public:
    [[nodiscard]] std::string path(const char *name = "run.wattproof") const;
    [[nodiscard]] QString folder() const { return folder_.path(); }
    // Makes the file through a BulkWriter; the function fills it, finishing its sources. Fails the test on an
    // error.
    void create(const std::function<void(store::BulkWriter &)> &fill, const char *name = "run.wattproof") const;
    [[nodiscard]] std::shared_ptr<store::Workspace> open(const char *name = "run.wattproof") const;

private:
    QTemporaryDir folder_;
};

// The rows of a query on a plain read-only connection with trusted_schema off, cells as SQLite prints them, NULL
// as "NULL".
[[nodiscard]] std::vector<std::vector<std::string>> plainQuery(const std::string &path, const std::string &sql);
// The same as one string: cells joined by '|', rows by '\n'. An error is given as "error: …".
[[nodiscard]] QString plainText(const std::string &path, const std::string &sql);

// Runs statements on a closed workspace, as another program would.
void changeFile(const std::string &path, const char *sql);

// The first leaf of a table loses its cells' places; it is a page which those who ask for the last id do not read.
void damageFirstLeaf(const std::string &path, const char *table);

// A source with its times in epoch nanoseconds from `base`.
[[nodiscard]] SourceRow traceSource(Ns base, const std::string &sha256 = "aa");

// One slice by itself.
[[nodiscard]] SliceRow sliceAt(Ns ts, Ns dur, StringId name, std::int32_t row = 0);

// The value, or the end of the program with the error's sentence: for set-up only.
template <class T>
T require(Expected<T> value) {
    if (!value)
        qFatal("%s", value.error().sentence().c_str());
    if constexpr (!std::is_void_v<T>)
        return std::move(*value);
}

}  // namespace wattproof::test

// A check that says the error's sentence when it fails.
#define WATTPROOF_VERIFY_OK(expression)                                                   \
    do {                                                                                  \
        const auto &checked = (expression);                                               \
        QVERIFY2(checked.has_value(), checked ? "" : checked.error().sentence().c_str()); \
    } while (false)
