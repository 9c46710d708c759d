// The user's SQL, kept to the public views.
#include "store/read/sqlite_reader.h"
#include "store/schema/schema.h"

#include <cmath>

#include <sqlite3.h>

namespace wattproof::store {
namespace {

// Reading, of tables and functions that are SQLite's core: nothing else. Which tables, viewsAlone() has said
// before.
int authorize(void *, int action, const char *first, const char *second, const char *, const char *) {
    const std::string_view table = first == nullptr ? "" : first;
    switch (action) {
        case SQLITE_SELECT:
        case SQLITE_RECURSIVE:
            return SQLITE_OK;
        case SQLITE_FUNCTION:
            return second != nullptr && std::string_view(second) == "load_extension" ? SQLITE_DENY : SQLITE_OK;
        case SQLITE_READ:
            return table.rfind("sqlite_", 0) == 0 || table.rfind("pragma_", 0) == 0 ? SQLITE_DENY : SQLITE_OK;
        default:
            return SQLITE_DENY;
    }
}

class Authorizer {
public:
    explicit Authorizer(const sqlite::Database &database) : database_(database) {
        sqlite3_set_authorizer(database.handle(), &authorize, nullptr);
    }
    ~Authorizer() { sqlite3_set_authorizer(database_.handle(), nullptr, nullptr); }
    Authorizer(const Authorizer &) = delete;
    Authorizer &operator=(const Authorizer &) = delete;

private:
    const sqlite::Database &database_;
};

void bindParameters(sqlite::Statement &statement, const std::vector<std::pair<std::string, double>> &parameters) {
    for (const auto &parameter : parameters) {
        const std::string name = parameter.first.rfind(':', 0) == 0 ? parameter.first : ":" + parameter.first;
        const int index = sqlite3_bind_parameter_index(statement.handle(), name.c_str());
        const double value = parameter.second;
        if (index == 0)
            continue;
        if (std::nearbyint(value) == value && std::abs(value) < 9.0e18)
            statement.bind(index, static_cast<std::int64_t>(value));
        else
            statement.bind(index, value);
    }
}

void addRow(QueryResult &result, const sqlite::Statement &statement) {
    std::vector<std::string> cells;
    std::vector<int> types;
    for (int column = 0; column < statement.columns(); ++column) {
        types.push_back(statement.type(column));
        cells.push_back(statement.string(column));
    }
    result.rows.push_back(std::move(cells));
    result.types.push_back(std::move(types));
}

}  // namespace

Status SqliteReader::checkQuery(std::string_view sql) {
    if (views_ == nullptr) {
        auto views = schema::viewsAlone();
        if (!views)
            return passOn(views);
        views_ = std::move(*views);
        // Table-valued functions are set up at their first use, by statements that the authorizer would not let
        // pass.
        for (const sqlite::Database *database : {views_.get(), database_.get()}) {
            if (auto use = database->prepare("SELECT 1 FROM json_each('[]'), json_tree('[]')"); !use)
                return passOn(use);
        }
    }
    const Authorizer authorizer(*views_);
    const auto statement = views_->prepareOnly(sql);
    if (!statement)
        return failure("the query cannot be run: " + statement.error().what, {},
                       "it is one SELECT over the public views (docs/workspace.md)");
    return {};
}

Expected<QueryResult> SqliteReader::query(std::string_view sql, std::int64_t rowLimit,
                                          const std::vector<std::pair<std::string, double>> &parameters,
                                          std::stop_token stop) {
    if (Status status = checkQuery(sql); !status)
        return passOn(status);
    const Authorizer authorizer(*database_);
    auto statement = database_->prepareOnly(sql);
    if (!statement)
        return failure("the query cannot be run: " + statement.error().what, {}, statement.error().remedy);
    bindParameters(*statement, parameters);
    QueryResult result;
    for (int column = 0; column < statement->columns(); ++column)
        result.columns.push_back(statement->columnName(column));
    const sqlite::Interruptible interruptible(*database_, stop);
    while (statement->step()) {
        if (static_cast<std::int64_t>(result.rows.size()) == rowLimit) {
            result.truncated = true;
            return result;
        }
        addRow(result, *statement);
    }
    if (Status status = statement->status(); !status)
        return passOn(status);
    return result;
}

}  // namespace wattproof::store
