// Devices that several sources mean: whose they become when the source that described them goes.
#pragma once

#include "store/result.h"
#include "store/sqlite/database.h"
#include "store/workspace.h"

#include <vector>

namespace wattproof::store {

// The devices of `source` that others mean as well.
[[nodiscard]] Expected<std::vector<SharedDevice>> sharedDevices(const sqlite::Database &, SourceId source);

// Gives those to their heirs and deletes the source's other devices, with what named them.
[[nodiscard]] Status handOverDevices(const sqlite::Database &, SourceId source);

}  // namespace wattproof::store
