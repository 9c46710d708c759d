// A mapping by hand as a descriptor that every import understands, and its place among the user's own.
#include "importers/power/descriptor.h"
#include "importers/power/table_guess.h"
#include "importers/table/quantity_text.h"
#include "importers/table/table_reader.h"
#include "resources/embedded.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include <nlohmann/json.hpp>

namespace wattproof::importers {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kMappedByHand = 0.97;  // surer than any table of common names

std::string withoutPatterns(std::string name) {
    std::erase_if(name, [](char c) { return c == '#' || c == '*'; });
    return name;
}

// Whether the headers that matter tell their columns apart, and none states another unit than was chosen.
bool goByName(const TableMapping &mapping) {
    if (mapping.jsonLines)
        return true;
    if (!mapping.hasHeader)
        return false;
    std::set<std::string> all;
    for (const MappedColumn &column : mapping.columns) {
        const std::string name = headerName(column.header);
        const bool fresh = all.insert(name).second;
        if (column.role == ColumnRole::Ignore)
            continue;
        if (!fresh || name.empty() || name != withoutPatterns(name))
            return false;
        const std::string_view unit = splitUnit(column.header).unit;
        if (column.role != ColumnRole::Value || unit.empty())
            continue;
        const auto stated = unitScale(unit), chosen = unitScale(column.unit);
        if (!stated || !chosen || stated->unit != chosen->unit || stated->apply(1) != chosen->apply(1))
            return false;
    }
    // A later column of the same name would be taken for the first.
    return all.size() == mapping.columns.size();
}

std::vector<std::string> namesOf(const TableMapping &mapping, bool byName) {
    std::vector<std::string> names;
    std::set<std::string> taken;
    for (const MappedColumn &column : mapping.columns) {
        std::string name = headerName(column.header);
        if (!byName) {
            name = withoutPatterns(name);
            const std::string plain = name.empty() ? "column" : name;
            for (int n = 2; name.empty() || taken.contains(name); ++n)
                name = plain + " " + std::to_string(n);
            taken.insert(name);
        }
        names.push_back(name);
    }
    return names;
}

const MappedColumn *first(const TableMapping &mapping, ColumnRole role) {
    const auto at = std::find_if(mapping.columns.begin(), mapping.columns.end(), [role](const MappedColumn &c) { return c.role == role; });
    return at == mapping.columns.end() ? nullptr : &*at;
}

Status check(const TableMapping &mapping) {
    if (!first(mapping, ColumnRole::Time))
        return failure("No column holds the time", {}, "say which one does");
    if (!first(mapping, ColumnRole::Value))
        return failure("No column holds values", {}, "choose what at least one of them measures");
    for (const MappedColumn &column : mapping.columns) {
        if (column.role != ColumnRole::Value)
            continue;
        if (column.quantity.empty())
            return failure("It is not said what \"" + column.header + "\" measures", {}, "choose a quantity, or leave it out");
        if (!unitScale(column.unit))
            return failure("The unit of \"" + column.header + "\" is none that is known", {}, "choose one such as W, mW, J, kWh, C, MHz, %, V, A");
    }
    return {};
}

Json valueOf(const MappedColumn &column, const std::string &name, bool byName) {
    Json value;
    value["names"] = {name};
    value["quantity"] = column.quantity;
    value["unit"] = column.unit;
    value["kind"] = word(column.kind);
    if (!column.device.empty())
        value["device"] = column.device;
    if (!byName)
        value["label"] = std::string(splitUnit(column.header).name);
    return value;
}

Json recognition(const TableMapping &mapping, const std::vector<std::string> &names) {
    Json rules;
    std::vector<std::string> all;
    for (std::size_t i = 0; i < mapping.columns.size(); ++i) {
        const MappedColumn &column = mapping.columns[i];
        if (column.role == ColumnRole::Ignore)
            continue;
        if (mapping.jsonLines)
            all.push_back("\"" + column.header.substr(column.header.rfind('/') + 1) + "\"");
        else if (mapping.hasHeader)
            all.push_back(headerName(column.header).empty() ? names[i] : headerName(column.header));
    }
    if (!all.empty())
        rules[mapping.jsonLines ? "text" : "all_of"] = all;
    return rules;
}

}  // namespace

std::string slugOf(std::string_view name) {
    std::string slug;
    for (const char c : lowered(trimmed(name).substr(0, 60))) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if (plain)
            slug += c;
        else if (!slug.empty() && slug.back() != '-')
            slug += '-';
    }
    while (!slug.empty() && slug.back() == '-')
        slug.pop_back();
    return slug.empty() ? "table" : slug;
}

Expected<std::string> descriptorOf(const TableMapping &mapping, const std::string &name) {
    if (Status status = check(mapping); !status)
        return passOn(status);
    const bool byName = goByName(mapping);
    const std::vector<std::string> names = namesOf(mapping, byName);
    Json root;
    root["format"] = slugOf(name);
    root["title"] = name.empty() ? "table" : name;
    root["confidence"] = kMappedByHand;
    if (const Json rules = recognition(mapping, names); !rules.empty())
        root["recognise"] = rules;
    if (mapping.jsonLines)
        root["form"] = "json";
    else
        root["delimiter"] = std::string(1, mapping.delimiter);
    root["decimal_comma"] = mapping.decimalComma;
    if (!byName) {
        root["header"] = names;
        root["rows_before"] = mapping.rowsBefore + (mapping.hasHeader ? 1 : 0);
    }
    Json device{{"kind", "gpu"}, {"fallback", mapping.fallbackDevice.empty() ? "GPU 0" : mapping.fallbackDevice}};
    Json columns = Json::array();
    for (std::size_t i = 0; i < mapping.columns.size(); ++i) {
        const MappedColumn &column = mapping.columns[i];
        if (column.role == ColumnRole::Time)
            root["time"]["names"] = {names[i]};
        else if (column.role == ColumnRole::Date)
            root["time"]["date"] = {names[i]};
        else if (column.role == ColumnRole::Device)
            device[mapping.deviceIsIndex ? "index" : "name"] = {names[i]};
        else if (column.role == ColumnRole::Value)
            columns.push_back(valueOf(column, names[i], byName));
    }
    root["time"]["unit"] = mapping.timeUnit;
    root["device"] = device;
    root["missing"] = {"n/a", "not supported", "-", "nan", "none", "null", "na", "unknown", "error"};
    root["columns"] = columns;
    std::string json = root.dump(2, ' ', false, Json::error_handler_t::replace);
    if (auto parsed = parseDescriptor(json, "the mapping"); !parsed)
        return passOn(parsed);
    return json;
}

Expected<std::string> keepDescriptor(const std::string &json, const std::string &name) {
    namespace fs = std::filesystem;
    if (auto parsed = parseDescriptor(json, name); !parsed)
        return passOn(parsed);
    const std::string config = resources::configFolder();
    if (config.empty())
        return failure("There is no folder for descriptors", {}, "set HOME or XDG_CONFIG_HOME");
    const std::string file = "power/" + slugOf(name) + ".json";
    const fs::path path = fs::path(config) / file;
    std::error_code error;
    if (fs::exists(path, error) || resources::builtIn(file))
        return failure("A descriptor of this name is there already", path.string(), "choose another name");
    fs::create_directories(path.parent_path(), error);
    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    out << json << '\n';
    out.close();
    if (!out)
        return failure("The descriptor cannot be written", path.string(), "check the folder's permissions and the free space");
    return path.string();
}

}  // namespace wattproof::importers
