// What tells which events belong together: the scopes of ids, as hashes. Ids are text: 12 and "12" are one.
#pragma once

#include "importers/chrome/event.h"

#include <cstdint>

namespace wattproof::importers::chrome {

// Category, name, `scope` and id; `id2.local` is one of a process, `id` and `id2.global` are the file's.
[[nodiscard]] std::uint64_t idKey(const Event &);
// Flows that slices bind to themselves (`bind_id`): one space for the whole file.
[[nodiscard]] std::uint64_t bindKey(const Event &);
// Objects are a process's own, by name and id; their category changes from event to event.
[[nodiscard]] std::uint64_t objectKey(const Event &);

}  // namespace wattproof::importers::chrome
