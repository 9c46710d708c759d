#include "analysis/headline/per_unit.h"

#include <algorithm>

namespace wattproof::analysis {
namespace {

bool insideTrace(const std::string &path) {
    return path != "outside_trace" && path != "missing" && path != "unaligned";
}

std::vector<const store::EnergyRow *> rowsOf(const Context &context, TimeRange range) {
    std::vector<const store::EnergyRow *> rows;
    for (const store::EnergyRow &row : context.energyRows)
        if (range.contains(row.ts) && insideTrace(row.path))
            rows.push_back(&row);
    std::sort(rows.begin(), rows.end(),
              [](const auto *a, const auto *b) { return a->ts + a->dur < b->ts + b->dur; });
    return rows;
}

void spendBudget(Context &context, const std::vector<const store::EnergyRow *> &rows, double units) {
    EnergyResult &energy = context.result.energy;
    energy.budgetJPerUnit = context.scenario.budgetJPerUnit;
    if (!energy.budgetJPerUnit)
        return;
    const double limit = *energy.budgetJPerUnit * units;
    std::map<std::string, double> taken;
    double sum = 0;
    for (const store::EnergyRow *row : rows) {
        sum += row->j;
        taken[row->path] += row->j;
        if (sum > limit) {
            energy.budgetCrossedBy = row->path;
            break;
        }
    }
    std::vector<std::pair<double, std::string>> order;
    for (const auto &[path, joules] : taken)
        order.emplace_back(-joules, path);
    std::sort(order.begin(), order.end());
    for (const auto &[joules, path] : order)
        energy.budgetOrder.push_back(path);
}

}  // namespace

void computePerUnit(Context &context) {
    const Headline &headline = context.result.headline;
    EnergyResult &energy = context.result.energy;
    if (!headline.sustained || headline.units.value_or(0) <= 0 || context.energyRows.empty()) {
        energy.budgetJPerUnit = context.scenario.budgetJPerUnit;
        context.result.reasons["energy.by_path.j_per_unit"] = "it needs units of work and joules";
        return;
    }
    const auto rows = rowsOf(context, *headline.sustained);
    std::map<std::pair<DeviceId, std::string>, double> joules;
    for (const store::EnergyRow *row : rows)
        joules[{row->device, row->path}] += row->j;
    std::map<std::string, DeviceId> ids;
    for (const DeviceEnergy &device : energy.devices)
        ids[device.device] = device.deviceId;
    for (EnergyPath &path : energy.byPath)
        if (const auto it = joules.find({ids[path.device], path.path}); it != joules.end())
            path.jPerUnit = it->second / *headline.units;
    spendBudget(context, rows, *headline.units);
}

}  // namespace wattproof::analysis
