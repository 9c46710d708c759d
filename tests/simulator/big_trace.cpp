#include "tests/simulator/big_trace.h"

#include "tests/simulator/json_text.h"
#include "tests/simulator/random.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <vector>

namespace wattproof::simulator {

namespace {

constexpr std::size_t kFlushAt = std::size_t{1} << 20U;
constexpr int kGroupsAStack = 200;  // launches inside one stack of Python frames
constexpr int kBigHostPid = 9000;
constexpr std::uint64_t kKernelLengthKey = 1;

struct Kernel {
    const char *operation, *name;
    int registers, sharedMemory;
};

constexpr Kernel kKernels[] = {
    {"aten::mm", "nvjet_tst_192x192_64x4_2x1_v_bz_coopA_TNT", 168, 213040},
    {"aten::layer_norm", "void at::native::vectorized_layer_norm_kernel<c10::BFloat16, float>(int, float)", 38,
     24},
    {"aten::scaled_dot_product_attention",
     "void flash::flash_fwd_kernel<Flash_fwd_kernel_traits<128, 128, 64, 4>>", 255, 81920},
    {"aten::add_", "void at::native::vectorized_elementwise_kernel<4, CUDAFunctor_add<c10::BFloat16>>", 24, 0},
    {"c10d::allreduce_", "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", 96, 82240},
    {"aten::gelu", "void at::native::vectorized_elementwise_kernel<4, GeluCUDAKernelImpl::lambda(float)#1>", 28,
     0},
    {"aten::softmax", "void at::native::cunn_SoftMaxForward<8, float, float, c10::BFloat16>(c10::BFloat16*)", 40,
     1024},
};

struct CloseFile {
    void operator()(std::FILE *file) const { std::fclose(file); }
};

class BigTraceWriter {
public:
    BigTraceWriter(const BigTraceConfig &config, std::FILE *file)
        : config_(config), file_(file), random_(config.seed) {}

    // False when the disk refused.
    bool write();
    [[nodiscard]] const BigTraceCounts &counts() const { return counts_; }

private:
    void writeHead();
    void writeStack(int thread);
    void writeFrames(int thread, Ns begin, Ns length);
    void writeGroup(int thread, Ns begin);
    void writeHostSlices(int thread, Ns begin, const Kernel &, std::int64_t correlation);
    void writeKernel(int thread, Ns launched, const Kernel &, std::int64_t correlation);
    void writeFlow(char phase, std::int64_t id, int pid, int tid, Ns ts);
    void writeExtras(int thread, Ns ts);
    void slice(const char *category, std::string_view name, int pid, int tid, Ns ts, Ns dur);
    void argument(const char *text, std::int64_t value);
    void endSlice();
    void next();
    void flushIfFull();
    [[nodiscard]] bool full() const { return counts_.events >= config_.events; }

    BigTraceConfig config_;
    std::FILE *file_;
    Random random_;
    BigTraceCounts counts_;
    std::string buffer_;
    std::int64_t correlation_ = 0;
    std::vector<Ns> threadTime_, streamFree_;
    bool failed_ = false;
};

void BigTraceWriter::flushIfFull() {
    if (buffer_.size() < kFlushAt)
        return;
    failed_ = failed_ || std::fwrite(buffer_.data(), 1, buffer_.size(), file_) != buffer_.size();
    counts_.bytes += static_cast<std::int64_t>(buffer_.size());
    buffer_.clear();
}

void BigTraceWriter::next() {
    buffer_ += counts_.events++ == 0 ? "\n  " : ",\n  ";
    flushIfFull();
}

void BigTraceWriter::argument(const char *text, std::int64_t value) {
    buffer_ += text;
    appendInteger(buffer_, value);
}

void BigTraceWriter::slice(const char *category, std::string_view name, int pid, int tid, Ns ts, Ns dur) {
    next();
    ++counts_.slices;
    buffer_ += R"({"ph": "X", "cat": ")";
    buffer_ += category;
    buffer_ += R"(", "name": ")";
    buffer_ += name;
    argument(R"(", "pid": )", pid);
    argument(R"(, "tid": )", tid);
    buffer_ += R"(, "ts": )";
    appendMicroseconds(buffer_, ts);
    buffer_ += R"(, "dur": )";
    appendMicroseconds(buffer_, dur);
    argument(R"(, "args": {"External id": )", counts_.slices);
}

void BigTraceWriter::endSlice() {
    buffer_ += "}}";
}

void BigTraceWriter::writeFlow(char phase, std::int64_t id, int pid, int tid, Ns ts) {
    next();
    ++counts_.flows;
    buffer_ += R"({"ph": ")";
    buffer_ += phase;
    argument(R"(", "id": )", id);
    argument(R"(, "pid": )", pid);
    argument(R"(, "tid": )", tid);
    buffer_ += R"(, "ts": )";
    appendMicroseconds(buffer_, ts);
    buffer_ +=
        phase == 'f' ? R"(, "cat": "ac2g", "name": "ac2g", "bp": "e"})" : R"(, "cat": "ac2g", "name": "ac2g"})";
}

