#include "importers/power/layout.h"

#include "importers/power/headerless.h"
#include "importers/table/table_reader.h"
#include "importers/time/stamp.h"

#include <algorithm>

namespace wattproof::importers {
namespace {

using Rows = std::vector<std::vector<std::string>>;

constexpr double kHeaderlessConfidence = 0.6;

std::vector<std::string_view> views(const std::vector<std::string> &cells) {
    return {cells.begin(), cells.end()};
}

// The last row of the head may be cut anywhere.
Rows withoutLast(Rows rows) {
    if (rows.size() > 1)
        rows.pop_back();
    return rows;
}

void considerHeader(const Rows &rows, const Descriptor &descriptor, Layout &best) {
    if (descriptor.confidence <= best.confidence)
        return;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (!isHeader(descriptor, views(rows[i])))
            continue;
        best = Layout{&descriptor, i, false, rows[i], {}, descriptor.confidence};
        return;
    }
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

bool looksLikeLoadMarks(const Rows &rows) {
    return rows.size() > 1 && rows[0].size() == 1 && rows[1].size() == 1 &&
           parseStamp(rows[1][0], StampUnit::Auto).has_value();
}

std::string listed(const std::vector<std::string> &cells) {
    std::string list;
    for (std::size_t i = 0; i < cells.size() && i < 12; ++i)
        list += (i == 0 ? "" : ", ") + cells[i].substr(0, 40);
    return list + (cells.size() > 12 ? " …" : "");
}

}  // namespace

Layout findLayout(std::span<const char> head, const std::vector<Descriptor> &descriptors, const std::string &format) {
    const Rows sniffed = headRows(head, kHeadRows);
    Layout best;
    for (const Descriptor &descriptor : descriptors) {
        if (!format.empty() && descriptor.format != format)
            continue;
        const Rows rows = descriptor.delimiter == 0 ? sniffed : headRows(head, kHeadRows, descriptor.delimiter);
        considerHeader(rows, descriptor, best);
        considerHeaderless(rows, descriptor, best);
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
    if (looksLikeLoadMarks(rows))
        return {
            "the file is a list of times (marks of when a load changed), not a log with power, temperature or "
            "clocks",
            path, "import the power log that was recorded beside it"};
    if (looksHeaderless(withoutLast(rows)))
        return {
            "the log has no header line, and without units only the order of the query tells its columns", path,
            "record it without noheader, or give a descriptor that names the columns by index (docs/formats.md)"};
    return {"no descriptor fits this table; its first line has: " + listed(rows.front()), path,
            "give a descriptor that names its time, device and value columns (docs/formats.md)"};
}

}  // namespace wattproof::importers
