#include "store/main_cluster.h"
#include "tests/widgets/pane_bench.h"
#include "widgets/minimap/minimap.h"
#include "widgets/occupancy/occupancy_painter.h"
#include "widgets/occupancy/occupancy_pane.h"
#include "widgets/overlay/limits.h"
#include "widgets/overlay/overlay_pane.h"
#include "widgets/overlay/overlay_plot.h"
#include "widgets/timeline/timeline_pane.h"

#include <algorithm>
#include <cmath>

#include <QSignalSpy>
#include <QTest>

using namespace wattproof;
using namespace wattproof::widgets;
using namespace wattproof::test;

class CentralPanesTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();

    void panesShareOneTimeAxis();
    void occupancyTellsTheSharesOfWhatIsVisible();
    void occupancyDrawsCompute();
    void occupancyWithoutOperationsSaysWhatToDo();
    void overlayHasAnAxisForEachQuantity();
    void overlayLeavesGapsOpen();
    void overlayReadsAtTheCursor();
    void overlayCurveStandsOverItsTime();
    void overlayChannelsCanBeHidden();
    void overlayNamesTheLimit();
    void alignmentDragMovesTheCurve();
    void alignmentDropNamesTheNewOffset();
    void dragSelectsOutsideAlignmentMode();
    void overlayWithoutLogSaysWhatToDo();
    void minimapDragMovesTheWindow();
    void minimapHandleResizes();
    void minimapPressOutsideJumps();
    void minimapShowsBusyTime();
    void minimapMarksWhatLiesOutside();
    void panesHaveNamesForAssistiveTools();

private:
    [[nodiscard]] TimeView &view() const { return bench_->session->view(); }
    [[nodiscard]] Ns traceBegin() const;

    std::unique_ptr<PaneBench> bench_;
};

void CentralPanesTest::init() {
    bench_ = std::make_unique<PaneBench>();
}

void CentralPanesTest::cleanup() {
    bench_.reset();
}

Ns CentralPanesTest::traceBegin() const {
    for (const TrackRow &track : require(require(bench_->session->workspace().reader())->tracks()))
        if (track.id == bench_->run.host)
            return track.extent.begin;
    return 0;
}

void CentralPanesTest::panesShareOneTimeAxis() {
    TimelinePane timeline(bench_->session.get());
    OverlayPane overlay(bench_->session.get());
    OccupancyPane occupancy(bench_->session.get());
    for (QWidget *pane : std::initializer_list<QWidget *>{&timeline, &overlay, &occupancy})
        bench_->show(*pane, 900, 200);
    for (const Ns time : {Ns{0}, 30 * kMs, 90 * kMs}) {
        QCOMPARE(overlay.timeScale().x(time), timeline.timeScale().x(time));
        QCOMPARE(occupancy.timeScale().x(time), timeline.timeScale().x(time));
    }
    QCOMPARE(overlay.plot().plotRect().left(), timeline.timeScale().left);
    QCOMPARE(overlay.plot().plotRect().width(), timeline.timeScale().width);
}

void CentralPanesTest::occupancyTellsTheSharesOfWhatIsVisible() {
    OccupancyPane pane(bench_->session.get());
    view().setVisible({traceBegin() + 20 * kMs, traceBegin() + 70 * kMs});
    bench_->show(pane);
    const QStringList summary = pane.summary();
    QCOMPARE(summary.size(), 1);
    // Compute 20–50, communication exposed 50–60, idle 60–65, copies 65–70.
    QVERIFY2(summary[0].contains(QStringLiteral("GPU 0")), qPrintable(summary[0]));
    for (const char *part : {"compute 60", "communication 20", "copies 10", "idle 10"})
        QVERIFY2(summary[0].contains(QLatin1String(part)), qPrintable(summary[0]));
}

void CentralPanesTest::occupancyDrawsCompute() {
    OccupancyPane pane(bench_->session.get());
    bench_->show(pane, 1000, 140);
    const auto x = [&](Ns ms) { return pane.timeScale().x(traceBegin() + ms * kMs); };
    QCOMPARE(pixelAt(pane, {x(30), 40}), computeFill(draw::lightTheme()).rgb());
    QCOMPARE(pixelAt(pane, {x(67), 40}), copyFill(draw::lightTheme()).rgb());
    QCOMPARE(pixelAt(pane, {x(62), 40}), draw::lightTheme().background.rgb());
}

