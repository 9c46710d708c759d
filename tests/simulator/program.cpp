#include "tests/simulator/program.h"

#include "tests/simulator/injections.h"
#include "tests/simulator/operation_table.h"
#include "tests/simulator/random.h"

#include <algorithm>
#include <cmath>

namespace wattproof::simulator {

namespace {

constexpr Ns kLaunchCall = 6'000;
constexpr Ns kSyncCall = 4'000;
constexpr double kCopyBytesPerNs = 11;  // pageable memory over PCIe
constexpr double kLeastWorkNs = 3'000;
constexpr std::uint64_t kLengthKey = 1, kHostKey = 2, kWaitKey = 3, kCollectiveKey = 4, kOptimizerKey = 5;

struct LayerPart {
    OperationKind kind;
    double share;  // of the layer in bf16
};

constexpr LayerPart kLayer[] = {{OperationKind::Norm, 0.06},
                                {OperationKind::Gemm, 0.36},
                                {OperationKind::Attention, 0.2},
                                {OperationKind::Gemm, 0.3},
                                {OperationKind::Elementwise, 0.08}};
constexpr double kOptimizerShare = 0.12;  // of an iteration when training

class Planner {
public:
    explicit Planner(const SimulationConfig &config)
        : config_(config), workload_(config.workload), random_(config.seed), faults_(faultsOf(config)) {}

    Program build();

private:
    void addIteration(int iteration);
    void addInputCopy();
    void addLayer(int layer);
    void addPart(const LayerPart &part);
    void addCollective(int layer);
    void addEnd();
    void launch(OperationKind kind, double workNs);
    void synchronize(const char *name, int operation);
    void begin(std::string name, const char *category, double units = 0);
    void end();
    void work(double ns);
    [[nodiscard]] std::uint64_t place(int within) const;
    [[nodiscard]] double lengthFactor(std::uint64_t key, int within) const;
    [[nodiscard]] double layerNs() const;
    [[nodiscard]] double computeNs(const std::string &precision) const;  // of an iteration, planned
    [[nodiscard]] double shortestComputeNs() const;
    [[nodiscard]] int operationsAnIteration() const;
    [[nodiscard]] double hostNsAnOperation() const;
    [[nodiscard]] const std::string &precision() const;
    [[nodiscard]] bool hidden() const;

