// nvidia-smi's query CSV without its header line (format=csv,noheader): only the order of the query tells the
// columns, but units and the look of some cells give several of them away.
#pragma once

#include <string>
#include <vector>

namespace wattproof::importers {

struct GuessedHeader {
    std::vector<std::string> names;  // header cells as nvidia-smi would print them; "column 3" where nothing tells
    std::vector<std::string> guessed;  // "power.draw = column 2", for the warning
    bool hasPower = false;             // else the log cannot be read without a descriptor
};

// Whether rows look like such a log: a date of nvidia-smi first, the same number of cells in each.
[[nodiscard]] bool looksHeaderless(const std::vector<std::vector<std::string>> &rows);
[[nodiscard]] GuessedHeader guessHeader(const std::vector<std::vector<std::string>> &rows);

}  // namespace wattproof::importers
