#include "analysis/timeline/idle_cause.h"

#include <algorithm>

namespace wattproof::analysis {
namespace {

using Gap = DeviceActivity::Gap;

const char *causeOf(HostActivity activity) {
    switch (activity) {
        case HostActivity::Memory:
            return "memory";
        case HostActivity::Synchronization:
            return "synchronization";
        case HostActivity::Launch:
            return "launch";
        case HostActivity::Input:
            return "input";
        case HostActivity::Runtime:
        case HostActivity::Operator:
        case HostActivity::Python:
            return "host";
        case HostActivity::None:
            break;
    }
    return "unknown";
}

// The part of a long interval set that can matter for one pause, so that each pause costs its own neighbours only.
IntervalSet around(const IntervalSet &set, TimeRange range) {
    auto it =
        std::partition_point(set.begin(), set.end(), [&](const TimeRange &r) { return r.end <= range.begin; });
    IntervalSet part;
    for (; it != set.end() && it->begin < range.end; ++it)
        part.push_back({std::max(it->begin, range.begin), std::min(it->end, range.end)});
    return part;
}

void addCovered(std::vector<Gap> &gaps, TimeRange range, const HostTimeline &host) {
    IntervalSet rest = range.empty() ? IntervalSet{} : IntervalSet{range};
    for (std::size_t a = 0; a < kHostActivities && !rest.empty(); ++a) {
        const auto activity = static_cast<HostActivity>(a);
        const IntervalSet covered = around(host.covered(activity), range);
        if (covered.empty())
            continue;
        for (const TimeRange &piece : intersection(rest, covered))
            gaps.push_back({piece, causeOf(activity), host.callAt(activity, piece), activity});
        rest = difference(rest, covered);
    }
    for (const TimeRange &piece : rest)
        gaps.push_back({piece, "unknown", {}, HostActivity::None});
}

void orderAndMerge(std::vector<Gap> &gaps) {
    std::sort(gaps.begin(), gaps.end(), [](const Gap &a, const Gap &b) { return a.range.begin < b.range.begin; });
    std::vector<Gap> merged;
    for (Gap &gap : gaps) {
        const bool same = !merged.empty() && merged.back().range.end == gap.range.begin &&
                          merged.back().cause == gap.cause && merged.back().activity == gap.activity;
        if (same)
            merged.back().range.end = gap.range.end;
        else
            merged.push_back(std::move(gap));
    }
    gaps = std::move(merged);
}

// Launch call of the first operation that starts at `time`; operations are ordered by ts.
SliceId launchAt(const DeviceActivity &activity, Ns time, std::size_t &cursor) {
    const auto &ops = activity.operations;
    const auto begins = [&](std::size_t i) { return activity.table->kernels[ops[i]].range.begin; };
    while (cursor < ops.size() && begins(cursor) < time)
        ++cursor;
    for (std::size_t i = cursor; i < ops.size() && begins(i) == time; ++i)
        if (const SliceId launch = activity.table->kernels[ops[i]].launch; launch.valid())
            return launch;
    return {};
}

void append(std::vector<Gap> &out, std::vector<Gap> &&part) {
    std::move(part.begin(), part.end(), std::back_inserter(out));
}

}  // namespace

std::vector<Gap> causesOf(TimeRange pause, const TimeRange *launch, const HostTimeline &host) {
    std::vector<Gap> gaps;
    if (launch == nullptr) {
        addCovered(gaps, pause, host);
    } else {
        const Ns launched = std::clamp(launch->end, pause.begin, pause.end);
        addCovered(gaps, {pause.begin, launched}, host);
        // Launched inside the pause: what remains is the way to the device. Launched before it: the device had the
        // work.
        const bool inside = launch->end > pause.begin;
        if (launched < pause.end)
            gaps.push_back({{launched, pause.end}, inside ? "launch" : "queued", {}, HostActivity::None});
    }
    orderAndMerge(gaps);
    return gaps;
}

std::array<Ns, kHostActivities + 1> hostActivityDuring(const IntervalSet &pauses, const HostTimeline &host) {
    std::array<Ns, kHostActivities + 1> shares{};
    IntervalSet rest = pauses;
    for (std::size_t a = 0; a < kHostActivities; ++a) {
        const IntervalSet &covered = host.covered(static_cast<HostActivity>(a));
        shares[a] = length(intersection(rest, covered));
        rest = difference(rest, covered);
    }
    shares[kHostActivities] = length(rest);
    return shares;
}

void findGaps(DeviceActivity &activity, const HostTimeline &host) {
    std::size_t cursor = 0;
    const auto launchBefore = [&](Ns time) { return host.rangeOf(launchAt(activity, time, cursor)); };
    const TimeRange leadIn{std::min(activity.traced.begin, activity.span.begin), activity.span.begin};
    if (!leadIn.empty())
        append(activity.outer, causesOf(leadIn, launchBefore(leadIn.end), host));
    for (const TimeRange &pause : complement(activity.busy, activity.span))
        append(activity.gaps, causesOf(pause, launchBefore(pause.end), host));
    const TimeRange tail{activity.span.end, std::max(activity.traced.end, activity.span.end)};
    if (!tail.empty())
        activity.outer.push_back({tail, "tail", {}, HostActivity::None});
}

}  // namespace wattproof::analysis
