#include "tests/simulator/operation_table.h"

#include "tests/simulator/power_model.h"

#include <algorithm>
#include <cstring>

namespace wattproof::simulator {

namespace {

struct GemmKernel {
    const char *precision, *path, *name;
    double timeFactor;
};

constexpr GemmKernel kGemms[] = {
    {"bf16", "compute/gemm/bf16", "nvjet_tst_192x192_64x4_2x1_v_bz_coopA_TNT", 1},
    {"fp16", "compute/gemm/fp16", "nvjet_hsh_192x192_64x4_2x1_v_bz_coopA_TNT", 1},
    {"fp8", "compute/gemm/fp8", "nvjet_qqtst_128x256_128x4_2x1_v_bz_TNT", 0.54},
    {"tf32", "compute/gemm/tf32",
     "sm90_xmma_gemm_f32f32_tf32f32_f32_tn_n_tilesize128x128x32_warpgroupsize2x1x1_kernel__5x_cublas", 2},
    {"fp32", "compute/gemm/fp32", "void cutlass::Kernel2<cutlass_80_simt_sgemm_256x128_8x4_tn_align1>", 6},
};

struct Shape {
    const char *path, *name, *precision, *activity, *hostOperator, *runtimeCall;
    int stream, grid, block, registers, sharedMemory;
};

// In the order of OperationKind; the row of Gemm is completed from kGemms.
constexpr Shape kShapes[] = {
    {"compute/norm/bf16",
     "void vllm::rms_norm_kernel<c10::BFloat16>(c10::BFloat16*, c10::BFloat16 const*, float, int)", "bf16",
     "kernel", "vllm::rms_norm", "cudaLaunchKernel", kComputeStream, 256, 1024, 32, 4096},
    {"compute/gemm/bf16", "", "", "kernel", "aten::mm", "cudaLaunchKernelExC", kComputeStream, 132, 384, 168,
     213040},
    {"compute/attention/bf16",
     "void flash::flash_fwd_splitkv_kernel<Flash_fwd_kernel_traits<128, 64, 128, 4, cutlass::bfloat16_t>>", "bf16",
     "kernel", "vllm::unified_attention", "cudaLaunchKernel", kComputeStream, 512, 128, 255, 81920},
    {"compute/elementwise/bf16",
     "void at::native::vectorized_elementwise_kernel<4, at::native::BFloat16MulFunctor>(int)", "bf16", "kernel",
     "aten::mul", "cudaLaunchKernel", kComputeStream, 8192, 128, 32, 0},
    {"compute/optimizer/fp32",
     "void at::native::multi_tensor_apply_kernel<TensorListMetadata<4>, FusedAdamMathFunctor<float, 4>>", "fp32",
     "kernel", "aten::_fused_adamw_", "cudaLaunchKernel", kComputeStream, 320, 512, 64, 0},
    {"communication", "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "bf16",
     "kernel", "c10d::allreduce_", "cudaLaunchKernelExC", kCommunicationStream, 24, 544, 96, 82240},
    {"copy/HtoD", "Memcpy HtoD (Pageable -> Device)", "", "memcpy", "aten::copy_", "cudaMemcpyAsync", kCopyStream,
     0, 0, 0, 0},
    {"copy/DtoH", "Memcpy DtoH (Device -> Pinned)", "", "memcpy", "aten::copy_", "cudaMemcpyAsync", kCopyStream, 0,
     0, 0, 0},
};

const Shape &shapeOf(OperationKind kind) {
    return kShapes[static_cast<std::size_t>(kind)];
}

const GemmKernel &gemmOf(const std::string &precision) {
    const auto *found = std::find_if(std::begin(kGemms), std::end(kGemms),
                                     [&](const GemmKernel &kernel) { return precision == kernel.precision; });
    return found == std::end(kGemms) ? kGemms[0] : *found;
}

}  // namespace

PlannedOperation makeOperation(OperationKind kind, const std::string &precision) {
    const Shape &shape = shapeOf(kind);
    PlannedOperation planned;
    DeviceOperation &what = planned.what;
    what.name = shape.name;
    what.path = shape.path;
    what.precision = shape.precision;
    if (kind == OperationKind::Gemm) {
        const GemmKernel &gemm = gemmOf(precision);
        what.name = gemm.name;
        what.path = gemm.path;
        what.precision = gemm.precision;
    }
    what.activity = shape.activity;
    what.stream = shape.stream;
    what.grid[0] = shape.grid;
    what.block[0] = shape.block;
    what.registers = shape.registers;
    what.sharedMemory = shape.sharedMemory;
    const OperationPower &power = powerOf(what.path.c_str());
    what.watts = power.watts;
    planned.computeShare = power.computeShare;
    return planned;
}

const char *hostOperatorOf(OperationKind kind) {
    return shapeOf(kind).hostOperator;
}

const char *runtimeCallOf(OperationKind kind) {
    return shapeOf(kind).runtimeCall;
}

double gemmTimeFactor(const std::string &precision) {
    return gemmOf(precision).timeFactor;
}

}  // namespace wattproof::simulator