    const SimulationConfig &config_;
    const WorkloadConfig &workload_;
    Random random_;
    Faults faults_;
    Program program_;
    std::vector<int> lastOfIteration_;
    int iteration_ = 0, computeOperations_ = 0;
    int pendingCollective_ = -1, pendingCopy_ = -1, lastCompute_ = -1;
};

const std::string &Planner::precision() const {
    const std::string *current = &workload_.precisions.front().precision;
    for (const PrecisionPhase &phase : workload_.precisions) {
        if (phase.firstIteration <= iteration_)
            current = &phase.precision;
    }
    return *current;
}

bool Planner::hidden() const {
    constexpr int kCycle = 8;  // whole buffers go missing, not single records
    return iteration_ % kCycle < std::lround(faults_.hiddenShare * kCycle);
}

int Planner::operationsAnIteration() const {
    return workload_.layers * static_cast<int>(std::size(kLayer));
}

double Planner::layerNs() const {
    const double optimizer = workload_.kind == WorkloadKind::Training ? kOptimizerShare : 0;
    return workload_.iterationMs * 1e6 * (1 - optimizer) / workload_.layers;
}

double Planner::computeNs(const std::string &precision) const {
    double share = 0;
    for (const LayerPart &part : kLayer)
        share += part.share * (part.kind == OperationKind::Gemm ? gemmTimeFactor(precision) : 1);
    return layerNs() * share * workload_.layers;
}

double Planner::shortestComputeNs() const {
    double shortest = computeNs(workload_.precisions.front().precision);
    for (const PrecisionPhase &phase : workload_.precisions)
        shortest = std::min(shortest, computeNs(phase.precision));
    return shortest;
}

double Planner::hostNsAnOperation() const {
    const double planned = workload_.hostShare * workload_.iterationMs * 1e6;
    const double injected = faults_.hostFactor > 0 ? shortestComputeNs() * (1 + faults_.hostFactor) : 0;
    return std::max(planned, injected) / operationsAnIteration();
}

// Drawn by place within the iteration, so that an injection that adds operations leaves the others as they were.
std::uint64_t Planner::place(int within) const {
    return static_cast<std::uint64_t>(iteration_) * 1024 + static_cast<std::uint64_t>(within);
}

double Planner::lengthFactor(std::uint64_t key, int within) const {
    return std::max(0.3, 1 + workload_.jitter * random_.normal(key, place(within)));
}

void Planner::begin(std::string name, const char *category, double units) {
    HostStep step;
    step.kind = HostStep::Kind::Begin;
    step.name = std::move(name);
    step.category = category;
    step.iteration = iteration_;
    step.units = units;
    program_.host.push_back(std::move(step));
}

void Planner::end() {
    HostStep step;
    step.kind = HostStep::Kind::End;
    program_.host.push_back(std::move(step));
}

void Planner::work(double ns) {
    HostStep step;
    step.duration = std::max<Ns>(1, std::llround(ns));
    program_.host.push_back(std::move(step));
}

void Planner::synchronize(const char *name, int operation) {
    HostStep step;
    step.kind = HostStep::Kind::Synchronize;
    step.duration = kSyncCall;
    step.name = name;
    step.category = "cuda_runtime";
    step.operation = operation;
    step.iteration = iteration_;
    program_.host.push_back(std::move(step));
}

void Planner::launch(OperationKind kind, double workNs) {
    PlannedOperation operation = makeOperation(kind, precision());
    operation.workNs = std::max(kLeastWorkNs, workNs);
    operation.what.iteration = iteration_;
    operation.what.recorded = !hidden();
    if (operation.what.activity == "memcpy")
        operation.what.bytes = std::llround(operation.workNs * kCopyBytesPerNs);
    HostStep step;
    step.kind = HostStep::Kind::Launch;
    step.duration = kLaunchCall;
    step.name = runtimeCallOf(kind);
    step.category = "cuda_runtime";
    step.operation = static_cast<int>(program_.operations.size());
    step.iteration = iteration_;
    program_.operations.push_back(std::move(operation));
    program_.host.push_back(std::move(step));
}

void Planner::addInputCopy() {
    if (faults_.copyShare <= 0)
        return;
    begin(hostOperatorOf(OperationKind::CopyToDevice), "cpu_op");
    launch(OperationKind::CopyToDevice, computeNs(precision()) * faults_.copyShare);
    pendingCopy_ = static_cast<int>(program_.operations.size()) - 1;
    synchronize("cudaStreamSynchronize", pendingCopy_);
    end();
}

void Planner::addPart(const LayerPart &part) {
    const double hostNs = hostNsAnOperation();
    const double spread = 0.6 + 0.8 * random_.uniform(kHostKey, place(computeOperations_));
    if (faults_.hostFactor > 0) {
        begin("prepare_inputs", "cpu_op");
        work(0.6 * hostNs * spread);
        end();
    }
    begin(hostOperatorOf(part.kind), "cpu_op");
    work(hostNs * spread * (faults_.hostFactor > 0 ? 0.4 : 1));
    const double factor = part.kind == OperationKind::Gemm ? gemmTimeFactor(precision()) : 1;
    launch(part.kind, layerNs() * part.share * factor * lengthFactor(kLengthKey, computeOperations_));
    lastCompute_ = static_cast<int>(program_.operations.size()) - 1;
    for (int *pending : {&pendingCopy_, &pendingCollective_}) {
        if (*pending >= 0)
            program_.operations.back().after.push_back(*pending);
        *pending = -1;
    }
    end();
    ++computeOperations_;
    if (computeOperations_ <= std::lround(faults_.syncShare * operationsAnIteration()))
        synchronize("cudaDeviceSynchronize", -1);
}

// Hidden: the collective is awaited a whole layer later. Injected: the next operation needs its result.
void Planner::addCollective(int layer) {
    if (workload_.communicationShare <= 0 && faults_.communicationShare <= 0)
        return;
    const double layerShare = computeNs(precision()) / (layerNs() * workload_.layers);
    begin(hostOperatorOf(OperationKind::AllReduce), "cpu_op");
    launch(OperationKind::AllReduce, layerNs() * layerShare *
                                         (workload_.communicationShare + faults_.communicationShare) *
                                         lengthFactor(kCollectiveKey, layer));
    program_.operations.back().after.push_back(lastCompute_);
    if (faults_.communicationShare > 0)
        pendingCollective_ = static_cast<int>(program_.operations.size()) - 1;
    end();
}

void Planner::addLayer(int layer) {
    for (const LayerPart &part : kLayer)
        addPart(part);
    addCollective(layer);
}

void Planner::addEnd() {
    if (workload_.kind == WorkloadKind::Training) {
        begin(hostOperatorOf(OperationKind::Optimizer), "cpu_op");
        launch(OperationKind::Optimizer,
               workload_.iterationMs * 1e6 * kOptimizerShare * lengthFactor(kOptimizerKey, 0));
        end();
    } else {
        begin(hostOperatorOf(OperationKind::CopyToHost), "cpu_op");
        launch(OperationKind::CopyToHost, 12'000);
        program_.operations.back().after.push_back(lastCompute_);
        end();
    }
    lastOfIteration_.push_back(static_cast<int>(program_.operations.size()) - 1);
    // A server without requests has returned every result before it waits for more.
    const int awaited = iteration_ - (faults_.waitFactor > 0 ? 0 : workload_.hostRunAhead);
    if (awaited >= 0)
        synchronize("cudaEventSynchronize", lastOfIteration_[static_cast<std::size_t>(awaited)]);
}

void Planner::addIteration(int iteration) {
    iteration_ = iteration;
    computeOperations_ = 0;
    if (faults_.waitFactor > 0) {
        const double spread = 0.5 + random_.uniform(kWaitKey, static_cast<std::uint64_t>(iteration));
        begin("wait_for_requests", "user_annotation");
        work(computeNs(precision()) * faults_.waitFactor * spread);
        program_.host.back().kind = HostStep::Kind::Wait;
        end();
    }
    const char *name = workload_.kind == WorkloadKind::Training ? "ProfilerStep#" : "decode_step#";
    begin(name + std::to_string(iteration), "user_annotation", workload_.tokensPerIteration);
    addInputCopy();
    for (int layer = 0; layer < workload_.layers; ++layer)
        addLayer(layer);
    addEnd();
    end();
}

Program Planner::build() {
    for (int iteration = 0; iteration < workload_.iterations; ++iteration)
        addIteration(iteration);
    synchronize("cudaDeviceSynchronize", -1);
    return std::move(program_);
}

}  // namespace

Program plan(const SimulationConfig &config) {
    return Planner(config).build();
}

}  // namespace wattproof::simulator
