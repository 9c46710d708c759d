#include "store/read/name_set.h"

#include <string>

namespace wattproof::store {
namespace {

// '[' opens a set of characters in SQLite's GLOB, but is plain text to us.
std::string withoutSets(std::string_view glob) {
    std::string escaped;
    for (const char c : glob)
        escaped += c == '[' ? std::string("[[]") : std::string(1, c);
    return escaped;
}

}  // namespace

std::string likeLiteral(std::string_view text) {
    std::string pattern;
    for (const char c : text) {
        if (c == '%' || c == '_' || c == '\\')
            pattern += '\\';
        pattern += c;
    }
    return pattern;
}

std::string likeAnywhere(std::string_view part) {
    return "%" + likeLiteral(part) + "%";
}

std::string containsAll(const std::string &column, std::size_t count, int first) {
    std::string sql = "TRUE";
    for (std::size_t i = 0; i < count; ++i)
        sql += " AND " + column + " LIKE ?" + std::to_string(first + static_cast<int>(i)) + " ESCAPE '\\'";
    return sql;
}

Status NameSet::addAll(sqlite::Statement &statement) {
    while (statement.step()) {
        const auto id = static_cast<std::size_t>(statement.integer(0));
        if (id >= bits_.size())
            bits_.resize(id + 1);
        bits_[id] = true;
    }
    return statement.status();
}

Expected<NameSet> NameSet::containing(const sqlite::Database &database, const std::vector<std::string> &parts) {
    auto statement = database.prepare("SELECT id FROM string WHERE " + containsAll("text", parts.size()));
    if (!statement)
        return passOn(statement);
    std::vector<std::string> patterns;
    for (const std::string &part : parts)
        patterns.push_back(likeAnywhere(part));
    for (std::size_t i = 0; i < patterns.size(); ++i)
        statement->bind(static_cast<int>(i) + 1, patterns[i]);
    NameSet set;
    if (Status status = set.addAll(*statement); !status)
        return passOn(status);
    return set;
}

Expected<NameSet> NameSet::matching(const sqlite::Database &database, std::string_view glob) {
    auto statement = database.prepare("SELECT id FROM string WHERE text GLOB ?");
    if (!statement)
        return passOn(statement);
    const std::string pattern = withoutSets(glob);
    statement->bindAll(pattern);
    NameSet set;
    if (Status status = set.addAll(*statement); !status)
        return passOn(status);
    return set;
}

Expected<NameSet> NameSet::of(const sqlite::Database &database, const std::vector<std::string> &texts) {
    auto statement = database.prepare("SELECT id FROM string WHERE text = ?");
    if (!statement)
        return passOn(statement);
    NameSet set;
    for (const std::string &text : texts) {
        statement->reset();
        statement->bindAll(text);
        if (Status status = set.addAll(*statement); !status)
            return passOn(status);
    }
    return set;
}

}  // namespace wattproof::store
