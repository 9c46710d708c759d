#include "importers/power/descriptor.h"

#include "importers/power/json_fields.h"
#include "importers/power/record_parser.h"
#include "importers/table/quantity_text.h"
#include "importers/table/table_reader.h"
#include "resources/embedded.h"

#include <algorithm>
#include <set>

namespace wattproof::importers {
namespace {

std::vector<std::string> loweredAll(std::vector<std::string> texts) {
    for (std::string &text : texts)
        text = lowered(trimmed(text));
    return texts;
}

struct ShortForm {
    const char *key, *quantity, *unit;
    CounterKind kind;
};

// Keys of the short form of "columns": {"time": …, "device": "gpu", "power": {"name": "power_mw", "unit": "mW"}}.
constexpr ShortForm kShortForms[] = {
    {"power", "power", "W", CounterKind::Gauge},      {"mean_power", "power", "W", CounterKind::Mean},
    {"energy", "energy", "J", CounterKind::Counter},  {"energy_delta", "energy", "J", CounterKind::Delta},
    {"temp", "temperature", "C", CounterKind::Gauge}, {"temperature", "temperature", "C", CounterKind::Gauge},
    {"clock", "clock", "MHz", CounterKind::Gauge},    {"utilisation", "utilisation", "%", CounterKind::Gauge},
    {"limit", "limit", "W", CounterKind::Gauge},
};

void setPlausible(ColumnRule &rule) {
    constexpr double kAllBitsWatts = 65'535, kNoCelsius = 0;
    if (rule.quantity == "temperature") {
        rule.never = rule.above ? std::nullopt : std::optional(kNoCelsius);
        rule.above = rule.above.value_or(-90);
        rule.below = rule.below.value_or(200);
    } else if (rule.quantity == "power") {
        rule.never = kAllBitsWatts;
        rule.below = rule.below.value_or(50'000);
    }
}

CounterKind readKind(JsonFields &fields, CounterKind fallback) {
    const std::string word = fields.text("kind");
    if (word.empty())
        return fallback;
    const auto kind = counterKindFromWord(word);
    if (!kind)
        fields.fail("kind", "one of gauge, mean, delta, counter, flags, run");
    return kind.value_or(fallback);
}

void checkUnit(JsonFields &fields, const std::string &unit) {
    if (!unit.empty() && !unitScale(unit))
        fields.fail("unit", "a unit such as W, mW, J, uJ, kWh, C, MHz, %, MiB, V, A, s");
}

ColumnRule readColumn(JsonFields fields) {
    ColumnRule rule;
    rule.names = loweredAll(fields.texts("names"));
    if (const std::string name = fields.text("name"); !name.empty())
        rule.names.push_back(headerName(name));
    rule.index = fields.integer("index");
    rule.label = fields.text("label");
    rule.quantity = fields.text("quantity");
    rule.domain = fields.text("domain");
    rule.unit = fields.text("unit");
    checkUnit(fields, rule.unit);
    rule.kind = readKind(fields, rule.kind);
    rule.device = fields.text("device");
    rule.inside = fields.text("inside");
    rule.duration = loweredAll(fields.texts("duration"));
    rule.times = loweredAll(fields.texts("times"));
    rule.timesUnit = fields.text("times_unit", "1");
    checkUnit(fields, rule.timesUnit);
    rule.expect = lowered(fields.text("expect"));
    rule.sensor = fields.text("sensor");
    rule.prefix = fields.text("prefix");
    rule.flagTable = fields.text("flag_table");
    rule.flagWords = fields.bits("flag_words");
    rule.bit = fields.integer("bit");
    if (rule.bit && *rule.bit > 52)
        fields.fail("bit", "an integer between 0 and 52");
    rule.above = fields.number("above");
    rule.below = fields.number("below");
    rule.range = loweredAll(fields.texts("range"));
    rule.metadata = fields.flag("metadata", false);
    rule.counter = fields.flag("counter", true);
    if (rule.names.empty() && !rule.index)
        fields.fail("names", "there: the header's name of the column (or \"index\", its position from 0)");
    if (rule.counter)
        fields.require("quantity", "a string such as power, energy, temperature, clock, utilisation");
    fields.rejectUnknownKeys();
    setPlausible(rule);
    return rule;
}

// A column of the short form: a header name, or {"name" or "index", "unit"}.
void readShortColumn(JsonFields &columns, const char *key, ColumnRule &rule) {
    const nlohmann::json *value = columns.raw(key);
    if (value->is_string()) {
        const std::string text = value->get<std::string>();
        rule.names.push_back(headerName(text));
        return;
    }
    std::optional<JsonFields> fields = columns.object(key);
    if (const std::string name = fields->text("name"); !name.empty())
        rule.names.push_back(headerName(name));
    rule.index = fields->integer("index");
    rule.unit = fields->text("unit", rule.unit);
    if (rule.names.empty() && !rule.index)
        fields->fail("name", "there: the header's name of the column (or \"index\", its position from 0)");
    fields->rejectUnknownKeys();
}

void readTime(JsonFields &fields, Descriptor &descriptor, const std::string &unit) {
    const auto parsed = stampUnitFromWord(unit);
    if (!parsed)
        fields.fail("time.unit", "one of auto, s, ms, us, ns, datetime, iso8601, datetime_dmy, datetime_mdy, time_of_day");
    descriptor.timeUnit = parsed.value_or(StampUnit::Auto);
}

void readShortForm(JsonFields columns, JsonFields &root, Descriptor &descriptor) {
    ColumnRule time;
    time.unit = "auto";
    columns.require("time", "the time column");
    if (columns.has("time")) {
        readShortColumn(columns, "time", time);
        readTime(root, descriptor, time.unit);
    }
    descriptor.timeNames = time.names;
    descriptor.timeIndex = time.index;
    for (const std::string &name : columns.texts("device"))
        descriptor.device.name.push_back(headerName(name));
    const std::string rangeName = [&columns] {
        if (!columns.has("energy_range"))
            return std::string();
        ColumnRule range;
        readShortColumn(columns, "energy_range", range);
        return range.names.empty() ? std::string() : range.names.front();
    }();
    for (const ShortForm &form : kShortForms) {
        if (!columns.has(form.key))
            continue;
        ColumnRule rule;
        rule.quantity = form.quantity;
        rule.unit = form.unit;
        rule.kind = form.kind;
        readShortColumn(columns, form.key, rule);
        checkUnit(columns, rule.unit);
        if (rule.kind == CounterKind::Counter && !rangeName.empty())
            rule.range = {rangeName};
        setPlausible(rule);
        descriptor.columns.push_back(std::move(rule));
    }
    if (descriptor.columns.empty())
        columns.fail("power", "there, or energy, temp, clock, utilisation: a table needs one column with values");
    columns.rejectUnknownKeys();
}

void readDevice(JsonFields fields, DeviceRule &rule) {
    rule.index = loweredAll(fields.texts("index"));
    rule.uuid = loweredAll(fields.texts("uuid"));
    rule.pci = loweredAll(fields.texts("pci"));
    rule.model = loweredAll(fields.texts("model"));
    rule.host = loweredAll(fields.texts("host"));
    rule.name = loweredAll(fields.texts("name"));
    rule.fallback = fields.text("fallback", rule.fallback);
    const std::string kind = fields.text("kind", "gpu");
    const auto parsed = deviceKindFromWord(kind);
    if (!parsed)
        fields.fail("kind", "one of gpu, cpu, dram, rail, node, outlet, other");
    rule.kind = parsed.value_or(DeviceKind::Gpu);
    fields.rejectUnknownKeys();
}

void readPeriodOption(JsonFields fields, PeriodOption &option) {
    fields.require("tool", "the word that calls the tool");
    option.tool = fields.text("tool");
    option.names = fields.texts("names");
    option.unit = fields.number("unit_s").value_or(1);
    if (option.unit <= 0)
        fields.fail("unit_s", "a number of seconds above 0");
    fields.rejectUnknownKeys();
}

void readLongForm(JsonFields &root, Descriptor &descriptor) {
    root.require("time", "an object with the key \"names\"");
    if (std::optional<JsonFields> time = root.object("time")) {
        descriptor.timeNames = loweredAll(time->texts("names"));
        readTime(root, descriptor, time->text("unit", "auto"));
        descriptor.dateNames = loweredAll(time->texts("date"));
        descriptor.periodSeconds = time->number("period_s").value_or(0);
        if (descriptor.periodSeconds < 0 || descriptor.periodSeconds > 86'400)
            time->fail("period_s", "a number of seconds between 0 and 86400");
        if (std::optional<JsonFields> option = time->object("period_option"))
            readPeriodOption(std::move(*option), descriptor.periodOption);
        descriptor.zoneInHeader = time->flag("zone_in_header", false);
        time->rejectUnknownKeys();
    }
    if (std::optional<JsonFields> device = root.object("device"))
        readDevice(std::move(*device), descriptor.device);
    root.require("columns", "an array of objects, or an object in the short form");
    for (const JsonFields &column : root.objects("columns"))
        descriptor.columns.push_back(readColumn(column));
}

char readCharacter(JsonFields &root, const char *key) {
    const std::string text = root.text(key);
    if (text.size() > 1)
        root.fail(key, "one character");
    return text.empty() ? '\0' : text.front();
}

void readRecognition(JsonFields &root, Descriptor &descriptor) {
    if (std::optional<JsonFields> recognise = root.object("recognise")) {
        descriptor.allOf = loweredAll(recognise->texts("all_of"));
        descriptor.anyOf = loweredAll(recognise->texts("any_of"));
        descriptor.noneOf = loweredAll(recognise->texts("none_of"));
        descriptor.texts = recognise->texts("text");
        descriptor.shape = loweredAll(recognise->texts("shape"));
        recognise->rejectUnknownKeys();
    }
    descriptor.confidence = root.number("confidence").value_or(descriptor.confidence);
    if (descriptor.confidence < 0 || descriptor.confidence > 1)
        root.fail("confidence", "a number between 0 and 1");
    descriptor.delimiter = readCharacter(root, "delimiter");
    descriptor.mark = readCharacter(root, "mark");
    if (root.has("decimal_comma"))
        descriptor.decimalComma = root.flag("decimal_comma", false);
    descriptor.rowsBefore = static_cast<std::size_t>(std::max(0, root.integer("rows_before").value_or(0)));
}

// How the rows of a log differ from those of a plain table.
void readRowRules(JsonFields &root, Descriptor &descriptor) {
    descriptor.firstWords = static_cast<std::size_t>(std::max(1, root.integer("first_words").value_or(1)));
    descriptor.lastIsText = root.flag("last_is_text", false);
    descriptor.shortRows = root.flag("short_rows", false);
    descriptor.columnBlocks = root.flag("column_blocks", false);
    descriptor.header = loweredAll(root.texts("header"));
    descriptor.part = loweredAll(root.texts("part"));
    descriptor.ignore = loweredAll(root.texts("ignore"));
    if (std::optional<JsonFields> only = root.object("only")) {
        descriptor.only = loweredAll(only->texts("column"));
        descriptor.onlyValues = loweredAll(only->texts("values"));
        only->rejectUnknownKeys();
    }
    descriptor.form = root.text("form");
    if (!descriptor.form.empty() && !isRecordForm(descriptor.form))
        root.fail("form", "one of " + recordForms());
    if (std::optional<JsonFields> fields = root.object("long")) {
        descriptor.field = loweredAll(fields->texts("field"));
        descriptor.value = loweredAll(fields->texts("value"));
        descriptor.unit = loweredAll(fields->texts("unit"));
        fields->rejectUnknownKeys();
    }
    if (descriptor.form == "long" && (descriptor.field.empty() || descriptor.value.empty()))
        root.fail("long", "an object with the keys \"field\" and \"value\"");
}

bool anyMatches(const std::vector<std::string> &patterns, const std::vector<std::string> &names) {
    return std::any_of(patterns.begin(), patterns.end(), [&](const std::string &pattern) {
        return std::any_of(names.begin(), names.end(),
                           [&](const std::string &name) { return matchName(pattern, name).has_value(); });
    });
}

Expected<std::vector<DeviceClass>> parseClasses(std::string_view text, const std::string &file) {
    Expected<nlohmann::json> document = parseJson(text, file);
    if (!document)
        return passOn(document);
    std::optional<Error> error;
    JsonFields root(*document, file, "", error);
    std::vector<DeviceClass> classes;
    for (JsonFields fields : root.objects("classes")) {
        DeviceClass item;
        item.names = loweredAll(fields.texts("names"));
        item.domain = fields.text("domain");
        item.inside = fields.text("inside");
        item.numberedGpu = fields.flag("numbered_gpu", false);
        const auto kind = deviceKindFromWord(fields.text("kind", "other"));
        if (!kind)
            fields.fail("kind", "one of gpu, cpu, dram, rail, node, outlet, other");
        item.kind = kind.value_or(DeviceKind::Other);
        fields.rejectUnknownKeys();
        classes.push_back(std::move(item));
    }
    root.rejectUnknownKeys();
    if (error)
        return tl::unexpected<Error>(*error);
    return classes;
}

}  // namespace

std::string headerName(std::string_view cell) {
    return lowered(validUtf8(splitUnit(cell).name));
}

std::optional<std::string> matchName(std::string_view pattern, std::string_view text) {
    const std::size_t at = pattern.find_first_of("#*");
    if (at == std::string_view::npos)
        return pattern == text ? std::optional<std::string>(std::string()) : std::nullopt;
    if (!text.starts_with(pattern.substr(0, at)))
        return std::nullopt;
    const std::string_view after = pattern.substr(at + 1);
    text.remove_prefix(at);
    if (pattern[at] == '#') {
        const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
        const auto count = static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), isDigit) - text.begin());
        if (count == 0 && text.starts_with('#'))
            return matchName(after, text.substr(1));  // "8-pin #1" tells a connector, not a device
        if (count == 0 || !matchName(after, text.substr(count)))
            return std::nullopt;
        return std::string(text.substr(0, count));
    }
    // The latest place where the rest fits; a pattern with two stars is not needed.
    for (std::size_t skip = text.size() + 1; skip-- > 0;)
        if (auto digits = matchName(after, text.substr(skip)))
            return digits;
    return std::nullopt;
}

