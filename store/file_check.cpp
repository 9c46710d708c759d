#include "store/file_check.h"

#include <sqlite3.h>

namespace wattproof::store {

Expected<std::vector<std::string>> checkPages(const sqlite::Database &database, const std::stop_token &stop) {
    auto statement = database.prepare("PRAGMA quick_check(20)");
    if (!statement)
        return passOn(statement);
    const sqlite::Interruptible interruptible(database, stop);
    std::vector<std::string> problems;
    while (statement->step())
        if (statement->text(0) != "ok")
            problems.push_back(statement->string(0));
    Status status = statement->status();
    // Some damage ends the check itself: that is its answer.
    if (!status && (statement->code() & 0xff) == SQLITE_CORRUPT) {
        problems.push_back(status.error().what);
        return problems;
    }
    if (!status)
        return passOn(status);
    return problems;
}

}  // namespace wattproof::store
