#include "store/sqlite/database.h"

#include <cctype>
#include <cerrno>
#include <cstring>

#include <sqlite3.h>

namespace wattproof::store::sqlite {
namespace {

constexpr int kBusyTimeoutMs = 5000;
constexpr int kInstructionsBetweenChecks = 2000;

int openFlags(OpenAs as) {
    switch (as) {
        case OpenAs::New:
            return SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
        case OpenAs::ReadWrite:
            return SQLITE_OPEN_READWRITE;
        case OpenAs::ReadOnly:
        case OpenAs::Immutable:
            return SQLITE_OPEN_READONLY;
    }
    return SQLITE_OPEN_READONLY;
}

// A file: URI of any path: everything but the plain characters is escaped.
std::string immutableUri(const std::string &path) {
    static const char *const hex = "0123456789ABCDEF";
    std::string uri = "file:";
    for (const char c : path) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) != 0 || std::strchr("/._-", c) != nullptr)
            uri += c;
        else
            uri.append({'%', hex[byte >> 4U], hex[byte & 15U]});
    }
    return uri + "?immutable=1";
}

// A file that another program may have made is only trusted with what needs no trust. A file of our own making is
// built without a journal, which the defensive mode forbids.
void configure(sqlite3 *handle, bool ownMaking) {
    sqlite3_extended_result_codes(handle, 1);
    sqlite3_busy_timeout(handle, kBusyTimeoutMs);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, ownMaking ? 0 : 1, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_DQS_DML, 0, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_DQS_DDL, 0, nullptr);
}

tl::unexpected<Error> sentenceFor(int code, int systemError, const std::string &detail, const std::string &path) {
    const bool writing = code == SQLITE_IOERR_WRITE || code == SQLITE_IOERR_FSYNC || code == SQLITE_IOERR_TRUNCATE;
    if ((code & 0xff) == SQLITE_FULL || (writing && (systemError == ENOSPC || systemError == EDQUOT)))
        return failure("the disk is full", path, "free some space or choose another place");
    if (writing && systemError == EFBIG)
        return failure("the file would grow beyond the allowed size", path,
                       "raise the limit or choose another place");
    switch (code & 0xff) {
        case SQLITE_INTERRUPT:
            return cancelled();
        case SQLITE_NOTADB:
            return failure("this is not a workspace", path, "open a .wattproof file, or import the file instead");
        case SQLITE_CORRUPT:
            return failure("the workspace is damaged", path, "import its sources again");
        case SQLITE_READONLY:
            return failure("the workspace cannot be written", path, "save it to a folder you may write to");
        case SQLITE_BUSY:
            return failure("another program is writing to the workspace", path, "try again when it has finished");
        case SQLITE_CANTOPEN:
            return failure("the file cannot be opened: " +
                               std::string(systemError != 0 ? std::strerror(systemError) : detail.c_str()),
                           path, "check the path and its permissions");
        case SQLITE_IOERR:
            return failure("reading or writing failed: " +
                               std::string(systemError != 0 ? std::strerror(systemError) : detail.c_str()),
                           path, "check the disk");
        case SQLITE_NOMEM:
            return failure("there is not enough memory", path, "close other programs and try again");
        default:
            return failure(detail, path);
    }
}

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt *statement) const {
    sqlite3_finalize(statement);
}

void Statement::bind(int index, std::nullptr_t) {
    sqlite3_bind_null(statement_.get(), index);
}

void Statement::bind(int index, std::int64_t value) {
    sqlite3_bind_int64(statement_.get(), index, value);
}

void Statement::bind(int index, double value) {
    sqlite3_bind_double(statement_.get(), index, value);
}

void Statement::bind(int index, std::string_view text) {
    sqlite3_bind_text64(statement_.get(), index, text.data() == nullptr ? "" : text.data(), text.size(),
                        SQLITE_STATIC, SQLITE_UTF8);
}

void Statement::bind(int index, std::span<const std::byte> blob) {
    sqlite3_bind_blob64(statement_.get(), index, blob.empty() ? "" : static_cast<const void *>(blob.data()),
                        blob.size(), SQLITE_STATIC);
}

bool Statement::step() {
    result_ = sqlite3_step(statement_.get());
    return result_ == SQLITE_ROW;
}

bool Statement::run() {
    int result = sqlite3_step(statement_.get());
    while (result == SQLITE_ROW)
        result = sqlite3_step(statement_.get());
    sqlite3_reset(statement_.get());
    result_ = result;
    return result == SQLITE_DONE;
}

void Statement::reset() {
    sqlite3_reset(statement_.get());
}

Status Statement::status() const {
    if (result_ == SQLITE_ROW || result_ == SQLITE_DONE || result_ == SQLITE_OK)
        return {};
    return database_->failure(result_);
}

int Statement::columns() const {
    return sqlite3_column_count(statement_.get());
}

std::string Statement::columnName(int column) const {
    const char *name = sqlite3_column_name(statement_.get(), column);
    return name == nullptr ? std::string() : std::string(name);
}

int Statement::type(int column) const {
    return sqlite3_column_type(statement_.get(), column);
}

bool Statement::isNull(int column) const {
    return type(column) == SQLITE_NULL;
}

std::int64_t Statement::integer(int column) const {
    return sqlite3_column_int64(statement_.get(), column);
}

