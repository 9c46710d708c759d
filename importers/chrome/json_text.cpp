#include "importers/chrome/json_text.h"

#include <cctype>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "importers/text/utf8.h"

namespace wattproof::importers::chrome {
namespace {

// The first byte that a string scan must look at: a quote, a backslash, a control character or a byte beyond
// ASCII.
const char *findSpecial(const char *at, const char *end) {
#if defined(__SSE2__)
    const __m128i quote = _mm_set1_epi8('"');
    const __m128i slash = _mm_set1_epi8('\\');
    const __m128i space = _mm_set1_epi8(' ');
    while (end - at >= 16) {
        const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i *>(at));
        // Signed comparison: bytes from 0x80 on are negative, hence below the space as well.
        const __m128i special =
            _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(block, quote), _mm_cmpeq_epi8(block, slash)),
                         _mm_cmplt_epi8(block, space));
        const int mask = _mm_movemask_epi8(special);
        if (mask != 0)
            return at + __builtin_ctz(static_cast<unsigned>(mask));
        at += 16;
    }
#endif
    while (at != end && *at != '"' && *at != '\\' && static_cast<signed char>(*at) >= ' ')
        ++at;
    return at;
}

constexpr std::array<bool, 256> tokenEnds() {
    std::array<bool, 256> ends{};
    for (const char c : {',', ']', '}', ':', '"', '{', '[', ' ', '\n', '\r', '\t'})
        ends[static_cast<unsigned char>(c)] = true;
    return ends;
}

bool endsToken(char c) {
    static constexpr std::array<bool, 256> kEnds = tokenEnds();
    return kEnds[static_cast<unsigned char>(c)];
}

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

std::size_t digits(std::string_view text, std::size_t from) {
    std::size_t count = 0;
    while (from + count < text.size() && isDigit(text[from + count]))
        ++count;
    return count;
}

// The grammar of JSON numbers.
bool isNumber(std::string_view text) {
    std::size_t at = text.starts_with('-') ? 1 : 0;
    const std::size_t whole = digits(text, at);
    if (whole == 0 || (whole > 1 && text[at] == '0'))
        return false;
    at += whole;
    if (at < text.size() && text[at] == '.') {
        const std::size_t fraction = digits(text, at + 1);
        if (fraction == 0)
            return false;
        at += 1 + fraction;
    }
    if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
        ++at;
        if (at < text.size() && (text[at] == '+' || text[at] == '-'))
            ++at;
        const std::size_t exponent = digits(text, at);
        if (exponent == 0)
            return false;
        at += exponent;
    }
    return at == text.size();
}

bool equalsIgnoringCase(std::string_view text, std::string_view lower) {
    if (text.size() != lower.size())
        return false;
    for (std::size_t i = 0; i < text.size(); ++i)
        if (std::tolower(static_cast<unsigned char>(text[i])) != lower[i])
            return false;
    return true;
}

// NaN and the infinities as C, C++, Python, JavaScript and Windows print them.
bool isNonfinite(std::string_view text) {
    if (text.starts_with('-') || text.starts_with('+'))
        text.remove_prefix(1);
    if (text.starts_with("1.#"))
        return true;
    if (text.size() > 3 && text[3] == '(')
        text = text.substr(0, 3);
    return equalsIgnoringCase(text, "nan") || equalsIgnoringCase(text, "inf") ||
           equalsIgnoringCase(text, "infinity");
}

ValueKind literalKind(std::string_view text) {
    if (text == "true")
        return ValueKind::True;
    if (text == "false")
        return ValueKind::False;
    return text == "null" ? ValueKind::Null : ValueKind::Unknown;
}

bool isHex(const char *at) {
    return std::isxdigit(static_cast<unsigned char>(at[0])) && std::isxdigit(static_cast<unsigned char>(at[1])) &&
           std::isxdigit(static_cast<unsigned char>(at[2])) && std::isxdigit(static_cast<unsigned char>(at[3]));
}

}  // namespace

std::string_view warningKind(Oddity oddity) {
    constexpr std::array<std::string_view, kOddities> kKinds{"nonfinite_number",  "bareword",     "invalid_escape",
                                                             "control_character", "invalid_utf8", "lone_surrogate",
                                                             "stray_comma"};
    return kKinds[static_cast<std::size_t>(oddity)];
}

