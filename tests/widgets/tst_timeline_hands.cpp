#include "tests/widgets/pane_bench.h"
#include "tests/widgets/track_tables.h"
#include "widgets/plot/axis_choices.h"
#include "widgets/timeline/group_summary.h"
#include "widgets/timeline/timeline_pane.h"
#include "widgets/timeline/track_categories.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QNativeGestureEvent>
#include <QPointingDevice>
#include <QTest>
#include <QWheelEvent>

using namespace wattproof;
using namespace wattproof::widgets;
using namespace wattproof::test;

// What hands do on the time axis, and what they leave in the workspace.
class TimelineHandsTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();

    void markStaysWhileTheSelectionGoes();
    void keptMarkIsANote();
    void sliceBecomesAnArea();
    void bracketsGoAlongTheFlow();
    void savedViewComesBack();
    void savedViewsSurviveAndAreUndone();
    void strangeSavedViewsAreLeftOut();
    void savedSliceThatIsAnotherNowIsAnArea();
    void copiesTheExactTime();
    void wheelFollowsTheChoice();
    void touchpadIsFollowedToThePixel();
    void pinchZoomsAtThePointer();
    void panningAlsoScrolls();
    void dragSaysItsDuration();
    void zoomReachesNanoseconds();
    void timesAreShownAsChosen();
    void filterTakesWords();
    void collapsedDeviceSaysHowBusyItIs();
    void runningTracksAreCountedExactly();

private:
    [[nodiscard]] TimeView &view() const { return bench_->session->view(); }
    [[nodiscard]] AxisChoices &choices() const { return *AxisChoices::of(bench_->session.get()); }
    void settle() { bench_->settle(*pane_); }
    void selectGemm();
    void wheel(QPointF at, QPoint angle, Qt::KeyboardModifiers modifiers = {}, QPoint pixels = {});

    std::unique_ptr<PaneBench> bench_;
    std::unique_ptr<TimelinePane> pane_;
};

void TimelineHandsTest::init() {
    bench_ = std::make_unique<PaneBench>();
    pane_ = std::make_unique<TimelinePane>(bench_->session.get());
    bench_->show(*pane_);
}

void TimelineHandsTest::cleanup() {
    pane_.reset();
    bench_.reset();
}

void TimelineHandsTest::selectGemm() {
    const auto details = require(require(bench_->session->workspace().reader())->slice(bench_->run.gemm));
    Selection selection;
    selection.slice = bench_->run.gemm;
    selection.range = {details.slice.ts, details.slice.ts + details.slice.dur};
    selection.tracks = {details.slice.track};
    view().select(selection);
    settle();
}

