#include "analysis/energy/reconstruction.h"

#include <cmath>
#include <functional>
#include <random>

#include <QTest>

using namespace wattproof;
using namespace wattproof::analysis;

namespace {

constexpr Ns kMs = 1'000'000;
constexpr Ns kSecond = 1'000'000'000;

struct Shape {
    Ns period = 100 * kMs, window = 100 * kMs, lag = 0;
    double duty = 1, quantum = 0.01, noiseW = 0;
    Ns shortest = 150 * kMs, longest = 1500 * kMs;  // stretches of constant power
    CounterKind kind = CounterKind::Gauge;
};

// Power in steps, known exactly: its energy up to any time.
class Truth {
public:
    Truth(std::mt19937 &random, const Shape &shape, Ns length) {
        std::uniform_int_distribution<Ns> duration(shape.shortest, shape.longest);
        std::uniform_real_distribution<double> watts(60, 400);
        for (Ns t = -3 * kSecond; t < length + 3 * kSecond;) {
            const Ns end = t + duration(random);
            steps_.push_back({{t, end}, random() % 3 == 0 ? 60.0 : watts(random)});
            t = end;
        }
    }
    [[nodiscard]] double mean(TimeRange range) const {
        double energy = 0;
        for (const auto &[step, watts] : steps_)
            energy += watts * static_cast<double>(std::max<Ns>(
                                  0, std::min(step.end, range.end) - std::max(step.begin, range.begin)));
        return energy / static_cast<double>(range.length());
    }

private:
    std::vector<std::pair<TimeRange, double>> steps_;
};

struct Sensed {
    Truth truth;
    PowerSeries power;
};

Sensed sense(std::uint32_t seed, const Shape &shape, Ns length = 20 * kSecond) {
    std::mt19937 random(seed);
    Truth truth(random, shape, length);
    std::normal_distribution<double> noise;
    CounterRow channel;
    channel.unit = "W";
    channel.kind = shape.kind;
    channel.sensor.period = shape.period;
    channel.sensor.window = shape.kind == CounterKind::Gauge ? shape.window : 0;
    channel.sensor.lag = shape.lag;
    channel.sensor.duty = shape.duty;
    channel.sensor.quantum = shape.quantum;
    std::vector<Sample> samples;
    for (Ns t = 0; t < length; t += shape.period) {
        const Ns end = t - shape.lag;
        const auto seen = static_cast<Ns>(shape.duty * static_cast<double>(shape.window));
        double watts = truth.mean({end - seen, end});
        if (shape.noiseW > 0)
            watts += shape.noiseW * noise(random);
        samples.push_back({t, std::round(watts / shape.quantum) * shape.quantum});
    }
    return {std::move(truth), PowerSeries(channel, std::move(samples))};
}

ReconstructionQuery query(Ns begin, Ns end, std::size_t steps) {
    ReconstructionQuery q;
    q.range = {begin, end};
    q.steps = steps;
    return q;
}

// Share of the known steps in which the truth's mean lies in the band, which may be a hair too narrow.
double inBand(const Reconstruction &r, const Truth &truth) {
    int known = 0, inside = 0;
    for (const ReconstructedStep &step : r.steps) {
        if (!step.known())
            continue;
        ++known;
        const double watts = truth.mean(step.range);
        inside += watts >= step.low - 1e-6 && watts <= step.high + 1e-6;
    }
    return known > 0 ? static_cast<double>(inside) / known : 0;
}

double meanOf(const Reconstruction &r, TimeRange range) {
    double energy = 0;
    for (const ReconstructedStep &step : r.steps)
        energy += step.central * static_cast<double>(std::max<Ns>(0, std::min(step.range.end, range.end) -
                                                                         std::max(step.range.begin, range.begin)));
    return energy / static_cast<double>(range.length());
}

double worstReading(const Reconstruction &r, TimeRange within) {
    double worst = 0;
    for (const PowerWindow &reading : r.readings)
        if (reading.range.begin >= within.begin && reading.range.end <= within.end)
            worst = std::max(worst, std::abs(meanOf(r, reading.range) - reading.watts));
    return worst;
}

}  // namespace

class TestReconstruction : public QObject {
    Q_OBJECT

private slots:
    void truthLiesInTheBand_data();
    void truthLiesInTheBand();
    void meansOfTheEstimateAreTheReadings_data();
    void meansOfTheEstimateAreTheReadings();
    void energyIsConserved();
    void fineSensorHasNoBand();
    void aMeanIsNoInstant();
    void bandWidensAsStepsGetShorter();
    void limitsNarrowTheBand();
    void rollingMeanTellsMoreThanItsWindow();
    void unseenTimeIsBoundedByLimitsAlone();
    void gapsAreUnknown();
    void nothingGivesNothing();
};

