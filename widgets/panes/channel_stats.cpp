#include "widgets/panes/channel_stats.h"

#include "analysis/alignment/matching.h"
#include "analysis/alignment/sensor_view.h"
#include "analysis/energy/read_power.h"
#include "analysis/stats/percentile.h"

#include <algorithm>

namespace wattproof::widgets {
namespace {

constexpr double kNsPerSecond = 1e9;

bool isEnergy(const CounterRow &counter) {
    return counter.unit == "J" && (counter.kind == CounterKind::Counter || counter.kind == CounterKind::Delta);
}

bool hasStats(const CounterRow &counter) {
    static const std::vector<std::string> gauges{"power", "temperature", "clock", "utilisation", "limit"};
    const bool gauge = counter.kind == CounterKind::Gauge || counter.kind == CounterKind::Mean;
    const bool known = std::find(gauges.begin(), gauges.end(), counter.quantity) != gauges.end();
    return counter.sampleCount > 0 && counter.device.valid() && ((known && gauge) || isEnergy(counter));
}

double longestGap(const analysis::PowerSeries &series, TimeRange range) {
    Ns longest = 0;
    for (const TimeRange &gap : analysis::complement(analysis::clip(series.covered(), range), range))
        longest = std::max(longest, gap.length());
    return static_cast<double>(longest) / kNsPerSecond;
}

ChannelStats statsOf(const analysis::PowerSeries &series, TimeRange range) {
    const CounterRow &counter = series.channel();
    ChannelStats stats;
    stats.name = counter.name;
    stats.unit = isEnergy(counter) ? "W" : counter.unit;
    std::vector<double> values;
    for (const Sample &point : analysis::wattPoints(series))
        if (range.contains(point.ts))
            values.push_back(point.value);
    std::sort(values.begin(), values.end());
    stats.readings = static_cast<std::int64_t>(values.size());
    stats.p95 = analysis::percentile(values, 95);
    if (!values.empty())
        stats.max = values.back();
    const analysis::EnergyOfRange energy = series.energy(range);
    if (energy.coveredS > 0) {
        stats.mean = energy.j / energy.coveredS;
        if (stats.unit == "W" && counter.quantity != "limit")
            stats.joules = energy.j;
    }
    const double all = static_cast<double>(range.length()) / kNsPerSecond;
    stats.coverage = all > 0 ? energy.coveredS / all : 0;
    stats.longestGapS = longestGap(series, range);
    return stats;
}

}  // namespace

Expected<std::vector<ChannelStats>> readChannelStats(store::Reader &reader, TimeRange range,
                                                     const std::stop_token &stop) {
    auto counters = reader.counters();
    if (!counters)
        return passOn(counters);
    auto devices = reader.devices();
    if (!devices)
        return passOn(devices);
    std::stable_sort(counters->begin(), counters->end(),
                     [](const CounterRow &a, const CounterRow &b) { return a.device < b.device; });
    std::vector<ChannelStats> all;
    for (const CounterRow &counter : *counters) {
        if (!hasStats(counter))
            continue;
        auto series = analysis::readPowerAround(reader, counter, range, stop);
        if (!series)
            return passOn(series);
        all.push_back(statsOf(*series, range));
        if (const DeviceRow *device = analysis::deviceById(*devices, counter.device))
            all.back().device = device->name;
        all.back().sensor = counter.sensor.note;
    }
    return all;
}

}  // namespace wattproof::widgets
