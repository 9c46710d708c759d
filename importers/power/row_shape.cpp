// Which lines of a log are rows of data, and which of their cells count.
#include "importers/power/power_run.h"

#include <algorithm>

namespace wattproof::importers {

// The last cell of some tables is free text, which may hold the delimiter.
void PowerRun::fitCells(TableRow &row) {
    const std::size_t cells = binding_->cells;
    if (!descriptor_->lastIsText || row.cells.size() <= cells)
        return;
    padded_.assign(row.cells.begin(), row.cells.begin() + static_cast<std::ptrdiff_t>(cells));
    const char *const begin = padded_.back().data();
    const std::string_view last = row.cells.back();
    padded_.back() = {begin, static_cast<std::size_t>(last.data() + last.size() - begin)};
    row.cells = padded_;
}

// A record of quantities that are not read.
bool PowerRun::saysNothing(const TableRow &row) const {
    const auto &columns = binding_->columns;
    return !source_->isTable() && std::none_of(columns.begin(), columns.end(), [&](const BoundColumn &column) {
        return row.cells[column.cell].data() != nullptr;
    });
}

bool PowerRun::isFiltered(const TableRow &row) {
    if (!binding_->onlyCell)
        return false;
    const std::string value = lowered(row.cells[*binding_->onlyCell]);
    const auto &wanted = descriptor_->onlyValues;
    const bool other = std::none_of(wanted.begin(), wanted.end(), [&](const std::string &pattern) {
        return matchName(pattern, value).has_value();
    });
    filtered_ += other ? 1 : 0;
    return other;
}

// Headers between rows and messages of the tool that wrote the log.
bool PowerRun::isOtherThanData(const TableRow &row) {
    if (isHeaderAgain(row) || row.marked)
        return true;  // a marked line that is no header holds the units
    const auto &ignore = descriptor_->ignore;
    if (ignore.empty() && row.cells.size() == binding_->cells)
        return false;
    const std::string text = lowered(row.text.substr(0, 300));
    if (std::any_of(ignore.begin(), ignore.end(),
                    [&](const std::string &start) { return text.starts_with(start); })) {
        if (notes_.size() < kMostNames)
            notes_ += (notes_.empty() ? "" : "\n") + validUtf8(row.text.substr(0, 300));
        if (descriptor_->columnBlocks)
            takeSensorRow(row);
        return true;
    }
    if (row.cells.size() == binding_->cells)
        return false;
    for (const std::string &phrase : descriptor_->lost) {
        if (text.find(phrase) == std::string::npos)
            continue;
        tally_.add("device_lost", row.line,
                   "the log says that a device was lost: \"" + validUtf8(row.text.substr(0, 120)) +
                       "\"; its curve ends there");
        return true;
    }
    return false;
}

bool PowerRun::isHeaderAgain(const TableRow &row) {
    const std::size_t at = binding_->timeCell.value_or(0);
    if (at >= row.cells.size())
        return false;
    const std::string_view cell = row.cells[at];
    if (cell.empty() || cell.front() == '-' || (cell.front() >= '0' && cell.front() <= '9'))
        return false;
    std::vector<std::string> names;
    for (const std::string_view text : row.cells)
        names.push_back(headerName(text));
    if (names == binding_->header) {
        tally_.add("repeated_header", row.line, "the header is repeated between rows; the repeats were skipped");
        return true;
    }
    if (!isHeader(*descriptor_, {row.cells.begin(), row.cells.end()}))
        return false;
    tally_.add("repeated_header", row.line,
               "the log was continued with another header; its columns were taken from there on");
    return bind({row.cells.begin(), row.cells.end()}, row.line).has_value();
}

bool PowerRun::hasWholeShape(const TableRow &row) {
    const std::size_t cells = row.cells.size();
    const bool shortened = descriptor_->shortRows && row.endsWithNewline && cells < binding_->cells && cells > 1;
    if (shortened || cells == binding_->cells || (cells == binding_->cells + 1 && row.cells.back().empty()))
        return true;
    if (!row.endsWithNewline && cells < binding_->cells)
        tally_.add("truncated_input", row.line, "the file ends within this row, which was left out");
    else
        tally_.add("malformed_row", row.line,
                   "lines that are no rows of the table (damaged, cut or of another shape) were skipped");
    return false;
}

// A last row without line end may be half a number: it is left out when its last cell is shorter than any before.
bool PowerRun::lastCellIsCut(const TableRow &row) {
    if (row.cells.size() < binding_->cells)
        return false;
    const std::size_t length = row.cells[binding_->cells - 1].size();
    if (!row.endsWithNewline && length < shortestLast_) {
        tally_.add("truncated_input", row.line, "the file ends within this row, which was left out");
        return true;
    }
    shortestLast_ = shortestLast_ == 0 ? length : std::min(shortestLast_, length);
    return false;
}

}  // namespace wattproof::importers
