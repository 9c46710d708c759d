#include "tests/support/power_run.h"
#include "tests/widgets/pane_bench.h"
#include "widgets/overlay/channel_picker.h"
#include "widgets/overlay/overlay_painters.h"
#include "widgets/overlay/overlay_pane.h"
#include "widgets/overlay/overlay_plot.h"

#include <algorithm>
#include <cmath>

#include <QSignalSpy>
#include <QTest>
#include <QTreeWidget>

using namespace wattproof;
using namespace wattproof::widgets;
using namespace wattproof::test;

class OverlayTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();

    void firstDeviceIsShownAtFirst();
    void secondReadingIsHiddenAtFirst();
    void devicesAreChosenInTheList();
    void channelsAreHiddenInTheList();
    void stackKeepsContainment();
    void stackButtonTurnsToLines();
    void limitsHaveLines();
    void stackHasTheSumOfTheLimits();
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
    for (int i = 0; i < 6; ++i) {
        session_->queries().service().waitIdle();
        QTest::qWait(10);  // answers that come together are drawn together
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

void OverlayTest::stackHasTheSumOfTheLimits() {
    const auto overlay = pane();
    overlay->chooseDevices({run_.gpu0, run_.package});
    settle(*overlay);
    // GPU 0 alone states a limit: it says nothing about the height of the stack.
    QVERIFY(overlay->plot().isStacking());
    QVERIFY(overlay->plot().limits().missing.contains("1 of the 3"));
    QTest::mouseClick(overlay->stackButton(), Qt::LeftButton);
    settle(*overlay);
    QVERIFY(overlay->plot().limits().missing.isEmpty());
    QCOMPARE(overlay->plot().limits().lines.size(), 2U);
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
    QVERIFY(overlay->sampled().power().channels.empty());
    QTest::mouseClick(overlay->sampledButton(), Qt::LeftButton);
    settle(*overlay);
    const analysis::Reconstruction &power = overlay->sampled().power().channels.at(run_.power0);
    QVERIFY(power.readings.size() > 100);
    for (const analysis::PowerWindow &window : power.readings)
        QCOMPARE(window.range.length(), 1'000 * kMs);
    QVERIFY(overlay->sampled().note().contains("mean over 1 s, one every"));
    double widest = 0;
    for (const analysis::ReconstructedStep &step : power.steps)
        if (step.known())
            widest = std::max(widest, step.high - step.low);
    QVERIFY(widest > 50);  // steps of 25 ms within means of one second
    QVERIFY(!overlay->plot().isStacking());
    view().setVisible({0, 20'000 * kMs});
    QTest::mouseClick(overlay->sampledButton(), Qt::LeftButton);
    settle(*overlay);
    QVERIFY(overlay->sampled().power().channels.empty());
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
