// Rules over runs made by hand: transfers, clamps and caps, and power as a witness against the trace.
#include "analysis/findings/rule_settings.h"
#include "tests/analysis/rule_runs.h"

#include <algorithm>

#include <QTest>

using namespace wattproof;
using namespace wattproof::analysis;
using namespace wattproof::test;

class TestDeviceRules : public QObject {
    Q_OBJECT

private slots:
    void exposedCommunicationIsFound();
    void hiddenCommunicationIsNoFinding();
    void hiddenCommunicationKeepsItsJoules();
    void exposedCopiesAreFound();
    void shortCopiesAreNoFinding();
    void thermalClampIsFound();
    void thermalClampInferredIsLessSure();
    void thermalClampNeedsFlagsOrClockAndTemperature();
    void clampWithoutLostClockHasNoGain();
    void liftingAClampMayCostJoules();
    void powerCapIsFound();
    void powerFarFromTheLimitLowersConfidence();
    void powerCapNeedsFlagsOrLimit();
    void blockingWaitContradictsTheTrace();
    void idlePowerAcquitsABlockingWait();
    void hotGapsContradictTheTrace();
    void coolGapsDoNot();
    void launchBoundRunIsNotContradictedByPower();
    void traceRuleNeedsAPowerLog();
};

void TestDeviceRules::exposedCommunicationIsFound() {
    ContextMaker maker;
    fillCommunication(maker, 1000);
    const auto context = evaluated(maker);
    QCOMPARE(rulesOf(*context), std::string("communication "));
    QVERIFY(context->result.findings.front().doesNotProve.find("one rank") != std::string::npos);
}

void TestDeviceRules::hiddenCommunicationIsNoFinding() {
    ContextMaker maker;
    fillHealthy(maker);
    for (int i = 0; i < 90; ++i)
        maker.operation(200 + i * 1000, 900 + i * 1000, ContextMaker::Communication);
    QCOMPARE(rulesOf(*evaluated(maker)), std::string());
}

void TestDeviceRules::hiddenCommunicationKeepsItsJoules() {
    ContextMaker maker;
    fillCommunication(maker, 1000);
    addPower(maker, 1, 0.12);
    const auto context = evaluated(maker);
    const Finding *f = findingOf(*context, "communication");
    QVERIFY(f && f->recoverableJ);
    const double exposedS = 0.020;
    QVERIFY(f->recoverableJ->low <= exposedS * 110);   // hidden only: not the 510 W that were drawn
    QVERIFY(f->recoverableJ->high <= exposedS * 520);  // no longer sent: no more than was measured
}

void TestDeviceRules::exposedCopiesAreFound() {
    ContextMaker maker;
    fillHealthy(maker);
    maker.operation(100'200, 112'000, ContextMaker::Copy);
    const auto context = evaluated(maker);
    QCOMPARE(rulesOf(*context), std::string("data_movement "));
    QCOMPARE(emptyField(context->result.findings.front()), std::string());
}

void TestDeviceRules::shortCopiesAreNoFinding() {
    ContextMaker maker;
    fillHealthy(maker);
    maker.operation(100'100, 103'000, ContextMaker::Copy);
    QCOMPARE(rulesOf(*evaluated(maker)), std::string());
}

void TestDeviceRules::thermalClampIsFound() {
    ContextMaker maker;
    fillClamped(maker, "thermal", 0.3);
    addPower(maker, 1, 0.6);
    const auto context = evaluated(maker);
    QCOMPARE(rulesOf(*context), std::string("thermal_clamp "));
    const Finding &f = context->result.findings.front();
    QCOMPARE(emptyField(f), std::string());
    QVERIFY(f.throughputGain->low > 0.01 && f.throughputGain->high < 0.12);
}

void TestDeviceRules::thermalClampInferredIsLessSure() {
    ContextMaker sure, unsure;
    fillClamped(sure, "thermal", 0.3);
    fillClamped(unsure, "thermal", 0.3, true);
    QVERIFY(evaluated(unsure)->result.findings.front().confidenceP <
            evaluated(sure)->result.findings.front().confidenceP);
}

void TestDeviceRules::thermalClampNeedsFlagsOrClockAndTemperature() {
    ContextMaker maker;
    fillHealthy(maker);
    QVERIFY(needs(*evaluated(maker), "thermal_clamp"));
    ContextMaker withClock;
    fillHealthy(withClock);
    withClock.context().hasClock[withClock.device()] = true;
    QVERIFY(needs(*evaluated(withClock), "thermal_clamp"));
}

