#include <QTest>

#include "store/main_cluster.h"

#include <algorithm>
#include <random>

using namespace wattproof;
using namespace wattproof::store;

namespace {

constexpr Ns kMs = 1'000'000, kSecond = 1000 * kMs, kHour = 3600 * kSecond;

struct Event {
    Ns begin, end;
};

// Time order, as one track.
std::optional<MainCluster> clusterOf(std::vector<Event> events) {
    std::sort(events.begin(), events.end(), [](const Event &a, const Event &b) { return a.begin < b.begin; });
    StretchCollector collector;
    for (const Event &event : events)
        collector.add(event.begin, event.end);
    return mainCluster(collector.take());
}

TimeRange extentOf(const std::vector<Event> &events) {
    TimeRange range{events.front().begin, events.front().end};
    for (const Event &event : events)
        range = {std::min(range.begin, event.begin), std::max(range.end, event.end)};
    return range;
}

// Slices all over a length, none longer than a hundredth of it.
std::vector<Event> compact(std::mt19937_64 &random, Ns from, Ns length, int count) {
    std::uniform_int_distribution<Ns> at(0, length), lasts(0, length / 100);
    std::vector<Event> events;
    for (int i = 0; i < count; ++i) {
        const Ns begin = from + at(random);
        events.push_back({begin, begin + lasts(random)});
    }
    return events;
}

TimeRange rangeOf(const MainCluster &cluster) {
    return {cluster.begin, cluster.end};
}

}  // namespace

class MainClusterTest : public QObject {
    Q_OBJECT

private slots:
    void compactTraceIsItsExtent();
    void anyFarEventLeavesTheMainPartAsItIs();
    void severalFarEventsAtAnyDistance();
    void twoHalvesAreNeverCut();
    void nearEventStays();
    void sliceOverEverythingLeavesNoGap();
    void fewEventsAreNotJudged();
    void longWorkFarAwayIsNoOutlier();
    void edgesAreExactWhateverTheNumberOfEvents();
    void orderOfTracksDoesNotMatter();
    void metadataBringsItBack();
    void nonsenseInMetadataIsNothing();
};

void MainClusterTest::compactTraceIsItsExtent() {
    std::mt19937_64 random(1);
    for (int i = 0; i < 50; ++i)
        QVERIFY(!clusterOf(compact(random, 0, kSecond, 30 + 50 * i)));
}

