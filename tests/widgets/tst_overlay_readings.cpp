// What the overlay makes of readings, before anything is painted.
#include "tests/support/power_run.h"
#include "tests/widgets/pane_bench.h"
#include "widgets/overlay/channels.h"
#include "widgets/overlay/limits.h"
#include "widgets/overlay/stack.h"
#include "widgets/overlay/throttle.h"
#include "widgets/overlay/trust.h"

#include <cmath>

#include <QImage>
#include <QTest>

using namespace wattproof;
using namespace wattproof::widgets;
using namespace wattproof::test;

namespace {

store::CounterBucket at(Ns ts, double value, bool gapBefore = false) {
    return {ts, ts, value, value, value, value, 1, gapBefore};
}

StatedLimit limitOf(int device, double watts, const char *domain = "board") {
    return {
        ChannelAxis::Power,           watts, "W", DeviceId(device), domain, QStringLiteral("GPU %1").arg(device),
        QStringLiteral("power.limit")};
}

}  // namespace

class OverlayReadingsTest : public QObject {
    Q_OBJECT

private slots:
    void countersBecomePower();
    void wrappedCountersGoOn();
    void deltasBecomePowerAfterTheFirst();
    void meansStandForTheTimeBeforeThem();
    void partsStandInsideTheirWhole();
    void stackIsUnknownWhereOneOfItIs();
    void masksAreNamedAndClassed();
    void frozenNeedsAWitness();
    void slowPollsOfAFastSensorAreNotFrozen();
    void implausibleAndMissingAreTold();
    void oneLimitOfManyDevicesIsOneLine();
    void limitsOfAStackAddUp();
    void limitsDoNotHideOneAnother();
};

void OverlayReadingsTest::countersBecomePower() {
    OverlayChannel channel;
    channel.reading = Reading::CounterRate;
    const auto drawn = asDrawn({at(0, 10), at(1'000'000'000, 30), at(3'000'000'000, 40, true)}, channel);
    QCOMPARE(drawn.size(), 2U);
    QCOMPARE(drawn[0].ts, 0);
    QCOMPARE(drawn[0].last, 20.0);
    QCOMPARE(drawn[1].last, 5.0);
    QVERIFY(!drawn[1].gapBefore);  // the counter went on
}

