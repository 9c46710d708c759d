#include "analysis/result.h"

#include <limits>

#include <QTest>
#include <nlohmann/json.hpp>

using namespace wattproof;
using namespace wattproof::analysis;
using nlohmann::json;

class TestResultJson : public QObject {
    Q_OBJECT
private slots:
    void theDocumentHasEveryKeyOfTheDesign();
    void unknownNumbersAreNull();
    void comesBackWhole();
    void nonFiniteNumbersAreNull();
    void refusesOtherVersionsAndBrokenText();
};

namespace {

Finding sampleFinding() {
    Finding finding;
    finding.rank = 1;
    finding.key = "host_orchestration:GPU 0";
    finding.rule = "host_orchestration";
    finding.bottleneckClass = "host_orchestration";
    finding.range = {1, 9};
    finding.tracks = {"main"};
    finding.slices = 3;
    finding.recoverableJ = Interval{-1, 4};
    finding.recoverableNs = 100;
    finding.headlineGain = Interval{0.1, 0.2};
    finding.checks = {{"claim", "SELECT 1", true}};
    finding.evidence = {{"claim", 2.5, "J", "SELECT 2.5", {1, 2}, "trace.json"}};
    finding.contradictions = {{"c", "SELECT 0", "refutes"}};
    finding.owner = "runtime team";
    finding.rollbackBoundary = "one flag";
    return finding;
}

AnalysisResult sampleResult() {
    AnalysisResult result;
    result.toolVersion = "0.1.0";
    result.workspace = "a.wattproof";
    result.scenario.name = "decode";
    result.scenario.detected["unit"] = "ProfilerStep#*";
    result.headline.value = 0.25;
    result.headline.unit = "token/J";
    result.headline.ci95 = Interval{0.2, 0.3};
    result.headline.sustained = TimeRange{10, 20};
    result.headline.sla = {{{"latency", 99, 250}, 240.0, true}};
    result.headline.domainsMissing = {"host"};
    store::Alignment alignment;
    alignment.source = SourceId(2);
    alignment.offset = 5;
    alignment.method = "manual";
    result.alignment = {alignment};
    result.latency.n = 4;
    result.latency.p50Ms = 1.5;
    result.latency.ci95["p50"] = {1, 2};
    result.energy.range = {0, 100};
    result.energy.totalJ = 12.5;
    result.energy.byDomain["accelerator"] = 12.5;
    result.energy.idleFloorW["GPU 0"] = {20.0, std::nullopt, "estimated"};
    DeviceEnergy device;
    device.device = "GPU 0";
    device.limits = {"mean of one second"};
    result.energy.devices = {device};
    result.energy.byPath = {{"compute/gemm/bf16", "GPU 0", 5, Interval{4, 6}, 0.4, 0.1}};
    result.energy.byClass = {{"GPU 0", "gemm/bf16", 10, 5, 300.0, Interval{290, 310}, "nnls", "ok"}};
    result.energy.budgetOrder = {"idle/host"};
    DeviceTimeline line;
    line.device = "GPU 0";
    line.span = {0, 50};
    line.idleByCauseNs["host"] = 7;
    result.timeline = {line};
    result.thermal.devices = {{"GPU 0", DeviceId(1), {{2, 3}}}};
    result.thermal.tailOddsRatio = 4.0;
    result.precision = {{"bf16", 10, 1.0, std::nullopt}};
    result.quality = {{"accuracy", "all", 0.8, 0.76, true}};
    result.findings = {sampleFinding()};
    result.needs = {{"thermal_clamp", "throttle flags"}};
    result.jointRecoverableJ = Interval{0, 3};
    result.evidenceMatrix = {{"timeline", true, "a", "b", "c"}};
    result.lints = {"burst"};
    result.warnings = {"w"};
    result.reasons["headline.value"] = "why";
    return result;
}

}  // namespace

