#include "analysis/findings/finding_builder.h"
#include "analysis/findings/rule.h"
#include "analysis/findings/rule_settings.h"
#include "analysis/findings/trace_witness.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace wattproof::analysis {
namespace {

constexpr double kEpsilonShare = 0.01;  // of the units per joule without SLA
constexpr int kQuadrature = 21;
constexpr double kBelieved = 0.5;  // a trace finding below this does not overrule others

const std::set<std::string> kIdleRules{"host_orchestration", "synchronization", "low_load"};

// E[ln((h (1 + gain) + eps) / (h + eps))] with the gain spread evenly over its interval.
double expectedLogGain(const Headline &headline, Interval gain) {
    const double h = *headline.value;
    const double epsilon = kEpsilonShare * headline.valueNoSla.value_or(h);
    if (h + epsilon <= 0)
        return 0;
    double sum = 0;
    for (int i = 0; i < kQuadrature; ++i) {
        const double share = (i + 0.5) / kQuadrature;
        const double after = h * (1 + gain.low + share * (gain.high - gain.low));
        sum += std::log(std::max(after + epsilon, 1e-12) / (h + epsilon));
    }
    return sum / kQuadrature;
}

double scoreOf(const Context &context, const Finding &f) {
    if (!f.headlineGain || !context.result.headline.value)
        return 0;
    return f.confidenceP * std::max(0.0, expectedLogGain(context.result.headline, *f.headlineGain));
}

// Traces that miss work, by the key of the device.
struct Missing {
    std::string findingKey;
    IntervalSet contradicted;
    bool leads = false;
};

std::map<std::string, Missing> missingWork(const Context &context) {
    std::map<std::string, Missing> missing;
    for (const DeviceScope &scope : deviceScopes(context)) {
        const std::string key = "trace_incomplete:" + scope.key();
        for (const Finding &f : context.result.findings) {
            if (f.key != key || f.confidenceP < kBelieved)
                continue;
            const TraceVerdict verdict = judgeTrace(scope);
            missing[scope.key()] = {key, verdict.contradicted, verdict.share > ruleSettings().traceLeadingShare};
        }
    }
    return missing;
}

std::string deviceOf(const Finding &f) {
    return f.key.size() > f.rule.size() ? f.key.substr(f.rule.size() + 1) : std::string();
}

const Finding *findingOf(const std::vector<Finding> &findings, const std::string &key) {
    const auto it = std::find_if(findings.begin(), findings.end(), [&](const Finding &f) { return f.key == key; });
    return it == findings.end() ? nullptr : &*it;
}

void settleConflicts(std::vector<Finding> &findings, const std::map<std::string, Missing> &missing) {
    for (Finding &f : findings) {
        const auto it = missing.find(deviceOf(f));
        if (!kIdleRules.contains(f.rule) || it == missing.end() ||
            overlapLength(it->second.contradicted, f.range) == 0)
            continue;
        const Finding *trace = findingOf(findings, it->second.findingKey);
        const std::string query =
            trace && !trace->evidence.empty() ? trace->evidence.front().query : std::string();
        addContradiction(f, "the trace misses work in this range: part of the idle time is not idle", query,
                         "lowers confidence");
        limitConfidence(f, ruleSettings().contradictedConfidence,
                        "the trace misses work of " + it->first + " in this range");
    }
}

bool leads(const Finding &f, const std::map<std::string, Missing> &missing) {
    const auto it = missing.find(deviceOf(f));
    return f.rule == "trace_incomplete" && it != missing.end() && it->second.leads;
}

void order(std::vector<Finding> &findings, const std::map<std::string, Missing> &missing) {
    std::stable_sort(findings.begin(), findings.end(), [&](const Finding &a, const Finding &b) {
        if (const bool first = leads(a, missing), second = leads(b, missing); first != second)
            return first;
        if (a.score != b.score)
            return a.score > b.score;
        return a.recoverableNs.value_or(0) * a.confidenceP > b.recoverableNs.value_or(0) * b.confidenceP;
    });
    for (std::size_t i = 0; i < findings.size(); ++i)
        findings[i].rank = static_cast<int>(i) + 1;
}

void giveReasons(AnalysisResult &result) {
    for (const Finding &f : result.findings) {
        const std::string path = "findings." + f.key + ".";
        const bool missing = f.rule == "trace_incomplete";
        const std::string device = deviceOf(f);
        if (!f.throughputGain)
            result.reasons[path + "throughput_gain"] =
                missing ? "what the trace misses cannot be weighed" : "the clock that was lost is not known";
        if (!f.recoverableJ)
            result.reasons[path + "recoverable_j"] =
                missing ? "what the trace misses cannot be weighed"
                        : "needs a power log of " + device + " over the run, with an idle floor";
        if (!f.headlineGain)
            result.reasons[path + "headline_gain"] = missing ? "what the trace misses cannot be weighed"
                                                             : "needs joules over the run, units of work and an SLA";
    }
}

// Most joules that all interventions on one device can save together: what was measured outside computation, or
// its idle floor where that is more; what a higher clock saves comes on top.
double ceilingOf(const DeviceScope &scope, const std::vector<Finding> &findings) {
    double clamps = 0;
    for (const Finding &f : findings)
        if (deviceOf(f) == scope.key() && (f.rule == "thermal_clamp" || f.rule == "power_cap") && f.recoverableJ)
            clamps += std::max(0.0, f.recoverableJ->high);
    const IntervalSet without = complement(scope.activity.compute, scope.span());
    const auto watts = scope.idleWatts();
    const double floor = watts ? watts->high * static_cast<double>(length(without)) / 1e9 : 0;
    return clamps + std::max(floor, scope.power() ? scope.power()->energy(without).j : 0);
}

struct Sum {
    double best = 0, together = 0;
    bool any = false;
};

// Savings of one device's findings: at least the best one, at most their sum.
Sum savingsOf(const std::string &device, const std::vector<Finding> &findings) {
    Sum sum;
    for (const Finding &f : findings) {
        if (deviceOf(f) != device || !f.recoverableJ || f.confidence == "low")
            continue;
        sum.any = true;
        sum.best = std::max(sum.best, f.recoverableJ->low);
        sum.together += std::max(0.0, f.recoverableJ->high);
    }
    return sum;
}

void setJointCeiling(Context &context) {
    Interval joules;
    bool any = false;
    std::optional<double> measured;
    for (const DeviceScope &scope : deviceScopes(context)) {
        const Sum sum = savingsOf(scope.key(), context.result.findings);
        if (!sum.any)
            continue;
        any = true;
        const double high = std::min(sum.together, ceilingOf(scope, context.result.findings));
        joules.high += std::max(high, sum.best);
        joules.low += sum.best;
        if (const auto energy = scope.measuredJ())
            measured = std::max(measured.value_or(0), *energy);
    }
    if (!any) {
        context.result.reasons["joint_ceiling"] = "no finding states joules";
        return;
    }
    context.result.jointRecoverableJ = joules;
    if (measured && context.result.headline.value && *measured > joules.high)
        context.result.jointHeadlineGain =
            Interval{joules.low / (*measured - joules.low), joules.high / (*measured - joules.high)};
}

}  // namespace

void rankFindings(Context &context) {
    AnalysisResult &result = context.result;
    const auto missing = missingWork(context);
    settleConflicts(result.findings, missing);
    for (Finding &f : result.findings)
        f.score = scoreOf(context, f);
    order(result.findings, missing);
    giveReasons(result);
    setJointCeiling(context);
    if (!ruleSettingsWarning().empty())
        result.warnings.push_back(ruleSettingsWarning());
}

}  // namespace wattproof::analysis