Expected<Descriptor> parseDescriptor(std::string_view json, const std::string &file) {
    Expected<nlohmann::json> document = parseJson(json, file);
    if (!document)
        return passOn(document);
    std::optional<Error> error;
    JsonFields root(*document, file, "", error);
    Descriptor descriptor;
    descriptor.file = file;
    descriptor.format = root.text("format", "csv");
    descriptor.title = root.text("title", descriptor.format);
    descriptor.headerless = root.flag("headerless", false);
    descriptor.missing = loweredAll(root.texts("missing"));
    for (const std::string &word : descriptor.missing)
        if (const auto number = parseNumber(word, false); number && number->rest.empty())
            descriptor.missingNumbers.push_back(number->value);
    descriptor.lost = loweredAll(root.texts("lost"));
    readRecognition(root, descriptor);
    readRowRules(root, descriptor);
    const nlohmann::json *columns = root.raw("columns");
    if (columns && columns->is_object())
        readShortForm(*root.object("columns"), root, descriptor);
    else
        readLongForm(root, descriptor);
    root.rejectUnknownKeys();
    if (error)
        return tl::unexpected<Error>(std::move(*error));
    return descriptor;
}

Expected<PowerResources> loadPowerResources() {
    PowerResources loaded;
    for (const resources::File &file : resources::load("power/")) {
        const std::string where = file.origin == "built in" ? file.path : file.origin;
        if (file.path == "power/sensors.json")
            continue;  // sensor_facts.h
        if (file.path == "power/domains.json") {
            Expected<std::vector<DeviceClass>> classes = parseClasses(file.content, where);
            if (!classes)
                return passOn(classes);
            loaded.classes = std::move(*classes);
            continue;
        }
        Expected<Descriptor> descriptor = parseDescriptor(file.content, where);
        if (!descriptor)
            return passOn(descriptor);
        loaded.descriptors.push_back(std::move(*descriptor));
    }
    return loaded;
}

bool isHeader(const Descriptor &descriptor, const std::vector<std::string_view> &cells) {
    std::vector<std::string> names;
    for (const std::string_view cell : cells)
        names.push_back(headerName(cell));
    const bool time = descriptor.timeIndex || descriptor.periodSeconds > 0 || anyMatches(descriptor.timeNames, names);
    const bool all = std::all_of(descriptor.allOf.begin(), descriptor.allOf.end(),
                                 [&](const std::string &name) { return anyMatches({name}, names); });
    if (!time || !all || anyMatches(descriptor.noneOf, names))
        return false;
    if (!descriptor.anyOf.empty())
        return anyMatches(descriptor.anyOf, names);
    return std::any_of(descriptor.columns.begin(), descriptor.columns.end(), [&](const ColumnRule &rule) {
        return (rule.index && static_cast<std::size_t>(*rule.index) < names.size()) ||
               anyMatches(rule.names, names);
    });
}

}  // namespace wattproof::importers
