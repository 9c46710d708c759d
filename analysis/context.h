// What rules see: the inputs read once, and the stages computed before them. Pure data; a rule never queries the
// store but for its evidence.
#pragma once

#include "analysis/energy/power_series.h"
#include "analysis/intervals.h"
#include "analysis/main_parts.h"
#include "analysis/result.h"
#include "analysis/timeline/host_activity.h"
#include "store/analysis_store.h"
#include "store/reader.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace wattproof::analysis {

// Everything of one accelerator.
struct DeviceActivity {
    store::KernelTable const *table = nullptr;
    DeviceRow device;
    std::vector<std::size_t> operations;  // indices into table->kernels, by ts
    IntervalSet compute, communication, copies, busy;
    TimeRange span;  // first to last operation
    // A stretch without any operation, cut where the cause changes: adjacent ones belong to one pause of the
    // device.
    struct Gap {
        TimeRange range;
        // host, synchronization, launch, memory, input: what the host did before it had launched the next
        // operation; queued: the operation was launched before the gap began; tail: after the last; unknown:
        // nothing recorded.
        std::string cause;
        SliceId hostSlice;  // the call that covers its begin; none when unknown
        HostActivity activity = HostActivity::None;
    };
    std::vector<Gap> gaps;   // inside span
    std::vector<Gap> outer;  // inside the trace, before the first or after the last operation
    TimeRange traced;        // main part of the trace sources that hold the operations
};

struct ClampSpan {
    DeviceId device;
    TimeRange range;
    std::string clampClass, reason;
    std::optional<double> lostClock;
    bool inferred = false;
};

struct WorkUnit {  // one request or iteration
    TimeRange range;
    double units = 1;
    bool ok = true;
    SliceId slice;
};

// A measured domain beside the accelerators: package, dram, psys, module, rail, node.
struct DomainPower {
    std::string domain;
    DeviceRow device;
    PowerSeries series;
};

// Readings of an accelerator that are not power, ordered by ts; empty where the log lacks them.
struct DeviceReadings {
    struct Flags {
        std::string table;            // "nvml", "amdsmi", "zes"
        std::vector<Sample> samples;  // masks
        Ns medianPeriod = 0;
    };
    std::vector<Flags> flags;
    std::vector<Sample> clockHz, temperatureC, limitW, utilisation;
    Ns clockPeriod = 0, utilisationPeriod = 0;
};

struct Context {
    Scenario scenario;
    std::vector<SourceRow> sources;
    std::vector<DeviceRow> devices;
    std::vector<CounterRow> counters;
    std::vector<TrackRow> tracks;
    std::vector<store::Alignment> alignments;
    MainParts mainParts;          // of the traces: the rest is about them alone
    store::KernelTable kernels;
    std::map<DeviceId, DeviceActivity> activity;
    // Rows of one physical device in several sources -> the row that stands for it (absent: itself). activity,
    // power, clamps and energy are keyed by the latter.
    std::map<DeviceId, DeviceId> sameDevice;
    std::map<StringId, std::string> texts;  // names of GPU operations and host calls, and their categories
    HostTimeline host;
    std::map<DeviceId, PowerSeries> power;  // by accelerator, joined over sources; absent: no log
    std::map<DeviceId, PowerSeries>
        centredPower;                     // the same, each reading moved to the middle of what it averages
    std::vector<DomainPower> otherPower;  // roots only: no child of a measured parent
    std::map<DeviceId, double> counterDisagreement;  // (integral of power - energy counter) / counter
    std::set<DeviceId> insideOther;                  // accelerators whose power a measured parent already holds
    std::map<DeviceId, DeviceReadings> readings;
    std::map<DeviceId, std::set<SourceId>> traceSources;
    std::vector<RequestRow> requests;
    std::vector<QualityRow> quality;
    std::vector<ClampSpan> clamps;
    std::map<DeviceId, bool> hasThrottleFlags, hasClock, hasTemperature;
    std::map<DeviceId, double> powerLimitW;  // from the log, where it states one
    std::vector<WorkUnit> units;
    TimeRange traceExtent, powerExtent;
    // Rows of the view `energy`, ordered by device and ts; operationJ is parallel to activity.operations.
    std::vector<store::EnergyRow> energyRows;
    std::map<DeviceId, std::vector<double>> operationJ;
    AnalysisResult result;  // stages fill it in order

    [[nodiscard]] DeviceId standsFor(DeviceId id) const {
        const auto it = sameDevice.find(id);
        return it == sameDevice.end() ? id : it->second;
    }
    [[nodiscard]] const std::string &text(StringId id) const {
        static const std::string none;
        const auto it = texts.find(id);
        return it == texts.end() ? none : it->second;
    }
};

}  // namespace wattproof::analysis
