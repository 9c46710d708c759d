// One device as a rule looks at it, with the queries and numbers that several rules need.
#pragma once

#include "analysis/context.h"
#include "analysis/findings/evidence_sql.h"
#include "analysis/findings/idle_ledger.h"

#include <optional>
#include <string>
#include <vector>

namespace wattproof::analysis {

class DeviceScope {
public:
    DeviceScope(const Context &, const DeviceActivity &);

    const Context &context;
    const DeviceActivity &activity;
    IdleLedger idle;

    [[nodiscard]] DeviceId id() const { return activity.device.id; }
    [[nodiscard]] const std::string &name() const { return activity.device.name; }
    [[nodiscard]] std::string key() const;  // tells devices of several hosts apart
    [[nodiscard]] TimeRange span() const { return activity.span; }
    [[nodiscard]] double spanNs() const { return static_cast<double>(activity.span.length()); }
    [[nodiscard]] double shareOfSpan(Ns length) const { return static_cast<double>(length) / spanNs(); }
    [[nodiscard]] const std::vector<DeviceId> &ids() const { return ids_; }  // all rows of this device

    [[nodiscard]] const PowerSeries *power() const;
    // Energy of all measured domains over the span; none without a power log that covers most of it.
    [[nodiscard]] std::optional<double> measuredJ() const;
    // Watts of the device with a context held and nothing running, 95 %; none when no floor is known.
    [[nodiscard]] std::optional<Interval> idleWatts() const;

    [[nodiscard]] std::string traceFile() const;
    [[nodiscard]] std::string powerFile() const;
    [[nodiscard]] std::vector<std::string> streamNames() const;

    [[nodiscard]] std::string operations(sql::Work work = sql::Work::Any) const;
    [[nodiscard]] std::string operations(TimeRange range, sql::Work work = sql::Work::Any) const;
    [[nodiscard]] std::string computeAndCommunication() const;
    [[nodiscard]] std::string idleMsQuery() const;  // span minus the union of all operations
    [[nodiscard]] double idleMs() const;
    [[nodiscard]] Ns gapTime(const std::vector<std::string> &causes) const;
    [[nodiscard]] std::int64_t operationsShorterThan(Ns) const;

private:
    std::vector<DeviceId> ids_;
};

// Every device that ran operations, with its ledger.
[[nodiscard]] std::vector<DeviceScope> deviceScopes(const Context &);

// Names among the workspace's texts that runtime calls of this activity have.
[[nodiscard]] std::vector<std::string> callNames(const Context &, HostActivity);

[[nodiscard]] TimeRange hullOf(const IntervalSet &);     // {} when empty
[[nodiscard]] TimeRange longestOf(const IntervalSet &);  // {} when empty
[[nodiscard]] inline double toMs(double ns) {
    return ns / 1e6;
}

}  // namespace wattproof::analysis
