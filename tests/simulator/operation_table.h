// Names and launch shapes of device operations, as profilers print them.
#pragma once

#include "tests/simulator/program.h"

#include <string>

namespace wattproof::simulator {

enum class OperationKind { Norm, Gemm, Attention, Elementwise, Optimizer, AllReduce, CopyToDevice, CopyToHost };

// An operation of this kind; `precision` matters to Gemm alone. workNs is left at 0.
[[nodiscard]] PlannedOperation makeOperation(OperationKind, const std::string &precision);
// The host operator that launches it ("aten::mm").
[[nodiscard]] const char *hostOperatorOf(OperationKind);
[[nodiscard]] const char *runtimeCallOf(OperationKind);
// Length of a Gemm relative to bf16.
[[nodiscard]] double gemmTimeFactor(const std::string &precision);

}  // namespace wattproof::simulator
