// Whether the pages of a workspace file hold together. Opening checks what the file says it is; this reads all of
// it.
#pragma once

#include "store/result.h"
#include "store/sqlite/database.h"

#include <stop_token>
#include <string>
#include <vector>

namespace wattproof::store {

inline constexpr std::size_t kMostProblems = 20;

// What is wrong, at most kMostProblems things in SQLite's own words; none: the file is whole.
[[nodiscard]] Expected<std::vector<std::string>> checkPages(const sqlite::Database &, const std::stop_token &);

}  // namespace wattproof::store
