// Rows of a delimited text file, streamed through one reused buffer.
//
// Handles comma, tab and semicolon, quotes ("" inside quotes is one), LF, CRLF and CR-less last lines, a UTF-8
// byte order mark, UTF-16 with a byte order mark, blank lines and NUL bytes. A line break always ends a row, also
// inside quotes: power logs have none there, and an unpaired quote must not swallow the rest of the file.
#pragma once

#include "importers/input/input.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wattproof::importers {

struct TableRow {
    std::span<const std::string_view> cells;  // blanks around them removed; valid until the next call
    std::string_view text;                    // the whole line
    std::uint64_t line = 0;                   // of the file, from 1
    std::uint64_t offset = 0;                 // bytes of text before it, a byte order mark not counted
    bool hadNul = false;                      // NUL bytes were removed from it: a damaged place
    bool marked = false;                      // the reader's mark was removed from its front
    bool endsWithNewline = true;              // false only for the last line of a file that does not end with one
};

class TableReader {
public:
    static constexpr std::size_t kMaxLine = std::size_t{1} << 20U;

    // A blank as delimiter: tabs where a line has any, else runs of blanks. mark: a character that may stand before a
    // header ("# gpu pwr"); 0: none. wholeLines: a line is one cell, as it stands.
    struct Style {
        char delimiter = 0;  // 0: found from the first lines
        char mark = 0;
        std::size_t firstWords = 1;  // of an unmarked line of runs of blanks: as many make its first cell ("GPU 0")
        bool wholeLines = false;
    };
    explicit TableReader(Input &input, char delimiter = 0) : TableReader(input, Style{delimiter, 0, 1, false}) {}
    TableReader(Input &input, const Style &style);

    // The next row that is not blank; false at the end of the input.
    [[nodiscard]] Expected<bool> next(TableRow &row);

    [[nodiscard]] char delimiter() const { return delimiter_; }
    [[nodiscard]] std::uint64_t longLines() const { return longLines_; }  // lines above kMaxLine: skipped
    [[nodiscard]] std::uint64_t firstLongLine() const { return firstLongLine_; }

private:
    [[nodiscard]] Expected<bool> fill();
    [[nodiscard]] Expected<bool> nextLine(std::string_view &line, bool &newline);
    [[nodiscard]] Expected<void> skipLongLine();
    void appendUtf16(std::span<const char> bytes);
    void split(std::span<char> line, bool marked);
    void splitAtBlanks(std::string_view line, std::size_t firstWords);
    char *closeQuote(char *at, char *end, std::string_view &cell);

    Input &input_;
    std::string buffer_;  // UTF-8; [begin_, buffer_.size()) is not handed out yet
    std::size_t begin_ = 0;
    std::vector<char> chunk_;
    std::vector<std::string_view> cells_;
    std::string pending_;  // half a UTF-16 unit or surrogate pair
    std::uint64_t line_ = 0;
    std::uint64_t dropped_ = 0;  // bytes of text that left the buffer
    std::uint64_t longLines_ = 0, firstLongLine_ = 0;
    char delimiter_ = 0;
    Style style_;
    enum class Encoding : std::uint8_t { Utf8, Utf16Le, Utf16Be } encoding_ = Encoding::Utf8;
    bool atStart_ = true, atEnd_ = false;
};

// The delimiter that splits the lines of a text into the same number of cells, more than one, most often; comma
// when none.
[[nodiscard]] char sniffDelimiter(std::string_view text);

// The first rows of the head of a file, split, for probes; UTF-16 and marks removed.
[[nodiscard]] std::vector<std::vector<std::string>> headRows(std::span<const char> head, std::size_t rows,
                                                             const TableReader::Style &style = {});

// The text of a cell as UTF-8: what is none is read as ISO 8859-1. Tables alone are treated so: what writes them on
// Windows uses that code page for the signs of degree and micro, so the whole cell is of it. A trace holds names
// from anywhere, and an odd byte there is damage: importers/text/mended.h shows it as such.
[[nodiscard]] std::string validUtf8(std::string_view text);

[[nodiscard]] std::string_view trimmed(std::string_view text);
[[nodiscard]] std::string lowered(std::string_view text);

}  // namespace wattproof::importers
