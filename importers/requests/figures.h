// Figures of a log: values that are what their file calls them, never requests. Those at a time become curves.
#pragma once

#include "importers/requests/request_row.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wattproof::importers::requests {

// Rows of figures, from a table or a list of objects.
class FigureRows {
public:
    explicit FigureRows(LogRun &run) : run_(run) {}
    // cells: attributes hold the columns of the rules' figures; slices the columns that tell which slice, by name.
    void take(const CellTexts &cells, const std::vector<CellTexts::Attribute> &slices, std::uint64_t line);

private:
    void addFigure(std::string_view metric, const std::string &slice, std::string_view text, const CellTexts &,
                   std::uint64_t line);
    void addSamples(const CellTexts &, const std::string &slice, std::uint64_t line);

    LogRun &run_;
    std::optional<LogClock> clock_;
};

// Single values by their path ("results.hellaswag.acc,none"), one after the other.
class FigureValues {
public:
    explicit FigureValues(LogRun &run) : run_(run) {}
    void take(std::string_view path, std::string_view text);
    // After the last one.
    void finish();

private:
    struct Pending {
        std::string slice, metric;
        double value = 0;
        bool moreIsBetter = true;
    };
    [[nodiscard]] std::pair<std::string, std::string> named(std::string_view path) const;
    [[nodiscard]] std::optional<Ns> stated(LogClock &, const std::string &path);
    void settleWindow();

    LogRun &run_;
    std::vector<Pending> pending_;
    std::map<std::pair<std::string, std::string>, bool> higher_;
    std::map<std::string, std::string> window_;  // by path: the values that say when the run was
};

// A moment in one of the forms that benchmarks write beside those of other logs: 20260213-135636 (vLLM),
// 02-23-2022 12:31:34.910 (MLPerf: month first).
[[nodiscard]] std::string usualStamp(std::string_view text);

}  // namespace wattproof::importers::requests
