// Imports a power log from text or file into a recording writer, and reads joules from what was recorded.
#pragma once

#include "analysis/energy/power_series.h"
#include "importers/power/power_importer.h"
#include "tests/support/recording_writer.h"

#include <memory>
#include <string>

namespace wattproof::test {

struct PowerLog {
    RecordingWriter writer;
    Expected<importers::Summary> summary = failure("not imported");

    [[nodiscard]] const CounterRow *counter(const std::string &device, const std::string &name) const {
        for (const CounterRow &row : writer.counters)
            if (row.name == name && deviceName(row) == device)
                return &row;
        return nullptr;
    }
    [[nodiscard]] const std::string &deviceName(const CounterRow &row) const {
        return writer.devices.at(static_cast<std::size_t>(row.device.value - 1)).name;
    }
    // The channel of a device to add up: power or energy, contained in no other channel of the device.
    [[nodiscard]] const CounterRow *energyChannel(const std::string &device) const {
        const CounterRow *best = nullptr;
        for (const CounterRow &row : writer.counters) {
            const bool measures = row.quantity == "energy" || (row.quantity == "power" && row.unit == "W");
            const bool inner =
                row.parent.valid() &&
                writer.counters.at(static_cast<std::size_t>(row.parent.value - 1)).device == row.device;
            if (measures && !inner && deviceName(row) == device && (!best || row.quantity == "energy"))
                best = &row;
        }
        return best;
    }
    [[nodiscard]] const std::vector<Sample> &samples(const CounterRow &row) const {
        return writer.samples.at(row.id.value);
    }
    [[nodiscard]] analysis::PowerSeries series(const CounterRow &row, double maxGapSeconds = 0) const {
        return {row, samples(row), static_cast<Ns>(maxGapSeconds * 1e9)};
    }
    [[nodiscard]] double joules(const std::string &device) const {
        const CounterRow *row = energyChannel(device);
        if (!row)
            return -1;
        const analysis::PowerSeries power = series(*row);
        return power.energy(power.extent()).j;
    }
};

inline std::unique_ptr<PowerLog> importPower(importers::Input &input, const importers::Options &options = {}) {
    auto log = std::make_unique<PowerLog>();
    log->summary = importers::makePowerImporter()->import(input, log->writer, options, Task{});
    return log;
}

inline std::unique_ptr<PowerLog> importPowerText(const std::string &text, const importers::Options &options = {}) {
    const auto input = importers::Input::fromBytes(text, "log.csv");
    return importPower(*input, options);
}

}  // namespace wattproof::test
