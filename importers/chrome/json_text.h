// A tolerant reader of JSON text inside a buffer: finds where values begin and end, checks them, and notes what is
// not proper JSON but whose meaning is clear (NaN, bare words, stray backslashes, bytes that are not UTF-8).
// Nothing is allocated; depth is bounded.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace wattproof::importers::chrome {

inline constexpr int kMaxDepth = 256;

enum class Scan : std::uint8_t {
    Ok,
    Incomplete,  // the buffer ends before the value does
    Bad          // not JSON, not even by the tolerance here
};

enum class Oddity : std::uint8_t {
    NonfiniteNumber,
    Bareword,
    InvalidEscape,
    ControlCharacter,
    InvalidUtf8,
    LoneSurrogate,
    StrayComma
};
inline constexpr std::size_t kOddities = 7;
[[nodiscard]] std::string_view warningKind(Oddity);
[[nodiscard]] std::string_view explanation(Oddity);

// What was odd in the text scanned so far. Counts values (strings, tokens), not bytes.
struct Oddities {
    std::array<std::uint32_t, kOddities> counts{};
    [[nodiscard]] bool any() const { return total > 0; }
    void note(Oddity oddity) {
        ++counts[static_cast<std::size_t>(oddity)];
        ++total;
    }
    std::uint32_t total = 0;
};

enum class ValueKind : std::uint8_t { Missing, String, Number, True, False, Null, Unknown, Object, Array };

// A value as it stands in the buffer. Strings without their quotes; Unknown is NaN, Infinity or a bare word.
struct RawValue {
    const char *data = nullptr;
    std::size_t size = 0;
    ValueKind kind = ValueKind::Missing;
    bool escaped = false;  // a string with backslashes
    bool odd = false;      // holds something that is not proper JSON, here or deeper

    [[nodiscard]] std::string_view text() const { return {data, size}; }
    [[nodiscard]] bool present() const { return kind != ValueKind::Missing && kind != ValueKind::Null; }
};

[[nodiscard]] constexpr bool isSpace(char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

// What nearly all text is made of is scanned inline; the rest, where damage is told from oddity, in the .cpp file.
class Scanner {
public:
    Scanner(const char *at, const char *end) : at_(at), end_(end) {}

    [[nodiscard]] const char *at() const { return at_; }
    [[nodiscard]] bool atEnd() const { return at_ == end_; }
    void skip() { ++at_; }
    void skipSpace() {
        while (at_ != end_ && isSpace(*at_))
            ++at_;
    }
    // One character that must stand here (after space).
    [[nodiscard]] Scan expect(char wanted) {
        skipSpace();
        if (atEnd())
            return Scan::Incomplete;
        if (*at_ != wanted)
            return Scan::Bad;
        ++at_;
        return Scan::Ok;
    }
    // After a value inside a container: a comma (true) or the closer (false). Stray commas are noted and skipped.
    // Ok leaves the scanner at what follows the comma and its space.
    [[nodiscard]] Scan separator(char closer, bool &more) {
        if (!atEnd() && *at_ == ',') {
            const char *next = at_ + 1;
            while (next != end_ && isSpace(*next))
                ++next;
            if (next != end_ && *next != ',' && *next != closer) {
                at_ = next;
                more = true;
                return Scan::Ok;
            }
        } else if (!atEnd() && *at_ == closer) {
            ++at_;
            more = false;
            return Scan::Ok;
        }
        return oddSeparator(closer, more);
    }
    // Any value, checked to its end. A number or word that touches the buffer's end is incomplete.
    [[nodiscard]] Scan value(RawValue &);
    [[nodiscard]] Scan string(RawValue &);

    Oddities oddities;

private:
    [[nodiscard]] Scan oddSeparator(char closer, bool &more);
    [[nodiscard]] Scan stringSpecial(RawValue &, std::uint32_t &noted);
    [[nodiscard]] Scan escape(RawValue &, std::uint32_t &noted);
    [[nodiscard]] Scan unicodeEscape(RawValue &, std::uint32_t &noted);
    [[nodiscard]] Scan utf8(RawValue &, std::uint32_t &noted);
    [[nodiscard]] Scan token(RawValue &);
    [[nodiscard]] Scan oddToken(RawValue &);
    // The containers that are open, as the characters that close them.
    struct Nest {
        std::array<char, kMaxDepth> closers;
        int depth = 0;
        [[nodiscard]] char closer() const { return closers[static_cast<std::size_t>(depth - 1)]; }
    };
    [[nodiscard]] Scan container(RawValue &);
    [[nodiscard]] Scan open(Nest &);
    [[nodiscard]] Scan member(Nest &);
    [[nodiscard]] Scan memberKey();
    [[nodiscard]] Scan afterValue(Nest &);
    void oddInString(RawValue &, std::uint32_t &noted, Oddity);

    const char *at_;
    const char *end_;
};

// The text that a string value means: escapes resolved, bad bytes as U+FFFD, bad escapes kept as they are.
// A view of the buffer where nothing had to be changed, else of `scratch`.
[[nodiscard]] std::string_view plainText(const RawValue &, std::string &scratch);

// Appends proper JSON for any value: unknown numbers become null, text is mended.
void appendJson(std::string &out, const RawValue &);

}  // namespace wattproof::importers::chrome
