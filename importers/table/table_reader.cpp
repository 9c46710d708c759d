#include "importers/table/table_reader.h"

#include <algorithm>
#include <cstring>

namespace wattproof::importers {
namespace {

constexpr std::size_t kChunk = std::size_t{256} << 10U;

void appendUtf8(std::string &out, char32_t c) {
    const auto byte = [&](char32_t value) { out += static_cast<char>(static_cast<unsigned char>(value)); };
    if (c < 0x80) {
        byte(c);
    } else if (c < 0x800) {
        byte(0xC0U | (c >> 6U));
        byte(0x80U | (c & 0x3FU));
    } else if (c < 0x10000) {
        byte(0xE0U | (c >> 12U));
        byte(0x80U | ((c >> 6U) & 0x3FU));
        byte(0x80U | (c & 0x3FU));
    } else {
        byte(0xF0U | (c >> 18U));
        byte(0x80U | ((c >> 12U) & 0x3FU));
        byte(0x80U | ((c >> 6U) & 0x3FU));
        byte(0x80U | (c & 0x3FU));
    }
}

bool isHighSurrogate(char32_t unit) {
    return unit >= 0xD800 && unit < 0xDC00;
}
bool isLowSurrogate(char32_t unit) {
    return unit >= 0xDC00 && unit < 0xE000;
}

}  // namespace

TableReader::TableReader(Input &input, const Style &style)
    : input_(input), chunk_(kChunk), delimiter_(style.delimiter), style_(style) {}

void TableReader::appendUtf16(std::span<const char> bytes) {
    pending_.append(bytes.data(), bytes.size());
    const bool little = encoding_ == Encoding::Utf16Le;
    const auto unitAt = [&](std::size_t i) {
        const auto a = static_cast<unsigned char>(pending_[i]);
        const auto b = static_cast<unsigned char>(pending_[i + 1]);
        return static_cast<char32_t>(little ? a | (b << 8U) : b | (a << 8U));
    };
    std::size_t i = 0;
    while (i + 2 <= pending_.size()) {
        const char32_t unit = unitAt(i);
        if (isHighSurrogate(unit)) {
            if (i + 4 > pending_.size())
                break;
            const char32_t low = unitAt(i + 2);
            const bool pair = isLowSurrogate(low);
            appendUtf8(buffer_, pair ? 0x10000 + ((unit - 0xD800) << 10U) + (low - 0xDC00) : char32_t{0xFFFD});
            i += pair ? 4 : 2;
            continue;
        }
        appendUtf8(buffer_, isLowSurrogate(unit) ? char32_t{0xFFFD} : unit);
        i += 2;
    }
    pending_.erase(0, i);
}

// Adds a chunk to the buffer; false when the input has ended.
Expected<bool> TableReader::fill() {
    if (atEnd_)
        return false;
    dropped_ += begin_;
    buffer_.erase(0, begin_);
    begin_ = 0;
    const Expected<std::size_t> got = input_.read(chunk_);
    if (!got)
        return tl::unexpected<Error>(got.error());
    atEnd_ = *got == 0;
    std::span<const char> bytes(chunk_.data(), *got);
    if (atStart_ && !atEnd_) {
        atStart_ = false;
        const std::string_view mark(bytes.data(), std::min<std::size_t>(bytes.size(), 3));
        if (mark.starts_with("\xFF\xFE") || mark.starts_with("\xFE\xFF")) {
            encoding_ = mark[0] == '\xFF' ? Encoding::Utf16Le : Encoding::Utf16Be;
            bytes = bytes.subspan(2);
        } else if (mark == "\xEF\xBB\xBF") {
            bytes = bytes.subspan(3);
        }
    }
    if (encoding_ == Encoding::Utf8)
        buffer_.append(bytes.data(), bytes.size());
    else
        appendUtf16(bytes);
    return !atEnd_;
}

Expected<void> TableReader::skipLongLine() {
    if (longLines_++ == 0)
        firstLongLine_ = line_ + 1;
    for (;;) {
        const std::size_t end = buffer_.find('\n', begin_);
        if (end != std::string::npos) {
            begin_ = end + 1;
            ++line_;
            return {};
        }
        begin_ = buffer_.size();
        Expected<bool> more = fill();
        if (!more)
            return passOn(more);
        if (!*more)
            return {};
    }
}

Expected<bool> TableReader::nextLine(std::string_view &line, bool &newline) {
    std::size_t searched = begin_;
    for (;;) {
        const std::size_t end = buffer_.find('\n', searched);
        if (end != std::string::npos || (atEnd_ && begin_ < buffer_.size())) {
            newline = end != std::string::npos;
            const std::size_t stop = newline ? end : buffer_.size();
            line = std::string_view(buffer_).substr(begin_, stop - begin_);
            begin_ = newline ? stop + 1 : stop;
            ++line_;
            return true;
        }
        if (atEnd_)
            return false;
        if (buffer_.size() - begin_ > kMaxLine) {
            if (Expected<void> skipped = skipLongLine(); !skipped)
                return passOn(skipped);
            searched = begin_;
            continue;
        }
        const std::size_t unread = buffer_.size() - begin_;
        if (Expected<bool> more = fill(); !more)
            return passOn(more);
        searched = begin_ + unread;
    }
}

// Reads the quoted cell that begins after the quote at `at`, removing doubled quotes in place; returns where it
// stopped.
char *TableReader::closeQuote(char *at, char *end, std::string_view &cell) {
    char *begin = at;
    char *out = at;
    while (at < end && !(*at == '"' && (at + 1 == end || at[1] != '"'))) {
        if (*at == '"')
            ++at;
        *out++ = *at++;
    }
    cell = {begin, static_cast<std::size_t>(out - begin)};
    return at < end ? at + 1 : end;
}

void TableReader::splitAtBlanks(std::string_view line, std::size_t firstWords) {
    constexpr std::string_view kBlanks = " \t";
    std::size_t words = 0;
    for (line = trimmed(line); !line.empty(); ++words) {
        const std::size_t stop = std::min(line.find_first_of(kBlanks), line.size());
        const std::string_view word = line.substr(0, stop);
        if (words == 0 || words >= firstWords)
            cells_.push_back(word);
        else
            cells_[0] = {cells_[0].data(), static_cast<std::size_t>(word.data() + word.size() - cells_[0].data())};
        line = trimmed(line.substr(stop));
    }
    if (cells_.empty())
        cells_.push_back(line);
}

void TableReader::split(std::span<char> line, bool marked) {
    cells_.clear();
    const std::string_view text(line.data(), line.size());
    if (style_.wholeLines)
        return cells_.push_back(text);
    if (delimiter_ == ' ' && text.find('\t') == std::string_view::npos)
        return splitAtBlanks(text, marked ? 1 : style_.firstWords);
    const char delimiter = delimiter_ == ' ' ? '\t' : delimiter_;
    char *at = line.data();
    char *const end = at + line.size();
    for (;;) {
        while (at < end && *at == ' ')
            ++at;
        std::string_view cell;
        bool quoted = at < end && *at == '"';
        if (quoted)
            at = closeQuote(at + 1, end, cell);
        char *const stop = std::find(at, end, delimiter);
        cells_.push_back(quoted ? cell : trimmed({at, static_cast<std::size_t>(stop - at)}));
        if (stop == end)
            return;
        at = stop + 1;
    }
}

Expected<bool> TableReader::next(TableRow &row) {
    if (delimiter_ == 0 && !style_.wholeLines) {
        while (buffer_.size() - begin_ < kChunk / 4 && !atEnd_)
            if (Expected<bool> more = fill(); !more)
                return passOn(more);
        delimiter_ = sniffDelimiter(std::string_view(buffer_).substr(begin_));
    }
    for (;;) {
        std::string_view line;
        bool newline = true;
        Expected<bool> more = nextLine(line, newline);
        if (!more || !*more)
            return more;
        char *data = buffer_.data() + (line.data() - buffer_.data());
        std::size_t size = line.size();
        row.hadNul = std::memchr(data, 0, size) != nullptr;
        if (row.hadNul)
            size = static_cast<std::size_t>(std::remove(data, data + size, '\0') - data);
        row.text = {data, size};
        if (trimmed(row.text).empty() && !row.hadNul)
            continue;
        if (size > 0 && data[size - 1] == '\r')
            row.text = {data, --size};
        const std::size_t blanks = std::min(row.text.find_first_not_of(" \t"), size);
        row.marked = style_.mark != 0 && blanks < size && data[blanks] == style_.mark;
        const std::size_t skipped = row.marked ? blanks + 1 : 0;
        split({data + skipped, size - skipped}, row.marked);
        row.cells = cells_;
        row.line = line_;
        row.offset = dropped_ + static_cast<std::uint64_t>(data - buffer_.data());
        row.endsWithNewline = newline;
        return true;
    }
}

}  // namespace wattproof::importers
