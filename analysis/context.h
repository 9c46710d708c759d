// What rules see: the inputs read once, and the stages computed before them. Pure data; a rule never queries the store
// but for its evidence.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/energy/power_series.h"
#include "analysis/intervals.h"
#include "analysis/result.h"
#include "store/reader.h"

namespace wattproof::analysis {

// Everything of one accelerator.
struct DeviceActivity {
    store::KernelTable const *table = nullptr;
    DeviceRow device;
    std::vector<std::size_t> operations;       // indices into table->kernels, by ts
    IntervalSet compute, communication, copies, busy;
    TimeRange span;                            // first to last operation
    struct Gap {
        TimeRange range;
        std::string cause;                     // host, synchronization, launch, memory, input, tail, unknown
        SliceId hostSlice;                     // the call that explains most of it; none when unknown
    };
    std::vector<Gap> gaps;
};

struct ClampSpan {
    DeviceId device;
    TimeRange range;
    std::string clampClass, reason;
    std::optional<double> lostClock;
    bool inferred = false;
};

struct WorkUnit {                              // one request or iteration
    TimeRange range;
    double units = 1;
    bool ok = true;
    SliceId slice;
};

struct Context {
    Scenario scenario;
    std::vector<SourceRow> sources;
    std::vector<DeviceRow> devices;
    std::vector<CounterRow> counters;
    std::vector<TrackRow> tracks;
    std::vector<store::Alignment> alignments;
    store::KernelTable kernels;
    std::map<DeviceId, DeviceActivity> activity;
    std::map<DeviceId, PowerSeries> power;     // by accelerator, joined over sources by alias; absent: no log
    std::vector<ClampSpan> clamps;
    std::map<DeviceId, bool> hasThrottleFlags, hasClock, hasTemperature;
    std::map<DeviceId, double> powerLimitW;    // from the log, where it states one
    std::vector<WorkUnit> units;
    TimeRange traceExtent, powerExtent;
    AnalysisResult result;                     // stages fill it in order
};

}  // namespace wattproof::analysis
