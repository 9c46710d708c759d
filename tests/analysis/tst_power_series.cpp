#include "analysis/energy/power_series.h"

#include <cmath>
#include <random>

#include <QTest>

using namespace wattproof;
using analysis::EnergyOfRange;
using analysis::IntervalSet;
using analysis::PowerSeries;

namespace {

constexpr Ns kSecond = 1'000'000'000;

CounterRow channel(CounterKind kind) {
    CounterRow row;
    row.kind = kind;
    row.unit = kind == CounterKind::Gauge || kind == CounterKind::Mean ? "W" : "J";
    return row;
}

std::vector<Sample> everySecond(const std::vector<double> &values, Ns start = 0) {
    std::vector<Sample> samples;
    for (std::size_t i = 0; i < values.size(); ++i)
        samples.push_back({start + static_cast<Ns>(i) * kSecond, values[i]});
    return samples;
}

PowerSeries series(CounterKind kind, const std::vector<double> &values) {
    return {channel(kind), everySecond(values)};
}

bool near(double a, double b, double relative = 1e-9) {
    return std::abs(a - b) <= relative * std::max(1.0, std::abs(b));
}

// Uneven steps, some equal stamps, some gaps.
std::vector<Sample> randomSamples(std::mt19937 &random, CounterKind kind, std::size_t count) {
    std::uniform_real_distribution<double> watts(20, 700);
    std::vector<Sample> samples;
    Ns t = 5 * kSecond;
    double value = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const auto roll = random() % 40;
        t += roll == 0 ? 3 * kSecond : roll == 1 ? 0 : static_cast<Ns>(80'000'000 + random() % 40'000'000);
        value = kind == CounterKind::Counter && roll != 2 ? value + watts(random) : watts(random);
        samples.push_back({t, value});
    }
    return samples;
}

const CounterKind kEnergyKinds[] = {CounterKind::Gauge, CounterKind::Mean, CounterKind::Delta,
                                    CounterKind::Counter};

}  // namespace

class PowerSeriesTest : public QObject {
    Q_OBJECT

private slots:
    void gaugeIsTheTrapezoid();
    void gaugeEdgesAreInterpolated();
    void missingValueIsBridged();
    void distanceAboveFiveMediansIsAGap();
    void maxGapReplacesTheRule();
    void meanHoldsBackwards();
    void deltaSumsAndProratesEdges();
    void deltaAfterAGapKeepsItsSum();
    void counterIsTheDifference();
    void counterWrapsByItsModulus();
    void counterFallWithoutModulusIsAResetAndAGap();
    void counterBridgesAnyDistance();
    void runIsProratedOverItsWindow();
    void outsideIsNotIntegrated();
    void wattsFollowTheKind();
    void clockStepGivesNoPower();
    void emptyAndSingleSampleGiveNoJoules();
    void splittingAnywhereSumsToTheWhole();
    void coverageGapsAndOutsideAddUpToTheRange();
    void refiningALineChangesNothing();
    void rampAndParabolaMeetTheirClosedForms();
    void pollsAreThinnedToTheSensorsUpdates();
    void slowPollsStayAsTheyAre();
};

void PowerSeriesTest::gaugeIsTheTrapezoid() {
    const PowerSeries power = series(CounterKind::Gauge, {100, 200, 200, 100});
    const EnergyOfRange whole = power.energy(power.extent());
    QCOMPARE(whole.j, 500.0);
    QCOMPARE(whole.coveredS, 3.0);
    QCOMPARE(whole.missingS, 0.0);
    QCOMPARE(power.medianPeriod(), kSecond);
}

void PowerSeriesTest::gaugeEdgesAreInterpolated() {
    const PowerSeries power = series(CounterKind::Gauge, {100, 200, 200, 100});
    // From 150 W at 0.5 s to 150 W at 2.5 s.
    QCOMPARE(power.energy(TimeRange{kSecond / 2, 5 * kSecond / 2}).j, (150 + 200) / 2.0 * 0.5 + 200 + 87.5);
    QCOMPARE(power.energy(TimeRange{kSecond / 4, kSecond / 2}).j, (125 + 150) / 2.0 * 0.25);
}

