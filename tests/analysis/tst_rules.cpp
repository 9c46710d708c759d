// Rules over runs made by hand: host, waits, low load; complete findings; settings.
#include "analysis/findings/idle_ledger.h"
#include "analysis/findings/rule_settings.h"
#include "tests/analysis/rule_runs.h"

#include <algorithm>

#include <QTest>

using namespace wattproof;
using namespace wattproof::analysis;
using namespace wattproof::test;

class TestRules : public QObject {
    Q_OBJECT

private slots:
    void healthyDeviceHasNoFinding();
    void hostBoundIsFound();
    void hostBoundFillsEveryField();
    void hostRuleNeedsHostCalls();
    void launchStallsAreNamed();
    void synchronizationIsFoundAndNotTheHost();
    void aSingleWaitIsNoFinding();
    void synchronizationNeedsRuntimeCalls();
    void lowLoadIsFound();
    void lowLoadNeedsUnits();
    void hostWorkBetweenRequestsIsLowLoad();
    void noOperationsNoFindings();
    void everyFindingIsComplete();
    void idleTimeIsClaimedOnce();
    void settingsAreValidated();
    void shippedSettingsAreComplete();
};

void TestRules::healthyDeviceHasNoFinding() {
    ContextMaker maker;
    fillHealthy(maker);
    addPower(maker, 0.99, 0.1);
    maker.context().hasThrottleFlags[maker.device()] = true;
    const auto context = evaluated(maker);
    QCOMPARE(rulesOf(*context), std::string());
    QVERIFY(context->result.needs.empty());
}

void TestRules::hostBoundIsFound() {
    ContextMaker maker;
    fillHostBound(maker);
    const auto context = evaluated(maker);
    QCOMPARE(rulesOf(*context), std::string("host_orchestration "));
    const Finding &f = context->result.findings.front();
    QVERIFY(f.throughputGain && f.throughputGain->high > 5 && f.throughputGain->low > 1);
    QVERIFY(!f.recoverableJ);
    QVERIFY(f.recoverableNs && *f.recoverableNs > 60 * kMs);
    QVERIFY(context->result.reasons.contains("findings.host_orchestration:GPU 0.recoverable_j"));
}

void TestRules::hostBoundFillsEveryField() {
    ContextMaker maker;
    fillHostBound(maker, 1000);
    addPower(maker, 0.1, 1.0);
    maker.headline(2);
    const auto context = evaluated(maker);
    const Finding *f = findingOf(*context, "host_orchestration");
    QVERIFY(f);
    QCOMPARE(emptyField(*f), std::string());
    QVERIFY(f->recoverableJ && f->headlineGain && f->throughputGain);
    const double idleS = 0.9 * 0.999;
    QVERIFY(f->recoverableJ->low > 0.5 * idleS * 110 && f->recoverableJ->high < 2 * idleS * 110);
    QVERIFY(f->score > 0 && f->confidenceP > 0.9);
}

void TestRules::hostRuleNeedsHostCalls() {
    ContextMaker maker;
    for (int i = 0; i < 50; ++i)
        maker.operation(i * 1000, i * 1000 + 100);
    const auto context = evaluated(maker);
    QVERIFY(!findingOf(*context, "host_orchestration"));
    QVERIFY(needs(*context, "host_orchestration"));
}

