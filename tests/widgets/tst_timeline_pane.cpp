#include "report/draw/labels.h"
#include "tests/widgets/pane_bench.h"
#include "widgets/timeline/timeline_pane.h"

#include <QLineEdit>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>
#include <QWheelEvent>

using namespace wattproof;
using namespace wattproof::widgets;
using namespace wattproof::test;

class TimelinePaneTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();

    void drawsSlicesInTheirClassColour();
    void overlappingSlicesHaveRowsOfTheirOwn();
    void unselectedGroundIsTheBackground();
    void keepsThePictureWhileNewDataLoads();
    void clickSelectsTheSlice();
    void clickOnARunPicksOneOfItsSlices();
    void clickOnNothingClears();
    void doubleClickZoomsToTheSlice();
    void dragSelectsAnAreaOverTheTracksItCovers();
    void dragAlongTheRulerMeansAllTracks();
    void shiftDragPans();
    void middleDragPans();
    void wheelZoomsAtThePointer();
    void wheelOverTheGutterScrolls();
    void keysZoomAndPan();
    void focusShowsTheSelectionThenAll();
    void zShowsTheMainPartThenEverything();
    void escapeClears();
    void commaAndFullStopStepThroughSlices();
    void questionMarkIsLeftToTheWindow();
    void clickOnANameCollapses();
    void collapsedTracksAreRemembered();
    void filterNarrowsTheTracks();
    void selectionFromElsewhereIsRevealed();
    void launchIsLinkedToItsKernel();
    void hoverMovesTheSharedCursor();
    void darkThemeIsDark();
    void emptyWorkspaceSaysWhatToDo();

private:
    [[nodiscard]] QPoint pointOf(TrackId track, int row, Ns time) const;
    [[nodiscard]] TimeView &view() const { return bench_->session->view(); }

    std::unique_ptr<PaneBench> bench_;
    std::unique_ptr<TimelinePane> pane_;
};

void TimelinePaneTest::init() {
    bench_ = std::make_unique<PaneBench>();
    pane_ = std::make_unique<TimelinePane>(bench_->session.get());
    bench_->show(*pane_);
}

void TimelinePaneTest::cleanup() {
    pane_.reset();
    bench_.reset();
}

QPoint TimelinePaneTest::pointOf(TrackId track, int row, Ns time) const {
    const QRectF rect = pane_->rowRect(track, row);
    // The trace starts 20 ms after the log, which is the workspace's origin or 0 of both: its own extent tells.
    const auto &tracks = require(require(bench_->session->workspace().reader())->tracks());
    for (const TrackRow &t : tracks)
        if (t.id == bench_->run.host)
            time += t.extent.begin;
    return QPointF(pane_->timeScale().x(time), rect.center().y()).toPoint();
}

void TimelinePaneTest::drawsSlicesInTheirClassColour() {
    const draw::Theme &theme = draw::lightTheme();
    QCOMPARE(pixelAt(*pane_, pointOf(bench_->run.stream7, 0, 45 * kMs) + QPoint(0, 7)),
             theme.fillOf("gemm").rgb());
    QCOMPARE(pixelAt(*pane_, pointOf(bench_->run.stream20, 0, 58 * kMs) + QPoint(0, 7)),
             theme.fillOf("communication").rgb());
    QCOMPARE(pixelAt(*pane_, pointOf(bench_->run.stream7, 0, 68 * kMs) + QPoint(0, 6)),
             theme.fillOf("copy").rgb());
}

void TimelinePaneTest::overlappingSlicesHaveRowsOfTheirOwn() {
    const TimelineHit hit = pane_->hitAt(pointOf(bench_->run.host, 3, 35 * kMs));
    QVERIFY(hit.span);
    QCOMPARE(hit.row, 3);
    QVERIFY(pixelAt(*pane_, pointOf(bench_->run.host, 3, 38 * kMs) + QPoint(0, 7)) !=
            draw::lightTheme().background.rgb());
}

void TimelinePaneTest::unselectedGroundIsTheBackground() {
    QCOMPARE(pixelAt(*pane_, pointOf(bench_->run.stream7, 0, 5 * kMs)), draw::lightTheme().background.rgb());
}

