#include "importers/requests/wrk_text.h"

#include "importers/requests/report_text.h"
#include "importers/table/table_reader.h"

#include <array>
#include <vector>

namespace wattproof::importers::requests {
namespace {

constexpr std::array<const char *, 4> kStatNames{"avg", "stdev", "max", "within_stdev"};

constexpr UnitFactor kUnits[] = {{"us", 1e-6}, {"ms", 1e-3},    {"s", 1},           {"m", 60},
                                 {"h", 3600},  {"%", 0.01},     {"k", 1e3},         {"M", 1e6},
                                 {"G", 1e9},   {"T", 1e12},     {"P", 1e15},        {"B", 1},
                                 {"KB", 1024}, {"MB", 1048576}, {"GB", 1073741824}, {"TB", 1099511627776.0}};

// "50%" and "50.000%" are one.
std::string_view withoutZeros(std::string_view number) {
    if (number.find('.') == std::string_view::npos)
        return number;
    number = number.substr(0, number.find_last_not_of('0') + 1);
    return number.ends_with('.') ? number.substr(0, number.size() - 1) : number;
}

}  // namespace

void WrkText::give(const std::string &path, std::string_view text) {
    const auto number = numberIn(text, kUnits);
    values_.take(path, number ? plainNumber(*number) : std::string(text));
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
    const std::string_view percent = withoutZeros(words[0].substr(0, words[0].size() - 1));
    give("wrk." + distribution_ + ".p(" + std::string(percent) + ")", words[1]);
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
    // Of wrk2: without the wait for a request that was to start while the one before it still ran.
    if (line.starts_with("Latency Distribution"))
        distribution_ = line.find("Uncorrected") == std::string_view::npos ? "latency_s" : "uncorrected_latency_s";
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
