#include "analysis/intervals.h"
#include "analysis/stats/random.h"

#include <QTest>

using namespace wattproof;
using namespace wattproof::analysis;

class TestIntervals : public QObject {
    Q_OBJECT
private slots:
    void unionMergesTouchingAndDropsEmpty();
    void operationsAgreeWithABitmap();
    void lengthsAddUp();
    void overlapIsTheLengthOfTheClip();
    void complementOfNothingIsTheWhole();
};

namespace {

constexpr Ns kSpan = 200;

std::vector<TimeRange> randomRanges(Random &random) {
    std::vector<TimeRange> ranges;
    const std::size_t n = random.below(12);
    for (std::size_t i = 0; i < n; ++i) {
        const auto begin = static_cast<Ns>(random.below(kSpan));
        ranges.push_back({begin, std::min<Ns>(kSpan, begin + static_cast<Ns>(random.below(30)))});
    }
    return ranges;
}

std::vector<bool> bitmap(const std::vector<TimeRange> &ranges) {
    std::vector<bool> bits(kSpan, false);
    for (const TimeRange &range : ranges)
        for (Ns t = range.begin; t < range.end; ++t)
            bits[static_cast<std::size_t>(t)] = true;
    return bits;
}

bool wellFormed(const IntervalSet &set) {
    for (std::size_t i = 0; i < set.size(); ++i)
        if (set[i].empty() || (i > 0 && set[i].begin < set[i - 1].end))
            return false;
    return true;
}

template <class Combine>
std::vector<bool> combine(const std::vector<bool> &a, const std::vector<bool> &b, Combine with) {
    std::vector<bool> out(a.size());
    for (std::size_t i = 0; i < a.size(); ++i)
        out[i] = with(a[i], b[i]);
    return out;
}

}  // namespace

void TestIntervals::unionMergesTouchingAndDropsEmpty() {
    const IntervalSet merged = unionOf({{5, 7}, {0, 2}, {2, 5}, {9, 9}, {12, 11}});
    QCOMPARE(merged.size(), std::size_t(1));
    QVERIFY((merged[0] == TimeRange{0, 7}));
}

void TestIntervals::operationsAgreeWithABitmap() {
    Random random(42);
    for (int round = 0; round < 500; ++round) {
        const auto a = randomRanges(random);
        const auto b = randomRanges(random);
        const IntervalSet ua = unionOf(a);
        const IntervalSet ub = unionOf(b);
        const auto ba = bitmap(a);
        const auto bb = bitmap(b);
        QVERIFY(wellFormed(ua));
        QVERIFY(bitmap(ua) == ba);
        QVERIFY(bitmap(unionOf(ua, ub)) == combine(ba, bb, [](bool x, bool y) { return x || y; }));
        QVERIFY(bitmap(difference(ua, ub)) == combine(ba, bb, [](bool x, bool y) { return x && !y; }));
        QVERIFY(bitmap(intersection(ua, ub)) == combine(ba, bb, [](bool x, bool y) { return x && y; }));
        QVERIFY(wellFormed(difference(ua, ub)) && wellFormed(intersection(ua, ub)));
    }
}

void TestIntervals::lengthsAddUp() {
    Random random(43);
    for (int round = 0; round < 500; ++round) {
        const IntervalSet a = unionOf(randomRanges(random));
        const IntervalSet b = unionOf(randomRanges(random));
        QCOMPARE(length(intersection(a, b)) + length(difference(a, b)), length(a));
        QCOMPARE(length(a) + length(complement(a, {0, kSpan})), kSpan);
    }
}

void TestIntervals::overlapIsTheLengthOfTheClip() {
    Random random(44);
    for (int round = 0; round < 500; ++round) {
        const IntervalSet a = unionOf(randomRanges(random));
        const auto begin = static_cast<Ns>(random.below(kSpan));
        const TimeRange within{begin, begin + static_cast<Ns>(random.below(50))};
        QCOMPARE(overlapLength(a, within), length(clip(a, within)));
    }
}

void TestIntervals::complementOfNothingIsTheWhole() {
    QVERIFY((complement({}, {3, 8}) == IntervalSet{{3, 8}}));
    QVERIFY(complement({}, {8, 3}).empty());
}

QTEST_APPLESS_MAIN(TestIntervals)
#include "tst_intervals.moc"
