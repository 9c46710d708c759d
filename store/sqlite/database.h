// A small RAII layer over the SQLite C API: connections, prepared statements, errors as sentences. No SQL lives
// here.
#pragma once

#include "store/ids.h"
#include "store/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

struct sqlite3;
struct sqlite3_stmt;

namespace wattproof::store::sqlite {

enum class OpenAs {
    New,        // a file of our own making that nobody else has seen: created when it is not there
    ReadWrite,  // must exist
    ReadOnly,
    Immutable  // read-only in a place where no lock or log file can be made; nobody may change the file meanwhile
};

class Database;

// Values are bound by position from 1 and read by column from 0. A failed step is remembered: loop on step(), then
// ask status(). Text and blobs bound to it must live until the statement is run or reset.
class Statement {
public:
    Statement() = default;

    void bind(int index, std::nullptr_t);
    void bind(int index, std::int64_t value);
    void bind(int index, std::int32_t value) { bind(index, std::int64_t{value}); }
    void bind(int index, double value);
    void bind(int index, std::string_view text);
    void bind(int index, const std::string &text) { bind(index, std::string_view(text)); }
    void bind(int index, const char *text) { bind(index, std::string_view(text)); }
    void bind(int index, std::span<const std::byte> blob);
    template <class Tag>
    void bind(int index, Id<Tag> id) {
        id.valid() ? bind(index, id.value) : bind(index, nullptr);
    }
    template <class T>
    void bind(int index, const std::optional<T> &value) {
        value ? bind(index, *value) : bind(index, nullptr);
    }

    template <class... Values>
    Statement &bindAll(const Values &...values) {
        int index = 0;
        (bind(++index, values), ...);
        return *this;
    }

    // True while there is a row.
    bool step();
    // Steps to the end and resets, for statements without rows. False on failure.
    bool run();
    void reset();
    [[nodiscard]] Status status() const;
    // SQLite's own result of the last step.
    [[nodiscard]] int code() const { return result_; }

    [[nodiscard]] int columns() const;
    [[nodiscard]] std::string columnName(int column) const;
    [[nodiscard]] int type(int column) const;
    [[nodiscard]] bool isNull(int column) const;
    [[nodiscard]] std::int64_t integer(int column) const;
    [[nodiscard]] std::int32_t int32(int column) const { return static_cast<std::int32_t>(integer(column)); }
    [[nodiscard]] double real(int column) const;
    [[nodiscard]] std::string_view text(int column) const;
    [[nodiscard]] std::string string(int column) const { return std::string(text(column)); }
    [[nodiscard]] std::span<const std::byte> blob(int column) const;
    template <class IdType>
    [[nodiscard]] IdType id(int column) const {
        return IdType{integer(column)};
    }
    [[nodiscard]] std::optional<std::int64_t> optionalInteger(int column) const;
    [[nodiscard]] std::optional<double> optionalReal(int column) const;
    [[nodiscard]] sqlite3_stmt *handle() const { return statement_.get(); }

private:
    friend class Database;
    struct Finalize {
        void operator()(sqlite3_stmt *statement) const;
    };
    std::unique_ptr<sqlite3_stmt, Finalize> statement_;
    const Database *database_ = nullptr;
    int result_ = 0;
};

// Not copied and not moved: statements point back to it.
class Database {
public:
    [[nodiscard]] static Expected<std::unique_ptr<Database>> open(const std::string &path, OpenAs);
    ~Database();
    Database(const Database &) = delete;
    Database &operator=(const Database &) = delete;

    // All statements of the text, which return no rows.
    Status execute(const std::string &sql) const;
    [[nodiscard]] Expected<Statement> prepare(std::string_view sql) const;
    // The same for a text from outside: fails when anything follows the first statement, or when it writes.
    [[nodiscard]] Expected<Statement> prepareOnly(std::string_view sql) const;
    // First column of the first row, if there is one.
    [[nodiscard]] Expected<std::optional<std::int64_t>> integer(std::string_view sql) const;

    // The whole database into a new file.
    [[nodiscard]] Status copyTo(const std::string &path) const;

    // The error that SQLite reported last on this connection, as a sentence about this file.
    [[nodiscard]] tl::unexpected<Error> failure(int code) const;
    [[nodiscard]] const std::string &path() const { return path_; }
    [[nodiscard]] sqlite3 *handle() const { return handle_; }

private:
    [[nodiscard]] Expected<Statement> prepareFirst(std::string_view sql, std::string_view *rest) const;
    Database(sqlite3 *handle, std::string path) : handle_(handle), path_(std::move(path)) {}
    sqlite3 *handle_;
    std::string path_;
};

// While it lives, statements of the connection stop soon after the token asks them to; status() then is
// cancelled().
class Interruptible {
public:
    Interruptible(const Database &, std::stop_token);
    ~Interruptible();
    Interruptible(const Interruptible &) = delete;
    Interruptible &operator=(const Interruptible &) = delete;

private:
    static int stopRequested(void *self);
    const Database &database_;
    std::stop_token stop_;
};

// BEGIN IMMEDIATE … COMMIT; rolled back when destroyed without commit().
class Transaction {
public:
    explicit Transaction(const Database &);
    ~Transaction();
    Transaction(const Transaction &) = delete;
    Transaction &operator=(const Transaction &) = delete;

    [[nodiscard]] const Status &begun() const { return begun_; }
    Status commit();

private:
    const Database &database_;
    Status begun_;
    bool open_;
};

}  // namespace wattproof::store::sqlite
