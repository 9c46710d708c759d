#include "widgets/minimap/viewport.h"
#include "widgets/occupancy/activity.h"

#include <random>

#include <QTest>

using namespace wattproof;
using namespace wattproof::widgets;

namespace {

store::KernelInterval op(Ns begin, Ns end, int classIndex, GpuActivity activity = GpuActivity::Kernel,
                         int track = 1) {
    store::KernelInterval k;
    k.range = {begin, end};
    k.classIndex = classIndex;
    k.activity = activity;
    k.device = DeviceId(1);
    k.track = TrackId(track);
    return k;
}

store::KernelTable table(std::vector<store::KernelInterval> kernels) {
    return {{{"gemm", "bf16"}, {"communication", ""}}, std::move(kernels)};
}

}  // namespace

class ActivityTest : public QObject {
    Q_OBJECT

private slots:
    void coverageAnswersAnyRange();
    void computeHidesCommunicationAndCopies();
    void sharesAddUpToOne();
    void rangeOutsideTheTraceSaysNothing();
    void concurrencyIsTheMeanOfWhatRuns();
    void concurrencyMeanIsTotalOverLength();
    void streamsAreKeptApart();
    void idleIsSplitByCause();
    void noOperationsGiveNoDevices();
    void viewportHandlesReachOutwards();
    void viewportEdgesDoNotCross();
    void viewportMovesWhole();
};

void ActivityTest::coverageAnswersAnyRange() {
    const Coverage coverage({{10, 20}, {30, 50}});
    QCOMPARE(coverage.in({0, 100}), Ns{30});
    QCOMPARE(coverage.in({15, 35}), Ns{10});
    QCOMPARE(coverage.in({20, 30}), Ns{0});
    QCOMPARE(coverage.in({60, 70}), Ns{0});
    std::mt19937 random(7);
    for (int i = 0; i < 500; ++i) {
        const Ns a = static_cast<Ns>(random() % 60), b = a + static_cast<Ns>(random() % 20);
        QCOMPARE(coverage.in({a, b}), analysis::overlapLength(coverage.set(), {a, b}));
    }
}

void ActivityTest::computeHidesCommunicationAndCopies() {
    const Activity activity =
        buildActivity(table({op(0, 40, 0), op(30, 60, 1), op(50, 70, 0, GpuActivity::Memcpy), op(90, 100, 0)}));
    QCOMPARE(activity.size(), 1U);
    QCOMPARE(activity[0].span, (TimeRange{0, 100}));
    QCOMPARE(activity[0].compute.in({0, 100}), Ns{50});
    QCOMPARE(activity[0].exposedCommunication.in({0, 100}), Ns{20});
    QCOMPARE(activity[0].exposedCopies.in({0, 100}), Ns{10});
    QCOMPARE(activity[0].busy.in({0, 100}), Ns{80});
}

