// The persistent undo log. An edit is a list of rows as they are to be; the log keeps it together with the rows as
// they were, so that undo and redo are the same act in two directions.
#pragma once

#include "store/result.h"
#include "store/sqlite/database.h"

#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace wattproof::store {

// The row of `table` with this key becomes `row`; null: it goes.
struct RowChange {
    std::string table;
    nlohmann::json key;  // object: column to value
    nlohmann::json row;  // object: all columns; or null
};

class EditLog {
public:
    explicit EditLog(const sqlite::Database &database) : database_(database) {}

    // Makes the changes and logs them; what had been undone can no longer be redone.
    Status record(const std::string &phrase, const std::vector<RowChange> &changes) const;
    Status undo() const;
    Status redo() const;
    [[nodiscard]] Expected<std::string> undoText() const;
    [[nodiscard]] Expected<std::string> redoText() const;

    // Makes the row what it is to be, without logging it.
    Status put(const std::string &table, const nlohmann::json &row) const { return apply({table, {}, row}); }
    // Every change that the log holds goes through `revise`, which may alter it; where it says no, the whole edit is
    // taken out of the log. Entries that cannot be read stay as they are.
    Status rewrite(const std::function<Expected<bool>(RowChange &)> &revise) const;

    // The row as an object, or null.
    [[nodiscard]] Expected<nlohmann::json> rowOf(const std::string &table, const nlohmann::json &key) const;

private:
    Status apply(const RowChange &change) const;
    Status applyLogged(const std::string &json) const;
    Status move(const char *select, const char *mark) const;
    [[nodiscard]] Expected<std::string> phraseOf(const char *select) const;
    const sqlite::Database &database_;
};

}  // namespace wattproof::store
