// Logs of which the last line says which sensor each column is of: "GPU [#1]: NVIDIA GeForce RTX 4090: Enhanced".
// Columns were told apart until then by where their names return.
#include "importers/power/power_run.h"

#include <algorithm>
#include <set>
#include <utility>

namespace wattproof::importers {
namespace {

struct NamedSensor {
    std::string number, model;
};

// "GPU [#1]: model", also dGPU, iGPU and eGPU; none of other sensors.
std::optional<NamedSensor> gpuSensorOf(std::string_view cell) {
    const std::size_t open = cell.find("GPU [#"), close = cell.find("]: ");
    if (open > 1 || close == std::string_view::npos || close < open + 7 || close > open + 9)
        return std::nullopt;
    NamedSensor sensor;
    sensor.number = cell.substr(open + 6, close - open - 6);
    const std::string_view model = cell.substr(close + 3, 200);
    sensor.model = validUtf8(trimmed(model.substr(0, model.find(": "))));
    while (sensor.model.ends_with(':'))
        sensor.model.pop_back();
    const bool digits =
        std::all_of(sensor.number.begin(), sensor.number.end(), [](char c) { return c >= '0' && c <= '9'; });
    return digits ? std::optional(sensor) : std::nullopt;
}

}  // namespace

void PowerRun::takeSensorRow(const TableRow &row) {
    if (row.cells.size() < binding_->cells)
        return;
    std::set<std::size_t> moved;
    for (std::size_t column = 0; column < binding_->columns.size(); ++column) {
        const BoundColumn &bound = binding_->columns[column];
        const bool numbered = bound.rule->device.find('#') != std::string::npos;
        const auto sensor = numbered ? gpuSensorOf(row.cells[bound.cell]) : std::nullopt;
        const auto before = sensor ? devices_->named(bound.device) : std::nullopt;
        const auto device = before ? devices_->named("GPU " + sensor->number) : std::nullopt;
        if (!device)
            continue;
        devices_->all()[*device].row.model = sensor->model;
        const std::size_t shown = bound.rule->bit ? maskColumn_.value_or(column) : column;
        const std::vector<std::ptrdiff_t> &channels = devices_->all()[*before].channels;
        if (shown >= channels.size() || channels[shown] < 0)
            continue;
        const auto channel = static_cast<std::size_t>(channels[shown]);
        if (std::exchange(channels_.all()[channel].device, *device) != *device)
            moved.insert(channel);
    }
    for (const std::size_t channel : moved)
        giveOwnName(channels_.all()[channel]);
}

// Two columns of one name may turn out to be of one device.
void PowerRun::giveOwnName(Channel &channel) {
    const auto isTaken = [&channel](const Channel &other) {
        return &other != &channel && other.device == channel.device && other.name == channel.name;
    };
    const std::string plain = channel.name;
    for (int n = 2; std::any_of(channels_.all().begin(), channels_.all().end(), isTaken); ++n)
        channel.name = plain + " #" + std::to_string(n);
}

}  // namespace wattproof::importers
