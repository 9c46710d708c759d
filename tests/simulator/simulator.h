// The workload simulator: one accelerator, the host thread that feeds it, its power, heat and sensor. Seeded and
// deterministic: the same configuration gives the same bytes on every machine (no libm function beyond sqrt, no
// library distribution, no contraction of multiply and add). Simulation time is ns from the start of the log;
// config.epoch is its wall clock.
//
//   const auto run = simulate(*preset("thermal_clamp"));
//   run.trace   what a profiler records        writeKinetoJson
//   run.power   what a sensor reports          writeNvidiaSmiCsv
//   run.truth   what really happened           writeTruth
#pragma once

#include "store/result.h"
#include "store/time.h"
#include "tests/simulator/config.h"
#include "tests/simulator/power_curve.h"

#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace wattproof::simulator {

struct HostSlice {
    std::string name, category;  // Kineto categories: user_annotation, cpu_op, cuda_runtime
    TimeRange range;
    int iteration = -1;
    int correlation = 0;    // of a runtime call; 0: none
    bool launches = false;  // the call has a device operation of the same correlation
};

struct DeviceOperation {
    std::string name;       // as a profiler prints it
    std::string activity;   // kernel, memcpy
    std::string path;       // "compute/gemm/fp8", "communication", "copy/HtoD": how energy is accounted
    std::string precision;  // of the mathematics; "" where there is none
    int stream = 7;
    TimeRange range;
    int iteration = 0;
    int correlation = 0;
    double watts = 0;      // above the floor, at full clock
    bool recorded = true;  // false: it ran, and the trace does not know
    int grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
    int registers = 0, sharedMemory = 0;
    std::int64_t bytes = 0;  // of a copy
};

struct Iteration {
    int index = 0;
    TimeRange range;   // of its annotation on the host
    double units = 0;  // tokens or samples
};

struct Trace {
    std::vector<HostSlice> host;              // by start, parents first
    std::vector<DeviceOperation> operations;  // by start
    std::vector<Iteration> iterations;
    TimeRange window;  // what the profiler recorded
};

// One row of the log, as the sensor gives it. ts: simulation time of the poll on the log's own clock.
struct PowerSample {
    Ns ts = 0;
    std::optional<double> watts;
    int temperatureC = 0;
    int clockMHz = 0;
    int utilisation = 0;        // per cent of the last second in which the device was busy
    std::uint64_t reasons = 0;  // NVML clocks_event_reasons mask
};

struct PowerLog {
    std::vector<PowerSample> samples;
    double limitW = 0;
};

struct ClampSpan {
    TimeRange range;
    std::string clampClass;  // thermal, power
    double meanClock = 1;    // share of the maximum
};

// What the same work would have cost without one injection.
struct Counterfactual {
    Injection injection;
    std::optional<double> recoverableTime;    // (T - T') / T of the run; none where the work itself did not change
    std::optional<double> recoverableJ;       // E - E' inside the run; negative when the faster run costs more
    std::optional<double> throughputGain;     // T / T' - 1
    std::optional<double> unitsPerJouleGain;  // E / E' - 1 inside the run
};

struct ClassTruth {
    double wattsAtFullClock = 0;  // above the active floor
    Ns busyNs = 0;                // sum over operations
    double dynamicJ = 0;          // above the floor
};

struct Truth {
    TimeRange log, run;                         // extent of the log; first to last device operation
    double totalJ = 0;                          // over log = outsideJ + busyFloorJ + idleJ + sum of dynamicJ
    double outsideJ = 0;                        // before and after the run
    double busyFloorJ = 0, idleJ = 0;           // active floor while busy, and in gaps
    std::map<std::string, ClassTruth> classes;  // by path
    double hiddenJ = 0;                         // dynamic energy of operations without record (also in classes)
    Ns busyNs = 0, idleNs = 0;                  // of the run; union over streams, recorded or not
    std::map<std::string, Ns> idleByHostNs;     // what the host did meanwhile: work, launch, synchronize, wait
    double deepIdleW = 0, activeIdleW = 0;
    std::vector<ClampSpan> clamps;
    Ns alignmentOffset = 0;  // to add to the log's times to bring them onto the trace's clock (at the log's start)
    std::int64_t driftPpb = 0;
    double units = 0;
    std::vector<Counterfactual> counterfactuals;
};

struct Simulation {
    SimulationConfig config;
    Trace trace;
    PowerCurve curve;  // true power at every instant
    PowerLog power;
    Truth truth;
};

[[nodiscard]] Simulation simulate(const SimulationConfig &);

// Writers. The stream versions never fail by themselves; check the stream.
void writeKinetoJson(const Simulation &, std::ostream &);
void writeNvidiaSmiCsv(const Simulation &, std::ostream &);
void writeTruth(const Simulation &, std::ostream &);

struct Files {
    std::string trace, power, truth;  // paths
};
// PREFIX_trace.json[.gz], PREFIX_power.csv and PREFIX_truth.json.
[[nodiscard]] Expected<Files> writeFiles(const Simulation &, const std::string &prefix, bool gzip = true);

}  // namespace wattproof::simulator