void CentralPanesTest::occupancyWithoutOperationsSaysWhatToDo() {
    TemporaryWorkspace files;
    files.create([](store::BulkWriter &) {});
    Session session(files.open());
    OccupancyPane pane(&session);
    pane.resize(800, 160);
    pane.show();
    session.queries().service().waitIdle();
    QCoreApplication::processEvents();
    QVERIFY(countColour(pane, QRect(kGutterWidth, 40, 500, 80), draw::lightTheme().text) > 5);
}

void CentralPanesTest::overlayHasAnAxisForEachQuantity() {
    OverlayPane pane(bench_->session.get());
    bench_->show(pane, 1000, 200);
    QCOMPARE(pane.channels().size(), 3U);
    QCOMPARE(pane.channels()[0].axis, ChannelAxis::Power);
    QCOMPARE(pane.channels()[1].axis, ChannelAxis::Temperature);
    QCOMPARE(pane.channels()[2].axis, ChannelAxis::Clock);
    QCOMPARE(axisUnit(ChannelAxis::Clock, 1.98e9).text, std::string("GHz"));
    QCOMPARE(axisUnit(ChannelAxis::Power, 300).text, std::string("W"));
    QCOMPARE(axisUnit(ChannelAxis::Temperature, 90).text, std::string("°C"));
}

void CentralPanesTest::overlayLeavesGapsOpen() {
    OverlayPane pane(bench_->session.get());
    bench_->show(pane, 1000, 200);
    const std::vector<double> values = pane.plot().values(0);
    QVERIFY(values.size() > 15);
    QCOMPARE(std::count_if(values.begin(), values.end(), [](double v) { return std::isnan(v); }), 1);
    // No pixel of the curve's colour in the middle of the gap (80 to 120 ms after the log's first sample).
    const double middle = pane.timeScale().x(traceBegin() + 80 * kMs);
    const QRect inGap(QPointF(middle - 20, 24).toPoint(), QSize(40, 160));
    QCOMPARE(countColour(pane, inGap, draw::channelColour("power", draw::lightTheme())), 0);
    const QRect before(QPointF(middle - 200, 24).toPoint(), QSize(40, 160));
    QVERIFY(countColour(pane, before, draw::channelColour("power", draw::lightTheme())) > 20);
}

void CentralPanesTest::overlayReadsAtTheCursor() {
    OverlayPane pane(bench_->session.get());
    bench_->show(pane, 1000, 200);
    QCOMPARE(pane.reading(0), QStringLiteral("–"));
    view().setCursor(traceBegin() + 40 * kMs);
    QCOMPARE(pane.reading(0), QStringLiteral(u"280\u2009W"));
    QCOMPARE(pane.reading(2), QStringLiteral(u"1.98\u2009GHz"));
    view().setCursor(traceBegin() + 80 * kMs);
    QCOMPARE(pane.reading(0), QStringLiteral("gap"));
}

void CentralPanesTest::overlayCurveStandsOverItsTime() {
    OverlayPane pane(bench_->session.get());
    bench_->show(pane, 1000, 200);
    // Power jumps between 15 and 20 ms of the trace: the rising edge is there and nowhere else before.
    const QColor colour = draw::channelColour("power", draw::lightTheme());
    const auto column = [&](double ms) {
        const double x = pane.timeScale().x(traceBegin() + static_cast<Ns>(ms * kMs));
        return countColour(pane, QRect(QPointF(x, 26).toPoint(), QSize(1, 160)), colour);
    };
    QVERIFY2(column(17.5) >= 2, qPrintable(QString::number(column(17.5))));
    QVERIFY(column(30) >= 1 && column(30) <= 2);
}

