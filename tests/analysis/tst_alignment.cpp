#include "analysis/alignment/align.h"
#include "analysis/alignment/cross_correlation.h"
#include "analysis/alignment/sensor_view.h"
#include "analysis/alignment/zone_guess.h"
#include "store/assumed_zone.h"
#include "tests/support/shared_files.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <QDateTime>
#include <QFile>
#include <QTest>
#include <QTimeZone>

using namespace wattproof;
using namespace wattproof::analysis;

namespace {

constexpr Ns kMs = 1'000'000;
constexpr Ns kSecond = 1'000'000'000;
constexpr Ns kHour = 3600 * kSecond;

CounterRow boardPower(Ns period, Ns window, Ns lag) {
    CounterRow channel;
    channel.name = "power.draw";
    channel.quantity = "power";
    channel.unit = "W";
    channel.sensor.period = period;
    channel.sensor.window = window;
    channel.sensor.lag = lag;
    return channel;
}

QList<QByteArray> linesOf(const QString &path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return file.readAll().split('\n');
}

// A query log read as the file states it, its wall time taken as UTC.
PowerSeries queryLog(const QString &path, Ns period, Ns window, Ns lag = 0) {
    const QList<QByteArray> lines = linesOf(path);
    int column = 0;
    const QList<QByteArray> header = lines.value(0).split(',');
    for (int i = 0; i < header.size(); ++i)
        if (header[i].trimmed().startsWith("power.draw ["))
            column = i;
    std::vector<Sample> samples;
    for (const QByteArray &line : lines.mid(1)) {
        const QList<QByteArray> cells = line.split(',');
        if (cells.size() <= column)
            continue;
        QDateTime time = QDateTime::fromString(QString::fromLatin1(cells[0].trimmed()), "yyyy/MM/dd HH:mm:ss.zzz");
        time.setTimeZone(QTimeZone::utc());
        samples.push_back({time.toMSecsSinceEpoch() * kMs, cells[column].trimmed().split(' ')[0].toDouble()});
    }
    return PowerSeries(boardPower(period, window, lag), std::move(samples));
}

// Load marks: epoch microseconds of the edges, each written twice, first one on.
IntervalSet markedLoad(const QString &path) {
    std::vector<Ns> edges;
    for (const QByteArray &line : linesOf(path).mid(1))
        if (!line.trimmed().isEmpty())
            edges.push_back(line.trimmed().toLongLong() * 1000);
    IntervalSet busy;
    for (std::size_t i = 0; i + 3 < edges.size(); i += 4)
        busy.push_back({edges[i], edges[i + 2]});
    return busy;
}

struct Run {
    IntervalSet busy;
    std::vector<Sample> samples;
    Ns offset = 0;  // to be added to the log's times
};

struct RunShape {
    Ns period = 100 * kMs, window = 100 * kMs, lag = 20 * kMs;
    double noiseW = 4;
    Ns traceFrom = 0, traceTo = 60 * kSecond;
};

// A device with random bursts, seen by a sensor; the trace holds the bursts of [traceFrom, traceTo).
Run simulate(std::uint32_t seed, const RunShape &shape) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> busyFor(0.2, 3.0), idleFor(0.2, 2.0), shift(-500, 500), phase(0, 1);
    std::normal_distribution<double> noise(0, shape.noiseW);
    IntervalSet all;
    for (double t = 5; t < 65;) {
        const double end = t + busyFor(random);
        all.push_back({static_cast<Ns>(t * 1e9), static_cast<Ns>(end * 1e9)});
        t = end + idleFor(random);
    }
    Run run;
    run.offset = static_cast<Ns>(shift(random) * 1e9);
    SensorModel model{shape.period, shape.window, shape.lag, 0};
    SensorView view(all, model);
    const Ns start = static_cast<Ns>(phase(random) * static_cast<double>(shape.period));
    for (Ns t = start; t < 80 * kSecond; t += shape.period)
        run.samples.push_back({t - run.offset, 60 + 240 * view.share(t) + noise(random)});
    run.busy = clip(all, {shape.traceFrom, shape.traceTo});
    return run;
}

