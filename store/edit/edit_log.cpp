#include "store/edit/edit_log.h"

#include <algorithm>
#include <array>

#include <sqlite3.h>

namespace wattproof::store {
namespace {

using nlohmann::json;

constexpr const char *kLastDone =
    "SELECT id, inverse, phrase FROM edit_log WHERE undone = 0 ORDER BY id DESC LIMIT 1";
constexpr const char *kFirstUndone =
    "SELECT id, forward, phrase FROM edit_log WHERE undone = 1 ORDER BY id LIMIT 1";
constexpr std::array kEditableTables{"alignment", "annotation", "decision", "document", "device_alias"};

// The log is read from a file that others may have written: only our tables, only plain column names.
bool isSafe(const RowChange &change) {
    const auto plainNames = [](const json &object) {
        for (const auto &item : object.items()) {
            if (item.key().find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") != std::string::npos)
                return false;
        }
        return true;
    };
    const bool ours =
        std::find(kEditableTables.begin(), kEditableTables.end(), change.table) != kEditableTables.end();
    return ours && change.key.is_object() && !change.key.empty() && plainNames(change.key) &&
           (change.row.is_null() || (change.row.is_object() && plainNames(change.row)));
}

std::string conditionOf(const json &key) {
    std::string sql;
    for (const auto &item : key.items())
        sql += (sql.empty() ? " WHERE " : " AND ") + item.key() + " = ?";
    return sql;
}

// Texts stay bound to strings inside `values`.
void bindValues(sqlite::Statement &statement, const json &values) {
    int index = 0;
    for (const json &value : values) {
        ++index;
        if (value.is_number_integer())
            statement.bind(index, value.get<std::int64_t>());
        else if (value.is_number())
            statement.bind(index, value.get<double>());
        else if (value.is_string())
            statement.bind(index, std::string_view(value.get_ref<const std::string &>()));
        else
            statement.bind(index, nullptr);
    }
}

json valueOf(const sqlite::Statement &statement, int column) {
    switch (statement.type(column)) {
        case SQLITE_INTEGER:
            return statement.integer(column);
        case SQLITE_FLOAT:
            return statement.real(column);
        case SQLITE_TEXT:
            return statement.string(column);
        default:
            return nullptr;
    }
}

std::string toJson(const std::vector<RowChange> &changes) {
    json list = json::array();
    for (const RowChange &change : changes)
        list.push_back({{"table", change.table}, {"key", change.key}, {"row", change.row}});
    return list.dump(-1, ' ', false, json::error_handler_t::replace);
}

// Nothing where the text is no list of changes.
std::optional<std::vector<RowChange>> fromJson(const std::string &text) {
    const json list = json::parse(text, nullptr, false);
    if (!list.is_array())
        return std::nullopt;
    std::vector<RowChange> changes;
    for (const json &entry : list) {
        const bool whole = entry.is_object() && entry.contains("table") && entry["table"].is_string() &&
                           entry.contains("key") && entry.contains("row");
        if (!whole)
            return std::nullopt;
        changes.push_back({entry["table"].get<std::string>(), entry["key"], entry["row"]});
    }
    return changes;
}

struct LogEntry {
    std::int64_t id = 0;
    std::string forward, inverse;
};

// The text after every change went through `revise`; nothing where one is not to stay.
Expected<std::optional<std::string>> revised(const std::string &text,
                                             const std::function<Expected<bool>(RowChange &)> &revise) {
    auto changes = fromJson(text);
    if (!changes)
        return text;
    for (RowChange &change : *changes) {
        auto stays = revise(change);
        if (!stays)
            return passOn(stays);
        if (!*stays)
            return std::nullopt;
    }
    return toJson(*changes);
}

Status badLog() {
    return failure("the undo log is damaged", {}, "what it describes cannot be undone");
}

}  // namespace

Status EditLog::record(const std::string &phrase, const std::vector<RowChange> &changes) const {
    std::vector<RowChange> inverse;
    for (const RowChange &change : changes) {
        auto before = rowOf(change.table, change.key);
        if (!before)
            return passOn(before);
        inverse.insert(inverse.begin(), {change.table, change.key, *before});
        if (Status status = apply(change); !status)
            return status;
    }
    if (Status status = database_.execute("DELETE FROM edit_log WHERE undone = 1"); !status)
        return status;
    auto statement =
        database_.prepare("INSERT INTO edit_log(undone, phrase, forward, inverse) VALUES(0, ?, ?, ?)");
    if (!statement)
        return passOn(statement);
    const std::string forward = toJson(changes);
    const std::string backward = toJson(inverse);
    statement->bindAll(phrase, forward, backward).run();
    return statement->status();
}

Status EditLog::undo() const {
    return move(kLastDone, "UPDATE edit_log SET undone = 1 WHERE id = ?");
}

Status EditLog::redo() const {
    return move(kFirstUndone, "UPDATE edit_log SET undone = 0 WHERE id = ?");
}

Expected<std::string> EditLog::undoText() const {
    return phraseOf(kLastDone);
}

Expected<std::string> EditLog::redoText() const {
    return phraseOf(kFirstUndone);
}

Expected<json> EditLog::rowOf(const std::string &table, const json &key) const {
    auto statement = database_.prepare("SELECT * FROM " + table + conditionOf(key));
    if (!statement)
        return passOn(statement);
    bindValues(*statement, key);
    json row;
    if (statement->step()) {
        for (int column = 0; column < statement->columns(); ++column)
            row[statement->columnName(column)] = valueOf(*statement, column);
    }
    if (Status status = statement->status(); !status)
        return passOn(status);
    return row;
}

Status EditLog::apply(const RowChange &change) const {
    std::string sql;
    if (change.row.is_null()) {
        sql = "DELETE FROM " + change.table + conditionOf(change.key);
    } else {
        std::string columns, marks;
        for (const auto &item : change.row.items()) {
            columns += (columns.empty() ? "" : ", ") + item.key();
            marks += marks.empty() ? "?" : ", ?";
        }
        sql = "INSERT OR REPLACE INTO " + change.table + "(" + columns + ") VALUES(" + marks + ")";
    }
    auto statement = database_.prepare(sql);
    if (!statement)
        return passOn(statement);
    bindValues(*statement, change.row.is_null() ? change.key : change.row);
    statement->run();
    return statement->status();
}

Status EditLog::applyLogged(const std::string &text) const {
    const auto changes = fromJson(text);
    if (!changes)
        return badLog();
    for (const RowChange &change : *changes) {
        if (!isSafe(change))
            return badLog();
        if (Status status = apply(change); !status)
            return status;
    }
    return {};
}

Status EditLog::rewrite(const std::function<Expected<bool>(RowChange &)> &revise) const {
    auto select = database_.prepare("SELECT id, forward, inverse FROM edit_log");
    auto update = database_.prepare("UPDATE edit_log SET forward = ?, inverse = ? WHERE id = ?");
    auto remove = database_.prepare("DELETE FROM edit_log WHERE id = ?");
    if (!select || !update || !remove)
        return !select ? passOn(select) : !update ? passOn(update) : passOn(remove);
    std::vector<LogEntry> entries;
    while (select->step())
        entries.push_back({select->integer(0), select->string(1), select->string(2)});
    if (Status status = select->status(); !status)
        return status;
    for (const LogEntry &entry : entries) {
        auto forward = revised(entry.forward, revise);
        if (!forward)
            return passOn(forward);
        auto inverse = revised(entry.inverse, revise);
        if (!inverse)
            return passOn(inverse);
        const bool stays = *forward && *inverse;
        if (!(stays ? update->bindAll(**forward, **inverse, entry.id).run() : remove->bindAll(entry.id).run()))
            return stays ? update->status() : remove->status();
    }
    return {};
}

Status EditLog::move(const char *select, const char *mark) const {
    auto entry = database_.prepare(select);
    if (!entry)
        return passOn(entry);
    if (!entry->step())
        return entry->status();
    const std::int64_t id = entry->integer(0);
    const std::string changes = entry->string(1);
    entry->reset();
    if (Status status = applyLogged(changes); !status)
        return status;
    auto update = database_.prepare(mark);
    if (!update)
        return passOn(update);
    update->bindAll(id).run();
    return update->status();
}

Expected<std::string> EditLog::phraseOf(const char *select) const {
    auto entry = database_.prepare(select);
    if (!entry)
        return passOn(entry);
    std::string phrase = entry->step() ? entry->string(2) : std::string();
    if (Status status = entry->status(); !status)
        return passOn(status);
    return phrase;
}

}  // namespace wattproof::store
