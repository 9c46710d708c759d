#include "report/draw/counter_painter.h"
#include "report/draw/hatch.h"
#include "report/draw/labels.h"
#include "report/draw/lanes.h"
#include "report/draw/time_scale.h"

#include <cmath>

#include <QTest>

using namespace wattproof;
using namespace wattproof::draw;
using store::CounterBucket;
using store::LaneSpan;

namespace {

LaneSpan span(Ns ts, Ns dur, std::int32_t row = 0, SliceKind kind = SliceKind::Slice) {
    LaneSpan s;
    s.ts = ts;
    s.dur = dur;
    s.row = row;
    s.kind = kind;
    s.slice = SliceId(ts + 1);
    return s;
}

CounterBucket sample(Ns ts, double value, bool gapBefore = false) {
    return {ts, ts, value, value, value, value, 1, gapBefore};
}

}  // namespace

class DrawGeometryTest : public QObject {
    Q_OBJECT

private slots:
    void timeAndPixelAreInverse();
    void timeSurvivesLargeOffsets();
    void bucketIsAPowerOfTwoBelowAPixel();
    void cachedRangeIsThreeTimesTheVisible();
    void ticksAreRoundAndApart();
    void tickLabelsAreExact_data();
    void tickLabelsAreExact();
    void valueTicksAreRound();
    void boxesAreCutToThePlot();
    void boxesAreAtLeastOneDevicePixel();
    void whatAPixelHidesIsSkipped();
    void rowsStandUnderOneAnother();
    void instantsAreNeverSkipped();
    void hitTakesTheSpanUnderThePoint();
    void hitReachesNarrowSlicesNearby();
    void hitPrefersAnInstant();
    void rowOfAPointIsClamped();
    void hatchStaysInsideItsRectangle();
    void namesAreShortened_data();
    void namesAreShortened();
    void controlCharactersAreReplaced();
    void curveBreaksAtAGap();
    void curveIsCutAtThePlotsEdges();
    void stepsHoldTheirValue();
    void bucketsShowTheirSpread();
    void valueBetweenSamplesFollowsTheShape();
    void valueInAGapIsUnknown();
};

void DrawGeometryTest::timeAndPixelAreInverse() {
    const TimeScale scale{{1000, 101000}, 220, 1000};
    for (double x = 220; x < 1220; x += 1)
        QVERIFY(std::abs(scale.x(scale.time(x)) - x) <= 1.0 / scale.nsPerPixel() + 1e-9);
    QCOMPARE(scale.x(1000), 220.0);
    QCOMPARE(scale.x(101000), 1220.0);
}

void DrawGeometryTest::timeSurvivesLargeOffsets() {
    const Ns far = 4'000'000'000'000'000'000;
    const TimeScale scale{{far, far + 10}, 0, 1000};
    QCOMPARE(scale.time(550), far + 5);
    QCOMPARE(scale.x(far + 5), 500.0);
}

void DrawGeometryTest::bucketIsAPowerOfTwoBelowAPixel() {
    for (const Ns length : {Ns{10}, Ns{1000}, Ns{123'456'789}, Ns{90'000'000'000'000}}) {
        const Ns bucket = bucketFor({0, length}, 1000);
        QCOMPARE(bucket & (bucket - 1), Ns{0});
        QVERIFY(bucket == 1 || bucket <= length / 1000);
        QVERIFY(bucket * 2 > length / 1000);
    }
}

void DrawGeometryTest::cachedRangeIsThreeTimesTheVisible() {
    const TimeRange visible{-1000, 1000};
    const TimeRange cached = rangeToCache(visible, 64);
    QVERIFY(cached.begin <= -3000 && cached.begin > -3000 - 64 && cached.begin % 64 == 0);
    QVERIFY(cached.end >= 3000 && cached.end < 3000 + 64 && cached.end % 64 == 0);
}