void TimelinePaneTest::keepsThePictureWhileNewDataLoads() {
    view().fit({view().extent().begin + 60 * kMs, view().extent().begin + 75 * kMs});
    // Nothing of the new resolution has arrived: no event was handled.
    QCOMPARE(pixelAt(*pane_, pointOf(bench_->run.stream7, 0, 45 * kMs) + QPoint(0, 7)),
             draw::lightTheme().fillOf("gemm").rgb());
}

void TimelinePaneTest::clickSelectsTheSlice() {
    QTest::mouseClick(pane_.get(), Qt::LeftButton, {}, pointOf(bench_->run.stream7, 0, 30 * kMs));
    QCOMPARE(view().selection().slice, bench_->run.gemm);
    QCOMPARE(view().selection().range.length(), 30 * kMs);
    QCOMPARE(view().selection().tracks, std::vector<TrackId>{bench_->run.stream7});
}

void TimelinePaneTest::clickOnARunPicksOneOfItsSlices() {
    QTest::mouseClick(pane_.get(), Qt::LeftButton, {}, pointOf(bench_->run.stream7, 0, 70 * kMs + kMs / 2));
    bench_->settle(*pane_);
    QVERIFY(view().selection().isSlice());
    QCOMPARE(view().selection().range.length(), Ns{1000});
}

void TimelinePaneTest::clickOnNothingClears() {
    QTest::mouseClick(pane_.get(), Qt::LeftButton, {}, pointOf(bench_->run.stream7, 0, 30 * kMs));
    QTest::mouseClick(pane_.get(), Qt::LeftButton, {}, pointOf(bench_->run.stream7, 0, 5 * kMs));
    QVERIFY(view().selection().isEmpty());
}

void TimelinePaneTest::doubleClickZoomsToTheSlice() {
    QTest::mouseDClick(pane_.get(), Qt::LeftButton, {}, pointOf(bench_->run.stream7, 0, 30 * kMs));
    QVERIFY(view().visible().length() < 45 * kMs);
    QVERIFY(view().visible().length() > 30 * kMs);
}

void TimelinePaneTest::dragSelectsAnAreaOverTheTracksItCovers() {
    const QPoint from = pointOf(bench_->run.stream7, 0, 10 * kMs), to = pointOf(bench_->run.stream20, 0, 55 * kMs);
    drag(*pane_, from, to);
    QVERIFY(view().selection().isArea());
    QVERIFY(std::abs(view().selection().range.length() - 45 * kMs) < kMs);
    QCOMPARE(view().selection().tracks, (std::vector<TrackId>{bench_->run.stream7, bench_->run.stream20}));
}

void TimelinePaneTest::dragAlongTheRulerMeansAllTracks() {
    drag(*pane_, QPointF(400, 8), QPointF(500, 8));
    QVERIFY(view().selection().isArea());
    QVERIFY(view().selection().tracks.empty());
}

void TimelinePaneTest::shiftDragPans() {
    view().zoomAround(view().extent().begin + 50 * kMs, 0.25);
    const TimeRange before = view().visible();
    drag(*pane_, QPointF(600, 300), QPointF(560, 300), Qt::LeftButton, Qt::ShiftModifier);
    QVERIFY(view().visible().begin > before.begin);
    QCOMPARE(view().visible().length(), before.length());
    QVERIFY(view().selection().isEmpty());
}

void TimelinePaneTest::middleDragPans() {
    view().zoomAround(view().extent().begin + 50 * kMs, 0.25);
    const TimeRange before = view().visible();
    drag(*pane_, QPointF(500, 300), QPointF(540, 300), Qt::MiddleButton);
    const Ns moved = before.begin - view().visible().begin;
    QVERIFY(std::abs(static_cast<double>(moved) - 40 * pane_->timeScale().nsPerPixel()) < 2);
}

