#include "tests/simulator/json_text.h"

#include <array>
#include <charconv>
#include <cmath>

namespace wattproof::simulator {

namespace {

void appendPadded(std::string &out, std::int64_t value, int digits) {
    std::array<char, 20> buffer{};
    const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    const auto length = static_cast<int>(end - buffer.data());
    if (length < digits)
        out.append(static_cast<std::size_t>(digits - length), '0');
    out.append(buffer.data(), end);
}

}  // namespace

void appendInteger(std::string &out, std::int64_t value) {
    std::array<char, 24> buffer{};
    const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    out.append(buffer.data(), end);
}

void appendMicroseconds(std::string &out, Ns ns) {
    if (ns < 0) {
        out += '-';
        ns = -ns;
    }
    appendInteger(out, ns / 1000);
    out += '.';
    appendPadded(out, ns % 1000, 3);
}

void appendFixed(std::string &out, double value, int decimals) {
    std::int64_t scale = 1;
    for (int digit = 0; digit < decimals; ++digit)
        scale *= 10;
    const std::int64_t scaled = std::llround(std::abs(value) * static_cast<double>(scale));
    if (value < 0 && scaled > 0)
        out += '-';
    appendInteger(out, scaled / scale);
    if (decimals == 0)
        return;
    out += '.';
    appendPadded(out, scaled % scale, decimals);
}

std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            out += '\\';
        out += c;
    }
    return out + '"';
}

}  // namespace wattproof::simulator
