// Text for terminals: aligned tables and a progress line.
#pragma once

#include <string>
#include <vector>

#include "store/task.h"

namespace wattproof::app {

// Columns padded to their widest cell; numbers right-aligned when `rightAligned[i]`. Wide (UTF-8) text counts by code point.
[[nodiscard]] std::string textTable(const std::vector<std::string> &columns, const std::vector<std::vector<std::string>> &rows,
                                    const std::vector<bool> &rightAligned = {});
[[nodiscard]] std::string csvLine(const std::vector<std::string> &cells);

// A line on standard error, rewritten in place; nothing when standard error is not a terminal.
[[nodiscard]] ProgressFn terminalProgress();
void endProgress();

}  // namespace wattproof::app