void TestDeviceRules::clampWithoutLostClockHasNoGain() {
    ContextMaker maker;
    fillClamped(maker, "thermal", std::nullopt);
    const auto context = evaluated(maker);
    const Finding *f = findingOf(*context, "thermal_clamp");
    QVERIFY(f && !f->throughputGain);
    QVERIFY(context->result.reasons.contains("findings.thermal_clamp:GPU 0.throughput_gain"));
}

void TestDeviceRules::liftingAClampMayCostJoules() {
    ContextMaker maker;
    fillClamped(maker, "power", 0.3);
    addPower(maker, 1, 0.6);
    const auto context = evaluated(maker);
    const Finding *f = findingOf(*context, "power_cap");
    QVERIFY(f && f->recoverableJ);
    QVERIFY(f->recoverableJ->low < 0 && f->recoverableJ->high > 0);
}

void TestDeviceRules::powerCapIsFound() {
    ContextMaker maker;
    fillClamped(maker, "power", 0.2);
    addPower(maker, 1, 0.6);
    maker.context().powerLimitW[maker.device()] = 515;
    const auto context = evaluated(maker);
    QCOMPARE(rulesOf(*context), std::string("power_cap "));
    QCOMPARE(emptyField(context->result.findings.front()), std::string());
    QVERIFY(context->result.findings.front().contradictions.empty());
}

void TestDeviceRules::powerFarFromTheLimitLowersConfidence() {
    ContextMaker maker;
    fillClamped(maker, "power", 0.2);
    addPower(maker, 1, 0.6);
    maker.context().powerLimitW[maker.device()] = 700;
    const auto context = evaluated(maker);
    const Finding &f = context->result.findings.front();
    QCOMPARE(f.contradictions.size(), std::size_t(1));
    QCOMPARE(f.confidence, std::string("low"));
}

void TestDeviceRules::powerCapNeedsFlagsOrLimit() {
    ContextMaker maker;
    fillHealthy(maker);
    QVERIFY(needs(*evaluated(maker), "power_cap"));
}

void TestDeviceRules::blockingWaitContradictsTheTrace() {
    ContextMaker maker;
    fillBlocked(maker);
    const auto context = evaluated(maker);
    QCOMPARE(rulesOf(*context), std::string("trace_incomplete "));
    const Finding &f = context->result.findings.front();
    QVERIFY(!f.recoverableJ && !f.throughputGain && !f.headlineGain);
    QCOMPARE(emptyField(f), std::string());
    QVERIFY(needs(*context, "trace_incomplete"));
}

void TestDeviceRules::idlePowerAcquitsABlockingWait() {
    ContextMaker hot, cool;
    fillBlocked(hot);
    fillBlocked(cool);
    hot.power(-1, 2, 0.02, [](double t) { return t < 0 || t > 0.47 ? 70.0 : 480.0 + 5 * std::sin(t * 50); });
    cool.power(-1, 2, 0.02, [](double t) { return t < 0 || t > 0.47 ? 70.0 : 112.0 + 2 * std::sin(t * 50); });
    hot.idleFloor(70, 110);
    cool.idleFloor(70, 110);
    QVERIFY(findingOf(*evaluated(hot), "trace_incomplete")->confidenceP >= 0.95);
    const auto acquitted = evaluated(cool);
    const Finding *f = findingOf(*acquitted, "trace_incomplete");
    QVERIFY(f && f->confidenceP <= 0.3 && !f->contradictions.empty());
}

void TestDeviceRules::hotGapsContradictTheTrace() {
    ContextMaker maker;
    fillBursts(maker, 400);
    const auto context = evaluated(maker);
    const Finding *f = findingOf(*context, "trace_incomplete");
    QVERIFY(f);
    QCOMPARE(f->rank, 1);
    QCOMPARE(emptyField(*f), std::string());
    QVERIFY(f->confidenceP >= 0.9);
}

void TestDeviceRules::coolGapsDoNot() {
    ContextMaker maker;
    fillBursts(maker, 112);
    QVERIFY(!findingOf(*evaluated(maker), "trace_incomplete"));
}

void TestDeviceRules::launchBoundRunIsNotContradictedByPower() {
    ContextMaker maker;
    fillHostBound(maker, 3000);  // 10 % busy; every window averages busy and gaps
    addPower(maker, 0.9, 3.0);   // and draws far more than the idle floor
    QVERIFY(!findingOf(*evaluated(maker), "trace_incomplete"));
}

void TestDeviceRules::traceRuleNeedsAPowerLog() {
    ContextMaker maker;
    fillHealthy(maker);
    QVERIFY(needs(*evaluated(maker), "trace_incomplete"));
}

QTEST_GUILESS_MAIN(TestDeviceRules)
#include "tst_rules_device.moc"
