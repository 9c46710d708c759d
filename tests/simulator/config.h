// What the workload simulator can be told: workload, silicon, cooling, sensor and the faults to inject.
// Every number is in SI units or in the unit its name ends with; shares are fractions of one.
#pragma once

#include "store/time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wattproof::simulator {

// Faults that the simulator knows how to make. Names in files are those of the product's bottleneck classes.
enum class Bottleneck {
    Healthy,
    HostOrchestration,  // host work between launches: the device waits for the next launch
    Synchronization,    // the host blocks on the device again and again, so that launch cost is exposed
    Communication,      // collectives outlast the computation they should hide behind
    DataMovement,       // pageable copies that computation waits for
    ThermalClamp,       // the cooler is too weak: the clock falls at the limit and recovers, in cycles
    PowerCap,           // the limit is below what the work draws
    LowLoad,            // requests arrive too seldom
    TraceIncomplete,    // part of the device's work leaves no record
};

[[nodiscard]] const char *nameOf(Bottleneck);
[[nodiscard]] std::optional<Bottleneck> bottleneckFromName(const std::string &);
[[nodiscard]] const std::vector<Bottleneck> &allBottlenecks();

// severity: 0 does nothing, 1 is the worst this simulator makes.
struct Injection {
    Bottleneck kind = Bottleneck::Healthy;
    double severity = 0.5;
    // Of TraceIncomplete: false deletes the host's records too, so that power alone can tell.
    bool hostRecorded = true;
};

enum class WorkloadKind { Training, Decode };

// From `firstIteration` on, matrix products run in this precision ("bf16", "fp16", "tf32", "fp32", "fp8").
struct PrecisionPhase {
    int firstIteration = 0;
    std::string precision = "bf16";
};

struct WorkloadConfig {
    WorkloadKind kind = WorkloadKind::Decode;
    int iterations = 200;
    int layers = 2;                   // groups of norm, gemm, attention, gemm, elementwise in an iteration
    double iterationMs = 30;          // device work of one iteration in bf16 at full clock
    double tokensPerIteration = 256;  // samples per iteration when training
    std::vector<PrecisionPhase> precisions{{}};
    double jitter = 0.02;    // relative standard deviation of each operation's length
    double hostShare = 0.3;  // host work of an iteration, as a share of iterationMs
    double communicationShare =
        0.08;              // collective of each layer, hidden behind the next layer, share of the layer
    int hostRunAhead = 1;  // iterations that the host may launch before it waits for the device
};

// Watts: below the run the device rests at the deep floor, with a context held at the active floor.
struct PowerConfig {
    double deepIdleW = 70;
    double activeIdleW = 115;
    double dynamicScale = 1;  // multiplies the watts that every operation adds
    double limitW = 700;
    double maximumClockMHz = 1980;
};

// One thermal mass: C dT/dt = P - (T - ambient) / R, with time constant R C.
struct ThermalConfig {
    double ambientC = 28;
    double resistanceKPerW = 0.075;
    double timeConstantS = 3;
    double clampAboveC = 87;     // the clock falls here …
    double releaseBelowC = 83;   // … and returns here
    double clampedClock = 0.62;  // share of the maximum
};

// A reading at poll time t is the latest update u <= t, and shows the mean power over the sensor's window that
// ended at u - lag. duty: only the last part of the window is seen (a part-time sensor).
struct SensorConfig {
    Ns pollPeriod = 50'000'000;
    Ns updatePeriod = 50'000'000;
    Ns window = 50'000'000;
    Ns lag = 0;
    double duty = 1;
    double quantumW = 0.01;
    double noiseW = 0;            // standard deviation
    double missingShare = 0;      // cells that read [N/A]
    std::vector<TimeRange> gaps;  // simulation time; no rows at all
};

// How the log's clock differs from the trace's: logged = true + offset + drift x (true - start).
struct ClockConfig {
    Ns offset = 0;
    std::int64_t driftPpb = 0;
};

struct SimulationConfig {
    std::string name = "healthy";
    std::uint64_t seed = 1;
    // The log and the trace add "(simulated)". No real product by default: readers know the sensors of real ones,
    // which would have to be configured to match.
    std::string deviceName = "Model S accelerator";
    Ns epoch = 1'772'442'000'000'000'000;  // wall clock of simulation time 0: 2026-03-02 09:00:00 UTC
    double leadInS = 2, leadOutS = 2;      // logged before and after the run
    double contextS = 0.3;                 // of these, with the context held
    WorkloadConfig workload;
    PowerConfig power;
    ThermalConfig thermal;
    SensorConfig sensor;
    ClockConfig clock;
    std::vector<Injection> injections;
};

// A named set-up: one for each bottleneck (its name), and "sample" (the bundled sample). Empty for an unknown
// name.
[[nodiscard]] std::optional<SimulationConfig> preset(const std::string &name);
[[nodiscard]] std::vector<std::string> presetNames();

}  // namespace wattproof::simulator