double Statement::real(int column) const {
    return sqlite3_column_double(statement_.get(), column);
}

std::string_view Statement::text(int column) const {
    const auto *bytes = sqlite3_column_text(statement_.get(), column);
    if (bytes == nullptr)
        return {};
    return {reinterpret_cast<const char *>(bytes),
            static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

std::span<const std::byte> Statement::blob(int column) const {
    const auto *bytes = static_cast<const std::byte *>(sqlite3_column_blob(statement_.get(), column));
    return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

std::optional<std::int64_t> Statement::optionalInteger(int column) const {
    return isNull(column) ? std::nullopt : std::optional(integer(column));
}

std::optional<double> Statement::optionalReal(int column) const {
    return isNull(column) ? std::nullopt : std::optional(real(column));
}

Expected<std::unique_ptr<Database>> Database::open(const std::string &path, OpenAs as) {
    sqlite3 *handle = nullptr;
    const bool uri = as == OpenAs::Immutable;
    const std::string name = uri ? immutableUri(path) : path;
    const int flags = openFlags(as) | SQLITE_OPEN_NOMUTEX | (uri ? SQLITE_OPEN_URI : 0);
    const int result = sqlite3_open_v2(name.c_str(), &handle, flags, nullptr);
    std::unique_ptr<Database> database(new Database(handle, path));
    if (result != SQLITE_OK)
        return database->failure(result);
    configure(handle, as == OpenAs::New);
    return database;
}

Database::~Database() {
    sqlite3_close_v2(handle_);
}

Status Database::execute(const std::string &sql) const {
    const int result = sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr);
    if (result != SQLITE_OK)
        return failure(result);
    return {};
}

Expected<Statement> Database::prepare(std::string_view sql) const {
    return prepareFirst(sql, nullptr);
}

Expected<Statement> Database::prepareFirst(std::string_view sql, std::string_view *rest) const {
    sqlite3_stmt *handle = nullptr;
    const char *tail = nullptr;
    const int result = sqlite3_prepare_v2(handle_, sql.data(), static_cast<int>(sql.size()), &handle, &tail);
    Statement statement;
    statement.statement_.reset(handle);
    statement.database_ = this;
    if (result != SQLITE_OK)
        return failure(result);
    if (rest != nullptr)
        *rest = sql.substr(static_cast<std::size_t>(tail - sql.data()));
    return statement;
}

Expected<Statement> Database::prepareOnly(std::string_view sql) const {
    std::string_view rest;
    auto statement = prepareFirst(sql, &rest);
    if (!statement)
        return statement;
    if (statement->handle() == nullptr)
        return wattproof::failure("there is no statement", {}, "write a SELECT");
    if (sqlite3_stmt_readonly(statement->handle()) == 0)
        return wattproof::failure("it would write", {}, "write a SELECT");
    auto next = prepareFirst(rest, nullptr);
    if (!next)
        (void)prepareFirst(";", nullptr);  // what SQLite has to say of the rest is not asked for
    if (!next || next->handle() != nullptr)
        return wattproof::failure("there is more than one statement", {}, "run them one by one");
    return statement;
}

Expected<std::optional<std::int64_t>> Database::integer(std::string_view sql) const {
    auto statement = prepare(sql);
    if (!statement)
        return passOn(statement);
    std::optional<std::int64_t> value;
    if (statement->step())
        value = statement->optionalInteger(0);
    if (Status status = statement->status(); !status)
        return passOn(status);
    return value;
}

Status Database::copyTo(const std::string &path) const {
    auto target = open(path, OpenAs::New);
    if (!target)
        return passOn(target);
    sqlite3_backup *backup = sqlite3_backup_init((*target)->handle(), "main", handle_, "main");
    if (backup == nullptr)
        return (*target)->failure(sqlite3_errcode((*target)->handle()));
    const int copied = sqlite3_backup_step(backup, -1);
    sqlite3_backup_finish(backup);
    if (copied != SQLITE_DONE)
        return (*target)->failure(copied);
    return {};
}

tl::unexpected<Error> Database::failure(int code) const {
    const std::string detail = handle_ == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(handle_);
    return sentenceFor(code, handle_ == nullptr ? 0 : sqlite3_system_errno(handle_), detail, path_);
}

Interruptible::Interruptible(const Database &database, std::stop_token stop)
    : database_(database), stop_(std::move(stop)) {
    if (stop_.stop_possible())
        sqlite3_progress_handler(database_.handle(), kInstructionsBetweenChecks, &stopRequested, this);
}

Interruptible::~Interruptible() {
    if (stop_.stop_possible())
        sqlite3_progress_handler(database_.handle(), 0, nullptr, nullptr);
}

int Interruptible::stopRequested(void *self) {
    return static_cast<Interruptible *>(self)->stop_.stop_requested() ? 1 : 0;
}

Transaction::Transaction(const Database &database)
    : database_(database), begun_(database.execute("BEGIN IMMEDIATE")), open_(begun_.has_value()) {}

Transaction::~Transaction() {
    if (open_)
        (void)database_.execute("ROLLBACK");
}

Status Transaction::commit() {
    Status status = database_.execute("COMMIT");
    open_ = !status.has_value();
    return status;
}

}  // namespace wattproof::store::sqlite
