#include "tests/simulator/truth.h"

#include "tests/simulator/clock_reasons.h"

#include <algorithm>

namespace wattproof::simulator {

namespace {

TimeRange runOf(const std::vector<DeviceOperation> &operations) {
    if (operations.empty())
        return {};
    TimeRange run = operations.front().range;
    for (const DeviceOperation &operation : operations)
        run.end = std::max(run.end, operation.range.end);
    return run;
}

double seconds(Ns ns) {
    return static_cast<double>(ns) * 1e-9;
}

// Calls visit(segment, range) for each segment of the curve that has a length.
template <class Visit>
void eachSegment(const PowerCurve &curve, Visit visit) {
    const std::vector<PowerSegment> &segments = curve.segments();
    for (std::size_t index = 0; index < segments.size(); ++index) {
        const Ns end = index + 1 < segments.size() ? segments[index + 1].begin : curve.extent().end;
        if (end > segments[index].begin)
            visit(segments[index], TimeRange{segments[index].begin, end});
    }
}

void addFloors(Truth &truth, const PowerCurve &curve) {
    eachSegment(curve, [&](const PowerSegment &segment, TimeRange range) {
        if (range.begin < truth.run.begin || range.begin >= truth.run.end)
            return;
        (segment.busy ? truth.busyFloorJ : truth.idleJ) += segment.floorW * seconds(range.length());
        (segment.busy ? truth.busyNs : truth.idleNs) += range.length();
    });
}

std::vector<ClampSpan> clampsOf(const PowerCurve &curve, std::uint64_t reason, const char *clampClass) {
    std::vector<ClampSpan> spans;
    double clockSeconds = 0;
    const auto closeSpan = [&] {
        if (!spans.empty())
            spans.back().meanClock = clockSeconds / seconds(spans.back().range.length());
        clockSeconds = 0;
    };
    eachSegment(curve, [&](const PowerSegment &segment, TimeRange range) {
        if ((segment.reasons & reason) == 0)
            return;
        if (spans.empty() || spans.back().range.end != range.begin) {
            closeSpan();
            spans.push_back({range, clampClass, 1});
        }
        spans.back().range.end = range.end;
        clockSeconds += segment.clock * seconds(range.length());
    });
    closeSpan();
    return spans;
}

}  // namespace

Truth truthOf(const SimulationConfig &config, const Execution &execution) {
    Truth truth;
    const PowerCurve &curve = execution.curve;
    truth.log = curve.extent();
    truth.run = runOf(execution.trace.operations);
    truth.totalJ = curve.energyJ(truth.log);
    truth.outsideJ =
        curve.energyJ({truth.log.begin, truth.run.begin}) + curve.energyJ({truth.run.end, truth.log.end});
    addFloors(truth, curve);
    truth.classes = execution.classes;
    truth.hiddenJ = execution.hiddenJ;
    truth.idleByHostNs = execution.idleByHostNs;
    truth.deepIdleW = config.power.deepIdleW;
    truth.activeIdleW = config.power.activeIdleW;
    truth.clamps = clampsOf(curve, kReasonThermal, "thermal");
    for (ClampSpan &span : clampsOf(curve, kReasonPowerCap, "power"))
        truth.clamps.push_back(std::move(span));
    truth.alignmentOffset = -config.clock.offset;
    truth.driftPpb = config.clock.driftPpb;
    for (const Iteration &iteration : execution.trace.iterations)
        truth.units += iteration.units;
    return truth;
}

Counterfactual compare(const Injection &injection, const Truth &truth, const Truth &other) {
    Counterfactual counterfactual;
    counterfactual.injection = injection;
    if (injection.kind == Bottleneck::TraceIncomplete || injection.kind == Bottleneck::Healthy)
        return counterfactual;
    const double with = seconds(truth.run.length()), without = seconds(other.run.length());
    const double joulesWith = truth.totalJ - truth.outsideJ, joulesWithout = other.totalJ - other.outsideJ;
    counterfactual.recoverableTime = (with - without) / with;
    counterfactual.recoverableJ = joulesWith - joulesWithout;
    counterfactual.throughputGain = with / without - 1;
    counterfactual.unitsPerJouleGain = joulesWith / joulesWithout - 1;
    return counterfactual;
}

}  // namespace wattproof::simulator