void TestResultJson::theDocumentHasEveryKeyOfTheDesign() {
    const json document = toJson(sampleResult());
    for (const char *pointer : {"/schema_version",
                                "/tool_version",
                                "/workspace",
                                "/scenario",
                                "/headline/name",
                                "/headline/value",
                                "/headline/unit",
                                "/headline/ci95",
                                "/headline/value_no_sla",
                                "/headline/units",
                                "/headline/units_within_sla",
                                "/headline/attainment",
                                "/headline/energy_j",
                                "/headline/sustained_ns",
                                "/headline/settled",
                                "/headline/domains_measured",
                                "/headline/domains_missing",
                                "/headline/sla/0/percentile",
                                "/alignment/0/confidence_p",
                                "/latency/p999_ms",
                                "/latency/ci95",
                                "/energy/range_ns",
                                "/energy/by_domain",
                                "/energy/coverage",
                                "/energy/longest_gap_s",
                                "/energy/idle_floor_w/GPU 0/deep",
                                "/energy/unexplained_j",
                                "/energy/condition_number",
                                "/energy/by_path/0/j_per_unit",
                                "/energy/by_class/0/watts_ci95",
                                "/energy/budget/limit_j_per_unit",
                                "/energy/budget/crossed_by",
                                "/energy/budget/order",
                                "/timeline/0/span_ns",
                                "/timeline/0/exposed_comm_ns",
                                "/timeline/0/idle_by_cause_ns",
                                "/thermal/devices/0/spans_ns",
                                "/thermal/clamp_events",
                                "/thermal/clamp_s",
                                "/thermal/clamps_per_hour",
                                "/thermal/time_share",
                                "/thermal/lost_clock",
                                "/thermal/tail_odds_ratio",
                                "/thermal/tail_p_value",
                                "/thermal/power_capped_s",
                                "/precision/0/share",
                                "/quality/0/guardrail",
                                "/findings/0/scope/range_ns",
                                "/findings/0/chain/intent",
                                "/findings/0/checks/0/passed",
                                "/findings/0/evidence/0/query",
                                "/findings/0/contradictions/0/effect",
                                "/findings/0/does_not_prove",
                                "/findings/0/rollback",
                                "/findings/0/interval_level",
                                "/joint_ceiling/recoverable_j",
                                "/joint_ceiling/headline_gain",
                                "/evidence_matrix/0/does_not_prove",
                                "/lints",
                                "/warnings"})
        QVERIFY2(document.contains(json::json_pointer(pointer)), pointer);
}

void TestResultJson::unknownNumbersAreNull() {
    const json document = toJson(AnalysisResult{});
    QVERIFY(document["headline"]["value"].is_null());
    QVERIFY(document["energy"]["total_j"].is_null());
    QVERIFY(document["thermal"]["time_share"].is_null());
}

void TestResultJson::comesBackWhole() {
    const std::string first = toJson(sampleResult()).dump();
    const auto again = resultFromJson(first);
    QVERIFY2(again, again ? "" : again.error().sentence().c_str());
    QCOMPARE(QString::fromStdString(toJson(*again).dump()), QString::fromStdString(first));
}

void TestResultJson::nonFiniteNumbersAreNull() {
    AnalysisResult result = sampleResult();
    result.energy.byPath[0].j = std::numeric_limits<double>::quiet_NaN();
    const json document = toJson(result);
    QVERIFY(document["energy"]["by_path"][0]["j"].is_null());
    QVERIFY(resultFromJson(document.dump()));
}

void TestResultJson::refusesOtherVersionsAndBrokenText() {
    QVERIFY(!resultFromJson("{"));
    QVERIFY(!resultFromJson("{}"));
    json document = toJson(sampleResult());
    document["schema_version"] = 99;
    const auto newer = resultFromJson(document.dump());
    QVERIFY(!newer && newer.error().sentence().find("99") != std::string::npos);
    document = toJson(sampleResult());
    document["energy"].erase("by_path");
    QVERIFY(!resultFromJson(document.dump()));
}

QTEST_APPLESS_MAIN(TestResultJson)
#include "tst_result_json.moc"