void OverlayReadingsTest::wrappedCountersGoOn() {
    OverlayChannel channel;
    channel.reading = Reading::CounterRate;
    channel.counter.modulus = 100;
    const auto drawn = asDrawn({at(0, 95), at(1'000'000'000, 5)}, channel);
    QCOMPARE(drawn.at(0).last, 10.0);
    channel.counter.modulus = 0;
    QVERIFY(asDrawn({at(0, 95), at(1'000'000'000, 5)}, channel).empty());
}

void OverlayReadingsTest::deltasBecomePowerAfterTheFirst() {
    OverlayChannel channel;
    channel.reading = Reading::DeltaRate;
    channel.counter.kind = CounterKind::Delta;
    const auto drawn =
        asDrawn({at(0, 7), at(500'000'000, 20), at(9'000'000'000, 20, true), at(9'500'000'000, 10)}, channel);
    QCOMPARE(drawn.size(), 2U);
    QCOMPARE(drawn[0].last, 40.0);
    QCOMPARE(drawn[1].last, 20.0);
    QVERIFY(drawn[1].gapBefore);
}

void OverlayReadingsTest::meansStandForTheTimeBeforeThem() {
    OverlayChannel channel;
    channel.counter.kind = CounterKind::Mean;
    const auto drawn = asDrawn({at(0, 7), at(500, 20)}, channel);
    QCOMPARE(drawn[1].ts, 0);
    QCOMPARE(drawn[1].end, 500);
    QCOMPARE(drawn[1].last, 20.0);
}

void OverlayReadingsTest::partsStandInsideTheirWhole() {
    const std::vector<store::CounterBucket> whole{at(0, 90), at(100, 90)}, part{at(0, 60), at(100, 60)},
        larger{at(0, 95), at(100, 95)};
    const draw::TimeScale scale{{0, 100}, 0, 10};
    const auto layers = stackOf({{CounterId(1), {}, &whole, draw::CounterShape::Line},
                                 {CounterId(2), CounterId(1), &part, draw::CounterShape::Line}},
                                scale);
    QCOMPARE(layers.size(), 2U);
    QCOMPARE(layers[0].part, 1U);
    QCOMPARE(layers[0].top[5], 60.0);
    QVERIFY(layers[1].rest);
    QCOMPARE(layers[1].watts[5], 30.0);
    QCOMPARE(layers[1].top[5], 90.0);  // never 150
    const auto beyond = stackOf({{CounterId(1), {}, &whole, draw::CounterShape::Line},
                                 {CounterId(2), CounterId(1), &larger, draw::CounterShape::Line}},
                                scale);
    QCOMPARE(beyond[1].watts[5], 0.0);
}

void OverlayReadingsTest::stackIsUnknownWhereOneOfItIs() {
    const std::vector<store::CounterBucket> one{at(0, 90), at(100, 90)},
        gappy{at(0, 60), at(40, 60), at(80, 60, true)};
    const auto layers = stackOf(
        {{CounterId(1), {}, &one, draw::CounterShape::Line}, {CounterId(2), {}, &gappy, draw::CounterShape::Line}},
        {{0, 100}, 0, 10});
    QCOMPARE(layers[1].top[2], 150.0);
    QVERIFY(std::isnan(layers[1].top[6]));
    QCOMPARE(layers[0].top[6], 90.0);
}

void OverlayReadingsTest::masksAreNamedAndClassed() {
    CounterRow mask;
    mask.kind = CounterKind::Flags;
    mask.flagTable = "nvml";
    const auto spans =
        require(throttleSpans(mask, {at(0, 1), at(10, 4), at(20, 0x48), at(30, 0), at(40, 1 << 20)}, 10));
    QCOMPARE(spans.size(), 4U);
    QCOMPARE(spans[0].throttleClass, std::string("idle"));
    QCOMPARE(spans[1].throttleClass, std::string("power"));
    QCOMPARE(spans[1].range, (TimeRange{10, 20}));
    QCOMPARE(spans[2].throttleClass, std::string("thermal"));
    QCOMPARE(spans[2].reasons, std::string("hw_thermal_slowdown"));  // the parent bit says nothing more
    QCOMPARE(spans[3].reasons, std::string("bit 20"));
}

void OverlayReadingsTest::frozenNeedsAWitness() {
    CounterRow power;
    power.quantity = "power";
    std::vector<store::CounterBucket> still;
    for (int i = 0; i < 40; ++i)
        still.push_back(at(i * 100 * kMs, 46.19));
    const auto moved = [](TimeRange, bool) { return true; };
    const auto quiet = [](TimeRange, bool) { return false; };
    const auto found = doubtsOf(power, still, 100 * kMs, moved);
    QCOMPARE(found.size(), 1U);
    QCOMPARE(found[0].doubt, Doubt::Frozen);
    QCOMPARE(found[0].readings, 40);
    QVERIFY(doubtSentence(found[0], "W").find("frozen_sensor") == 0);
    QVERIFY(doubtsOf(power, still, 100 * kMs, quiet).empty());
    for (store::CounterBucket &bucket : still)
        bucket.min = bucket.max = bucket.first = bucket.last = 0;
    const DoubtSpan zeros = doubtsOf(power, still, 100 * kMs, quiet).at(0);
    QCOMPARE(zeros.doubt, Doubt::Zero);
    QVERIFY(doubtSentence(zeros, "W").find("zero_power") == 0);
}

void OverlayReadingsTest::slowPollsOfAFastSensorAreNotFrozen() {
    CounterRow power;
    power.quantity = "power";
    power.sensor.period = 1000 * kMs;
    std::vector<store::CounterBucket> repeated;
    for (int i = 0; i < 300; ++i)  // polled a hundred times each update
        repeated.push_back(at(i * 10 * kMs, 46.19 + i / 100));
    QVERIFY(doubtsOf(power, repeated, 10 * kMs, [](TimeRange, bool) { return true; }).empty());
}

void OverlayReadingsTest::implausibleAndMissingAreTold() {
    CounterRow temperature;
    temperature.quantity = "temperature";
    const auto spans = doubtsOf(temperature, {at(0, 40), at(100, 255), at(200, 41), at(500, 42), at(600, 42)}, 100,
                                [](TimeRange, bool) { return false; });
    QCOMPARE(spans.size(), 2U);
    QCOMPARE(spans[0].doubt, Doubt::Implausible);
    QCOMPARE(spans[1].doubt, Doubt::Bridged);
    QCOMPARE(spans[1].range, (TimeRange{200, 500}));
}

void OverlayReadingsTest::oneLimitOfManyDevicesIsOneLine() {
    const LimitLines same = limitLines({limitOf(1, 300), limitOf(2, 300)}, {});
    QCOMPARE(same.lines.size(), 1U);
    QCOMPARE(same.lines[0].label, QStringLiteral(u"power limit 300\u2009W"));
    const LimitLines different = limitLines({limitOf(1, 300), limitOf(2, 250)}, {});
    QCOMPARE(different.lines.size(), 2U);
    QCOMPARE(different.lines[1].label, QStringLiteral(u"GPU 2 power limit 250\u2009W"));
    StatedLimit enforced = limitOf(1, 250);
    enforced.name = QStringLiteral("enforced.power.limit");
    QCOMPARE(limitLines({limitOf(1, 300), enforced}, {}).lines[1].label,
             QStringLiteral(u"enforced.power.limit 250\u2009W"));
}

void OverlayReadingsTest::limitsOfAStackAddUp() {
    const std::vector<StackedWhole> stack{{DeviceId(1), "board"}, {DeviceId(2), "board"}};
    const LimitLines all = limitLines({limitOf(1, 300), limitOf(1, 250), limitOf(2, 250)}, stack);
    QCOMPARE(all.lines.size(), 1U);
    QCOMPARE(all.lines[0].value, 500.0);  // the stricter one of the first device
    const LimitLines some = limitLines({limitOf(1, 300), limitOf(2, 400, "module")}, stack);
    QVERIFY(some.lines.empty());
    QVERIFY(some.missing.contains("1 of the 2"));
    QVERIFY(limitLines({}, stack).missing.isEmpty());
}

void OverlayReadingsTest::limitsDoNotHideOneAnother() {
    QImage image(400, 100, QImage::Format_RGB32);
    const draw::Theme &theme = draw::lightTheme();
    image.fill(theme.background);
    QPainter painter(&image);
    const std::vector<PlacedLimit> limits{{50, theme.warn, "power limit 300 W", true},
                                          {50, theme.bad, "slowdown at 90 °C", false},
                                          {52, theme.muted, "clock limit 2 GHz", true}};
    paintLimits(painter, limits, QRectF(0, 0, 400, 100), theme);
    painter.end();
    // Letters are smoothed.
    const auto isNear = [](const QColor &a, const QColor &b) {
        return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue()) < 90;
    };
    const auto count = [&image, &isNear](const QRect &area, const QColor &colour) {
        int found = 0;
        for (int y = area.top(); y <= area.bottom(); ++y)
            for (int x = area.left(); x <= area.right(); ++x)
                found += isNear(image.pixelColor(x, y), colour) ? 1 : 0;
        return found;
    };
    // Between the labels, where nothing else is drawn.
    const QRect middle(180, 49, 40, 5);
    for (const PlacedLimit &limit : limits)
        QVERIFY2(count(middle, limit.colour) >= 10, qPrintable(limit.label));
    // Of labels at one place only the last would be legible.
    for (const PlacedLimit &limit : limits)
        QVERIFY2(count(image.rect(), limit.colour) - count(QRect(0, 50, 400, 3), limit.colour) > 40,
                 qPrintable(limit.label));
}

QTEST_MAIN(OverlayReadingsTest)
#include "tst_overlay_readings.moc"
