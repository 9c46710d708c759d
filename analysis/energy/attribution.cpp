#include "analysis/energy/attribution.h"

#include "analysis/energy/concurrency.h"
#include "analysis/energy/rates.h"
#include "analysis/timeline/gpu_timeline.h"

#include <algorithm>
#include <map>

namespace wattproof::analysis {
namespace {

constexpr double kDirectShare = 0.8;  // of the work must be long enough for the sensor
constexpr Ns kShortestBin = 100'000'000;

double seconds(Ns ns) {
    return static_cast<double>(ns) / 1e9;
}

// What one device's attribution works on.
struct Work {
    const DeviceActivity &activity;
    const PowerSeries &energy;
    std::vector<TimeRange> ranges;     // of the operations
    std::vector<std::size_t> classOf;  // index into classes
    std::vector<ClassColumn> classes;
    IntervalSet covered;  // metered time inside the trace
    Ns resolution = 0;
    double floorW = 0;
};

struct Classes {
    std::vector<ClassColumn> columns;
    std::vector<std::size_t> classOf;  // of each operation
};

Classes classesOf(const DeviceActivity &activity) {
    Classes out;
    std::map<std::string, std::size_t> known;
    std::vector<std::vector<TimeRange>> byClass;
    for (const std::size_t i : activity.operations) {
        const store::KernelInterval &op = activity.table->kernels[i];
        const auto [it, fresh] = known.try_emplace(pathOf(op, *activity.table), byClass.size());
        if (fresh) {
            byClass.emplace_back();
            out.columns.push_back({it->first, {}});
        }
        byClass[it->second].push_back(op.range);
        out.classOf.push_back(it->second);
    }
    for (std::size_t c = 0; c < byClass.size(); ++c)
        out.columns[c].busy = unionOf(std::move(byClass[c]));
    return out;
}

Work workOf(const DeviceActivity &activity, const PowerSeries &energy, double floorW) {
    Classes classes = classesOf(activity);
    Work work{activity,
              energy,
              {},
              std::move(classes.classOf),
              std::move(classes.columns),
              clip(energy.covered(), activity.traced),
              0,
              floorW};
    for (const std::size_t i : activity.operations)
        work.ranges.push_back(activity.table->kernels[i].range);
    return work;
}

bool finerThanTheWork(const Work &work) {
    double all = 0;
    double longEnough = 0;
    for (const TimeRange &range : work.ranges) {
        const double length = seconds(range.length());
        all += length;
        longEnough += range.length() >= 2 * work.resolution ? length : 0;
    }
    return all > 0 && longEnough >= kDirectShare * all;
}

template <class IdleJoules>
void fillIdle(Attribution &out, const Work &work, IdleJoules joules) {
    for (const DeviceActivity::Gap &gap : work.activity.gaps)
        out.gapsJ.push_back(joules(gap.range));
    for (const DeviceActivity::Gap &gap : work.activity.outer)
        out.outerJ.push_back(joules(gap.range));
    for (const double j : out.gapsJ)
        out.idleJ += j;
    for (const double j : out.outerJ)
        out.idleJ += j;
}

void fillCovered(Attribution &out, const Work &work) {
    const PiecewiseRate metered(work.covered, 1);
    const auto share = sharedByConcurrency(work.ranges, [&](Ns t) { return metered.upTo(t); });
    out.operations.resize(share.size());
    for (std::size_t i = 0; i < share.size(); ++i)
        out.operations[i].coveredS = std::max(0.0, share[i]);
}

// Samples finer than the work: what was measured while it ran.
void attributeDirectly(Attribution &out, const Work &work) {
    out.method = "direct";
    const Ns start = work.energy.extent().begin;
    const auto share = sharedByConcurrency(work.ranges, [&](Ns t) { return work.energy.energy({start, t}).j; });
    for (std::size_t i = 0; i < share.size(); ++i)
        out.operations[i].j = out.operations[i].low = out.operations[i].high = share[i];
    fillIdle(out, work, [&](TimeRange range) { return work.energy.energy(range).j; });
}

// Each class at its own watts, on top of the floor.
void attributeByModel(Attribution &out, const Work &work, const ClassModel &model) {
    out.method = "nnls";
    const PiecewiseRate metered(work.covered, 1);
    for (OperationEnergy &op : out.operations)
        op.j = op.low = op.high = op.coveredS * work.floorW;
    // Classes that share their watts draw them once, however many of them run at a moment.
    std::map<std::size_t, std::vector<std::size_t>> groups;
    for (std::size_t i = 0; i < work.ranges.size(); ++i)
        groups[model.fits[work.classOf[i]].group].push_back(i);
    for (const auto &[group, members] : groups) {
        std::vector<TimeRange> ranges;
        for (const std::size_t i : members)
            ranges.push_back(work.ranges[i]);
        const auto share = sharedByConcurrency(ranges, [&](Ns t) { return metered.upTo(t); });
        const ClassFit &fit = model.fits[work.classOf[members.front()]];
        for (std::size_t m = 0; m < members.size(); ++m) {
            OperationEnergy &op = out.operations[members[m]];
            op.j += share[m] * fit.watts;
            op.low += share[m] * fit.ci95.low;
            op.high += share[m] * fit.ci95.high;
        }
    }
    const PiecewiseRate floor(work.covered, work.floorW);
    fillIdle(out, work, [&](TimeRange range) { return floor.over(range); });
}

// Watts by bin: what stands under everything, and what the work of the bin adds while it is busy.
struct Bins {
    PiecewiseRate standing, working;
};

Bins binsOf(const Work &work) {
    std::vector<PiecewiseRate::Piece> standing;
    std::vector<PiecewiseRate::Piece> working;
    const Ns width = std::max(kShortestBin, 5 * work.resolution);
    const TimeRange traced = work.activity.traced;
    for (Ns at = traced.begin; at < traced.end; at += width) {
        const IntervalSet metered = clip(work.covered, {at, std::min(at + width, traced.end)});
        const double time = seconds(length(metered));
        if (time <= 0)
            continue;
        const double joules = work.energy.energy(metered).j;
        const double busy = seconds(length(intersection(metered, work.activity.busy)));
        const double floor = busy > 0 ? std::min(work.floorW * time, joules) : joules;
        for (const TimeRange &range : metered) {
            standing.push_back({range, floor / time});
            working.push_back({range, busy > 0 ? (joules - floor) / busy : 0});
        }
    }
    return {PiecewiseRate(std::move(standing)), PiecewiseRate(std::move(working))};
}

double highestReading(const PowerSeries &series, TimeRange traced) {
    double highest = 0;
    for (const PowerWindow &window : sensorWindows(series))
        if (window.range.overlaps(traced))
            highest = std::max(highest, window.watts);
    return highest;
}

// Classes cannot be told apart: what lies above the floor goes to whatever ran, by time. The bounds say what is
// known: an operation took at least the floor and at most the highest reading.
void attributeByTime(Attribution &out, const Work &work, const PowerSeries &readings) {
    out.method = "busy-time";
    const Bins bins = binsOf(work);
    const double highest = highestReading(readings, work.activity.traced);
    const auto floor = sharedByConcurrency(work.ranges, [&](Ns t) { return bins.standing.upTo(t); });
    const auto above = sharedByConcurrency(work.ranges, [&](Ns t) { return bins.working.upTo(t); });
    for (std::size_t i = 0; i < work.ranges.size(); ++i) {
        OperationEnergy &op = out.operations[i];
        op.j = floor[i] + above[i];
        op.low = floor[i];
        op.high = std::max(op.j, highest * op.coveredS);
    }
    fillIdle(out, work, [&](TimeRange range) { return bins.standing.over(range); });
}

void sumClasses(Attribution &out, const Work &work, const ClassModel *model) {
    std::vector<double> time(work.classes.size());
    out.classes.resize(work.classes.size());
    for (std::size_t i = 0; i < work.ranges.size(); ++i) {
        out.classes[work.classOf[i]].j += out.operations[i].j;
        time[work.classOf[i]] += out.operations[i].coveredS;
    }
    for (std::size_t c = 0; c < work.classes.size(); ++c) {
        ClassShare &share = out.classes[c];
        share.path = work.classes[c].name;
        share.busyNs = length(work.classes[c].busy);
        share.method = out.method;
        share.status = model != nullptr ? model->fits[c].status : out.method == "direct" ? "ok" : "abstained";
        if (share.status == "abstained")
            continue;
        if (model != nullptr) {
            share.watts = model->fits[c].watts;
            share.wattsCi95 = model->fits[c].ci95;
        } else if (time[c] > 0) {
            share.watts = share.j / time[c] - work.floorW;
        }
    }
}

void sumParts(Attribution &out, const Work &work) {
    const store::KernelTable &table = *work.activity.table;
    for (std::size_t i = 0; i < out.operations.size(); ++i) {
        const bool copy = workClass(table.kernels[work.activity.operations[i]], table) == WorkClass::Copy;
        (copy ? out.copiesJ : out.kernelsJ) += out.operations[i].j;
    }
}

}  // namespace

std::string pathOf(const store::KernelInterval &op, const store::KernelTable &table) {
    const WorkClass work = workClass(op, table);
    if (work == WorkClass::Communication)
        return "communication";
    if (work == WorkClass::Copy)
        return std::string("copy/") + (op.copyKind == CopyKind::None ? "kernel" : word(op.copyKind));
    if (op.activity == GpuActivity::Memset)
        return "compute/memset";
    const auto index = static_cast<std::size_t>(op.classIndex);
    if (index >= table.classes.size())
        return "compute/other";
    const auto &opClass = table.classes[index];
    const std::string name = opClass.opClass.empty() ? "other" : opClass.opClass;
    return "compute/" + name + (opClass.precision.empty() ? "" : "/" + opClass.precision);
}

std::vector<ClassColumn> classColumns(const DeviceActivity &activity) {
    return classesOf(activity).columns;
}

Attribution attribute(const DeviceActivity &activity, const PowerSeries &readings, const PowerSeries &energy,
                      double floorW) {
    Attribution out;
    Work work = workOf(activity, energy, floorW);
    const std::vector<PowerWindow> windows = sensorWindows(readings);
    work.resolution = resolution(readings, windows);
    fillCovered(out, work);
    ClassModel model;
    if (finerThanTheWork(work)) {
        attributeDirectly(out, work);
    } else {
        model = fitClasses(windowsInside(windows, activity.traced), work.classes, floorW);
        if (model.conditionNumber > 0)
            out.conditionNumber = model.conditionNumber;
        if (model.identified())
            attributeByModel(out, work, model);
        else
            attributeByTime(out, work, readings);
    }
    sumClasses(out, work, model.identified() ? &model : nullptr);
    sumParts(out, work);
    return out;
}

}  // namespace wattproof::analysis
