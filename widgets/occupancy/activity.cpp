#include "widgets/occupancy/activity.h"

#include <algorithm>

namespace wattproof::widgets {
namespace {

using analysis::IntervalSet;

struct Collected {
    std::vector<TimeRange> compute, communication, copies, all;
    std::map<TrackId, std::vector<TimeRange>> streams;
};

void collect(Collected &into, const store::KernelInterval &kernel, bool communication) {
    if (kernel.activity != GpuActivity::Kernel)
        into.copies.push_back(kernel.range);
    else
        (communication ? into.communication : into.compute).push_back(kernel.range);
    into.all.push_back(kernel.range);
    into.streams[kernel.track].push_back(kernel.range);
}

DeviceActivity finish(DeviceId device, Collected collected) {
    DeviceActivity activity;
    activity.device = device;
    activity.concurrency = Concurrency(collected.all);
    const IntervalSet compute = analysis::unionOf(std::move(collected.compute));
    const IntervalSet communication = analysis::unionOf(std::move(collected.communication));
    const IntervalSet copies = analysis::unionOf(std::move(collected.copies));
    const IntervalSet exposed = analysis::difference(communication, compute);
    activity.exposedCopies = Coverage(analysis::difference(copies, analysis::unionOf(compute, communication)));
    activity.busy = Coverage(analysis::unionOf(analysis::unionOf(compute, communication), copies));
    activity.compute = Coverage(compute);
    activity.exposedCommunication = Coverage(exposed);
    if (!activity.busy.empty())
        activity.span = {activity.busy.set().front().begin, activity.busy.set().back().end};
    for (auto &[track, ranges] : collected.streams)
        activity.streams.push_back({track, Coverage(analysis::unionOf(std::move(ranges)))});
    return activity;
}

}  // namespace

Coverage::Coverage(IntervalSet set) : set_(std::move(set)) {
    lengthBefore_.reserve(set_.size());
    Ns total = 0;
    for (const TimeRange &r : set_) {
        lengthBefore_.push_back(total);
        total += r.length();
    }
}

Ns Coverage::before(Ns time) const {
    const auto next =
        std::partition_point(set_.begin(), set_.end(), [time](const TimeRange &r) { return r.begin < time; });
    if (next == set_.begin())
        return 0;
    const auto index = static_cast<std::size_t>(next - set_.begin()) - 1;
    return lengthBefore_[index] + std::min(time, set_[index].end) - set_[index].begin;
}

Concurrency::Concurrency(const std::vector<TimeRange> &operations) {
    std::vector<std::pair<Ns, int>> edges;
    edges.reserve(operations.size() * 2);
    for (const TimeRange &r : operations)
        if (!r.empty()) {
            edges.emplace_back(r.begin, 1);
            edges.emplace_back(r.end, -1);
        }
    std::sort(edges.begin(), edges.end());
    for (const auto &[time, change] : edges) {
        if (steps_.empty() || steps_.back().time != time) {
            Step step{time, 0, 0};
            if (!steps_.empty()) {
                const Step &last = steps_.back();
                step.running = last.running;
                step.integral = last.integral + static_cast<double>(time - last.time) * last.running;
            }
            steps_.push_back(step);
        }
        steps_.back().running += change;
    }
}

double Concurrency::integralTo(Ns time) const {
    const auto next =
        std::partition_point(steps_.begin(), steps_.end(), [time](const Step &s) { return s.time <= time; });
    if (next == steps_.begin())
        return 0;
    const Step &step = *std::prev(next);
    return step.integral + static_cast<double>(time - step.time) * step.running;
}

double Concurrency::mean(TimeRange range) const {
    return range.empty() ? 0
                         : (integralTo(range.end) - integralTo(range.begin)) / static_cast<double>(range.length());
}

int Concurrency::most(TimeRange range) const {
    auto it = std::partition_point(steps_.begin(), steps_.end(),
                                   [range](const Step &s) { return s.time <= range.begin; });
    int most = it == steps_.begin() ? 0 : std::prev(it)->running;
    for (; it != steps_.end() && it->time < range.end; ++it)
        most = std::max(most, it->running);
    return most;
}

Activity buildActivity(const store::KernelTable &table, const std::stop_token &stop) {
    std::vector<bool> isCommunication;
    for (const auto &entry : table.classes)
        isCommunication.push_back(entry.opClass == "communication");
    std::map<DeviceId, Collected> devices;
    for (const store::KernelInterval &kernel : table.kernels) {
        const auto index = static_cast<std::size_t>(kernel.classIndex);
        collect(devices[kernel.device], kernel, index < isCommunication.size() && isCommunication[index]);
    }
    Activity activity;
    for (auto &[device, collected] : devices) {
        if (stop.stop_requested())
            return {};
        activity.push_back(finish(device, std::move(collected)));
    }
    return activity;
}

IdleCauses idleCauses(const std::vector<store::DeviceStateRow> &states) {
    std::map<DeviceId, std::map<std::string, std::vector<TimeRange>>> ranges;
    for (const store::DeviceStateRow &row : states)
        if (row.state == "idle")
            ranges[row.device][row.cause].push_back({row.ts, row.ts + row.dur});
    IdleCauses causes;
    for (auto &[device, byCause] : ranges)
        for (auto &[cause, list] : byCause)
            causes[device][cause] = Coverage(analysis::unionOf(std::move(list)));
    return causes;
}

ActivityShares sharesIn(const DeviceActivity &device, TimeRange range) {
    const TimeRange inside{std::max(range.begin, device.span.begin), std::min(range.end, device.span.end)};
    if (inside.empty())
        return {};
    const auto length = static_cast<double>(inside.length());
    const auto share = [inside, length](const Coverage &c) { return static_cast<double>(c.in(inside)) / length; };
    return {inside.length(),
            share(device.compute),
            share(device.exposedCommunication),
            share(device.exposedCopies),
            1 - share(device.busy),
            device.concurrency.mean(inside)};
}

}  // namespace wattproof::widgets
