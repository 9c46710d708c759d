#include "importers/text/mended.h"

#include "importers/text/utf8.h"

#include <algorithm>

namespace wattproof::importers {
namespace {

bool isAscii(std::string_view text) {
    return std::none_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
}

}  // namespace

std::string_view mended(std::string_view text, std::string &scratch) {
    if (isAscii(text))
        return text;
    scratch.clear();
    const char *const end = text.data() + text.size();
    for (const char *at = text.data(); at != end;) {
        const int length = utf8Length(at, end);
        scratch.append(length > 0 ? std::string_view(at, static_cast<std::size_t>(length)) : "\xef\xbf\xbd");
        at += std::max(length, 1);
    }
    return scratch;
}

std::string mendedText(std::string_view text) {
    std::string scratch;
    return std::string(mended(text, scratch));
}

void appendQuoted(std::string &out, std::string_view text) {
    static constexpr char kDigits[] = "0123456789abcdef";
    out += '"';
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            out += "\\u00";
            out += kDigits[static_cast<unsigned char>(c) >> 4U];
            out += kDigits[static_cast<unsigned char>(c) & 15U];
        } else {
            out += c;
        }
    }
    out += '"';
}

void appendMended(std::string &out, std::string_view text) {
    std::string scratch;
    appendQuoted(out, mended(text, scratch));
}

}  // namespace wattproof::importers
