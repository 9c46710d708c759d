// The trace as PyTorch's profiler would write it. Wall clock = baseTimeNanoseconds + ts.
#include "tests/simulator/json_text.h"
#include "tests/simulator/simulator.h"

#include <algorithm>
#include <ostream>

namespace wattproof::simulator {

namespace {

constexpr int kHostPid = 4242, kHostTid = 4242, kDevicePid = 0, kContext = 1;
constexpr double kWarpSize = 32, kSms = 132, kMaxThreadsPerSm = 2048;
constexpr Ns kCounterPeriod = 100'000'000;

class KinetoWriter {
public:
    KinetoWriter(const Simulation &simulation, std::ostream &out) : simulation_(simulation), out_(out) {}

    void write();

private:
    void writeHeader();
    void writeMetadata();
    void writeMetadataEvent(const char *kind, int pid, int tid, const std::string &key, const std::string &value);
    void writeHost(const HostSlice &);
    void writeOperation(const DeviceOperation &);
    void writeFlow(char phase, int id, int pid, int tid, Ns ts);
    void writeUnitsCounter();
    void writeMarkers();
    void event(const std::string &body);
    void open(const char *category, const std::string &name, int pid, int tid, TimeRange);
    [[nodiscard]] std::string kernelArguments(const DeviceOperation &) const;

    const Simulation &simulation_;
    std::ostream &out_;
    std::string line_;
    bool first_ = true;
};

void KinetoWriter::event(const std::string &body) {
    out_ << (first_ ? "\n  " : ",\n  ") << body;
    first_ = false;
}

void KinetoWriter::writeHeader() {
    out_
        << "{\n\"schemaVersion\": 1,\n\"wattproof_simulated\": true,\n\"traceName\": "
        << quoted("simulated: " + simulation_.config.name) << ",\n\"deviceProperties\": [{\"id\": 0, \"name\": "
        << quoted(simulation_.config.deviceName + " (simulated)")
        << ", \"totalGlobalMem\": 85017755648, \"computeMajor\": 9, \"computeMinor\": 0, \"maxThreadsPerBlock\": "
           "1024, "
           "\"maxThreadsPerMultiprocessor\": 2048, \"regsPerBlock\": 65536, \"warpSize\": 32, \"numSms\": 132}],\n"
        << "\"displayTimeUnit\": \"ms\",\n\"baseTimeNanoseconds\": " << simulation_.config.epoch
        << ",\n\"traceEvents\": [";
}

void KinetoWriter::writeMetadataEvent(const char *kind, int pid, int tid, const std::string &key,
                                      const std::string &value) {
    line_ = R"({"ph": "M", "name": ")" + std::string(kind) + R"(", "pid": )" + std::to_string(pid) +
            R"(, "tid": )" + std::to_string(tid) + R"(, "ts": )";
    appendMicroseconds(line_, simulation_.trace.window.begin);
    event(line_ + ", \"args\": {\"" + key + "\": " + value + "}}");
}

void KinetoWriter::writeMetadata() {
    writeMetadataEvent("process_name", kHostPid, 0, "name", quoted("python (simulated)"));
    writeMetadataEvent("process_labels", kHostPid, 0, "labels", quoted("CPU"));
    writeMetadataEvent("process_sort_index", kHostPid, 0, "sort_index", std::to_string(kHostPid));
    writeMetadataEvent("thread_name", kHostPid, kHostTid, "name", quoted("thread 4242 (python)"));
    writeMetadataEvent("process_name", kDevicePid, 0, "name", quoted("python (simulated)"));
    writeMetadataEvent("process_labels", kDevicePid, 0, "labels", quoted("GPU 0"));
    writeMetadataEvent("process_sort_index", kDevicePid, 0, "sort_index", "5000000");
    for (const int stream : {7, 13, 20})
        writeMetadataEvent("thread_name", kDevicePid, stream, "name",
                           quoted("stream " + std::to_string(stream) + " "));
}

void KinetoWriter::open(const char *category, const std::string &name, int pid, int tid, TimeRange range) {
    line_ = R"({"ph": "X", "cat": ")";
    line_ += category;
    line_ += R"(", "name": )" + quoted(name) + R"(, "pid": )" + std::to_string(pid) + R"(, "tid": )" +
             std::to_string(tid) + R"(, "ts": )";
    appendMicroseconds(line_, range.begin);
    line_ += R"(, "dur": )";
    appendMicroseconds(line_, range.length());
}

void KinetoWriter::writeFlow(char phase, int id, int pid, int tid, Ns ts) {
    line_ = R"({"ph": ")";
    line_ += phase;
    line_ += R"(", "id": )" + std::to_string(id) + R"(, "pid": )" + std::to_string(pid) + R"(, "tid": )" +
             std::to_string(tid) + R"(, "ts": )";
    appendMicroseconds(line_, ts);
    event(line_ + R"(, "cat": "ac2g", "name": "ac2g")" + (phase == 'f' ? R"(, "bp": "e"})" : "}"));
}