void ActivityTest::sharesAddUpToOne() {
    std::mt19937 random(3);
    std::vector<store::KernelInterval> kernels;
    for (int i = 0; i < 300; ++i) {
        const Ns begin = static_cast<Ns>(random() % 10'000);
        kernels.push_back(op(begin, begin + 1 + static_cast<Ns>(random() % 60), static_cast<int>(random() % 2),
                             random() % 5 == 0 ? GpuActivity::Memcpy : GpuActivity::Kernel));
    }
    const Activity activity = buildActivity(table(kernels));
    for (Ns begin = 0; begin < 10'000; begin += 777) {
        const ActivityShares s = sharesIn(activity[0], {begin, begin + 500});
        QVERIFY(s.length > 0);
        QVERIFY(std::abs(s.compute + s.communication + s.copies + s.idle - 1) < 1e-9);
    }
}

void ActivityTest::rangeOutsideTheTraceSaysNothing() {
    const Activity activity = buildActivity(table({op(100, 200, 0)}));
    QCOMPARE(sharesIn(activity[0], {300, 400}).length, Ns{0});
    QCOMPARE(sharesIn(activity[0], {150, 400}).length, Ns{50});
    QCOMPARE(sharesIn(activity[0], {0, 400}).compute, 1.0);
}

void ActivityTest::concurrencyIsTheMeanOfWhatRuns() {
    const Concurrency concurrency({{0, 10}, {5, 15}, {5, 10}, {20, 20}});
    QCOMPARE(concurrency.mean({0, 5}), 1.0);
    QCOMPARE(concurrency.mean({5, 10}), 3.0);
    QCOMPARE(concurrency.mean({0, 20}), 25.0 / 20);
    QCOMPARE(concurrency.mean({7, 7}), 0.0);
    QCOMPARE(concurrency.most({0, 20}), 3);
    QCOMPARE(concurrency.most({10, 14}), 1);
    QCOMPARE(concurrency.most({15, 20}), 0);
}

void ActivityTest::concurrencyMeanIsTotalOverLength() {
    std::mt19937 random(11);
    std::vector<TimeRange> ranges;
    Ns total = 0;
    for (int i = 0; i < 200; ++i) {
        const Ns begin = static_cast<Ns>(random() % 1000);
        ranges.push_back({begin, begin + static_cast<Ns>(random() % 50)});
        total += ranges.back().length();
    }
    QVERIFY(std::abs(Concurrency(ranges).mean({0, 2000}) * 2000 - static_cast<double>(total)) < 1e-6);
}

void ActivityTest::streamsAreKeptApart() {
    const Activity activity =
        buildActivity(table({op(0, 10, 0, GpuActivity::Kernel, 1), op(0, 20, 0, GpuActivity::Kernel, 2)}));
    QCOMPARE(activity[0].streams.size(), 2U);
    QCOMPARE(activity[0].streams[1].busy.in({0, 100}), Ns{20});
}

void ActivityTest::idleIsSplitByCause() {
    const IdleCauses causes = idleCauses({{DeviceId(1), 0, 10, "compute", ""},
                                          {DeviceId(1), 10, 5, "idle", "host"},
                                          {DeviceId(1), 20, 5, "idle", "host"},
                                          {DeviceId(1), 30, 2, "idle", "synchronization"}});
    QCOMPARE(causes.at(DeviceId(1)).size(), 2U);
    QCOMPARE(causes.at(DeviceId(1)).at("host").in({0, 100}), Ns{10});
}

void ActivityTest::noOperationsGiveNoDevices() {
    QVERIFY(buildActivity({}).empty());
}

void ActivityTest::viewportHandlesReachOutwards() {
    const draw::TimeScale scale{{0, 1000}, 0, 1000};
    const TimeRange narrow{500, 510};
    QCOMPARE(viewportPart(505, scale, narrow, 8), ViewportPart::Inside);
    QCOMPARE(viewportPart(494, scale, narrow, 8), ViewportPart::Begin);
    QCOMPARE(viewportPart(516, scale, narrow, 8), ViewportPart::End);
    QCOMPARE(viewportPart(480, scale, narrow, 8), ViewportPart::Outside);
    QCOMPARE(viewportPart(530, scale, narrow, 8), ViewportPart::Outside);
}

void ActivityTest::viewportEdgesDoNotCross() {
    QCOMPARE(draggedViewport(ViewportPart::Begin, {100, 200}, 100, 900), (TimeRange{199, 200}));
    QCOMPARE(draggedViewport(ViewportPart::End, {100, 200}, 200, 0), (TimeRange{100, 101}));
}

void ActivityTest::viewportMovesWhole() {
    QCOMPARE(draggedViewport(ViewportPart::Inside, {100, 200}, 150, 130), (TimeRange{80, 180}));
    QCOMPARE(centredViewport({0, 100}, 500), (TimeRange{450, 550}));
}

QTEST_GUILESS_MAIN(ActivityTest)
#include "tst_activity.moc"