void TimelineHandsTest::wheel(QPointF at, QPoint angle, Qt::KeyboardModifiers modifiers, QPoint pixels) {
    QWheelEvent event(at, pane_->mapToGlobal(at), pixels, angle, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(pane_.get(), &event);
}

void TimelineHandsTest::markStaysWhileTheSelectionGoes() {
    pane_->perform(HandCommand::Mark);
    QVERIFY(!choices().mark());
    selectGemm();
    const TimeRange gemm = view().selection().range;
    pane_->perform(HandCommand::Mark);
    QCOMPARE(choices().mark().value(), gemm);
    view().clearSelection();
    const int x = static_cast<int>(pane_->timeScale().x(gemm.begin));
    QVERIFY(countColour(*pane_, QRect(x, 100, 2, 300), pane_->theme().text) > 60);
    QCOMPARE(choices().mark().value(), gemm);
    view().setCursor(gemm.begin + 7);
    pane_->perform(HandCommand::Mark);
    QCOMPARE(choices().mark().value(), (TimeRange{gemm.begin + 7, gemm.begin + 7}));
    pane_->perform(HandCommand::Mark);
    QVERIFY(!choices().mark());
}

void TimelineHandsTest::keptMarkIsANote() {
    selectGemm();
    pane_->perform(HandCommand::Mark);
    pane_->perform(HandCommand::KeepMark);
    QVERIFY(!choices().mark());
    settle();
    const auto notes = require(bench_->session->workspace().edits().annotations());
    QCOMPARE(notes.size(), 1U);
    QCOMPARE(notes[0].ts, view().selection().range.begin);
    QCOMPARE(notes[0].dur, 30 * kMs);
    const int x = static_cast<int>(pane_->timeScale().x(notes[0].ts));
    QVERIFY(countColour(*pane_, QRect(x, 10, 12, 16), pane_->theme().accent) > 20);
    bench_->session->edits().undo();
    settle();
    settle();
    QCOMPARE(countColour(*pane_, QRect(x + 1, 12, 6, 8), pane_->theme().accent), 0);
}

void TimelineHandsTest::sliceBecomesAnArea() {
    selectGemm();
    const Selection slice = view().selection();
    pane_->perform(HandCommand::SliceToArea);
    QVERIFY(view().selection().isArea());
    QCOMPARE(view().selection().range, slice.range);
    QCOMPARE(view().selection().tracks, slice.tracks);
    pane_->perform(HandCommand::SliceToArea);
    QVERIFY(view().selection().isArea());
}

void TimelineHandsTest::bracketsGoAlongTheFlow() {
    selectGemm();
    pane_->perform(HandCommand::FlowBack);
    settle();
    QCOMPARE(view().selection().slice, bench_->run.launch);
    QCOMPARE(view().selection().tracks, std::vector<TrackId>{bench_->run.host});
    pane_->perform(HandCommand::FlowBack);
    settle();
    QCOMPARE(view().selection().slice, bench_->run.launch);
    pane_->perform(HandCommand::FlowAhead);
    settle();
    QCOMPARE(view().selection().slice, bench_->run.gemm);
    // A view that does not show the other end moves there.
    const Ns begin = view().selection().range.begin;
    view().setVisible({begin, begin + kMs});
    pane_->perform(HandCommand::FlowBack);
    settle();
    QVERIFY(view().visible().overlaps(view().selection().range));
}

void TimelineHandsTest::savedViewComesBack() {
    pane_->resize(1000, 160);
    selectGemm();
    const TimeRange near{view().selection().range.begin - kMs, view().selection().range.begin + 2 * kMs};
    view().setVisible(near);
    wheel({50, 100}, {0, -120});
    const double top = pane_->rowRect(bench_->run.host, 0).top();
    const Selection selection = view().selection();
    pane_->saveView(3);
    view().clearSelection();
    view().fitAll();
    wheel({50, 100}, {0, 1200});
    pane_->recallView(3);
    settle();
    QCOMPARE(view().visible(), near);
    QVERIFY(view().selection() == selection);
    QCOMPARE(pane_->rowRect(bench_->run.host, 0).top(), top);
    const TimeRange before = view().visible();
    pane_->recallView(4);
    QCOMPARE(view().visible(), before);
}

void TimelineHandsTest::savedViewsSurviveAndAreUndone() {
    const TimeRange all = view().visible();
    pane_->saveView(1);
    view().zoomAround(all.begin, 0.1);
    pane_->saveView(1);
    settle();
    TimelinePane other(bench_->session.get());
    bench_->show(other);
    view().fitAll();
    const TimeRange shown = view().visible();
    other.recallView(1);
    QVERIFY(view().visible() != shown);
    bench_->session->edits().undo();
    settle();
    pane_->recallView(1);
    QCOMPARE(view().visible(), all);
}

void TimelineHandsTest::strangeSavedViewsAreLeftOut() {
    QVERIFY(savedViewsFromText("").empty());
    QVERIFY(savedViewsFromText("[1]").empty());
    QVERIFY(savedViewsFromText(R"({"1": 3, "0": {"visible": [1, 2]}, "10": {"visible": [1, 2]}, "2": {"visible": [2, 1]},
        "3": {"visible": ["a", 1]}, "4": {"visible": [-9223372036854775808, 9223372036854775807]}})")
                .empty());
    SavedViews views;
    views[9] = {{-5, 10}, SliceId(7), {1, 2}, {"a/b", "c"}, "a/b", 12.5};
    QVERIFY(savedViewsFromText(savedViewsToText(views)) == views);
}

void TimelineHandsTest::savedSliceThatIsAnotherNowIsAnArea() {
    selectGemm();
    Selection moved = view().selection();
    moved.range.end += 5;  // as if another slice had its id
    view().select(moved);
    pane_->saveView(2);
    view().clearSelection();
    pane_->recallView(2);
    settle();
    QVERIFY(view().selection().isArea());
    QCOMPARE(view().selection().range, moved.range);
}

void TimelineHandsTest::copiesTheExactTime() {
    view().setCursor(view().extent().begin + 123'456'789);
    pane_->perform(HandCommand::CopyTime);
    QCOMPARE(QGuiApplication::clipboard()->text(), QString::number(*view().cursor()));
    choices().setMark(TimeRange{*view().cursor() - 11, *view().cursor()});
    choices().setTimeShown(draw::TimeShown::Mark);
    pane_->perform(HandCommand::CopyTime);
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("11"));
}