struct Tally {
    int answered = 0, within = 0, confidentlyWrong = 0, refused = 0;
};

Tally tally(int runs, const RunShape &shape) {
    Tally t;
    for (int i = 0; i < runs; ++i) {
        const Run run = simulate(static_cast<std::uint32_t>(i + 1), shape);
        const PowerSeries power(boardPower(shape.period, shape.window, shape.lag), run.samples);
        const AlignmentProposal p = correlate(run.busy, power, {});
        if (!p.alignment) {
            ++t.refused;
            continue;
        }
        ++t.answered;
        const Ns error = std::llabs(p.alignment->offset - run.offset);
        t.within += error <= shape.period / 2;
        t.confidentlyWrong += error > shape.period && p.alignment->confidence >= 0.9;
    }
    return t;
}

Sample at(double seconds, double value) {
    return {static_cast<Ns>(seconds * 1e9), value};
}

}  // namespace

class TestAlignment : public QObject {
    Q_OBJECT

private slots:
    void seesTheLoadThroughWindowAndLag();
    void differencesEnergyCountersIntoWatts();
    void crossCorrelationEqualsTheDefinition();
    void crossCorrelationSkipsMissingPoints();
    void scoreIsHighestAtTheTrueOffset();
    void findsMostOffsetsWithinHalfAPeriod();
    void findsExcerptsOfALongerLog();
    void findsOffsetsThroughASlowSensor();
    void survivesGapsAndRepeatedReadings();
    void refusesAFlatLoad();
    void refusesADeadSensor();
    void refusesALoadThatRepeatsItself();
    void refusesWithoutOperations();
    void curveIsBoundedAndContainsThePeak();
    void clocksThatAgreeStayAsStated();
    void recognisesWholeHoursAndHalfHours();
    void zonesAreGuessedWhereNoneIsNamed();
    void aLongLogTellsTheZoneByItsLoad();
    void refusesClocksOfDifferentDays();
    void realStepLogsAreFoundFreely_data();
    void realStepLogsAreFoundFreely();
};

void TestAlignment::seesTheLoadThroughWindowAndLag() {
    const IntervalSet busy{{100, 200}, {300, 400}};
    SensorView view(busy, {100, 100, 50, 0});
    QCOMPARE(view.share(250), 1.0);  // [100, 200]
    QCOMPARE(view.share(300), 0.5);  // [150, 250]
    QCOMPARE(view.share(350), 0.0);
    QCOMPARE(view.share(425), 0.75);  // [275, 375]
    QCOMPARE(view.share(250), 1.0);   // backwards again
}

void TestAlignment::differencesEnergyCountersIntoWatts() {
    CounterRow channel;
    channel.kind = CounterKind::Counter;
    channel.unit = "J";
    channel.modulus = 100;
    const auto points = wattPoints(PowerSeries(channel, {at(0, 90), at(1, 95), at(2, 5), at(4, 25)}));
    QCOMPARE(points.size(), std::size_t(3));
    QCOMPARE(points[0].value, 5.0);
    QCOMPARE(points[1].value, 10.0);  // across the wrap
    QCOMPARE(points[2].value, 10.0);
}

void TestAlignment::crossCorrelationEqualsTheDefinition() {
    const Curve load{0, 1, 0, 1, 1, 0}, power{3, 1, 2, 9, 2, 8, 9, 1, 2};
    for (const LagScore &s : crossCorrelation(load, power, 4)) {
        double n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
        for (std::ptrdiff_t i = 0; i < std::ssize(load); ++i) {
            if (i + s.lag < 0 || i + s.lag >= std::ssize(power))
                continue;
            const double a = load[std::size_t(i)], b = power[std::size_t(i + s.lag)];
            n += 1, x += a, y += b, xx += a * a, yy += b * b, xy += a * b;
        }
        const double expected = (n * xy - x * y) / std::sqrt((n * xx - x * x) * (n * yy - y * y));
        QVERIFY(std::abs(s.correlation - expected) < 1e-9);
    }
    QCOMPARE(crossCorrelation(load, power, 6).size(), std::size_t(4));
}

