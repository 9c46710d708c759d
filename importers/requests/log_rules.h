// What the records of a request, latency or quality log mean. Rules are JSON files in resources/requests/ and in
// the user's configuration folder (same path: replaces; other path: adds), or one that is handed in with the
// import. docs/formats.md documents the keys.
#pragma once

#include "importers/name_pattern.h"
#include "importers/time/stamp.h"
#include "store/result.h"
#include "store/rows.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wattproof::importers::requests {

enum class Shape : std::uint8_t {
    Table,      // rows under a header
    List,       // objects of a list in a JSON document
    Object,     // single values of a JSON document
    Columns,    // lists of equal length in a JSON document, one value a request: vLLM's
    KeyValue,   // lines "key : value"
    MlLog,      // lines ":::MLLOG {json}"
    Equals,     // "key=value" and {"key": value} anywhere in a text
    Wrk,        // the report of wrk
    K6,         // the summary that k6 prints
    Prometheus  // text exposition
};

// What one column or member is of a request or a figure.
enum class Field : std::uint8_t {
    None,
    Id,
    Group,
    Start,
    End,
    Duration,
    FirstToken,
    Tokens,
    Status,
    Error,
    Attribute,
    Slice,
    Metric,
    Value,
    Threshold,
    Higher,
    Time,
    Figure,
    Only
};
inline constexpr std::size_t kFields = static_cast<std::size_t>(Field::Only) + 1;

// Names in lower case, the first that is there counts; a name's unit ("latency_ms", "Start (ns)") may be left out.
struct FieldRule {
    std::vector<std::string> names;
    std::string unit;  // where the name states none
};

// A column of a table over time, which becomes a counter.
struct SeriesRule {
    std::vector<NamePattern> names;
    std::string quantity, unit;
    CounterKind kind = CounterKind::Gauge;
};

struct LogRules {
    std::string format, title, file;
    Shape shape = Shape::Table;
    SourceKind kind = SourceKind::Requests;
    double confidence = 0.5;
    std::vector<NamePattern> allOf, anyOf, noneOf;  // of header names, JSON paths, or text of the first bytes
    std::vector<std::string> lists;                 // paths of the list of records: "[]", "requests[]"
    std::array<FieldRule, kFields> fields;
    std::vector<NamePattern> attributes;  // further members that are kept with each request
    std::vector<std::string> onlyValues;  // of Field::Only: other rows are of another kind, and are counted
    std::vector<NamePattern> skipValues;  // of Field::Only: such rows are of another kind
    std::vector<NamePattern> figures;     // columns, or paths of values, that are figures
    std::vector<NamePattern> metadata;    // of those, what is kept as metadata all the same
    std::vector<NamePattern> unread;      // counted, but not shown
    std::vector<SeriesRule> series;
    std::string metricName;               // of figures that have no name in the file
    std::optional<bool> moreIsBetter;     // of all figures, where names do not tell
    std::vector<NamePattern> more, less;  // paths or names of figures of which more, or less, is better
    std::string strip;                    // end of a metric's name that says nothing: ",none"
    std::string higherPath;               // object that says of metrics whether more is better
    std::string windowBegin, windowEnd, windowDuration;  // paths of when the run was

    [[nodiscard]] const FieldRule &field(Field f) const { return fields[static_cast<std::size_t>(f)]; }
    [[nodiscard]] bool has(Field f) const { return !field(f).names.empty(); }
    // Whether its records are requests, rather than figures.
    [[nodiscard]] bool holdsRequests() const { return has(Field::Duration) || has(Field::End); }
};

[[nodiscard]] bool anyMatches(const std::vector<NamePattern> &, std::string_view text);

// Whether a file is of the rules' format, by what tells of a pattern whether the file has it.
template <class IsThere>
[[nodiscard]] bool fitsPatterns(const LogRules &rules, const IsThere &isThere) {
    return std::all_of(rules.allOf.begin(), rules.allOf.end(), isThere) &&
           (rules.anyOf.empty() || std::any_of(rules.anyOf.begin(), rules.anyOf.end(), isThere)) &&
           std::none_of(rules.noneOf.begin(), rules.noneOf.end(), isThere);
}

[[nodiscard]] Expected<LogRules> parseLogRules(std::string_view json, const std::string &file);

// Everything in resources/requests/, with the user's files. An error names the file at fault.
[[nodiscard]] Expected<std::vector<LogRules>> loadLogRules();

// A name as rules compare it, and the unit that it states.
struct FieldName {
    std::string whole;  // lower case
    std::string bare;   // without the unit
    std::string unit;   // "s", "ms", "us", "ns"; empty: none
};
[[nodiscard]] FieldName fieldName(std::string_view header);

// What a column or member is by the rules.
struct BoundField {
    Field field = Field::None;
    std::string unit;      // of times: "" where neither name nor rules say it
    std::size_t rank = 0;  // of several that are the same, the lowest counts
    [[nodiscard]] bool isFigure() const { return field == Field::Figure || field == Field::Value; }
};
[[nodiscard]] BoundField bindField(const LogRules &, std::string_view header);

}  // namespace wattproof::importers::requests