void BigTraceWriter::writeFrames(int thread, Ns begin, Ns length) {
    static constexpr const char *kFrames[] = {"train.py(88): main", "nn/modules/module.py(1773): _call_impl",
                                              "model/transformer.py(412): forward", "model/block.py(97): forward"};
    for (int depth = 0; depth < config_.stackDepth && !full(); ++depth) {
        slice("python_function", kFrames[depth % 4], kBigHostPid, kBigHostPid + thread, begin + depth * 200,
              length - depth * 400);
        argument(R"(, "Python id": )", counts_.slices);
        argument(R"(, "Python parent id": )", counts_.slices - 1);
        argument(R"(, "Ev Idx": )", counts_.events);
        argument(R"(, "Python module id": )", depth);
        endSlice();
    }
}

// Nested: module frame > operator > inner operator > runtime call.
void BigTraceWriter::writeHostSlices(int thread, Ns begin, const Kernel &kernel, std::int64_t correlation) {
    const int tid = kBigHostPid + thread;
    slice("python_function", "site-packages/torch/nn/modules/linear.py(125): forward", kBigHostPid, tid, begin,
          38'000);
    argument(R"(, "Python id": )", counts_.slices);
    argument(R"(, "Python parent id": )", counts_.slices - 3);
    argument(R"(, "Python module id": )", correlation % 97);
    argument(R"(, "Ev Idx": )", counts_.events);
    endSlice();
    for (int inner = 0; inner < 2; ++inner) {
        slice("cpu_op", kernel.operation, kBigHostPid, tid, begin + 1'000 + inner * 2'500, 33'000 - inner * 5'000);
        argument(R"(, "Record function id": )", 0);
        argument(R"(, "Sequence number": )", correlation);
        argument(R"(, "Fwd thread id": )", 0);
        argument(R"(, "Ev Idx": )", counts_.events);
        buffer_ +=
            R"(, "Input type": ["c10::BFloat16", "c10::BFloat16"], "Input Dims": [[8192, 4096], [4096, 4096]])";
        buffer_ +=
            R"(, "Input Strides": [[4096, 1], [1, 4096]], "Concrete Inputs": ["", ""], "Output Dims": [[8192, 4096]])";
        endSlice();
    }
    slice("cuda_runtime", "cudaLaunchKernel", kBigHostPid, tid, begin + 9'000, 6'000);
    argument(R"(, "cbid": )", 211);
    argument(R"(, "Ev Idx": )", counts_.events);
    argument(R"(, "correlation": )", correlation);
    endSlice();
}

void BigTraceWriter::writeKernel(int thread, Ns launched, const Kernel &kernel, std::int64_t correlation) {
    const int device = static_cast<int>(correlation) % config_.devices;
    const int stream = 7 + thread;
    Ns &free = streamFree_[static_cast<std::size_t>(device * config_.hostThreads + thread)];
    const Ns begin = std::max(free, launched + 3'000);
    const Ns dur =
        4'000 + static_cast<Ns>(random_.bits(kKernelLengthKey, static_cast<std::uint64_t>(correlation)) % 56'000);
    free = begin + dur + 700;
    slice("kernel", kernel.name, device, stream, begin, dur);
    argument(R"(, "queued": )", 0);
    argument(R"(, "device": )", device);
    argument(R"(, "context": )", 1);
    argument(R"(, "stream": )", stream);
    argument(R"(, "correlation": )", correlation);
    argument(R"(, "registers per thread": )", kernel.registers);
    argument(R"(, "shared memory": )", kernel.sharedMemory);
    buffer_ +=
        R"(, "blocks per SM": 7.757576, "warps per SM": 62.060608, "grid": [1024, 1, 1], "block": [256, 1, 1])";
    buffer_ += R"(, "est. achieved occupancy %": 62)";
    buffer_ += R"(, "priority": 0, "graph id": 0, "graph node id": 0, "channel": 8, "channel type": 1)";
    endSlice();
    if (!full())
        writeFlow('f', correlation, device, stream, begin);
}

void BigTraceWriter::writeExtras(int thread, Ns ts) {
    next();
    const bool counter = correlation_ % 8 == 0;
    ++(counter ? counts_.counters : counts_.instants);
    buffer_ += counter ? R"({"ph": "C", "name": "GPU memory")"
                       : R"({"ph": "i", "s": "t", "cat": "cpu_instant_event", "name": "[memory]")";
    argument(R"(, "pid": )", kBigHostPid);
    argument(R"(, "tid": )", kBigHostPid + thread);
    buffer_ += R"(, "ts": )";
    appendMicroseconds(buffer_, ts);
    argument(counter ? R"(, "args": {"allocated": )" : R"(, "args": {"Device Type": 1, "Bytes": )",
             correlation_ * 512);
    endSlice();
}

void BigTraceWriter::writeGroup(int thread, Ns begin) {
    const std::int64_t correlation = ++correlation_;
    const Kernel &kernel = kKernels[static_cast<std::size_t>(correlation) % std::size(kKernels)];
    writeHostSlices(thread, begin, kernel, correlation);
    writeFlow('s', correlation, kBigHostPid, kBigHostPid + thread, begin + 9'000);
    writeKernel(thread, begin + 15'000, kernel, correlation);
    if (correlation % 4 == 0)
        writeExtras(thread, begin + 30'000);
}

void BigTraceWriter::writeStack(int thread) {
    constexpr Ns kGroup = 42'000;
    Ns &now = threadTime_[static_cast<std::size_t>(thread)];
    const Ns length = kGroupsAStack * kGroup + 20'000;
    writeFrames(thread, now, length);
    for (int group = 0; group < kGroupsAStack && !full(); ++group)
        writeGroup(thread, now + 10'000 + group * kGroup);
    now += length + 5'000;
}

void BigTraceWriter::writeHead() {
    buffer_ +=
        "{\n\"schemaVersion\": 1,\n\"wattproof_simulated\": true,\n\"traceName\": \"simulated: "
        "big\",\n\"deviceProperties\": [";
    for (int device = 0; device < config_.devices; ++device) {
        argument(device == 0 ? R"({"id": )" : R"(, {"id": )", device);
        buffer_ += R"~(, "name": "Model S accelerator (simulated)", "numSms": 132, "warpSize": 32})~";
    }
    buffer_ +=
        "],\n\"displayTimeUnit\": \"ms\",\n\"baseTimeNanoseconds\": 1772442000000000000,\n\"traceEvents\": [";
}

bool BigTraceWriter::write() {
    threadTime_.assign(static_cast<std::size_t>(config_.hostThreads), 0);
    streamFree_.assign(static_cast<std::size_t>(config_.hostThreads * config_.devices), 0);
    writeHead();
    for (int thread = 0; !full() && !failed_; thread = (thread + 1) % config_.hostThreads)
        writeStack(thread);
    buffer_ += "\n]\n}\n";
    failed_ = failed_ || std::fwrite(buffer_.data(), 1, buffer_.size(), file_) != buffer_.size();
    counts_.bytes += static_cast<std::int64_t>(buffer_.size());
    return !failed_ && std::fflush(file_) == 0;
}

}  // namespace

Expected<BigTraceCounts> writeBigTrace(const BigTraceConfig &config, const std::string &path) {
    const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "wb"));
    if (!file)
        return failure("The file could not be created", path, "check that the folder exists and may be written");
    BigTraceWriter writer(config, file.get());
    if (!writer.write())
        return failure("The file could not be written completely", path, "make room on the disk");
    return writer.counts();
}

}  // namespace wattproof::simulator