void DrawGeometryTest::ticksAreRoundAndApart() {
    for (const Ns length : {Ns{17}, Ns{5'000}, Ns{987'654'321}, Ns{3'600'000'000'000}}) {
        const TimeScale scale{{333, 333 + length}, 0, 1280};
        const auto ticks = timeTicks(scale, 90);
        QVERIFY(!ticks.empty());
        for (std::size_t i = 1; i < ticks.size(); ++i)
            QVERIFY(scale.x(ticks[i].time) - scale.x(ticks[i - 1].time) >= 90 - 1e-6);
        QVERIFY(ticks.front().time >= scale.visible.begin && ticks.back().time <= scale.visible.end);
    }
}

void DrawGeometryTest::tickLabelsAreExact_data() {
    QTest::addColumn<qlonglong>("time");
    QTest::addColumn<qlonglong>("step");
    QTest::addColumn<qlonglong>("largest");
    QTest::addColumn<QString>("label");
    QTest::newRow("seconds") << 12'000'000'000LL << 1'000'000'000LL << 20'000'000'000LL << u"12\u2009s"_qs;
    QTest::newRow("tenths") << 1'250'000'000LL << 50'000'000LL << 2'000'000'000LL << u"1.25\u2009s"_qs;
    QTest::newRow("deep") << 1'234'567'000LL << 1'000LL << 2'000'000'000LL << u"1.234\u2009567\u2009s"_qs;
    QTest::newRow("micro") << 1'500LL << 500LL << 9'000LL << u"1.5\u2009µs"_qs;
    QTest::newRow("negative") << -20'000'000LL << 10'000'000LL << 120'000'000LL << u"−20\u2009ms"_qs;
    QTest::newRow("zero") << 0LL << 10LL << 120LL << u"0\u2009ns"_qs;
}

void DrawGeometryTest::tickLabelsAreExact() {
    QFETCH(qlonglong, time);
    QFETCH(qlonglong, step);
    QFETCH(qlonglong, largest);
    QTEST(QString::fromStdString(timeLabel(time, step, largest)), "label");
}

void DrawGeometryTest::valueTicksAreRound() {
    QCOMPARE(valueTicks(0, 300, 3), (std::vector<double>{0, 100, 200, 300}));
    QCOMPARE(valueTicks(0, 0, 3).size(), 0U);
    QCOMPARE(valueTicks(0, 1, 2), (std::vector<double>{0, 0.5, 1}));
}

void DrawGeometryTest::boxesAreCutToThePlot() {
    const TimeScale scale{{100, 200}, 220, 100};
    const auto boxes = laneBoxes({span(0, 150), span(160, 1000)}, scale, {50, 19, 1});
    QCOMPARE(boxes.size(), 2U);
    QCOMPARE(boxes[0].rect, QRectF(220, 50, 50, 19));
    QCOMPARE(boxes[1].rect, QRectF(280, 50, 40, 19));
}

void DrawGeometryTest::boxesAreAtLeastOneDevicePixel() {
    const TimeScale scale{{0, 1'000'000}, 0, 100};
    QCOMPARE(laneBoxes({span(500'000, 1)}, scale, {0, 19, 1}).front().rect.width(), 1.0);
    QCOMPARE(laneBoxes({span(500'000, 1)}, scale, {0, 19, 0.5}).front().rect.width(), 0.5);
}

void DrawGeometryTest::whatAPixelHidesIsSkipped() {
    std::vector<LaneSpan> spans;
    for (Ns t = 0; t < 100'000; t += 10)
        spans.push_back(span(t, 5));
    const auto boxes = laneBoxes(spans, {{0, 100'000}, 0, 100}, {0, 19, 1});
    QVERIFY2(boxes.size() <= 101, qPrintable(QString::number(boxes.size())));
    QVERIFY(boxes.size() >= 99);
}

void DrawGeometryTest::rowsStandUnderOneAnother() {
    const auto boxes = laneBoxes({span(0, 10), span(0, 10, 1), span(20, 10, 1)}, {{0, 100}, 0, 100}, {10, 19, 1});
    QCOMPARE(boxes.size(), 3U);
    QCOMPARE(boxes[0].rect.top(), 10.0);
    QCOMPARE(boxes[2].rect.top(), 29.0);
}

void DrawGeometryTest::instantsAreNeverSkipped() {
    const auto boxes =
        laneBoxes({span(0, 100), span(50, 0, 0, SliceKind::Instant)}, {{0, 100}, 0, 100}, {0, 19, 1});
    QCOMPARE(boxes.size(), 2U);
}

void DrawGeometryTest::hitTakesTheSpanUnderThePoint() {
    const std::vector<LaneSpan> spans{span(0, 10), span(10, 10), span(0, 50, 1)};
    QCOMPARE(spanAt(spans, 0, 9, 0).value_or(99), 0U);
    QCOMPARE(spanAt(spans, 0, 10, 0).value_or(99), 1U);
    QCOMPARE(spanAt(spans, 1, 10, 0).value_or(99), 2U);
    QVERIFY(!spanAt(spans, 0, 20, 0));
    QVERIFY(!spanAt(spans, 2, 5, 0));
}

void DrawGeometryTest::hitReachesNarrowSlicesNearby() {
    const std::vector<LaneSpan> spans{span(1000, 1), span(2000, 1)};
    QCOMPARE(spanAt(spans, 0, 990, 20).value_or(99), 0U);
    QCOMPARE(spanAt(spans, 0, 2015, 20).value_or(99), 1U);
    QVERIFY(!spanAt(spans, 0, 1500, 20));
}

void DrawGeometryTest::hitPrefersAnInstant() {
    const std::vector<LaneSpan> spans{span(0, 100), span(50, 0, 0, SliceKind::Instant)};
    QCOMPARE(spanAt(spans, 0, 51, 3).value_or(99), 1U);
    QCOMPARE(spanAt(spans, 0, 60, 3).value_or(99), 0U);
}

void DrawGeometryTest::rowOfAPointIsClamped() {
    const LaneMetrics metrics{100, 20, 1};
    QCOMPARE(rowAt(100, metrics, 3), 0);
    QCOMPARE(rowAt(145, metrics, 3), 2);
    QCOMPARE(rowAt(500, metrics, 3), 2);
    QCOMPARE(rowAt(0, metrics, 3), 0);
}

void DrawGeometryTest::hatchStaysInsideItsRectangle() {
    const QRectF rect(13.5, 7, 60, 31);
    for (const bool rising : {true, false}) {
        const auto lines = hatchLines(rect, 7, rising);
        QVERIFY(lines.size() >= 10);
        for (const QLineF &line : lines) {
            QVERIFY(rect.adjusted(-0.01, -0.01, 0.01, 0.01).contains(line.p1()));
            QVERIFY(rect.adjusted(-0.01, -0.01, 0.01, 0.01).contains(line.p2()));
            QVERIFY(rising == (line.dy() * line.dx() < 0));
        }
    }
    QVERIFY(hatchLines(QRectF(), 7, true).empty());
}

void DrawGeometryTest::namesAreShortened_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("brief");
    QTest::newRow("template") << "void at::native::vectorized_elementwise_kernel<4, at::native::Add<float>>(int)"
                              << "vectorized_elementwise_kernel";
    QTest::newRow("anonymous") << "void at::native::(anonymous namespace)::softmax<float>(float*)"
                               << "softmax";
    QTest::newRow("plain") << "ncclDevKernel_AllReduce_Sum(ncclDevKernelArgs)"
                           << "ncclDevKernel_AllReduce_Sum(ncclDevKernelArgs)";
    QTest::newRow("operator") << "aten::mm"
                              << "mm";
    QTest::newRow("sentence") << "Memcpy HtoD (Pinned -> Device)"
                              << "Memcpy HtoD (Pinned -> Device)";
    QTest::newRow("only brackets") << "a::<>"
                                   << "a::<>";
    QTest::newRow("empty") << ""
                           << "";
}

void DrawGeometryTest::namesAreShortened() {
    QFETCH(QString, name);
    QTEST(QString::fromStdString(shortName(name.toStdString())), "brief");
}

void DrawGeometryTest::controlCharactersAreReplaced() {
    const QString text = safeText("a\x01\nb\xff");
    QVERIFY(!text.contains(QChar(1)) && !text.contains(QLatin1Char('\n')));
    QVERIFY(text.startsWith(QLatin1Char('a')) && text.contains(QLatin1Char('b')));
}

void DrawGeometryTest::curveBreaksAtAGap() {
    const std::vector<CounterBucket> buckets{sample(0, 1), sample(10, 2), sample(60, 3, true), sample(70, 4)};
    const auto curve = counterCurve(buckets, {{0, 100}, 0, 100}, {0, 10, 0, 100}, CounterShape::Line);
    QCOMPARE(curve.lines.size(), 2U);
    QCOMPARE(curve.lines[0].back().x(), 10.0);
    QCOMPARE(curve.lines[1].front().x(), 60.0);
    QCOMPARE(gapsIn(buckets, {{0, 100}, 0, 100}), (std::vector<TimeRange>{{10, 60}}));
    QCOMPARE(gapsIn(buckets, {{62, 100}, 0, 100}), std::vector<TimeRange>());
    QCOMPARE(gapsIn(buckets, {{20, 40}, 0, 100}), (std::vector<TimeRange>{{10, 60}}));
}

void DrawGeometryTest::curveIsCutAtThePlotsEdges() {
    const std::vector<CounterBucket> buckets{sample(0, 0), sample(100, 10)};
    const auto curve = counterCurve(buckets, {{25, 75}, 0, 50}, {0, 10, 0, 100}, CounterShape::Line);
    QCOMPARE(curve.lines.size(), 1U);
    QCOMPARE(curve.lines[0].front(), QPointF(0, 75));
    QCOMPARE(curve.lines[0].back(), QPointF(50, 25));
}

void DrawGeometryTest::stepsHoldTheirValue() {
    const std::vector<CounterBucket> buckets{sample(0, 0), sample(50, 10)};
    const auto curve = counterCurve(buckets, {{0, 100}, 0, 100}, {0, 10, 0, 100}, CounterShape::Steps);
    QCOMPARE(curve.lines[0], QPolygonF({{0, 100}, {50, 100}, {50, 0}}));
}

void DrawGeometryTest::bucketsShowTheirSpread() {
    CounterBucket wide = sample(20, 5);
    wide.end = 30;
    wide.min = 1;
    wide.max = 9;
    wide.count = 7;
    const auto curve = counterCurve({wide}, {{0, 100}, 0, 100}, {0, 10, 0, 100}, CounterShape::Line);
    QCOMPARE(curve.envelope.size(), 1U);
    QCOMPARE(curve.envelope[0].dy(), -80.0);
}

void DrawGeometryTest::valueBetweenSamplesFollowsTheShape() {
    const std::vector<CounterBucket> buckets{sample(0, 10), sample(100, 20)};
    double value = 0;
    QVERIFY(valueAt(buckets, 50, CounterShape::Line, value));
    QCOMPARE(value, 15.0);
    QVERIFY(valueAt(buckets, 50, CounterShape::Steps, value));
    QCOMPARE(value, 10.0);
}

void DrawGeometryTest::valueInAGapIsUnknown() {
    const std::vector<CounterBucket> buckets{sample(0, 10), sample(100, 20, true)};
    double value = 0;
    QVERIFY(!valueAt(buckets, 50, CounterShape::Line, value));
    QVERIFY(!valueAt(buckets, -1, CounterShape::Line, value));
    QVERIFY(!valueAt(buckets, 101, CounterShape::Line, value));
    QVERIFY(valueAt(buckets, 100, CounterShape::Line, value));
}

QTEST_GUILESS_MAIN(DrawGeometryTest)
#include "tst_draw_geometry.moc"
