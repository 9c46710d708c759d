#include "analysis/findings/evidence_sql.h"

#include <cstdio>

namespace wattproof::analysis::sql {
namespace {

constexpr const char *kCompute =
    "g.activity <> 'memcpy' AND (g.activity = 'memset' OR COALESCE(g.op_class, '') NOT IN ('copy', "
    "'communication'))";
constexpr const char *kCommunication = "g.activity = 'kernel' AND g.op_class = 'communication'";
constexpr const char *kCopy = "(g.activity = 'memcpy' OR (g.activity = 'kernel' AND g.op_class = 'copy'))";
constexpr const char *kOperations =
    "SELECT s.ts AS b, s.ts + s.dur AS e FROM gpu_kernels g JOIN slices s ON s.id = g.slice_id WHERE s.dur > 0 "
    "AND "
    "g.device_id IN (";

std::string text(Ns value) {
    return std::to_string(value);
}

template <class Item, class Print>
std::string joined(const std::vector<Item> &items, Print print) {
    std::string list;
    for (const Item &item : items)
        list += (list.empty() ? "" : ", ") + print(item);
    return list;
}

std::string quotedList(const std::vector<std::string> &items) {
    return joined(items, quoted);
}

template <class TypedId>
std::string idList(const std::vector<TypedId> &ids) {
    return joined(ids, [](TypedId id) { return std::to_string(id.value); });
}

// Slices that touch the range; operations inside a device's own span do so whole.
std::string touching(TimeRange range, const std::string &begin, const std::string &duration) {
    return begin + " <= " + text(range.end) + " AND " + begin + " + " + duration + " >= " + text(range.begin);
}

}  // namespace

std::string operationRows(const std::vector<DeviceId> &devices, TimeRange range, Work work) {
    std::string rows = kOperations + idList(devices) + ") AND " + touching(range, "s.ts", "s.dur");
    if (work == Work::Compute)
        rows += std::string(" AND ") + kCompute;
    if (work == Work::Communication)
        rows += std::string(" AND ") + kCommunication;
    if (work == Work::Copy)
        rows += std::string(" AND ") + kCopy;
    return rows;
}

std::string operationCount(const std::vector<DeviceId> &devices, TimeRange range, Ns shorterThan) {
    return "SELECT COUNT(*) FROM (" + operationRows(devices, range) + ") WHERE e - b < " + text(shorterThan);
}

std::string idleRows(DeviceId device, TimeRange range, const std::vector<std::string> &causes) {
    return "SELECT ts AS b, ts + dur AS e FROM device_states WHERE device_id = " + std::to_string(device.value) +
           " AND state = 'idle' AND cause IN (" + quotedList(causes) + ") AND " + touching(range, "ts", "dur");
}

std::string callRows(const std::vector<std::string> &names, TimeRange range) {
    return "SELECT ts AS b, ts + dur AS e FROM slices WHERE name IN (" + quotedList(names) +
           ") AND COALESCE(category, '') NOT IN ('cpu_op', 'python_function', 'user_annotation') AND " +
           touching(range, "ts", "dur");
}

std::string sliceRows(const std::vector<SliceId> &ids) {
    return "SELECT ts AS b, ts + dur AS e FROM slices WHERE id IN (" + idList(ids) + ")";
}

std::string both(const std::string &rows, const std::string &moreRows) {
    return rows + " UNION ALL " + moreRows;
}

std::string inside(const std::string &rows, TimeRange range) {
    return "SELECT MAX(b, " + text(range.begin) + ") AS b, MIN(e, " + text(range.end) + ") AS e FROM (" + rows +
           ") WHERE e > " + text(range.begin) + " AND b < " + text(range.end);
}

std::string atLeast(const std::string &rows, Ns shortest) {
    return "SELECT b, e FROM (" + rows + ") WHERE e - b >= " + text(shortest);
}

std::string unionMs(const std::string &rows) {
    return "SELECT COALESCE(SUM(MAX(0, e - MAX(b, COALESCE(p, b)))), 0) / 1e6 FROM (SELECT b, e, MAX(e) OVER "
           "(ORDER BY b, "
           "e ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS p FROM (" +
           rows + "))";
}

std::string sumMs(const std::string &rows) {
    return "SELECT COALESCE(SUM(e - b), 0) / 1e6 FROM (" + rows + ")";
}

std::string count(const std::string &rows) {
    return "SELECT COUNT(*) FROM (" + rows + ")";
}

std::string longestMs(const std::string &rows) {
    return "SELECT COALESCE(MAX(e - b), 0) / 1e6 FROM (" + rows + ")";
}

std::string pauseRows(const std::string &operations) {
    return "SELECT p AS b, b AS e FROM (SELECT b, e, MAX(e) OVER (ORDER BY b, e ROWS BETWEEN UNBOUNDED PRECEDING "
           "AND 1 "
           "PRECEDING) AS p FROM (" +
           operations + ")) WHERE b > p";
}

std::string pausesBegunInside(const std::string &pauses, const std::string &calls) {
    return "SELECT b, e FROM (SELECT b, e, kind, MAX(CASE WHEN kind = 1 THEN e END) OVER (ORDER BY b, kind ROWS "
           "BETWEEN "
           "UNBOUNDED PRECEDING AND CURRENT ROW) AS waited FROM (SELECT b, e, 0 AS kind FROM (" +
           pauses + ") UNION ALL SELECT b, e, 1 FROM (" + calls + "))) WHERE kind = 0 AND waited >= b";
}

std::string minus(const std::string &a, const std::string &b) {
    return "SELECT (" + a + ") - (" + b + ")";
}

std::string minus(double a, const std::string &b) {
    return "SELECT " + literal(a) + " - (" + b + ")";
}

std::string compare(const std::string &a, const char *relation, const std::string &b) {
    return "SELECT (" + a + ") " + relation + " (" + b + ")";
}

std::string compare(const std::string &a, const char *relation, double b) {
    return "SELECT (" + a + ") " + relation + " " + literal(b);
}

std::string literal(double value) {
    char digits[40];
    std::snprintf(digits, sizeof digits, "%.17g", value);
    const std::string number = digits;
    return number.find_first_of(".e") == std::string::npos ? number + ".0" : number;
}

std::string quoted(const std::string &value) {
    std::string out = "'";
    for (const char c : value)
        out += c == '\'' ? "''" : std::string(1, c);
    return out + "'";
}

}  // namespace wattproof::analysis::sql
