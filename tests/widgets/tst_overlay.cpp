#include "tests/support/power_run.h"
#include "tests/widgets/pane_bench.h"
#include "widgets/overlay/channel_picker.h"
#include "widgets/overlay/overlay_pane.h"
#include "widgets/overlay/overlay_plot.h"

#include <cmath>

#include <QSignalSpy>
#include <QTest>
#include <QTreeWidget>

using namespace wattproof;
using namespace wattproof::widgets;
using namespace wattproof::test;

namespace {

store::CounterBucket at(Ns ts, double value, bool gapBefore = false) {
    return {ts, ts, value, value, value, value, 1, gapBefore};
}

}  // namespace

class OverlayTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();

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

    void firstDeviceIsShownAtFirst();
    void secondReadingIsHiddenAtFirst();
    void devicesAreChosenInTheList();
    void channelsAreHiddenInTheList();
    void stackKeepsContainment();
    void stackButtonTurnsToLines();
    void limitsHaveLines();
    void frozenStretchIsHatchedNotDrawn();
    void throttleRowsNameTheirClasses();
    void pointerReadsAllChannels();
    void readoutTellsGapsAndSensors();
    void readingsStandOverTheirWindows();
    void warningsAreNamed();
    void curvesStayWhilePanning();

private:
    [[nodiscard]] std::unique_ptr<OverlayPane> pane(int height = 300) const;
    void settle(QWidget &) const;
    [[nodiscard]] TimeView &view() const { return session_->view(); }

    std::unique_ptr<TemporaryWorkspace> files_;
    std::unique_ptr<Session> session_;
    PowerRun run_;
};

void OverlayTest::init() {
    files_ = std::make_unique<TemporaryWorkspace>();
    files_->create([this](store::BulkWriter &writer) { run_ = powerRun(writer); });
    session_ = std::make_unique<Session>(files_->open());
    auto reader = require(session_->workspace().reader());
    session_->view().setExtent(require(reader->extent()));
    session_->view().setVisible(session_->view().extent());
}

void OverlayTest::cleanup() {
    session_.reset();
    files_.reset();
}

void OverlayTest::settle(QWidget &pane) const {
    for (int i = 0; i < 5; ++i) {
        session_->queries().service().waitIdle();
        QCoreApplication::processEvents();
        pane.grab();
    }
}

std::unique_ptr<OverlayPane> OverlayTest::pane(int height) const {
    auto made = std::make_unique<OverlayPane>(session_.get());
    made->resize(1220, height);
    made->show();
    settle(*made);
    return made;
}

void OverlayTest::countersBecomePower() {
    OverlayChannel channel;
    channel.reading = Reading::CounterRate;
    const auto drawn = asDrawn({at(0, 10), at(1'000'000'000, 30), at(3'000'000'000, 40, true)}, channel);
    QCOMPARE(drawn.size(), 2U);
    QCOMPARE(drawn[0].ts, 0);
    QCOMPARE(drawn[0].last, 20.0);
    QCOMPARE(drawn[1].last, 5.0);
    QVERIFY(!drawn[1].gapBefore);  // the counter went on
}

