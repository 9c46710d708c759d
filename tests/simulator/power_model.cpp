#include "tests/simulator/power_model.h"

#include <cstring>

namespace wattproof::simulator {

namespace {

constexpr OperationPower kPowers[] = {
    {"compute/gemm/fp8", 500, 0.85},
    {"compute/gemm/bf16", 380, 0.9},
    {"compute/gemm/fp16", 375, 0.9},
    {"compute/gemm/tf32", 360, 0.92},
    {"compute/gemm/fp32", 330, 0.97},
    {"compute/attention/bf16", 350, 0.6},
    {"compute/norm/bf16", 190, 0.15},
    {"compute/elementwise/bf16", 210, 0.1},
    {"compute/optimizer/fp32", 220, 0.1},
    {"communication", 60, 0.05},
    {"copy/HtoD", 45, 0},
    {"copy/DtoH", 40, 0},
};

constexpr OperationPower kUnknown{"compute/other", 250, 0.5};

}  // namespace

const OperationPower &powerOf(const char *path) {
    for (const OperationPower &power : kPowers) {
        if (std::strcmp(power.path, path) == 0)
            return power;
    }
    return kUnknown;
}

}  // namespace wattproof::simulator
