// Two operating points side by side: what a report shows when a baseline is given.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/result.h"

namespace wattproof::report {

struct OperatingRow {
    std::string name, unit;
    std::optional<double> before, after;

    // after / before - 1; none when either is unknown or before is 0.
    [[nodiscard]] std::optional<double> change() const;
};

// Headline, throughput, watts, latencies, joules per unit, then joules of each path that either run has.
[[nodiscard]] std::vector<OperatingRow> operatingPoints(const analysis::AnalysisResult &before,
                                                        const analysis::AnalysisResult &after);
// Why the two may not be comparable: other unit, other domains measured, a burst among them. Empty: nothing was found.
[[nodiscard]] std::vector<std::string> comparisonCautions(const analysis::AnalysisResult &before,
                                                          const analysis::AnalysisResult &after);

}  // namespace wattproof::report
