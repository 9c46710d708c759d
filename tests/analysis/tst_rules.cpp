#include "analysis/findings/idle_ledger.h"
#include "analysis/findings/rule_settings.h"
#include "tests/analysis/finding_fixture.h"

#include <algorithm>

#include <QTest>

using namespace wattproof;
using namespace wattproof::analysis;
using namespace wattproof::test;

namespace {

std::string emptyField(const Finding &f) {
    const std::pair<const char *, const std::string *> fields[] = {{"key", &f.key},
                                                                   {"rule", &f.rule},
                                                                   {"bottleneckClass", &f.bottleneckClass},
                                                                   {"title", &f.title},
                                                                   {"mechanism", &f.mechanism},
                                                                   {"counterfactual", &f.counterfactual},
                                                                   {"effect", &f.effect},
                                                                   {"confidence", &f.confidence},
                                                                   {"chainIntent", &f.chainIntent},
                                                                   {"chainMapping", &f.chainMapping},
                                                                   {"chainBehaviour", &f.chainBehaviour},
                                                                   {"chainImpact", &f.chainImpact},
                                                                   {"doesNotProve", &f.doesNotProve},
                                                                   {"nextAction", &f.nextAction},
                                                                   {"intervention", &f.intervention},
                                                                   {"rollbackBoundary", &f.rollbackBoundary}};
    for (const auto &[name, value] : fields)
        if (value->empty())
            return name;
    if (f.range.empty() || f.tracks.empty() || f.slices == 0)
        return "scope";
    if (f.evidence.size() < 2 || f.checks.empty() || f.guardrails.empty() || f.confidenceReasons.empty())
        return "lists";
    for (const Evidence &e : f.evidence)
        if (e.claim.empty() || e.unit.empty() || e.query.empty() || e.range.empty() || e.source.empty())
            return "evidence: " + e.claim;
    for (const Check &c : f.checks)
        if (c.claim.empty() || c.query.empty())
            return "check";
    for (const Contradiction &c : f.contradictions)
        if (c.claim.empty() || c.query.empty() || c.effect.empty())
            return "contradiction";
    return {};
}

std::unique_ptr<Context> evaluated(ContextMaker &maker) {
    auto context = maker.finish();
    runRules(*context);
    return context;
}

std::string rulesOf(const Context &context) {
    std::string names;
    for (const Finding &f : context.result.findings)
        names += f.rule + " ";
    return names;
}

void addPower(ContextMaker &maker, double busyShare, double seconds) {
    maker.power(-1, seconds + 1, 0.01, [=](double t) {
        return t < 0 || t > seconds ? 70.0 : 110 + 400 * busyShare + 5 * std::sin(t * 31);
    });
    maker.idleFloor(70, 110);
}

void fillCommunication(ContextMaker &maker, double exposedUs) {
    fillHealthy(maker);
    for (int i = 0; i < 20; ++i)
        maker.operation(100'100 + i * 1000, 100'100 + i * 1000 + exposedUs, ContextMaker::Communication);
}

// Half a second of work, a third of it with the clock held down.
void fillClamped(ContextMaker &maker, const std::string &clampClass, std::optional<double> lost,
                 bool inferred = false) {
    fillHealthy(maker, 600);
    for (int i = 0; i < 4; ++i)
        maker.clamp(clampClass, 50'000 + i * 100'000, 90'000 + i * 100'000, lost, inferred);
    maker.context().hasThrottleFlags[maker.device()] = !inferred;
    maker.context().hasClock[maker.device()] = maker.context().hasTemperature[maker.device()] = true;
}

// 8 units of 2 ms work, 8 ms apart, nothing recorded on the host between them.
void fillLowLoad(ContextMaker &maker, bool withUnits) {
    for (int i = 0; i < 8; ++i) {
        const double t = i * 10'000;
        if (withUnits)
            maker.unit(t, t + 2'000);
        maker.call("cpu_op", "aten::linear", t, t + 50);
        const auto launch = maker.call("cuda_runtime", "cudaLaunchKernel", t + 50, t + 56);
        maker.operation(t + 60, t + 2'000, ContextMaker::Gemm, launch);
    }
}

// One blocking copy of 460 ms with nothing recorded inside.
void fillBlocked(ContextMaker &maker) {
    fillHealthy(maker, 5);
    const auto copy = maker.call("cuda_runtime", "hipMemcpyWithStream", 5'100, 465'200);
    maker.operation(465'100, 465'150, ContextMaker::Copy, copy);
    maker.operation(465'160, 470'000);
}

// Bursts of 100 ms; in the pauses between them the device draws `gapWatts`.
void fillBursts(ContextMaker &maker, double gapWatts) {
    for (int i = 0; i < 20; ++i) {
        const double t = i * 200'000;
        for (int k = 0; k < 10; ++k)
            maker.operation(t + k * 10'000, t + (k + 1) * 10'000);
    }
    maker.operation(4'000'000, 4'010'000);
    maker.power(-1, 6, 0.02, [=](double t) {
        if (t < 0 || t > 4.02)
            return 70.0;
        const double phase = std::fmod(t, 0.2);
        const double share = phase < 0.02   ? phase / 0.02
                             : phase < 0.1  ? 1
                             : phase < 0.12 ? (0.12 - phase) / 0.02
                                            : 0;
        return share * 520 + (1 - share) * gapWatts + 3 * std::sin(t * 77);
    });
    maker.idleFloor(70, 110);
}

}  // namespace

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
    void lowLoadIsFound();
    void lowLoadNeedsUnits();
    void hostWorkBetweenRequestsIsLowLoad();
    void blockingWaitContradictsTheTrace();
    void idlePowerAcquitsABlockingWait();
    void hotGapsContradictTheTrace();
    void coolGapsDoNot();
    void launchBoundRunIsNotContradictedByPower();
    void traceRuleNeedsAPowerLog();
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

void TestRules::exposedCommunicationIsFound() {
    ContextMaker maker;
    fillCommunication(maker, 1000);
    const auto context = evaluated(maker);
    QCOMPARE(rulesOf(*context), std::string("communication "));
    QVERIFY(context->result.findings.front().doesNotProve.find("one rank") != std::string::npos);
}

void TestRules::hiddenCommunicationIsNoFinding() {
    ContextMaker maker;
    fillHealthy(maker);
    for (int i = 0; i < 90; ++i)
        maker.operation(200 + i * 1000, 900 + i * 1000, ContextMaker::Communication);
    QCOMPARE(rulesOf(*evaluated(maker)), std::string());
}

void TestRules::hiddenCommunicationKeepsItsJoules() {
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

void TestRules::exposedCopiesAreFound() {
    ContextMaker maker;
    fillHealthy(maker);
    maker.operation(100'200, 112'000, ContextMaker::Copy);
    const auto context = evaluated(maker);
    QCOMPARE(rulesOf(*context), std::string("data_movement "));
    QCOMPARE(emptyField(context->result.findings.front()), std::string());
}

void TestRules::shortCopiesAreNoFinding() {
    ContextMaker maker;
    fillHealthy(maker);
    maker.operation(100'100, 103'000, ContextMaker::Copy);
    QCOMPARE(rulesOf(*evaluated(maker)), std::string());
}

void TestRules::thermalClampIsFound() {
    ContextMaker maker;
    fillClamped(maker, "thermal", 0.3);
    addPower(maker, 1, 0.6);
    const auto context = evaluated(maker);
    QCOMPARE(rulesOf(*context), std::string("thermal_clamp "));
    const Finding &f = context->result.findings.front();
    QCOMPARE(emptyField(f), std::string());
    QVERIFY(f.throughputGain->low > 0.01 && f.throughputGain->high < 0.12);
}

void TestRules::thermalClampInferredIsLessSure() {
    ContextMaker sure, unsure;
    fillClamped(sure, "thermal", 0.3);
    fillClamped(unsure, "thermal", 0.3, true);
    QVERIFY(evaluated(unsure)->result.findings.front().confidenceP <
            evaluated(sure)->result.findings.front().confidenceP);
}

void TestRules::thermalClampNeedsFlagsOrClockAndTemperature() {
    ContextMaker maker;
    fillHealthy(maker);
    QVERIFY(needs(*evaluated(maker), "thermal_clamp"));
    ContextMaker withClock;
    fillHealthy(withClock);
    withClock.context().hasClock[withClock.device()] = true;
    QVERIFY(needs(*evaluated(withClock), "thermal_clamp"));
}

void TestRules::clampWithoutLostClockHasNoGain() {
    ContextMaker maker;
    fillClamped(maker, "thermal", std::nullopt);
    const auto context = evaluated(maker);
    const Finding *f = findingOf(*context, "thermal_clamp");
    QVERIFY(f && !f->throughputGain);
    QVERIFY(context->result.reasons.contains("findings.thermal_clamp:GPU 0.throughput_gain"));
}

void TestRules::liftingAClampMayCostJoules() {
    ContextMaker maker;
    fillClamped(maker, "power", 0.3);
    addPower(maker, 1, 0.6);
    const auto context = evaluated(maker);
    const Finding *f = findingOf(*context, "power_cap");
    QVERIFY(f && f->recoverableJ);
    QVERIFY(f->recoverableJ->low < 0 && f->recoverableJ->high > 0);
}

void TestRules::powerCapIsFound() {
    ContextMaker maker;
    fillClamped(maker, "power", 0.2);
    addPower(maker, 1, 0.6);
    maker.context().powerLimitW[maker.device()] = 515;
    const auto context = evaluated(maker);
    QCOMPARE(rulesOf(*context), std::string("power_cap "));
    QCOMPARE(emptyField(context->result.findings.front()), std::string());
    QVERIFY(context->result.findings.front().contradictions.empty());
}

void TestRules::powerFarFromTheLimitLowersConfidence() {
    ContextMaker maker;
    fillClamped(maker, "power", 0.2);
    addPower(maker, 1, 0.6);
    maker.context().powerLimitW[maker.device()] = 700;
    const auto context = evaluated(maker);
    const Finding &f = context->result.findings.front();
    QCOMPARE(f.contradictions.size(), std::size_t(1));
    QCOMPARE(f.confidence, std::string("low"));
}

void TestRules::powerCapNeedsFlagsOrLimit() {
    ContextMaker maker;
    fillHealthy(maker);
    QVERIFY(needs(*evaluated(maker), "power_cap"));
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

void TestRules::blockingWaitContradictsTheTrace() {
    ContextMaker maker;
    fillBlocked(maker);
    const auto context = evaluated(maker);
    QCOMPARE(rulesOf(*context), std::string("trace_incomplete "));
    const Finding &f = context->result.findings.front();
    QVERIFY(!f.recoverableJ && !f.throughputGain && !f.headlineGain);
    QCOMPARE(emptyField(f), std::string());
    QVERIFY(needs(*context, "trace_incomplete"));
}

void TestRules::idlePowerAcquitsABlockingWait() {
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

void TestRules::hotGapsContradictTheTrace() {
    ContextMaker maker;
    fillBursts(maker, 400);
    const auto context = evaluated(maker);
    const Finding *f = findingOf(*context, "trace_incomplete");
    QVERIFY(f);
    QCOMPARE(f->rank, 1);
    QCOMPARE(emptyField(*f), std::string());
    QVERIFY(f->confidenceP >= 0.9);
}

void TestRules::coolGapsDoNot() {
    ContextMaker maker;
    fillBursts(maker, 112);
    QVERIFY(!findingOf(*evaluated(maker), "trace_incomplete"));
}

void TestRules::launchBoundRunIsNotContradictedByPower() {
    ContextMaker maker;
    fillHostBound(maker, 3000);  // 10 % busy; every window averages busy and gaps
    addPower(maker, 0.9, 3.0);   // and draws far more than the idle floor
    QVERIFY(!findingOf(*evaluated(maker), "trace_incomplete"));
}

void TestRules::traceRuleNeedsAPowerLog() {
    ContextMaker maker;
    fillHealthy(maker);
    QVERIFY(needs(*evaluated(maker), "trace_incomplete"));
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
