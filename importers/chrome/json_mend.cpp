// Text out of tolerated JSON: what a string means, and proper JSON for what is to be stored.
#include "importers/chrome/json_text.h"
#include "importers/text/mended.h"
#include "importers/text/utf8.h"

#include <array>
#include <cctype>
#include <cstring>

namespace wattproof::importers::chrome {
namespace {

constexpr std::uint32_t kReplacement = 0xfffd;

bool isHex4(const char *at, const char *end) {
    if (end - at < 4)
        return false;
    for (int i = 0; i < 4; ++i)
        if (!std::isxdigit(static_cast<unsigned char>(at[i])))
            return false;
    return true;
}

// at: the 'u' of a \u escape with four digits behind it. Returns the bytes used from there.
int appendUnicode(std::string &out, const char *at, const char *end) {
    const std::uint32_t code = hexValue(at + 1);
    if (isHighSurrogate(at + 1)) {
        const bool paired =
            end - at >= 11 && at[5] == '\\' && at[6] == 'u' && isHex4(at + 7, end) && isLowSurrogate(at + 7);
        if (paired) {
            appendUtf8(out, 0x10000 + ((code - 0xd800) << 10U) + (hexValue(at + 7) - 0xdc00));
            return 11;
        }
    }
    appendUtf8(out, isHighSurrogate(at + 1) || isLowSurrogate(at + 1) ? kReplacement : code);
    return 5;
}

// at: the character after a backslash. Returns the bytes used from there; 0 when it begins no escape.
int appendEscape(std::string &out, const char *at, const char *end) {
    static constexpr char kNames[] = "\"\\/bfnrt";
    static constexpr char kMeanings[] = "\"\\/\b\f\n\r\t";
    if (at == end)
        return 0;
    if (*at == 'u' && isHex4(at + 1, end))
        return appendUnicode(out, at, end);
    const char *found = *at == '\0' ? nullptr : std::strchr(kNames, *at);
    if (!found)
        return 0;
    out += kMeanings[found - kNames];
    return 1;
}

void appendPlain(std::string &out, std::string_view raw) {
    const char *end = raw.data() + raw.size();
    for (const char *at = raw.data(); at != end;) {
        if (*at == '\\') {
            const int used = appendEscape(out, at + 1, end);
            if (used == 0)
                out += '\\';
            at += 1 + used;
            continue;
        }
        const int length = utf8Length(at, end);
        if (length == 0)
            appendUtf8(out, kReplacement);
        else
            out.append(at, static_cast<std::size_t>(length));
        at += length == 0 ? 1 : length;
    }
}

// Writes the tokens of a container again, each mended.
class Mender {
public:
    Mender(std::string &out, const RawValue &value) : out_(out), scanner_(value.data, value.data + value.size) {}

    void run() {
        for (scanner_.skipSpace(); !scanner_.atEnd(); scanner_.skipSpace())
            step();
    }

private:
    void step() {
        const char c = *scanner_.at();
        if (c == ',') {
            comma_ = true;
            return scanner_.skip();
        }
        // A comma is written when it is known what follows: stray ones are dropped.
        if (comma_ && c != ']' && c != '}')
            out_ += ',';
        comma_ = false;
        if (c == '{' || c == '[' || c == ']' || c == '}' || c == ':') {
            out_ += c;
            return scanner_.skip();
        }
        RawValue scalar;
        if (scanner_.value(scalar) != Scan::Ok)
            return scanner_.skip();  // cannot be: the text was scanned before
        appendJson(out_, scalar);
    }

    std::string &out_;
    Scanner scanner_;
    bool comma_ = false;
};

}  // namespace

std::string_view plainText(const RawValue &value, std::string &scratch) {
    if (!value.escaped && !value.odd)
        return value.text();
    if (value.kind != ValueKind::String)
        return scratch = mendedText(value.text());
    scratch.clear();
    appendPlain(scratch, value.text());
    return scratch;
}

void appendJson(std::string &out, const RawValue &value) {
    switch (value.kind) {
        case ValueKind::Missing:
        case ValueKind::Unknown:
            out += "null";
            return;
        case ValueKind::String:
            if (!value.odd) {
                out.append(value.data - 1, value.size + 2);
                return;
            }
            {
                std::string plain;
                appendPlain(plain, value.text());
                return appendQuoted(out, plain);
            }
        case ValueKind::Object:
        case ValueKind::Array:
            if (value.odd)
                return Mender(out, value).run();
            [[fallthrough]];
        default:
            out.append(value.data, value.size);
    }
}

}  // namespace wattproof::importers::chrome
