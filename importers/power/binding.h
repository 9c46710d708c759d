// A descriptor applied to the header of one file: which cell is the time, the device, a value.
#pragma once

#include "importers/power/descriptor.h"
#include "importers/table/quantity_text.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wattproof::importers {

struct BoundColumn {
    std::size_t cell = 0;
    const ColumnRule *rule = nullptr;
    std::string name;      // of the counter, and the key of its metadata row
    std::string device;    // fixed one, with the column's digits in place of "#"
    std::string unit;      // of the counter
    std::string number;    // digits of a "#" name: the device
    UnitScale scale;       // of a bare number in this column
    bool unitInHeader = false;
    std::string cellUnit;  // unit last met in a cell, with its scale
    UnitScale cellScale;
    std::optional<std::size_t> rangeCell;  // where the counter wraps
    UnitScale rangeScale;
    std::optional<std::size_t> factorCell;  // multiplies the value
    UnitScale factorScale;
    std::optional<std::size_t> durationCell;
};

struct Binding {
    std::size_t cells = 0;  // in a whole row
    std::optional<std::size_t> timeCell, dateCell;  // no time: rows are a period apart
    std::string zone;                               // behind each time, where the header states one
    StampUnit numericUnit = StampUnit::Auto;
    std::optional<std::size_t> index, uuid, pci, model, host, name;
    std::optional<std::size_t> onlyCell;
    std::vector<std::size_t> partCells;
    bool partIsLine = false;  // each line is a reading of its own
    std::string nameHeader;  // header of the name cell: tells hosts from rails
    std::vector<BoundColumn> columns;
    std::vector<std::string> unread;        // header cells that nothing was made of
    std::vector<std::string> unknownUnits;  // of those, cells that would be read if their unit were one
    std::vector<std::string> repeated;      // names that more than one column has
    std::vector<std::string> header;  // as headerName() gives it: recognises repeats
};

// An error when a time or value column is missing: it lists the columns that are there.
[[nodiscard]] Expected<Binding> bindHeader(const Descriptor &, const std::vector<std::string_view> &header,
                                           const std::string &where);

}  // namespace wattproof::importers
