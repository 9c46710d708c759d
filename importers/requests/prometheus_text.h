// What a server says at /metrics, once or many times in one file. Values with a time (behind them, or in a comment
// "# scrape <time>" before them) become curves; without one the last value of each is metadata.
#pragma once

#include "importers/requests/log_run.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace wattproof::importers::requests {

class PrometheusText {
public:
    explicit PrometheusText(LogRun &run) : run_(run) {}
    void take(std::string_view line, std::uint64_t number);
    void finish();

private:
    void takeComment(std::string_view line);
    [[nodiscard]] std::optional<Ns> timeOf(std::string_view text);

    LogRun &run_;
    std::optional<LogClock> clock_;
    std::optional<Ns> scrape_;
    std::map<std::string, CounterKind, std::less<>> kinds_;  // by metric, from # TYPE
    std::map<std::string, double> untimed_;
};

}  // namespace wattproof::importers::requests
