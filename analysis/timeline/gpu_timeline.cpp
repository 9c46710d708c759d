#include "analysis/timeline/gpu_timeline.h"

#include <algorithm>
#include <array>

namespace wattproof::analysis {
namespace {

void closeActivity(DeviceActivity &activity, std::array<std::vector<TimeRange>, 3> &&ranges) {
    const auto take = [&](WorkClass work) { return unionOf(std::move(ranges[static_cast<std::size_t>(work)])); };
    activity.compute = take(WorkClass::Compute);
    activity.communication = take(WorkClass::Communication);
    activity.copies = take(WorkClass::Copy);
    activity.busy = unionOf(unionOf(activity.compute, activity.communication), activity.copies);
}

void append(std::vector<store::DeviceStateRow> &rows, DeviceId device, const IntervalSet &set, const char *state) {
    for (const TimeRange &range : set)
        rows.push_back({device, range.begin, range.length(), state, {}});
}

}  // namespace

WorkClass workClass(const store::KernelInterval &op, const store::KernelTable &table) {
    if (op.activity == GpuActivity::Memcpy)
        return WorkClass::Copy;
    const auto index = static_cast<std::size_t>(op.classIndex);
    if (op.activity == GpuActivity::Memset || index >= table.classes.size())
        return WorkClass::Compute;
    const std::string &opClass = table.classes[index].opClass;
    if (opClass == "copy")
        return WorkClass::Copy;
    return opClass == "communication" ? WorkClass::Communication : WorkClass::Compute;
}

std::map<DeviceId, DeviceActivity> deviceActivities(const Context &context) {
    std::map<DeviceId, DeviceActivity> activities;
    std::map<DeviceId, std::array<std::vector<TimeRange>, 3>> ranges;
    const auto &ops = context.kernels.kernels;
    for (std::size_t i = 0; i < ops.size(); ++i) {
        const DeviceId id = context.standsFor(ops[i].device);
        const auto [it, fresh] = activities.try_emplace(id);
        DeviceActivity &activity = it->second;
        if (fresh)
            activity.span = ops[i].range;
        activity.span.begin = std::min(activity.span.begin, ops[i].range.begin);
        activity.span.end = std::max(activity.span.end, ops[i].range.end);
        activity.operations.push_back(i);
        ranges[id][static_cast<std::size_t>(workClass(ops[i], context.kernels))].push_back(ops[i].range);
    }
    for (auto &[id, activity] : activities) {
        activity.table = &context.kernels;
        const DeviceId key = id;
        const auto row = std::find_if(context.devices.begin(), context.devices.end(),
                                      [key](const DeviceRow &device) { return device.id == key; });
        if (row != context.devices.end())
            activity.device = *row;
        activity.device.id = id;
        closeActivity(activity, std::move(ranges[id]));
    }
    return activities;
}

DeviceTimeline timelineOf(const DeviceActivity &activity) {
    DeviceTimeline line;
    line.device = activity.device.name;
    line.deviceId = activity.device.id;
    line.span = activity.span;
    line.busyNs = length(activity.busy);
    line.computeNs = length(activity.compute);
    line.exposedCommNs = length(difference(activity.communication, activity.compute));
    line.exposedCopyNs = line.busyNs - line.computeNs - line.exposedCommNs;
    line.idleNs = line.span.length() - line.busyNs;
    line.totalCommNs = length(activity.communication);
    line.totalCopyNs = length(activity.copies);
    for (const std::size_t i : activity.operations)
        if (activity.table->kernels[i].activity == GpuActivity::Kernel)
            line.kernelSumNs += activity.table->kernels[i].range.length();
    for (const DeviceActivity::Gap &gap : activity.gaps)
        line.idleByCauseNs[gap.cause] += gap.range.length();
    return line;
}

std::vector<store::DeviceStateRow> deviceStates(const DeviceActivity &activity) {
    std::vector<store::DeviceStateRow> rows;
    const DeviceId device = activity.device.id;
    const IntervalSet communication = difference(activity.communication, activity.compute);
    append(rows, device, activity.compute, "compute");
    append(rows, device, communication, "communication");
    append(rows, device, difference(difference(activity.copies, activity.compute), communication), "copy");
    for (const DeviceActivity::Gap &gap : activity.gaps)
        rows.push_back({device, gap.range.begin, gap.range.length(), "idle", gap.cause});
    std::sort(rows.begin(), rows.end(), [](const auto &a, const auto &b) { return a.ts < b.ts; });
    return rows;
}

}  // namespace wattproof::analysis
