// One power curve whose energy is known in closed form, as a channel of each kind would log it.
#include "analysis/energy/power_series.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <QTest>

using namespace wattproof;
using namespace wattproof::analysis;

namespace {

constexpr Ns kSecond = 1'000'000'000;
constexpr double kModulus = 262'144;  // of a RAPL counter at 61 µJ, in J

double seconds(Ns t) {
    return static_cast<double>(t) / 1e9;
}

// A rise, and a swing that is no multiple of any sampling: 300 + 2 t + 120 sin(1.7 t) W.
double watts(Ns t) {
    return 300 + 2 * seconds(t) + 120 * std::sin(1.7 * seconds(t));
}

double joules(Ns from, Ns to) {
    const auto upTo = [](double t) { return 300 * t + t * t - 120 / 1.7 * std::cos(1.7 * t); };
    return upTo(seconds(to)) - upTo(seconds(from));
}

// Readings every `step` over [0, length].
PowerSeries logged(CounterKind kind, Ns step, Ns length) {
    CounterRow channel;
    channel.kind = kind;
    channel.unit = kind == CounterKind::Gauge || kind == CounterKind::Mean ? "W" : "J";
    std::vector<Sample> samples;
    if (kind == CounterKind::Run) {
        channel.sensor.window = length;
        return {channel, {{length, joules(0, length)}}};
    }
    const bool lasts = kind == CounterKind::Mean || kind == CounterKind::Delta;
    if (kind == CounterKind::Counter)
        channel.modulus = static_cast<std::uint64_t>(kModulus);
    for (Ns t = lasts ? step : 0; t <= length; t += step) {
        const double value = kind == CounterKind::Gauge     ? watts(t)
                             : kind == CounterKind::Counter ? std::fmod(kModulus - 5'000 + joules(0, t), kModulus)
                             : kind == CounterKind::Delta   ? joules(t - step, t)
                                                            : joules(t - step, t) / seconds(step);
        samples.push_back({t, value});
    }
    return {channel, std::move(samples)};
}

double relative(double found, double truth) {
    return std::abs(found - truth) / std::abs(truth);
}

void addKinds() {
    QTest::addColumn<CounterKind>("kind");
    QTest::newRow("gauge") << CounterKind::Gauge;
    QTest::newRow("mean") << CounterKind::Mean;
    QTest::newRow("delta") << CounterKind::Delta;
    QTest::newRow("counter") << CounterKind::Counter;
    QTest::newRow("run") << CounterKind::Run;
}

// By how much the trapezoid may miss the integral: step² / 12 · the change of the slope.
double trapezoidError(Ns step) {
    return seconds(step) * seconds(step) / 12 * 2 * 1.7 * 120;
}

}  // namespace

class TestEnergyProperties : public QObject {
    Q_OBJECT

private slots:
    void everyKindMeetsTheClosedForm_data() { addKinds(); }
    void everyKindMeetsTheClosedForm();
    void splitAnywhereAndSum_data() { addKinds(); }
    void splitAnywhereAndSum();
    void finerReadingsChangeNothing_data() { addKinds(); }
    void finerReadingsChangeNothing();
    void theCounterAgreesWithTheIntegral();
    void joulesNeverFallAsTheRangeGrows_data() { addKinds(); }
    void joulesNeverFallAsTheRangeGrows();
};

void TestEnergyProperties::everyKindMeetsTheClosedForm() {
    QFETCH(CounterKind, kind);
    const Ns step = kSecond / 10, length = 60 * kSecond;
    const PowerSeries power = logged(kind, step, length);
    QCOMPARE(power.extent(), (TimeRange{0, length}));
    QVERIFY(power.gaps().empty());
    const EnergyOfRange whole = power.energy(power.extent());
    QCOMPARE(whole.coveredS, 60.0);
    const bool isGauge = kind == CounterKind::Gauge;
    QVERIFY(std::abs(whole.j - joules(0, length)) <= (isGauge ? trapezoidError(step) : 1e-6));
    // Between readings: what the kind spreads evenly is spread so.
    const TimeRange part{17 * kSecond, 43 * kSecond};
    const double expected = kind == CounterKind::Run ? joules(0, length) * seconds(part.length()) / seconds(length)
                                                     : joules(part.begin, part.end);
    QVERIFY(std::abs(power.energy(part).j - expected) <= (isGauge ? trapezoidError(step) : 1e-6));
    const TimeRange quarter{17 * kSecond, 17 * kSecond + step / 4};
    const double cell = kind == CounterKind::Run ? joules(0, length) / 600 : joules(17 * kSecond, 17 * kSecond + step);
    if (!isGauge)
        QVERIFY(relative(power.energy(quarter).j, cell / 4) < 1e-6);
    else
        QVERIFY(relative(power.energy(quarter).j, joules(quarter.begin, quarter.end)) < 1e-3);
}

void TestEnergyProperties::splitAnywhereAndSum() {
    QFETCH(CounterKind, kind);
    const PowerSeries power = logged(kind, kSecond / 7, 50 * kSecond);
    std::mt19937 random(2);
    const TimeRange range{-2 * kSecond, 53 * kSecond};
    std::uniform_int_distribution<Ns> inside(range.begin, range.end);
    for (int round = 0; round < 50; ++round) {
        std::vector<Ns> cuts{range.begin, range.end};
        for (int i = 0; i < 20; ++i)
            cuts.push_back(inside(random));
        std::sort(cuts.begin(), cuts.end());
        double sum = 0, covered = 0;
        for (std::size_t i = 1; i < cuts.size(); ++i) {
            const EnergyOfRange part = power.energy(TimeRange{cuts[i - 1], cuts[i]});
            sum += part.j;
            covered += part.coveredS;
        }
        const EnergyOfRange whole = power.energy(range);
        QVERIFY(relative(sum, whole.j) < 1e-9);
        QVERIFY(std::abs(covered - whole.coveredS) < 1e-6);
    }
}

void TestEnergyProperties::finerReadingsChangeNothing() {
    QFETCH(CounterKind, kind);
    const TimeRange range{6 * kSecond, 42 * kSecond};
    const double truth = joules(range.begin, range.end);
    double before = 0;
    for (const Ns step : {kSecond / 2, kSecond / 4, kSecond / 8, kSecond / 16}) {
        const double j = logged(kind, step, 48 * kSecond).energy(range).j;
        if (kind == CounterKind::Gauge) {
            const double error = std::abs(j - truth);
            QVERIFY(before == 0 || (error < before / 3.5 && error > before / 4.5));  // of second order
            before = error;
        } else if (kind == CounterKind::Run) {
            QVERIFY(relative(j, joules(0, 48 * kSecond) * 36 / 48) < 1e-9);
        } else {
            QVERIFY(relative(j, truth) < 1e-9);
        }
    }
}

void TestEnergyProperties::theCounterAgreesWithTheIntegral() {
    const Ns length = 3600 * kSecond;
    const PowerSeries counter = logged(CounterKind::Counter, kSecond / 10, length);
    const auto wraps = std::adjacent_find(counter.samples().begin(), counter.samples().end(),
                                          [](const Sample &a, const Sample &b) { return b.value < a.value; });
    QVERIFY(wraps != counter.samples().end());
    std::mt19937 random(8);
    std::uniform_int_distribution<Ns> inside(0, length);
    for (const CounterKind kind : {CounterKind::Gauge, CounterKind::Mean, CounterKind::Delta}) {
        const PowerSeries power = logged(kind, kSecond / 10, length);
        QVERIFY(relative(power.energy(power.extent()).j, counter.energy(counter.extent()).j) < 1e-6);
        for (int i = 0; i < 50; ++i) {
            const Ns a = inside(random), b = inside(random);
            const TimeRange range{std::min(a, b), std::max(a, b) + kSecond};
            QVERIFY(std::abs(power.energy(range).j - counter.energy(range).j) < 2);
        }
    }
}

void TestEnergyProperties::joulesNeverFallAsTheRangeGrows() {
    QFETCH(CounterKind, kind);
    const PowerSeries power = logged(kind, kSecond / 10, 20 * kSecond);
    double before = 0;
    for (Ns end = 0; end <= 22 * kSecond; end += kSecond / 33) {
        const double j = power.energy(TimeRange{-kSecond, end}).j;
        QVERIFY(j >= before);
        before = j;
    }
    QVERIFY(relative(before, joules(0, 20 * kSecond)) < 1e-3);
}

QTEST_APPLESS_MAIN(TestEnergyProperties)
#include "tst_energy_properties.moc"
