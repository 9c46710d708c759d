#include "store/schema/schema.h"

namespace wattproof::store::schema {
namespace {

// Only rows of complete sources that were not removed since.
std::string isPublished(const std::string &column, const std::string &counter) {
    return column + " <= (SELECT last_id FROM high_water WHERE name = '" + counter +
           "') AND NOT EXISTS (SELECT 1 FROM removed_range r WHERE r.name = '" + counter + "' AND " + column +
           " BETWEEN r.first_id AND r.last_id)";
}

// Numbers stay numbers, whatever else a source calls its processes stays text.
std::string numberIfNumber(const std::string &column) {
    return "CASE WHEN CAST(CAST(" + column + " AS INTEGER) AS TEXT) = " + column + " THEN CAST(" + column +
           " AS INTEGER) ELSE " + column + " END";
}

// Joins the device that `column` means, through the aliases the user or the alignment gave it.
std::string joinDevice(const std::string &column) {
    return " LEFT JOIN device o ON o.id = " + column +
           " LEFT JOIN device_alias x ON x.source_id = o.source_id AND x.native_id = o.native_id"
           " LEFT JOIN device d ON d.id = coalesce(x.device_id, o.id)";
}

const char *const kIsComplete = "source_id IN (SELECT source_id FROM alignment)";

std::string sources() {
    return "CREATE VIEW sources AS SELECT s.id AS id, s.kind AS kind, s.path AS path, s.format AS format, "
           "s.size_bytes AS size_bytes, s.sha256 AS sha256, s.imported_at AS imported_at, "
           "s.tool_version AS tool_version, s.clock AS clock, a.offset_ns AS offset_ns, a.drift_ppb AS drift_ppb "
           "FROM source s JOIN alignment a ON a.source_id = s.id";
}

std::string tracks() {
    return "CREATE VIEW tracks AS SELECT t.id AS id, t.source_id AS source_id, t.kind AS kind, t.name AS name, "
           "t.process_id AS process_id, t.thread_id AS thread_id, t.parent_id AS parent_id, d.name AS device, "
           "t.stream AS stream FROM track t JOIN alignment a ON a.source_id = t.source_id" +
           joinDevice("t.device_id");
}

// Both conditions on the track, so that a look-up by slice goes by the slice's id and one by track by the track's
// range.
std::string slices() {
    return "CREATE VIEW slices AS SELECT s.id AS id, t.id AS track_id, " + workspaceTime("s.ts") + " AS ts, " +
           workspaceDuration("s.ts", "s.dur") +
           " AS dur, s.depth AS depth, s.lane AS lane, s.parent_id AS parent_id, n.text AS name, c.text AS "
           "category, " +
           wordCase("s.flags & 3", {"ok", "unfinished", "unmatched_end"}) + " AS state, " +
           wordCase("s.flags >> 2", {"slice", "instant"}) +
           " AS kind FROM track t JOIN slice s ON s.track_id = t.id AND s.id BETWEEN t.first_id AND t.last_id "
           "JOIN alignment a ON a.source_id = t.source_id "
           "LEFT JOIN string n ON n.id = s.name_id LEFT JOIN string c ON c.id = s.category_id";
}

// `fullkey` of a value is $[3], $[3].name or $[3][0]: the top-level index leads to the key, the rest is appended.
// CROSS: the values are walked once and each finds its key; the other way round they would be walked once a key.
std::string args() {
    return "CREATE VIEW args AS SELECT s.id AS slice_id, "
           "k.key || replace(substr(v.fullkey, instr(v.fullkey, ']') + 1), '\"', '') AS key, v.type AS type, "
           "v.atom AS value FROM slice s JOIN arg_set g ON g.id = s.args_id JOIN json_tree(g.vals) v "
           "CROSS JOIN arg_key k ON k.shape_id = g.shape_id "
           "AND k.position = CAST(substr(v.fullkey, 3, instr(v.fullkey, ']') - 3) AS INTEGER) "
           "WHERE v.type NOT IN ('object', 'array') AND " +
           isPublished("s.id", "slice");
}

std::string counters() {
    return "CREATE VIEW counters AS SELECT c.id AS id, c.track_id AS track_id, c.source_id AS source_id, "
           "c.parent_id AS parent_id, c.name AS name, d.name AS device, c.domain AS domain, c.quantity AS "
           "quantity, "
           "c.unit AS unit, c.kind AS kind, c.sensor AS sensor FROM counter c "
           "JOIN alignment a ON a.source_id = c.source_id" +
           joinDevice("c.device_id");
}

std::string samples() {
    return "CREATE VIEW samples AS SELECT c.id AS counter_id, " + workspaceTime("s.ts") +
           " AS ts, s.value AS value FROM counter c JOIN alignment a ON a.source_id = c.source_id "
           "JOIN sample s ON s.id BETWEEN c.first_id AND c.last_id";
}

std::string gpuKernels() {
    return "CREATE VIEW gpu_kernels AS SELECT g.slice_id AS slice_id, " +
           wordCase("g.activity", {"kernel", "memcpy", "memset"}) +
           " AS activity, d.id AS device_id, d.name AS device, g.stream AS stream, g.correlation AS correlation, "
           "k.op_class AS op_class, k.precision AS precision, " +
           wordCase("g.copy_kind", {nullptr, "HtoD", "DtoH", "DtoD", "PtoP", "HtoH", "other"}) +
           " AS copy_kind, g.grid AS grid, g.block AS block, g.occupancy AS occupancy, g.bytes AS bytes, "
           "g.flops AS flops, g.launch_id AS launch_slice_id FROM gpu_op g JOIN slice s ON s.id = g.slice_id "
           "LEFT JOIN name_class k ON k.name_id = s.name_id" +
           joinDevice("g.device_id") + " WHERE " + isPublished("g.slice_id", "slice");
}

std::string threadStates() {
    return "CREATE VIEW thread_states AS SELECT s.id AS id, t.source_id AS source_id, s.thread_id AS thread_id, " +
           workspaceTime("s.ts") + " AS ts, " + workspaceDuration("s.ts", "s.dur") + " AS dur, " +
           wordCase("s.state", {"running", "runnable", "sleeping", "blocked_io", "unknown"}) +
           " AS state, s.cpu AS cpu FROM thread_state s JOIN thread t ON t.id = s.thread_id "
           "JOIN alignment a ON a.source_id = t.source_id";
}

std::string requests() {
    return "CREATE VIEW requests AS SELECT r.id AS id, r.source_id AS source_id, r.name AS name, " +
           workspaceTime("r.ts") + " AS ts, " + workspaceDuration("r.ts", "r.dur") +
           " AS dur, r.units AS units, r.ok AS ok, r.attributes AS attributes FROM request r "
           "JOIN alignment a ON a.source_id = r.source_id";
}

std::string annotations() {
    return "CREATE VIEW annotations AS SELECT n.id AS id, CASE WHEN a.source_id IS NULL THEN n.ts ELSE " +
           workspaceTime("n.ts") + " END AS ts, CASE WHEN a.source_id IS NULL THEN n.dur ELSE " +
           workspaceDuration("n.ts", "n.dur") +
           " END AS dur, n.track_id AS track_id, n.text AS text, n.author AS author, n.created_at AS created_at, "
           "(SELECT f.id FROM finding f WHERE f.key = n.finding_key) AS finding_id FROM annotation n "
           "LEFT JOIN track t ON t.id = n.track_id LEFT JOIN alignment a ON a.source_id = t.source_id";
}

std::string plain(const std::string &view, const std::string &columns, const std::string &from) {
    return "CREATE VIEW " + view + " AS SELECT " + columns + " FROM " + from;
}

}  // namespace

std::string workspaceTime(const std::string &t) {
    return "(" + t + " + a.base_ns + a.offset_ns + ((" + t + " - a.anchor_ns) / 1000000000) * a.drift_ppb + (((" +
           t + " - a.anchor_ns) % 1000000000) * a.drift_ppb) / 1000000000)";
}

std::string workspaceDuration(const std::string &t, const std::string &duration) {
    const std::string end = "(" + t + " + " + duration + ")";
    return "CASE a.drift_ppb WHEN 0 THEN " + duration + " ELSE " + workspaceTime(end) + " - " + workspaceTime(t) +
           " END";
}

std::string wordCase(const std::string &column, const std::vector<const char *> &words) {
    std::string sql = "CASE " + column;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string text = words[i] == nullptr ? "NULL" : "'" + std::string(words[i]) + "'";
        sql += " WHEN " + std::to_string(i) + " THEN " + text;
    }
    return sql + " END";
}