void TestReconstruction::truthLiesInTheBand_data() {
    QTest::addColumn<Shape>("shape");
    QTest::newRow("means of 100 ms") << Shape{};
    QTest::newRow("with lag") << Shape{100 * kMs, 100 * kMs, 60 * kMs};
    QTest::newRow("rolling mean of 1 s") << Shape{100 * kMs, kSecond};
    QTest::newRow("rolling mean of 1 s, noisy") << Shape{100 * kMs, kSecond, 0, 1, 0.01, 1.0};
    QTest::newRow("noisy") << Shape{100 * kMs, 100 * kMs, 0, 1, 1, 2.0};
    QTest::newRow("a quarter of the time") << Shape{100 * kMs, 100 * kMs, 0, 0.25};
    QTest::newRow("short window") << Shape{100 * kMs, 25 * kMs};
    QTest::newRow("kind mean") << Shape{100 * kMs,  100 * kMs,        0, 1, 0.01, 0, 150 * kMs,
                                        1500 * kMs, CounterKind::Mean};
    QTest::newRow("load faster than the sensor") << Shape{100 * kMs, 100 * kMs, 0, 1, 0.01, 0, 10 * kMs, 60 * kMs};
}

void TestReconstruction::truthLiesInTheBand() {
    QFETCH(Shape, shape);
    for (const std::size_t steps : {11U, 40U, 200U, 500U, 2000U}) {
        double sum = 0;
        for (std::uint32_t seed = 1; seed <= 5; ++seed) {
            const Sensed run = sense(seed, shape);
            sum += inBand(reconstruct(run.power, query(4 * kSecond, 14 * kSecond, steps)), run.truth) / 5;
        }
        qInfo("%zu steps: %.2f %%", steps, 100 * sum);
        QVERIFY(sum >= 0.999);
    }
}

void TestReconstruction::meansOfTheEstimateAreTheReadings_data() {
    truthLiesInTheBand_data();
}

void TestReconstruction::meansOfTheEstimateAreTheReadings() {
    QFETCH(Shape, shape);
    if (shape.duty < 1)
        return;  // seen parts are told by the band alone: steps do not resolve them here
    const Sensed run = sense(3, shape);
    const Reconstruction r = reconstruct(run.power, query(4 * kSecond, 14 * kSecond, 4000));
    QVERIFY(!r.readings.empty());
    const double worst = worstReading(r, {5 * kSecond, 13 * kSecond});
    qInfo("worst %.3f W, tolerance %.3f W", worst, r.toleranceW);
    // Windows that do not overlap hold exactly their energy, others within what a reading may be wrong.
    QVERIFY(worst <= (shape.window > shape.period ? 1.5 * r.toleranceW + 0.02 : 0.01));
}

void TestReconstruction::energyIsConserved() {
    for (const Ns window : {100 * kMs, kSecond}) {
        Shape shape;
        shape.window = window;
        const Sensed run = sense(9, shape);
        const TimeRange range{4 * kSecond, 14 * kSecond};
        const Reconstruction r = reconstruct(run.power, query(range.begin, range.end, 1000));
        const double truth = run.truth.mean(range), found = meanOf(r, range);
        QVERIFY2(std::abs(found - truth) < 0.002 * truth, qPrintable(QString("%1 %2").arg(found).arg(truth)));
        const double log = centred(run.power).energy(range).j / 10;
        QVERIFY(std::abs(found - log) < 0.02 * log);
    }
}

void TestReconstruction::fineSensorHasNoBand() {
    Shape shape;
    shape.period = shape.window = kMs;
    const Sensed run = sense(5, shape, 8 * kSecond);
    const Reconstruction r = reconstruct(run.power, query(2 * kSecond, 6 * kSecond, 400));
    QCOMPARE(r.steps.size(), std::size_t{400});
    for (const ReconstructedStep &step : r.steps) {
        QVERIFY(step.high - step.low <= 4 * r.toleranceW + 1e-6);
        QVERIFY(std::abs(step.central - run.truth.mean(step.range)) <= 2 * r.toleranceW + 0.01);
    }
}

void TestReconstruction::aMeanIsNoInstant() {
    const Sensed run = sense(5, {});
    ReconstructionQuery q = query(4 * kSecond, 14 * kSecond, 100);  // the windows themselves
    q.floorW = 60;
    q.ceilingW = 400;
    for (const ReconstructedStep &step : reconstruct(run.power, q).steps) {
        QVERIFY(step.high - step.low <= 2 * 0.005 + 1e-6);
        QVERIFY(step.low <= step.central && step.central <= step.high);
    }
    q.steps = 1000;
    int uncertain = 0, level = 0;
    for (const ReconstructedStep &step : reconstruct(run.power, q).steps) {
        const double mean = run.truth.mean({step.range.begin / (100 * kMs) * (100 * kMs),
                                            step.range.begin / (100 * kMs) * (100 * kMs) + 100 * kMs});
        // A tenth of a window holds all that is above the floor, or all that is below the ceiling is elsewhere.
        const double high = std::min(400.0, 60 + 10 * (mean - 60)), low = std::max(60.0, 400 - 10 * (400 - mean));
        QVERIFY(std::abs(step.high - high) <= 0.2 && std::abs(step.low - low) <= 0.2);
        (mean > 70 && mean < 390 ? uncertain : level) += 1;
        QVERIFY(mean < 70 || mean > 390 || step.high - step.low > 100);
    }
    qInfo("%d uncertain, %d level", uncertain, level);
    QVERIFY(uncertain >= 300 && level >= 50);
}

