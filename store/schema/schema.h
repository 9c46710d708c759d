// The physical tables and the public views, as SQL. docs/workspace.md describes the views; the tables are free to
// change together with kSchemaVersion.
//
// How rows are laid out. Slices lie in the order of their ids: track by track, by time within a track; a track
// knows its first and last id, so a track or a time range is a range of ids and needs no index. The same holds for
// samples and counters. All times are source time; `alignment` holds each source's map to workspace time and
// exists only for sources that are complete: every view joins it, so an unfinished source is invisible.
// `high_water` holds the last id of each table that belongs to a complete source: what is above was left behind by
// an interrupted import. The ids of one source are consecutive in every table (`source_range`), so that it can be
// taken out again: its alignment goes at once, its ranges wait in `removed_range` until their rows are deleted.
#pragma once

#include "store/result.h"
#include "store/sqlite/database.h"

#include <memory>
#include <string>
#include <vector>

namespace wattproof::store::schema {

// Every data table whose rows are numbered by the importer, with the column that carries the number.
struct NumberedTable {
    const char *name;
    const char *idColumn;
    const char *counter;  // the row of high_water that bounds it
};
[[nodiscard]] const std::vector<NumberedTable> &numberedTables();

[[nodiscard]] const std::vector<std::string> &tables();   // and their large indexes
[[nodiscard]] const std::vector<std::string> &indexes();  // the others, made after a bulk load
[[nodiscard]] const std::vector<std::string> &views();
[[nodiscard]] const std::vector<std::string> &viewNames();

// Tables and views without those indexes, application id and version.
[[nodiscard]] Status create(const sqlite::Database &);
[[nodiscard]] Status createIndexes(const sqlite::Database &);

// Fails unless the file holds exactly our objects: no triggers, no views of others, nothing that is spelt
// differently.
[[nodiscard]] Status checkObjects(const sqlite::Database &);

// Removes what an interrupted import left behind, at most `rows` rows; true when nothing is left to remove.
[[nodiscard]] Expected<bool> removeLeftovers(const sqlite::Database &, std::int64_t rows);

// SQL for the workspace time of a source time; `a` is the alignment's alias. The same arithmetic as TimeMap.
[[nodiscard]] std::string workspaceTime(const std::string &sourceTime);
[[nodiscard]] std::string workspaceDuration(const std::string &sourceTime, const std::string &duration);

// A database in memory that has the public views as empty tables and nothing else: a query that can be prepared
// there reads nothing but them.
[[nodiscard]] Expected<std::unique_ptr<sqlite::Database>> viewsAlone();

// The definition of the view `gpu_kernels` and others translate stored numbers to words with this.
[[nodiscard]] std::string wordCase(const std::string &column, const std::vector<const char *> &words);

}  // namespace wattproof::store::schema
