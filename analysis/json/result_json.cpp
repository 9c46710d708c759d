#include "analysis/json/values.h"

namespace wattproof::analysis {
namespace {

using nlohmann::json;

template <class Items, class Convert>
json listOf(const Items &items, Convert convert) {
    json list = json::array();
    for (const auto &item : items)
        list.push_back(convert(item));
    return list;
}

json slaJson(const SlaResult &sla) {
    return {{"metric", sla.term.metric},
            {"percentile", sla.term.percentile},
            {"limit", sla.term.limitMs},
            {"value", orNull(sla.value)},
            {"pass", orNull(sla.pass)}};
}

json headlineJson(const Headline &headline) {
    return {{"name", "sustained_throughput_per_watt_under_sla"},
            {"value", orNull(headline.value)},
            {"unit", headline.unit},
            {"ci95", orNull(headline.ci95)},
            {"value_no_sla", orNull(headline.valueNoSla)},
            {"units", orNull(headline.units)},
            {"units_within_sla", orNull(headline.unitsWithinSla)},
            {"attainment", orNull(headline.attainment)},
            {"energy_j", orNull(headline.energyJ)},
            {"sustained_ns", orNull(headline.sustained)},
            {"settled", headline.settled},
            {"domains_measured", headline.domainsMeasured},
            {"domains_missing", headline.domainsMissing},
            {"sla", listOf(headline.sla, slaJson)},
            {"note", headline.note}};
}

json alignmentJson(const store::Alignment &alignment) {
    return {{"source_id", alignment.source.value},
            {"offset_ns", alignment.offset},
            {"uncertainty_ns", alignment.uncertainty},
            {"drift_ppb", alignment.driftPpb},
            {"anchor_ns", alignment.anchor},
            {"confidence_p", number(alignment.confidence)},
            {"method", alignment.method},
            {"note", alignment.note}};
}

json latencyJson(const Latency &latency) {
    json ci = json::object();
    for (const auto &[key, bounds] : latency.ci95)
        ci[key] = pair(bounds);
    return {{"n", latency.n},
            {"p50_ms", orNull(latency.p50Ms)},
            {"p90_ms", orNull(latency.p90Ms)},
            {"p95_ms", orNull(latency.p95Ms)},
            {"p99_ms", orNull(latency.p99Ms)},
            {"p999_ms", orNull(latency.p999Ms)},
            {"ci95", std::move(ci)},
            {"small_sample", latency.smallSample}};
}

json pathJson(const EnergyPath &path) {
    return {{"path", path.path},         {"device", path.device},       {"j", number(path.j)},
            {"ci95", orNull(path.ci95)}, {"share", number(path.share)}, {"j_per_unit", orNull(path.jPerUnit)}};
}

json classJson(const ClassEnergy &item) {
    return {{"device", item.device}, {"class", item.opClass},       {"busy_ns", item.busyNs},
            {"j", number(item.j)},   {"watts", orNull(item.watts)}, {"watts_ci95", orNull(item.wattsCi95)},
            {"method", item.method}, {"status", item.status}};
}

json deviceEnergyJson(const DeviceEnergy &device) {
    return {{"device", device.device},
            {"device_id", device.deviceId.value},
            {"method", device.method},
            {"integral_j", number(device.integralJ)},
            {"inside_trace_j", number(device.insideTraceJ)},
            {"outside_trace_j", number(device.outsideTraceJ)},
            {"kernels_j", number(device.kernelsJ)},
            {"copies_j", number(device.copiesJ)},
            {"idle_j", number(device.idleJ)},
            {"unexplained_j", number(device.unexplainedJ)},
            {"missing_s", number(device.missingS)},
            {"covered_s", number(device.coveredS)},
            {"coverage", number(device.coverage)},
            {"longest_gap_s", number(device.longestGapS)},
            {"counter_disagreement", orNull(device.counterDisagreement)},
            {"limits", device.limits}};
}

json floorsJson(const std::map<std::string, IdleFloor> &floors) {
    json out = json::object();
    for (const auto &[device, floor] : floors)
        out[device] = {{"deep", orNull(floor.deep)},
                       {"active", orNull(floor.active)},
                       {"active_ci95", orNull(floor.activeCi95)},
                       {"method", floor.method},
                       {"source", floor.source}};
    return out;
}

json energyJson(const EnergyResult &energy) {
    return {{"range_ns", pair(energy.range)},
            {"total_j", orNull(energy.totalJ)},
            {"by_domain", energy.byDomain},
            {"coverage", orNull(energy.coverage)},
            {"longest_gap_s", orNull(energy.longestGapS)},
            {"idle_floor_w", floorsJson(energy.idleFloorW)},
            {"unexplained_j", orNull(energy.unexplainedJ)},
            {"condition_number", orNull(energy.conditionNumber)},
            {"devices", listOf(energy.devices, deviceEnergyJson)},
            {"by_path", listOf(energy.byPath, pathJson)},
            {"by_class", listOf(energy.byClass, classJson)},
            {"budget",
             {{"limit_j_per_unit", orNull(energy.budgetJPerUnit)},
              {"crossed_by", orNull(energy.budgetCrossedBy)},
              {"order", energy.budgetOrder}}}};
}

json timelineJson(const DeviceTimeline &line) {
    return {{"device", line.device},
            {"device_id", line.deviceId.value},
            {"range_ns", pair(line.span)},
            {"span_ns", line.span.length()},
            {"busy_ns", line.busyNs},
            {"compute_ns", line.computeNs},
            {"exposed_comm_ns", line.exposedCommNs},
            {"exposed_copy_ns", line.exposedCopyNs},
            {"idle_ns", line.idleNs},
            {"total_comm_ns", line.totalCommNs},
            {"total_copy_ns", line.totalCopyNs},
            {"kernel_sum_ns", line.kernelSumNs},
            {"idle_by_cause_ns", line.idleByCauseNs}};
}

json thermalDeviceJson(const ThermalDevice &device) {
    return {{"device", device.device},
            {"device_id", device.deviceId.value},
            {"spans_ns", listOf(device.spans, [](const TimeRange &span) { return pair(span); })}};
}

json thermalJson(const ThermalResult &thermal) {
    return {{"devices", listOf(thermal.devices, thermalDeviceJson)},
            {"clamp_events", thermal.clampEvents},
            {"clamp_s", number(thermal.clampS)},
            {"clamps_per_hour", orNull(thermal.clampsPerHour)},
            {"time_share", orNull(thermal.timeShare)},
            {"lost_clock", orNull(thermal.lostClock)},
            {"tail_odds_ratio", orNull(thermal.tailOddsRatio)},
            {"tail_p_value", orNull(thermal.tailPValue)},
            {"power_capped_s", number(thermal.powerCappedS)}};
}

json precisionJson(const PrecisionShare &share) {
    return {{"precision", share.precision},
            {"busy_ns", share.busyNs},
            {"share", number(share.share)},
            {"j", orNull(share.j)}};
}

json qualityJson(const QualityResult &quality) {
    return {{"metric", quality.metric},
            {"slice", quality.slice},
            {"value", number(quality.value)},
            {"guardrail", orNull(quality.guardrail)},
            {"pass", orNull(quality.pass)}};
}

json checkJson(const Check &check) {
    return {{"claim", check.claim}, {"query", check.query}, {"passed", check.passed}};
}

json evidenceJson(const Evidence &evidence) {
    return {{"claim", evidence.claim}, {"value", number(evidence.value)},  {"unit", evidence.unit},
            {"query", evidence.query}, {"range_ns", pair(evidence.range)}, {"source", evidence.source}};
}

json contradictionJson(const Contradiction &item) {
    return {{"claim", item.claim}, {"query", item.query}, {"effect", item.effect}};
}

json kindJson(const EvidenceKind &kind) {
    return {{"evidence", kind.evidence},
            {"present", kind.present},
            {"tells", kind.tells},
            {"does_not_prove", kind.doesNotProve},
            {"next_action", kind.nextAction}};
}

json needJson(const RuleNeed &need) {
    return {{"rule", need.rule}, {"needs", need.needs}};
}

}  // namespace

json toJson(const Finding &finding) {
    return {{"rank", finding.rank},
            {"key", finding.key},
            {"rule", finding.rule},
            {"bottleneck_class", finding.bottleneckClass},
            {"title", finding.title},
            {"mechanism", finding.mechanism},
            {"scope", {{"range_ns", pair(finding.range)}, {"tracks", finding.tracks}, {"slices", finding.slices}}},
            {"recoverable_j", orNull(finding.recoverableJ)},
            {"recoverable_ns", orNull(finding.recoverableNs)},
            {"throughput_gain", orNull(finding.throughputGain)},
            {"headline_gain", orNull(finding.headlineGain)},
            {"interval_level", finding.intervalLevel},
            {"counterfactual", finding.counterfactual},
            {"effect", finding.effect},
            {"score", number(finding.score)},
            {"confidence", finding.confidence},
            {"confidence_p", number(finding.confidenceP)},
            {"confidence_reasons", finding.confidenceReasons},
            {"chain",
             {{"intent", finding.chainIntent},
              {"mapping", finding.chainMapping},
              {"behaviour", finding.chainBehaviour},
              {"impact", finding.chainImpact}}},
            {"checks", listOf(finding.checks, checkJson)},
            {"evidence", listOf(finding.evidence, evidenceJson)},
            {"contradictions", listOf(finding.contradictions, contradictionJson)},
            {"does_not_prove", finding.doesNotProve},
            {"next_action", finding.nextAction},
            {"intervention", finding.intervention},
            {"guardrails", finding.guardrails},
            {"owner", orNull(finding.owner)},
            {"rollback", orNull(finding.rollback)},
            {"rollback_boundary", finding.rollbackBoundary}};
}

json toJson(const AnalysisResult &result) {
    return {{"schema_version", kAnalysisSchemaVersion},
            {"tool_version", result.toolVersion},
            {"workspace", result.workspace},
            {"scenario", toJson(result.scenario)},
            {"headline", headlineJson(result.headline)},
            {"alignment", listOf(result.alignment, alignmentJson)},
            {"latency", latencyJson(result.latency)},
            {"energy", energyJson(result.energy)},
            {"timeline", listOf(result.timeline, timelineJson)},
            {"thermal", thermalJson(result.thermal)},
            {"precision", listOf(result.precision, precisionJson)},
            {"quality", listOf(result.quality, qualityJson)},
            {"findings", listOf(result.findings, [](const Finding &finding) { return toJson(finding); })},
            {"needs", listOf(result.needs, needJson)},
            {"joint_ceiling",
             {{"recoverable_j", orNull(result.jointRecoverableJ)},
              {"headline_gain", orNull(result.jointHeadlineGain)}}},
            {"evidence_matrix", listOf(result.evidenceMatrix, kindJson)},
            {"lints", result.lints},
            {"warnings", result.warnings},
            {"reasons", result.reasons}};
}

}  // namespace wattproof::analysis
