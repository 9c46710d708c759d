#include "analysis/precision/precision.h"

#include "analysis/headline/units.h"
#include "analysis/timeline/gpu_timeline.h"

#include <algorithm>

namespace wattproof::analysis {
namespace {

struct Sum {
    Ns busy = 0;
    double j = 0;
    bool measured = false;
};

std::string precisionOf(const store::KernelInterval &op, const store::KernelTable &table) {
    const auto index = static_cast<std::size_t>(op.classIndex);
    const bool named = op.activity == GpuActivity::Kernel && index < table.classes.size() &&
                       !table.classes[index].precision.empty();
    return named ? table.classes[index].precision : "unknown";
}

void addDevice(const Context &context, const DeviceActivity &activity, std::map<std::string, Sum> &sums) {
    const auto joules = context.operationJ.find(activity.device.id);
    std::map<std::string, std::vector<TimeRange>> ranges;
    for (std::size_t i = 0; i < activity.operations.size(); ++i) {
        const store::KernelInterval &op = context.kernels.kernels[activity.operations[i]];
        if (workClass(op, context.kernels) != WorkClass::Compute)
            continue;
        const std::string precision = precisionOf(op, context.kernels);
        ranges[precision].push_back(op.range);
        if (joules != context.operationJ.end()) {
            sums[precision].j += joules->second[i];
            sums[precision].measured = true;
        }
    }
    for (auto &[precision, list] : ranges)
        sums[precision].busy += length(unionOf(std::move(list)));
}

// The scenario's guardrail that speaks of this value; null when none does.
const Guardrail *guardrailOf(const std::vector<Guardrail> &rails, const QualityRow &row) {
    const auto it = std::find_if(rails.begin(), rails.end(), [&](const Guardrail &rail) {
        return rail.metric == row.metric && matchesUnitGlob(rail.slice, row.slice);
    });
    return it == rails.end() ? nullptr : &*it;
}

}  // namespace

std::vector<PrecisionShare> precisionShares(const Context &context) {
    std::map<std::string, Sum> sums;
    for (const auto &[id, activity] : context.activity)
        addDevice(context, activity, sums);
    Ns all = 0;
    for (const auto &[precision, sum] : sums)
        all += sum.busy;
    std::vector<PrecisionShare> shares;
    for (const auto &[precision, sum] : sums) {
        const double share = all > 0 ? static_cast<double>(sum.busy) / static_cast<double>(all) : 0;
        shares.push_back({precision, sum.busy, share, sum.measured ? std::optional<double>(sum.j) : std::nullopt});
    }
    std::stable_sort(shares.begin(), shares.end(),
                     [](const PrecisionShare &a, const PrecisionShare &b) { return a.busyNs > b.busyNs; });
    return shares;
}

std::vector<QualityResult> qualityResults(const std::vector<QualityRow> &rows,
                                          const std::vector<Guardrail> &rails) {
    std::vector<QualityResult> results;
    for (const QualityRow &row : rows) {
        QualityResult result{row.metric, row.slice, row.value, row.threshold, {}};
        if (row.threshold)
            result.pass = row.higherIsBetter ? row.value >= *row.threshold : row.value <= *row.threshold;
        if (const Guardrail *rail = guardrailOf(rails, row)) {
            result.guardrail = rail->min ? rail->min : rail->max;
            result.pass = (!rail->min || row.value >= *rail->min) && (!rail->max || row.value <= *rail->max);
        }
        results.push_back(std::move(result));
    }
    return results;
}

}  // namespace wattproof::analysis