void TestRules::launchStallsAreNamed() {
    ContextMaker maker;
    double t = 0;
    for (int i = 0; i < 10; ++i) {
        const auto launch = maker.call("cuda_runtime", "hipLaunchKernel", t, t + 30'000);
        maker.operation(t + 30'010, t + 30'100, ContextMaker::Gemm, launch);
        t += 30'110;
    }
    const auto context = evaluated(maker);
    QCOMPARE(rulesOf(*context), std::string("host_orchestration "));
    QVERIFY(context->result.findings.front().title.find("launch stalls") != std::string::npos);
    QCOMPARE(emptyField(context->result.findings.front()), std::string());
}

void TestRules::synchronizationIsFoundAndNotTheHost() {
    ContextMaker maker;
    fillSynchronized(maker);
    const auto context = evaluated(maker);
    QCOMPARE(rulesOf(*context), std::string("synchronization "));
    const Finding &f = context->result.findings.front();
    QVERIFY(std::abs(f.throughputGain->high - 0.5) < 0.02);
    QCOMPARE(f.effect, std::string("blocked"));
}

void TestRules::aSingleWaitIsNoFinding() {
    ContextMaker maker;
    fillHealthy(maker);
    maker.call("cuda_runtime", "cudaDeviceSynchronize", 5'000, 100'095);
    const auto launch = maker.call("cuda_runtime", "cudaLaunchKernel", 100'200, 100'210);
    maker.operation(100'220, 101'000, ContextMaker::Gemm, launch);
    QCOMPARE(rulesOf(*evaluated(maker)), std::string());
}

void TestRules::synchronizationNeedsRuntimeCalls() {
    ContextMaker maker;
    for (int i = 0; i < 50; ++i)
        maker.operation(i * 1000, i * 1000 + 990);
    QVERIFY(needs(*evaluated(maker), "synchronization"));
}

void TestRules::lowLoadIsFound() {
    ContextMaker maker;
    fillLowLoad(maker, true);
    const auto context = evaluated(maker);
    QCOMPARE(rulesOf(*context), std::string("low_load "));
    QCOMPARE(emptyField(context->result.findings.front()), std::string());
    QCOMPARE(context->result.findings.front().effect, std::string("diluted"));
}

void TestRules::lowLoadNeedsUnits() {
    ContextMaker maker;
    fillLowLoad(maker, false);
    const auto context = evaluated(maker);
    QCOMPARE(rulesOf(*context), std::string());
    QVERIFY(needs(*context, "low_load"));
}

void TestRules::hostWorkBetweenRequestsIsLowLoad() {
    ContextMaker maker;
    fillHostBound(maker);
    maker.context().requests.resize(1);
    maker.unit(0, 10'000);
    const auto context = evaluated(maker);
    QVERIFY(findingOf(*context, "low_load"));
    QVERIFY(!findingOf(*context, "host_orchestration"));
}

void TestRules::noOperationsNoFindings() {
    ContextMaker maker;
    const auto context = evaluated(maker);
    QCOMPARE(rulesOf(*context), std::string());
    QVERIFY(needs(*context, "communication") && needs(*context, "data_movement"));
}

void TestRules::everyFindingIsComplete() {
    const std::function<void(ContextMaker &)> fills[] = {[](ContextMaker &m) { fillHostBound(m, 1000); },
                                                         [](ContextMaker &m) { fillSynchronized(m, 700); },
                                                         [](ContextMaker &m) { fillCommunication(m, 1000); },
                                                         [](ContextMaker &m) { fillClamped(m, "thermal", 0.3); },
                                                         [](ContextMaker &m) { fillClamped(m, "power", 0.3); },
                                                         [](ContextMaker &m) { fillLowLoad(m, true); }};
    for (const auto &fill : fills) {
        ContextMaker maker;
        fill(maker);
        addPower(maker, 0.5, 1.0);
        maker.headline(3);
        const auto context = evaluated(maker);
        QVERIFY(!context->result.findings.empty());
        for (const Finding &f : context->result.findings) {
            QCOMPARE(emptyField(f), std::string());
            QCOMPARE(f.intervalLevel, 0.95);
            QVERIFY(f.key == f.rule + ":GPU 0");
            QVERIFY(!f.owner && !f.rollback);  // a person's to decide
        }
    }
}

void TestRules::idleTimeIsClaimedOnce() {
    ContextMaker maker;
    fillSynchronized(maker, 40);
    for (int i = 100; i < 200; ++i) {
        const double t = i * 1000;
        maker.call("cpu_op", "aten::linear", t, t + 790);
        const auto launch = maker.call("cuda_runtime", "cudaLaunchKernel", t + 790, t + 798);
        maker.operation(t + 800, t + 1000, ContextMaker::Gemm, launch);
    }
    const auto context = evaluated(maker);
    QVERIFY(context->result.findings.size() >= 2);
    const IdleLedger ledger = idleLedger(*context, context->activity.begin()->second);
    const IntervalSet *booked[] = {&ledger.host,    &ledger.synchronization, &ledger.lowLoad,
                                   &ledger.blocked, &ledger.undelivered,     &ledger.unknown};
    Ns total = 0;
    for (const IntervalSet *set : booked) {
        total += length(*set);
        for (const IntervalSet *other : booked)
            QVERIFY(set == other || intersection(*set, *other).empty());
    }
    QVERIFY(length(ledger.host) > 0 && length(ledger.synchronization) > 0);
    QVERIFY(total <= context->result.timeline.front().idleNs);
}

void TestRules::settingsAreValidated() {
    const RuleSettings &base = ruleSettings();
    const auto wrongKey = parseRuleSettings(R"({"communication": {"min_exposed": 0.1}})", "mine.json", base);
    QVERIFY(!wrongKey);
    QVERIFY(wrongKey.error().sentence().find("mine.json, communication.min_exposed") != std::string::npos);
    const auto wrongType = parseRuleSettings(R"({"low_load": {"min_idle_share": "much"}})", "mine.json", base);
    QVERIFY(!wrongType);
    QVERIFY(wrongType.error().sentence().find("a number from") != std::string::npos);
    QVERIFY(!parseRuleSettings(R"({"low_load": {"min_idle_share": 7}})", "mine.json", base));
    QVERIFY(!parseRuleSettings("[1]", "mine.json", base));
    const auto good = parseRuleSettings(R"({"low_load": {"min_idle_share": 0.4}})", "mine.json", base);
    QVERIFY(good && good->loadMinIdleShare == 0.4 && good->commMinExposedShare == base.commMinExposedShare);
}

void TestRules::shippedSettingsAreComplete() {
    const RuleSettings &s = ruleSettings();
    QVERIFY(ruleSettingsWarning().empty());
    QVERIFY(s.hostMinIdleShare > 0 && s.syncMinIdleShare > 0 && s.commMinExposedShare > 0 &&
            s.copyMinExposedShare > 0);
    QVERIFY(s.clampConfidence > 0 && s.capConfidence > 0 && s.loadConfidence > 0 && s.traceConfidence > 0);
    QVERIFY(s.traceIdleFactor >= 1.5 && s.traceMinWindows >= 3 && s.idleWattsSpread > 0);
}

QTEST_GUILESS_MAIN(TestRules)
#include "tst_rules.moc"
