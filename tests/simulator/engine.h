// Runs a program against the plant: a discrete-event simulation of the host, the streams and the control loop.
#pragma once

#include "tests/simulator/program.h"

#include <map>
#include <string>

namespace wattproof::simulator {

struct Execution {
    Trace trace;
    PowerCurve curve;
    std::map<std::string, ClassTruth> classes;
    double hiddenJ = 0;
    std::map<std::string, Ns> idleByHostNs;
};

// `config` with its physical faults already in it.
[[nodiscard]] Execution execute(const SimulationConfig &config, Program program);

}  // namespace wattproof::simulator