void TestAlignment::crossCorrelationSkipsMissingPoints() {
    const double missing = std::nan("");
    const Curve load{0, 1, 0, 1, 1, 0}, power{5, missing, 5, 9, 9, 5};
    const auto scores = crossCorrelation(load, power, 5);
    const auto zero = std::find_if(scores.begin(), scores.end(), [](const LagScore &s) { return s.lag == 0; });
    QVERIFY(zero != scores.end());
    QVERIFY(std::abs(zero->correlation - 1) < 1e-9);
}

void TestAlignment::scoreIsHighestAtTheTrueOffset() {
    const RunShape shape;
    const Run run = simulate(7, shape);
    const PowerSeries power(boardPower(shape.period, shape.window, shape.lag), run.samples);
    const double best = alignmentScore(run.busy, power, run.offset);
    QVERIFY(best > 0.95);
    for (Ns shift = 500 * kMs; shift <= 20 * kSecond; shift += 500 * kMs) {
        QVERIFY(alignmentScore(run.busy, power, run.offset + shift) < best);
        QVERIFY(alignmentScore(run.busy, power, run.offset - shift) < best);
    }
}

void TestAlignment::findsMostOffsetsWithinHalfAPeriod() {
    const Tally t = tally(100, {});
    QVERIFY2(t.within >= 95, qPrintable(QString::number(t.within)));
    QCOMPARE(t.confidentlyWrong, 0);
}

void TestAlignment::findsExcerptsOfALongerLog() {
    RunShape shape;
    shape.traceFrom = 20 * kSecond;
    shape.traceTo = 32 * kSecond;
    const Tally t = tally(60, shape);
    QVERIFY2(t.within >= 45, qPrintable(QString("%1 within, %2 refused").arg(t.within).arg(t.refused)));
    QCOMPARE(t.confidentlyWrong, 0);
}

void TestAlignment::findsOffsetsThroughASlowSensor() {
    RunShape shape;
    shape.window = kSecond;
    shape.noiseW = 8;
    const Tally t = tally(60, shape);
    QVERIFY2(t.within >= 50, qPrintable(QString::number(t.within)));
    QCOMPARE(t.confidentlyWrong, 0);
}

void TestAlignment::survivesGapsAndRepeatedReadings() {
    const RunShape shape;
    Run run = simulate(11, shape);
    std::vector<Sample> polled;
    for (const Sample &s : run.samples) {
        const Ns t = s.ts + run.offset;
        if (t > 22 * kSecond && t < 27 * kSecond)
            continue;
        for (int repeat = 0; repeat < 4; ++repeat)
            polled.push_back({s.ts + repeat * 25 * kMs, s.value});
    }
    const PowerSeries power(boardPower(shape.period, shape.window, shape.lag), polled);
    const AlignmentProposal p = correlate(run.busy, power, {});
    QVERIFY2(p.alignment.has_value(), p.refusal.c_str());
    QVERIFY(std::llabs(p.alignment->offset - run.offset) <= shape.period);
}

void TestAlignment::refusesAFlatLoad() {
    IntervalSet busy;
    for (Ns t = 0; t < 20 * kSecond; t += 10 * kMs)
        busy.push_back({t, t + 5 * kMs});
    std::vector<Sample> samples;
    for (int i = 0; i < 400; ++i)
        samples.push_back(at(i * 0.1 - 10, 150 + (i % 3)));
    const AlignmentProposal p = correlate(busy, PowerSeries(boardPower(100 * kMs, kSecond, 0), samples), {});
    QVERIFY(!p.alignment);
    QVERIFY(!p.refusal.empty());
}

