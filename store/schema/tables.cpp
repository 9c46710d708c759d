#include "store/schema/schema.h"

namespace wattproof::store::schema {

namespace {

std::vector<std::string> importedTables() {
    return {
        "CREATE TABLE source(id INTEGER PRIMARY KEY, kind TEXT NOT NULL, path TEXT, format TEXT, size_bytes "
        "INTEGER, "
        "sha256 TEXT, imported_at TEXT, tool_version TEXT, clock TEXT, zone TEXT, stated_base INTEGER, "
        "simulated INTEGER)",
        "CREATE TABLE alignment(source_id INTEGER PRIMARY KEY, base_ns INTEGER NOT NULL, offset_ns INTEGER NOT "
        "NULL, "
        "drift_ppb INTEGER NOT NULL, anchor_ns INTEGER NOT NULL, method TEXT, confidence REAL, "
        "uncertainty_ns INTEGER, note TEXT)",
        "CREATE TABLE high_water(name TEXT PRIMARY KEY, last_id INTEGER NOT NULL) WITHOUT ROWID",
        // The ids that belong to each complete source, and those of sources that were removed and whose rows are
        // still to be deleted; by the names of high_water.
        "CREATE TABLE source_range(source_id INTEGER, name TEXT, first_id INTEGER NOT NULL, last_id INTEGER NOT "
        "NULL, PRIMARY KEY(source_id, name)) WITHOUT ROWID",
        "CREATE TABLE removed_range(name TEXT, first_id INTEGER, last_id INTEGER NOT NULL, PRIMARY KEY(name, "
        "first_id)) WITHOUT ROWID",
        "CREATE TABLE metadata_value(id INTEGER PRIMARY KEY, source_id INTEGER, key TEXT, value TEXT)",
        "CREATE TABLE warning(id INTEGER PRIMARY KEY, source_id INTEGER, kind TEXT, count INTEGER, "
        "first_position TEXT, message TEXT)",
        "CREATE TABLE device(id INTEGER PRIMARY KEY, source_id INTEGER, host TEXT, kind TEXT, name TEXT, model "
        "TEXT, "
        "uuid TEXT, pci TEXT, native_id TEXT, parent_id INTEGER)",
        "CREATE TABLE device_alias(source_id INTEGER, native_id TEXT, device_id INTEGER NOT NULL, "
        "PRIMARY KEY(source_id, native_id)) WITHOUT ROWID",
        "CREATE TABLE process(id INTEGER PRIMARY KEY, source_id INTEGER, pid TEXT, name TEXT, labels TEXT, "
        "sort_index INTEGER)",
        "CREATE TABLE thread(id INTEGER PRIMARY KEY, source_id INTEGER, process_id INTEGER, tid TEXT, name TEXT, "
        "sort_index INTEGER)",
        "CREATE TABLE track(id INTEGER PRIMARY KEY, source_id INTEGER, kind TEXT, name TEXT, process_id INTEGER, "
        "thread_id INTEGER, parent_id INTEGER, device_id INTEGER, stream TEXT, first_id INTEGER, last_id INTEGER, "
        "row_count INTEGER, min_ts INTEGER, max_end INTEGER)",
        "CREATE TABLE counter(id INTEGER PRIMARY KEY, track_id INTEGER, source_id INTEGER, parent_id INTEGER, "
        "name TEXT, device_id INTEGER, domain TEXT, quantity TEXT, unit TEXT, kind TEXT, sensor TEXT, "
        "flag_table TEXT, modulus INTEGER, first_id INTEGER, last_id INTEGER, min_ts INTEGER, max_ts INTEGER, "
        "min_value REAL, max_value REAL, period INTEGER)",
        "CREATE TABLE string(id INTEGER PRIMARY KEY, text TEXT NOT NULL)",
        "CREATE TABLE name_class(name_id INTEGER PRIMARY KEY, op_class TEXT, precision TEXT)",
        // Keys of argument sets are shared: one row a key and shape. `vals` is a JSON array of the top-level
        // values.
        "CREATE TABLE arg_key(shape_id INTEGER, position INTEGER, key TEXT, PRIMARY KEY(shape_id, position)) "
        "WITHOUT ROWID",
        "CREATE TABLE arg_set(id INTEGER PRIMARY KEY, shape_id INTEGER NOT NULL, vals TEXT NOT NULL)",
        // flags: state + 4 * kind
        "CREATE TABLE slice(id INTEGER PRIMARY KEY, track_id INTEGER, ts INTEGER, dur INTEGER, depth INTEGER, "
        "lane INTEGER, row INTEGER, parent_id INTEGER, name_id INTEGER, category_id INTEGER, flags INTEGER, "
        "args_id INTEGER)",
        "CREATE TABLE gpu_op(slice_id INTEGER PRIMARY KEY, activity INTEGER, device_id INTEGER, stream TEXT, "
        "correlation INTEGER, grid TEXT, block TEXT, occupancy REAL, bytes INTEGER, flops REAL, copy_kind "
        "INTEGER, "
        "launch_id INTEGER)",
        "CREATE TABLE flow(id INTEGER PRIMARY KEY, from_id INTEGER, to_id INTEGER, name_id INTEGER, "
        "category_id INTEGER)",
        "CREATE TABLE sample(id INTEGER PRIMARY KEY, ts INTEGER, value REAL)",
        "CREATE TABLE thread_state(id INTEGER PRIMARY KEY, thread_id INTEGER, ts INTEGER, dur INTEGER, "
        "state INTEGER, cpu INTEGER)",
        "CREATE TABLE request(id INTEGER PRIMARY KEY, source_id INTEGER, name TEXT, ts INTEGER, dur INTEGER, "
        "units REAL, ok INTEGER, attributes TEXT)",
        "CREATE TABLE quality_value(id INTEGER PRIMARY KEY, source_id INTEGER, metric TEXT, slice TEXT, value "
        "REAL, "
        "threshold REAL, higher_is_better INTEGER)",
        // Columns of the slices from this id on, packed (store/tiles/slice_columns.h): what is read in bulk.
        "CREATE TABLE slice_block(id INTEGER PRIMARY KEY, data BLOB NOT NULL)",
        // Level-of-detail tiles (store/tiles): a directory each track or counter, and packed entries.
        "CREATE TABLE track_blocks(track_id INTEGER PRIMARY KEY, data BLOB NOT NULL)",
        "CREATE TABLE tile_level(id INTEGER PRIMARY KEY, owner_id INTEGER, owner_kind INTEGER, bucket INTEGER, "
        "first_tile INTEGER, directory BLOB NOT NULL)",
        "CREATE TABLE tile(id INTEGER PRIMARY KEY, data BLOB NOT NULL)",
    };
}

// What the analysis writes is workspace time.
std::vector<std::string> tablesOfTheProgramAndTheUser() {
    return {
        "CREATE TABLE device_state(id INTEGER PRIMARY KEY, device_id INTEGER, ts INTEGER, dur INTEGER, state "
        "TEXT, "
        "cause TEXT)",
        "CREATE TABLE energy_part(id INTEGER PRIMARY KEY, path TEXT, slice_id INTEGER, device_id INTEGER, "
        "domain TEXT, ts INTEGER, dur INTEGER, j REAL, j_low REAL, j_high REAL)",
        "CREATE TABLE clamp(id INTEGER PRIMARY KEY, device_id INTEGER, ts INTEGER, dur INTEGER, class TEXT, "
        "reason TEXT, lost_clock REAL)",
        "CREATE TABLE finding(id INTEGER PRIMARY KEY, rank INTEGER, key TEXT, rule TEXT, bottleneck_class TEXT, "
        "title TEXT, recoverable_j_low REAL, recoverable_j_high REAL, gain_low REAL, gain_high REAL, "
        "confidence TEXT, json TEXT)",
        // ts of an annotation is source time where it has a track, else workspace time. One that lost its track keeps
        // its anchor, and in anchor_ts the stated time at which it stood.
        "CREATE TABLE annotation(id INTEGER PRIMARY KEY, ts INTEGER, dur INTEGER, track_id INTEGER, text TEXT, "
        "author TEXT, created_at TEXT, finding_key TEXT, anchor_sha256 TEXT, anchor_path TEXT, "
        "anchor_ts INTEGER)",
        "CREATE TABLE decision(finding_key TEXT PRIMARY KEY, owner TEXT, rollback TEXT, status TEXT, reason TEXT) "
        "WITHOUT ROWID",
        "CREATE TABLE document(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID",
        "CREATE TABLE edit_log(id INTEGER PRIMARY KEY, undone INTEGER NOT NULL, phrase TEXT, forward TEXT, "
        "inverse TEXT)",
        // A bulk load fills these with the rows.
        "CREATE INDEX gpu_op_launch ON gpu_op(launch_id) WHERE launch_id IS NOT NULL",
        "CREATE INDEX flow_from ON flow(from_id)",
        "CREATE INDEX flow_to ON flow(to_id)",
    };
}

}  // namespace

const std::vector<std::string> &tables() {
    static const std::vector<std::string> statements = [] {
        std::vector<std::string> all = importedTables();
        const std::vector<std::string> later = tablesOfTheProgramAndTheUser();
        all.insert(all.end(), later.begin(), later.end());
        return all;
    }();
    return statements;
}

const std::vector<std::string> &indexes() {
    static const std::vector<std::string> statements = {
        "CREATE INDEX tile_level_owner ON tile_level(owner_id, owner_kind)",
        "CREATE INDEX energy_part_slice ON energy_part(slice_id) WHERE slice_id IS NOT NULL",
    };
    return statements;
}

const std::vector<NumberedTable> &numberedTables() {
    static const std::vector<NumberedTable> list = {
        {"source", "id", "source"},
        {"metadata_value", "id", "metadata_value"},
        {"warning", "id", "warning"},
        {"device", "id", "device"},
        {"process", "id", "process"},
        {"thread", "id", "thread"},
        {"track", "id", "track"},
        {"counter", "id", "counter"},
        {"string", "id", "string"},
        {"name_class", "name_id", "string"},
        {"arg_key", "shape_id", "arg_shape"},
        {"arg_set", "id", "arg_set"},
        {"slice", "id", "slice"},
        {"slice_block", "id", "slice"},
        {"gpu_op", "slice_id", "slice"},
        {"flow", "id", "flow"},
        {"sample", "id", "sample"},
        {"thread_state", "id", "thread_state"},
        {"request", "id", "request"},
        {"quality_value", "id", "quality_value"},
        {"track_blocks", "track_id", "track"},
        {"tile_level", "id", "tile_level"},
        {"tile", "id", "tile"},
    };
    return list;
}

}  // namespace wattproof::store::schema
