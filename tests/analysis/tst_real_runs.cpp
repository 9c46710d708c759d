// Real traces and logs: the GPU timeline against independently computed numbers, and joules that add up.
#include "analysis/alignment/align.h"
#include "analysis/analyze.h"
#include "analysis/context_builder.h"
#include "analysis/timeline/gpu_timeline.h"
#include "analysis/timeline/idle_cause.h"
#include "importers/session.h"
#include "tests/support/shared_files.h"
#include "tests/support/temporary_workspace.h"

#include <cmath>

#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>
#include <nlohmann/json.hpp>

using namespace wattproof;
using namespace wattproof::analysis;
using namespace wattproof::test;
using nlohmann::json;

class TestRealRuns : public QObject {
    Q_OBJECT
private slots:
    void timelineAgreesWithThePeers_data();
    void timelineAgreesWithThePeers();
    void idleEvidenceAgrees_data() { timelineAgreesWithThePeers_data(); }
    void idleEvidenceAgrees();
    void joulesOfARealRunAddUp();

private:
    std::shared_ptr<store::Workspace> imported(const QStringList &files);
    QTemporaryDir folder_;
};

namespace {

double milliseconds(Ns ns) {
    return static_cast<double>(ns) / 1e6;
}

bool agree(double value, double expected) {
    return std::abs(value - expected) <= std::max(1e-3 * std::abs(expected), 1e-6);
}

json expectation(const QString &trace) {
    const QString name = QFileInfo(trace).fileName().section('.', 0, 0);
    QFile file(sharedFile("peer/expected/" + name + ".json"));
    return file.open(QIODevice::ReadOnly) ? json::parse(file.readAll().toStdString()) : json();
}

// The activity of the device that the trace calls by this number.
const DeviceActivity *deviceCalled(const Context &context, const std::string &id) {
    for (const auto &[key, activity] : context.activity)
        if (activity.device.nativeId == id)
            return &activity;
    return nullptr;
}

QString text(const std::string &key, double value, double expected) {
    return QString::fromStdString(key) + ": " + QString::number(value, 'g', 12) + " instead of " +
           QString::number(expected, 'g', 12);
}

}  // namespace

std::shared_ptr<store::Workspace> TestRealRuns::imported(const QStringList &files) {
    std::vector<std::string> paths;
    for (const QString &file : files)
        paths.push_back(file.toStdString());
    const std::string output = folder_.filePath(QFileInfo(files.first()).fileName() + ".wattproof").toStdString();
    if (!QFile::exists(QString::fromStdString(output)))
        require(importers::importToNew(paths, output, {}, {}));
    return require(store::Workspace::open(output));
}

void TestRealRuns::timelineAgreesWithThePeers_data() {
    QTest::addColumn<QString>("trace");
    const QStringList traces = sharedFiles("peer", "*.json.gz");
    for (const QString &trace : traces)
        if (expectation(trace).value("format", "") == "chrome_json")
            QTest::newRow(qPrintable(QFileInfo(trace).fileName())) << trace;
    if (traces.isEmpty())
        QTest::newRow("no traces") << QString();
}

void TestRealRuns::timelineAgreesWithThePeers() {
    QFETCH(QString, trace);
    if (trace.isEmpty())
        QSKIP("skipped: the shared peer traces are not here");
    const auto workspace = imported({trace});
    auto reader = require(workspace->reader());
    Context context;
    WATTPROOF_VERIFY_OK(buildContext(*reader, context, {}));
    const json expected = expectation(trace);
    for (const auto &[id, numbers] : expected["per_device_timeline_ms"].items()) {
        const DeviceActivity *activity = deviceCalled(context, id);
        QVERIFY2(activity != nullptr, id.c_str());
        const DeviceTimeline line = timelineOf(*activity);
        const std::pair<const char *, Ns> values[] = {{"computation_time", line.computeNs},
                                                      {"exposed_comm_time", line.exposedCommNs},
                                                      {"exposed_memcpy_time", line.exposedCopyNs},
                                                      {"busy_time", line.busyNs},
                                                      {"idle_time", line.idleNs},
                                                      {"total_time", line.span.length()},
                                                      {"total_comm_time", line.totalCommNs},
                                                      {"total_memcpy_time", line.totalCopyNs}};
        for (const auto &[key, ns] : values)
            QVERIFY2(agree(milliseconds(ns), numbers[key]), qPrintable(text(key, milliseconds(ns), numbers[key])));
        Ns causes = 0;
        for (const auto &[cause, ns] : line.idleByCauseNs)
            causes += ns;
        QCOMPARE(causes, line.idleNs);
    }
}

