// Energy of any range, per device and domain, straight from the channels: the worker's side of the selection pane.
#pragma once

#include "analysis/energy/power_series.h"
#include "store/reader.h"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace wattproof::widgets {

struct RangeEnergyRow {
    std::string device, domain;
    analysis::EnergyOfRange energy;
};

// Keeps the power series of one revision of the workspace: a drag asks many times. For any thread.
class RangeEnergy {
public:
    [[nodiscard]] Expected<std::vector<RangeEnergyRow>> of(store::Reader &, TimeRange, std::int64_t revision,
                                                           std::stop_token);

private:
    struct Channel {
        std::string device, domain;
        analysis::PowerSeries series;
    };
    using Channels = std::vector<Channel>;

    [[nodiscard]] static Expected<std::shared_ptr<const Channels>> load(store::Reader &, std::stop_token);

    std::mutex mutex_;
    std::int64_t revision_ = -1;
    std::shared_ptr<const Channels> channels_;
};

// The channels whose energies may be added: one for each device and domain, an energy counter before a power
// reading, and none that another one contains.
[[nodiscard]] std::vector<CounterRow> energyChannels(const std::vector<CounterRow> &);

}  // namespace wattproof::widgets
