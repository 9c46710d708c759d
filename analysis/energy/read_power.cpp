#include "analysis/energy/read_power.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace wattproof::analysis {

Expected<Ns> bridgedGap(store::Reader &reader, SourceId source) {
    auto stated = reader.metadata(source, "max_gap_s");
    if (!stated)
        return passOn(stated);
    if (!*stated)
        return Ns{0};
    const double seconds = std::strtod((*stated)->c_str(), nullptr);
    constexpr double kLongest = 1e9;  // beyond it every distance is bridged anyway
    return seconds > 0 ? static_cast<Ns>(std::llround(std::min(seconds, kLongest) * 1e9)) : Ns{0};
}

Expected<PowerSeries> readPower(store::Reader &reader, const CounterRow &channel, const std::stop_token &stop) {
    return readStatedPower(reader, channel, {}, stop);
}

Expected<PowerSeries> readPowerAround(store::Reader &reader, const CounterRow &channel, TimeRange range,
                                      const std::stop_token &stop) {
    if (channel.kind == CounterKind::Delta)
        return readPower(reader, channel, stop);
    auto gap = bridgedGap(reader, channel.source);
    if (!gap)
        return passOn(gap);
    auto period = reader.samplePeriod(channel.id);
    if (!period)
        return passOn(period);
    auto samples = reader.samples(channel.id, range, stop);
    if (!samples)
        return passOn(samples);
    return PowerSeries(channel, std::move(*samples), *gap > 0 ? *gap : kPeriodsBridged * *period);
}

Expected<PowerSeries> readStatedPower(store::Reader &reader, const CounterRow &channel, const TimeMap &map,
                                      const std::stop_token &stop) {
    const TimeRange everything{channel.extent.begin - 1, channel.extent.end + 1};
    auto samples = reader.samples(channel.id, everything, stop);
    if (!samples)
        return passOn(samples);
    auto gap = bridgedGap(reader, channel.source);
    if (!gap)
        return passOn(gap);
    for (Sample &sample : *samples)
        sample.ts = map.base + map.toSource(sample.ts);
    return PowerSeries(channel, std::move(*samples), *gap);
}

}  // namespace wattproof::analysis
