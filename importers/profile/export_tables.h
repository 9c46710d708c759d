// Tables of a profiler's database, read row by row into a run: damage becomes a warning, missing tables are empty.
#pragma once

#include "importers/profile/run.h"
#include "store/foreign_database.h"

#include <functional>
#include <initializer_list>
#include <set>
#include <string>
#include <string_view>

namespace wattproof::importers {

// The cells of one row in the order of the columns that were asked for.
class ExportRow {
public:
    ExportRow(std::span<const store::ForeignCell> cells, std::uint64_t record) : cells_(cells), record_(record) {}

    [[nodiscard]] const store::ForeignCell &cell(std::size_t column) const { return cells_[column]; }
    [[nodiscard]] bool has(std::size_t column) const { return !cells_[column].isNull(); }
    [[nodiscard]] std::optional<std::int64_t> whole(std::size_t column) const { return cells_[column].whole(); }
    [[nodiscard]] std::int64_t wholeOr(std::size_t column, std::int64_t otherwise) const {
        return cells_[column].wholeOr(otherwise);
    }
    [[nodiscard]] std::string_view text(std::size_t column) const { return cells_[column].text; }
    // Position for warnings: rows of all tables of the file, counted in the order in which they are read.
    [[nodiscard]] std::uint64_t record() const { return record_; }
    // Three columns from this one on; none unless all are above 0.
    [[nodiscard]] std::optional<std::array<std::int64_t, 3>> triple(std::size_t first) const;

private:
    std::span<const store::ForeignCell> cells_;
    std::uint64_t record_;
};

class ExportTables {
public:
    using Take = std::function<void(const ExportRow &)>;

    ExportTables(const store::ForeignDatabase &database, ProfileRun &run);

    [[nodiscard]] bool has(const std::string &table) const { return database_.has(table); }
    [[nodiscard]] Status read(const std::string &table, std::initializer_list<std::string_view> columns,
                              const Take &take);
    // Tables with rows that nobody read, whose names `counts` accepts: named in one metadata row and counted.
    [[nodiscard]] Status tellUnread(const std::function<bool(std::string_view table)> &counts);

private:
    const store::ForeignDatabase &database_;
    ProfileRun &run_;
    std::set<std::string> read_;
    std::uint64_t records_ = 0;
};

}  // namespace wattproof::importers
