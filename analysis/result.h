// The analysis as data: the document of DESIGN "Analysis". Numbers that may be unknown are optional, with the reason in
// `reasons` under the field's path ("headline.value").
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "analysis/scenario.h"
#include "store/edits.h"
#include "store/result.h"
#include "store/rows.h"

namespace wattproof::analysis {

inline constexpr int kAnalysisSchemaVersion = 1;

struct Interval {
    double low = 0, high = 0;
};

struct SlaResult {
    SlaTerm term;
    std::optional<double> value;
    std::optional<bool> pass;
};

struct Headline {
    std::optional<double> value;              // units within SLA per joule over the sustained interval
    std::string unit;                         // "token/J"
    std::optional<Interval> ci95;
    std::optional<double> valueNoSla;
    std::optional<double> units, unitsWithinSla, attainment, energyJ;
    std::optional<TimeRange> sustained;
    bool settled = false;                     // false: a burst, and called one
    std::vector<std::string> domainsMeasured, domainsMissing;
    std::vector<SlaResult> sla;
    std::string note;                         // one sentence: what limits the number
};

struct Latency {
    std::int64_t n = 0;
    std::optional<double> p50Ms, p90Ms, p95Ms, p99Ms, p999Ms;
    std::map<std::string, Interval> ci95;     // "p99" -> interval in ms
    bool smallSample = false;
};

struct EnergyPath {
    std::string path;                         // "compute/gemm/bf16", "communication", "copy/HtoD", "idle/host", "outside_trace", "missing"
    std::string device;
    double j = 0;
    std::optional<Interval> ci95;
    double share = 0;
    std::optional<double> jPerUnit;
};

struct ClassEnergy {
    std::string device, opClass;              // "gemm/bf16"
    Ns busyNs = 0;
    double j = 0;
    std::optional<double> watts;              // above idle
    std::optional<Interval> wattsCi95;
    std::string method;                       // "direct" or "nnls"
    std::string status;                       // "ok", "merged", "abstained"
};

struct IdleFloor {
    std::optional<double> deep, active;
    std::string source;                       // "active from 12 readings in pauses", "scenario"
    std::string method = {};                  // of active: pauses, beside, regression, scenario, unknown
    // At 95 %; where active is unknown: what is physically possible, from deep to the lowest reading of the run.
    std::optional<Interval> activeCi95 = std::nullopt;
};

// Conservation of one device's energy; each part is computed on its own: kernels + copies + idle + outside + missing +
// unexplained = integral.
struct DeviceEnergy {
    std::string device;
    DeviceId deviceId;
    std::string method;                       // "counter", "trapezoid", "mean", "delta", ...
    double integralJ = 0;                     // over the log's extent inside range
    double insideTraceJ = 0, outsideTraceJ = 0;
    double kernelsJ = 0, copiesJ = 0, idleJ = 0, unexplainedJ = 0;
    double missingS = 0, coveredS = 0;        // gaps are not integrated: seconds, not joules
    double coverage = 0, longestGapS = 0;
    std::optional<double> counterDisagreement;   // (integral - counter) / counter where both exist
    std::vector<std::string> limits;          // sentences of the sensor that limit the number
};

struct EnergyResult {
    TimeRange range;
    std::optional<double> totalJ;
    std::map<std::string, double> byDomain;
    std::optional<double> coverage, longestGapS;
    std::map<std::string, IdleFloor> idleFloorW;
    std::optional<double> unexplainedJ, conditionNumber;
    std::vector<DeviceEnergy> devices;
    std::vector<EnergyPath> byPath;
    std::vector<ClassEnergy> byClass;
    std::optional<double> budgetJPerUnit;
    std::optional<std::string> budgetCrossedBy;
    std::vector<std::string> budgetOrder;
};

struct DeviceTimeline {
    std::string device;
    DeviceId deviceId;
    TimeRange span;                           // first to last GPU operation
    Ns busyNs = 0, computeNs = 0, exposedCommNs = 0, exposedCopyNs = 0, idleNs = 0;
    Ns totalCommNs = 0, totalCopyNs = 0, kernelSumNs = 0;
    std::map<std::string, Ns> idleByCauseNs;  // host, synchronization, launch, memory, input, tail, unknown
};

struct ThermalDevice {
    std::string device;
    DeviceId deviceId;
    std::vector<TimeRange> spans;             // thermal clamp spans
};

struct ThermalResult {
    std::vector<ThermalDevice> devices;
    std::int64_t clampEvents = 0;
    double clampS = 0;
    std::optional<double> clampsPerHour, timeShare, lostClock, tailOddsRatio, tailPValue;
    double powerCappedS = 0;
};

struct PrecisionShare {
    std::string precision;
    Ns busyNs = 0;
    double share = 0;
    std::optional<double> j;
};

struct QualityResult {
    std::string metric, slice;
    double value = 0;
    std::optional<double> guardrail;
    std::optional<bool> pass;
};

struct Check {
    std::string claim, query;
    bool passed = false;
};

struct Evidence {
    std::string claim;
    double value = 0;
    std::string unit;
    std::string query;                        // over the public views; its first cell is `value`
    TimeRange range;
    std::string source;                       // file it comes from
};

struct Contradiction {
    std::string claim, query, effect;         // effect: "lowers confidence" or "refutes"
};

struct Finding {
    int rank = 0;
    std::string key, rule, bottleneckClass, title, mechanism;
    TimeRange range;
    std::vector<std::string> tracks;
    std::int64_t slices = 0;
    std::optional<Interval> recoverableJ, throughputGain, headlineGain;
    std::optional<double> recoverableNs;      // ranks findings when there are no joules
    double intervalLevel = 0.95;
    std::string counterfactual;
    std::string effect;                       // blocked, delayed, diluted
    double score = 0;
    std::string confidence;                   // high, medium, low
    double confidenceP = 0;
    std::vector<std::string> confidenceReasons;
    std::string chainIntent, chainMapping, chainBehaviour, chainImpact;
    std::vector<Check> checks;
    std::vector<Evidence> evidence;
    std::vector<Contradiction> contradictions;
    std::string doesNotProve, nextAction, intervention;
    std::vector<std::string> guardrails;
    std::optional<std::string> owner, rollback;
    std::string rollbackBoundary;             // where the intervention can be undone: proposed, not decided
};

// A rule that could not run because data is missing: it says what it needs instead of guessing.
struct RuleNeed {
    std::string rule, needs;
};

struct EvidenceKind {
    std::string evidence;
    bool present = false;
    std::string tells, doesNotProve, nextAction;
};

struct AnalysisResult {
    std::string toolVersion, workspace;
    Scenario scenario;
    Headline headline;
    std::vector<store::Alignment> alignment;
    Latency latency;
    EnergyResult energy;
    std::vector<DeviceTimeline> timeline;
    ThermalResult thermal;
    std::vector<PrecisionShare> precision;
    std::vector<QualityResult> quality;
    std::vector<Finding> findings;
    std::vector<RuleNeed> needs;
    std::optional<Interval> jointRecoverableJ, jointHeadlineGain;
    std::vector<EvidenceKind> evidenceMatrix;
    std::vector<std::string> lints;
    std::vector<std::string> warnings;
    std::map<std::string, std::string> reasons;
};

[[nodiscard]] nlohmann::json toJson(const AnalysisResult &);
[[nodiscard]] nlohmann::json toJson(const Finding &);
[[nodiscard]] Expected<AnalysisResult> resultFromJson(const std::string &json);

}  // namespace wattproof::analysis