void PowerSeriesTest::missingValueIsBridged() {
    const PowerSeries power = series(CounterKind::Gauge, {100, 110, NAN, 130, 120, 100});
    QCOMPARE(power.energy(power.extent()).j, 580.0);
    QCOMPARE(power.energy(power.extent()).coveredS, 5.0);
    QCOMPARE(power.samples().size(), std::size_t{5});
}

void PowerSeriesTest::distanceAboveFiveMediansIsAGap() {
    std::vector<Sample> samples = everySecond({150, 150, 150, 150, 150});
    const Ns afterwards = 4 * kSecond + 3600 * kSecond;
    for (const Sample &s : everySecond({150, 150, 150, 150, 150}, afterwards))
        samples.push_back(s);
    const PowerSeries power(channel(CounterKind::Gauge), samples);
    const EnergyOfRange whole = power.energy(power.extent());
    QCOMPARE(whole.j, 1200.0);
    QCOMPARE(whole.coveredS, 8.0);
    QCOMPARE(whole.missingS, 3600.0);
    QCOMPARE(whole.longestGapS, 3600.0);
    QCOMPARE(power.gaps(), (IntervalSet{{4 * kSecond, afterwards}}));
    QCOMPARE(power.covered().size(), std::size_t{2});
    QVERIFY(!power.watts(100 * kSecond));
    QCOMPARE(power.energy(TimeRange{100 * kSecond, 200 * kSecond}).longestGapS, 100.0);
    // Exactly five periods are still bridged.
    std::vector<Sample> five = everySecond({10, 10, 10, 10});
    five.push_back({8 * kSecond, 10});
    QCOMPARE(PowerSeries(channel(CounterKind::Gauge), five).energy(TimeRange{0, 8 * kSecond}).j, 80.0);
}

void PowerSeriesTest::maxGapReplacesTheRule() {
    const std::vector<Sample> samples{{0, 100},
                                      {10 * kSecond, 100},
                                      {10 * kSecond + kSecond / 10, 500},
                                      {10 * kSecond + kSecond / 5, 500},
                                      {10 * kSecond + 3 * kSecond / 10, 100},
                                      {20 * kSecond, 100}};
    const PowerSeries power(channel(CounterKind::Gauge), samples, 60 * kSecond);
    QCOMPARE(power.energy(power.extent()).j, 2080.0);
    QVERIFY(power.gaps().empty());
    QCOMPARE(PowerSeries(channel(CounterKind::Gauge), samples).gaps().size(), std::size_t{2});
}

void PowerSeriesTest::meanHoldsBackwards() {
    const PowerSeries power = series(CounterKind::Mean, {10, 20, 30});
    QCOMPARE(power.extent(), (TimeRange{-kSecond, 2 * kSecond}));
    QCOMPARE(power.energy(power.extent()).j, 60.0);
    QCOMPARE(power.energy(TimeRange{kSecond / 2, 3 * kSecond / 2}).j, 10.0 + 15.0);
}

void PowerSeriesTest::deltaSumsAndProratesEdges() {
    const PowerSeries power = series(CounterKind::Delta, {7, 10, 30});
    QCOMPARE(power.energy(power.extent()).j, 47.0);
    QCOMPARE(power.energy(TimeRange{kSecond / 2, 5 * kSecond / 4}).j, 5.0 + 7.5);
}

void PowerSeriesTest::deltaAfterAGapKeepsItsSum() {
    std::vector<Sample> samples = everySecond({10, 10, 10, 10});
    samples.push_back({100 * kSecond, 10});
    const PowerSeries power(channel(CounterKind::Delta), samples);
    QCOMPARE(power.energy(power.extent()).j, 50.0);
    QCOMPARE(power.gaps(), (IntervalSet{{3 * kSecond, 99 * kSecond}}));
}

void PowerSeriesTest::counterIsTheDifference() {
    const PowerSeries power = series(CounterKind::Counter, {1000, 1120, 1240});
    QCOMPARE(power.energy(power.extent()).j, 240.0);
    QCOMPARE(power.energy(TimeRange{kSecond / 2, kSecond}).j, 60.0);
}

void PowerSeriesTest::counterWrapsByItsModulus() {
    CounterRow row = channel(CounterKind::Counter);
    row.modulus = 262144;
    const PowerSeries power(row, everySecond({262084, 262114, 10, 45}));
    QCOMPARE(power.energy(power.extent()).j, 30.0 + 40.0 + 35.0);
    QVERIFY(power.gaps().empty());
}

