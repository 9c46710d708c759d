#include <QTest>

#include "store/time.h"

using namespace wattproof;

class TimeTest : public QObject {
    Q_OBJECT

private slots:
    void offsetIsAddedOnce();
    void driftTurnsAboutItsAnchor();
    void toSourceIsTheLeastPreimage();
};

void TimeTest::offsetIsAddedOnce() {
    const TimeMap map{100, 20, 0, 0};
    QCOMPARE(map.toWorkspace(Ns{5}), Ns{125});
    QCOMPARE(map.toSource(125), Ns{5});
}

void TimeTest::driftTurnsAboutItsAnchor() {
    const TimeMap map{0, 0, 1'000'000, 2'000'000'000};   // 0.1 %
    QCOMPARE(map.toWorkspace(Ns{2'000'000'000}), Ns{2'000'000'000});
    QCOMPARE(map.toWorkspace(Ns{3'000'000'000}), Ns{3'001'000'000});
    QCOMPARE(map.toWorkspace(Ns{1'000'000'000}), Ns{999'000'000});
}

void TimeTest::toSourceIsTheLeastPreimage() {
    for (const std::int64_t drift : {-700'000'000LL, -12'345LL, 0LL, 9'999LL, 400'000'000LL}) {
        const TimeMap map{7, -3, drift, 500'000'017};
        for (Ns workspace = 100; workspace < 5'000'000'000; workspace += 123'456'789) {
            const Ns source = map.toSource(workspace);
            QVERIFY(map.toWorkspace(source) >= workspace);
            QVERIFY(map.toWorkspace(source - 1) < workspace);
        }
    }
}

QTEST_APPLESS_MAIN(TimeTest)
#include "tst_time.moc"