void CentralPanesTest::overlayChannelsCanBeHidden() {
    OverlayPane pane(bench_->session.get());
    bench_->show(pane, 1000, 200);
    const QRect plot(kGutterWidth, 26, 700, 160);
    const QColor colour = draw::channelColour("temperature", draw::lightTheme());
    QVERIFY(countColour(pane, plot, colour) > 20);
    QTest::mouseClick(&pane, Qt::LeftButton, {}, pane.legendEntry(1).center().toPoint());
    QVERIFY(!pane.isShown(1));
    bench_->settle(pane);
    QCOMPARE(countColour(pane, plot, colour), 0);
}

void CentralPanesTest::overlayNamesTheLimit() {
    RunTables tables;
    CounterRow limit;
    limit.quantity = "limit";
    limit.unit = "W";
    limit.sampleCount = 2;
    limit.maxValue = 300;
    tables.counters = {limit, limit};
    const auto limits = limitLines(statedLimits(tables, {DeviceId()}), {}).lines;
    QCOMPARE(limits.size(), 1U);
    QCOMPARE(limits[0].value, 300.0);
    QVERIFY(limits[0].label.contains(QStringLiteral("300")));
}

void CentralPanesTest::alignmentDragMovesTheCurve() {
    OverlayPane pane(bench_->session.get());
    bench_->show(pane, 1000, 200);
    pane.setAlignmentMode(true);
    QSignalSpy dragged(&pane, &OverlayPane::alignmentDragged);
    drag(pane, QPointF(500, 100), QPointF(540, 100));
    QVERIFY(!dragged.isEmpty());
    const Ns delta = dragged.last().at(1).value<wattproof::Ns>();
    QVERIFY(std::abs(static_cast<double>(delta) - 40 * pane.timeScale().nsPerPixel()) <=
            pane.timeScale().nsPerPixel());
    QVERIFY(view().selection().isEmpty());
}

void CentralPanesTest::alignmentDropNamesTheNewOffset() {
    OverlayPane pane(bench_->session.get());
    bench_->show(pane, 1000, 200);
    pane.setAlignmentMode(true);
    QSignalSpy dropped(&pane, &OverlayPane::alignmentDropped);
    drag(pane, QPointF(500, 100), QPointF(480, 100));
    QCOMPARE(dropped.size(), 1);
    QVERIFY(dropped[0].at(1).value<wattproof::Ns>() < 0);
    QCOMPARE(dropped[0].at(0).value<wattproof::SourceId>(), pane.channels()[0].counter.source);
}

void CentralPanesTest::dragSelectsOutsideAlignmentMode() {
    OverlayPane pane(bench_->session.get());
    bench_->show(pane, 1000, 200);
    drag(pane, QPointF(500, 100), QPointF(540, 100));
    QVERIFY(view().selection().isArea());
}

void CentralPanesTest::overlayWithoutLogSaysWhatToDo() {
    TemporaryWorkspace files;
    files.create([](store::BulkWriter &) {});
    Session session(files.open());
    OverlayPane pane(&session);
    pane.resize(800, 200);
    pane.show();
    session.queries().service().waitIdle();
    QCoreApplication::processEvents();
    QVERIFY(countColour(pane, QRect(kGutterWidth, 60, 500, 80), draw::lightTheme().text) > 5);
}

void CentralPanesTest::minimapDragMovesTheWindow() {
    Minimap map(bench_->session.get());
    bench_->show(map, 1000, 44);
    view().setVisible({traceBegin() + 20 * kMs, traceBegin() + 40 * kMs});
    const TimeRange before = view().visible();
    const int x = static_cast<int>(map.extentScale().x(traceBegin() + 30 * kMs));
    drag(map, QPointF(x, 20), QPointF(x + 100, 20));
    QCOMPARE(view().visible().length(), before.length());
    const double moved = static_cast<double>(view().visible().begin - before.begin);
    QVERIFY(std::abs(moved - 100 * map.extentScale().nsPerPixel()) <= map.extentScale().nsPerPixel());
}

void CentralPanesTest::minimapHandleResizes() {
    Minimap map(bench_->session.get());
    bench_->show(map, 1000, 44);
    view().setVisible({traceBegin() + 20 * kMs, traceBegin() + 40 * kMs});
    const int x = static_cast<int>(map.extentScale().x(view().visible().end)) + 4;
    drag(map, QPointF(x, 20), QPointF(x + 80, 20));
    QCOMPARE(view().visible().begin, traceBegin() + 20 * kMs);
    QVERIFY(view().visible().end > traceBegin() + 45 * kMs);
}