void TestAlignment::refusesADeadSensor() {
    const Run run = simulate(3, {});
    std::vector<Sample> dead = run.samples;
    for (Sample &s : dead)
        s.value = 46.19;
    const AlignmentProposal p = correlate(run.busy, PowerSeries(boardPower(100 * kMs, 100 * kMs, 0), dead), {});
    QVERIFY(!p.alignment);
    QVERIFY(p.refusal.find("dead sensor") != std::string::npos);
}

void TestAlignment::refusesALoadThatRepeatsItself() {
    IntervalSet busy;
    for (int i = 0; i < 10; ++i)
        busy.push_back({2 * i * kSecond, (2 * i + 1) * kSecond});
    std::vector<Sample> samples;  // the log saw twice as many repetitions
    for (int i = 0; i < 400; ++i)
        samples.push_back(at(i * 0.1, (i / 10) % 2 == 0 ? 300 : 60));
    const AlignmentProposal p = correlate(busy, PowerSeries(boardPower(100 * kMs, 100 * kMs, 0), samples), {});
    QVERIFY2(!p.alignment, "one of ten equal offsets was stated");
    QVERIFY2(p.refusal.find("repeats") != std::string::npos, p.refusal.c_str());
}

void TestAlignment::refusesWithoutOperations() {
    const Run run = simulate(3, {});
    const PowerSeries power(boardPower(100 * kMs, 0, 0), run.samples);
    QVERIFY(!correlate({}, power, {}).alignment);
    QVERIFY(!alignByClock({}, power, true).alignment);
    QCOMPARE(alignmentScore({}, power, 0), 0.0);
}

void TestAlignment::curveIsBoundedAndContainsThePeak() {
    const Run run = simulate(5, {});
    const AlignmentProposal p = correlate(run.busy, PowerSeries(boardPower(10 * kMs, 0, 0), run.samples), {});
    QVERIFY(p.alignment.has_value());
    QVERIFY(p.curve.size() <= 2000 && p.curve.size() > 100);
    QVERIFY(std::is_sorted(p.curve.begin(), p.curve.end(),
                           [](const AlignmentScore &a, const AlignmentScore &b) { return a.offset < b.offset; }));
    const auto top = std::max_element(
        p.curve.begin(), p.curve.end(),
        [](const AlignmentScore &a, const AlignmentScore &b) { return a.correlation < b.correlation; });
    QVERIFY(std::llabs(top->offset - p.peak->offset) <= 100 * kMs);
    QVERIFY(p.searched.begin <= p.peak->offset && p.peak->offset <= p.searched.end);
}

void TestAlignment::clocksThatAgreeStayAsStated() {
    Run run = simulate(9, {});
    for (Sample &s : run.samples)
        s.ts += run.offset;
    const AlignmentProposal p =
        alignByClock(run.busy, PowerSeries(boardPower(100 * kMs, 100 * kMs, 0), run.samples), true);
    QVERIFY(p.alignment.has_value());
    QCOMPARE(p.alignment->offset, Ns(0));
    QCOMPARE(p.alignment->method, std::string("wall-clock"));
    QVERIFY(p.alignment->confidence >= 0.9);
}

void TestAlignment::recognisesWholeHoursAndHalfHours() {
    const Run run = simulate(9, {});
    for (const Ns shift : {kHour, -2 * kHour, 5 * kHour + kHour / 2, 5 * kHour + 3 * kHour / 4}) {
        std::vector<Sample> samples = run.samples;
        for (Sample &s : samples)
            s.ts += run.offset + shift;
        const AlignmentProposal p =
            alignByClock(run.busy, PowerSeries(boardPower(100 * kMs, 100 * kMs, 0), samples), true);
        QVERIFY(p.alignment.has_value());
        QCOMPARE(p.alignment->offset, -shift);
        QVERIFY(p.alignment->note.find("zone") != std::string::npos);
    }
}

