#include "importers/profile/export_tables.h"

namespace wattproof::importers {
namespace {

constexpr std::uint64_t kRowsPerCheck = 4096;

}  // namespace

std::optional<std::array<std::int64_t, 3>> ExportRow::triple(std::size_t first) const {
    std::array<std::int64_t, 3> values{};
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = wholeOr(first + i, 0);
        if (values[i] <= 0)
            return std::nullopt;
    }
    return values;
}

ExportTables::ExportTables(const store::ForeignDatabase &database, ProfileRun &run)
    : database_(database), run_(run) {
    run_.builder().positionsAre("record");
    if (!database_.leftBehind().empty())
        run_.warn("unfinished_export",
                  "A log or journal stands beside the database: the program that wrote it did "
                  "not close it. What stands only there was not read.");
}

Status ExportTables::read(const std::string &table, std::initializer_list<std::string_view> columns,
                          const Take &take) {
    read_.insert(table);
    auto result = database_.read(
        table, std::span(columns.begin(), columns.size()),
        [&](std::span<const store::ForeignCell> cells) -> Status {
            if (records_++ % kRowsPerCheck == 0)
                if (auto status = run_.checkpoint(records_, 0, "records"); !status)
                    return status;
            take({cells, records_});
            return {};
        },
        run_.task().stop);
    if (!result)
        return passOn(result);
    if (!result->damage.empty())
        run_.warn("truncated_input", "The table " + table + " was read up to where " + result->damage + ".",
                  records_);
    return {};
}

Status ExportTables::tellUnread(const std::function<bool(std::string_view table)> &counts) {
    std::string names;
    std::int64_t count = 0;
    for (const auto &[table, columns] : database_.tables()) {
        if (read_.contains(table) || !counts(table))
            continue;
        bool any = false;
        const auto stopAtFirst = [&](std::span<const store::ForeignCell>) -> Status {
            any = true;
            return failure("one row is enough");
        };
        const auto result = database_.read(table, {}, stopAtFirst, run_.task().stop);
        if (!any && !result)
            return tl::unexpected(result.error());
        if (any) {
            names += (names.empty() ? "" : ", ") + table;
            ++count;
        }
    }
    if (count == 0)
        return {};
    run_.metadata("tables_not_shown", names);
    run_.warn("unread_section", "Tables whose rows are not shown: " + names + ".", 0, count);
    return {};
}

}  // namespace wattproof::importers
