#include "analysis/findings/idle_ledger.h"

#include "analysis/findings/rule_settings.h"

#include <algorithm>

namespace wattproof::analysis {
namespace {

using Gap = DeviceActivity::Gap;

constexpr double kNsPerMs = 1e6;

// The host was inside a waiting call at the moment at which the device ran dry.
bool waitedAt(const IntervalSet &waiting, Ns t) {
    const auto it =
        std::partition_point(waiting.begin(), waiting.end(), [&](const TimeRange &r) { return r.end < t; });
    return it != waiting.end() && it->begin < t;
}

bool hostWorked(const std::string &cause) {
    return cause == "host" || cause == "launch" || cause == "memory" || cause == "input";
}

class Accountant {
public:
    Accountant(const Context &context, const DeviceActivity &activity)
        : waiting_(context.host.covered(HostActivity::Synchronization)),
          inFlight_(unitsInFlight(context)),
          minBlocked_(static_cast<Ns>(ruleSettings().traceMinBlockedMs * kNsPerMs)),
          stall_(static_cast<Ns>(ruleSettings().hostStallMs * kNsPerMs)),
          unitsAreRequests_(!context.requests.empty()),
          activity_(activity) {}

    IdleLedger run() {
        const auto &gaps = activity_.gaps;
        for (std::size_t i = 0; i < gaps.size(); ++i) {
            if (i == 0 || gaps[i - 1].range.end != gaps[i].range.begin)
                beginPause(gaps[i].range.begin);
            book(gaps[i]);
        }
        return std::move(ledger_);
    }

private:
    void beginPause(Ns t) {
        drained_ = waitedAt(waiting_, t);
        if (drained_)
            ledger_.drainedPauses.push_back({t, t});
    }

    void book(const Gap &gap) {
        if (drained_)
            ledger_.drainedPauses.back().end = gap.range.end;
        // After its launch call had returned, an operation takes microseconds to reach an idle device.
        const bool onItsWay = gap.cause == "launch" && gap.activity == HostActivity::None;
        if (gap.cause == "synchronization")
            bookWaiting(gap);
        else if (onItsWay && gap.range.length() >= minBlocked_)
            ledger_.undelivered.push_back(gap.range);
        else if (hostWorked(gap.cause) && unitsAreRequests_)
            bookHostBesideRequests(gap);
        else if (hostWorked(gap.cause))
            bookHost(gap);
        else if (gap.cause != "queued")
            bookNothingRecorded(gap);
    }

    // What the host does while no request is in flight is waiting for one.
    void bookHostBesideRequests(const Gap &gap) {
        Gap part = gap;
        for (const TimeRange &r : clip(inFlight_, gap.range)) {
            part.range = r;
            bookHost(part);
        }
        for (const TimeRange &r : difference({gap.range}, inFlight_))
            ledger_.lowLoad.push_back(r);
    }

    void bookWaiting(const Gap &gap) {
        if (gap.range.length() < minBlocked_)
            return bookDrained(gap);
        ledger_.blocked.push_back(gap.range);
    }

    void bookHost(const Gap &gap) {
        const bool stalled = gap.cause == "launch" && gap.range.length() >= stall_;
        if (drained_ && !stalled)
            return bookDrained(gap);
        ledger_.host.push_back(gap.range);
        if (stalled)
            ledger_.launchStalls.push_back(gap.range);
    }

    void bookDrained(const Gap &gap) { ledger_.synchronization.push_back(gap.range); }

    void bookNothingRecorded(const Gap &gap) {
        const IntervalSet idle{gap.range};
        const IntervalSet loaded = inFlight_.empty() ? idle : clip(inFlight_, gap.range);
        for (const TimeRange &r : loaded)
            ledger_.unknown.push_back(r);
        for (const TimeRange &r : difference(idle, loaded))
            ledger_.lowLoad.push_back(r);
    }

    const IntervalSet &waiting_;
    IntervalSet inFlight_;
    Ns minBlocked_, stall_;
    bool unitsAreRequests_;
    const DeviceActivity &activity_;
    IdleLedger ledger_;
    bool drained_ = false;
};

}  // namespace

IntervalSet unitsInFlight(const Context &context) {
    std::vector<TimeRange> ranges;
    ranges.reserve(context.units.size());
    for (const WorkUnit &unit : context.units)
        ranges.push_back(unit.range);
    return unionOf(std::move(ranges));
}

IdleLedger idleLedger(const Context &context, const DeviceActivity &activity) {
    return Accountant(context, activity).run();
}

}  // namespace wattproof::analysis