void TimelineHandsTest::wheelFollowsTheChoice() {
    pane_->resize(1000, 160);
    settle();
    const TimeRange all = view().visible();
    const double top = pane_->rowRect(bench_->run.stream7, 0).top();
    choices().setWheel(WheelUse::Scroll);
    wheel({600, 100}, {0, -120});
    QCOMPARE(view().visible(), all);
    QVERIFY(pane_->rowRect(bench_->run.stream7, 0).top() < top);
    wheel({600, 100}, {0, 120}, Qt::ControlModifier);
    QVERIFY(view().visible().length() < all.length());
    const TimeRange zoomed = view().visible();
    wheel({600, 100}, {0, -120}, Qt::ShiftModifier);
    QCOMPARE(view().visible().length(), zoomed.length());
    QVERIFY(view().visible().begin > zoomed.begin);
    choices().setWheel(WheelUse::Zoom);
    wheel({600, 100}, {0, 120});
    QVERIFY(view().visible().length() < zoomed.length());
}

void TimelineHandsTest::touchpadIsFollowedToThePixel() {
    view().zoomAround(view().extent().begin + 50 * kMs, 0.25);
    const TimeRange before = view().visible();
    wheel({600, 100}, {-40, 0}, {}, {-20, 1});
    const Ns moved = view().visible().begin - before.begin;
    QVERIFY(std::abs(static_cast<double>(moved) - 20 * pane_->timeScale().nsPerPixel()) < 2);
    // Small steps that are no whole pixel each add up to the same way.
    const Ns under = pane_->timeScale().time(600);
    wheel({600, 100}, {0, 8}, {}, {0, 3});
    QVERIFY(view().visible().length() < before.length());
    QVERIFY(view().visible().length() > before.length() * 9 / 10);
    QVERIFY(std::abs(pane_->timeScale().x(under) - 600) < 1);
}

void TimelineHandsTest::pinchZoomsAtThePointer() {
    const QPointF at(700, 200);
    const Ns under = pane_->timeScale().time(at.x()), before = view().visible().length();
    const auto pinch = [&](qreal value) {
        QNativeGestureEvent event(Qt::ZoomNativeGesture, QPointingDevice::primaryPointingDevice(), 2, at, at,
                                  pane_->mapToGlobal(at), value, {});
        QCoreApplication::sendEvent(pane_.get(), &event);
    };
    pinch(0.25);
    QVERIFY(std::abs(static_cast<double>(view().visible().length()) - static_cast<double>(before) / 1.25) < 10);
    QVERIFY(std::abs(pane_->timeScale().x(under) - at.x()) < 1);
    pinch(-5);  // nonsense from a driver does no harm
    QVERIFY(view().visible().length() > 0);
}

void TimelineHandsTest::panningAlsoScrolls() {
    pane_->resize(1000, 160);
    settle();
    const double top = pane_->rowRect(bench_->run.stream7, 0).top();
    drag(*pane_, {500, 140}, {500, 110}, Qt::MiddleButton);
    QCOMPARE(pane_->rowRect(bench_->run.stream7, 0).top(), top - 30);
}

void TimelineHandsTest::dragSaysItsDuration() {
    sendMouse(*pane_, QEvent::MouseButtonPress, {400, 300}, Qt::LeftButton, Qt::LeftButton);
    sendMouse(*pane_, QEvent::MouseMove, {600, 300}, Qt::NoButton, Qt::LeftButton);
    const QRect beside(604, 270, 60, 28);
    QVERIFY(countColour(*pane_, beside, pane_->theme().text) > 200);
    sendMouse(*pane_, QEvent::MouseButtonRelease, {600, 300}, Qt::LeftButton, Qt::NoButton);
    QVERIFY(countColour(*pane_, beside, pane_->theme().text) < 100);
}

void TimelineHandsTest::zoomReachesNanoseconds() {
    const Ns at = view().extent().begin + 45 * kMs;
    for (int i = 0; i < 200; ++i)
        view().zoomAround(at, 0.5);
    QCOMPARE(view().visible(), (TimeRange{at, at + 1}));
    settle();
    QTest::keyClick(pane_.get(), Qt::Key_S);
    QCOMPARE(view().visible().length(), Ns{2});
    for (const auto key : {Qt::Key_D, Qt::Key_A, Qt::Key_S, Qt::Key_W})
        QTest::keyClick(pane_.get(), key);
    settle();
    for (int i = 0; i < 200; ++i)
        view().zoomAround(at, 2);
    QVERIFY(view().visible().length() > view().extent().length() / 2);
}