std::string_view explanation(Oddity oddity) {
    constexpr std::array<std::string_view, kOddities> kSentences{
        "NaN and infinite numbers are not JSON; they were read as unknown values.",
        "Bare words where a value should stand were read as unknown values.",
        "Backslashes that begin no escape were kept as they are.",
        "Control characters inside strings were kept.",
        "Bytes that are not UTF-8 were replaced by U+FFFD.",
        "Halves of a surrogate pair were replaced by U+FFFD.",
        "Commas that separate nothing were skipped."};
    return kSentences[static_cast<std::size_t>(oddity)];
}

// Counts a kind of oddity once a string.
void Scanner::oddInString(RawValue &value, std::uint32_t &noted, Oddity oddity) {
    const std::uint32_t bit = 1U << static_cast<unsigned>(oddity);
    value.odd = true;
    if ((noted & bit) == 0)
        oddities.note(oddity);
    noted |= bit;
}

Scan Scanner::unicodeEscape(RawValue &value, std::uint32_t &noted) {
    if (end_ - at_ < 6)
        return Scan::Incomplete;
    if (!isHex(at_ + 2)) {
        oddInString(value, noted, Oddity::InvalidEscape);
        at_ += 2;
        return Scan::Ok;
    }
    if (!isHighSurrogate(at_ + 2) && !isLowSurrogate(at_ + 2)) {
        at_ += 6;
        return Scan::Ok;
    }
    // Whether the other half follows shows with the first byte that is not its beginning.
    const bool mayPair = end_ - at_ < 7 || (at_[6] == '\\' && (end_ - at_ < 8 || at_[7] == 'u'));
    if (mayPair && end_ - at_ < 12)
        return Scan::Incomplete;
    const bool paired = mayPair && isHighSurrogate(at_ + 2) && at_[6] == '\\' && at_[7] == 'u' && isHex(at_ + 8) &&
                        isLowSurrogate(at_ + 8);
    if (!paired)
        oddInString(value, noted, Oddity::LoneSurrogate);
    at_ += paired ? 12 : 6;
    return Scan::Ok;
}

Scan Scanner::escape(RawValue &value, std::uint32_t &noted) {
    if (end_ - at_ < 2)
        return Scan::Incomplete;
    value.escaped = true;
    if (at_[1] == 'u')
        return unicodeEscape(value, noted);
    if (!std::strchr("\"\\/bfnrt", at_[1]) || at_[1] == '\0') {
        oddInString(value, noted, Oddity::InvalidEscape);
        ++at_;  // what follows the backslash is read for itself: it may be a control character
        return Scan::Ok;
    }
    at_ += 2;
    return Scan::Ok;
}

Scan Scanner::utf8(RawValue &value, std::uint32_t &noted) {
    const int length = utf8Length(at_, end_);
    if (length == 0)
        oddInString(value, noted, Oddity::InvalidUtf8);
    at_ += length == 0 ? 1 : length;
    return Scan::Ok;
}

Scan Scanner::stringSpecial(RawValue &value, std::uint32_t &noted) {
    if (*at_ == '\\')
        return escape(value, noted);
    if (static_cast<unsigned char>(*at_) >= 0x80)
        return utf8(value, noted);
    oddInString(value, noted, Oddity::ControlCharacter);
    ++at_;
    return Scan::Ok;
}

Scan Scanner::string(RawValue &value) {
    value = {at_ + 1, 0, ValueKind::String, false, false};
    std::uint32_t noted = 0;
    for (++at_;;) {
        at_ = findSpecial(at_, end_);
        if (at_ == end_)
            return Scan::Incomplete;
        if (*at_ == '"')
            break;
        if (const Scan scan = stringSpecial(value, noted); scan != Scan::Ok)
            return scan;
    }
    value.size = static_cast<std::size_t>(at_ - value.data);
    ++at_;
    return Scan::Ok;
}

