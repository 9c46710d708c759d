#include "analysis/alignment/align.h"
#include "analysis/alignment/peak_search.h"
#include "analysis/alignment/sensor_view.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace wattproof::analysis {
namespace {

constexpr std::size_t kMinSamples = 10;
constexpr double kMinCorrelation = 0.5;
constexpr double kMinLead = 0.05;   // of the peak over the second one
constexpr double kClearLead = 0.1;  // less, and weaker work in between can turn the order
constexpr int kMinEdges = 2;
constexpr int kMinInsideEdges = 3;  // between first and last operation, for the run to speak without its margins
constexpr Ns kMinInsidePeriods = 20;
constexpr double kCovered = 0.9;  // of the run by the log: less, and edges of the run are missing
constexpr double kLoadLevel = 0.3;
constexpr std::ptrdiff_t kFewReadings = 2;
constexpr double kIdleLevel = 0.25;  // of the load's swing: more is no idle margin
constexpr double kAsGood = 0.15;     // correlation by which an offset may be worse and still as good
constexpr double kLeadOfRun = 0.15;  // of the peak inside the run: more, and the run needs no margins
constexpr double kLeadAgainstMargins = 0.2;
constexpr double kDisputed = 0.85;       // of the confidence, where run and margins differ
constexpr Ns kUnknownLag = 150'000'000;  // of sensors that state none: 36 to 110 ms until they react were measured
constexpr int kMaxEdgesThatCount = 12;   // more edges of one run are not independent of each other

double fisher(double r) {
    return std::atanh(std::clamp(r, 0.0, 0.999));
}

double normalDistribution(double z) {
    return 0.5 * std::erfc(-z / std::sqrt(2.0));
}

// Probability that the peak is the right one: Fisher's z of its lead over the second peak, each distinct edge
// counting as one independent observation, lowered where the peak itself explains little of the power's variance.
double confidence(double peak, double second, int edges) {
    const double observations = std::min(edges, kMaxEdgesThatCount);
    const double lead = (fisher(peak) - fisher(second)) * std::sqrt(observations);
    const double clear = peak - second < kClearLead ? kDisputed : 1;
    return std::min(0.99, normalDistribution(lead) * std::min(1.0, peak / 0.9)) * clear;
}

std::string phrase(const char *format, double a, double b, int c) {
    char text[240];
    std::snprintf(text, sizeof text, format, a, b, c);
    return text;
}

AlignmentProposal refuse(AlignmentProposal proposal, std::string why) {
    proposal.refusal = std::move(why);
    return proposal;
}

std::string ambiguity(const AlignmentProposal &p) {
    if (p.edges < kMinEdges)
        return "the trace holds fewer than two distinct load edges: align by hand, or record the idle time before "
               "and "
               "after the run";
    if (p.peak->correlation < kMinCorrelation)
        return phrase(
            "no offset explains the power: the best correlation is %.2f, at least %.2f is needed; check that the "
            "log is of the traced device and run",
            p.peak->correlation, kMinCorrelation, 0);
    if (p.secondPeak && p.peak->correlation - p.secondPeak->correlation < kMinLead)
        return phrase(
            "two offsets fit almost equally (correlation %.3f and %.3f): the load repeats itself; align by hand "
            "at its start or end",
            p.peak->correlation, p.secondPeak->correlation, 0);
    return {};
}

store::Alignment alignmentFrom(const AlignmentProposal &p, const SensorModel &model, Ns step) {
    store::Alignment a;
    a.offset = p.peak->offset;
    a.method = "correlation";
    a.confidence = confidence(p.peak->correlation, p.secondPeak ? p.secondPeak->correlation : 0, p.edges);
    a.uncertainty = std::max((model.period + 1) / 2, step / 2) +
                    (model.lagKnown ? model.lagDoubt : std::max(model.lagDoubt, kUnknownLag));
    a.note = phrase("correlation of busy share and power: peak %.3f, second peak %.3f, %d load edges",
                    p.peak->correlation, p.secondPeak ? p.secondPeak->correlation : 0, p.edges);
    return a;
}

std::string unusable(const IntervalSet &busy, const std::vector<Sample> &points) {
    if (busy.empty())
        return "the trace has no device operations to compare with the power";
    if (points.size() < kMinSamples)
        return "the log has fewer than 10 power readings";
    const auto range = std::minmax_element(points.begin(), points.end(),
                                           [](const Sample &a, const Sample &b) { return a.value < b.value; });
    if (range.first->value == range.second->value)
        return "the power never changes over the whole log: a dead sensor, or no load";
    return {};
}

AlignmentProposal concluded(Found found, const SensorModel &model, double doubt) {
    AlignmentProposal &p = found.proposal;
    if (!p.peak)
        return std::move(p);
    if (std::string why = ambiguity(p); !why.empty())
        return refuse(std::move(p), std::move(why));
    p.alignment = alignmentFrom(p, model, found.step);
    p.alignment->confidence *= doubt;
    return std::move(p);
}

double leadOf(const AlignmentProposal &p) {
    return p.peak->correlation - (p.secondPeak ? p.secondPeak->correlation : 0);
}

// What the log says about the answer apart from the run itself. Levels are shares of the load's swing, from the
// line through the readings inside the run.
struct Surroundings {
    double margins = 0;          // how high the power stands where the trace has no operations yet, or no more
    bool loadElsewhere = false;  // beyond the margins there is other work
    double covered = 0;          // share of the run that the log covers
};

Surroundings surroundings(const Found &whole, TimeRange inside, const IntervalSet &busy,
                          const std::vector<Sample> &points, const SensorModel &model) {
    const Ns offset = whole.proposal.peak->offset;
    const double reference = points.front().value;
    SensorView view(busy, model);
    Moments run, before, after;
    std::vector<double> beyond;
    for (const Sample &point : points) {
        const Ns t = point.ts + offset;
        if (t < whole.observed.begin || t > whole.observed.end) {
            beyond.push_back(point.value - reference);
            continue;
        }
        const double share = view.share(t);
        const bool outside = share == 0 && !inside.contains(t);
        (!outside ? run : t < inside.begin ? before : after).add(share, point.value - reference);
    }
    Surroundings found;
    const Ns covered =
        std::min(inside.end, points.back().ts + offset) - std::max(inside.begin, points.front().ts + offset);
    found.covered = static_cast<double>(covered) / static_cast<double>(std::max<Ns>(inside.length(), 1));
    const double swing = run.slope();
    const double idle = swing > 0 ? run.y / run.n - swing * run.x / run.n : 0;
    const auto level = [&](const Moments &side) {
        return swing <= 0 ? 1.0 : side.n > 0 ? (side.y / side.n - idle) / swing : 0.0;
    };
    found.margins = std::max(level(before), level(after));
    const auto high = std::count_if(beyond.begin(), beyond.end(),
                                    [&](double value) { return value > idle + kLoadLevel * swing; });
    found.loadElsewhere = high > kFewReadings;
    return found;
}

// Idle margins speak for an offset. Where they are not idle there, the trace is a part of a longer job: only what
// lies between its first and last operation counts.
AlignmentProposal reconciled(Found whole, Found inside, const IntervalSet &busy, const std::vector<Sample> &points,
                             const SensorModel &model) {
    const Surroundings around = surroundings(whole, inside.observed, busy, points, model);
    const bool insideTells = inside.proposal.peak && inside.proposal.edges >= kMinInsideEdges;
    const double partly = around.covered < kCovered ? kDisputed : 1;
    if (around.margins > kIdleLevel) {
        if (insideTells)
            return concluded(std::move(inside), model, partly);
        return refuse(std::move(whole.proposal),
                      "the power is high before or after the traced operations, and within them there are too few "
                      "load edges: align by hand, or trace the job's start or end as well");
    }
    // Where the run repeats itself only its start and end tell, and those of an excerpt are none.
    if (!insideTells)
        return concluded(std::move(whole), model, around.loadElsewhere ? kDisputed : partly);
    const Ns apart = std::llabs(whole.proposal.peak->offset - inside.proposal.peak->offset);
    const double insideAtWhole = scoreOf(busy, model, points, inside.observed, whole.proposal.peak->offset);
    if (apart <= kNearPeriods * std::max(model.period, model.window) ||
        fisher(insideAtWhole) >= fisher(inside.proposal.peak->correlation) - kAsGood) {
        const bool marginsDecide = around.loadElsewhere && leadOf(inside.proposal) < kLeadOfRun;
        return concluded(std::move(whole), model, marginsDecide ? kDisputed : partly);
    }
    Found &better = leadOf(inside.proposal) > leadOf(whole.proposal) ? inside : whole;
    if (leadOf(better.proposal) < kLeadAgainstMargins)
        return refuse(
            std::move(better.proposal),
            "the run fits one offset by its own edges and another by the idle time around it: it may be a "
            "part of a longer job whose load repeats itself; align by hand");
    return concluded(std::move(better), model, kDisputed);
}

}  // namespace

double alignmentScore(const IntervalSet &busy, const PowerSeries &power, Ns offset) {
    const SensorModel model = sensorModel(power);
    return busy.empty() ? 0 : scoreOf(busy, model, wattPoints(power), observedRange(busy, model), offset);
}

AlignmentProposal correlate(const IntervalSet &busy, const PowerSeries &power, const Task &task) {
    const SensorModel model = sensorModel(power);
    const std::vector<Sample> points = wattPoints(power);
    if (std::string why = unusable(busy, points); !why.empty())
        return refuse({}, std::move(why));
    const auto within = [&](TimeRange observed) {
        return search(busy, model, points, observed, power.medianPeriod());
    };
    Found whole = within(observedRange(busy, model));
    if (task.cancelled())
        return refuse(std::move(whole.proposal), "cancelled");
    if (!whole.proposal.peak)
        return std::move(whole.proposal);
    const TimeRange run = insideRange(busy, model);
    Found inside;
    inside.observed = run;
    if (run.length() >= kMinInsidePeriods * model.period)
        inside = within(run);
    if (task.cancelled())
        return refuse(std::move(whole.proposal), "cancelled");
    return reconciled(std::move(whole), std::move(inside), busy, points, model);
}

}  // namespace wattproof::analysis