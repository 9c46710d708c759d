#include "analysis/findings/rule.h"
#include "store/edits.h"
#include "tests/support/analysed_run.h"
#include "tests/support/shared_files.h"

#include <algorithm>
#include <fstream>

#include <QTemporaryDir>
#include <QTest>
#include <nlohmann/json.hpp>

using namespace wattproof;
using namespace wattproof::analysis;
using namespace wattproof::test;

namespace {

using Analysed = AnalysedRun;

std::string failedEvidence(const Analysed &a) {
    auto reader = a.workspace->reader();
    if (!reader)
        return reader.error().sentence();
    const Status status = verifyEvidence(**reader, a.result.findings);
    return status ? std::string() : status.error().sentence();
}

std::string rulesOf(const AnalysisResult &result) {
    std::string names;
    for (const Finding &f : result.findings)
        names += f.rule + " ";
    return names;
}

std::vector<std::string> simulated(const QTemporaryDir &dir, const simulator::SimulationConfig &config) {
    return written(dir, simulator::simulate(config));
}

// The interval covers what the run without the fault really gained.
void checkGains(const Finding &f, const simulator::Counterfactual &truth) {
    if (truth.throughputGain && f.throughputGain)
        QVERIFY2(f.throughputGain->low <= *truth.throughputGain && *truth.throughputGain <= f.throughputGain->high,
                 qPrintable(QString("throughput %1").arg(*truth.throughputGain)));
    if (truth.recoverableJ && f.recoverableJ)
        QVERIFY2(f.recoverableJ->low <= *truth.recoverableJ && *truth.recoverableJ <= f.recoverableJ->high,
                 qPrintable(QString("joules %1").arg(*truth.recoverableJ)));
}

}  // namespace

class TestFindingsReal : public QObject {
    Q_OBJECT

private slots:
    void knownBottlenecks_data();
    void knownBottlenecks();
    void launchStallsAreNamed();
    void idleIsNotClaimedWhereTheTraceIsIncomplete();
    void simulatedBottlenecks_data();
    void simulatedBottlenecks();
    void powerAloneFindsWhatTheTraceMisses();
    void powerAloneAcquitsWholeTraces_data();
    void powerAloneAcquitsWholeTraces();
    void simulatedLogIsAlignedToItsTrace();
    void fluidsWorkspaceIsHonest();
    void wrongEvidenceIsRefused();
};

void TestFindingsReal::knownBottlenecks_data() {
    QTest::addColumn<QString>("trace");
    QTest::addColumn<QString>("first");
    const auto row = [](const char *trace, const char *first) {
        QTest::newRow(trace) << QString(trace) << QString(first);
    };
    row("h100_bert_small", "host_orchestration");
    row("mi300x_bert_small", "host_orchestration");
    row("mi300x_norm_layers_train", "host_orchestration");
    row("mi300x_resnet_ddp_recompute", "communication");
    row("mi300x_sglang_qwen3_8b_decode", "trace_incomplete");
    row("h100_timesformer", "");
    row("mi300x_vllm_prefilldecode_piecewise", "");
}

void TestFindingsReal::knownBottlenecks() {
    QFETCH(QString, trace);
    QFETCH(QString, first);
    const QString file = test::sharedFile("peer/" + trace + ".json.gz");
    if (file.isEmpty())
        QSKIP("skipped: the shared traces are not here");
    const QTemporaryDir dir;
    const Analysed a = analysed(dir, {file.toStdString()});
    QVERIFY2(a.error.empty(), a.error.c_str());
    QVERIFY2(first.isEmpty() == a.result.findings.empty(), rulesOf(a.result).c_str());
    if (!first.isEmpty())
        QCOMPARE(QString::fromStdString(a.result.findings.front().rule), first);
    for (const Finding &f : a.result.findings)
        qInfo("%s (p %.2f)", f.title.c_str(), f.confidenceP);
    const std::string wrong = failedEvidence(a);
    QVERIFY2(wrong.empty(), wrong.c_str());
}

