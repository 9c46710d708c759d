#include "analysis/energy/idle_by_log.h"

#include "analysis/energy/power_series.h"
#include "analysis/thermal/throttle_masks.h"

namespace wattproof::analysis {
namespace {

template <class Accept>
void addBetween(std::vector<TimeRange> &ranges, const std::vector<Sample> &samples, Ns period, Accept accept) {
    for (std::size_t i = 1; i < samples.size(); ++i)
        if (samples[i].ts - samples[i - 1].ts <= kPeriodsBridged * period && accept(samples[i - 1].value) &&
            accept(samples[i].value))
            ranges.push_back({samples[i - 1].ts, samples[i].ts});
}

// The bit that says "idle"; none where the vendor has no such flag.
std::optional<int> idleBit(const std::string &table) {
    const auto reasons = throttleReasons(table);
    if (reasons)
        for (const ThrottleReason &reason : *reasons)
            if (reason.clampClass == "none" && reason.name.find("idle") != std::string::npos)
                return reason.bit;
    return std::nullopt;
}

}  // namespace

IntervalSet idleByLog(const DeviceReadings &readings) {
    std::vector<TimeRange> ranges;
    for (const DeviceReadings::Flags &flags : readings.flags)
        if (const auto bit = idleBit(flags.table))
            addBetween(ranges, flags.samples, flags.medianPeriod, [&](double mask) {
                return (static_cast<std::uint64_t>(mask) >> static_cast<unsigned>(*bit) & 1U) != 0;
            });
    addBetween(ranges, readings.utilisation, readings.utilisationPeriod, [](double share) { return share == 0; });
    return unionOf(std::move(ranges));
}

}  // namespace wattproof::analysis
