// Requests or figures in a table with a header.
#pragma once

#include "importers/requests/log_run.h"

#include <span>
#include <string>
#include <vector>

namespace wattproof::importers::requests {

// Which of the first rows is the header that rules describe; none when no row is.
[[nodiscard]] std::optional<std::size_t> headerRow(const LogRules &,
                                                   const std::vector<std::vector<std::string>> &rows);

[[nodiscard]] Status readTable(LogRun &);

}  // namespace wattproof::importers::requests