void PowerSeriesTest::counterFallWithoutModulusIsAResetAndAGap() {
    const PowerSeries power = series(CounterKind::Counter, {1000, 1100, 20, 120});
    const EnergyOfRange whole = power.energy(power.extent());
    QCOMPARE(whole.j, 200.0);
    QCOMPARE(whole.missingS, 1.0);
    QCOMPARE(power.gaps(), (IntervalSet{{kSecond, 2 * kSecond}}));
}

void PowerSeriesTest::counterBridgesAnyDistance() {
    std::vector<Sample> samples = everySecond({0, 100, 200});
    samples.push_back({3600 * kSecond, 5000});
    const PowerSeries power(channel(CounterKind::Counter), samples);
    QCOMPARE(power.energy(power.extent()).j, 5000.0);
    QVERIFY(power.gaps().empty());
}

void PowerSeriesTest::runIsProratedOverItsWindow() {
    CounterRow row = channel(CounterKind::Run);
    row.sensor.window = 10 * kSecond;
    const PowerSeries power(row, {{20 * kSecond, 500}});
    QCOMPARE(power.extent(), (TimeRange{10 * kSecond, 20 * kSecond}));
    QCOMPARE(power.energy(power.extent()).j, 500.0);
    QCOMPARE(power.energy(TimeRange{15 * kSecond, 30 * kSecond}).j, 250.0);
    QCOMPARE(power.watts(12 * kSecond), std::optional<double>(50.0));
}

void PowerSeriesTest::outsideIsNotIntegrated() {
    const PowerSeries power = series(CounterKind::Gauge, {100, 100});
    const EnergyOfRange wide = power.energy(TimeRange{-2 * kSecond, 5 * kSecond});
    QCOMPARE(wide.j, 100.0);
    QCOMPARE(wide.outsideS, 6.0);
    QCOMPARE(power.energy(TimeRange{10 * kSecond, 12 * kSecond}).outsideS, 2.0);
    QCOMPARE(power.energy(TimeRange{kSecond, 0}).outsideS, 0.0);
}

void PowerSeriesTest::wattsFollowTheKind() {
    QCOMPARE(series(CounterKind::Gauge, {100, 200}).watts(kSecond / 2), std::optional<double>(150.0));
    QCOMPARE(series(CounterKind::Gauge, {100, 200}).watts(kSecond), std::optional<double>(200.0));
    QCOMPARE(series(CounterKind::Mean, {100, 200}).watts(kSecond / 2), std::optional<double>(200.0));
    QCOMPARE(series(CounterKind::Delta, {100, 200}).watts(kSecond / 2), std::optional<double>(200.0));
    QCOMPARE(series(CounterKind::Counter, {100, 250}).watts(0), std::optional<double>(150.0));
    QVERIFY(!series(CounterKind::Gauge, {100, 200}).watts(-1));
}