void TestRealRuns::idleEvidenceAgrees() {
    QFETCH(QString, trace);
    if (trace.isEmpty())
        QSKIP("skipped: the shared peer traces are not here");
    const json expected = expectation(trace)["idle_evidence"];
    const auto workspace = imported({trace});
    auto reader = require(workspace->reader());
    Context context;
    WATTPROOF_VERIFY_OK(buildContext(*reader, context, {}));
    IntervalSet busy;
    TimeRange span = context.activity.empty() ? TimeRange{} : context.activity.begin()->second.span;
    for (const auto &[id, activity] : context.activity) {
        busy = unionOf(busy, activity.busy);
        span = {std::min(span.begin, activity.span.begin), std::max(span.end, activity.span.end)};
    }
    IntervalSet pauses = complement(busy, span);
    std::erase_if(pauses, [](const TimeRange &pause) { return pause.length() < 5000; });
    QVERIFY(agree(milliseconds(length(pauses)), expected["gap_ms"]));
    const auto shares = hostActivityDuring(pauses, context.host);
    const auto at = [&](HostActivity activity) {
        return milliseconds(shares[static_cast<std::size_t>(activity)]);
    };
    const std::pair<const char *, double> values[] = {
        {"allocation_call_ms", at(HostActivity::Memory)},
        {"synchronisation_call_ms", at(HostActivity::Synchronization)},
        {"launch_call_ms", at(HostActivity::Launch)},
        {"other_runtime_call_ms", at(HostActivity::Runtime)},
        {"cpu_op_ms", at(HostActivity::Operator) + at(HostActivity::Input)},
        {"python_function_ms", at(HostActivity::Python)},
        {"nothing_recorded_ms", at(HostActivity::None)}};
    for (const auto &[key, value] : values)
        QVERIFY2(agree(value, expected[key]), qPrintable(text(key, value, expected[key])));
}

void TestRealRuns::joulesOfARealRunAddUp() {
    WATTPROOF_SHARED_OR_SKIP(trace, "powerlogs/nvidia-smi-query/rtxa4500_fluidsgl_nsys_cuda_gpu_trace.csv");
    WATTPROOF_SHARED_OR_SKIP(log, "powerlogs/nvidia-smi-query/rtxa4500_fluidsgl_query.csv");
    const auto workspace = imported({trace, log});
    WATTPROOF_VERIFY_OK(alignAutomatically(*workspace, {}));
    const auto result = analyze(*workspace, std::nullopt, {});
    WATTPROOF_VERIFY_OK(result);
    QCOMPARE(result->energy.devices.size(), std::size_t(1));
    const DeviceEnergy &device = result->energy.devices[0];
    QVERIFY(device.integralJ > 100);
    const double parts = device.kernelsJ + device.copiesJ + device.idleJ + device.outsideTraceJ;
    QVERIFY(std::abs(parts - device.integralJ) <= 1e-3 * device.integralJ);
    QCOMPARE(device.unexplainedJ, 0.0);  // shared by busy time nothing is left, not even rounding
    double paths = 0;
    for (const EnergyPath &path : result->energy.byPath)
        paths += path.j;
    QVERIFY(std::abs(paths - device.integralJ) <= 1e-3 * device.integralJ);
    for (const std::string &limit : device.limits)
        qInfo("%s", limit.c_str());
    qInfo("integral %.3f J: kernels %.3f, copies %.3f, idle %.3f, outside %.3f, unexplained %.3f",
          device.integralJ, device.kernelsJ, device.copiesJ, device.idleJ, device.outsideTraceJ,
          device.unexplainedJ);
}

QTEST_GUILESS_MAIN(TestRealRuns)
#include "tst_real_runs.moc"
