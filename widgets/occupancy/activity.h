// What the accelerators did, prepared so that the share of any range is answered in logarithmic time: the
// occupancy pane and the minimap ask for one range a pixel column, at any zoom. Definitions: docs/methods.md,
// Occupancy.
#pragma once

#include "analysis/intervals.h"
#include "store/analysis_store.h"
#include "store/reader.h"

#include <map>
#include <stop_token>
#include <string>
#include <vector>

namespace wattproof::widgets {

// A set of intervals with the length covered before each.
class Coverage {
public:
    Coverage() = default;
    explicit Coverage(analysis::IntervalSet set);

    [[nodiscard]] bool empty() const { return set_.empty(); }
    [[nodiscard]] const analysis::IntervalSet &set() const { return set_; }
    [[nodiscard]] Ns before(Ns time) const;  // length covered before a time
    [[nodiscard]] Ns in(TimeRange r) const { return before(r.end) - before(r.begin); }

private:
    analysis::IntervalSet set_;
    std::vector<Ns> lengthBefore_;
};

// How many operations run at once, as a step function with its integral.
class Concurrency {
public:
    Concurrency() = default;
    explicit Concurrency(const std::vector<TimeRange> &operations);

    [[nodiscard]] double mean(TimeRange) const;  // 0 in an empty range
    [[nodiscard]] int most(TimeRange) const;

private:
    struct Step {
        Ns time = 0;
        int running = 0;
        double integral = 0;  // up to `time`, in operation-nanoseconds
    };
    [[nodiscard]] double integralTo(Ns) const;
    std::vector<Step> steps_;
};

struct StreamActivity {
    TrackId track;
    Coverage busy;
};

struct DeviceActivity {
    DeviceId device;
    TimeRange span;  // first to last operation
    Coverage compute, exposedCommunication, exposedCopies, busy;
    Concurrency concurrency;
    std::vector<StreamActivity> streams;
};

using Activity = std::vector<DeviceActivity>;

// Compute hides what runs beside it: communication is exposed where no compute runs, copies where neither runs.
// Ordered by device, streams by track. Empty when stopped.
[[nodiscard]] Activity buildActivity(const store::KernelTable &, const std::stop_token & = {});

// Idle time of each device by its cause, of the last analysis.
using IdleCauses = std::map<DeviceId, std::map<std::string, Coverage>>;
[[nodiscard]] IdleCauses idleCauses(const std::vector<store::DeviceStateRow> &);

struct ActivityShares {
    Ns length = 0;  // of the range inside the device's span; 0: nothing to say
    double compute = 0, communication = 0, copies = 0, idle = 0;
    double concurrency = 0;  // mean operations at once
};

[[nodiscard]] ActivityShares sharesIn(const DeviceActivity &, TimeRange);

}  // namespace wattproof::widgets
