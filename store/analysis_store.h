// What the last analysis left in the workspace: device_states, energy, clamps, findings and the whole result as JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "store/result.h"
#include "store/rows.h"

namespace wattproof::store {

struct DeviceStateRow {
    DeviceId device;
    Ns ts = 0, dur = 0;
    std::string state;             // compute, communication, copy, idle
    std::string cause;             // for idle: host, synchronization, ...
};

struct EnergyRow {
    std::string path;              // "compute/gemm/bf16", "idle/host", "outside_trace", "missing" ...
    SliceId slice;
    DeviceId device;
    std::string domain;
    Ns ts = 0, dur = 0;
    double j = 0, jLow = 0, jHigh = 0;
};

struct ClampRow {
    DeviceId device;
    Ns ts = 0, dur = 0;
    std::string clampClass;        // thermal, power, current, other
    std::string reason;            // "hw_thermal_slowdown", "inferred: clock falls while busy and hot"
    std::optional<double> lostClock;   // fraction of the reference clock
};

struct FindingRow {
    int rank = 0;
    std::string key;               // rule + scope
    std::string rule, bottleneckClass, title;
    std::optional<double> recoverableJLow, recoverableJHigh, gainLow, gainHigh;   // gain = headline gain
    std::string confidence;        // high, medium, low
    std::string json;              // the finding as in `analyze --json`
};

struct AnalysisRows {
    std::vector<DeviceStateRow> deviceStates;
    std::vector<EnergyRow> energy;
    std::vector<ClampRow> clamps;
    std::vector<FindingRow> findings;
    std::string resultJson;        // the whole document
    // Workspace::withdrawals() before the analysis read its inputs: results of sources that are gone are refused.
    std::optional<std::int64_t> withdrawals;
};

class AnalysisStore {
public:
    virtual ~AnalysisStore() = default;
    // Replaces the last analysis in one transaction. On a read-only workspace: an error that says so.
    virtual Status replace(const AnalysisRows &) = 0;
    virtual Expected<std::vector<DeviceStateRow>> deviceStates() = 0;
    virtual Expected<std::vector<ClampRow>> clamps() = 0;
    virtual Expected<std::vector<FindingRow>> findings() = 0;
    virtual Expected<std::optional<std::string>> resultJson() = 0;
};

}  // namespace wattproof::store
