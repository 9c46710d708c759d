#include "analysis/stats/bootstrap.h"
#include "analysis/stats/change_point.h"
#include "analysis/stats/percentile.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <QTest>

using namespace wattproof::analysis;

class TestStats : public QObject {
    Q_OBJECT
private slots:
    void rankIsTheCeiling_data();
    void rankIsTheCeiling();
    void hundredValues();
    void intervalsExistFromTheStatedCounts();
    void intervalCoversAsOftenAsItSays();
    void medianIntervalMatchesTheTable();
    void resamplesAreTheSameForASeed();
    void ratioIntervalHoldsTheRatio();
    void correlationWidensTheInterval();
    void fewObservationsHaveNoInterval();
    void aConstantSequenceIsOneSegment();
    void aShiftIsFoundWhereItIs();
    void noiseAloneIsOneSegment();
};

void TestStats::rankIsTheCeiling_data() {
    QTest::addColumn<double>("percent");
    QTest::addColumn<int>("n");
    QTest::addColumn<int>("rank");
    QTest::newRow("p99 of 100") << 99.0 << 100 << 99;
    QTest::newRow("p95 of 100") << 95.0 << 100 << 95;
    QTest::newRow("p50 of 13") << 50.0 << 13 << 7;
    QTest::newRow("p99 of 10") << 99.0 << 10 << 10;
    QTest::newRow("p99.9 of 1000") << 99.9 << 1000 << 999;
    QTest::newRow("p99.5 of 1000") << 99.5 << 1000 << 995;
    QTest::newRow("p0 of 5") << 0.0 << 5 << 1;
    QTest::newRow("p100 of 5") << 100.0 << 5 << 5;
}

void TestStats::rankIsTheCeiling() {
    QFETCH(double, percent);
    QFETCH(int, n);
    QFETCH(int, rank);
    QCOMPARE(nearestRank(percent, static_cast<std::size_t>(n)), static_cast<std::size_t>(rank));
}

void TestStats::hundredValues() {
    std::vector<double> values(100);
    std::iota(values.begin(), values.end(), 1.0);
    QCOMPARE(*percentile(values, 50), 50.0);
    QCOMPARE(*percentile(values, 90), 90.0);
    QCOMPARE(*percentile(values, 99), 99.0);
    QVERIFY(!percentile({}, 50));
}

void TestStats::intervalsExistFromTheStatedCounts() {
    QVERIFY(!percentileRanks(99, 298));
    QVERIFY(percentileRanks(99, 299).has_value());
    QVERIFY(!percentileRanks(99.9, 2994));
    QVERIFY(percentileRanks(99.9, 2995).has_value());
    QVERIFY(!percentileRanks(50, 5));
    QVERIFY(percentileRanks(50, 6).has_value());
}

void TestStats::intervalCoversAsOftenAsItSays() {
    Random random(7);
    int covered = 0;
    constexpr int kRuns = 2000;
    for (int run = 0; run < kRuns; ++run) {
        std::vector<double> values(80);
        std::generate(values.begin(), values.end(), [&] { return random.uniform(); });
        std::sort(values.begin(), values.end());
        const auto bounds = percentileInterval(values, 90);
        QVERIFY(bounds);
        covered += bounds->low <= 0.9 && 0.9 <= bounds->high ? 1 : 0;
    }
    QVERIFY2(covered >= 0.94 * kRuns, qPrintable(QString::number(covered)));
}

void TestStats::medianIntervalMatchesTheTable() {
    // n = 20: ranks 6 and 15 cover the median with 0.9586; no shorter pair reaches 0.95.
    const auto ranks = percentileRanks(50, 20);
    QVERIFY(ranks);
    QCOMPARE(ranks->high - ranks->low, std::size_t(9));
}

void TestStats::resamplesAreTheSameForASeed() {
    Random a(3);
    Random b(3);
    QVERIFY(blockResample(100, 5, a) == blockResample(100, 5, b));
}

void TestStats::ratioIntervalHoldsTheRatio() {
    std::vector<double> units;
    std::vector<double> joules;
    Random random(11);
    for (int i = 0; i < 200; ++i) {
        units.push_back(10);
        joules.push_back(20 + random.uniform());
    }
    const auto bounds = bootstrapRatio(units, joules, 1);
    QVERIFY(bounds);
    const double ratio = 2000 / std::accumulate(joules.begin(), joules.end(), 0.0);
    QVERIFY(bounds->low < ratio && ratio < bounds->high);
    QVERIFY(bounds->high - bounds->low < 0.01 * ratio);
}

void TestStats::correlationWidensTheInterval() {
    std::vector<double> ones(512, 1.0);
    std::vector<double> smooth;
    for (int i = 0; i < 512; ++i)
        smooth.push_back(2 + std::sin(i / 40.0));
    std::vector<double> shuffled = smooth;
    Random random(5);
    for (std::size_t i = shuffled.size() - 1; i > 0; --i)
        std::swap(shuffled[i], shuffled[random.below(i + 1)]);
    const auto slow = bootstrapRatio(smooth, ones, 2);
    const auto fast = bootstrapRatio(shuffled, ones, 2);
    QVERIFY(slow->high - slow->low > 1.5 * (fast->high - fast->low));
}

void TestStats::fewObservationsHaveNoInterval() {
    QVERIFY(!bootstrapRatio({1, 2, 3}, {1, 1, 1}, 1));
}

void TestStats::aConstantSequenceIsOneSegment() {
    QCOMPARE(levelSegments(std::vector<double>(50, 3.7), 3).size(), std::size_t(1));
    QVERIFY(levelSegments({}, 3).empty());
}

void TestStats::aShiftIsFoundWhereItIs() {
    std::vector<double> values;
    Random random(9);
    for (int i = 0; i < 120; ++i)
        values.push_back((i < 40 ? 2.0 : 1.0) + 0.1 * random.uniform());
    const auto segments = levelSegments(values, 5);
    QCOMPARE(segments.size(), std::size_t(2));
    QCOMPARE(segments[0].end, std::size_t(40));
}

void TestStats::noiseAloneIsOneSegment() {
    int split = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        Random random(seed);
        std::vector<double> values(300);
        std::generate(values.begin(), values.end(), [&] { return random.uniform(); });
        split += levelSegments(values, 5).size() > 1 ? 1 : 0;
    }
    QVERIFY2(split <= 2, qPrintable(QString::number(split)));
}

QTEST_APPLESS_MAIN(TestStats)
#include "tst_stats.moc"
