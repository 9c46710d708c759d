// How far two clocks run apart: closed form, symmetries, and runs whose drift is known.
#include "analysis/alignment/align.h"
#include "analysis/alignment/clock_fit.h"
#include "tests/analysis/alignment_runs.h"

#include <cmath>

#include <QTest>

using namespace wattproof;
using namespace wattproof::analysis;
using namespace wattproof::test;

namespace {

constexpr Ns kMs = 1'000'000;
constexpr Ns kSecond = 1'000'000'000;
constexpr SensorModel kSensor{100 * kMs, 100 * kMs, 0, 0, true};

IntervalSet tenMinutes() {
    std::mt19937 random(11);
    return detail::bursts(random, 0, 600);
}

// What the sensor shows of the load, without noise, at the times of a clock that is `ppm` slow and `offset` behind.
std::vector<Sample> seen(const IntervalSet &busy, double ppm, Ns offset) {
    SensorView view(busy, kSensor);
    std::vector<Sample> points;
    for (Ns t = -5 * kSecond; t < 605 * kSecond; t += kSensor.period)
        points.push_back({t - offset - std::llround(ppm * 1e-6 * static_cast<double>(t)), 80 + 200 * view.share(t)});
    return points;
}

std::optional<ClockFit> fit(const IntervalSet &busy, const std::vector<Sample> &points, Ns offset) {
    return fitClock(busy, kSensor, points, offset, 400 * kMs, {});
}

}  // namespace

class TestClockFit : public QObject {
    Q_OBJECT

private slots:
    void knownDriftsAreFound_data();
    void knownDriftsAreFound();
    void levelsAndUnitsDoNotMatter();
    void anotherOffsetMovesTheOffsetAlone();
    void oppositeDriftsAreOpposite();
    void shortOrEmptyRunsHaveNoFit();
    void anAlignmentIsTurnedAboutItsAnchor();
    void wallClocksKeepTheirOffset();
    void randomRunsAreWithinTheStatedError();
};

void TestClockFit::knownDriftsAreFound_data() {
    QTest::addColumn<double>("ppm");
    for (const double ppm : {0.0, 20.0, 100.0, -100.0, 400.0})
        QTest::newRow(qPrintable(QString::number(ppm))) << ppm;
}

void TestClockFit::knownDriftsAreFound() {
    QFETCH(double, ppm);
    const Ns offset = 42 * kSecond;
    const IntervalSet busy = tenMinutes();
    const auto found = fit(busy, seen(busy, ppm, offset), offset + std::llround(ppm * 1e-6 * 300e9));
    QVERIFY(found && found->stretches >= 10);
    QVERIFY2(std::abs(found->ppm - ppm) <= 5, qPrintable(QString::number(found->ppm)));
    QCOMPARE(found->drifts(kSensor.period), std::abs(ppm) >= 100);
    // Where the anchor is, the fitted offset puts the log onto the trace.
    const double there = static_cast<double>(found->anchor + found->offset);
    const double error = static_cast<double>(found->offset - offset) - ppm * 1e-6 * there;
    QVERIFY2(std::abs(error) <= 3e6, qPrintable(QString::number(error)));
    QVERIFY(found->length > 500 * kSecond && found->length < 600 * kSecond);
}

void TestClockFit::levelsAndUnitsDoNotMatter() {
    const IntervalSet busy = tenMinutes();
    std::vector<Sample> points = seen(busy, 150, 0);
    const auto watts = fit(busy, points, 0);
    for (Sample &point : points)
        point.value = 3 * point.value + 1000;
    const auto others = fit(busy, points, 0);
    QVERIFY(watts && others);
    QVERIFY(std::abs(watts->ppm - others->ppm) < 1e-3);
    QVERIFY(std::llabs(watts->offset - others->offset) < 1000);
}

void TestClockFit::anotherOffsetMovesTheOffsetAlone() {
    const IntervalSet busy = tenMinutes();
    const auto here = fit(busy, seen(busy, 150, 0), 0);
    const auto far = fit(busy, seen(busy, 150, 7777 * kSecond), 7777 * kSecond);
    QVERIFY(here && far);
    QVERIFY(std::abs(here->ppm - far->ppm) < 1e-3);
    QVERIFY(std::llabs(far->offset - here->offset - 7777 * kSecond) < 1000);
}

void TestClockFit::oppositeDriftsAreOpposite() {
    const IntervalSet busy = tenMinutes();
    const auto slow = fit(busy, seen(busy, 200, 0), 0), fast = fit(busy, seen(busy, -200, 0), 0);
    QVERIFY(slow && fast);
    QVERIFY(slow->ppm > 0 && fast->ppm < 0);
    QVERIFY(std::abs(slow->ppm + fast->ppm) <= 8);
}