void TestAlignment::zonesAreGuessedWhereNoneIsNamed() {
    SourceRow log;
    log.clock = ClockBasis::WallAssumedZone;
    log.zone = "UTC" + std::string(kZoneAssumed);
    store::Alignment alignment;
    alignment.method = "wall-clock";
    const auto guess = [&](Ns offset) {
        alignment.offset = offset;
        return guessedZone(log, alignment).value_or("none");
    };
    QCOMPARE(guess(-kHour), std::string("UTC+01:00"));
    QCOMPARE(guess(5 * kHour), std::string("UTC-05:00"));
    QCOMPARE(guess(-5 * kHour - 3 * kHour / 4 + 40 * kMs), std::string("UTC+05:45"));  // turned by a drift
    QCOMPARE(guess(0), std::string("none"));
    log.zone = "UTC (as given)";
    QCOMPARE(guess(-kHour), std::string("none"));
    log.zone = "UTC" + std::string(kZoneAssumed);
    alignment.method = "correlation";  // with a trace that has no wall time
    QCOMPARE(guess(-kHour), std::string("none"));
}

void TestAlignment::aLongLogTellsTheZoneByItsLoad() {
    // Six hours of log around a run of a minute: several zones overlap, one shows the load.
    const Run run = simulate(21, {});
    const Ns shift = 2 * kHour;
    std::vector<Sample> samples;
    for (Ns t = -3 * kHour; t < 3 * kHour; t += 100 * kMs)
        if (t + shift < run.samples.front().ts + run.offset + shift || t > 80 * kSecond)
            samples.push_back({t + shift, 60.0 + static_cast<double>(t / (100 * kMs) % 3)});
    for (const Sample &s : run.samples)
        samples.push_back({s.ts + run.offset + shift, s.value});
    std::sort(samples.begin(), samples.end(), [](const Sample &a, const Sample &b) { return a.ts < b.ts; });
    const PowerSeries power(boardPower(100 * kMs, 100 * kMs, 0), samples);
    for (const bool assumed : {true, false}) {
        const AlignmentProposal p = alignByClock(run.busy, power, assumed);
        QVERIFY(p.alignment.has_value());
        QCOMPARE(p.alignment->offset, -shift);
        QVERIFY(p.alignment->confidence >= 0.9);
        QVERIFY(p.secondPeak && p.secondPeak->correlation < 0.5);
        QCOMPARE(p.alignment->note.find("guessed as UTC+02:00") != std::string::npos, assumed);
        QVERIFY(p.alignment->note.find("zone") != std::string::npos);
    }
}

void TestAlignment::refusesClocksOfDifferentDays() {
    Run run = simulate(9, {});
    for (Sample &s : run.samples)
        s.ts += run.offset + 72 * kHour;
    const AlignmentProposal p =
        alignByClock(run.busy, PowerSeries(boardPower(100 * kMs, 100 * kMs, 0), run.samples), true);
    QVERIFY(!p.alignment);
    QVERIFY(p.refusal.find("do not overlap") != std::string::npos);
}

void TestAlignment::realStepLogsAreFoundFreely_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("periodMs");
    QTest::newRow("k40m") << "k40m_step" << 30;
    QTest::newRow("rtx4090") << "rtx4090_step" << 100;
}

void TestAlignment::realStepLogsAreFoundFreely() {
    QFETCH(QString, name);
    QFETCH(int, periodMs);
    const auto [log, marks] = test::markedLog(name);
    if (log.isEmpty())
        QSKIP("skipped: the shared power logs are not here");
    const AlignmentProposal p = correlate(markedLoad(marks), queryLog(log, periodMs * kMs, periodMs * kMs), {});
    QVERIFY2(p.alignment.has_value(), p.refusal.c_str());
    const double error = static_cast<double>(p.alignment->offset + kHour) / 1e6;
    qInfo("error %.1f ms, confidence %.2f, %s", error, p.alignment->confidence, p.alignment->note.c_str());
    QVERIFY(std::abs(error) <= periodMs);
}

QTEST_GUILESS_MAIN(TestAlignment)
#include "tst_alignment.moc"
