#include "analysis/thermal/clamps.h"

#include "analysis/energy/power_series.h"
#include "analysis/stats/percentile.h"

#include <algorithm>
#include <cmath>

namespace wattproof::analysis {
namespace {

constexpr double kLostAtLeast = 0.10;
constexpr double kNearHottestC = 3;
constexpr double kHotC = 70;
constexpr double kNearLimit = 0.97;
constexpr double kBusyShare = 0.5;

Ns standsUntil(const std::vector<Sample> &samples, std::size_t i, Ns period) {
    const bool last = i + 1 == samples.size();
    const bool gap = !last && period > 0 && samples[i + 1].ts - samples[i].ts > kPeriodsBridged * period;
    return last || gap ? samples[i].ts + period : samples[i + 1].ts;
}

template <class Accept>
IntervalSet spansWhere(const std::vector<Sample> &samples, Ns period, Accept accept) {
    std::vector<TimeRange> spans;
    for (std::size_t i = 0; i < samples.size(); ++i)
        if (accept(samples[i]))
            spans.push_back({samples[i].ts, standsUntil(samples, i, period)});
    return unionOf(std::move(spans));
}

std::optional<double> valueAt(const std::vector<Sample> &samples, Ns t) {
    const auto it =
        std::partition_point(samples.begin(), samples.end(), [t](const Sample &s) { return s.ts <= t; });
    return it == samples.begin() ? std::nullopt : std::optional<double>(std::prev(it)->value);
}

bool within(const IntervalSet &set, Ns t) {
    const auto it = std::partition_point(set.begin(), set.end(), [t](const TimeRange &r) { return r.end <= t; });
    return it != set.end() && it->begin <= t;
}

bool busyAround(const DeviceActivity *activity, Ns t, Ns period) {
    if (activity == nullptr)
        return false;
    const Ns half = std::max<Ns>(period, 2) / 2;
    return static_cast<double>(overlapLength(activity->busy, {t - half, t + half})) >=
           kBusyShare * static_cast<double>(2 * half);
}

// The clock the device holds when it works and nothing holds it down: the 90th percentile of such readings.
std::optional<double> referenceClock(const DeviceReadings &readings, const DeviceActivity *activity,
                                     const IntervalSet &clamped) {
    std::vector<double> working;
    std::vector<double> free;
    for (const Sample &clock : readings.clockHz) {
        if (within(clamped, clock.ts))
            continue;
        free.push_back(clock.value);
        if (busyAround(activity, clock.ts, readings.clockPeriod))
            working.push_back(clock.value);
    }
    std::vector<double> &values = working.size() >= 5 ? working : free;
    std::sort(values.begin(), values.end());
    return percentile(values, 90);
}

std::optional<double> lostClock(const DeviceReadings &readings, TimeRange range, std::optional<double> reference) {
    double sum = 0;
    int count = 0;
    for (const Sample &clock : readings.clockHz) {
        if (range.contains(clock.ts)) {
            sum += clock.value;
            ++count;
        }
    }
    if (count == 0 || !reference || *reference <= 0)
        return std::nullopt;
    return std::clamp(1 - sum / count / *reference, 0.0, 1.0);
}

void add(std::vector<ClampSpan> &out, const IntervalSet &spans, const std::string &clampClass,
         const std::string &reason, bool inferred) {
    for (const TimeRange &span : spans)
        out.push_back({{}, span, clampClass, reason, {}, inferred});
}

Status addFlagged(std::vector<ClampSpan> &out, const DeviceReadings &readings) {
    for (const DeviceReadings::Flags &flags : readings.flags) {
        const auto reasons = throttleReasons(flags.table);
        if (!reasons)
            return tl::unexpected<Error>(reasons.error());
        for (const ThrottleReason &reason : *reasons)
            if (reason.clampClass != "none")
                add(out, spansOfBit(flags.samples, reason, flags.medianPeriod), reason.clampClass, reason.name,
                    false);
    }
    return {};
}

void addInferred(std::vector<ClampSpan> &out, const DeviceReadings &readings, const DeviceActivity *activity,
                 const PowerSeries *power) {
    const auto reference = referenceClock(readings, activity, {});
    if (!reference)
        return;
    double hottest = 0;
    for (const Sample &sample : readings.temperatureC)
        hottest = std::max(hottest, sample.value);
    const auto low = [&](const Sample &clock) {
        return clock.value <= (1 - kLostAtLeast) * *reference &&
               busyAround(activity, clock.ts, readings.clockPeriod);
    };
    const auto hot = [&](Ns t) {
        return hottest >= kHotC && valueAt(readings.temperatureC, t).value_or(0) >= hottest - kNearHottestC;
    };
    const auto capped = [&](Ns t) {
        const auto limit = valueAt(readings.limitW, t);
        const auto watts = power != nullptr ? power->watts(t) : std::nullopt;
        return limit && watts && *limit > 0 && *watts >= kNearLimit * *limit;
    };
    const auto thermal = [&](const Sample &c) { return low(c) && hot(c.ts) && !capped(c.ts); };
    const auto powered = [&](const Sample &c) { return low(c) && capped(c.ts); };
    add(out, spansWhere(readings.clockHz, readings.clockPeriod, thermal), "thermal",
        "inferred: clock falls while busy and hot", true);
    add(out, spansWhere(readings.clockHz, readings.clockPeriod, powered), "power",
        "inferred: clock falls while power is at its limit", true);
}

IntervalSet unionOfClass(const std::vector<ClampSpan> &clamps, DeviceId device, const char *clampClass) {
    std::vector<TimeRange> spans;
    for (const ClampSpan &clamp : clamps)
        if (clamp.device == device && clamp.clampClass == clampClass)
            spans.push_back(clamp.range);
    return unionOf(std::move(spans));
}

IntervalSet observedOf(const DeviceReadings &readings) {
    IntervalSet seen;
    for (const DeviceReadings::Flags &flags : readings.flags)
        seen = unionOf(seen, observed(flags.samples, flags.medianPeriod));
    return readings.flags.empty() ? observed(readings.clockHz, readings.clockPeriod) : seen;
}

struct Totals {
    double observedS = 0, lostWeighted = 0, lostS = 0;
};

void summarise(Context &context, DeviceId id, const DeviceReadings &readings, Totals &totals) {
    ThermalResult &thermal = context.result.thermal;
    const IntervalSet spans = unionOfClass(context.clamps, id, "thermal");
    const auto row = std::find_if(context.devices.begin(), context.devices.end(),
                                  [id](const DeviceRow &device) { return device.id == id; });
    if (row != context.devices.end())
        thermal.devices.push_back({row->name, id, spans});
    thermal.clampEvents += static_cast<std::int64_t>(spans.size());
    thermal.clampS += static_cast<double>(length(spans)) / 1e9;
    thermal.powerCappedS += static_cast<double>(length(unionOfClass(context.clamps, id, "power"))) / 1e9;
    totals.observedS += static_cast<double>(length(observedOf(readings))) / 1e9;
    for (const ClampSpan &clamp : context.clamps) {
        if (clamp.device == id && clamp.clampClass == "thermal" && clamp.lostClock) {
            const double seconds = static_cast<double>(clamp.range.length()) / 1e9;
            totals.lostWeighted += seconds * *clamp.lostClock;
            totals.lostS += seconds;
        }
    }
}

}  // namespace

IntervalSet observed(const std::vector<Sample> &samples, Ns medianPeriod) {
    return spansWhere(samples, medianPeriod, [](const Sample &) { return true; });
}

IntervalSet spansOfBit(const std::vector<Sample> &masks, const ThrottleReason &reason, Ns medianPeriod) {
    return spansWhere(masks, medianPeriod, [&](const Sample &sample) {
        if (!(sample.value >= 0) || sample.value >= 0x1p64)
            return false;
        const auto mask = static_cast<std::uint64_t>(sample.value);
        const auto isSet = [mask](int bit) { return (mask >> static_cast<unsigned>(bit) & 1U) != 0; };
        return isSet(reason.bit) && std::none_of(reason.holds.begin(), reason.holds.end(), isSet);
    });
}

Expected<std::vector<ClampSpan>> clampsOf(const DeviceReadings &readings, const DeviceActivity *activity,
                                          const PowerSeries *power) {
    std::vector<ClampSpan> clamps;
    if (!readings.flags.empty()) {
        if (const Status status = addFlagged(clamps, readings); !status)
            return tl::unexpected<Error>(status.error());
    } else {
        addInferred(clamps, readings, activity, power);
    }
    std::sort(clamps.begin(), clamps.end(),
              [](const ClampSpan &a, const ClampSpan &b) { return a.range.begin < b.range.begin; });
    std::vector<TimeRange> all;
    for (const ClampSpan &clamp : clamps)
        all.push_back(clamp.range);
    const auto reference = referenceClock(readings, activity, unionOf(std::move(all)));
    for (ClampSpan &clamp : clamps)
        clamp.lostClock = lostClock(readings, clamp.range, reference);
    return clamps;
}

Status findClamps(Context &context) {
    Totals totals;
    for (const auto &[id, readings] : context.readings) {
        const auto activity = context.activity.find(id);
        const auto power = context.power.find(id);
        auto clamps = clampsOf(readings, activity == context.activity.end() ? nullptr : &activity->second,
                               power == context.power.end() ? nullptr : &power->second);
        if (!clamps)
            return tl::unexpected<Error>(clamps.error());
        for (ClampSpan &clamp : *clamps) {
            clamp.device = id;
            context.clamps.push_back(std::move(clamp));
        }
        if (!readings.flags.empty() || !readings.clockHz.empty())
            summarise(context, id, readings, totals);
    }
    ThermalResult &thermal = context.result.thermal;
    if (totals.observedS <= 0) {
        for (const char *key : {"thermal.clamps_per_hour", "thermal.time_share", "thermal.lost_clock"})
            context.result.reasons[key] = "the log has neither throttle flags nor clocks";
        return {};
    }
    thermal.clampsPerHour = static_cast<double>(thermal.clampEvents) / (totals.observedS / 3600);
    thermal.timeShare = thermal.clampS / totals.observedS;
    if (totals.lostS > 0)
        thermal.lostClock = totals.lostWeighted / totals.lostS;
    else
        context.result.reasons["thermal.lost_clock"] =
            thermal.clampEvents == 0 ? "no thermal clamp was seen" : "the log has no clocks";
    return {};
}

}  // namespace wattproof::analysis
