// Watts above idle of each class of work, regressed over the sensor's windows (docs/methods.md, Attribution).
#pragma once

#include "analysis/energy/sensor_windows.h"
#include "analysis/result.h"

#include <optional>
#include <string>
#include <vector>

namespace wattproof::analysis {

struct ClassColumn {
    std::string name;  // "compute/gemm/bf16", "communication", "copy/HtoD"
    IntervalSet busy;  // union of the class's operations
};

struct ClassFit {
    double watts = 0;  // above idle, while the class runs
    Interval ci95;
    std::string status;             // ok, merged, abstained
    std::vector<std::string> with;  // the classes it was merged with
    std::size_t group = 0;          // equal for classes that share their watts
};

struct ClassModel {
    std::vector<ClassFit> fits;  // one a column, in their order
    double conditionNumber = 0;  // of the classes as asked for, before merging
    std::size_t windows = 0;
    [[nodiscard]] bool identified() const;  // at least one class has its watts
};

// Windows must lie inside the run. floorW is taken off each. A class whose 95 % half-width exceeds 15 % of its
// watts is merged with the one it is hardest to tell from; when even all together cannot be told, all abstain.
[[nodiscard]] ClassModel fitClasses(const std::vector<PowerWindow> &, const std::vector<ClassColumn> &,
                                    double floorW);

}  // namespace wattproof::analysis
