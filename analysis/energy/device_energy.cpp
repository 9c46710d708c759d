#include "analysis/energy/device_energy.h"

#include "analysis/energy/attribution.h"
#include "analysis/energy/floors.h"
#include "analysis/energy/idle_by_log.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace wattproof::analysis {
namespace {

double seconds(Ns ns) {
    return static_cast<double>(ns) / 1e9;
}

std::string fixed(double value, int digits) {
    char text[64];
    std::snprintf(text, sizeof text, "%.*f", digits, value);
    return text;
}

const SourceRow *sourceOf(const Context &context, SourceId id) {
    const auto it = std::find_if(context.sources.begin(), context.sources.end(),
                                 [id](const SourceRow &source) { return source.id == id; });
    return it == context.sources.end() ? nullptr : &*it;
}

bool onWallTime(const SourceRow *source) {
    return source != nullptr &&
           (source->clock == ClockBasis::Epoch || source->clock == ClockBasis::WallAssumedZone);
}

bool isAligned(const Context &context, SourceId id) {
    return std::any_of(
        context.alignments.begin(), context.alignments.end(), [id](const store::Alignment &alignment) {
            return alignment.source == id && !alignment.method.empty() && alignment.method != "none";
        });
}

std::string nameOf(const Context &context, DeviceId id) {
    const auto it = std::find_if(context.devices.begin(), context.devices.end(),
                                 [id](const DeviceRow &device) { return device.id == id; });
    return it == context.devices.end() ? "device " + std::to_string(id.value) : it->name;
}

// What the parts leave of the whole; what only rounding leaves is nothing.
double restOf(double whole, double parts) {
    constexpr double kRounding = 1e-9;
    const double rest = whole - parts;
    return std::fabs(rest) <= kRounding * std::fabs(whole) ? 0 : rest;
}

// One accelerator with its log.
class DeviceAccount {
public:
    DeviceAccount(Context &context, DeviceId id, const PowerSeries &readings, const PowerSeries &energy)
        : context_(context), id_(id), readings_(readings), energy_(energy) {
        out_.device = nameOf(context, id);
        out_.deviceId = id;
    }

    void account() {
        measureWhole();
        const DeviceActivity *activity = traced();
        if (activity == nullptr) {
            addStretches({energy_.extent()}, untracedPath_);
        } else {
            accountInside(*activity);
            addStretches(difference({energy_.extent()}, {activity->traced}), "outside_trace");
        }
        addMissing();
        context_.result.energy.devices.push_back(std::move(out_));
    }

private:
    void measureWhole() {
        const EnergyOfRange whole = readings_.energy(readings_.extent());
        const CounterRow &channel = readings_.channel();
        out_.method = channel.kind == CounterKind::Gauge ? "trapezoid" : word(channel.kind);
        out_.integralJ = whole.j;
        out_.missingS = whole.missingS;
        out_.coveredS = whole.coveredS;
        out_.longestGapS = whole.longestGapS;
        const double all = whole.coveredS + whole.missingS;
        out_.coverage = all > 0 ? whole.coveredS / all : 0;
        out_.limits.push_back("joules come from channel \"" + channel.name + "\"");
        if (!channel.sensor.note.empty())
            out_.limits.push_back(channel.sensor.note);
        if (channel.sensor.modelled)
            out_.limits.emplace_back("the channel is an estimate by software, not a measurement");
        if (const auto it = context_.counterDisagreement.find(id_); it != context_.counterDisagreement.end())
            out_.counterDisagreement = it->second;
    }

    // The device's activity when its times can be compared with the log's.
    const DeviceActivity *traced() {
        const auto it = context_.activity.find(id_);
        if (it == context_.activity.end())
            return nullptr;
        const auto sources = context_.traceSources.find(id_);
        if (sources == context_.traceSources.end())
            return &it->second;
        for (const SourceId source : sources->second)
            if (shareClock(context_, source, readings_.channel().source))
                return &it->second;
        untracedPath_ = "unaligned";
        out_.limits.emplace_back("the log is not aligned with the trace: its joules stand for the whole log only");
        return nullptr;
    }