void TestFindingsReal::launchStallsAreNamed() {
    WATTPROOF_SHARED_OR_SKIP(file, "peer/mi300x_norm_layers_train.json.gz");
    const QTemporaryDir dir;
    const Analysed a = analysed(dir, {file.toStdString()});
    QVERIFY2(a.error.empty(), a.error.c_str());
    QVERIFY(!a.result.findings.empty());
    const Finding &f = a.result.findings.front();
    QVERIFY2(f.title.find("launch stalls") != std::string::npos, f.title.c_str());
    const auto stalls = std::find_if(f.evidence.begin(), f.evidence.end(), [](const Evidence &e) {
        return e.claim.find("inside launch calls") != std::string::npos;
    });
    QVERIFY(stalls != f.evidence.end());
    QVERIFY2(std::abs(stalls->value - 979.5) < 30, qPrintable(QString::number(stalls->value)));
}

void TestFindingsReal::idleIsNotClaimedWhereTheTraceIsIncomplete() {
    WATTPROOF_SHARED_OR_SKIP(file, "peer/mi300x_sglang_qwen3_8b_decode.json.gz");
    const QTemporaryDir dir;
    const Analysed a = analysed(dir, {file.toStdString()});
    QVERIFY2(a.error.empty(), a.error.c_str());
    for (const Finding &f : a.result.findings) {
        QVERIFY(f.rule == "trace_incomplete" || f.rule == "communication" || f.rule == "data_movement" ||
                (f.confidence == "low" && !f.contradictions.empty()));
    }
    const Finding &f = a.result.findings.front();
    QVERIFY(std::abs(f.evidence.front().value - 463.045) < 0.5);
    QVERIFY(!f.recoverableJ && !f.headlineGain);
}

void TestFindingsReal::simulatedBottlenecks_data() {
    QTest::addColumn<QString>("name");
    for (const char *name : {"host_orchestration", "synchronization", "communication", "data_movement",
                             "thermal_clamp", "power_cap", "low_load", "trace_incomplete"})
        QTest::newRow(name) << QString(name);
    QTest::newRow("healthy") << QString("healthy");
}

void TestFindingsReal::simulatedBottlenecks() {
    QFETCH(QString, name);
    const QTemporaryDir dir;
    const auto config = simulator::preset(name.toStdString());
    QVERIFY(config.has_value());
    const auto truth = simulator::simulate(*config).truth;
    const Analysed a = analysed(dir, simulated(dir, *config));
    QVERIFY2(a.error.empty(), a.error.c_str());
    for (const Finding &f : a.result.findings)
        qInfo("%s (p %.2f, J %.1f..%.1f, gain %.3f..%.3f)", f.title.c_str(), f.confidenceP,
              f.recoverableJ ? f.recoverableJ->low : NAN, f.recoverableJ ? f.recoverableJ->high : NAN,
              f.throughputGain ? f.throughputGain->low : NAN, f.throughputGain ? f.throughputGain->high : NAN);
    for (const auto &c : truth.counterfactuals)
        qInfo("truth: J %.1f, throughput %.3f, units/J %.3f", c.recoverableJ.value_or(NAN),
              c.throughputGain.value_or(NAN), c.unitsPerJouleGain.value_or(NAN));
    if (name == "healthy") {
        QVERIFY2(a.result.findings.empty(), rulesOf(a.result).c_str());
    } else {
        QVERIFY(!a.result.findings.empty());
        QCOMPARE(QString::fromStdString(a.result.findings.front().rule), name);
        checkGains(a.result.findings.front(), truth.counterfactuals.front());
    }
    const std::string wrong = failedEvidence(a);
    QVERIFY2(wrong.empty(), wrong.c_str());
}

// Device operations of whole iterations leave no record, and the host none at all: the power log is the only
// witness.
void TestFindingsReal::powerAloneFindsWhatTheTraceMisses() {
    // Three to five iterations in eight go missing: longer than two of the sensor's windows and the alignment's doubt.
    for (const double severity : {0.5, 0.6, 0.8}) {
        const QTemporaryDir dir;
        auto config = *simulator::preset("trace_incomplete");
        config.workload.iterations = 80;
        config.workload.iterationMs = 120;
        config.seed = static_cast<std::uint64_t>(100 * severity);
        config.injections = {{simulator::Bottleneck::TraceIncomplete, severity, false}};
        const auto run = simulator::simulate(config);
        QVERIFY(run.truth.hiddenJ > 0 && run.trace.host.empty());
        const Analysed a = analysed(dir, written(dir, run));
        QVERIFY2(a.error.empty(), a.error.c_str());
        QVERIFY2(!a.result.findings.empty(), qPrintable(QString::number(severity)));
        const Finding &f = a.result.findings.front();
        QCOMPARE(QString::fromStdString(f.rule), QString("trace_incomplete"));
        QVERIFY2(f.mechanism.find("Power in the trace's gaps") == 0, f.mechanism.c_str());
        QVERIFY2(f.confidence == "high", f.confidence.c_str());
        const std::string wrong = failedEvidence(a);
        QVERIFY2(wrong.empty(), wrong.c_str());
    }
}