void TestReconstruction::bandWidensAsStepsGetShorter() {
    const Sensed run = sense(6, {});
    double before = 0;
    for (const std::size_t steps : {10U, 130U, 1000U}) {
        const Reconstruction r = reconstruct(run.power, query(4 * kSecond, 14 * kSecond, steps));
        double width = 0;
        for (const ReconstructedStep &step : r.steps)
            width += (step.high - step.low) / static_cast<double>(steps);
        QVERIFY2(width > before, qPrintable(QString::number(width)));
        before = width;
    }
}

void TestReconstruction::limitsNarrowTheBand() {
    const Sensed run = sense(6, {});
    ReconstructionQuery q = query(4 * kSecond, 14 * kSecond, 1000);
    const Reconstruction wide = reconstruct(run.power, q);
    q.floorW = 60;
    q.ceilingW = 400;
    const Reconstruction narrow = reconstruct(run.power, q);
    QVERIFY(inBand(narrow, run.truth) >= 0.98);
    for (std::size_t i = 0; i < q.steps; ++i) {
        QVERIFY(narrow.steps[i].high <= std::min(400.02, wide.steps[i].high + 1e-6));
        QVERIFY(narrow.steps[i].low >= 59.98);
    }
}

void TestReconstruction::rollingMeanTellsMoreThanItsWindow() {
    Shape shape;
    shape.window = kSecond;
    const Sensed run = sense(8, shape);
    ReconstructionQuery q = query(4 * kSecond, 14 * kSecond, 100);  // steps of 100 ms under a mean of 1 s
    q.floorW = 60;
    q.ceilingW = 400;
    const Reconstruction r = reconstruct(run.power, q);
    double asSampled = 0, estimated = 0;
    for (const ReconstructedStep &step : r.steps) {
        const double truth = run.truth.mean(step.range);
        asSampled += std::abs(*centred(run.power).watts(step.range.begin + step.range.length() / 2) - truth) / 100;
        estimated += std::abs(step.central - truth) / 100;
    }
    qInfo("mean error %.1f W as sampled, %.1f W estimated", asSampled, estimated);
    QVERIFY(estimated < 0.5 * asSampled);
}

void TestReconstruction::unseenTimeIsBoundedByLimitsAlone() {
    Shape shape;
    shape.duty = 0.25;
    const Sensed run = sense(4, shape);
    ReconstructionQuery q = query(4 * kSecond, 6 * kSecond, 400);  // 5 ms
    Reconstruction r = reconstruct(run.power, q);
    QVERIFY(r.observed == 25 * kMs && r.window == 100 * kMs);
    QVERIFY(std::any_of(r.steps.begin(), r.steps.end(), [](const auto &s) { return std::isinf(s.high); }));
    q.ceilingW = 450;
    r = reconstruct(run.power, q);
    QVERIFY(std::none_of(r.steps.begin(), r.steps.end(), [](const auto &s) { return s.high > 450.01; }));
    QVERIFY(
        std::any_of(r.steps.begin(), r.steps.end(), [](const auto &s) { return s.high > 449.9 && s.low < 0.1; }));
}

void TestReconstruction::gapsAreUnknown() {
    const Sensed run = sense(2, {});
    std::vector<Sample> samples = run.power.samples();
    std::erase_if(samples, [](const Sample &s) { return s.ts > 8 * kSecond && s.ts < 11 * kSecond; });
    const PowerSeries power(run.power.channel(), samples);
    const Reconstruction r = reconstruct(power, query(4 * kSecond, 24 * kSecond, 200));
    for (const ReconstructedStep &step : r.steps) {
        const bool lost = step.range.begin >= 8100 * kMs && step.range.end <= 10800 * kMs;
        const bool seen = step.range.end < 8 * kSecond;
        QVERIFY(!lost || !step.known());
        QVERIFY(!seen || step.known());
        QVERIFY(step.range.begin < 20 * kSecond || !step.known());
    }
}

void TestReconstruction::nothingGivesNothing() {
    const Sensed run = sense(2, {});
    QVERIFY(reconstruct(PowerSeries(run.power.channel(), {}), query(0, kSecond, 10)).steps.empty());
    QVERIFY(reconstruct(run.power, query(kSecond, kSecond, 10)).steps.empty());
    QVERIFY(reconstruct(run.power, query(0, kSecond, 0)).steps.empty());
    std::stop_source source;
    source.request_stop();
    QVERIFY(reconstruct(run.power, query(0, kSecond, 10), source.get_token()).steps.empty());
}


QTEST_APPLESS_MAIN(TestReconstruction)
#include "tst_reconstruction.moc"