void MainClusterTest::anyFarEventLeavesTheMainPartAsItIs() {
    std::mt19937_64 random(2);
    for (int round = 0; round < 300; ++round) {
        const Ns length = Ns{1000} << (round % 40);
        const int count = 40 + static_cast<int>(random() % 20'000);
        std::vector<Event> events = compact(random, Ns(random() % 1000) * kHour, length, count);
        const TimeRange extent = extentOf(events);
        const Ns distance = extent.length() * static_cast<Ns>(20 + random() % 10'000) + extent.length() / 100;
        const bool later = random() % 2 == 0;
        const Ns at = later ? extent.end + distance : extent.begin - distance - extent.length() / 100;
        events.push_back({at, at + extent.length() / 100});
        const auto cluster = clusterOf(events);
        QVERIFY(cluster);
        QCOMPARE(rangeOf(*cluster), extent);
        QCOMPARE(cluster->after, std::int64_t{later});
        QCOMPARE(cluster->before, std::int64_t{!later});
        QCOMPARE(cluster->away, later ? at + extent.length() / 100 - extent.end : extent.begin - at);
    }
}

void MainClusterTest::severalFarEventsAtAnyDistance() {
    std::mt19937_64 random(3);
    std::vector<Event> events = compact(random, 0, kSecond, 5000);
    const TimeRange extent = extentOf(events);
    for (const Ns at : {-24 * kHour, -30 * kSecond, 60 * kSecond, 61 * kSecond, kHour, 200 * kHour})
        events.push_back({at, at + kMs});
    const auto cluster = clusterOf(events);
    QVERIFY(cluster);
    QCOMPARE(rangeOf(*cluster), extent);
    QCOMPARE(cluster->before, std::int64_t{2});
    QCOMPARE(cluster->after, std::int64_t{4});
}

void MainClusterTest::twoHalvesAreNeverCut() {
    std::mt19937_64 random(4);
    for (const Ns pause : {kSecond, kHour, 1000 * kHour})
        for (const int second : {500, 1000, 4000}) {
            std::vector<Event> events = compact(random, 0, kSecond, 1000);
            const auto half = compact(random, kSecond + pause, kSecond, second);
            events.insert(events.end(), half.begin(), half.end());
            QVERIFY(!clusterOf(events));
        }
}

void MainClusterTest::nearEventStays() {
    std::vector<Event> events;
    for (Ns i = 0; i < 1000; ++i)
        events.push_back({i * kMs, (i + 1) * kMs});
    events.push_back({19 * kSecond, 19 * kSecond});
    QVERIFY(!clusterOf(events));
    events.back() = {22 * kSecond, 22 * kSecond};
    QVERIFY(clusterOf(events));
}

void MainClusterTest::sliceOverEverythingLeavesNoGap() {
    std::mt19937_64 random(5);
    std::vector<Event> events = compact(random, 0, kSecond, 1000);
    events.push_back({kHour, kHour + kMs});
    events.push_back({-kMs, kHour + 2 * kMs});
    QVERIFY(!clusterOf(events));
}

void MainClusterTest::fewEventsAreNotJudged() {
    std::vector<Event> events;
    for (Ns i = 0; i < 18; ++i)
        events.push_back({i, i + 1});
    events.push_back({kHour, kHour});
    QVERIFY(!clusterOf(events));
    events.push_back({18, 19});
    QVERIFY(clusterOf(events));
}

void MainClusterTest::longWorkFarAwayIsNoOutlier() {
    std::mt19937_64 random(6);
    std::vector<Event> events = compact(random, 0, kSecond, 1000);
    events.push_back({kHour, kHour + kSecond / 4});
    QVERIFY(!clusterOf(events));
}

void MainClusterTest::edgesAreExactWhateverTheNumberOfEvents() {
    StretchCollector collector;
    constexpr int kMany = 200'000;
    for (int i = 0; i < kMany; ++i)  // no two touch
        collector.add(17 + i * 10 * kMs, 17 + i * 10 * kMs + kMs);
    const Ns end = 17 + (kMany - 1) * 10 * kMs + kMs;
    collector.add(end + 20 * end + 5, end + 20 * end + 5);
    const auto stretches = collector.take();
    QVERIFY(stretches.size() <= StretchCollector::kMost);
    const auto cluster = mainCluster(stretches);
    QVERIFY(cluster);
    QCOMPARE(rangeOf(*cluster), (TimeRange{17, end}));
    QCOMPARE(cluster->after, std::int64_t{1});
}

void MainClusterTest::orderOfTracksDoesNotMatter() {
    std::mt19937_64 random(7);
    std::vector<Event> events = compact(random, 0, kSecond, 30'000);
    const TimeRange extent = extentOf(events);
    events.push_back({kHour, kHour});
    for (int round = 0; round < 5; ++round) {
        std::shuffle(events.begin(), events.end(), random);
        StretchCollector collector;
        for (const Event &event : events)
            collector.add(event.begin, event.end);
        const auto cluster = mainCluster(collector.take());
        QVERIFY(cluster);
        QCOMPARE(rangeOf(*cluster), extent);
    }
}

void MainClusterTest::metadataBringsItBack() {
    const MainCluster cluster{-5, 70, 2, 1, 0};
    auto rows = metadataOf(cluster, SourceId{3});
    rows.push_back({SourceId{4}, rows.front().key, "9"});
    const auto back = mainClusterFrom(rows, SourceId{3});
    QVERIFY(back);
    QCOMPARE(rangeOf(*back), rangeOf(cluster));
    QCOMPARE(back->before, cluster.before);
    QCOMPARE(back->after, cluster.after);
    QVERIFY(!mainClusterFrom(rows, SourceId{4}));
}

void MainClusterTest::nonsenseInMetadataIsNothing() {
    for (const char *value : {"", "x", "1e9", "70 ", "99999999999999999999", "-7"}) {
        auto rows = metadataOf({-5, 70, 2, 1, 0}, SourceId{3});
        rows[1].value = value;
        QVERIFY2(!mainClusterFrom(rows, SourceId{3}), value);
    }
}

QTEST_APPLESS_MAIN(MainClusterTest)
#include "tst_main_cluster.moc"
