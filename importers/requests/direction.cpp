#include "importers/requests/direction.h"

#include "importers/table/table_reader.h"

#include <algorithm>
#include <iterator>

namespace wattproof::importers::requests {
namespace {

constexpr std::string_view kLessIsBetter[] = {
    "latency", "ttft",      "tpot",       "itl",   "e2el",  "duration", "time",  "perplexity", "bits_per_byte",
    "loss",    "stderr",    "watts",      "power", "joule", "energy",   "queue", "waiting",    "preempt",
    "blocked", "wer",       "rmse",       "mae",   "mse",   "timeout",  "p(",    "percentile", "connecting",
    "sending", "receiving", "handshaking"};
constexpr std::string_view kMoreIsBetter[] = {"throughput", "per second", "per_s",    "/s",       "rps", "qps",
                                              "goodput",    "completed",  "hit_rate", "accuracy", "f1"};
constexpr std::string_view kStatistics[] = {"avg",   "mean", "med",   "median", "min",    "max",  "std",
                                            "stdev", "rate", "count", "value",  "passes", "fails"};

template <class Words>
bool holdsOne(const Words &words, std::string_view name) {
    return std::any_of(std::begin(words), std::end(words),
                       [name](std::string_view word) { return name.find(word) != std::string_view::npos; });
}

std::optional<bool> byWords(std::string_view name) {
    constexpr std::string_view kFailures[] = {"fail", "error", "dropped"};
    if (holdsOne(kFailures, name) || name.ends_with('%'))  // a bare percentile is one of latencies
        return false;
    if (holdsOne(kMoreIsBetter, name))
        return true;
    return holdsOne(kLessIsBetter, name) ? std::optional(false) : std::nullopt;
}

}  // namespace

bool higherIsBetter(const LogRules &rules, std::string_view path, std::string_view metric,
                    std::string_view slice) {
    if (anyMatches(rules.more, path))
        return true;
    if (anyMatches(rules.less, path))
        return false;
    const std::string name = lowered(metric);
    std::optional<bool> told = byWords(name);
    const bool statistic =
        std::find(std::begin(kStatistics), std::end(kStatistics), name) != std::end(kStatistics);
    if (!told && statistic)
        told = byWords(lowered(slice));
    return told.value_or(true);
}

}  // namespace wattproof::importers::requests
