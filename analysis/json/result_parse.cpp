#include "analysis/json/values.h"

namespace wattproof::analysis {
namespace {

using nlohmann::json;

template <class T, class Convert>
std::vector<T> listFrom(const json &list, Convert convert) {
    std::vector<T> items;
    items.reserve(list.size());
    for (const json &item : list)
        items.push_back(convert(item));
    return items;
}

std::vector<std::string> texts(const json &list) {
    return list.get<std::vector<std::string>>();
}

SlaResult slaFrom(const json &in) {
    SlaResult sla;
    sla.term = {in.at("metric"), in.at("percentile"), in.at("limit")};
    sla.value = maybe<double>(in.at("value"));
    sla.pass = maybe<bool>(in.at("pass"));
    return sla;
}

Headline headlineFrom(const json &in) {
    Headline out;
    out.value = maybe<double>(in.at("value"));
    out.unit = in.at("unit");
    out.ci95 = maybeInterval(in.at("ci95"));
    out.valueNoSla = maybe<double>(in.at("value_no_sla"));
    out.units = maybe<double>(in.at("units"));
    out.unitsWithinSla = maybe<double>(in.at("units_within_sla"));
    out.attainment = maybe<double>(in.at("attainment"));
    out.energyJ = maybe<double>(in.at("energy_j"));
    out.sustained = maybeRange(in.at("sustained_ns"));
    out.settled = in.at("settled");
    out.domainsMeasured = texts(in.at("domains_measured"));
    out.domainsMissing = texts(in.at("domains_missing"));
    out.sla = listFrom<SlaResult>(in.at("sla"), slaFrom);
    out.note = in.at("note");
    return out;
}

store::Alignment alignmentFrom(const json &in) {
    store::Alignment out;
    out.source = SourceId(in.at("source_id").get<std::int64_t>());
    out.offset = in.at("offset_ns");
    out.uncertainty = in.at("uncertainty_ns");
    out.driftPpb = in.at("drift_ppb");
    out.anchor = in.at("anchor_ns");
    out.confidence = numberOr0(in.at("confidence_p"));
    out.method = in.at("method");
    out.note = in.at("note");
    return out;
}

Latency latencyFrom(const json &in) {
    Latency out;
    out.n = in.at("n");
    out.p50Ms = maybe<double>(in.at("p50_ms"));
    out.p90Ms = maybe<double>(in.at("p90_ms"));
    out.p95Ms = maybe<double>(in.at("p95_ms"));
    out.p99Ms = maybe<double>(in.at("p99_ms"));
    out.p999Ms = maybe<double>(in.at("p999_ms"));
    for (const auto &[key, bounds] : in.at("ci95").items())
        out.ci95[key] = interval(bounds);
    out.smallSample = in.at("small_sample");
    return out;
}

EnergyPath pathFrom(const json &in) {
    return {in.at("path"),
            in.at("device"),
            numberOr0(in.at("j")),
            maybeInterval(in.at("ci95")),
            numberOr0(in.at("share")),
            maybe<double>(in.at("j_per_unit"))};
}

ClassEnergy classFrom(const json &in) {
    return {in.at("device"),
            in.at("class"),
            in.at("busy_ns"),
            numberOr0(in.at("j")),
            maybe<double>(in.at("watts")),
            maybeInterval(in.at("watts_ci95")),
            in.at("method"),
            in.at("status")};
}

DeviceEnergy deviceEnergyFrom(const json &in) {
    DeviceEnergy out;
    out.device = in.at("device");
    out.deviceId = DeviceId(in.at("device_id").get<std::int64_t>());
    out.method = in.at("method");
    out.integralJ = numberOr0(in.at("integral_j"));
    out.insideTraceJ = numberOr0(in.at("inside_trace_j"));
    out.outsideTraceJ = numberOr0(in.at("outside_trace_j"));
    out.kernelsJ = numberOr0(in.at("kernels_j"));
    out.copiesJ = numberOr0(in.at("copies_j"));
    out.idleJ = numberOr0(in.at("idle_j"));
    out.unexplainedJ = numberOr0(in.at("unexplained_j"));
    out.missingS = numberOr0(in.at("missing_s"));
    out.coveredS = numberOr0(in.at("covered_s"));
    out.coverage = numberOr0(in.at("coverage"));
    out.longestGapS = numberOr0(in.at("longest_gap_s"));
    out.counterDisagreement = maybe<double>(in.at("counter_disagreement"));
    out.limits = texts(in.at("limits"));
    return out;
}

EnergyResult energyFrom(const json &in) {
    EnergyResult out;
    out.range = range(in.at("range_ns"));
    out.totalJ = maybe<double>(in.at("total_j"));
    for (const auto &[domain, joules] : in.at("by_domain").items())
        out.byDomain[domain] = numberOr0(joules);
    out.coverage = maybe<double>(in.at("coverage"));
    out.longestGapS = maybe<double>(in.at("longest_gap_s"));
    for (const auto &[device, floor] : in.at("idle_floor_w").items())
        out.idleFloorW[device] = {maybe<double>(floor.at("deep")), maybe<double>(floor.at("active")),
                                  floor.at("source"), floor.value("method", std::string()),
                                  maybeInterval(floor.value("active_ci95", json()))};
    out.unexplainedJ = maybe<double>(in.at("unexplained_j"));
    out.conditionNumber = maybe<double>(in.at("condition_number"));
    out.devices = listFrom<DeviceEnergy>(in.at("devices"), deviceEnergyFrom);
    out.byPath = listFrom<EnergyPath>(in.at("by_path"), pathFrom);
    out.byClass = listFrom<ClassEnergy>(in.at("by_class"), classFrom);
    const json &budget = in.at("budget");
    out.budgetJPerUnit = maybe<double>(budget.at("limit_j_per_unit"));
    out.budgetCrossedBy = maybe<std::string>(budget.at("crossed_by"));
    out.budgetOrder = texts(budget.at("order"));
    return out;
}

DeviceTimeline timelineFrom(const json &in) {
    DeviceTimeline out;
    out.device = in.at("device");
    out.deviceId = DeviceId(in.at("device_id").get<std::int64_t>());
    out.span = range(in.at("range_ns"));
    out.busyNs = in.at("busy_ns");
    out.computeNs = in.at("compute_ns");
    out.exposedCommNs = in.at("exposed_comm_ns");
    out.exposedCopyNs = in.at("exposed_copy_ns");
    out.idleNs = in.at("idle_ns");
    out.totalCommNs = in.at("total_comm_ns");
    out.totalCopyNs = in.at("total_copy_ns");
    out.kernelSumNs = in.at("kernel_sum_ns");
    out.idleByCauseNs = in.at("idle_by_cause_ns").get<std::map<std::string, Ns>>();
    return out;
}

ThermalDevice thermalDeviceFrom(const json &in) {
    return {in.at("device"), DeviceId(in.at("device_id").get<std::int64_t>()),
            listFrom<TimeRange>(in.at("spans_ns"), range)};
}

ThermalResult thermalFrom(const json &in) {
    ThermalResult out;
    out.devices = listFrom<ThermalDevice>(in.at("devices"), thermalDeviceFrom);
    out.clampEvents = in.at("clamp_events");
    out.clampS = numberOr0(in.at("clamp_s"));
    out.clampsPerHour = maybe<double>(in.at("clamps_per_hour"));
    out.timeShare = maybe<double>(in.at("time_share"));
    out.lostClock = maybe<double>(in.at("lost_clock"));
    out.tailOddsRatio = maybe<double>(in.at("tail_odds_ratio"));
    out.tailPValue = maybe<double>(in.at("tail_p_value"));
    out.powerCappedS = numberOr0(in.at("power_capped_s"));
    return out;
}

Check checkFrom(const json &in) {
    return {in.at("claim"), in.at("query"), in.at("passed")};
}

Evidence evidenceFrom(const json &in) {
    return {in.at("claim"), numberOr0(in.at("value")), in.at("unit"),
            in.at("query"), range(in.at("range_ns")),  in.at("source")};
}

void readArguments(const json &in, Finding &out) {
    const json &chain = in.at("chain");
    out.chainIntent = chain.at("intent");
    out.chainMapping = chain.at("mapping");
    out.chainBehaviour = chain.at("behaviour");
    out.chainImpact = chain.at("impact");
    out.checks = listFrom<Check>(in.at("checks"), checkFrom);
    out.evidence = listFrom<Evidence>(in.at("evidence"), evidenceFrom);
    out.contradictions = listFrom<Contradiction>(in.at("contradictions"), [](const json &item) {
        return Contradiction{item.at("claim"), item.at("query"), item.at("effect")};
    });
    out.doesNotProve = in.at("does_not_prove");
    out.nextAction = in.at("next_action");
    out.intervention = in.at("intervention");
    out.guardrails = texts(in.at("guardrails"));
    out.owner = maybe<std::string>(in.at("owner"));
    out.rollback = maybe<std::string>(in.at("rollback"));
    out.rollbackBoundary = in.at("rollback_boundary");
}

void readGains(const json &in, Finding &out) {
    out.recoverableJ = maybeInterval(in.at("recoverable_j"));
    out.recoverableNs = maybe<double>(in.at("recoverable_ns"));
    out.throughputGain = maybeInterval(in.at("throughput_gain"));
    out.headlineGain = maybeInterval(in.at("headline_gain"));
    out.intervalLevel = in.at("interval_level");
    out.counterfactual = in.at("counterfactual");
    out.effect = in.at("effect");
    out.score = numberOr0(in.at("score"));
    out.confidence = in.at("confidence");
    out.confidenceP = numberOr0(in.at("confidence_p"));
    out.confidenceReasons = texts(in.at("confidence_reasons"));
}

Finding findingFrom(const json &in) {
    Finding out;
    out.rank = in.at("rank");
    out.key = in.at("key");
    out.rule = in.at("rule");
    out.bottleneckClass = in.at("bottleneck_class");
    out.title = in.at("title");
    out.mechanism = in.at("mechanism");
    const json &scope = in.at("scope");
    out.range = range(scope.at("range_ns"));
    out.tracks = texts(scope.at("tracks"));
    out.slices = scope.at("slices");
    readGains(in, out);
    readArguments(in, out);
    return out;
}

Expected<Scenario> scenarioFrom(const json &in) {
    auto scenario = parseScenario(in.dump(), "analysis document");
    if (scenario && in.contains("detected"))
        scenario->detected = in.at("detected").get<std::map<std::string, std::string>>();
    return scenario;
}

void readShares(const json &in, AnalysisResult &out) {
    out.precision = listFrom<PrecisionShare>(in.at("precision"), [](const json &item) {
        return PrecisionShare{item.at("precision"), item.at("busy_ns"), numberOr0(item.at("share")),
                              maybe<double>(item.at("j"))};
    });
    out.quality = listFrom<QualityResult>(in.at("quality"), [](const json &item) {
        return QualityResult{item.at("metric"), item.at("slice"), numberOr0(item.at("value")),
                             maybe<double>(item.at("guardrail")), maybe<bool>(item.at("pass"))};
    });
    out.evidenceMatrix = listFrom<EvidenceKind>(in.at("evidence_matrix"), [](const json &item) {
        return EvidenceKind{item.at("evidence"), item.at("present"), item.at("tells"), item.at("does_not_prove"),
                            item.at("next_action")};
    });
    out.needs = listFrom<RuleNeed>(in.at("needs"), [](const json &item) {
        return RuleNeed{item.at("rule"), item.at("needs")};
    });
}

AnalysisResult documentFrom(const json &in) {
    AnalysisResult out;
    out.toolVersion = in.at("tool_version");
    out.workspace = in.at("workspace");
    out.headline = headlineFrom(in.at("headline"));
    out.alignment = listFrom<store::Alignment>(in.at("alignment"), alignmentFrom);
    out.latency = latencyFrom(in.at("latency"));
    out.energy = energyFrom(in.at("energy"));
    out.timeline = listFrom<DeviceTimeline>(in.at("timeline"), timelineFrom);
    out.thermal = thermalFrom(in.at("thermal"));
    readShares(in, out);
    out.findings = listFrom<Finding>(in.at("findings"), findingFrom);
    out.jointRecoverableJ = maybeInterval(in.at("joint_ceiling").at("recoverable_j"));
    out.jointHeadlineGain = maybeInterval(in.at("joint_ceiling").at("headline_gain"));
    out.lints = texts(in.at("lints"));
    out.warnings = texts(in.at("warnings"));
    out.reasons = in.at("reasons").get<std::map<std::string, std::string>>();
    return out;
}

}  // namespace

Expected<AnalysisResult> resultFromJson(const std::string &text) {
    const json document = json::parse(text, nullptr, false);
    if (document.is_discarded() || !document.is_object())
        return failure("the stored analysis is not a JSON object", {}, "analyse the workspace again");
    if (const int version = document.value("schema_version", 0); version != kAnalysisSchemaVersion)
        return failure("the stored analysis has schema version " + std::to_string(version), {},
                       "analyse the workspace again");
    try {
        AnalysisResult result = documentFrom(document);
        auto scenario = scenarioFrom(document.at("scenario"));
        if (!scenario)
            return passOn(scenario);
        result.scenario = std::move(*scenario);
        return result;
    } catch (const json::exception &error) {
        return failure(std::string("the stored analysis cannot be read, ") + error.what(), {},
                       "analyse the workspace again");
    }
}

}  // namespace wattproof::analysis
