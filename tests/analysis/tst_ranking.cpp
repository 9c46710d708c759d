#include "tests/analysis/finding_fixture.h"

#include <QTest>

using namespace wattproof;
using namespace wattproof::analysis;
using namespace wattproof::test;

namespace {

Finding made(const std::string &rule, double confidence, std::optional<Interval> gain, double recoverableMs) {
    Finding f;
    f.key = rule + ":GPU 0";
    f.rule = f.bottleneckClass = rule;
    f.range = {0, 100 * kMs};
    f.confidenceP = confidence;
    f.confidence = confidence >= 0.95 ? "high" : "medium";
    f.headlineGain = gain;
    f.recoverableNs = recoverableMs * 1e6;
    return f;
}

std::string order(const Context &context) {
    std::string names;
    for (const Finding &f : context.result.findings)
        names += f.rule + " ";
    return names;
}

// A device with 100 ms of work, joules and a headline.
std::unique_ptr<Context> device() {
    ContextMaker maker;
    fillHealthy(maker);
    maker.power(-1, 1, 0.01, [](double) { return 500.0; });
    maker.idleFloor(70, 100);
    maker.headline(2);
    return maker.finish();
}

}  // namespace

class TestRanking : public QObject {
    Q_OBJECT

private slots:
    void scoreOrdersAndIsTheFormula();
    void withoutJoulesTimeOrders();
    void gainsThatCostScoreNothing();
    void jointCeilingIsNoSum();
    void missingNumbersHaveReasons();
    void incompleteTraceLeadsAndOverrulesIdleFindings();
    void rankingTwiceGivesTheSameOrder();
};

void TestRanking::scoreOrdersAndIsTheFormula() {
    const auto context = device();
    context->result.findings = {made("communication", 0.9, Interval{0.1, 0.1}, 50),
                                made("data_movement", 0.9, Interval{0.2, 0.2}, 1)};
    rankFindings(*context);
    QCOMPARE(order(*context), std::string("data_movement communication "));
    const double epsilon = 0.02;
    const double expected = 0.9 * std::log((2 * 1.2 + epsilon) / (2 + epsilon));
    QVERIFY(std::abs(context->result.findings.front().score - expected) < 1e-9);
    QCOMPARE(context->result.findings.back().rank, 2);
}

void TestRanking::withoutJoulesTimeOrders() {
    const auto context = device();
    context->result.headline.value.reset();
    context->result.findings = {made("communication", 0.9, std::nullopt, 5),
                                made("data_movement", 0.9, std::nullopt, 9)};
    rankFindings(*context);
    QCOMPARE(order(*context), std::string("data_movement communication "));
    QCOMPARE(context->result.findings.front().score, 0.0);
}

void TestRanking::gainsThatCostScoreNothing() {
    const auto context = device();
    context->result.findings = {made("power_cap", 0.95, Interval{-0.3, -0.1}, 500),
                                made("communication", 0.7, Interval{0.01, 0.02}, 1)};
    rankFindings(*context);
    QCOMPARE(order(*context), std::string("communication power_cap "));
    QCOMPARE(context->result.findings.back().score, 0.0);
}

void TestRanking::jointCeilingIsNoSum() {
    const auto context = device();
    context->result.findings = {made("communication", 0.95, Interval{0.1, 0.2}, 5),
                                made("data_movement", 0.95, Interval{0.1, 0.2}, 5)};
    for (Finding &f : context->result.findings)
        f.recoverableJ = Interval{0.2, 40};
    rankFindings(*context);
    QVERIFY(context->result.jointRecoverableJ && context->result.jointHeadlineGain);
    QCOMPARE(context->result.jointRecoverableJ->low, 0.2);
    QVERIFY(context->result.jointRecoverableJ->high < 80);
    const double withoutCompute = 0.099 * 0.1 * 500;  // 1 % of 100 ms
    QVERIFY(context->result.jointRecoverableJ->high <= withoutCompute);
}

void TestRanking::missingNumbersHaveReasons() {
    const auto context = device();
    context->result.findings = {made("communication", 0.9, std::nullopt, 5)};
    rankFindings(*context);
    for (const char *field : {"recoverable_j", "throughput_gain", "headline_gain"})
        QVERIFY(context->result.reasons.contains(std::string("findings.communication:GPU 0.") + field));
    QVERIFY(context->result.reasons.contains("joint_ceiling"));
    QVERIFY(!context->result.jointRecoverableJ);
}

void TestRanking::incompleteTraceLeadsAndOverrulesIdleFindings() {
    ContextMaker maker;
    fillHostBound(maker, 50);
    const auto copy = maker.call("cuda_runtime", "hipMemcpyWithStream", 50'100, 62'000);
    maker.operation(61'900, 61'950, ContextMaker::Copy, copy);
    for (int i = 70; i < 100; ++i) {
        const double t = i * 1000;
        maker.call("cpu_op", "aten::linear", t, t + 890);
        const auto launch = maker.call("cuda_runtime", "cudaLaunchKernel", t + 890, t + 898);
        maker.operation(t + 900, t + 1000, ContextMaker::Gemm, launch);
    }
    const auto context = maker.finish();
    runRules(*context);
    QCOMPARE(context->result.findings.front().rule, std::string("trace_incomplete"));
    const Finding *host = findingOf(*context, "host_orchestration");
    QVERIFY(host);
    QCOMPARE(host->confidence, std::string("low"));
    QVERIFY(!host->contradictions.empty() && !host->contradictions.back().query.empty());
}

void TestRanking::rankingTwiceGivesTheSameOrder() {
    const auto first = device(), second = device();
    for (const auto &context : {first.get(), second.get()}) {
        context->result.findings = {made("communication", 0.9, std::nullopt, 5),
                                    made("low_load", 0.9, std::nullopt, 5),
                                    made("data_movement", 0.9, std::nullopt, 5)};
        rankFindings(*context);
    }
    QCOMPARE(order(*first), order(*second));
}

QTEST_GUILESS_MAIN(TestRanking)
#include "tst_ranking.moc"
