#include "analysis/analyze.h"
#include "store/analysis_store.h"
#include "store/edits.h"
#include "tests/support/temporary_workspace.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include <QTest>
#include <nlohmann/json.hpp>

using namespace wattproof;
using namespace wattproof::analysis;
using namespace wattproof::test;

namespace {

constexpr Ns kBase = 1'700'000'000'000'000'000;
constexpr Ns kMs = 1'000'000;
constexpr int kSteps = 40;
constexpr Ns kStep = 500 * kMs;

struct Strings {
    StringId step, annotation, launch, runtime, sync, gemm, reduce, copy, gpuCategory;
};

Strings internAll(store::BulkWriter &writer) {
    writer.classifyName(writer.intern("gemm_bf16"), "gemm", "bf16");
    writer.classifyName(writer.intern("ncclAllReduce"), "communication", "");
    return {{},
            writer.intern("user_annotation"),
            writer.intern("cudaLaunchKernel"),
            writer.intern("cuda_runtime"),
            writer.intern("cudaStreamSynchronize"),
            writer.intern("gemm_bf16"),
            writer.intern("ncclAllReduce"),
            writer.intern("Memcpy HtoD"),
            writer.intern("kernel")};
}

// Each step: launch, copy 40 ms, product 250 ms, collective 100 ms that it hides by half, then the host waits and
// is slow.
void writeTrace(store::BulkWriter &writer) {
    const SourceId source = require(writer.addSource(traceSource(kBase)));
    DeviceRow gpu;
    gpu.source = source;
    gpu.name = "GPU 0";
    gpu.nativeId = "0";
    const DeviceId device = writer.addDevice(gpu);
    const ProcessId process = writer.addProcess({{}, source, "7", "python", "", std::nullopt});
    TrackRow host;
    host.source = source;
    host.process = process;
    host.thread = writer.addThread({{}, source, process, "7", "main", std::nullopt});
    const TrackId hostTrack = writer.addTrack(host);
    TrackRow stream;
    stream.source = source;
    stream.kind = TrackKind::GpuStream;
    stream.device = device;
    stream.stream = "7";
    const TrackId streamTrack = writer.addTrack(stream);
    stream.stream = "9";
    const TrackId sideTrack = writer.addTrack(stream);
    const Strings names = internAll(writer);
    std::vector<SliceRow> calls;
    std::vector<std::int32_t> parents;
    std::vector<SliceRow> work;
    std::vector<SliceRow> side;
    for (Ns i = 0; i < kSteps; ++i) {
        const Ns t = i * kStep;
        SliceRow step = sliceAt(t, kStep, writer.intern("decode_step#" + std::to_string(i)));
        step.category = names.annotation;
        SliceRow launch = sliceAt(t + 5 * kMs, kMs, names.launch, 1);
        launch.category = names.runtime;
        SliceRow sync = sliceAt(t + 10 * kMs, 380 * kMs, names.sync, 1);
        sync.category = names.runtime;
        const auto parent = static_cast<std::int32_t>(calls.size());
        calls.insert(calls.end(), {step, launch, sync});
        parents.insert(parents.end(), {-1, parent, parent});
        work.push_back(sliceAt(t + 10 * kMs, 40 * kMs, names.copy));
        work.push_back(sliceAt(t + 50 * kMs, 250 * kMs, names.gemm));
        side.push_back(sliceAt(t + 250 * kMs, 100 * kMs, names.reduce));
    }
    require(writer.writeTrackSlices(hostTrack, calls, parents));
    const std::vector<std::int32_t> flat(work.size(), -1);
    require(writer.writeTrackSlices(streamTrack, work, flat));
    require(writer.writeTrackSlices(sideTrack, side, std::span(flat).first(side.size())));
    std::vector<GpuOpRow> ops;
    const auto add = [&](const SliceRow &slice, const SliceRow &launch, bool copies) {
        GpuOpRow op;
        op.slice = slice.id;
        op.device = device;
        op.activity = copies ? GpuActivity::Memcpy : GpuActivity::Kernel;
        op.copyKind = copies ? CopyKind::HostToDevice : CopyKind::None;
        op.launch = launch.id;
        ops.push_back(op);
    };
    for (std::size_t i = 0; i < work.size(); ++i)
        add(work[i], calls[i / 2 * 3 + 1], i % 2 == 0);
    for (std::size_t i = 0; i < side.size(); ++i)
        add(side[i], calls[i * 3 + 1], false);
    require(writer.writeGpuOps(ops));
    require(writer.finishSource(source));
}

double wattsAt(Ns t) {
    const Ns inStep = ((t % kStep) + kStep) % kStep;
    const bool inside = t >= 0 && t < kSteps * kStep;
    if (!inside)
        return 25;
    return inStep >= 50 * kMs && inStep < 300 * kMs ? 350 : inStep >= 10 * kMs && inStep < 350 * kMs ? 150 : 70;
}

void writeLog(store::BulkWriter &writer) {
    SourceRow log = traceSource(kBase - 5'000 * kMs, "bb");
    log.kind = SourceKind::Power;
    log.path = "/data/power.csv";
    const SourceId source = require(writer.addSource(log));
    DeviceRow gpu;
    gpu.source = source;
    gpu.name = "GPU 0";
    const DeviceId device = writer.addDevice(gpu);
    CounterRow power;
    power.source = source;
    power.device = device;
    power.name = "power.draw.instant";
    power.domain = "board";
    power.quantity = "power";
    power.unit = "W";
    CounterRow flags = power;
    flags.name = "clocks_event_reasons.active";
    flags.quantity = "throttle";
    flags.unit = "1";
    flags.kind = CounterKind::Flags;
    flags.flagTable = "nvml";
    const CounterId draw = writer.addCounter(power);
    const CounterId mask = writer.addCounter(flags);
    std::vector<Sample> watts;
    std::vector<Sample> masks;
    for (Ns t = -5'000 * kMs; t <= 30'000 * kMs; t += 10 * kMs) {
        watts.push_back({t + 5'000 * kMs, wattsAt(t)});
        masks.push_back({t + 5'000 * kMs, t >= 4'000 * kMs && t < 5'000 * kMs ? 64.0 : 0.0});
    }
    require(writer.writeSamples(draw, watts));
    require(writer.writeSamples(mask, masks));
    require(writer.finishSource(source));
}

double number(const std::string &path, const std::string &sql) {
    return std::stod(plainQuery(path, sql).at(0).at(0));
}

}  // namespace

class TestAnalyze : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void joulesAddUp();
    void viewsHoldTheSameNumbers();
    void timelineAndCauses();
    void unitsAndHeadline();
    void clampsAreStored();
    void theDocumentIsStored();
    void evidenceReproduces();
    void aScenarioIsObeyed();
    void windowsOfTheScenarioShapeTheHeadline();
    void whatIsNotUsedIsSaid();
    void traceAloneHasNoJoules();
    void stopsWhenAsked();

private:
    std::unique_ptr<TemporaryWorkspace> files_;
    std::shared_ptr<store::Workspace> workspace_;
    AnalysisResult result_;
};

void TestAnalyze::initTestCase() {
    files_ = std::make_unique<TemporaryWorkspace>();
    files_->create([](store::BulkWriter &writer) {
        writeTrace(writer);
        writeLog(writer);
    });
    workspace_ = files_->open();
    auto result = analyze(*workspace_, std::nullopt, {});
    WATTPROOF_VERIFY_OK(result);
    result_ = std::move(*result);
}

void TestAnalyze::joulesAddUp() {
    QCOMPARE(result_.energy.devices.size(), std::size_t(1));
    const DeviceEnergy &device = result_.energy.devices[0];
    const double parts = device.kernelsJ + device.copiesJ + device.idleJ + device.outsideTraceJ;
    QVERIFY(device.integralJ > 0);
    QVERIFY2(std::abs(parts - device.integralJ) < 1e-3 * device.integralJ, qPrintable(QString::number(parts)));
    QVERIFY(std::abs(device.kernelsJ - kSteps * (0.25 * 350 + 0.05 * 150)) < 0.03 * device.kernelsJ);
    QVERIFY(std::abs(device.copiesJ - kSteps * 0.04 * 150) < 0.2 * device.copiesJ);
    QVERIFY(std::abs(*result_.energy.idleFloorW.at("GPU 0").deep - 25) < 1);
}

void TestAnalyze::viewsHoldTheSameNumbers() {
    const std::string file = files_->path();
    const DeviceEnergy &device = result_.energy.devices[0];
    QVERIFY(std::abs(number(file, "SELECT SUM(j) FROM energy") - device.integralJ) < 1e-6 * device.integralJ);
    QVERIFY(std::abs(number(file, "SELECT SUM(j) FROM energy WHERE path LIKE 'copy/%'") - device.copiesJ) < 1e-6);
    QCOMPARE(number(file, "SELECT COUNT(*) FROM energy WHERE slice_id IS NOT NULL"), 3.0 * kSteps);
    const auto idle = static_cast<double>(result_.timeline[0].idleNs);
    QCOMPARE(number(file, "SELECT SUM(dur) FROM device_states WHERE state = 'idle'"), idle);
    QCOMPARE(number(file, "SELECT SUM(dur) FROM device_states"),
             static_cast<double>(result_.timeline[0].span.length()));
}

void TestAnalyze::timelineAndCauses() {
    const DeviceTimeline &line = result_.timeline[0];
    QCOMPARE(line.computeNs, kSteps * 250 * kMs);
    QCOMPARE(line.exposedCommNs, kSteps * 50 * kMs);
    QCOMPARE(line.exposedCopyNs, kSteps * 40 * kMs);
    QCOMPARE(line.idleNs, (kSteps - 1) * 160 * kMs);
    QCOMPARE(line.idleByCauseNs.at("synchronization"), (kSteps - 1) * 40 * kMs);
    QVERIFY(line.idleByCauseNs.at("launch") >= (kSteps - 1) * 4 * kMs);
}

void TestAnalyze::unitsAndHeadline() {
    QCOMPARE(result_.latency.n, std::int64_t(kSteps));
    QCOMPARE(*result_.latency.p50Ms, 500.0);
    QVERIFY(result_.scenario.detected.contains("unit"));
    QVERIFY(result_.headline.valueNoSla && *result_.headline.valueNoSla > 0);
    QVERIFY(!result_.headline.value && result_.reasons.contains("headline.value"));
    QVERIFY(!result_.headline.settled);
}

void TestAnalyze::clampsAreStored() {
    QCOMPARE(result_.thermal.clampEvents, std::int64_t(1));
    QVERIFY(std::abs(result_.thermal.clampS - 1) < 0.011);
    QCOMPARE(plainText(files_->path(), "SELECT class, reason FROM clamps"),
             QString("thermal|hw_thermal_slowdown"));
}

void TestAnalyze::theDocumentIsStored() {
    const auto stored = workspace_->analysisStore().resultJson();
    QVERIFY(stored && *stored);
    const auto again = resultFromJson(**stored);
    WATTPROOF_VERIFY_OK(again);
    QCOMPARE(QString::fromStdString(toJson(*again).dump()), QString::fromStdString(toJson(result_).dump()));
    const auto rows = workspace_->analysisStore().findings();
    QVERIFY(rows);
    QCOMPARE(rows->size(), result_.findings.size());
}

void TestAnalyze::evidenceReproduces() {
    QVERIFY(!result_.findings.empty());
    for (const Finding &finding : result_.findings) {
        for (const Evidence &evidence : finding.evidence) {
            const double found = number(files_->path(), evidence.query);
            QVERIFY2(std::abs(found - evidence.value) <= 1e-6 * std::abs(evidence.value), evidence.claim.c_str());
        }
    }
}

void TestAnalyze::aScenarioIsObeyed() {
    const auto scenario = parseScenario(R"({"unit": {"name": "token", "slices": "decode_step#*", "amount": 8},
        "sla": [{"percentile": 95, "limit_ms": 600}], "budget_j_per_unit": 0.001,
        "idle_floor_w": {"GPU 0": 60}})",
                                        "test");
    const auto result = analyze(*workspace_, *scenario, {});
    WATTPROOF_VERIFY_OK(result);
    QCOMPARE(result->headline.unit, std::string("token/J"));
    QCOMPARE(*result->headline.units, 8.0 * kSteps);
    QVERIFY(result->headline.value && *result->headline.sla[0].pass);
    QCOMPARE(*result->headline.attainment, 1.0);
    QVERIFY(result->energy.budgetCrossedBy.has_value());
    QCOMPARE(*result->energy.idleFloorW.at("GPU 0").active, 60.0);
}

void TestAnalyze::windowsOfTheScenarioShapeTheHeadline() {
    QVERIFY(result_.scenario.detected.contains("window_s") && !result_.scenario.windowSeconds);
    const auto wide = analyze(*workspace_, require(parseScenario(R"({"window_s": 4})", "test")), {});
    WATTPROOF_VERIFY_OK(wide);
    QVERIFY(!wide->scenario.detected.contains("window_s"));
    QVERIFY(wide->headline.note.find("5 windows are too few") != std::string::npos);
    QVERIFY(result_.headline.note.find("too few") == std::string::npos);
}

void TestAnalyze::whatIsNotUsedIsSaid() {
    const auto scenario = require(parseScenario(R"({"device_specs": {"GPU 0": "NVIDIA H100 SXM"},
        "production_shapes": ["batch=32"], "idle_floor_w": {"GPU 7": 60},
        "sla": [{"metric": "ttft", "percentile": 95, "limit_ms": 600}]})",
                                                "test"));
    const auto result = analyze(*workspace_, scenario, {});
    WATTPROOF_VERIFY_OK(result);
    for (const char *name : {"device_specs", "production_shapes", "GPU 7", "ttft"}) {
        const auto said = [&](const std::string &lint) { return lint.find(name) != std::string::npos; };
        QVERIFY2(std::any_of(result->lints.begin(), result->lints.end(), said), name);
        QVERIFY(std::none_of(result_.lints.begin(), result_.lints.end(), said));
    }
    QVERIFY(!result->headline.value && result->reasons.contains("headline.value"));
}

void TestAnalyze::traceAloneHasNoJoules() {
    TemporaryWorkspace files;
    files.create(writeTrace);
    const auto workspace = files.open();
    const auto result = analyze(*workspace, std::nullopt, {});
    WATTPROOF_VERIFY_OK(result);
    QVERIFY(!result->energy.totalJ && result->reasons.contains("energy.total_j"));
    QCOMPARE(result->timeline.size(), std::size_t(1));
    QCOMPARE(number(files.path(), "SELECT COUNT(*) FROM energy"), 0.0);
}

void TestAnalyze::stopsWhenAsked() {
    std::stop_source source;
    source.request_stop();
    const auto result = analyze(*workspace_, std::nullopt, {{}, source.get_token()});
    QVERIFY(!result && isCancelled(result.error()));
}

QTEST_APPLESS_MAIN(TestAnalyze)
#include "tst_analyze.moc"
