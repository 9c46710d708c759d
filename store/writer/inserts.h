// Statements of one connection, prepared at first use and found again by the address of their text.
#pragma once

#include "store/sqlite/database.h"

#include <unordered_map>

namespace wattproof::store {

class Inserts {
public:
    explicit Inserts(const sqlite::Database &database) : database_(database) {}
    [[nodiscard]] const sqlite::Database &database() const { return database_; }
    // `sql` is a literal or lives as long as this.
    [[nodiscard]] Expected<sqlite::Statement *> prepared(const char *sql);
    template <class... Values>
    Status run(const char *sql, const Values &...values) {
        auto statement = prepared(sql);
        if (!statement)
            return passOn(statement);
        (*statement)->bindAll(values...).run();
        return (*statement)->status();
    }

private:
    const sqlite::Database &database_;
    std::unordered_map<const char *, sqlite::Statement> statements_;
};

}  // namespace wattproof::store
