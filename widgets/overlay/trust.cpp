#include "widgets/overlay/trust.h"

#include "report/report.h"

#include <algorithm>
#include <cmath>

namespace wattproof::widgets {
namespace {

using store::CounterBucket;
using Buckets = std::vector<CounterBucket>;

constexpr std::int64_t kFrozenFrom = 20;    // readings: fewer equal ones happen to a quiet device
constexpr Ns kFrozenPeriods = 10;           // of the sensor: polled faster, each reading repeats
constexpr Ns kFrozenLeast = 2'000'000'000;  // and never less than this
constexpr double kMissingFrom = 2.5;        // median periods between two readings

bool isPower(const CounterRow &counter) {
    return counter.quantity == "power";
}

bool isImplausible(const CounterRow &counter, double value) {
    constexpr double kNoSensorC = 150, kAllBits = 65535, kFastestHz = 2e10;
    if (isPower(counter))
        return value < 0 || value >= kAllBits;
    if (counter.quantity == "temperature")
        return value <= 0 || value >= kNoSensorC;
    return counter.quantity == "clock" && (value < 0 || value > kFastestHz);
}

// Sensors of 1 W steps repeat themselves by their nature.
bool showsWholeUnits(const Buckets &buckets) {
    return std::all_of(buckets.begin(), buckets.end(), [](const CounterBucket &b) {
        return b.min == std::floor(b.min) && b.max == std::floor(b.max);
    });
}

class Judge {
public:
    Judge(const CounterRow &counter, const Buckets &buckets, Ns period, const Witness &witness)
        : counter_(counter),
          buckets_(buckets),
          period_(period),
          witness_(witness),
          coarse_(showsWholeUnits(buckets)) {}

    std::vector<DoubtSpan> judge() {
        for (std::size_t i = 0; i < buckets_.size(); ++i) {
            judgeDistance(i);
            judgeValue(buckets_[i]);
            if (isPower(counter_))
                extendRun(buckets_[i]);
        }
        closeRun();
        std::stable_sort(spans_.begin(), spans_.end(),
                         [](const DoubtSpan &a, const DoubtSpan &b) { return a.range.begin < b.range.begin; });
        return std::move(spans_);
    }

private:
    void judgeDistance(std::size_t i) {
        const CounterBucket &bucket = buckets_[i];
        if (i == 0 || bucket.gapBefore || period_ <= 0)
            return;
        const CounterBucket &before = buckets_[i - 1];
        if (static_cast<double>(bucket.ts - before.end) >= kMissingFrom * static_cast<double>(period_))
            spans_.push_back({{before.end, bucket.ts},
                              Doubt::Bridged,
                              std::min(before.last, bucket.first),
                              std::max(before.last, bucket.first),
                              0});
    }

    void judgeValue(const CounterBucket &bucket) {
        if (!isImplausible(counter_, bucket.min) && !isImplausible(counter_, bucket.max))
            return;
        const TimeRange range{bucket.ts, std::max(bucket.end, bucket.ts + std::max<Ns>(period_, 1))};
        const bool goesOn = !spans_.empty() && spans_.back().doubt == Doubt::Implausible &&
                            spans_.back().range.end >= range.begin - period_;
        if (!goesOn)
            spans_.push_back({range, Doubt::Implausible, bucket.min, bucket.max, 0});
        DoubtSpan &span = spans_.back();
        span.range.end = range.end;
        span.low = std::min(span.low, bucket.min);
        span.high = std::max(span.high, bucket.max);
        span.readings += bucket.count;
    }

    void extendRun(const CounterBucket &bucket) {
        const bool still = bucket.min == bucket.max;
        if (run_.readings > 0 && (!still || bucket.min != run_.low || bucket.gapBefore))
            closeRun();
        if (!still)
            return;
        if (run_.readings == 0)
            run_ = {{bucket.ts, bucket.end}, Doubt::Frozen, bucket.min, bucket.max, 0};
        run_.range.end = bucket.end;
        run_.readings += bucket.count;
    }

    void closeRun() {
        const Ns least = std::max(kFrozenLeast, kFrozenPeriods * counter_.sensor.period);
        if (run_.readings >= kFrozenFrom && run_.range.length() >= least) {
            run_.doubt = run_.low == 0 ? Doubt::Zero : Doubt::Frozen;
            if (run_.doubt == Doubt::Zero || witness_(run_.range, coarse_))
                spans_.push_back(run_);
        }
        run_ = {};
    }

    const CounterRow &counter_;
    const Buckets &buckets_;
    Ns period_;
    const Witness &witness_;
    bool coarse_;
    DoubtSpan run_;
    std::vector<DoubtSpan> spans_;
};

}  // namespace

std::vector<DoubtSpan> doubtsOf(const CounterRow &counter, const Buckets &buckets, Ns period,
                                const Witness &witness) {
    return Judge(counter, buckets, period, witness).judge();
}

std::string doubtWord(Doubt doubt) {
    switch (doubt) {
        case Doubt::Frozen:
            return "frozen";
        case Doubt::Zero:
            return "reads 0 W";
        case Doubt::Implausible:
            return "implausible";
        case Doubt::Bridged:
            break;
    }
    return "values missing";
}

std::string doubtSentence(const DoubtSpan &span, const std::string &unit) {
    const std::string count = std::to_string(span.readings);
    const std::string low = report::quantity(span.low, unit), high = report::quantity(span.high, unit);
    switch (span.doubt) {
        case Doubt::Frozen:
            return "frozen_sensor: " + count + " equal readings of " + low + " while other sensors move";
        case Doubt::Zero:
            return "zero_power: " + count + " readings of 0 W";
        case Doubt::Implausible:
            return "implausible_value: readings from " + low + " to " + high;
        case Doubt::Bridged:
            break;
    }
    return "missing_value: no reading for " + report::duration(span.range.length()) + ", bridged from " + low +
           " to " + high;
}

}  // namespace wattproof::widgets
