#include "analysis/headline/domains.h"
#include "analysis/headline/headline.h"
#include "analysis/headline/sustained.h"
#include "analysis/headline/units.h"
#include "analysis/precision/precision.h"
#include "analysis/stats/random.h"

#include <cmath>

#include <QTest>

using namespace wattproof;
using namespace wattproof::analysis;

class TestHeadline : public QObject {
    Q_OBJECT
private slots:
    void globs_data();
    void globs();
    void numbersFallOutOfNames();
    void percentilesOfFailedRequestsDoNotCount();
    void warmUpIsLeftOut();
    void slowEndingStays();
    void statedWindowsAreWholeUnits();
    void shortFastEndingDoesNotStandAlone();
    void cyclesAreKeptWhole();
    void allModeKeepsEverything();
    void timeConstantOfAnExponential();
    void settledNeedsAMinute();
    void goodputPerJoule();
    void withoutSlaTheValueIsNull();
    void failingSlaIsSaid();
    void missingPowerGivesReasons();
    void domainsOfTheScenario();
    void onlyMeterOfTheNodeHoldsTheOthers();
    void budgetIsCrossedByWhoeverTakesIt();
    void guardrailsOverThresholds();
};

namespace {

constexpr Ns kMs = 1'000'000;
constexpr Ns kS = 1'000'000'000;

std::vector<WorkUnit> unitsOf(const std::vector<Ns> &durations) {
    std::vector<WorkUnit> units;
    Ns at = 0;
    for (const Ns duration : durations) {
        units.push_back({{at, at + duration}, 1, true, {}});
        at += duration;
    }
    return units;
}

std::vector<Ns> level(std::size_t n, Ns duration, Random &random) {
    std::vector<Ns> out;
    for (std::size_t i = 0; i < n; ++i)
        out.push_back(duration + static_cast<Ns>(random.below(static_cast<std::size_t>(duration / 20))));
    return out;
}

std::vector<Ns> operator+(std::vector<Ns> a, const std::vector<Ns> &b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

void addPower(Context &context, double watts, Ns until) {
    CounterRow channel;
    channel.device = DeviceId(1);
    channel.domain = "board";
    channel.quantity = "power";
    channel.name = "power.draw";
    std::vector<Sample> samples;
    for (Ns t = 0; t <= until; t += 100 * kMs)
        samples.push_back({t, watts});
    DeviceRow device;
    device.id = DeviceId(1);
    device.name = "GPU 0";
    context.devices.push_back(device);
    context.power.emplace(DeviceId(1), PowerSeries(channel, samples));
    context.centredPower.emplace(DeviceId(1), PowerSeries(channel, samples));
}

}  // namespace

void TestHeadline::globs_data() {
    QTest::addColumn<QString>("glob");
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("fits");
    QTest::newRow("digits") << "decode_step#*"
                            << "decode_step#17" << true;
    QTest::newRow("no digits") << "decode_step#*"
                               << "decode_step#x" << false;
    QTest::newRow("digits and more") << "decode_step#*"
                                     << "decode_step#1a" << false;
    QTest::newRow("no hash") << "decode_step#*"
                             << "decode_step" << false;
    QTest::newRow("star") << "execute_*"
                          << "execute_context_1(8)" << true;
    QTest::newRow("inner star") << "a*c"
                                << "abbc" << true;
    QTest::newRow("mark") << "a?c"
                          << "abc" << true;
    QTest::newRow("mark needs one") << "a?c"
                                    << "ac" << false;
    QTest::newRow("empty") << ""
                           << "" << true;
    QTest::newRow("whole name") << "step"
                                << "step 1" << false;
}

void TestHeadline::globs() {
    QFETCH(QString, glob);
    QFETCH(QString, name);
    QFETCH(bool, fits);
    QCOMPARE(matchesUnitGlob(glob.toStdString(), name.toStdString()), fits);
}

void TestHeadline::numbersFallOutOfNames() {
    QCOMPARE(withoutNumbers("step 12 of 300"), std::string("step # of #"));
    QCOMPARE(withoutNumbers("iter"), std::string("iter"));
}

void TestHeadline::percentilesOfFailedRequestsDoNotCount() {
    auto units = unitsOf({100 * kMs, 200 * kMs, 300 * kMs});
    units.push_back({{0, 900 * kS}, 1, false, {}});
    const Latency latency = latencyOf(units);
    QCOMPARE(latency.n, std::int64_t(3));
    QCOMPARE(*latency.p50Ms, 200.0);
    QCOMPARE(*latency.p99Ms, 300.0);
    QVERIFY(latency.smallSample && latency.ci95.empty());
}

void TestHeadline::warmUpIsLeftOut() {
    Random random(1);
    const auto units = unitsOf(level(20, 300 * kMs, random) + level(180, 100 * kMs, random));
    const auto sustained = sustainedInterval(units, false);
    QVERIFY(sustained);
    QCOMPARE(sustained->first, std::size_t(20));
    QCOMPARE(sustained->range.end, units.back().range.end);
}

// A stretch of 1.5 s holds five slow units of 300 ms or fifteen of 100 ms.
void TestHeadline::statedWindowsAreWholeUnits() {
    Random random(1);
    const auto units = unitsOf(level(40, 300 * kMs, random) + level(180, 100 * kMs, random));
    const auto sustained = sustainedInterval(units, false, 1500 * kMs);
    QVERIFY(sustained);
    QVERIFY2(sustained->windows >= 15 && sustained->windows <= 20,
             qPrintable(QString::number(sustained->windows)));
    QVERIFY(sustained->first >= 38 && sustained->first <= 55);
    QCOMPARE(sustained->range.end, units.back().range.end);
    // Windows of a third of the run cannot show where it settles.
    const auto coarse = sustainedInterval(units, false, 10 * kS);
    QCOMPARE(coarse->first, std::size_t(0));
    QVERIFY(coarse->note.find("too few") != std::string::npos);
    // Where even the whole run is shorter, it is one window.
    QCOMPARE(sustainedInterval(units, false, 1000 * kS)->windows, std::size_t(1));
}

void TestHeadline::slowEndingStays() {
    Random random(2);
    for (const std::size_t slow : {std::size_t(15), std::size_t(100)}) {
        const auto units = unitsOf(level(200, 100 * kMs, random) + level(slow, 180 * kMs, random));
        const auto sustained = sustainedInterval(units, false);
        QCOMPARE(sustained->range.end, units.back().range.end);
        QVERIFY(sustained->first <= 200);
    }
}

void TestHeadline::shortFastEndingDoesNotStandAlone() {
    Random random(3);
    const auto units = unitsOf(level(150, 200 * kMs, random) + level(20, 80 * kMs, random));
    QVERIFY(sustainedInterval(units, false)->first < 150);
}

void TestHeadline::cyclesAreKeptWhole() {
    Random random(4);
    std::vector<Ns> durations;
    for (int cycle = 0; cycle < 4; ++cycle)
        durations = durations + level(25, 100 * kMs, random) + level(25, 160 * kMs, random);
    QCOMPARE(sustainedInterval(unitsOf(durations), false)->first, std::size_t(0));
}

void TestHeadline::allModeKeepsEverything() {
    Random random(5);
    const auto units = unitsOf(level(20, 300 * kMs, random) + level(180, 100 * kMs, random));
    QCOMPARE(sustainedInterval(units, true)->first, std::size_t(0));
    QVERIFY(!sustainedInterval({}, true));
}

void TestHeadline::timeConstantOfAnExponential() {
    std::vector<Sample> samples;
    for (Ns t = 0; t <= 200; ++t)
        samples.push_back({t * kS, 40 + 40 * (1 - std::exp(-static_cast<double>(t) / 20))});
    const auto tau = thermalTimeConstant(samples);
    QVERIFY(tau && std::abs(static_cast<double>(*tau) / 1e9 - 20) <= 1.5);
    QVERIFY(!thermalTimeConstant({{0, 40}, {1, 41}, {2, 41}, {3, 41}, {4, 41}}));
}

void TestHeadline::settledNeedsAMinute() {
    Context context;
    QVERIFY(!settling({0, 59 * kS}, context).settled);
    QVERIFY(settling({0, 60 * kS}, context).settled);
    for (Ns t = 0; t <= 60; ++t)
        context.readings[DeviceId(1)].temperatureC.push_back(
            {t * kS, 40 + 40 * (1 - std::exp(-static_cast<double>(t) / 20))});
    QVERIFY(!settling({0, 60 * kS}, context).settled);
    QVERIFY(settling({0, 150 * kS}, context).settled);
    context.clamps.push_back({DeviceId(1), {10 * kS, 11 * kS}, "thermal", "hw", {}, false});
    QVERIFY(!settling({0, 150 * kS}, context).settled);
}

void TestHeadline::goodputPerJoule() {
    Context context;
    context.scenario.unitName = "token";
    context.scenario.sustainedMode = "all";
    context.scenario.sla = {{"latency", 90, 150}};
    std::vector<Ns> durations(100, 100 * kMs);
    for (std::size_t i = 0; i < durations.size(); i += 20)
        durations[i] = 200 * kMs;  // 5 of 100 miss the limit
    context.units = unitsOf(durations);
    context.units[3].ok = false;  // a failed one: its joules stay
    addPower(context, 100, 20 * kS);
    computeHeadline(context);
    const Headline &headline = context.result.headline;
    QCOMPARE(headline.unit, std::string("token/J"));
    const double joules = 100 * (100 * 0.1 + 5 * 0.1);
    QVERIFY(std::abs(*headline.energyJ - joules) < 1e-6);
    QVERIFY(std::abs(*headline.value - 94 / joules) < 1e-9);
    QVERIFY(std::abs(*headline.valueNoSla - 99 / joules) < 1e-9);
    QVERIFY(std::abs(*headline.attainment - 0.94) < 1e-9);
    QVERIFY(headline.ci95 && headline.ci95->low <= *headline.value && *headline.value <= headline.ci95->high);
    QCOMPARE(*headline.sla[0].pass, true);
    QVERIFY(!headline.settled);
    QCOMPARE(headline.domainsMissing, (std::vector<std::string>{"host", "memory", "rest"}));
}

void TestHeadline::withoutSlaTheValueIsNull() {
    Context context;
    context.units = unitsOf(std::vector<Ns>(20, 100 * kMs));
    addPower(context, 50, 3 * kS);
    computeHeadline(context);
    QVERIFY(!context.result.headline.value && context.result.headline.valueNoSla);
    QVERIFY(context.result.reasons.contains("headline.value"));
}

void TestHeadline::failingSlaIsSaid() {
    Context context;
    context.scenario.sla = {{"latency", 50, 10}};
    context.units = unitsOf(std::vector<Ns>(20, 100 * kMs));
    addPower(context, 50, 3 * kS);
    computeHeadline(context);
    QCOMPARE(*context.result.headline.sla[0].pass, false);
    QVERIFY(context.result.headline.note.find("not an operating point") != std::string::npos);
}

void TestHeadline::missingPowerGivesReasons() {
    Context context;
    context.units = unitsOf(std::vector<Ns>(20, 100 * kMs));
    computeHeadline(context);
    QVERIFY(!context.result.headline.valueNoSla);
    QCOMPARE(*context.result.headline.units, 20.0);
    QVERIFY(context.result.reasons.contains("headline.value_no_sla"));
    Context nothing;
    computeHeadline(nothing);
    QVERIFY(nothing.result.reasons.contains("headline.units"));
}

void TestHeadline::domainsOfTheScenario() {
    Context context;
    addPower(context, 50, kS);
    CounterRow package;
    package.domain = "package";
    DeviceRow cpu;
    cpu.name = "CPU 0";
    cpu.kind = DeviceKind::Cpu;
    context.otherPower.push_back({"package", cpu, PowerSeries(package, {{0, 10}, {kS, 10}})});
    QCOMPARE(headlineDomains(context).series.size(), std::size_t(2));
    QCOMPARE(headlineDomains(context).missing, (std::vector<std::string>{"memory", "rest"}));
    context.scenario.domains["accelerator"] = {"GPU 0"};
    QCOMPARE(headlineDomains(context).series.size(), std::size_t(1));
    context.scenario.domains["host"] = {"package"};
    QCOMPARE(headlineDomains(context).measured, (std::vector<std::string>{"accelerator", "host"}));
}

void TestHeadline::onlyMeterOfTheNodeHoldsTheOthers() {
    const auto missingWith = [](DeviceKind kind) {
        Context context;
        addPower(context, 50, kS);
        DeviceRow device;
        device.name = "meter";
        device.kind = kind;
        context.otherPower.push_back({"meter", device, PowerSeries(CounterRow{}, {{0, 10}, {kS, 10}})});
        return headlineDomains(context).missing;
    };
    QCOMPARE(missingWith(DeviceKind::Outlet), std::vector<std::string>{});
    QCOMPARE(missingWith(DeviceKind::Rail), (std::vector<std::string>{"host", "memory"}));
}

void TestHeadline::budgetIsCrossedByWhoeverTakesIt() {
    Context context;
    context.scenario.budgetJPerUnit = 4;
    context.units = unitsOf(std::vector<Ns>(10, 100 * kMs));
    addPower(context, 50, 2 * kS);
    const auto row = [](const char *path, Ns ts, double j) {
        store::EnergyRow out;
        out.path = path;
        out.device = DeviceId(1);
        out.ts = ts;
        out.dur = 1;
        out.j = j;
        return out;
    };
    context.energyRows = {row("compute/gemm", 0, 25), row("idle/host", 10, 20), row("compute/gemm", 20, 5),
                          row("outside_trace", 30, 100)};
    context.result.energy.devices = {{}};
    context.result.energy.devices[0].device = "GPU 0";
    context.result.energy.devices[0].deviceId = DeviceId(1);
    context.result.energy.byPath = {{"compute/gemm", "GPU 0", 30, {}, 0, {}},
                                    {"idle/host", "GPU 0", 20, {}, 0, {}},
                                    {"outside_trace", "GPU 0", 100, {}, 0, {}}};
    computeHeadline(context);
    const EnergyResult &energy = context.result.energy;
    QCOMPARE(*energy.budgetCrossedBy, std::string("idle/host"));
    QCOMPARE(energy.budgetOrder, (std::vector<std::string>{"compute/gemm", "idle/host"}));
    QCOMPARE(*energy.byPath[0].jPerUnit, 3.0);
    QVERIFY(!energy.byPath[2].jPerUnit);
}

void TestHeadline::guardrailsOverThresholds() {
    QualityRow row;
    row.metric = "accuracy";
    row.slice = "en";
    row.value = 0.75;
    row.threshold = 0.7;
    QCOMPARE(*qualityResults({row}, {})[0].pass, true);
    const auto strict = qualityResults({row}, {{"accuracy", "*", 0.76, {}}});
    QCOMPARE(*strict[0].pass, false);
    QCOMPARE(*strict[0].guardrail, 0.76);
    QCOMPARE(*qualityResults({row}, {{"accuracy", "de", 0.76, {}}})[0].pass, true);
}

QTEST_APPLESS_MAIN(TestHeadline)
#include "tst_headline.moc"