const std::vector<std::string> &viewNames() {
    static const std::vector<std::string> names = {
        "sources", "devices",     "metadata",      "warnings", "processes", "threads",     "tracks",
        "slices",  "args",        "thread_states", "flows",    "counters",  "samples",     "requests",
        "quality", "gpu_kernels", "device_states", "energy",   "clamps",    "annotations", "findings"};
    return names;
}

const std::vector<std::string> &views() {
    static const std::vector<std::string> statements = {
        sources(),
        plain("devices", "id, source_id, host, kind, name, uuid, pci, parent_id",
              "device WHERE " + std::string(kIsComplete)),
        plain("metadata", "source_id, key, value",
              "metadata_value WHERE source_id IS NULL OR " + std::string(kIsComplete)),
        plain("warnings", "source_id, kind, count, first_position, message",
              "warning WHERE " + std::string(kIsComplete)),
        plain("processes", "id, source_id, " + numberIfNumber("pid") + " AS pid, name, labels, sort_index",
              "process WHERE " + std::string(kIsComplete)),
        plain("threads", "id, source_id, process_id, " + numberIfNumber("tid") + " AS tid, name, sort_index",
              "thread WHERE " + std::string(kIsComplete)),
        tracks(),
        slices(),
        args(),
        threadStates(),
        "CREATE VIEW flows AS SELECT f.id AS id, f.from_id AS from_slice, f.to_id AS to_slice, n.text AS name, "
        "c.text AS category FROM flow f LEFT JOIN string n ON n.id = f.name_id "
        "LEFT JOIN string c ON c.id = f.category_id WHERE " +
            isPublished("f.id", "flow"),
        counters(),
        samples(),
        requests(),
        plain("quality", "source_id, metric, slice, value, threshold, higher_is_better",
              "quality_value WHERE " + std::string(kIsComplete)),
        gpuKernels(),
        plain("device_states", "device_id, ts, dur, state, cause", "device_state"),
        plain("energy", "path, slice_id, device_id, domain, ts, dur, j, j_low, j_high", "energy_part"),
        plain("clamps", "device_id, ts, dur, class, reason, lost_clock", "clamp"),
        annotations(),
        plain(
            "findings",
            "id, rank, rule, bottleneck_class, title, recoverable_j_low, recoverable_j_high, gain_low, gain_high, "
            "confidence, json",
            "finding"),
    };
    return statements;
}

}  // namespace wattproof::store::schema