// Plain decimal numbers, which most tokens are; whatever else it is, oddToken finds out.
Scan Scanner::token(RawValue &value) {
    const char *at = at_;
    const auto skipDigits = [this, &at] {
        const char *from = at;
        while (at != end_ && isDigit(*at))
            ++at;
        return at - from;
    };
    if (at != end_ && *at == '-')
        ++at;
    const bool zero = at != end_ && *at == '0';
    const auto whole = skipDigits();
    bool plain = whole == 1 || (whole > 1 && !zero);
    if (plain && at != end_ && *at == '.') {
        ++at;
        plain = skipDigits() > 0;
    }
    if (!plain || at == end_ || !endsToken(*at))
        return oddToken(value);
    value = {at_, static_cast<std::size_t>(at - at_), ValueKind::Number, false, false};
    at_ = at;
    return Scan::Ok;
}

Scan Scanner::oddToken(RawValue &value) {
    const char *begin = at_;
    while (at_ != end_ && !endsToken(*at_))
        ++at_;
    if (at_ == end_)
        return Scan::Incomplete;
    value = {begin, static_cast<std::size_t>(at_ - begin), ValueKind::Number, false, false};
    if (value.size == 0)
        return Scan::Bad;
    const std::string_view text = value.text();
    if (isNumber(text))
        return Scan::Ok;
    value.kind = literalKind(text);
    if (value.kind != ValueKind::Unknown)
        return Scan::Ok;
    oddities.note(isNonfinite(text) ? Oddity::NonfiniteNumber : Oddity::Bareword);
    value.odd = true;
    return Scan::Ok;
}

Scan Scanner::oddSeparator(char closer, bool &more) {
    more = false;
    for (;;) {
        skipSpace();
        if (atEnd())
            return Scan::Incomplete;
        if (*at_ == closer || *at_ != ',') {
            const bool closes = *at_ == closer;
            if (closes && more)
                oddities.note(Oddity::StrayComma);
            at_ += closes ? 1 : 0;
            const Scan scan = closes || more ? Scan::Ok : Scan::Bad;
            more = more && !closes;
            return scan;
        }
        if (more)
            oddities.note(Oddity::StrayComma);
        more = true;
        ++at_;
    }
}

// Leaves the nest empty when the outermost container is closed.
Scan Scanner::afterValue(Nest &nest) {
    while (nest.depth > 0) {
        bool more = false;
        if (const Scan scan = separator(nest.closer(), more); scan != Scan::Ok)
            return scan;
        if (more)
            return Scan::Ok;
        --nest.depth;
    }
    return Scan::Ok;
}

Scan Scanner::open(Nest &nest) {
    if (nest.depth == kMaxDepth)
        return Scan::Bad;
    nest.closers[static_cast<std::size_t>(nest.depth++)] = *at_ == '{' ? '}' : ']';
    ++at_;
    skipSpace();
    if (atEnd())
        return Scan::Incomplete;
    return *at_ == nest.closer() ? afterValue(nest) : Scan::Ok;
}

Scan Scanner::memberKey() {
    skipSpace();
    if (atEnd())
        return Scan::Incomplete;
    RawValue key;
    if (*at_ != '"')
        return Scan::Bad;
    if (const Scan scan = string(key); scan != Scan::Ok)
        return scan;
    return expect(':');
}

Scan Scanner::member(Nest &nest) {
    if (nest.closer() == '}')
        if (const Scan scan = memberKey(); scan != Scan::Ok)
            return scan;
    skipSpace();
    if (atEnd())
        return Scan::Incomplete;
    if (*at_ == '{' || *at_ == '[')
        return open(nest);
    RawValue scalar;
    const Scan scan = *at_ == '"' ? string(scalar) : token(scalar);
    return scan == Scan::Ok ? afterValue(nest) : scan;
}

Scan Scanner::container(RawValue &value) {
    value = {at_, 0, *at_ == '{' ? ValueKind::Object : ValueKind::Array, false, false};
    const std::uint32_t odditiesBefore = oddities.total;
    Nest nest;
    Scan scan = open(nest);
    while (scan == Scan::Ok && nest.depth > 0)
        scan = member(nest);
    value.size = static_cast<std::size_t>(at_ - value.data);
    value.odd = oddities.total != odditiesBefore;
    return scan;
}

Scan Scanner::value(RawValue &value) {
    skipSpace();
    if (atEnd())
        return Scan::Incomplete;
    if (*at_ == '"')
        return string(value);
    return *at_ == '{' || *at_ == '[' ? container(value) : token(value);
}

}  // namespace wattproof::importers::chrome
