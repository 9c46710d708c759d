// The work as planned, before time runs: what the host does in order, and the device operations it launches.
#pragma once

#include "tests/simulator/simulator.h"

#include <string>
#include <vector>

namespace wattproof::simulator {

inline constexpr int kComputeStream = 7, kCommunicationStream = 20, kCopyStream = 13;

struct PlannedOperation {
    DeviceOperation what;     // range is filled in by the engine
    double workNs = 0;        // length alone at full clock
    double computeShare = 0;  // see workRate
    std::vector<int> after;   // operations of other streams that must have ended
};

struct HostStep {
    enum class Kind {
        Begin,        // opens a slice on the host
        End,          // closes the innermost one
        Work,         // takes `duration`
        Wait,         // the same, but the host has nothing to do
        Launch,       // a runtime call of `duration`, at whose end `operation` is in its stream's queue
        Synchronize,  // blocks until `operation` has ended; -1: until everything has
    };
    Kind kind = Kind::Work;
    Ns duration = 0;
    std::string name, category;  // of Begin, Launch and Synchronize
    int operation = -1;
    int iteration = -1;
    double units = 0;  // of a Begin that opens an iteration
};

struct Program {
    std::vector<PlannedOperation> operations;
    std::vector<HostStep> host;
};

// The configuration's workload with its injections, without those that change only silicon or cooler.
[[nodiscard]] Program plan(const SimulationConfig &);

}  // namespace wattproof::simulator
