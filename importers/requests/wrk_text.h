// The report of wrk and wrk2: lines with units of their own. Lengths become seconds, rates stay counts.
#pragma once

#include "importers/requests/figures.h"

#include <string>
#include <string_view>

namespace wattproof::importers::requests {

class WrkText {
public:
    WrkText(FigureValues &values, LogRun &run) : values_(values), run_(run) {}
    void take(std::string_view line, std::uint64_t number);

private:
    [[nodiscard]] bool takeThreadStats(std::string_view line);
    [[nodiscard]] bool takeQuantile(std::string_view line);
    [[nodiscard]] bool takeTotals(std::string_view line);
    void give(const std::string &path, std::string_view text);

    FigureValues &values_;
    LogRun &run_;
    std::string distribution_ = "latency_s";  // of the percentiles that follow
};

}  // namespace wattproof::importers::requests
