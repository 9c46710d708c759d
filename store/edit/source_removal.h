// Taking a source out of a workspace, or putting one that was read anew in its place. What the views show changes
// in the caller's one transaction; the rows are deleted afterwards, in steps.
#pragma once

#include "store/result.h"
#include "store/rows.h"
#include "store/sqlite/database.h"

namespace wattproof::store {

// `next`: the complete source that takes the place of `old`; none: nothing does. Devices that other sources mean
// are handed over to them, notes keep their anchors and find their tracks again in `next`, alignment and aliases
// that the user gave go over to it, the undo log speaks of `next` or forgets what concerned `old` alone, and the
// results of the analysis go.
[[nodiscard]] Status withdraw(const sqlite::Database &, SourceId old, SourceId next);

// To be called for a source that was added: notes that once lost its tracks find them again.
[[nodiscard]] Status welcome(const sqlite::Database &, SourceId next);

// Deletes at most `rows` rows of withdrawn sources and says how many: 0 when nothing is left.
[[nodiscard]] Expected<std::int64_t> sweep(const sqlite::Database &, std::int64_t rows);
// About how many rows are still to be deleted.
[[nodiscard]] Expected<std::int64_t> rowsToSweep(const sqlite::Database &);

}  // namespace wattproof::store
