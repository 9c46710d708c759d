#include "importers/table/table_reader.h"
#include "importers/text/utf8.h"

#include <algorithm>
#include <array>

namespace wattproof::importers {
namespace {

bool isUtf8(std::string_view text) {
    const char *const end = text.data() + text.size();
    for (const char *at = text.data(); at != end;) {
        const int length = utf8Length(at, end);
        if (length == 0)
            return false;
        at += length;
    }
    return true;
}

bool blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

std::vector<std::string_view> firstLines(std::string_view text, std::size_t count) {
    std::vector<std::string_view> lines;
    while (!text.empty() && lines.size() < count) {
        const std::size_t end = text.find('\n');
        const std::string_view line = trimmed(text.substr(0, end));
        if (!line.empty())
            lines.push_back(line);
        if (end == std::string_view::npos)
            break;
        text.remove_prefix(end + 1);
    }
    return lines;
}

std::size_t countOutsideQuotes(std::string_view line, char wanted) {
    std::size_t count = 0;
    bool quoted = false;
    for (const char c : line) {
        if (c == '"')
            quoted = !quoted;
        count += c == wanted && !quoted;
    }
    return count;
}

// How many lines have the most frequent number (> 0) of delimiters; more delimiters a line break ties.
std::pair<std::size_t, std::size_t> agreement(const std::vector<std::string_view> &lines, char delimiter) {
    std::vector<std::size_t> counts;
    for (const std::string_view line : lines)
        if (const std::size_t n = countOutsideQuotes(line, delimiter); n > 0)
            counts.push_back(n);
    std::pair<std::size_t, std::size_t> best{0, 0};
    for (const std::size_t n : counts)
        best = std::max(best, {static_cast<std::size_t>(std::count(counts.begin(), counts.end(), n)), n});
    return best;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && blank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && blank(text.back()))
        text.remove_suffix(1);
    return text;
}

std::string lowered(std::string_view text) {
    std::string result(text);
    for (char &c : result)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    return result;
}

std::string validUtf8(std::string_view text) {
    if (isUtf8(text))
        return std::string(text);
    std::string result;
    for (const char c : text)
        appendUtf8(result, static_cast<unsigned char>(c));
    return result;
}

// A decimal comma makes as many commas as there are numbers in a row, so a semicolon or tab that splits as many
// lines wins.
char sniffDelimiter(std::string_view text) {
    const std::vector<std::string_view> lines = firstLines(text, 30);
    const std::array<char, 3> candidates{';', '\t', ','};
    char best = ',';
    std::size_t bestLines = 0;
    for (const char candidate : candidates) {
        const std::size_t agreeing = agreement(lines, candidate).first;
        if (agreeing > bestLines) {
            best = candidate;
            bestLines = agreeing;
        }
    }
    return best;
}

std::vector<std::vector<std::string>> headRows(std::span<const char> head, std::size_t rows,
                                               const TableReader::Style &style) {
    const auto input = Input::fromBytes(std::string(head.begin(), head.end()), "head");
    TableReader reader(*input, style);
    std::vector<std::vector<std::string>> result;
    TableRow row;
    while (result.size() < rows) {
        const Expected<bool> more = reader.next(row);
        if (!more || !*more)
            break;
        result.emplace_back(row.cells.begin(), row.cells.end());
    }
    return result;
}

}  // namespace wattproof::importers
