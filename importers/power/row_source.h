// Where the rows of a log come from: a table, or a parser that makes records of another text.
#pragma once

#include "importers/power/descriptor.h"
#include "importers/table/table_reader.h"

#include <memory>
#include <string>
#include <vector>

namespace wattproof::importers {

class RowSource {
public:
    virtual ~RowSource() = default;
    // A cell without data is absent: its row does not speak of that column, which is not a missing value.
    [[nodiscard]] virtual Expected<bool> next(TableRow &) = 0;
    // Names of the columns, where the row just handed out has others than the one before; records have no header row.
    [[nodiscard]] virtual const std::vector<std::string> *changedHeader() const { return nullptr; }
    [[nodiscard]] virtual bool isTable() const { return true; }
    [[nodiscard]] virtual bool decimalComma() const { return false; }
    [[nodiscard]] virtual std::uint64_t longLines() const = 0;  // lines above TableReader::kMaxLine: skipped
    [[nodiscard]] virtual std::uint64_t firstLongLine() const = 0;
    // Places where the text is none of its form, and what they are called.
    [[nodiscard]] virtual std::int64_t unreadable() const { return 0; }
    [[nodiscard]] virtual std::uint64_t firstUnreadable() const { return 0; }
};

[[nodiscard]] TableReader::Style styleOf(const Descriptor &);
[[nodiscard]] std::unique_ptr<RowSource> makeRowSource(Input &, const Descriptor &);

}  // namespace wattproof::importers
