// The user's SQL, kept to the public views.
#include "store/read/sqlite_reader.h"
#include "store/schema/schema.h"

#include <algorithm>
#include <cmath>

#include <sqlite3.h>

namespace wattproof::store {
namespace {

// What the statement wanted to do that reading does not need, in words.
const char *wordFor(int action) {
    switch (action) {
        case SQLITE_ATTACH:
        case SQLITE_DETACH:
            return "attaching other files";
        case SQLITE_PRAGMA:
            return "PRAGMA";
        case SQLITE_TRANSACTION:
        case SQLITE_SAVEPOINT:
            return "transactions";
        case SQLITE_INSERT:
        case SQLITE_UPDATE:
        case SQLITE_DELETE:
            return "changing rows";
        case SQLITE_FUNCTION:
            return "loading extensions";
        case SQLITE_READ:
            return "SQLite's own tables";
        default:
            return "making or changing tables";
    }
}

// While it lives, statements may read tables and functions that are SQLite's core: nothing else. Which tables,
// viewsAlone() says.
class Authorizer {
public:
    explicit Authorizer(const sqlite::Database &database) : database_(database) {
        sqlite3_set_authorizer(database.handle(), &authorize, this);
    }
    ~Authorizer() { sqlite3_set_authorizer(database_.handle(), nullptr, nullptr); }
    Authorizer(const Authorizer &) = delete;
    Authorizer &operator=(const Authorizer &) = delete;

    [[nodiscard]] const std::string &refused() const { return refused_; }  // empty: nothing was

private:
    static int authorize(void *self, int action, const char *first, const char *second, const char *, const char *) {
        if (allows(action, first == nullptr ? "" : first, second == nullptr ? "" : second))
            return SQLITE_OK;
        if (std::string &refused = static_cast<Authorizer *>(self)->refused_; refused.empty())
            refused = wordFor(action);
        return SQLITE_DENY;
    }

    static bool allows(int action, std::string_view first, std::string_view second) {
        switch (action) {
            case SQLITE_SELECT:
            case SQLITE_RECURSIVE:
                return true;
            case SQLITE_FUNCTION:
                return second != "load_extension";
            case SQLITE_READ:
                return first.rfind("sqlite_", 0) != 0 && first.rfind("pragma_", 0) != 0;
            default:
                return false;
        }
    }

    const sqlite::Database &database_;
    std::string refused_;
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
    cells.reserve(result.columns.size());
    types.reserve(result.columns.size());
    for (int column = 0; column < statement.columns(); ++column) {
        types.push_back(statement.type(column));
        cells.push_back(statement.string(column));
    }
    result.rows.push_back(std::move(cells));
    result.types.push_back(std::move(types));
}

// Of the last row, with what the allocator keeps beside each piece.
std::size_t bytesOfLastRow(const QueryResult &result) {
    constexpr std::size_t kBesideAPiece = 16;
    std::size_t bytes = sizeof(std::vector<std::string>) + sizeof(std::vector<int>) + 2 * kBesideAPiece;
    for (const std::string &cell : result.rows.back()) {
        bytes += sizeof(std::string) + sizeof(int);
        if (cell.capacity() >= sizeof(std::string) / 2)
            bytes += cell.capacity() + kBesideAPiece;
    }
    return bytes;
}

// "line 2, column 7" of a byte in the text.
std::string placeIn(std::string_view sql, std::int64_t position) {
    if (position < 0 || static_cast<std::size_t>(position) > sql.size())
        return {};
    const std::string_view before = sql.substr(0, static_cast<std::size_t>(position));
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t begin = before.rfind('\n') + 1;
    const auto column = std::count_if(before.begin() + static_cast<std::ptrdiff_t>(begin), before.end(),
                                      [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
    return "line " + std::to_string(line) + ", column " + std::to_string(column + 1);
}

tl::unexpected<Error> cannotRun(const Error &error, const std::string &refused, const std::string &place) {
    if (!refused.empty())
        return failure("the query cannot be run: " + refused + " is not allowed here", {},
                       "the workspace is only read: write one SELECT over the public views (docs/workspace.md)");
    return failure("the query cannot be run: " + error.what, place,
                   "it is one SELECT over the public views (docs/workspace.md)");
}

}  // namespace

Status SqliteReader::checkQuery(std::string_view sql) {
    faultPosition_ = -1;
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
    if (statement)
        return {};
    faultPosition_ = authorizer.refused().empty() ? sqlite3_error_offset(views_->handle()) : -1;
    return cannotRun(statement.error(), authorizer.refused(), placeIn(sql, faultPosition_));
}

Expected<QueryResult> SqliteReader::query(std::string_view sql, QueryLimits limits,
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
    std::size_t bytes = 0;
    while (statement->step()) {
        result.full = bytes >= limits.bytes;
        result.truncated = result.full || static_cast<std::int64_t>(result.rows.size()) == limits.rows;
        if (result.truncated)
            return result;
        addRow(result, *statement);
        bytes += bytesOfLastRow(result);
    }
    if (Status status = statement->status(); !status)
        return passOn(status);
    return result;
}

}  // namespace wattproof::store