void TimelinePaneTest::wheelZoomsAtThePointer() {
    const QPointF at(600, 200);
    const Ns under = pane_->timeScale().time(at.x());
    const Ns before = view().visible().length();
    QWheelEvent wheel(at, pane_->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::ControlModifier,
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(pane_.get(), &wheel);
    QVERIFY(view().visible().length() < before);
    QVERIFY(std::abs(pane_->timeScale().x(under) - at.x()) < 1);
}

void TimelinePaneTest::wheelOverTheGutterScrolls() {
    pane_->resize(1000, 160);
    bench_->settle(*pane_);
    const double top = pane_->rowRect(bench_->run.stream7, 0).top();
    const TimeRange before = view().visible();
    const QPointF at(50, 100);
    QWheelEvent wheel(at, pane_->mapToGlobal(at), {}, {0, -120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                      false);
    QCoreApplication::sendEvent(pane_.get(), &wheel);
    QVERIFY(pane_->rowRect(bench_->run.stream7, 0).top() < top);
    QCOMPARE(view().visible(), before);
}

void TimelinePaneTest::keysZoomAndPan() {
    const Ns all = view().visible().length();
    QTest::keyClick(pane_.get(), Qt::Key_W);
    QVERIFY(view().visible().length() < all);
    const TimeRange zoomed = view().visible();
    QTest::keyClick(pane_.get(), Qt::Key_D);
    QVERIFY(view().visible().begin > zoomed.begin);
    QTest::keyClick(pane_.get(), Qt::Key_A);
    QCOMPARE(view().visible(), zoomed);
    QTest::keyClick(pane_.get(), Qt::Key_Right);
    QVERIFY(view().visible().begin > zoomed.begin);
    QTest::keyClick(pane_.get(), Qt::Key_Left);
    QTest::keyClick(pane_.get(), Qt::Key_S);
    QVERIFY(view().visible().length() > zoomed.length());
    QTest::keyClick(pane_.get(), Qt::Key_Z);
    QCOMPARE(view().visible(), view().extent());
}

void TimelinePaneTest::focusShowsTheSelectionThenAll() {
    QTest::mouseClick(pane_.get(), Qt::LeftButton, {}, pointOf(bench_->run.stream7, 0, 30 * kMs));
    QTest::keyClick(pane_.get(), Qt::Key_F);
    QVERIFY(view().visible().length() < 45 * kMs);
    QTest::keyClick(pane_.get(), Qt::Key_F);
    QCOMPARE(view().visible(), view().extent());
}

void TimelinePaneTest::zShowsTheMainPartThenEverything() {
    const TimeRange all = view().extent(), main{all.begin + 20 * kMs, all.begin + 22 * kMs};
    view().setExtent(all, main);
    QCOMPARE(view().visible(), main);
    view().zoomAround(main.begin, 0.5);
    for (const TimeRange &shown : {main, all, main, all}) {
        QTest::keyClick(pane_.get(), Qt::Key_Z);
        QCOMPARE(view().visible(), shown);
    }
    for (const TimeRange &shown : {main, all}) {
        QTest::keyClick(pane_.get(), Qt::Key_F);
        QCOMPARE(view().visible(), shown);
    }
    view().setExtent({all.begin, all.end + kMs}, main);
    QCOMPARE(view().visible().end, all.end + kMs);
}

void TimelinePaneTest::escapeClears() {
    QTest::mouseClick(pane_.get(), Qt::LeftButton, {}, pointOf(bench_->run.stream7, 0, 30 * kMs));
    QTest::keyClick(pane_.get(), Qt::Key_Escape);
    QVERIFY(view().selection().isEmpty());
}

void TimelinePaneTest::commaAndFullStopStepThroughSlices() {
    QTest::mouseClick(pane_.get(), Qt::LeftButton, {}, pointOf(bench_->run.stream7, 0, 30 * kMs));
    QTest::keyClick(pane_.get(), Qt::Key_Period);
    bench_->settle(*pane_);
    QVERIFY(view().selection().slice != bench_->run.gemm);
    QCOMPARE(view().selection().range.length(), 5 * kMs);
    QTest::keyClick(pane_.get(), Qt::Key_Comma);
    bench_->settle(*pane_);
    QCOMPARE(view().selection().slice, bench_->run.gemm);
    QTest::keyClick(pane_.get(), Qt::Key_Comma);
    bench_->settle(*pane_);
    QCOMPARE(view().selection().slice, bench_->run.gemm);
}

void TimelinePaneTest::questionMarkIsLeftToTheWindow() {
    QKeyEvent key(QEvent::KeyPress, Qt::Key_Question, Qt::ShiftModifier, QStringLiteral("?"));
    QCoreApplication::sendEvent(pane_.get(), &key);
    QVERIFY(!key.isAccepted());
}

void TimelinePaneTest::clickOnANameCollapses() {
    const int host = pane_->tree().find(bench_->run.host);
    const QPoint name(60, pointOf(bench_->run.host, 0, 0).y());
    QTest::mouseClick(pane_.get(), Qt::LeftButton, {}, name);
    QVERIFY(pane_->isCollapsed(host));
    QTest::mouseClick(pane_.get(), Qt::LeftButton, {}, name);
    QVERIFY(!pane_->isCollapsed(host));
}

void TimelinePaneTest::collapsedTracksAreRemembered() {
    const int host = pane_->tree().find(bench_->run.host);
    pane_->setCollapsed(host, true);
    bench_->session->edits().waitIdle();
    TimelinePane other(bench_->session.get());
    bench_->show(other);
    QVERIFY(other.isCollapsed(other.tree().find(bench_->run.host)));
}

void TimelinePaneTest::filterNarrowsTheTracks() {
    pane_->setFilter(QStringLiteral("stream 20"));
    QVERIFY(pane_->rowRect(bench_->run.stream7, 0).isEmpty());
    QVERIFY(!pane_->rowRect(bench_->run.stream20, 0).isEmpty());
    pane_->setFilter({});
    QVERIFY(!pane_->rowRect(bench_->run.stream7, 0).isEmpty());
}

void TimelinePaneTest::selectionFromElsewhereIsRevealed() {
    const int gpu = pane_->tree().nodes[static_cast<std::size_t>(pane_->tree().find(bench_->run.stream7))].parent;
    pane_->setCollapsed(gpu, true);
    QVERIFY(pane_->rowRect(bench_->run.stream7, 0).isEmpty());
    Selection selection;
    selection.slice = bench_->run.gemm;
    selection.range = {view().extent().begin, view().extent().begin + 1};
    view().select(selection);
    bench_->settle(*pane_);
    QVERIFY(!pane_->rowRect(bench_->run.stream7, 0).isEmpty());
}

void TimelinePaneTest::launchIsLinkedToItsKernel() {
    const auto reader = require(bench_->session->workspace().reader());
    const auto selected = readSelectedSlice(*reader, bench_->run.gemm);
    QVERIFY(selected);
    QCOMPARE(selected->links.size(), 1U);
    QVERIFY(selected->links[0].launch);
    QCOMPARE(selected->links[0].from.slice, bench_->run.launch);
    QCOMPARE(selected->links[0].from.row, 2);
    const auto back = readSelectedSlice(*reader, bench_->run.launch);
    QCOMPARE(back->links.size(), 1U);
    QCOMPARE(back->links[0].to.slice, bench_->run.gemm);
    QVERIFY(!readSelectedSlice(*reader, SliceId(999'999)));
}

void TimelinePaneTest::hoverMovesTheSharedCursor() {
    hover(*pane_, {700, 200});
    QVERIFY(view().cursor().has_value());
    QCOMPARE(*view().cursor(), pane_->timeScale().time(700));
}

void TimelinePaneTest::darkThemeIsDark() {
    pane_->setTheme(draw::darkTheme());
    bench_->settle(*pane_);
    QCOMPARE(pixelAt(*pane_, pointOf(bench_->run.stream7, 0, 5 * kMs)), draw::darkTheme().background.rgb());
}

void TimelinePaneTest::emptyWorkspaceSaysWhatToDo() {
    TemporaryWorkspace files;
    files.create([](store::BulkWriter &) {});
    Session session(files.open());
    TimelinePane pane(&session);
    pane.resize(800, 300);
    pane.show();
    session.queries().service().waitIdle();
    QCoreApplication::processEvents();
    QVERIFY(countColour(pane, QRect(kGutterWidth, 100, 500, 100), draw::lightTheme().text) > 5);
}

QTEST_MAIN(TimelinePaneTest)
#include "tst_timeline_pane.moc"
