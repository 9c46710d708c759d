#include "widgets/panes/range_energy.h"

#include "analysis/alignment/matching.h"
#include "analysis/energy/read_power.h"

#include <map>
#include <utility>

namespace wattproof::widgets {
namespace {

bool givesEnergy(const CounterRow &counter) {
    return (counter.quantity == "power" || counter.quantity == "energy") && counter.kind != CounterKind::Flags &&
           !counter.parent.valid() && counter.sampleCount > 1;
}

}  // namespace

std::vector<CounterRow> energyChannels(const std::vector<CounterRow> &counters) {
    std::map<std::pair<std::int64_t, std::string>, CounterRow> chosen;
    for (const CounterRow &counter : counters) {
        if (!givesEnergy(counter))
            continue;
        const auto key = std::pair(counter.device.value, counter.domain);
        const auto found = chosen.find(key);
        if (found == chosen.end() || (counter.quantity == "energy" && found->second.quantity == "power"))
            chosen[key] = counter;
    }
    std::vector<CounterRow> channels;
    for (auto &[key, counter] : chosen)
        channels.push_back(std::move(counter));
    return channels;
}

Expected<std::shared_ptr<const RangeEnergy::Channels>> RangeEnergy::load(store::Reader &reader,
                                                                         std::stop_token stop) {
    auto counters = reader.counters();
    if (!counters)
        return passOn(counters);
    auto devices = reader.devices();
    if (!devices)
        return passOn(devices);
    auto channels = std::make_shared<Channels>();
    for (const CounterRow &counter : energyChannels(*counters)) {
        auto series = analysis::readPower(reader, counter, stop);
        if (!series)
            return passOn(series);
        const DeviceRow *device = analysis::deviceById(*devices, counter.device);
        channels->push_back({device ? device->name : counter.name, counter.domain, std::move(*series)});
    }
    return std::shared_ptr<const Channels>(channels);
}

Expected<std::vector<RangeEnergyRow>> RangeEnergy::of(store::Reader &reader, TimeRange range,
                                                      std::int64_t revision, std::stop_token stop) {
    std::shared_ptr<const Channels> channels;
    {
        const std::lock_guard lock(mutex_);
        if (revision_ == revision)
            channels = channels_;
    }
    if (!channels) {
        auto loaded = load(reader, stop);
        if (!loaded)
            return passOn(loaded);
        channels = *loaded;
        const std::lock_guard lock(mutex_);
        channels_ = channels;
        revision_ = revision;
    }
    std::vector<RangeEnergyRow> rows;
    for (const Channel &channel : *channels)
        rows.push_back({channel.device, channel.domain, channel.series.energy(range)});
    return rows;
}

}  // namespace wattproof::widgets
