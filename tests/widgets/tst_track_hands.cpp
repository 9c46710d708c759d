#include "tests/widgets/pane_bench.h"
#include "widgets/timeline/timeline_pane.h"

#include <QContextMenuEvent>
#include <QLineEdit>
#include <QMenu>
#include <QTest>
#include <QWheelEvent>

using namespace wattproof;
using namespace wattproof::widgets;
using namespace wattproof::test;

// What hands do to the tracks: in the gutter, by menu and by command.
class TrackHandsTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();

    void pinnedTrackStaysUnderTheRuler();
    void pinnedTrackIsHitWhereItStands();
    void areaCoversPinnedTracksOnce();
    void hiddenTrackIsShownAgain();
    void hiddenTrackIsRevealedByASelection();
    void dragOfANameMovesTheTrack();
    void dragOfThePinnedReordersThem();
    void dragOfTheLowerEdgeMakesItTaller();
    void commandsMoveAndResize();
    void everythingIsUndone();
    void arrangementIsRememberedAndNothingElseIsRead();
    void noteOnATrackIsBoundToIt();
    void contextMenuSaysWhatTheCommandsDo();
    void commandsWithoutATrackDoNothing();

private:
    [[nodiscard]] double topOf(TrackId track) const { return pane_->rowRect(track, 0).top(); }
    [[nodiscard]] QPointF nameOf(TrackId track) const { return {80, pane_->rowRect(track, 0).center().y()}; }
    void choose(TrackId track) { pane_->setCurrentTrack(pane_->tree().find(track)); }
    void settle() { bench_->settle(*pane_); }

    std::unique_ptr<PaneBench> bench_;
    std::unique_ptr<TimelinePane> pane_;
};

void TrackHandsTest::init() {
    bench_ = std::make_unique<PaneBench>();
    pane_ = std::make_unique<TimelinePane>(bench_->session.get());
    bench_->show(*pane_);
}

void TrackHandsTest::cleanup() {
    pane_.reset();
    bench_.reset();
}

