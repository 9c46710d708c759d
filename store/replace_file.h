// Putting a finished workspace file in the place of whatever was there.
#pragma once

#include "store/result.h"
#include "store/sqlite/database.h"

#include <string>

namespace wattproof::store {

// Where a file is built before it is moved to `target`.
[[nodiscard]] std::string buildingPath(const std::string &target);
// Fails when the folder is missing or closed to us, or when the target is open somewhere.
[[nodiscard]] Status checkTarget(const std::string &target);
// Removes what processes that are gone left behind of the same target.
void removeStale(const std::string &target);
// Writes `from` through to the disk and renames it.
[[nodiscard]] Status moveIntoPlace(const std::string &from, const std::string &target);
// A copy of the whole database at `target`, complete or not at all.
[[nodiscard]] Status copyInto(const sqlite::Database &, const std::string &target);

}  // namespace wattproof::store
