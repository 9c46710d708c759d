#include "store/foreign_database.h"

#include "store/sqlite/database.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <sqlite3.h>

namespace wattproof::store {
namespace {

constexpr int kLargestValue = 64 << 20;
constexpr std::size_t kMostTables = 10'000;
// A row takes at least its length, its key and an empty header: a file that yields more rows than it has bytes
// refers to its pages more than once.
constexpr std::uint64_t kBytesPerRow = 1;

std::string identifier(std::string_view name) {
    std::string text = "\"";
    for (const char c : name) {
        text += c;
        if (c == '"')
            text += c;
    }
    return text + '"';
}

// While rows are read nothing but reading is allowed.
int onlyReading(void *, int action, const char *, const char *, const char *, const char *) {
    return action == SQLITE_SELECT || action == SQLITE_READ ? SQLITE_OK : SQLITE_DENY;
}

void limit(const sqlite::Database &database) {
    sqlite3 *handle = database.handle();
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, kLargestValue);
    sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_limit(handle, SQLITE_LIMIT_EXPR_DEPTH, 50);
    sqlite3_limit(handle, SQLITE_LIMIT_TRIGGER_DEPTH, 1);
    sqlite3_limit(handle, SQLITE_LIMIT_WORKER_THREADS, 0);
}

tl::unexpected<Error> refusal(int code, const sqlite::Database &database, const std::string &path) {
    switch (code & 0xff) {
        case SQLITE_NOTADB:
            return failure("This is no SQLite database, or it is encrypted", path, "export it again");
        case SQLITE_CORRUPT:
        case SQLITE_ERROR:
            return failure("The SQLite file is damaged or cut: its list of tables cannot be read", path,
                           "export it again");
        default:
            return database.failure(code);
    }
}

ForeignCell cellOf(const sqlite::Statement &row, int column) {
    ForeignCell cell;
    switch (row.type(column)) {
        case SQLITE_INTEGER:
            cell.kind = ForeignCell::Kind::Integer;
            cell.integer = row.integer(column);
            break;
        case SQLITE_FLOAT:
            cell.kind = ForeignCell::Kind::Real;
            cell.real = row.real(column);
            break;
        case SQLITE_TEXT:
            cell.kind = ForeignCell::Kind::Text;
            cell.text = row.text(column);
            break;
        case SQLITE_BLOB: {
            const auto bytes = row.blob(column);
            cell.kind = ForeignCell::Kind::Bytes;
            cell.text = {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
            break;
        }
        default:
            break;
    }
    return cell;
}

class OpenForeign final : public ForeignDatabase {
public:
    OpenForeign(std::unique_ptr<sqlite::Database> database, std::uint64_t bytes)
        : database_(std::move(database)), bytes_(bytes) {}

    Status learn(const std::string &path) {
        for (const char *ending : {"-wal", "-journal"}) {
            std::error_code error;
            const auto size = std::filesystem::file_size(path + ending, error);
            if (!error && size > 0)
                leftBehind_ = path + ending;
        }
        auto names = tableNames(path);
        if (!names)
            return passOn(names);
        for (std::string &name : *names)
            if (auto status = learnColumns(std::move(name), path); !status)
                return status;
        sqlite3_set_authorizer(database_->handle(), onlyReading, nullptr);
        return {};
    }

    const std::map<std::string, std::vector<std::string>> &tables() const override { return tables_; }
    const std::string &leftBehind() const override { return leftBehind_; }

    Expected<ForeignRead> read(const std::string &table, std::span<const std::string_view> columns,
                               const Visitor &visitor, const std::stop_token &stop) const override {
        const auto known = tables_.find(table);
        if (known == tables_.end())
            return ForeignRead{};
        std::vector<int> places;
        auto rows = database_->prepare(statementFor(table, known->second, columns, places));
        if (!rows)
            return ForeignRead{0, rows.error().what};
        const sqlite::Interruptible interruptible(*database_, stop);
        ForeignRead result;
        std::vector<ForeignCell> cells(columns.size());
        while (rows->step()) {
            if (++result.rows > bytes_ / kBytesPerRow) {
                result.damage = "it has more rows than the file can hold";
                return result;
            }
            for (std::size_t i = 0; i < cells.size(); ++i)
                cells[i] = places[i] < 0 ? ForeignCell{} : cellOf(*rows, places[i]);
            if (auto status = visitor(cells); !status)
                return passOn(status);
        }
        return ending(*rows, std::move(result));
    }

private:
    Expected<std::vector<std::string>> tableNames(const std::string &path) const {
        std::vector<std::string> names;
        auto rows = database_->prepare(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 AND name NOT LIKE 'sqlite_%'");
        if (!rows)
            return refusal(sqlite3_errcode(database_->handle()), *database_, path);
        while (rows->step() && names.size() < kMostTables)
            names.push_back(rows->string(0));
        if (!rows->status())
            return refusal(rows->code(), *database_, path);
        return names;
    }

    // Computed columns run what the file says: they are left out.
    Status learnColumns(std::string table, const std::string &path) {
        auto rows = database_->prepare("SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0");
        if (!rows)
            return refusal(sqlite3_errcode(database_->handle()), *database_, path);
        rows->bind(1, table);
        std::vector<std::string> columns;
        while (rows->step())
            columns.push_back(rows->string(0));
        if (!rows->status())
            return refusal(rows->code(), *database_, path);
        tables_.emplace(std::move(table), std::move(columns));
        return {};
    }

    // places: the result's column of each one asked for, -1 for those that are not there.
    static std::string statementFor(const std::string &table, const std::vector<std::string> &own,
                                    std::span<const std::string_view> columns, std::vector<int> &places) {
        std::string list;
        int place = 0;
        for (const std::string_view column : columns) {
            const bool found = std::find(own.begin(), own.end(), column) != own.end();
            places.push_back(found ? place++ : -1);
            if (found)
                list += (list.empty() ? "" : ", ") + identifier(column);
        }
        return "SELECT " + (list.empty() ? "NULL" : list) + " FROM " + identifier(table);
    }

    Expected<ForeignRead> ending(const sqlite::Statement &rows, ForeignRead result) const {
        if (rows.status())
            return result;
        switch (rows.code() & 0xff) {
            case SQLITE_CORRUPT:
                result.damage = "its pages are damaged or missing";
                return result;
            case SQLITE_TOOBIG:
                result.damage = "a value is larger than 64 MiB";
                return result;
            case SQLITE_INTERRUPT:
                return cancelled();
            default:
                return tl::unexpected<Error>(rows.status().error());
        }
    }

    std::unique_ptr<sqlite::Database> database_;
    std::uint64_t bytes_;
    std::map<std::string, std::vector<std::string>> tables_;
    std::string leftBehind_;
};

}  // namespace

std::optional<std::int64_t> ForeignCell::whole() const {
    if (kind == Kind::Integer)
        return integer;
    constexpr double limit = 9.2e18;
    const bool fits = kind == Kind::Real && std::floor(real) == real && real > -limit && real < limit;
    return fits ? std::optional(static_cast<std::int64_t>(real)) : std::nullopt;
}

std::optional<double> ForeignCell::number() const {
    if (kind == Kind::Real)
        return real;
    return kind == Kind::Integer ? std::optional(static_cast<double>(integer)) : std::nullopt;
}

Expected<std::unique_ptr<ForeignDatabase>> ForeignDatabase::open(const std::string &path) {
    std::error_code error;
    const auto bytes = std::filesystem::file_size(path, error);
    if (error)
        return failure("The file cannot be opened: " + error.message(), path,
                       "check the path and its permissions");
    auto database = sqlite::Database::open(path, sqlite::OpenAs::Immutable);
    if (!database)
        return passOn(database);
    limit(**database);
    auto foreign = std::make_unique<OpenForeign>(std::move(*database), bytes);
    if (auto status = foreign->learn(path); !status)
        return passOn(status);
    return foreign;
}

}  // namespace wattproof::store
