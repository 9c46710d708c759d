#include "importers/requests/wrk_text.h"

#include "importers/table/quantity_text.h"
#include "importers/table/table_reader.h"

#include <array>
#include <charconv>
#include <vector>

namespace wattproof::importers::requests {
namespace {

constexpr std::array<const char *, 4> kStatNames{"avg", "stdev", "max", "within_stdev"};

std::vector<std::string_view> wordsOf(std::string_view line) {
    std::vector<std::string_view> words;
    while (!(line = trimmed(line)).empty() && words.size() < 32) {
        words.push_back(line.substr(0, line.find_first_of(" \t")));
        line.remove_prefix(words.back().size());
    }
    return words;
}

// "5.80ms", "56.20k", "93.69%", "17.76GB", "1.50m", "2.00h" as a plain number in s, 1 or B.
std::optional<double> wrkNumber(std::string_view text) {
    const auto number = parseNumber(text, false);
    if (!number)
        return std::nullopt;
    const std::string_view unit = number->rest;
    if (unit.empty())
        return number->value;
    constexpr std::pair<std::string_view, double> kUnits[] = {{"us", 1e-6},       {"ms", 1e-3},
                                                              {"s", 1},           {"m", 60},
                                                              {"h", 3600},        {"k", 1e3},
                                                              {"M", 1e6},         {"G", 1e9},
                                                              {"%", 0.01},        {"B", 1},
                                                              {"KB", 1024},       {"MB", 1048576},
                                                              {"GB", 1073741824}, {"TB", 1099511627776.0}};
    for (const auto &[word, factor] : kUnits)
        if (unit == word)
            return number->value * factor;
    return std::nullopt;
}

}  // namespace

void WrkText::give(const std::string &path, std::string_view text) {
    const auto number = wrkNumber(text);
    std::array<char, 40> plain{};
    if (!number)
        return values_.take(path, text);
    const auto [end, error] = std::to_chars(plain.data(), plain.data() + plain.size(), *number);
    values_.take(path, error == std::errc{}
                           ? std::string_view(plain.data(), static_cast<std::size_t>(end - plain.data()))
                           : text);
}

// "Latency   635.91us    0.89ms  12.92ms   93.69%"
bool WrkText::takeThreadStats(std::string_view line) {
    const auto words = wordsOf(line);
    if (words.size() != 5 || (words[0] != "Latency" && words[0] != "Req/Sec"))
        return false;
    const std::string name = words[0] == "Latency" ? "latency_s" : "requests_per_s_of_a_thread";
    for (std::size_t i = 0; i < kStatNames.size(); ++i)
        give("wrk." + name + "." + kStatNames[i], words[i + 1]);
    return true;
}

// "99%    5.80ms", "99.900%   10.10ms"
bool WrkText::takeQuantile(std::string_view line) {
    const auto words = wordsOf(line);
    if (words.size() != 2 || !words[0].ends_with('%'))
        return false;
    give("wrk.latency_s.p(" + std::string(words[0].substr(0, words[0].size() - 1)) + ")", words[1]);
    return true;
}

bool WrkText::takeTotals(std::string_view line) {
    const auto words = wordsOf(line);
    if (words.size() >= 4 && words[1] == "requests" && words[2] == "in") {
        give("wrk.requests", words[0]);
        give("wrk.duration_s", words[3].substr(0, words[3].find(',')));
        return true;
    }
    if (words.size() == 2 && (words[0] == "Requests/sec:" || words[0] == "Transfer/sec:")) {
        give(words[0] == "Requests/sec:" ? "wrk.requests_per_s" : "wrk.bytes_per_s", words[1]);
        return true;
    }
    if (!line.starts_with("Socket errors:"))
        return false;
    for (std::size_t i = 2; i + 1 < words.size(); i += 2)
        give("wrk.socket_errors." + std::string(words[i]), words[i + 1].substr(0, words[i + 1].find(',')));
    return true;
}

void WrkText::take(std::string_view line, std::uint64_t number) {
    if (takeThreadStats(line) || takeQuantile(line) || takeTotals(line))
        return;
    constexpr std::string_view kKnown[] = {"Running", "Thread Stats", "Latency Distribution"};
    for (const std::string_view known : kKnown)
        if (line.starts_with(known))
            return run_.addMetadata("report", line);
    if (line.starts_with("Non-2xx or 3xx responses:"))
        return give("wrk.failed_responses", trimmed(line.substr(line.find(':') + 1)));
    const bool threads = line.find("threads and") != std::string_view::npos;
    if (threads)
        return run_.addMetadata("report", line);
    run_.tally().add("unread_section", number, "other lines of the report are not shown");
}

}  // namespace wattproof::importers::requests
