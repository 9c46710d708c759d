#include "importers/power/header_words.h"

#include "importers/table/quantity_text.h"
#include "importers/table/table_reader.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace wattproof::importers {
namespace {

struct UnitWord {
    std::string_view word, unit;
};
constexpr std::array kUnitWords = {
    UnitWord{"w", "W"},     UnitWord{"mw", "mW"},    UnitWord{"uw", "uW"},  UnitWord{"kw", "kW"},   UnitWord{"watt", "W"},
    UnitWord{"watts", "W"}, UnitWord{"j", "J"},      UnitWord{"mj", "mJ"},  UnitWord{"uj", "uJ"},   UnitWord{"kj", "kJ"},
    UnitWord{"wh", "Wh"},   UnitWord{"kwh", "kWh"},  UnitWord{"mwh", "mWh"}, UnitWord{"c", "C"},    UnitWord{"celsius", "C"},
    UnitWord{"degc", "C"},  UnitWord{"mhz", "MHz"},  UnitWord{"ghz", "GHz"}, UnitWord{"khz", "kHz"}, UnitWord{"hz", "Hz"},
    UnitWord{"pct", "%"},   UnitWord{"percent", "%"}, UnitWord{"v", "V"},   UnitWord{"mv", "mV"},   UnitWord{"a", "A"},
    UnitWord{"ma", "mA"},   UnitWord{"amps", "A"},   UnitWord{"volts", "V"}, UnitWord{"joules", "J"}, UnitWord{"rpm", "RPM"},
};

}  // namespace

std::vector<std::string> wordsOf(std::string_view header) {
    std::vector<std::string> words;
    std::string word;
    char before = 0;
    for (const char c : std::string(header) + " ") {
        const bool letter = std::isalnum(static_cast<unsigned char>(c)) != 0 || static_cast<unsigned char>(c) >= 0x80;
        const bool hump = std::islower(static_cast<unsigned char>(before)) != 0 && std::isupper(static_cast<unsigned char>(c)) != 0;
        if ((!letter || hump) && !word.empty()) {
            words.push_back(lowered(word));
            word.clear();
        }
        if (letter)
            word += c;
        before = c;
    }
    return words;
}

bool hasWord(const std::vector<std::string> &words, std::initializer_list<std::string_view> wanted) {
    return std::any_of(words.begin(), words.end(), [&](const std::string &word) {
        return std::any_of(wanted.begin(), wanted.end(), [&](std::string_view w) { return word == w; });
    });
}

bool hasPart(const std::string &text, std::initializer_list<std::string_view> wanted) {
    return std::any_of(wanted.begin(), wanted.end(), [&](std::string_view w) { return text.find(w) != std::string::npos; });
}

std::string quantityOfUnit(const std::string &unit) {
    const auto scale = unit.empty() ? std::nullopt : unitScale(unit);
    if (!scale)
        return {};
    return scale->unit == "W"      ? "power"
           : scale->unit == "J"    ? "energy"
           : scale->unit == "degC" ? "temperature"
           : scale->unit == "Hz"   ? "clock"
           : scale->unit == "V"    ? "voltage"
           : scale->unit == "A"    ? "current"
           : unit == "%"           ? "utilisation"
                                   : "";
}

std::string quantityOfName(const std::string &lower, const std::vector<std::string> &words) {
    if (hasPart(lower, {"limit", "cap"}) && hasPart(lower, {"power", "watt"}))
        return "limit";
    if (hasPart(lower, {"energy", "joule", "kwh"}))
        return "energy";
    if (hasPart(lower, {"power", "watt", "leistung"}) || hasWord(words, {"pwr", "draw"}))
        return "power";
    if (hasPart(lower, {"temp", "celsius"}))
        return "temperature";
    if (hasPart(lower, {"clock", "freq", "mhz"}) || hasWord(words, {"clk", "sclk", "mclk"}))
        return "clock";
    if (hasPart(lower, {"util", "busy"}) || hasWord(words, {"load", "usage"}))
        return "utilisation";
    if (hasPart(lower, {"volt", "spannung"}))
        return "voltage";
    if (hasPart(lower, {"current", "strom"}) || hasWord(words, {"amps", "amp"}))
        return "current";
    return {};
}

std::string unitOfHeader(std::string_view header, const std::vector<std::string> &words) {
    const std::string_view bracketed = splitUnit(header).unit;
    if (!bracketed.empty() && unitScale(bracketed))
        return std::string(bracketed);
    if (header.find('%') != std::string_view::npos)
        return "%";
    // A letter alone may be a name as well: "Path A" is no current, "power W" and "rail_a" are what they say.
    const bool letter = !words.empty() && words.back().size() == 1;
    const bool tied = header.size() > 1 && header[header.size() - 2] == '_';
    if (letter && !tied && quantityOfName(lowered(header), words).empty())
        return {};
    if (words.size() > 1 || (words.size() == 1 && !letter))
        for (const UnitWord &known : kUnitWords)
            if (words.back() == known.word)
                return std::string(known.unit);
    return {};
}

std::string deviceOfHeader(const std::string &lower) {
    const std::size_t at = lower.find("gpu");
    if (at == std::string::npos)
        return {};
    std::size_t digit = at + 3;
    while (digit < lower.size() && (lower[digit] == ' ' || lower[digit] == '_' || lower[digit] == '-' || lower[digit] == '.'))
        ++digit;
    const std::size_t end = std::min(lower.find_first_not_of("0123456789", digit), lower.size());
    return end > digit && end - digit < 4 ? "GPU " + lower.substr(digit, end - digit) : std::string();
}

}  // namespace wattproof::importers