void TrackHandsTest::pinnedTrackStaysUnderTheRuler() {
    pane_->resize(1000, 180);
    choose(bench_->run.stream20);
    pane_->perform(TrackCommand::Pin);
    settle();
    const double top = topOf(bench_->run.stream20), other = topOf(bench_->run.host);
    QVERIFY(top < 30);
    const QPointF at(50, 150);
    QWheelEvent wheel(at, pane_->mapToGlobal(at), {}, {0, -120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(pane_.get(), &wheel);
    QCOMPARE(topOf(bench_->run.stream20), top);
    QVERIFY(topOf(bench_->run.host) < other);
    pane_->perform(TrackCommand::Pin);
    QVERIFY(topOf(bench_->run.stream20) != top);
}

void TrackHandsTest::pinnedTrackIsHitWhereItStands() {
    choose(bench_->run.stream7);
    pane_->perform(TrackCommand::Pin);
    settle();
    const QRectF row = pane_->rowRect(bench_->run.stream7, 0);
    const auto reader = require(bench_->session->workspace().reader());
    const store::SliceDetails gemm = require(reader->slice(bench_->run.gemm));
    const QPointF at(pane_->timeScale().x(gemm.slice.ts + gemm.slice.dur / 2), row.center().y());
    QTest::mouseClick(pane_.get(), Qt::LeftButton, {}, at.toPoint());
    QCOMPARE(bench_->session->view().selection().slice, bench_->run.gemm);
}

void TrackHandsTest::areaCoversPinnedTracksOnce() {
    choose(bench_->run.stream20);
    pane_->perform(TrackCommand::Pin);
    settle();
    const double first = topOf(bench_->run.stream20) + 4, last = topOf(bench_->run.stream7) + 4;
    drag(*pane_, {400, first}, {600, last});
    QCOMPARE(bench_->session->view().selection().tracks,
             (std::vector<TrackId>{bench_->run.stream20, bench_->run.stream7}));
}

void TrackHandsTest::hiddenTrackIsShownAgain() {
    const double below = topOf(bench_->run.stream20);
    choose(bench_->run.stream7);
    pane_->perform(TrackCommand::Hide);
    QVERIFY(pane_->rowRect(bench_->run.stream7, 0).isEmpty());
    QVERIFY(topOf(bench_->run.stream20) < below);
    // The line below the last track says so, and a click on it shows them.
    const double foot = pane_->trackLayout().height + 26 + 8;
    QTest::mouseClick(pane_.get(), Qt::LeftButton, {}, QPointF(60, foot).toPoint());
    QVERIFY(!pane_->rowRect(bench_->run.stream7, 0).isEmpty());
    QVERIFY(pane_->arrangement().hidden.size() == 1);
    pane_->perform(TrackCommand::ShowHidden);
    QVERIFY(pane_->rowRect(bench_->run.stream7, 0).isEmpty());
    pane_->perform(TrackCommand::ShowHidden);
    choose(bench_->run.stream7);
    pane_->perform(TrackCommand::Hide);
    QVERIFY(pane_->arrangement().hidden.empty());
}

void TrackHandsTest::hiddenTrackIsRevealedByASelection() {
    choose(bench_->run.stream7);
    pane_->perform(TrackCommand::Hide);
    Selection selection;
    selection.slice = bench_->run.gemm;
    selection.range = {0, 1};
    bench_->session->view().select(selection);
    settle();
    QVERIFY(!pane_->rowRect(bench_->run.stream7, 0).isEmpty());
}

void TrackHandsTest::dragOfANameMovesTheTrack() {
    QVERIFY(topOf(bench_->run.stream7) < topOf(bench_->run.stream20));
    drag(*pane_, nameOf(bench_->run.stream20), nameOf(bench_->run.stream7) - QPointF(0, 8));
    QVERIFY(topOf(bench_->run.stream20) < topOf(bench_->run.stream7));
    settle();
    QVERIFY(bench_->session->edits().undoText().contains("move stream 20"));
}

void TrackHandsTest::dragOfThePinnedReordersThem() {
    for (const TrackId track : {bench_->run.stream7, bench_->run.stream20}) {
        choose(track);
        pane_->perform(TrackCommand::Pin);
    }
    QVERIFY(topOf(bench_->run.stream7) < topOf(bench_->run.stream20));
    drag(*pane_, nameOf(bench_->run.stream7), nameOf(bench_->run.stream20) + QPointF(0, 9));
    QVERIFY(topOf(bench_->run.stream20) < topOf(bench_->run.stream7));
    QVERIFY(pane_->arrangement().order.empty());
}

void TrackHandsTest::dragOfTheLowerEdgeMakesItTaller() {
    const QRectF row = pane_->rowRect(bench_->run.stream7, 0);
    const QPointF edge(80, row.bottom() + 3);
    drag(*pane_, edge, edge + QPointF(0, 40));
    const double taller = pane_->rowRect(bench_->run.stream7, 0).height();
    QVERIFY(taller > row.height() + 30);
    QVERIFY(!pane_->isCollapsed(pane_->tree().find(bench_->run.stream7)));
    settle();
    bench_->session->edits().undo();
    settle();
    QCOMPARE(pane_->rowRect(bench_->run.stream7, 0).height(), row.height());
}

void TrackHandsTest::commandsMoveAndResize() {
    choose(bench_->run.stream20);
    pane_->perform(TrackCommand::MoveUp);
    QVERIFY(topOf(bench_->run.stream20) < topOf(bench_->run.stream7));
    pane_->perform(TrackCommand::MoveUp);  // already first
    pane_->perform(TrackCommand::MoveDown);
    QVERIFY(topOf(bench_->run.stream7) < topOf(bench_->run.stream20));
    const double usual = pane_->rowRect(bench_->run.stream20, 0).height();
    pane_->perform(TrackCommand::Taller);
    QVERIFY(pane_->rowRect(bench_->run.stream20, 0).height() > usual);
    pane_->perform(TrackCommand::Lower);
    pane_->perform(TrackCommand::Lower);
    QVERIFY(pane_->rowRect(bench_->run.stream20, 0).height() < usual);
    pane_->perform(TrackCommand::UsualHeight);
    QCOMPARE(pane_->rowRect(bench_->run.stream20, 0).height(), usual);
    pane_->perform(TrackCommand::Previous);
    QCOMPARE(pane_->currentTrack(), pane_->tree().find(bench_->run.stream7));
    pane_->perform(TrackCommand::Next);
    QCOMPARE(pane_->currentTrack(), pane_->tree().find(bench_->run.stream20));
    pane_->perform(TrackCommand::MoveUp);
    pane_->perform(TrackCommand::NaturalOrder);
    QVERIFY(topOf(bench_->run.stream7) < topOf(bench_->run.stream20));
    choose(bench_->run.host);
    pane_->perform(TrackCommand::Collapse);
    QVERIFY(pane_->isCollapsed(pane_->tree().find(bench_->run.host)));
}

void TrackHandsTest::everythingIsUndone() {
    const Arrangement before = pane_->arrangement();
    choose(bench_->run.stream20);
    for (const TrackCommand command : {TrackCommand::MoveUp, TrackCommand::Taller, TrackCommand::Pin, TrackCommand::Pin,
                                       TrackCommand::Hide, TrackCommand::Collapse})
        pane_->perform(command);
    QVERIFY(pane_->arrangement() != before);
    settle();
    for (int i = 0; i < 5; ++i)
        bench_->session->edits().undo();
    settle();
    QVERIFY(bench_->session->edits().undoText().isEmpty());
    QVERIFY(pane_->arrangement() == before);
    QVERIFY(!pane_->rowRect(bench_->run.stream20, 0).isEmpty());
}

void TrackHandsTest::arrangementIsRememberedAndNothingElseIsRead() {
    int reads = 0;
    connect(bench_->session.get(), &Session::dataChanged, this, [&reads] { ++reads; });
    choose(bench_->run.stream20);
    pane_->perform(TrackCommand::Pin);
    bench_->session->edits().waitIdle();
    TimelinePane other(bench_->session.get());
    bench_->show(other);
    QVERIFY(other.rowRect(bench_->run.stream20, 0).top() < 30);
    QCOMPARE(reads, 0);
}

void TrackHandsTest::noteOnATrackIsBoundToIt() {
    choose(bench_->run.stream7);
    pane_->perform(TrackCommand::Note);
    QWidget *field = pane_->focusWidget();
    QVERIFY(qobject_cast<QLineEdit *>(field) && field->isVisible());
    QTest::keyClicks(field, "always late");
    const QRect name(100, static_cast<int>(topOf(bench_->run.stream7)), 100, 18);
    QTest::keyClick(field, Qt::Key_Return);
    QVERIFY(!field->isVisible());
    settle();
    const auto notes = require(bench_->session->workspace().edits().annotations());
    QCOMPARE(notes.size(), 1U);
    QCOMPARE(notes[0].track, bench_->run.stream7);
    QCOMPARE(notes[0].text, std::string("always late"));
    QVERIFY(countColour(*pane_, QRect(60, name.top(), 150, 18), pane_->theme().accent) > 8);
    bench_->session->edits().undo();
    settle();
    settle();
    QCOMPARE(countColour(*pane_, QRect(60, name.top(), 150, 18), pane_->theme().accent), 0);
    pane_->perform(TrackCommand::Note);
    QTest::keyClick(field, Qt::Key_Escape);
    QVERIFY(!field->isVisible());
}

void TrackHandsTest::contextMenuSaysWhatTheCommandsDo() {
    const QPoint at = nameOf(bench_->run.stream7).toPoint();
    QContextMenuEvent event(QContextMenuEvent::Mouse, at, pane_->mapToGlobal(at));
    QCoreApplication::sendEvent(pane_.get(), &event);
    auto *menu = pane_->findChild<QMenu *>();
    QVERIFY(menu && menu->isVisible());
    QCOMPARE(pane_->currentTrack(), pane_->tree().find(bench_->run.stream7));
    QAction *pin = menu->actions().front();
    QVERIFY(pin->text().contains("Pin") && pin->text().endsWith("P"));
    pin->trigger();
    QVERIFY(topOf(bench_->run.stream7) < 30);
    menu->close();
    QContextMenuEvent key(QContextMenuEvent::Keyboard, {}, {});
    QCoreApplication::sendEvent(pane_.get(), &key);
    menu = nullptr;
    for (QMenu *each : pane_->findChildren<QMenu *>())
        menu = each->isVisible() ? each : menu;
    QVERIFY(menu && menu->actions().front()->text().contains("Un"));
    menu->close();
}

void TrackHandsTest::commandsWithoutATrackDoNothing() {
    TemporaryWorkspace files;
    files.create([](store::BulkWriter &) {});
    Session session(files.open());
    TimelinePane pane(&session);
    for (const TrackCommandEntry &entry : trackCommands())
        pane.perform(entry.command);
    QVERIFY(pane.arrangement() == Arrangement());
}

QTEST_MAIN(TrackHandsTest)
#include "tst_track_hands.moc"