void PowerSeriesTest::clockStepGivesNoPower() {
    const PowerSeries power(channel(CounterKind::Counter),
                            {{0, 0}, {3 * kSecond, 66}, {3 * kSecond + 400'000, 132}, {6 * kSecond, 198}});
    QCOMPARE(power.energy(power.extent()).j, 198.0);
    QVERIFY(!power.watts(3 * kSecond + 200'000));
    QCOMPARE(power.watts(kSecond), std::optional<double>(22.0));
}

void PowerSeriesTest::emptyAndSingleSampleGiveNoJoules() {
    const PowerSeries none(channel(CounterKind::Gauge), {});
    QCOMPARE(none.energy(TimeRange{0, kSecond}).outsideS, 1.0);
    QVERIFY(none.extent().empty());
    const PowerSeries one = series(CounterKind::Gauge, {100});
    QCOMPARE(one.energy(TimeRange{-kSecond, kSecond}).j, 0.0);
    QCOMPARE(one.watts(0), std::optional<double>(100.0));
    QVERIFY(none.updates().empty());
}

void PowerSeriesTest::splittingAnywhereSumsToTheWhole() {
    std::mt19937 random(7);
    for (const CounterKind kind : kEnergyKinds) {
        for (int round = 0; round < 20; ++round) {
            const PowerSeries power(channel(kind), randomSamples(random, kind, 200));
            const TimeRange range{power.extent().begin - kSecond, power.extent().end + kSecond};
            std::uniform_int_distribution<Ns> inside(range.begin, range.end);
            IntervalSet parts;
            std::vector<Ns> cuts{range.begin, range.end};
            for (int i = 0; i < 30; ++i)
                cuts.push_back(inside(random));
            std::sort(cuts.begin(), cuts.end());
            for (std::size_t i = 1; i < cuts.size(); ++i)
                parts.push_back({cuts[i - 1], cuts[i]});
            QVERIFY(near(power.energy(parts).j, power.energy(range).j));
            QVERIFY(near(power.energy(parts).missingS, power.energy(range).missingS));
        }
    }
}

void PowerSeriesTest::coverageGapsAndOutsideAddUpToTheRange() {
    std::mt19937 random(11);
    for (const CounterKind kind : kEnergyKinds) {
        const PowerSeries power(channel(kind), randomSamples(random, kind, 500));
        const TimeRange range{power.extent().begin - 3 * kSecond, power.extent().end + kSecond};
        const EnergyOfRange whole = power.energy(range);
        QVERIFY(near(whole.coveredS + whole.missingS + whole.outsideS, static_cast<double>(range.length()) / 1e9));
        QCOMPARE(analysis::length(power.covered()) + analysis::length(power.gaps()), power.extent().length());
        QVERIFY(whole.longestGapS <= whole.missingS);
        QVERIFY(near(power.energy(power.covered()).j, whole.j));
    }
}

void PowerSeriesTest::refiningALineChangesNothing() {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> watts(50, 500);
    std::vector<Sample> coarse, fine;
    for (Ns i = 0; i < 100; ++i)
        coarse.push_back({i * kSecond, watts(random)});
    const PowerSeries sparse(channel(CounterKind::Gauge), coarse);
    for (Ns t = 0; t <= 99 * kSecond; t += kSecond / 8)
        fine.push_back({t, *sparse.watts(t)});
    const PowerSeries dense(channel(CounterKind::Gauge), fine);
    QVERIFY(near(dense.energy(dense.extent()).j, sparse.energy(sparse.extent()).j));
    QVERIFY(near(dense.energy(TimeRange{123'456'789, 77'000'000'001}).j,
                 sparse.energy(TimeRange{123'456'789, 77'000'000'001}).j));
}

void PowerSeriesTest::rampAndParabolaMeetTheirClosedForms() {
    std::vector<Sample> ramp, parabola;
    for (Ns i = 0; i <= 1000; ++i) {
        const double t = static_cast<double>(i) / 100;
        ramp.push_back({i * kSecond / 100, 40 + 30 * t});
        parabola.push_back({i * kSecond / 100, 40 + 3 * t * t});
    }
    const TimeRange range{2 * kSecond, 9 * kSecond};
    QVERIFY(near(PowerSeries(channel(CounterKind::Gauge), ramp).energy(range).j, 40 * 7 + 15.0 * (81 - 4)));
    QVERIFY(near(PowerSeries(channel(CounterKind::Gauge), parabola).energy(range).j, 40 * 7 + 729.0 - 8.0, 1e-5));
}

void PowerSeriesTest::pollsAreThinnedToTheSensorsUpdates() {
    CounterRow row = channel(CounterKind::Gauge);
    row.sensor.period = 100'000'000;
    std::vector<Sample> polls;
    const double updates[] = {50, 60, 60, 60, 70};
    for (Ns i = 0; i < 50; ++i)
        polls.push_back({i * 10'000'000, updates[i / 10]});
    const std::vector<Sample> kept = PowerSeries(row, polls).updates();
    QCOMPARE(kept.size(), std::size_t{5});  // the two later updates to 60 W stay samples
    for (std::size_t i = 0; i < kept.size(); ++i) {
        QCOMPARE(kept[i].ts, static_cast<Ns>(i) * 100'000'000);
        QCOMPARE(kept[i].value, updates[i]);
    }
}

void PowerSeriesTest::slowPollsStayAsTheyAre() {
    CounterRow row = channel(CounterKind::Gauge);
    row.sensor.period = 100'000'000;
    QCOMPARE(PowerSeries(row, everySecond({50, 50, 50})).updates().size(), std::size_t{3});
    QCOMPARE(series(CounterKind::Gauge, {50, 50, 50}).updates().size(), std::size_t{3});
}

QTEST_APPLESS_MAIN(PowerSeriesTest)
#include "tst_power_series.moc"
