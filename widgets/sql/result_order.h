// Rows of a query's answer in the order of one column, as SQLite would sort them. For a thread other than the
// interface's: an answer may have millions of rows.
#pragma once

#include "store/reader.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace wattproof::widgets {

using ResultPtr = std::shared_ptr<const store::QueryResult>;
using RowOrder = std::shared_ptr<const std::vector<std::uint32_t>>;  // null: as they came

// NULL before numbers before text before blobs; equal cells stay as they came. None: it was stopped.
[[nodiscard]] std::optional<std::vector<std::uint32_t>> orderBy(const store::QueryResult &, std::size_t column,
                                                               bool descending, const std::stop_token & = {});

// A cell as a number, where it is one.
[[nodiscard]] std::optional<double> numberAt(const store::QueryResult &, std::size_t row, std::size_t column);

[[nodiscard]] inline std::size_t rowAt(const RowOrder &order, std::size_t row) {
    return order ? (*order)[row] : row;
}

}  // namespace wattproof::widgets