    void accountInside(const DeviceActivity &activity) {
        sayWhatIsCovered(activity.traced);
        const IdleFloor floor = floorOf(activity);
        const Attribution parts = attribute(activity, readings_, energy_, staticWatts(floor));
        context_.result.energy.idleFloorW[out_.device] = floor;
        out_.insideTraceJ = energy_.energy(activity.traced).j;
        out_.kernelsJ = parts.kernelsJ;
        out_.copiesJ = parts.copiesJ;
        out_.idleJ = parts.idleJ;
        out_.unexplainedJ = restOf(out_.insideTraceJ, parts.kernelsJ + parts.copiesJ + parts.idleJ);
        if (parts.method == "busy-time" && !activity.operations.empty())
            out_.limits.emplace_back(
                "readings are too coarse to tell the classes apart: joules above the idle floor are "
                "shared by busy time, and no class has watts of its own");
        if (parts.conditionNumber) {
            auto &worst = context_.result.energy.conditionNumber;
            worst = std::max(worst.value_or(0), *parts.conditionNumber);
        }
        addOperations(activity, parts);
        addGaps(activity.gaps, parts.gapsJ);
        addGaps(activity.outer, parts.outerJ);
        addClasses(parts);
    }

    IdleFloor floorOf(const DeviceActivity &activity) {
        const auto set = context_.scenario.idleFloorW.find(out_.device);
        const CounterRow &channel = readings_.channel();
        FloorEvidence evidence{sensorWindows(readings_), classColumns(activity), activity.traced};
        evidence.doubt = doubtOf(channel.source);
        evidence.quantumW = channel.unit == "W" ? channel.sensor.quantum : 0;
        if (const auto readings = context_.readings.find(id_); readings != context_.readings.end()) {
            evidence.idleByLog = idleByLog(readings->second);
            evidence.clockHz = readings->second.clockHz;
        }
        IdleFloor floor = estimateFloors(evidence);
        if (set != context_.scenario.idleFloorW.end()) {
            floor.active = set->second;
            floor.activeCi95.reset();
            floor.method = floor.source = "scenario";
        } else if (!floor.active) {
            out_.limits.push_back("no active idle floor was seen: the static part stands at " +
                                  (floor.deep ? "the deep floor" : std::string("0 W")) +
                                  ", and idle joules are bounds");
        }
        return floor;
    }

    Ns doubtOf(SourceId source) const {
        for (const store::Alignment &alignment : context_.alignments)
            if (alignment.source == source)
                return alignment.uncertainty;
        return 0;
    }

    void sayWhatIsCovered(TimeRange traced) {
        const TimeRange log = energy_.extent();
        const TimeRange both{std::max(traced.begin, log.begin), std::min(traced.end, log.end)};
        const double common = seconds(std::max<Ns>(0, both.length()));
        out_.limits.push_back("the trace covers " + fixed(common, 3) + " s of the log's " +
                              fixed(seconds(log.length()), 3) + " s (" +
                              fixed(100 * common / std::max(1e-9, seconds(log.length())), 1) + " %)");
        if (const double beyond = seconds(traced.length()) - common; beyond > 1e-3)
            out_.limits.push_back(fixed(beyond, 3) +
                                  " s of the trace lie outside the log: nothing is known of their joules");
    }

    store::EnergyRow row(std::string path, TimeRange range, double j) const {
        store::EnergyRow out;
        out.path = std::move(path);
        out.device = id_;
        out.domain = readings_.channel().domain;
        out.ts = range.begin;
        out.dur = range.length();
        out.j = out.jLow = out.jHigh = j;
        return out;
    }

    void addOperations(const DeviceActivity &activity, const Attribution &parts) {
        std::vector<double> &joules = context_.operationJ[id_];
        joules.reserve(parts.operations.size());
        for (std::size_t i = 0; i < parts.operations.size(); ++i) {
            const OperationEnergy &energy = parts.operations[i];
            joules.push_back(energy.j);
            if (energy.coveredS <= 0)
                continue;
            const store::KernelInterval &op = activity.table->kernels[activity.operations[i]];
            store::EnergyRow out = row(pathOf(op, *activity.table), op.range, energy.j);
            out.slice = op.slice;
            out.jLow = energy.low;
            out.jHigh = energy.high;
            context_.energyRows.push_back(std::move(out));
        }
    }

    void addGaps(const std::vector<DeviceActivity::Gap> &gaps, const std::vector<double> &joules) {
        for (std::size_t i = 0; i < gaps.size(); ++i)
            if (energy_.energy(gaps[i].range).coveredS > 0)
                context_.energyRows.push_back(row("idle/" + gaps[i].cause, gaps[i].range, joules[i]));
    }

    void addClasses(const Attribution &parts) {
        for (const ClassShare &share : parts.classes) {
            const std::string prefix = "compute/";
            const bool computes = share.path.rfind(prefix, 0) == 0;
            context_.result.energy.byClass.push_back(
                {out_.device, computes ? share.path.substr(prefix.size()) : share.path, share.busyNs, share.j,
                 share.watts, share.wattsCi95, share.method, share.status});
        }
    }

