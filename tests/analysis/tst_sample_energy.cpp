// The analysis of the bundled sample against what the simulator knows of it.
#include "tests/support/analysed_run.h"
#include "tests/support/temporary_workspace.h"

#include <cmath>

#include <QFile>
#include <QTest>
#include <nlohmann/json.hpp>

using namespace wattproof;
using namespace wattproof::analysis;
using namespace wattproof::test;
using nlohmann::json;

class TestSampleEnergy : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void theFloorCoversTheTruthAndSaysItsSource();
    void joulesAddUpAndAreThoseOfTheTruth();
    void tokensAreTheUnit();

private:
    QTemporaryDir dir_;
    AnalysedRun run_;
    json truth_;
};

void TestSampleEnergy::initTestCase() {
    const std::string sample = WATTPROOF_SOURCE_DIR "/resources/sample/sample";
    run_ = analysed(dir_, {sample + "_trace.json.gz", sample + "_power.csv"});
    QVERIFY2(run_.error.empty(), run_.error.c_str());
    QFile file(QString::fromStdString(sample + "_truth.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    truth_ = json::parse(file.readAll().toStdString());
}

void TestSampleEnergy::theFloorCoversTheTruthAndSaysItsSource() {
    const IdleFloor &floor = run_.result.energy.idleFloorW.at("GPU 0");
    const double truth = truth_["idle_floor_w"]["active"];
    QVERIFY(floor.activeCi95 && floor.activeCi95->low <= truth && truth <= floor.activeCi95->high);
    QVERIFY2(floor.method != "unknown" && std::abs(*floor.active - truth) < 0.1 * truth, floor.source.c_str());
    const json document = toJson(run_.result)["energy"]["idle_floor_w"]["GPU 0"];
    QCOMPARE(document["method"].get<std::string>(), floor.method);
    QCOMPARE(document["active_ci95"][1].get<double>(), floor.activeCi95->high);
}

void TestSampleEnergy::joulesAddUpAndAreThoseOfTheTruth() {
    const DeviceEnergy &device = run_.result.energy.devices.at(0);
    const double parts =
        device.kernelsJ + device.copiesJ + device.idleJ + device.outsideTraceJ + device.unexplainedJ;
    QVERIFY(std::abs(parts - device.integralJ) < 1e-6 * device.integralJ);
    QVERIFY(std::abs(device.unexplainedJ) < 0.01 * device.integralJ);
    qInfo("unexplained %.1f J, kernels %.1f, copies %.1f, idle %.1f of %.1f J", device.unexplainedJ,
          device.kernelsJ, device.copiesJ, device.idleJ, device.integralJ);
    const json &energy = truth_["energy"];
    QVERIFY(std::abs(device.integralJ - energy["total_j"].get<double>()) < 0.01 * device.integralJ);
    // Gaps at the active floor; 2 ms of the profiler's own time on either side belong to it as well.
    const double idle = energy["idle_j"];
    QVERIFY2(std::abs(device.idleJ - idle) < 0.1 * idle, qPrintable(QString::number(device.idleJ)));
    double work = energy["busy_floor_j"];
    for (const json &item : energy["classes"])
        work += item["dynamic_j"].get<double>();
    const double found = device.kernelsJ + device.copiesJ;
    QVERIFY2(std::abs(found - work) < 0.03 * work, qPrintable(QString::number(found)));
}

void TestSampleEnergy::tokensAreTheUnit() {
    QCOMPARE(run_.result.headline.unit, std::string("token/J"));
    QCOMPARE(run_.result.scenario.detected.at("unit.amount"),
             std::string("args.tokens, which each of these slices carries"));
    QVERIFY(*run_.result.headline.units <= truth_["units"].get<double>());
}

QTEST_GUILESS_MAIN(TestSampleEnergy)
#include "tst_sample_energy.moc"