void CentralPanesTest::minimapPressOutsideJumps() {
    Minimap map(bench_->session.get());
    bench_->show(map, 1000, 44);
    view().setVisible({traceBegin() + 10 * kMs, traceBegin() + 12 * kMs});
    const double x = map.extentScale().x(traceBegin() + 80 * kMs);
    QTest::mouseClick(&map, Qt::LeftButton, {}, QPointF(x, 20).toPoint());
    QVERIFY(view().visible().contains(traceBegin() + 80 * kMs));
    QCOMPARE(view().visible().length(), 2 * kMs);
}

void CentralPanesTest::minimapShowsBusyTime() {
    Minimap map(bench_->session.get());
    bench_->show(map, 1000, 44);
    const auto at = [&](Ns ms) { return pixelAt(map, {map.extentScale().x(traceBegin() + ms * kMs), 36}); };
    QVERIFY(at(30) != at(10));
    QCOMPARE(QColor(at(10)), draw::lightTheme().background);
}

void CentralPanesTest::minimapMarksWhatLiesOutside() {
    TemporaryWorkspace files;
    files.create([](store::BulkWriter &writer) {
        const SourceId source = require(writer.addSource(traceSource(0)));
        TrackRow track;
        track.source = source;
        std::vector<SliceRow> slices{sliceAt(0, 50 * kMs, writer.intern("work")),
                                     sliceAt(3'600'000 * kMs, kMs, writer.intern("late"))};
        require(writer.writeTrackSlices(writer.addTrack(track), slices, std::vector<std::int32_t>{-1, -1}));
        for (const MetadataRow &row : store::metadataOf({0, 50 * kMs, 0, 1, 0}, source))
            writer.addMetadata(row);
        require(writer.finishSource(source));
    });
    Session session(files.open());
    const auto reader = require(session.workspace().reader());
    session.view().setExtent(require(reader->extent()), require(reader->mainPart()).range);
    Minimap map(&session);
    map.resize(1000, 44);
    map.show();
    session.queries().service().waitIdle();
    QCoreApplication::processEvents();
    const QPointF arrow(map.width() - 7, 22);
    QCOMPARE(map.extentScale().visible, (TimeRange{0, 50 * kMs}));
    QVERIFY2(map.toolTip().contains("1 after"), qPrintable(map.toolTip()));
    QVERIFY(!map.toolTip().contains("before"));
    QCOMPARE(pixelAt(map, arrow), draw::lightTheme().text.rgb());

    session.view().fitAll();
    QCOMPARE(map.extentScale().visible, session.view().extent());
    QVERIFY(map.toolTip().isEmpty());
    session.view().fitAll();
    QCOMPARE(map.extentScale().visible, (TimeRange{0, 50 * kMs}));
    // A drag that leaves the main part keeps its scale until it is let go.
    const QPointF from(600, 20), to(900, 20);
    sendMouse(map, QEvent::MouseButtonPress, from, Qt::LeftButton, Qt::LeftButton);
    sendMouse(map, QEvent::MouseMove, to, Qt::NoButton, Qt::LeftButton);
    QVERIFY(session.view().visible().begin > 10 * kMs);
    QCOMPARE(map.extentScale().visible, (TimeRange{0, 50 * kMs}));
    sendMouse(map, QEvent::MouseButtonRelease, to, Qt::LeftButton, Qt::NoButton);
    QCOMPARE(map.extentScale().visible, session.view().extent());
}

void CentralPanesTest::panesHaveNamesForAssistiveTools() {
    TimelinePane timeline(bench_->session.get());
    OverlayPane overlay(bench_->session.get());
    OccupancyPane occupancy(bench_->session.get());
    Minimap map(bench_->session.get());
    for (const QWidget *pane : std::initializer_list<QWidget *>{&timeline, &overlay, &occupancy, &map}) {
        QVERIFY(!pane->accessibleName().isEmpty());
        QCOMPARE(pane->focusPolicy(), Qt::StrongFocus);
    }
}

QTEST_MAIN(CentralPanesTest)
#include "tst_central_panes.moc"