void TimelineHandsTest::timesAreShownAsChosen() {
    settle();
    const Ns time = view().extent().begin + 5 * kMs;
    const QString trace = choices().inFull(time);
    choices().setTimeShown(draw::TimeShown::Mark);
    QCOMPARE(choices().inFull(time), trace);  // nothing is marked yet
    choices().setMark(TimeRange{time - 7, time});
    QVERIFY(choices().inFull(time).startsWith(QStringLiteral("+0.000\u2009000\u2009007")));
    QVERIFY(choices().epochOrigin());
    choices().setTimeShown(draw::TimeShown::Utc);
    QVERIFY(choices().inFull(time).contains(QStringLiteral("UTC")));
    QCOMPARE(choices().words().zero, *choices().epochOrigin());
    choices().setTimeShown(draw::TimeShown::Local);
    QVERIFY(choices().inFull(time).contains(QStringLiteral("local")));
    const QImage local = pane_->grab().toImage();
    choices().setTimeShown(draw::TimeShown::Trace);
    QVERIFY(pane_->grab().toImage() != local);
}

void TimelineHandsTest::filterTakesWords() {
    TrackTree tree = buildTrackTree(trackTables());
    addCategories(tree, {{TrackId(1), " cuda_runtime cpu_op"}});
    const auto kept = [&tree](const char *filter) {
        std::string names;
        for (const LaidTrack &laid : layoutTracks(tree, {}, {filter}).tracks)
            if (const TrackNode &node = tree.nodes[static_cast<std::size_t>(laid.node)]; !node.isGroup())
                names += node.label + ";";
        return names;
    };
    QCOMPARE(kept("tid 9"), std::string("thread 9;"));
    QCOMPARE(kept("pid 4242"), std::string("thread 10;thread 9;"));
    QCOMPARE(kept("4242 10"), std::string("thread 10;"));
    QCOMPARE(kept("GPU stream 20"), std::string("stream 20;"));
    QCOMPARE(kept("gpu power"), std::string("power;"));
    QCOMPARE(kept("CPU_OP"), std::string("thread 9;"));
    QCOMPARE(kept("cpu_op stream"), std::string());
    QCOMPARE(kept("  "), kept(""));
}

void TimelineHandsTest::collapsedDeviceSaysHowBusyItIs() {
    const int stream = pane_->tree().find(bench_->run.stream7);
    const int gpu = pane_->tree().nodes[static_cast<std::size_t>(stream)].parent;
    QVERIFY(pane_->tree().nodes[static_cast<std::size_t>(gpu)].device.valid());
    pane_->setCollapsed(gpu, true);
    settle();
    const LaidTrack *laid = pane_->trackLayout().of(gpu);
    const auto ink = [&](Ns from, Ns to) {
        const auto &tracks = require(require(bench_->session->workspace().reader())->tracks());
        Ns begin = 0;
        for (const TrackRow &track : tracks)
            begin = track.id == bench_->run.host ? track.extent.begin : begin;
        const draw::TimeScale scale = pane_->timeScale();
        const QRect row(static_cast<int>(scale.x(begin + from)), static_cast<int>(laid->top) + 26 + 8,
                        static_cast<int>((to - from) / scale.nsPerPixel()), 6);
        return row.width() * row.height() - countColour(*pane_, row, pane_->theme().panel);
    };
    QVERIFY(ink(25 * kMs, 40 * kMs) > 100);  // the gemm runs
    QVERIFY(ink(2 * kMs, 15 * kMs) < 40);    // nothing does: grid lines at the most
}

void TimelineHandsTest::runningTracksAreCountedExactly() {
    LanePicture one, other;
    store::LaneSpan span;
    span.ts = 0;
    span.dur = 50;
    one.items = {span};
    span.ts = 25;
    span.busy = 0.5F;
    other.items = {span};
    span.row = 1;
    span.dur = 1000;
    other.items.push_back(span);  // within the outer one: not counted again
    const auto columns = runningAtOnce({&one, &other}, {{0, 100}, 0, 10}, 1);
    const std::vector<float> expected{1, 1, 1.25, 1.5, 1.5, 0.5, 0.5, 0.25, 0, 0};
    QCOMPARE(columns.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        QVERIFY(std::abs(columns[i] - expected[i]) < 1e-5F);
}

QTEST_MAIN(TimelineHandsTest)
#include "tst_timeline_hands.moc"
