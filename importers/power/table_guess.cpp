// Where a table's header and rows stand.
#include "importers/power/table_guess.h"

#include "importers/table/quantity_text.h"
#include "importers/table/table_reader.h"
#include "importers/time/stamp.h"

#include <algorithm>
#include <map>
#include <set>

#include <nlohmann/json.hpp>

namespace wattproof::importers {
namespace {

using Rows = std::vector<std::vector<std::string>>;

constexpr std::size_t kRows = 200;
constexpr std::size_t kMostColumns = 400;

bool isNumber(const std::string &cell) {
    const auto number = parseNumber(cell, true);
    return number && (number->rest.empty() || unitScale(number->rest));
}

bool isValue(const std::string &cell) {
    return isNumber(cell) || parseStamp(cell, StampUnit::Auto).has_value();
}

std::size_t widthOf(const Rows &rows) {
    std::map<std::size_t, std::size_t> counts;
    for (const auto &row : rows)
        ++counts[row.size()];
    std::size_t width = 0, most = 0;
    for (const auto &[cells, count] : counts)
        if (cells > 1 && count >= most) {
            width = cells;
            most = count;
        }
    return width;
}

// Of separators that split the text evenly the common ones first; blanks last, as sentences have them too.
char delimiterOf(std::string_view text) {
    const char sniffed = sniffDelimiter(text);
    for (const char candidate : {sniffed, '|', ' '}) {
        const Rows rows = headRows({text.data(), text.size()}, 30, {candidate, 0, 1, false});
        const std::size_t width = widthOf(rows);
        const auto even = std::count_if(rows.begin(), rows.end(), [&](const auto &row) { return row.size() == width; });
        if (width > 1 && static_cast<std::size_t>(even) * 2 > rows.size())
            return candidate;
    }
    return sniffed;
}

// Header and rows above it: the first row of full width; it is a header unless it holds as many values as the next.
void findHeader(const Rows &rows, TableMapping &mapping) {
    const std::size_t width = widthOf(rows);
    const auto valuesIn = [](const std::vector<std::string> &row) { return std::count_if(row.begin(), row.end(), isValue); };
    mapping.rowsBefore = 0;
    while (mapping.rowsBefore < rows.size() && rows[mapping.rowsBefore].size() != width)
        ++mapping.rowsBefore;
    const std::size_t first = mapping.rowsBefore;
    mapping.hasHeader = first < rows.size() && valuesIn(rows[first]) == 0;
    if (first + 1 < rows.size() && valuesIn(rows[first]) < valuesIn(rows[first + 1]) && valuesIn(rows[first]) * 3 < static_cast<std::ptrdiff_t>(width))
        mapping.hasHeader = true;
}

bool guessDecimalComma(const Rows &rows, char delimiter) {
    if (delimiter == ',')
        return false;
    std::size_t commas = 0, points = 0;
    for (const auto &row : rows)
        for (const std::string &cell : row) {
            const std::string_view text = cell;
            const std::size_t sign = text.find_first_of(".,");
            const bool plain = sign != std::string_view::npos && text.find_first_of(".,", sign + 1) == std::string_view::npos &&
                               text.find_first_not_of("0123456789+-.,") == std::string_view::npos;
            commas += plain && text[sign] == ',' ? 1 : 0;
            points += plain && text[sign] == '.' ? 1 : 0;
        }
    return commas > points;
}

void flatten(const nlohmann::json &value, const std::string &path, std::vector<std::pair<std::string, std::string>> &out) {
    if (value.is_object())
        for (const auto &[key, item] : value.items())
            flatten(item, path + (path.empty() ? "" : "/") + key, out);
    else if (!value.is_array())
        out.emplace_back(path, value.is_string() ? value.get<std::string>() : value.is_null() ? "" : value.dump());
}

// One object a line. Names are those that the reader of records gives: members of members with "/".
bool readJsonLines(std::string_view head, TableLook &look) {
    std::map<std::string, std::size_t> columns;
    Rows rows;
    std::size_t begin = 0;
    while (rows.size() < kRows && begin < head.size()) {
        const std::size_t end = head.find('\n', begin);
        const std::string_view line = trimmed(head.substr(begin, end == std::string_view::npos ? end : end - begin));
        begin = end == std::string_view::npos ? head.size() : end + 1;
        if (line.empty())
            continue;
        const auto object = nlohmann::json::parse(line, nullptr, false);
        if (!object.is_object()) {
            if (begin >= head.size() && !rows.empty())
                break;  // the head may be cut
            return false;
        }
        std::vector<std::pair<std::string, std::string>> values;
        flatten(object, "", values);
        std::vector<std::string> row(columns.size());
        for (auto &[name, text] : values) {
            const auto [at, added] = columns.try_emplace(name, columns.size());
            if (added && columns.size() > kMostColumns)
                return false;
            if (added) {
                look.mapping.columns.push_back({name, ColumnRole::Ignore, {}, {}, {}, CounterKind::Gauge, {}});
                row.emplace_back();
            }
            row[at->second] = validUtf8(text);
        }
        rows.push_back(std::move(row));
    }
    for (auto &row : rows)
        row.resize(columns.size());
    look.rows = std::move(rows);
    look.mapping.jsonLines = true;
    look.mapping.hasHeader = true;
    return look.rows.size() > 1 && columns.size() > 1;
}

void nameColumns(const std::vector<std::string> *header, std::size_t width, TableMapping &mapping) {
    mapping.columns.assign(width, {});
    for (std::size_t i = 0; i < width; ++i) {
        const std::string text = header && i < header->size() ? validUtf8((*header)[i].substr(0, 120)) : std::string();
        mapping.columns[i].header = text.empty() ? "column " + std::to_string(i + 1) : text;
    }
}

}  // namespace

Expected<TableLook> guessTable(std::string_view head, const TableMapping *fixed) {
    TableLook look;
    const std::size_t first = head.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    const bool json = first != std::string_view::npos && head[first] == '{';
    if (json && readJsonLines(head.substr(first), look)) {
        guessColumns(look.mapping, look.rows);
        return look;
    }
    const Error none{"the text is no table", {}, "a table has the same separator in every line, JSON lines an object in each"};
    if (json || first == std::string_view::npos || head[first] == '<' || head[first] == '[' || head.substr(0, 4096).find('\0') != std::string_view::npos)
        return tl::unexpected<Error>(none);
    TableMapping &mapping = look.mapping;
    mapping.delimiter = fixed ? fixed->delimiter : delimiterOf(head);
    Rows rows = headRows({head.data(), head.size()}, kRows, {mapping.delimiter, 0, 1, false});
    if (rows.size() > 2)
        rows.pop_back();  // may be cut
    const std::size_t width = widthOf(rows);
    if (width < 2 || width > kMostColumns)
        return tl::unexpected<Error>(none);
    if (fixed) {
        mapping.rowsBefore = std::min(fixed->rowsBefore, rows.size() - 1);
        mapping.hasHeader = fixed->hasHeader;
    } else {
        findHeader(rows, mapping);
    }
    const std::size_t header = mapping.rowsBefore;
    nameColumns(mapping.hasHeader && header < rows.size() ? &rows[header] : nullptr, width, mapping);
    for (std::size_t i = header + (mapping.hasHeader ? 1 : 0); i < rows.size(); ++i)
        if (rows[i].size() == width || (rows[i].size() == width + 1 && rows[i].back().empty()))
            look.rows.push_back(std::move(rows[i]));
    for (auto &row : look.rows) {
        row.resize(width);
        for (std::string &cell : row)
            cell = validUtf8(cell.substr(0, 200));
    }
    const bool values = std::any_of(look.rows.begin(), look.rows.end(), [](const auto &row) { return std::any_of(row.begin(), row.end(), isValue); });
    if (!fixed && !values)
        return tl::unexpected<Error>(none);
    mapping.decimalComma = fixed ? fixed->decimalComma : guessDecimalComma(look.rows, mapping.delimiter);
    guessColumns(mapping, look.rows);
    return look;
}

}  // namespace wattproof::importers