void TestClockFit::shortOrEmptyRunsHaveNoFit() {
    const IntervalSet busy = tenMinutes();
    const std::vector<Sample> points = seen(busy, 0, 0);
    QVERIFY(!fit(clip(busy, {0, 5 * kSecond}), points, 0));
    QVERIFY(!fit(busy, {}, 0));
    QVERIFY(!fit({{0, 600 * kSecond}}, points, 0));  // always busy: no edge
    std::stop_source source;
    source.request_stop();
    Task stopped;
    stopped.stop = source.get_token();
    QVERIFY(!fitClock(busy, kSensor, points, 0, 400 * kMs, stopped));
}

PowerSeries series(std::vector<Sample> points) {
    CounterRow channel;
    channel.quantity = "power";
    channel.unit = "W";
    channel.sensor.period = channel.sensor.window = kSensor.period;
    return {channel, std::move(points)};
}

void TestClockFit::anAlignmentIsTurnedAboutItsAnchor() {
    const IntervalSet busy = tenMinutes();
    const Ns base = 1'000 * kSecond;  // the log's first moment is its own 0
    std::vector<Sample> points = seen(busy, 300, -base);
    store::Alignment alignment;
    alignment.method = "correlation";
    alignment.offset = -base;
    alignment.uncertainty = 50 * kMs;
    QVERIFY(addDrift(alignment, busy, series(points), base, {}));
    QVERIFY(std::llabs(alignment.driftPpb - 300'000) <= 10'000);
    QVERIFY(alignment.uncertainty > 50 * kMs);
    QVERIFY(alignment.note.find("ppm slow") != std::string::npos);
    // Every reading comes to stand where it was taken.
    const TimeMap map{base, alignment.offset, alignment.driftPpb, alignment.anchor};
    Ns taken = -5 * kSecond;
    for (const Sample &point : points) {
        QVERIFY(std::llabs(map.toWorkspace(point.ts - base) - taken) <= 8 * kMs);
        taken += kSensor.period;
    }
    store::Alignment steady;
    steady.method = "correlation";
    steady.offset = 5 * kSecond;
    QVERIFY(addDrift(steady, busy, series(seen(busy, 0, 5 * kSecond)), 0, {}));
    QVERIFY(steady.driftPpb == 0 && steady.offset == 5 * kSecond && steady.note.empty());
}

void TestClockFit::wallClocksKeepTheirOffset() {
    const IntervalSet busy = tenMinutes();
    store::Alignment alignment;
    alignment.method = "wall-clock";
    alignment.uncertainty = 150 * kMs;
    QVERIFY(addDrift(alignment, busy, series(seen(busy, 300, -90 * kMs)), 0, {}));  // at the anchor 0 fits
    QVERIFY(alignment.driftPpb != 0);
    QCOMPARE(alignment.offset, Ns(0));
}

void TestClockFit::randomRunsAreWithinTheStatedError() {
    int fits = 0, within = 0, claimed = 0, falseClaims = 0, wrongSign = 0, drifting = 0, missed = 0;
    for (int i = 0; i < 100; ++i) {
        RandomRunOptions options;
        options.seconds = 400;
        options.driftPpm = std::vector<double>{0, 0, 50, -200, 500}[static_cast<std::size_t>(i) % 5];
        const RandomRun run = randomRun(700'000 + static_cast<std::uint32_t>(i), options);
        const PowerSeries power(run.channel, run.samples);
        const SensorModel model = sensorModel(power);
        const Ns middle = run.offset + std::llround(options.driftPpm * 1e-6 * 200e9);
        const auto found = fitClock(run.busy, model, wattPoints(power), middle,
                                    std::max(3 * model.period, 120 * kMs), {});
        if (!found)
            continue;
        ++fits;
        within += std::abs(found->ppm - options.driftPpm) <= 4 * found->ppmSigma;
        const bool claims = found->drifts(model.period);
        claimed += claims;
        falseClaims += claims && options.driftPpm == 0;
        wrongSign += claims && found->ppm * options.driftPpm < 0;
        const bool matters = std::abs(options.driftPpm) * 1e-6 * 400e9 >= static_cast<double>(model.period);
        drifting += matters;
        missed += matters && !claims;
    }
    qInfo("%d fits, %d within four standard errors, %d claims (%d of clocks without drift, %d of the wrong sign), "
          "%d of %d that matter missed",
          fits, within, claimed, falseClaims, wrongSign, missed, drifting);
    QVERIFY(fits >= 60);
    QVERIFY(within * 100 >= 95 * fits);
    QCOMPARE(falseClaims, 0);
    QCOMPARE(wrongSign, 0);
    QVERIFY(missed * 5 <= drifting);
}

QTEST_GUILESS_MAIN(TestClockFit)
#include "tst_clock_fit.moc"