    void addStretches(const IntervalSet &where, const std::string &path) {
        for (const TimeRange &range : intersection(where, energy_.covered())) {
            const double j = energy_.energy(range).j;
            out_.outsideTraceJ += j;
            context_.energyRows.push_back(row(path, range, j));
        }
    }

    void addMissing() {
        for (const TimeRange &gap : energy_.gaps())
            context_.energyRows.push_back(row("missing", gap, 0));
    }

    Context &context_;
    DeviceId id_;
    const PowerSeries &readings_;
    const PowerSeries &energy_;
    DeviceEnergy out_;
    std::string untracedPath_ = "outside_trace";
};

struct PathSum {
    double j = 0, low = 0, high = 0;
};

// Rows of one device, already in context.energyRows, by path. Bounds are intervals only where a regression gave
// them.
void sumPaths(Context &context) {
    std::map<std::pair<DeviceId, std::string>, PathSum> sums;
    for (const store::EnergyRow &row : context.energyRows) {
        PathSum &sum = sums[{row.device, row.path}];
        sum.j += row.j;
        sum.low += row.jLow;
        sum.high += row.jHigh;
    }
    double whole = 0;
    std::map<DeviceId, bool> regressed;
    EnergyResult &energy = context.result.energy;
    for (const DeviceEnergy &device : energy.devices)
        whole += device.integralJ;
    for (const ClassEnergy &item : energy.byClass)
        for (const DeviceEnergy &device : energy.devices)
            if (device.device == item.device && item.method == "nnls")
                regressed[device.deviceId] = true;
    for (const auto &[key, sum] : sums) {
        EnergyPath path{key.second, nameOf(context, key.first), sum.j, {}, whole > 0 ? sum.j / whole : 0, {}};
        if (regressed[key.first] && sum.low < sum.high)
            path.ci95 = Interval{sum.low, sum.high};
        energy.byPath.push_back(std::move(path));
    }
    std::stable_sort(energy.byPath.begin(), energy.byPath.end(),
                     [](const EnergyPath &a, const EnergyPath &b) { return a.j > b.j; });
}

void sumDomains(Context &context) {
    EnergyResult &energy = context.result.energy;
    double covered = 0;
    double missing = 0;
    double unexplained = 0;
    for (const DeviceEnergy &device : energy.devices) {
        covered += device.coveredS;
        missing += device.missingS;
        unexplained += device.unexplainedJ;
        energy.longestGapS = std::max(energy.longestGapS.value_or(0), device.longestGapS);
        if (!context.insideOther.contains(device.deviceId))
            energy.byDomain["accelerator"] += device.integralJ;
    }
    double seen = covered;
    for (const DomainPower &domain : context.otherPower) {
        const EnergyOfRange whole = domain.series.energy(domain.series.extent());
        energy.byDomain[domain.domain] += whole.j;
        seen += whole.coveredS;
    }
    double total = 0;
    for (const auto &[name, joules] : energy.byDomain)
        total += joules;
    if (seen > 0)
        energy.totalJ = total;
    else
        context.result.reasons["energy.total_j"] =
            "no two readings of a channel are near enough to each other to integrate between them";
    if (covered + missing > 0)
        energy.coverage = covered / (covered + missing);
    if (!energy.devices.empty())
        energy.unexplainedJ = unexplained;
}

}  // namespace

bool shareClock(const Context &context, SourceId a, SourceId b) {
    if (a == b || isAligned(context, a) || isAligned(context, b))
        return true;
    return onWallTime(sourceOf(context, a)) && onWallTime(sourceOf(context, b));
}

void computeEnergy(Context &context) {
    EnergyResult &energy = context.result.energy;
    energy.range = context.powerExtent;
    if (context.power.empty() && context.otherPower.empty()) {
        const std::string reason = "no power log is in the workspace: import one of the same run";
        for (const char *key :
             {"energy.total_j", "energy.coverage", "energy.unexplained_j", "energy.condition_number"})
            context.result.reasons[key] = reason;
        return;
    }
    for (const auto &[id, readings] : context.power) {
        const auto moved = context.centredPower.find(id);
        DeviceAccount(context, id, readings, moved == context.centredPower.end() ? readings : moved->second)
            .account();
    }
    sumPaths(context);
    sumDomains(context);
    if (!energy.conditionNumber)
        context.result.reasons["energy.condition_number"] = "no regression over classes was needed or possible";
}

}  // namespace wattproof::analysis
