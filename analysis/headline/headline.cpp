#include "analysis/headline/headline.h"

#include "analysis/energy/device_energy.h"
#include "analysis/headline/domains.h"
#include "analysis/headline/per_unit.h"
#include "analysis/headline/sustained.h"
#include "analysis/stats/bootstrap.h"
#include "analysis/stats/percentile.h"

#include <algorithm>

namespace wattproof::analysis {
namespace {

constexpr double kCoveredEnough = 0.5;
constexpr std::uint64_t kSeed = 31415;

double milliseconds(Ns ns) {
    return static_cast<double>(ns) / 1e6;
}

std::vector<double> sortedLatencies(const std::vector<WorkUnit> &units) {
    std::vector<double> values;
    for (const WorkUnit &unit : units)
        if (unit.ok)
            values.push_back(milliseconds(unit.range.length()));
    std::sort(values.begin(), values.end());
    return values;
}

// Units of the sustained interval with the joules spent up to each one's completion since the one before.
struct Operating {
    std::vector<double> units, within, joules;
    double all = 0, done = 0, goodput = 0, energyJ = 0, coveredS = 0, wantedS = 0;
};

bool meets(const WorkUnit &unit, const std::vector<SlaTerm> &sla) {
    return unit.ok && std::all_of(sla.begin(), sla.end(), [&](const SlaTerm &term) {
               return term.metric != "latency" || milliseconds(unit.range.length()) <= term.limitMs;
           });
}

Operating operate(const Context &context, const Sustained &sustained, const HeadlineDomains &domains) {
    Operating out;
    Ns from = sustained.range.begin;
    for (std::size_t i = sustained.first; i < context.units.size(); ++i) {
        const WorkUnit &unit = context.units[i];
        const TimeRange tile{from, unit.range.end};
        double joules = 0;
        for (const PowerSeries *series : domains.series) {
            const EnergyOfRange energy = series->energy(tile);
            joules += energy.j;
            out.coveredS += energy.coveredS;
            out.wantedS += static_cast<double>(tile.length()) / 1e9;
        }
        const double done = unit.ok ? unit.units : 0;
        const double within = meets(unit, context.scenario.sla) ? unit.units : 0;
        out.units.push_back(done);
        out.within.push_back(within);
        out.joules.push_back(joules);
        out.all += unit.units;
        out.done += done;
        out.goodput += within;
        out.energyJ += joules;
        from = unit.range.end;
    }
    return out;
}

std::vector<SlaResult> judge(const Context &context, std::size_t first) {
    const std::vector<double> sorted =
        sortedLatencies({context.units.begin() + static_cast<std::ptrdiff_t>(first), context.units.end()});
    std::vector<SlaResult> results;
    for (const SlaTerm &term : context.scenario.sla) {
        SlaResult result{term, {}, {}};
        if (term.metric == "latency")
            result.value = percentile(sorted, term.percentile);
        if (result.value)
            result.pass = *result.value <= term.limitMs;
        results.push_back(std::move(result));
    }
    return results;
}

void addNote(Headline &headline, const std::string &text) {
    if (!text.empty())
        headline.note += (headline.note.empty() ? "" : "; ") + text;
}

// Why joules cannot be set against the units; empty when they can.
std::string energyProblem(const Context &context, const HeadlineDomains &domains, const Operating &run) {
    if (domains.series.empty())
        return context.power.empty() && context.otherPower.empty() ? "no power log is in the workspace"
                                                                   : "no measured domain belongs to the scenario";
    if (run.coveredS < kCoveredEnough * run.wantedS)
        return "power covers less than half of the sustained interval";
    return run.energyJ > 0 ? "" : "no energy was measured over the sustained interval";
}

bool comparable(const Context &context) {
    for (const auto &[id, power] : context.power)
        for (const SourceRow &source : context.sources)
            if (source.kind == SourceKind::Trace && !shareClock(context, source.id, power.channel().source))
                return false;
    return true;
}

void nullHeadline(Context &context, const std::string &reason) {
    for (const char *key : {"headline.value", "headline.value_no_sla", "headline.ci95", "headline.energy_j"})
        context.result.reasons.try_emplace(key, reason);
}

// Why units cannot be held against the SLA; empty when they can.
std::string whyNotHeld(const std::vector<SlaTerm> &sla) {
    for (const SlaTerm &term : sla)
        if (term.metric != "latency")
            return "the SLA on \"" + term.metric + "\" is not measured";
    return sla.empty() ? "the scenario states no SLA" : "";
}

void setRatios(Context &context, const Operating &run) {
    Headline &headline = context.result.headline;
    headline.energyJ = run.energyJ;
    headline.valueNoSla = run.done / run.energyJ;
    const std::string unheld = whyNotHeld(context.scenario.sla);
    const bool promised = unheld.empty();
    if (promised)
        headline.value = run.goodput / run.energyJ;
    else
        context.result.reasons["headline.value"] = unheld + ": units per joule stand in value_no_sla";
    headline.ci95 = bootstrapRatio(promised ? run.within : run.units, run.joules, kSeed);
    if (!headline.ci95)
        context.result.reasons["headline.ci95"] = "fewer than eight units: no interval";
    else if (!promised)
        addNote(headline, "the interval is that of units per joule without SLA");
    if (run.coveredS < 0.99 * run.wantedS)
        addNote(headline, "power covers " + std::to_string(static_cast<int>(100 * run.coveredS / run.wantedS)) +
                              " % of the interval");
}

std::optional<Sustained> findSustained(Context &context) {
    Scenario &scenario = context.scenario;
    const Ns window = scenario.windowSeconds ? static_cast<Ns>(*scenario.windowSeconds * 1e9) : 0;
    auto sustained = sustainedInterval(context.units, scenario.sustainedMode == "all", window);
    if (sustained && !scenario.windowSeconds && sustained->windows > 0)
        scenario.detected["window_s"] =
            std::to_string(sustained->windows) + " windows of " +
            (context.units.size() > sustained->windows ? "equally many units" : "one unit") +
            " each, over the whole run";
    return sustained;
}

void holdAgainstSla(Context &context, const Operating &run, std::size_t first) {
    Headline &headline = context.result.headline;
    const std::string unheld = whyNotHeld(context.scenario.sla);
    if (unheld.empty()) {
        headline.unitsWithinSla = run.goodput;
        if (run.all > 0)
            headline.attainment = run.goodput / run.all;
    }
    if (!context.scenario.sla.empty()) {
        headline.sla = judge(context, first);
        for (const SlaResult &sla : headline.sla)
            if (sla.pass && !*sla.pass)
                addNote(headline, "the SLA is missed: not an operating point");
    }
    if (!unheld.empty())
        for (const char *key : {"headline.units_within_sla", "headline.attainment"})
            context.result.reasons[key] = unheld;
}

void fillHeadline(Context &context) {
    Headline &headline = context.result.headline;
    const HeadlineDomains domains = headlineDomains(context);
    headline.domainsMeasured = domains.measured;
    headline.domainsMissing = domains.missing;
    headline.unit = (context.scenario.unitName.empty() ? "unit" : context.scenario.unitName) + "/J";
    const auto sustained = findSustained(context);
    if (!sustained) {
        context.result.reasons["headline.units"] = "no unit of work was found: name its slices in the scenario";
        return nullHeadline(context, "no unit of work was found: name its slices in the scenario");
    }
    headline.sustained = sustained->range;
    addNote(headline, sustained->note);
    const Settling state = settling(sustained->range, context);
    headline.settled = state.settled;
    if (!state.settled)
        addNote(headline, "a burst, not a settled run: " + state.missing);
    const Operating run = operate(context, *sustained, domains);
    headline.units = run.done;
    holdAgainstSla(context, run, sustained->first);
    if (!comparable(context))
        return nullHeadline(context, "a power log is not aligned with the trace");
    if (const std::string problem = energyProblem(context, domains, run); !problem.empty())
        return nullHeadline(context, problem);
    setRatios(context, run);
}

}  // namespace

Latency latencyOf(const std::vector<WorkUnit> &units) {
    const std::vector<double> sorted = sortedLatencies(units);
    Latency out;
    out.n = static_cast<std::int64_t>(sorted.size());
    const auto fill = [&](const char *key, double percent, std::optional<double> &value) {
        value = percentile(sorted, percent);
        if (const auto bounds = percentileInterval(sorted, percent))
            out.ci95[key] = *bounds;
        else
            out.smallSample = true;
    };
    fill("p50", 50, out.p50Ms);
    fill("p90", 90, out.p90Ms);
    fill("p95", 95, out.p95Ms);
    fill("p99", 99, out.p99Ms);
    fill("p999", 99.9, out.p999Ms);
    return out;
}

void computeHeadline(Context &context) {
    if (!context.units.empty() || context.result.latency.n == 0)  // else of requests without times
        context.result.latency = latencyOf(context.units);
    if (context.result.latency.n == 0)
        context.result.reasons["latency.p50_ms"] = "no unit of work was found";
    else if (context.result.latency.smallSample)
        context.result.reasons["latency.ci95"] =
            "small_sample: p99 needs 299 units for an interval, p99.9 needs 2995";
    fillHeadline(context);
    computePerUnit(context);
}

}  // namespace wattproof::analysis
