// SQLite files that other programs made, as input: opened so that nothing is written beside or into them, and
// nothing stored in them is run. Only ordinary tables are read, whole, column by name; views, triggers, virtual
// tables and computed columns are as if they were not there.
#pragma once

#include "store/result.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace wattproof::store {

// One value as it is stored; what the column was declared to hold does not count. Texts and bytes are valid until
// the next row.
struct ForeignCell {
    enum class Kind : std::uint8_t { Null, Integer, Real, Text, Bytes };
    Kind kind = Kind::Null;
    std::int64_t integer = 0;
    double real = 0;
    std::string_view text;

    [[nodiscard]] bool isNull() const { return kind == Kind::Null; }
    // A whole number, also where it was stored as a real.
    [[nodiscard]] std::optional<std::int64_t> whole() const;
    [[nodiscard]] std::int64_t wholeOr(std::int64_t otherwise) const { return whole().value_or(otherwise); }
    [[nodiscard]] std::optional<double> number() const;
};

struct ForeignRead {
    std::uint64_t rows = 0;
    // Why the table ends early: its pages are damaged, a value is too large, more rows than the file can hold.
    // Empty when it was read whole.
    std::string damage;
};

class ForeignDatabase {
public:
    // Called for each row; an error ends the reading and is handed on. Cells are in the order of the columns asked
    // for; a column that the table does not have is Null in every row.
    using Visitor = std::function<Status(std::span<const ForeignCell>)>;

    // A file that is no SQLite database, or whose list of tables cannot be read, is refused. Not followed: a log
    // or journal beside the file (see leftBehind).
    [[nodiscard]] static Expected<std::unique_ptr<ForeignDatabase>> open(const std::string &path);
    virtual ~ForeignDatabase() = default;

    [[nodiscard]] virtual const std::map<std::string, std::vector<std::string>> &tables() const = 0;
    [[nodiscard]] bool has(const std::string &table) const { return tables().contains(table); }
    // The name of a non-empty "-wal" or "-journal" file beside the database: what stands only there is not read.
    [[nodiscard]] virtual const std::string &leftBehind() const = 0;

    // In the order in which the rows are stored. No such table: no rows.
    [[nodiscard]] virtual Expected<ForeignRead> read(const std::string &table,
                                                     std::span<const std::string_view> columns, const Visitor &,
                                                     const std::stop_token &) const = 0;
};

}  // namespace wattproof::store
