#include "importers/power/layout.h"

#include "importers/power/headerless.h"
#include "importers/power/row_source.h"
#include "importers/table/quantity_text.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace wattproof::importers {
namespace {

using Rows = std::vector<std::vector<std::string>>;

constexpr double kHeaderlessConfidence = 0.6;
constexpr std::size_t kShapedRows = 20;

std::vector<std::string_view> views(const std::vector<std::string> &cells) {
    return {cells.begin(), cells.end()};
}

// The last row of the head may be cut anywhere.
Rows withoutLast(Rows rows) {
    if (rows.size() > 1)
        rows.pop_back();
    return rows;
}

// Rows of data begin with digits, headers never do.
bool mayBeHeader(const std::vector<std::string> &row) {
    const std::string &first = row.front();
    return first.empty() || first.front() < '0' || first.front() > '9';
}

// "a|b": either stands in the text.
bool containsOne(std::string_view text, std::string_view alternatives) {
    for (;;) {
        const std::size_t bar = alternatives.find('|');
        if (text.find(alternatives.substr(0, bar)) != std::string_view::npos)
            return true;
        if (bar == std::string_view::npos)
            return false;
        alternatives.remove_prefix(bar + 1);
    }
}

bool containsAll(std::string_view text, const std::vector<std::string> &wanted) {
    return std::all_of(wanted.begin(), wanted.end(),
                       [&](const std::string &alternatives) { return containsOne(text, alternatives); });
}

void considerHeader(std::string_view head, const Rows &rows, const Descriptor &descriptor, Layout &best) {
    if (descriptor.confidence <= best.confidence || !containsAll(head, descriptor.texts))
        return;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const bool mapped = descriptor.timeIndex.has_value();
        if ((!mapped && !mayBeHeader(rows[i])) || !isHeader(descriptor, views(rows[i])))
            continue;
        best = Layout{&descriptor, i, false, rows[i], {}, descriptor.confidence};
        return;
    }
}

// A table whose columns go by position: told by the header above its first row, else only where it is asked for.
void considerPositions(const Rows &rows, const Descriptor &descriptor, bool asked, Layout &best) {
    const std::size_t first = descriptor.rowsBefore;
    if (descriptor.confidence <= best.confidence || rows.size() <= first)
        return;
    const bool named = !descriptor.allOf.empty() && first > 0;
    std::set<std::string> names;
    if (named)
        for (const std::string &cell : rows[first - 1])
            names.insert(headerName(cell));
    const bool fits = named && std::all_of(descriptor.allOf.begin(), descriptor.allOf.end(),
                                           [&](const std::string &name) { return names.contains(name); });
    if (fits || asked)
        best = Layout{&descriptor, first, true, descriptor.header, {}, descriptor.confidence};
}

void considerHeaderless(const Rows &rows, const Descriptor &descriptor, Layout &best) {
    const Rows whole = withoutLast(rows);
    if (!descriptor.headerless || kHeaderlessConfidence <= best.confidence || !looksHeaderless(whole))
        return;
    GuessedHeader guess = guessHeader(whole);
    if (guess.hasPower)
        best =
            Layout{&descriptor, 0, true, std::move(guess.names), std::move(guess.guessed), kHeaderlessConfidence};
}

bool hasShape(const std::string &pattern, const std::string &cell) {
    std::string_view rest = pattern;
    for (;;) {
        const std::size_t bar = rest.find('|');
        const std::string_view one = rest.substr(0, bar);
        const auto number = one == "#.#" ? parseNumber(cell, false) : std::nullopt;
        if ((number && number->rest.empty()) || matchName(one, lowered(cell)))
            return true;
        if (bar == std::string_view::npos)
            return false;
        rest.remove_prefix(bar + 1);
    }
}

bool rowHasShape(const std::vector<std::string> &shape, const std::vector<std::string> &row) {
    return row.size() >= shape.size() && std::equal(shape.begin(), shape.end(), row.begin(), hasShape);
}

// Logs that are no plain table are told by texts in their first lines, or by the look of the first row of data.
void considerRecords(std::string_view head, const Descriptor &descriptor, Layout &best) {
    if (descriptor.confidence <= best.confidence || !containsAll(head, descriptor.texts))
        return;
    if (!descriptor.shape.empty()) {
        const Rows rows = headRows({head.data(), head.size()}, kShapedRows, styleOf(descriptor));
        if (std::none_of(rows.begin(), rows.end(), [&](const auto &row) { return rowHasShape(descriptor.shape, row); }))
            return;
    } else if (descriptor.texts.empty()) {
        return;
    }
    best = Layout{&descriptor, 0, false, {}, {}, descriptor.confidence};
}

std::string listed(const std::vector<std::string> &cells) {
    std::string list;
    for (std::size_t i = 0; i < cells.size() && i < 12; ++i)
        list += (i == 0 ? "" : ", ") + cells[i].substr(0, 40);
    return list + (cells.size() > 12 ? " …" : "");
}

}  // namespace

Layout findLayout(std::span<const char> head, const std::vector<Descriptor> &descriptors, const std::string &format) {
    const std::string_view text(head.data(), head.size());
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    const bool markup = first != std::string_view::npos && (text[first] == '{' || text[first] == '[' || text[first] == '<');
    std::map<std::tuple<char, char, std::size_t>, Rows> split;  // by style
    Layout best;
    for (const Descriptor &descriptor : descriptors) {
        if (!format.empty() && descriptor.format != format)
            continue;
        if (!descriptor.form.empty() && (descriptor.form != "long" || !descriptor.header.empty())) {
            considerRecords(text, descriptor, best);
            continue;
        }
        if (markup)
            continue;
        const TableReader::Style style = styleOf(descriptor);
        const auto [rows, added] = split.try_emplace({style.delimiter, style.mark, style.firstWords});
        if (added)
            rows->second = headRows(head, kHeadRows, style);
        if (!descriptor.header.empty()) {
            considerPositions(rows->second, descriptor, descriptors.size() == 1 || !format.empty(), best);
            continue;
        }
        considerHeader(text, rows->second, descriptor, best);
        considerHeaderless(rows->second, descriptor, best);
    }
    return best;
}

bool looksLikeTimeTable(const Rows &rows) {
    if (rows.empty())
        return false;
    const std::string first = headerName(rows[0][0]);
    const bool timeHeader =
        first == "timestamp" || first == "time" || first == "datetime" || first.starts_with("time_");
    return timeHeader || looksHeaderless(withoutLast(rows));
}

Error layoutError(const Rows &rows, const std::string &path) {
    if (rows.empty())
        return {"the file holds no rows", path, "record it again"};
    if (looksHeaderless(withoutLast(rows)))
        return {
            "the log has no header line, and without units only the order of the query tells its columns", path,
            "record it without noheader, or give a descriptor that names the columns by index (docs/formats.md)"};
    return {"no descriptor fits this table; its first line has: " + listed(rows.front()), path,
            "give a descriptor that names its time, device and value columns (docs/formats.md)"};
}

}  // namespace wattproof::importers