void TestFindingsReal::powerAloneAcquitsWholeTraces_data() {
    QTest::addColumn<QString>("name");
    for (const std::string &name : simulator::presetNames())
        if (name != "trace_incomplete")
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
}

// Every other preset, intact and without the host's records.
void TestFindingsReal::powerAloneAcquitsWholeTraces() {
    QFETCH(QString, name);
    auto config = *simulator::preset(name.toStdString());
    config.seed += 77;
    auto run = simulator::simulate(config);
    for (const bool host : {true, false}) {
        const QTemporaryDir dir;
        if (!host)
            run.trace.host.clear();
        const Analysed a = analysed(dir, written(dir, run));
        QVERIFY2(a.error.empty(), a.error.c_str());
        QVERIFY(!a.result.energy.devices.empty() && a.result.energy.devices.front().insideTraceJ > 0);
        for (const Finding &f : a.result.findings)
            QVERIFY2(f.rule != "trace_incomplete", f.title.c_str());
    }
}

void TestFindingsReal::simulatedLogIsAlignedToItsTrace() {
    const QTemporaryDir dir;
    auto config = *simulator::preset("low_load");
    config.clock.offset = 3600'000'000'000;
    const Analysed a = analysed(dir, simulated(dir, config));
    QVERIFY2(a.error.empty(), a.error.c_str());
    QCOMPARE(a.alignments.size(), std::size_t(1));
    QVERIFY2(a.alignments.front().proposal.alignment.has_value(), a.alignments.front().proposal.refusal.c_str());
    QCOMPARE(a.alignments.front().proposal.alignment->offset, Ns(-3600'000'000'000));
    auto again = alignAutomatically(*a.workspace, {});
    QVERIFY(again && again->size() == 1);
    QCOMPARE(again->front().proposal.alignment->offset, Ns(-3600'000'000'000));
    store::Alignment byHand = *again->front().proposal.alignment;
    byHand.method = "manual";
    QVERIFY(a.workspace->edits().setAlignment(byHand));
    again = alignAutomatically(*a.workspace, {});
    QVERIFY(again && again->empty());
}

void TestFindingsReal::fluidsWorkspaceIsHonest() {
    WATTPROOF_SHARED_OR_SKIP(trace, "powerlogs/nvidia-smi-query/rtxa4500_fluidsgl_nsys_cuda_gpu_trace.csv");
    WATTPROOF_SHARED_OR_SKIP(log, "powerlogs/nvidia-smi-query/rtxa4500_fluidsgl_query.csv");
    const QTemporaryDir dir;
    const Analysed a = analysed(dir, {trace.toStdString(), log.toStdString()});
    QVERIFY2(a.error.empty(), a.error.c_str());
    QCOMPARE(a.alignments.size(), std::size_t(1));
    const AlignmentProposal &p = a.alignments.front().proposal;
    if (p.alignment)
        qInfo("aligned, confidence %.2f: %s", p.alignment->confidence, p.alignment->note.c_str());
    else
        qInfo("refused: %s", p.refusal.c_str());
    QVERIFY(p.alignment ? !p.alignment->note.empty() && p.alignment->confidence <= 0.99 : !p.refusal.empty());
    const std::string wrong = failedEvidence(a);
    QVERIFY2(wrong.empty(), wrong.c_str());
}

void TestFindingsReal::wrongEvidenceIsRefused() {
    const QTemporaryDir dir;
    const Analysed a = analysed(dir, simulated(dir, *simulator::preset("host_orchestration")));
    QVERIFY2(a.error.empty(), a.error.c_str());
    auto reader = a.workspace->reader();
    QVERIFY(reader.has_value());
    std::vector<Finding> findings = a.result.findings;
    QVERIFY(!findings.empty() && verifyEvidence(**reader, findings));
    findings.front().evidence.front().value *= 1.00001;
    const Status status = verifyEvidence(**reader, findings);
    QVERIFY(!status);
    QVERIFY(status.error().sentence().find(findings.front().key) != std::string::npos);
}

QTEST_GUILESS_MAIN(TestFindingsReal)
#include "tst_findings_real.moc"
