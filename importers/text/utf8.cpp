#include "importers/text/utf8.h"

namespace wattproof::importers {
namespace {

std::uint32_t byteAt(const char *at, int index) {
    return static_cast<unsigned char>(at[index]);
}

int lengthByLead(std::uint32_t lead) {
    if (lead < 0x80)
        return 1;
    if (lead >= 0xc2 && lead <= 0xdf)
        return 2;
    if (lead >= 0xe0 && lead <= 0xef)
        return 3;
    return lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
}

// The second byte's range is narrower after some leads: no overlong forms, no surrogates, nothing past U+10FFFF.
bool secondFits(std::uint32_t lead, std::uint32_t second) {
    const std::uint32_t low = lead == 0xe0 ? 0xa0 : (lead == 0xf0 ? 0x90 : 0x80);
    const std::uint32_t high = lead == 0xed ? 0x9f : (lead == 0xf4 ? 0x8f : 0xbf);
    return second >= low && second <= high;
}

}  // namespace

int utf8Length(const char *at, const char *end) {
    const std::uint32_t lead = byteAt(at, 0);
    const int length = lengthByLead(lead);
    if (length <= 1)
        return length;
    if (end - at < length || !secondFits(lead, byteAt(at, 1)))
        return 0;
    for (int i = 2; i < length; ++i)
        if ((byteAt(at, i) & 0xc0U) != 0x80)
            return 0;
    return length;
}

void appendUtf8(std::string &out, std::uint32_t codePoint) {
    if (codePoint < 0x80) {
        out += static_cast<char>(codePoint);
        return;
    }
    const int continuation = codePoint < 0x800 ? 1 : (codePoint < 0x10000 ? 2 : 3);
    const std::uint32_t lead = continuation == 1 ? 0xc0 : (continuation == 2 ? 0xe0 : 0xf0);
    out += static_cast<char>(lead | (codePoint >> (6U * static_cast<unsigned>(continuation))));
    for (int i = continuation - 1; i >= 0; --i)
        out += static_cast<char>(0x80U | ((codePoint >> (6U * static_cast<unsigned>(i))) & 0x3fU));
}

std::uint32_t hexValue(const char *hex) {
    std::uint32_t value = 0;
    for (int i = 0; i < 4; ++i) {
        const char c = hex[i];
        const int digit = c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
        value = value * 16 + static_cast<std::uint32_t>(digit);
    }
    return value;
}

bool isHighSurrogate(const char *hex) {
    return hexValue(hex) >> 10U == 0xd800U >> 10U;
}

bool isLowSurrogate(const char *hex) {
    return hexValue(hex) >> 10U == 0xdc00U >> 10U;
}

}  // namespace wattproof::importers
