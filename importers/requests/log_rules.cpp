#include "importers/requests/log_rules.h"

#include "importers/power/json_fields.h"
#include "importers/table/quantity_text.h"
#include "importers/table/table_reader.h"
#include "resources/embedded.h"

#include <algorithm>
#include <utility>

namespace wattproof::importers::requests {
namespace {

template <class T>
using Word = std::pair<const char *, T>;

constexpr Word<Shape> kShapes[] = {{"table", Shape::Table},
                                   {"list", Shape::List},
                                   {"object", Shape::Object},
                                   {"columns", Shape::Columns},
                                   {"key_value", Shape::KeyValue},
                                   {"mllog", Shape::MlLog},
                                   {"equals", Shape::Equals},
                                   {"wrk", Shape::Wrk},
                                   {"k6", Shape::K6},
                                   {"prometheus", Shape::Prometheus}};

constexpr Word<Field> kFieldWords[] = {{"id", Field::Id},
                                       {"group", Field::Group},
                                       {"start", Field::Start},
                                       {"end", Field::End},
                                       {"duration", Field::Duration},
                                       {"first_token", Field::FirstToken},
                                       {"tokens", Field::Tokens},
                                       {"status", Field::Status},
                                       {"error", Field::Error},
                                       {"slice", Field::Slice},
                                       {"metric", Field::Metric},
                                       {"value", Field::Value},
                                       {"threshold", Field::Threshold},
                                       {"higher_is_better", Field::Higher},
                                       {"time", Field::Time},
                                       {"only", Field::Only}};

constexpr Word<const char *> kUnitEndings[] = {
    {"_ns", "ns"},          {"_us", "us"},           {"_ms", "ms"},          {"_s", "s"},       {"_sec", "s"},
    {"_secs", "s"},         {"_seconds", "s"},       {"_millis", "ms"},      {"_micros", "us"}, {"_nanos", "ns"},
    {"_nanoseconds", "ns"}, {"_milliseconds", "ms"}, {"_microseconds", "us"}};

bool isTimeUnit(std::string_view unit) {
    return unit == "s" || unit == "ms" || unit == "us" || unit == "ns";
}

std::vector<NamePattern> patternsOf(JsonFields &fields, const char *key) {
    std::vector<NamePattern> patterns;
    for (const std::string &text : fields.texts(key))
        patterns.emplace_back("^" + text + "$");
    return patterns;
}

void readUnit(JsonFields &fields, FieldRule &rule) {
    rule.unit = fields.text("unit", rule.unit);
    const bool known = rule.unit.empty() || isTimeUnit(rule.unit) || stampUnitFromWord(rule.unit);
    if (!known)
        fields.fail("unit", "one of auto, s, ms, us, ns, datetime, iso8601, time_of_day");
}

// A column as rules and users write it: a name, names, or {"name" or "names", "unit"}.
FieldRule readField(JsonFields &columns, const char *key) {
    FieldRule rule;
    const nlohmann::json *value = columns.raw(key);
    if (!value->is_object()) {
        rule.names = columns.texts(key);
    } else if (auto fields = columns.object(key)) {
        rule.names = fields->texts("names");
        if (const std::string name = fields->text("name"); !name.empty())
            rule.names.push_back(name);
        readUnit(*fields, rule);
        fields->rejectUnknownKeys();
    }
    if (rule.names.empty())
        columns.fail(key, "the name of a column, or an object with \"name\" and \"unit\"");
    for (std::string &name : rule.names)
        name = lowered(trimmed(name));
    return rule;
}

void readColumns(JsonFields columns, LogRules &rules) {
    for (const auto &[word, field] : kFieldWords)
        if (columns.has(word))
            rules.fields[static_cast<std::size_t>(field)] = readField(columns, word);
    columns.rejectUnknownKeys();
}

SeriesRule readSeries(JsonFields fields) {
    SeriesRule rule;
    rule.names = patternsOf(fields, "names");
    rule.quantity = fields.text("quantity");
    rule.unit = fields.text("unit", "1");
    if (!unitScale(rule.unit))
        fields.fail("unit", "a unit such as 1, %, s, ms, B");
    const auto kind = counterKindFromWord(fields.text("kind", "gauge"));
    if (!kind)
        fields.fail("kind", "one of gauge, mean, delta, counter");
    rule.kind = kind.value_or(CounterKind::Gauge);
    fields.rejectUnknownKeys();
    return rule;
}

void readKinds(JsonFields &root, LogRules &rules) {
    const std::string shape = root.text("shape", "table");
    const auto *found = std::find_if(std::begin(kShapes), std::end(kShapes),
                                     [&shape](const auto &word) { return shape == word.first; });
    if (found == std::end(kShapes))
        root.fail("shape", "one of table, list, object, columns, key_value, mllog, equals, wrk, k6, prometheus");
    else
        rules.shape = found->second;
    const std::string kind = root.text("kind", "requests");
    if (kind != "requests" && kind != "quality")
        root.fail("kind", "requests or quality");
    rules.kind = kind == "quality" ? SourceKind::Quality : SourceKind::Requests;
}

void readWindow(JsonFields &root, LogRules &rules) {
    auto window = root.object("window");
    if (!window)
        return;
    rules.windowBegin = window->text("begin");
    rules.windowEnd = window->text("end");
    rules.windowDuration = window->text("duration");
    window->rejectUnknownKeys();
}

void readAll(JsonFields &root, LogRules &rules) {
    rules.format = root.text("format", "requests-csv");
    rules.title = root.text("title", rules.format);
    rules.confidence = root.number("confidence").value_or(rules.confidence);
    readKinds(root, rules);
    if (auto recognise = root.object("recognise")) {
        rules.allOf = patternsOf(*recognise, "all_of");
        rules.anyOf = patternsOf(*recognise, "any_of");
        rules.noneOf = patternsOf(*recognise, "none_of");
        recognise->rejectUnknownKeys();
    }
    rules.lists = root.texts("lists");
    if (auto columns = root.object("columns"))
        readColumns(*columns, rules);
    rules.attributes = patternsOf(root, "attributes");
    rules.onlyValues = root.texts("only_values");
    rules.skipValues = patternsOf(root, "skip_values");
    rules.figures = patternsOf(root, "figures");
    rules.metadata = patternsOf(root, "metadata");
    rules.unread = patternsOf(root, "unread");
    for (JsonFields &fields : root.objects("series"))
        rules.series.push_back(readSeries(fields));
    rules.metricName = root.text("metric_name");
    if (root.has("higher_is_better"))
        rules.moreIsBetter = root.flag("higher_is_better", true);
    rules.more = patternsOf(root, "more_is_better");
    rules.less = patternsOf(root, "less_is_better");
    rules.strip = root.text("strip");
    rules.higherPath = root.text("higher_path");
    readWindow(root, rules);
    root.rejectUnknownKeys();
}

}  // namespace

bool anyMatches(const std::vector<NamePattern> &patterns, std::string_view text) {
    return std::any_of(patterns.begin(), patterns.end(),
                       [text](const NamePattern &pattern) { return pattern.matches(text); });
}

Expected<LogRules> parseLogRules(std::string_view text, const std::string &file) {
    auto document = parseJson(text, file);
    if (!document)
        return passOn(document);
    std::optional<Error> error;
    LogRules rules;
    rules.file = file;
    JsonFields root(*document, file, "", error);
    readAll(root, rules);
    if (rules.shape == Shape::Table && !rules.holdsRequests() && rules.figures.empty() &&
        !rules.has(Field::Value) && rules.series.empty())
        root.fail("columns", "an object with \"duration\" or \"end\" of requests, or \"value\" of figures");
    if (error)
        return tl::unexpected<Error>(std::move(*error));
    return rules;
}

Expected<std::vector<LogRules>> loadLogRules() {
    std::vector<LogRules> all;
    for (const resources::File &file : resources::load("requests/")) {
        auto rules = parseLogRules(file.content, file.origin == "built in" ? file.path : file.origin);
        if (!rules)
            return passOn(rules);
        all.push_back(std::move(*rules));
    }
    return all;
}

FieldName fieldName(std::string_view header) {
    const auto [name, unit] = splitUnit(trimmed(header));
    FieldName result{lowered(trimmed(name)), {}, lowered(unit)};
    result.bare = result.whole;
    if (isTimeUnit(result.unit))
        return result;
    result.unit.clear();
    for (const auto &[ending, word] : kUnitEndings) {
        if (!result.whole.ends_with(ending))
            continue;
        result.bare.resize(result.whole.size() - std::string_view(ending).size());
        result.unit = word;
    }
    return result;
}

BoundField bindField(const LogRules &rules, std::string_view header) {
    const FieldName name = fieldName(header);
    BoundField best;
    for (const auto &[word, field] : kFieldWords) {
        const std::vector<std::string> &names = rules.field(field).names;
        auto it = std::find(names.begin(), names.end(), name.whole);
        if (it == names.end())
            it = std::find(names.begin(), names.end(), name.bare);
        if (it == names.end())
            continue;
        const std::string &stated = rules.field(field).unit;
        return {field, name.unit.empty() ? stated : name.unit, static_cast<std::size_t>(it - names.begin())};
    }
    if (anyMatches(rules.figures, name.whole))
        best.field = Field::Figure;
    else if (anyMatches(rules.attributes, name.whole))
        best.field = Field::Attribute;
    return best;
}

}  // namespace wattproof::importers::requests
