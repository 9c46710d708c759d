#include "importers/requests/k6_text.h"

#include "importers/requests/report_text.h"
#include "importers/table/table_reader.h"

#include <algorithm>
#include <iterator>

namespace wattproof::importers::requests {
namespace {

constexpr std::string_view kPassMark = "✓", kFailMark = "✗";
constexpr std::string_view kPerSecond = "/s";
constexpr UnitFactor kPercent[] = {{"%", 0.01}};
constexpr UnitFactor kBytes[] = {{"B", 1}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}};

// None where the second word is no unit of bytes, or of bytes per second.
std::optional<double> bytesIn(std::string_view number, std::string_view unit) {
    if (unit.ends_with(kPerSecond))
        unit.remove_suffix(kPerSecond.size());
    const bool isUnit = std::any_of(std::begin(kBytes), std::end(kBytes),
                                    [unit](const UnitFactor &entry) { return entry.first == unit; });
    return isUnit ? numberIn(std::string(number) + std::string(unit), kBytes) : std::nullopt;
}

}  // namespace

std::optional<double> goMilliseconds(std::string_view text) {
    constexpr UnitFactor kUnits[] = {{"h", 3.6e6}, {"m", 6e4},   {"s", 1e3},   {"ms", 1},
                                     {"µs", 1e-3}, {"μs", 1e-3}, {"us", 1e-3}, {"ns", 1e-6}};
    constexpr std::string_view kDigits = "0123456789.";
    double sum = 0;
    while (!text.empty()) {
        const std::size_t unit = text.find_first_not_of(kDigits);
        const std::size_t end = unit == std::string_view::npos ? unit : text.find_first_of(kDigits, unit);
        const auto part = unit == std::string_view::npos ? std::nullopt : numberIn(text.substr(0, end), kUnits);
        if (!part)
            return std::nullopt;
        sum += *part;
        text.remove_prefix(std::min(end, text.size()));
    }
    return sum;
}

void K6Text::give(std::string_view key, const std::optional<double> &value) {
    if (value)
        values_.take("metrics." + metric_ + "." + std::string(key), plainNumber(*value));
}

// "avg=144.56ms min=104.11ms": lengths, and plain numbers of what is no length.
void K6Text::takePair(std::string_view word, std::size_t equals) {
    const std::string_view text = word.substr(equals + 1);
    const auto number = numberIn(text, {});
    give(word.substr(0, equals), number ? number : goMilliseconds(text));
}

// "50.00% ✓ 45 ✗ 45", "50.00% 45 out of 90", "1.3 MB 31 kB/s", "180 4.36938/s", "1 min=1 max=19".
void K6Text::takeValues(const std::vector<std::string_view> &words) {
    std::string_view key = words.size() > 1 && words[1].find('=') != std::string_view::npos ? "value" : "count";
    for (std::size_t i = 0; i < words.size() && words[i] != "out"; ++i) {
        const std::string_view word = words[i];
        if (const std::size_t equals = word.find('='); equals != std::string_view::npos) {
            takePair(word, equals);
        } else if (word == kPassMark || word == kFailMark) {
            key = word == kPassMark ? "passes" : "fails";
        } else if (word.ends_with('%')) {
            give("rate", numberIn(word, kPercent));
            key = "passes";
        } else if (word.ends_with(kPerSecond)) {
            give("rate", numberIn(word.substr(0, word.size() - kPerSecond.size()), {}));
        } else if (const auto bytes = i + 1 < words.size() ? bytesIn(word, words[i + 1]) : std::nullopt) {
            give(words[++i].ends_with(kPerSecond) ? "rate" : key, bytes);
        } else {
            give(key, numberIn(word, {}));
        }
    }
}

void K6Text::take(std::string_view line, std::uint64_t number) {
    for (const std::string_view mark : {kPassMark, kFailMark})
        if (line.starts_with(mark))
            line = trimmed(line.substr(mark.size()));
    const std::size_t colon = line.find(".: ");
    const std::size_t end = colon == std::string_view::npos ? colon : line.substr(0, colon).find_last_not_of('.');
    if (end == std::string_view::npos)
        return run_.tally().add("unread_section", number, "other lines of the report are not shown");
    const std::string_view name = trimmed(line.substr(0, end + 1));
    if (name.starts_with('{') && name.ends_with('}'))
        metric_ = parent_ + "{" + std::string(trimmed(name.substr(1, name.size() - 2))) + "}";
    else
        metric_ = parent_ = name;
    takeValues(wordsOf(line.substr(colon + 2)));
}

}  // namespace wattproof::importers::requests
