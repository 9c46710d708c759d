#include "store/schema/schema.h"

#include "store/workspace.h"

#include <map>

namespace wattproof::store::schema {
namespace {

using Objects = std::map<std::string, std::string>;  // "type name" to the SQL that made it

Status executeAll(const sqlite::Database &database, const std::vector<std::string> &statements) {
    for (const std::string &statement : statements) {
        if (Status status = database.execute(statement); !status)
            return status;
    }
    return {};
}

Expected<Objects> objectsOf(const sqlite::Database &database) {
    auto statement = database.prepare("SELECT type || ' ' || name, sql FROM sqlite_schema WHERE sql IS NOT NULL");
    if (!statement)
        return passOn(statement);
    Objects objects;
    while (statement->step())
        objects.emplace(statement->string(0), statement->string(1));
    if (Status status = statement->status(); !status)
        return passOn(status);
    return objects;
}

Expected<std::unique_ptr<sqlite::Database>> inMemory(
    std::initializer_list<const std::vector<std::string> *> statements) {
    auto database = sqlite::Database::open(":memory:", sqlite::OpenAs::New);
    if (!database)
        return database;
    for (const auto *list : statements) {
        if (Status status = executeAll(**database, *list); !status)
            return passOn(status);
    }
    return database;
}

Expected<Objects> expectedObjects() {
    auto database = inMemory({&tables(), &indexes(), &views()});
    if (!database)
        return passOn(database);
    return objectsOf(**database);
}

// CREATE TABLE for each view, with its columns.
Expected<std::vector<std::string>> viewsAsTables() {
    auto database = inMemory({&tables(), &views()});
    if (!database)
        return passOn(database);
    std::vector<std::string> statements;
    for (const std::string &view : viewNames()) {
        auto select = (*database)->prepare("SELECT * FROM " + view);
        if (!select)
            return passOn(select);
        std::string columns;
        for (int column = 0; column < select->columns(); ++column)
            columns += (column == 0 ? "\"" : ", \"") + select->columnName(column) + "\"";
        statements.push_back("CREATE TABLE " + view + "(" + columns + ")");
    }
    return statements;
}

// The rows above the high-water mark of one table.
Expected<std::int64_t> removeAbove(const sqlite::Database &database, const NumberedTable &table,
                                   std::int64_t rows) {
    const std::string mark =
        "coalesce((SELECT last_id FROM high_water WHERE name = '" + std::string(table.counter) + "'), 0)";
    const std::string column = table.idColumn;
    auto last = database.integer("SELECT max(" + column + ") FROM " + table.name);
    if (!last)
        return passOn(last);
    const std::string from = last->has_value() ? std::to_string(**last - rows) : "0";
    auto statement = database.prepare("DELETE FROM " + std::string(table.name) + " WHERE " + column + " > max(" +
                                      mark + ", " + from + ")");
    if (!statement)
        return passOn(statement);
    if (!statement->run()) {
        Status status = statement->status();
        return passOn(status);
    }
    auto changes = database.integer("SELECT changes()");
    if (!changes)
        return passOn(changes);
    return changes->value_or(0);
}

}  // namespace

Status create(const sqlite::Database &database) {
    for (const auto *list : {&tables(), &views()}) {
        if (Status status = executeAll(database, *list); !status)
            return status;
    }
    return database.execute("PRAGMA application_id = " + std::to_string(kApplicationId) +
                            "; PRAGMA user_version = " + std::to_string(kSchemaVersion));
}

Status createIndexes(const sqlite::Database &database) {
    return executeAll(database, indexes());
}

Status checkObjects(const sqlite::Database &database) {
    static const Expected<Objects> ours = expectedObjects();
    if (!ours)
        return tl::unexpected<Error>(ours.error());
    auto found = objectsOf(database);
    if (!found)
        return passOn(found);
    for (const auto &object : *found) {
        const auto known = ours->find(object.first);
        if (known == ours->end() || known->second != object.second)
            return failure("the workspace holds a foreign object (" + object.first + ")", database.path(),
                           "it was changed by another program: import its sources again");
    }
    if (found->size() != ours->size())
        return failure("parts of the workspace are missing", database.path(), "import its sources again");
    return {};
}

Expected<std::unique_ptr<sqlite::Database>> viewsAlone() {
    static const auto statements = viewsAsTables();
    if (!statements)
        return tl::unexpected<Error>(statements.error());
    return inMemory({&*statements});
}

Expected<bool> removeLeftovers(const sqlite::Database &database, std::int64_t rows) {
    for (const NumberedTable &table : numberedTables()) {
        auto removed = removeAbove(database, table, rows);
        if (!removed)
            return passOn(removed);
        if (*removed > 0)
            return false;
    }
    return true;
}

}  // namespace wattproof::store::schema
