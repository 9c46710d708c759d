// The joules of each GPU operation and of each pause of one device (docs/methods.md, Attribution).
#pragma once

#include "analysis/context.h"
#include "analysis/energy/class_model.h"
#include "analysis/result.h"

#include <string>
#include <vector>

namespace wattproof::analysis {

struct OperationEnergy {
    double j = 0, low = 0, high = 0;
    double coveredS = 0;  // its share of metered time; 0: nothing is known of it
};

struct ClassShare {
    std::string path;  // "compute/gemm/bf16"
    Ns busyNs = 0;     // union of its operations
    double j = 0;
    std::optional<double> watts;  // above idle
    std::optional<Interval> wattsCi95;
    std::string method, status;
};

// Joules of the parts of one device; every part is computed on its own, none as what remains.
struct Attribution {
    std::string method;  // direct, nnls, or busy-time when the classes could not be told apart
    std::vector<OperationEnergy> operations;  // as DeviceActivity::operations
    std::vector<double> gapsJ, outerJ;        // as DeviceActivity::gaps and outer
    std::vector<ClassShare> classes;
    std::optional<double> conditionNumber;
    double kernelsJ = 0, copiesJ = 0, idleJ = 0;
};

// "compute/<class>/<precision>", "communication", "copy/<direction>".
[[nodiscard]] std::string pathOf(const store::KernelInterval &, const store::KernelTable &);

// The time of each class of a device's operations, in the order in which they first ran.
[[nodiscard]] std::vector<ClassColumn> classColumns(const DeviceActivity &);

// `readings`: the channel as logged; `energy`: the same, centred; floorW: static watts inside the trace.
[[nodiscard]] Attribution attribute(const DeviceActivity &, const PowerSeries &readings, const PowerSeries &energy,
                                    double floorW);

}  // namespace wattproof::analysis