void KinetoWriter::writeHost(const HostSlice &slice) {
    open(slice.category.c_str(), slice.name, kHostPid, kHostTid, slice.range);
    std::string args;
    if (slice.correlation > 0)
        args = "\"correlation\": " + std::to_string(slice.correlation);
    else if (slice.category == "user_annotation" && slice.name != "wait_for_requests" &&
             !simulation_.trace.iterations.empty()) {
        const auto &iteration = simulation_.trace.iterations[static_cast<std::size_t>(slice.iteration)];
        const bool decode = simulation_.config.workload.kind == WorkloadKind::Decode;
        args = (decode ? "\"tokens\": " : "\"samples\": ") +
               std::to_string(static_cast<std::int64_t>(iteration.units));
    }
    event(line_ + (args.empty() ? "}" : ", \"args\": {" + args + "}}"));
    if (slice.launches)
        writeFlow('s', slice.correlation, kHostPid, kHostTid, slice.range.begin);
}

std::string KinetoWriter::kernelArguments(const DeviceOperation &operation) const {
    const double blocksPerSm = operation.grid[0] / kSms;
    std::string args = R"(, "registers per thread": )" + std::to_string(operation.registers) +
                       R"(, "shared memory": )" + std::to_string(operation.sharedMemory) +
                       R"(, "blocks per SM": )";
    appendFixed(args, blocksPerSm, 3);
    args += R"(, "warps per SM": )";
    appendFixed(args, blocksPerSm * operation.block[0] / kWarpSize, 3);
    args += R"(, "grid": [)" + std::to_string(operation.grid[0]) + R"(, 1, 1], "block": [)" +
            std::to_string(operation.block[0]) + R"(, 1, 1], "est. achieved occupancy %": )";
    const double occupancy = std::min(1.0, blocksPerSm * operation.block[0] / kMaxThreadsPerSm) * 100;
    appendFixed(args, occupancy, 0);
    return args;
}

void KinetoWriter::writeOperation(const DeviceOperation &operation) {
    if (!operation.recorded)
        return;
    const bool kernel = operation.activity == "kernel";
    open(kernel ? "kernel" : "gpu_memcpy", operation.name, kDevicePid, operation.stream, operation.range);
    line_ += R"(, "args": {"device": 0, "context": )" + std::to_string(kContext) + R"(, "stream": )" +
             std::to_string(operation.stream) + R"(, "correlation": )" + std::to_string(operation.correlation);
    line_ += kernel ? kernelArguments(operation) : R"(, "bytes": )" + std::to_string(operation.bytes);
    event(line_ + "}}");
    writeFlow('f', operation.correlation, kDevicePid, operation.stream, operation.range.begin);
}

// A counter that a server would export: sequences in flight, here by the iterations' units.
void KinetoWriter::writeUnitsCounter() {
    const std::vector<Iteration> &iterations = simulation_.trace.iterations;
    Ns next = 0;
    for (const Iteration &iteration : iterations) {
        if (iteration.range.begin < next)
            continue;
        next = iteration.range.begin + kCounterPeriod;
        line_ = R"({"ph": "C", "name": "units in flight", "pid": )" + std::to_string(kHostPid) + R"(, "ts": )";
        appendMicroseconds(line_, iteration.range.begin);
        event(line_ + R"(, "args": {"units": )" + std::to_string(static_cast<std::int64_t>(iteration.units)) +
              "}}");
    }
}

void KinetoWriter::writeMarkers() {
    const TimeRange window = simulation_.trace.window;
    line_ =
        R"~({"ph": "X", "cat": "Trace", "name": "PyTorch Profiler (0)", "pid": "Spans", "tid": "PyTorch Profiler", "ts": )~";
    appendMicroseconds(line_, window.begin);
    line_ += R"(, "dur": )";
    appendMicroseconds(line_, window.length());
    event(line_ + R"(, "args": {"Op count": 0}})");
    line_ = R"({"ph": "i", "s": "g", "name": "Record Window End", "pid": "", "tid": "", "ts": )";
    appendMicroseconds(line_, window.end);
    event(line_ + "}");
}

void KinetoWriter::write() {
    writeHeader();
    writeMetadata();
    for (const HostSlice &slice : simulation_.trace.host)
        writeHost(slice);
    for (const DeviceOperation &operation : simulation_.trace.operations)
        writeOperation(operation);
    writeUnitsCounter();
    writeMarkers();
    out_ << "\n]\n}\n";
}

}  // namespace

void writeKinetoJson(const Simulation &simulation, std::ostream &out) {
    KinetoWriter(simulation, out).write();
}

}  // namespace wattproof::simulator
