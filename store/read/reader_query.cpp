// The user's SQL, kept to the public views.
#include <algorithm>
#include <cmath>

#include <sqlite3.h>

#include "store/read/sqlite_reader.h"
#include "store/schema/schema.h"

namespace wattproof::store {
namespace {

bool isPublicView(const char *name) {
    const auto &names = schema::viewNames();
    return name != nullptr && std::find(names.begin(), names.end(), name) != names.end();
}

bool isJsonFunction(const char *name) {
    return name != nullptr && (std::string_view(name) == "json_each" || std::string_view(name) == "json_tree");
}

// Allows SELECT, functions and what a public view reads, nothing else.
class Authorizer {
public:
    explicit Authorizer(const sqlite::Database &database) : database_(database) {
        sqlite3_set_authorizer(database.handle(), &authorize, this);
    }
    ~Authorizer() { sqlite3_set_authorizer(database_.handle(), nullptr, nullptr); }
    Authorizer(const Authorizer &) = delete;
    Authorizer &operator=(const Authorizer &) = delete;

    [[nodiscard]] const std::string &refusal() const { return refusal_; }

private:
    static int authorize(void *self, int action, const char *first, const char *second, const char *, const char *view) {
        return static_cast<Authorizer *>(self)->decide(action, first, second, view) ? SQLITE_OK : SQLITE_DENY;
    }

    bool decide(int action, const char *first, const char *second, const char *view) {
        switch (action) {
            case SQLITE_SELECT:
            case SQLITE_RECURSIVE:
                return true;
            case SQLITE_FUNCTION:
                return second == nullptr || std::string_view(second) != "load_extension" || refuse("load_extension()");
            case SQLITE_READ:
                return isPublicView(first) || isPublicView(view) || isJsonFunction(first) ||
                       refuse(first == nullptr ? "" : first);
            default:
                return refuse("anything but reading");
        }
    }

    bool refuse(const std::string &what) {
        refusal_ = what;
        return false;
    }

    const sqlite::Database &database_;
    std::string refusal_;
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

Expected<QueryResult> SqliteReader::query(std::string_view sql, std::int64_t rowLimit,
                                          const std::vector<std::pair<std::string, double>> &parameters,
                                          std::stop_token stop) {
    const Authorizer authorizer(*database_);
    auto statement = database_->prepareOnly(sql);
    if (!statement && !authorizer.refusal().empty())
        return failure("the query may not use " + authorizer.refusal(), {}, "it can read the public views only");
    if (!statement)
        return failure("the query is not valid: " + statement.error().what, {}, statement.error().remedy);
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
