#include "store/file_check.h"

#include <sqlite3.h>

#include <algorithm>
#include <string_view>

namespace wattproof::store {
namespace {

// One row may hold many lines, of which one in stars only names the database.
void addLines(std::vector<std::string> &problems, std::string_view rows) {
    constexpr std::string_view kTitle = "***";
    while (!rows.empty() && problems.size() < kMostProblems) {
        const std::size_t end = std::min(rows.find('\n'), rows.size());
        const std::string_view line = rows.substr(0, end);
        if (!line.empty() && line != "ok" && !line.starts_with(kTitle))
            problems.emplace_back(line);
        rows.remove_prefix(std::min(end + 1, rows.size()));
    }
}

}  // namespace

Expected<std::vector<std::string>> checkPages(const sqlite::Database &database, const std::stop_token &stop) {
    auto statement = database.prepare("PRAGMA quick_check(" + std::to_string(kMostProblems) + ")");
    if (!statement)
        return passOn(statement);
    const sqlite::Interruptible interruptible(database, stop);
    std::vector<std::string> problems;
    while (statement->step())
        addLines(problems, statement->string(0));
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