void OverlayTest::wrappedCountersGoOn() {
    OverlayChannel channel;
    channel.reading = Reading::CounterRate;
    channel.counter.modulus = 100;
    const auto drawn = asDrawn({at(0, 95), at(1'000'000'000, 5)}, channel);
    QCOMPARE(drawn.at(0).last, 10.0);
    channel.counter.modulus = 0;
    QVERIFY(asDrawn({at(0, 95), at(1'000'000'000, 5)}, channel).empty());
}

void OverlayTest::deltasBecomePowerAfterTheFirst() {
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

void OverlayTest::meansStandForTheTimeBeforeThem() {
    OverlayChannel channel;
    channel.counter.kind = CounterKind::Mean;
    const auto drawn = asDrawn({at(0, 7), at(500, 20)}, channel);
    QCOMPARE(drawn[1].ts, 0);
    QCOMPARE(drawn[1].end, 500);
    QCOMPARE(drawn[1].last, 20.0);
}

void OverlayTest::partsStandInsideTheirWhole() {
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

void OverlayTest::stackIsUnknownWhereOneOfItIs() {
    const std::vector<store::CounterBucket> one{at(0, 90), at(100, 90)},
        gappy{at(0, 60), at(40, 60), at(80, 60, true)};
    const auto layers = stackOf(
        {{CounterId(1), {}, &one, draw::CounterShape::Line}, {CounterId(2), {}, &gappy, draw::CounterShape::Line}},
        {{0, 100}, 0, 10});
    QCOMPARE(layers[1].top[2], 150.0);
    QVERIFY(std::isnan(layers[1].top[6]));
    QCOMPARE(layers[0].top[6], 90.0);
}

void OverlayTest::masksAreNamedAndClassed() {
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

void OverlayTest::frozenNeedsAWitness() {
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
    QCOMPARE(doubtsOf(power, still, 100 * kMs, quiet).at(0).doubt, Doubt::Zero);
}

void OverlayTest::slowPollsOfAFastSensorAreNotFrozen() {
    CounterRow power;
    power.quantity = "power";
    power.sensor.period = 1000 * kMs;
    std::vector<store::CounterBucket> repeated;
    for (int i = 0; i < 300; ++i)  // polled a hundred times each update
        repeated.push_back(at(i * 10 * kMs, 46.19 + i / 100));
    QVERIFY(doubtsOf(power, repeated, 10 * kMs, [](TimeRange, bool) { return true; }).empty());
}

void OverlayTest::implausibleAndMissingAreTold() {
    CounterRow temperature;
    temperature.quantity = "temperature";
    const auto spans = doubtsOf(temperature, {at(0, 40), at(100, 255), at(200, 41), at(500, 42), at(600, 42)}, 100,
                                [](TimeRange, bool) { return false; });
    QCOMPARE(spans.size(), 2U);
    QCOMPARE(spans[0].doubt, Doubt::Implausible);
    QCOMPARE(spans[1].doubt, Doubt::Bridged);
    QCOMPARE(spans[1].range, (TimeRange{200, 500}));
}

void OverlayTest::firstDeviceIsShownAtFirst() {
    const auto overlay = pane();
    QCOMPARE(overlay->chosenDevices(), std::set<DeviceId>{run_.gpu0});
    QCOMPARE(overlay->channels().size(), 3U);
    QVERIFY(!overlay->plot().isStacking());
}

void OverlayTest::secondReadingIsHiddenAtFirst() {
    const auto overlay = pane();
    QCOMPARE(overlay->channels()[1].counter.id, run_.instant0);
    QCOMPARE(overlay->channels()[1].role, PowerRole::SameAgain);
    QVERIFY(overlay->isShown(0) && !overlay->isShown(1));
}

void OverlayTest::devicesAreChosenInTheList() {
    const auto overlay = pane();
    QTest::mouseClick(overlay->picker(), Qt::LeftButton);
    QTreeWidget *list = overlay->picker()->list();
    QVERIFY(list->isVisible());
    QCOMPARE(list->topLevelItemCount(), 3);
    list->topLevelItem(1)->setCheckState(0, Qt::Checked);
    settle(*overlay);
    QVERIFY(overlay->chosenDevices().contains(run_.gpu1));
    QCOMPARE(overlay->channels().size(), 4U);
    list->topLevelItem(0)->setCheckState(0, Qt::Unchecked);
    QCOMPARE(overlay->chosenDevices(), std::set<DeviceId>{run_.gpu1});
}

void OverlayTest::channelsAreHiddenInTheList() {
    const auto overlay = pane();
    overlay->picker()->list()->topLevelItem(0)->child(2)->setCheckState(0, Qt::Unchecked);
    settle(*overlay);
    QVERIFY(!overlay->isShown(2));
    const QColor colour = draw::channelColour("temperature", draw::lightTheme());
    QCOMPARE(countColour(*overlay, overlay->plot().plotRect().toRect(), colour), 0);
    overlay->picker()->list()->topLevelItem(0)->child(2)->setCheckState(0, Qt::Checked);
    settle(*overlay);
    QVERIFY(countColour(*overlay, overlay->plot().plotRect().toRect(), colour) > 50);
}

void OverlayTest::stackKeepsContainment() {
    const auto overlay = pane();
    overlay->chooseDevices({run_.package});
    settle(*overlay);
    QVERIFY(overlay->plot().isStacking());
    const std::vector<DrawnLayer> layers = overlay->plot().layers();
    QCOMPARE(layers.size(), 3U);  // cores, the rest of the package, dram
    const std::size_t middle = layers[0].layer.top.size() / 2;
    QVERIFY(std::abs(layers[0].layer.top[middle] - 60.25) < 0.3);
    QVERIFY(layers[1].label.contains("rest of"));
    QVERIFY(std::abs(layers[1].layer.top[middle] - 90.25) < 0.3);
    QVERIFY(std::abs(layers[2].layer.top[middle] - 110.25) < 0.3);
    // The fill of the cores lies at 30 W, that of the rest at 75 W.
    const double x = overlay->plot().plotRect().center().x() + 300;
    QCOMPARE(pixelAt(*overlay, {x, overlay->plot().yOf(ChannelAxis::Power, 20)}), layers[0].fill.rgb());
    QCOMPARE(pixelAt(*overlay, {x, overlay->plot().yOf(ChannelAxis::Power, 68)}), layers[1].fill.rgb());
}

void OverlayTest::stackButtonTurnsToLines() {
    const auto overlay = pane();
    overlay->chooseDevices({run_.gpu0, run_.gpu1});
    settle(*overlay);
    QVERIFY(overlay->plot().isStacking());
    QTest::mouseClick(overlay->stackButton(), Qt::LeftButton);
    settle(*overlay);
    QVERIFY(!overlay->plot().isStacking());
    QVERIFY(overlay->plot().layers().empty());
}

void OverlayTest::limitsHaveLines() {
    const auto overlay = pane();
    const QRect plot = overlay->plot().plotRect().toRect();
    const auto row = [&](ChannelAxis axis, double value, const QColor &colour) {
        const int y = static_cast<int>(std::lround(overlay->plot().yOf(axis, value)));
        return countColour(*overlay, QRect(plot.left(), y - 1, plot.width(), 3), colour);
    };
    QVERIFY(row(ChannelAxis::Power, 300, draw::lightTheme().warn) > 200);
    QVERIFY(row(ChannelAxis::Temperature, 90, draw::lightTheme().bad) > 200);
}

void OverlayTest::frozenStretchIsHatchedNotDrawn() {
    const auto overlay = pane();
    const double x = overlay->timeScale().x(8'000 * kMs);
    const QColor colour = overlay->channels()[0].colour;
    const QRect plot = overlay->plot().plotRect().toRect();
    const QRect column(static_cast<int>(x), plot.top(), 12, plot.height());
    const double before = overlay->timeScale().x(2'000 * kMs);
    const QRect drawn(static_cast<int>(before), plot.top(), 12, plot.height());
    QVERIFY(countColour(*overlay, drawn, colour) > 10);
    const std::vector<double> values = overlay->plot().values(0);
    QVERIFY(std::none_of(values.begin(), values.end(), [](double v) { return v == 123.45; }));
    // Only the dotted edge of the hatched box has the curve's colour.
    QVERIFY(countColour(*overlay, column, colour) <= 24);
}

void OverlayTest::throttleRowsNameTheirClasses() {
    const auto overlay = pane();
    const QRectF power = overlay->plot().throttleRow("power"), idle = overlay->plot().throttleRow("idle");
    QVERIFY(!power.isEmpty() && !idle.isEmpty() && power.top() < idle.top());
    QVERIFY(overlay->plot().throttleRow("thermal").isEmpty());
    const auto inRow = [&](const QRectF &row, Ns ms, const QColor &colour) {
        const int x = static_cast<int>(overlay->timeScale().x(ms * kMs));
        return countColour(*overlay, QRect(x, static_cast<int>(row.top()), 4, kThrottleRow + 2), colour);
    };
    QVERIFY(inRow(power, 16'000, draw::lightTheme().warn) > 4);
    QCOMPARE(inRow(power, 10'000, draw::lightTheme().warn), 0);
    QVERIFY(inRow(idle, 500, draw::lightTheme().grid) > 20);
}

void OverlayTest::pointerReadsAllChannels() {
    const auto overlay = pane();
    const QRectF plot = overlay->plot().plotRect();
    hover(*overlay, {overlay->timeScale().x(3'030 * kMs), plot.center().y()});
    settle(*overlay);
    QVERIFY(overlay->readout().isVisible());
    const std::vector<ReadoutRow> &rows = overlay->readout().rows();
    QCOMPARE(rows.size(), 3U);  // power, temperature, throttle; the hidden channel is not read
    QCOMPARE(rows[0].name, QStringLiteral("GPU 0 power.draw"));
    QVERIFY2(rows[0].value == QStringLiteral(u"100\u2009W"), qPrintable(rows[0].value));
    QVERIFY2(rows[0].age.contains("ago"), qPrintable(rows[0].age));
    QCOMPARE(rows[1].value, QStringLiteral(u"43.0\u2009°C"));
    QCOMPARE(rows[2].value, QStringLiteral("none"));
    QEvent leave(QEvent::Leave);
    QCoreApplication::sendEvent(overlay.get(), &leave);
    QVERIFY(!overlay->readout().isVisible());
}

void OverlayTest::readoutTellsGapsAndSensors() {
    const auto overlay = pane();
    const double y = overlay->plot().plotRect().center().y();
    hover(*overlay, {overlay->timeScale().x(13'000 * kMs), y});
    settle(*overlay);
    QCOMPARE(overlay->readout().rows().at(0).value, QStringLiteral("gap"));
    QVERIFY(overlay->readout().rows()[0].sensor.contains(QStringLiteral(u"mean of 1.00\u2009s")));
    hover(*overlay, {overlay->timeScale().x(16'000 * kMs), y});
    settle(*overlay);
    QVERIFY(overlay->readout().rows().back().value.contains("sw_power_cap"));
}

void OverlayTest::readingsStandOverTheirWindows() {
    const auto overlay = pane();
    QVERIFY(overlay->sampled().windows.empty());
    QTest::mouseClick(overlay->sampledButton(), Qt::LeftButton);
    settle(*overlay);
    const auto &windows = overlay->sampled().windows.at(run_.power0);
    QVERIFY(windows.size() > 100);
    for (const analysis::PowerWindow &window : windows)
        QCOMPARE(window.range.length(), 1'000 * kMs);
    QVERIFY(!overlay->plot().isStacking());
    view().setVisible({0, 20'000 * kMs});
    QTest::mouseClick(overlay->sampledButton(), Qt::LeftButton);
    settle(*overlay);
    QVERIFY(overlay->sampled().windows.empty());
}

void OverlayTest::warningsAreNamed() {
    const auto overlay = pane();
    QVERIFY(overlay->warningsButton()->isVisible());
    QVERIFY(overlay->warningsButton()->toolTip().contains("frozen_sensor"));
    QSignalSpy asked(overlay.get(), &OverlayPane::warningsRequested);
    QTest::mouseClick(overlay->warningsButton(), Qt::LeftButton);
    QCOMPARE(asked.size(), 1);
}

void OverlayTest::curvesStayWhilePanning() {
    const auto overlay = pane();
    view().setVisible({8'000 * kMs, 12'000 * kMs});
    settle(*overlay);
    const std::size_t points = overlay->plot().values(0).size();
    QVERIFY(points > 20);
    const QRectF entry = overlay->legendEntry(0);
    view().panBy(500 * kMs);
    QCOMPARE(overlay->plot().values(0).size(), points);
    QCOMPARE(overlay->legendEntry(0), entry);
    QCOMPARE(overlay->timeScale().visible.begin, 8'500 * kMs);
}

QTEST_MAIN(OverlayTest)
#include "tst_overlay.moc"
