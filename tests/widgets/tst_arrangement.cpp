#include "tests/support/temporary_workspace.h"
#include "tests/support/timeline_run.h"
#include "tests/widgets/track_tables.h"
#include "widgets/timeline/arrangement_store.h"
#include "widgets/timeline/track_layout.h"

#include <random>
#include <tuple>

#include <QTest>

using namespace wattproof;
using namespace wattproof::test;
using namespace wattproof::widgets;

namespace {

std::vector<std::string> labels(const TrackTree &tree, const std::vector<LaidTrack> &laid) {
    std::vector<std::string> texts;
    for (const LaidTrack &track : laid)
        texts.push_back(tree.nodes[static_cast<std::size_t>(track.node)].label);
    return texts;
}

std::vector<std::string> childLabels(const TrackTree &tree, int node) {
    std::vector<std::string> texts;
    for (const int child : tree.siblings(node))
        texts.push_back(tree.nodes[static_cast<std::size_t>(child)].label);
    return texts;
}

// A change that some hand could make at random.
Arrangement someChange(const TrackTree &tree, Arrangement now, std::mt19937 &random) {
    const auto pick = [&random](std::size_t n) { return static_cast<int>(random() % n); };
    const int node = pick(tree.nodes.size());
    const std::string &key = tree.nodes[static_cast<std::size_t>(node)].key;
    const std::vector<int> &siblings = tree.siblings(node);
    switch (pick(6)) {
        case 0:
            now.setPinned(key, !now.isPinned(key));
            break;
        case 1:
            now.setHidden(key, !now.hidden.contains(key));
            break;
        case 2:
            now.setCollapsed(key, !now.collapsed.contains(key));
            break;
        case 3:
            now.setHeight(key, 0.5 + pick(8));
            break;
        case 4:
            moveTrack(now, tree, node, pick(3) == 0 ? -1 : siblings[static_cast<std::size_t>(pick(siblings.size()))]);
            break;
        default:
            if (!now.pinned.empty())
                movePinned(now, now.pinned.back(), now.pinned.front());
    }
    return now;
}

}  // namespace

class ArrangementTest : public QObject {
    Q_OBJECT

private slots:
    void survivesAsText();
    void strangeTextIsIgnored();
    void olderListOfCollapsedTracksIsRead();
    void whatIsGoneSaysNothingAndStays();
    void newTracksStandBehindTheirNaturalPredecessor();
    void movedTrackStandsBeforeTheOther();
    void pinnedTracksLeaveTheTree();
    void pinnedTracksThatDoNotFitStay();
    void hidingAndPinningExcludeEachOther();
    void hiddenTracksAreCounted();
    void heightChangesRowsEvenly();
    void anySequenceOfChangesIsUndoneWhole();
    void readOnlyWorkspaceKeepsItInMemory();
};

void ArrangementTest::survivesAsText() {
    const TrackTree tree = buildTrackTree(trackTables());
    std::mt19937 random(5);
    Arrangement a;
    for (int i = 0; i < 200; ++i) {
        a = someChange(tree, std::move(a), random);
        QCOMPARE(arrangementFromText(arrangementToText(a)).value(), a);
    }
    Arrangement hostile;
    hostile.collapsed = {"bad \xff utf-8", "quote\"d"};
    QCOMPARE(arrangementFromText(arrangementToText(hostile)).value().collapsed.size(), 2U);
}

void ArrangementTest::strangeTextIsIgnored() {
    QVERIFY(!arrangementFromText(""));
    QVERIFY(!arrangementFromText("7"));
    QVERIFY(!arrangementFromText("{\"pinned\": [\"cut"));
    QCOMPARE(arrangementFromText("{\"pinned\": 7, \"order\": [], \"heights\": {\"a\": \"b\", \"c\": 1e99}}").value()
                 .heights.size(),
             1U);
    const Arrangement odd = arrangementFromText("{\"pinned\": [\"a\", 3, \"a\"], \"order\": {\"\": {}, \"p\": [1]}}").value();
    QCOMPARE(odd.pinned, std::vector<std::string>{"a"});
    QVERIFY(odd.order.empty());
}

void ArrangementTest::olderListOfCollapsedTracksIsRead() {
    QCOMPARE(arrangementFromText("[1, \"a\"]").value().collapsed, (std::set<std::string>{"a"}));
}

void ArrangementTest::whatIsGoneSaysNothingAndStays() {
    Arrangement a;
    a.setPinned("gone/pin", true);
    a.setHidden("gone/hide", true);
    a.setHeight("gone/high", 3);
    a.order["gone"] = {"gone/a", "gone/b"};
    TrackTree tree = buildTrackTree(trackTables());
    const auto before = labels(tree, layoutTracks(tree, {}, {}).tracks);
    orderTracks(tree, a);
    const TrackLayout layout = layoutTracks(tree, a, {});
    QCOMPARE(labels(tree, layout.tracks), before);
    QVERIFY(layout.pinned.empty());
    QCOMPARE(layout.hiddenCount, 0);
    moveTrack(a, tree, tree.roots[0], -1);
    QVERIFY(a.isPinned("gone/pin") && a.hidden.contains("gone/hide") && a.order.contains("gone"));
}

void ArrangementTest::newTracksStandBehindTheirNaturalPredecessor() {
    TrackTree tree = buildTrackTree(trackTables());
    const int stream20 = tree.find(TrackId(120)), stream7 = tree.find(TrackId(107));
    Arrangement a;
    moveTrack(a, tree, stream20, stream7);
    RunTables more = trackTables();
    TrackRow fresh = trackRow(121, TrackKind::GpuStream, "");
    fresh.stream = "21";
    fresh.device = DeviceId(1);
    more.tracks.push_back(fresh);
    tree = buildTrackTree(more);
    orderTracks(tree, a);
    QCOMPARE(childLabels(tree, tree.find(TrackId(107))),
             (std::vector<std::string>{"stream 20", "stream 21", "stream 7", "stream 100"}));
}

void ArrangementTest::movedTrackStandsBeforeTheOther() {
    TrackTree tree = buildTrackTree(trackTables());
    const int stream100 = tree.find(TrackId(200)), stream7 = tree.find(TrackId(107));
    QVERIFY(stream100 >= 0 && stream7 >= 0);
    Arrangement a;
    moveTrack(a, tree, stream100, stream7);
    orderTracks(tree, a);
    QCOMPARE(childLabels(tree, stream7), (std::vector<std::string>{"stream 100", "stream 7", "stream 20"}));
    moveTrack(a, tree, stream100, -1);
    orderTracks(tree, a);
    QCOMPARE(childLabels(tree, stream7), (std::vector<std::string>{"stream 7", "stream 20", "stream 100"}));
    moveTrack(a, tree, tree.roots[1], tree.roots[0]);
    orderTracks(tree, a);
    QCOMPARE(tree.nodes[static_cast<std::size_t>(tree.roots[0])].label, std::string("power.csv"));
}

void ArrangementTest::pinnedTracksLeaveTheTree() {
    const TrackTree tree = buildTrackTree(trackTables());
    const int power = tree.find(TrackId(50)), stream = tree.find(TrackId(120));
    Arrangement a;
    a.setPinned(tree.nodes[static_cast<std::size_t>(power)].key, true);
    a.setPinned(tree.nodes[static_cast<std::size_t>(stream)].key, true);
    const TrackLayout layout = layoutTracks(tree, a, {});
    QCOMPARE(labels(tree, layout.pinned), (std::vector<std::string>{"power", "stream 20"}));
    QVERIFY(layout.of(power)->pinned);
    QCOMPARE(layout.of(power)->level, 0);
    QCOMPARE(layout.pinnedHeight, layout.pinned.back().bottom());
    QCOMPARE(layout.tracks.size() + layout.pinned.size(), layoutTracks(tree, {}, {}).tracks.size());
    const auto filtered = layoutTracks(tree, a, {"no such name"});
    QCOMPARE(filtered.pinned.size(), 2U);
    QVERIFY(filtered.tracks.empty());
}

void ArrangementTest::pinnedTracksThatDoNotFitStay() {
    const TrackTree tree = buildTrackTree(trackTables());
    const int thread = tree.find(TrackId(1)), other = tree.find(TrackId(2)), stream = tree.find(TrackId(107));
    Arrangement a;
    for (const int node : {thread, other, stream})
        a.setPinned(tree.nodes[static_cast<std::size_t>(node)].key, true);
    // Room for three rows and a bit: the first thread has three, the second is squeezed into none, the stream neither.
    const TrackLayout layout = layoutTracks(tree, a, {{}, 19, false, 70});
    QVERIFY(layout.of(thread)->pinned);
    QVERIFY(!layout.of(other)->pinned && !layout.of(stream)->pinned);
    const TrackLayout squeezed = layoutTracks(tree, a, {{}, 19, false, 90});
    QVERIFY(squeezed.of(other)->pinned && squeezed.of(other)->collapsed);
    QVERIFY(squeezed.pinnedHeight <= 90);
}

void ArrangementTest::hidingAndPinningExcludeEachOther() {
    Arrangement a;
    a.setPinned("x", true);
    a.setHidden("x", true);
    QVERIFY(!a.isPinned("x"));
    a.setPinned("x", true);
    QVERIFY(!a.hidden.contains("x"));
}

void ArrangementTest::hiddenTracksAreCounted() {
    const TrackTree tree = buildTrackTree(trackTables());
    const int stream = tree.find(TrackId(107));
    Arrangement a;
    a.setHidden(tree.nodes[static_cast<std::size_t>(stream)].key, true);
    QVERIFY(!layoutTracks(tree, a, {}).of(stream));
    QCOMPARE(layoutTracks(tree, a, {}).hiddenCount, 1);
    QVERIFY(layoutTracks(tree, a, {{}, 19, true}).of(stream)->hidden);
}

void ArrangementTest::heightChangesRowsEvenly() {
    const TrackTree tree = buildTrackTree(trackTables());
    const int thread = tree.find(TrackId(1));
    const TrackNode &node = tree.nodes[static_cast<std::size_t>(thread)];
    Arrangement a;
    a.setHeight(node.key, 2);
    const TrackLayout layout = layoutTracks(tree, a, {});
    QCOMPARE(laneMetrics(*layout.of(thread), node, 0, 1).rowHeight, 38.0);
    a.setHeight(node.key, 1e9);
    QVERIFY(layoutTracks(tree, a, {}).of(thread)->height < 2000);
    a.setHeight(node.key, 0);
    QVERIFY(layoutTracks(tree, a, {}).of(thread)->height > 6);
    a.setHeight(node.key, 1);
    QVERIFY(a.heights.empty());
}

void ArrangementTest::anySequenceOfChangesIsUndoneWhole() {
    TemporaryWorkspace files;
    files.create([](store::BulkWriter &writer) { std::ignore = timelineRun(writer); });
    Session session(files.open());
    TrackTree tree = buildTrackTree(trackTables());
    ArrangementStore store(&session, nullptr);
    Arrangement first;
    first.collapsed = {"at first"};
    store.load(first);
    const auto settle = [&session] {
        session.edits().waitIdle();
        QCoreApplication::processEvents();
        session.edits().waitIdle();
        QCoreApplication::processEvents();
    };
    settle();
    int reloads = 0;
    connect(&session, &Session::dataChanged, this, [&reloads] { ++reloads; });
    std::mt19937 random(11);
    std::vector<Arrangement> states{store.now()};
    while (states.size() < 60) {
        const Arrangement next = someChange(tree, store.now(), random);
        if (next == store.now())
            continue;
        store.change(next, "change the tracks");
        orderTracks(tree, next);
        states.push_back(next);
    }
    settle();
    QCOMPARE(session.edits().undoText(), QStringLiteral("change the tracks"));
    for (std::size_t i = states.size() - 1; i > 0; --i) {
        session.edits().undo();
        settle();
        QVERIFY(store.now() == states[i - 1]);
    }
    QVERIFY(session.edits().undoText().isEmpty());
    for (std::size_t i = 1; i < states.size(); ++i)
        session.edits().redo();
    settle();
    QVERIFY(store.now() == states.back());
    // No pane reads anything again because tracks were moved.
    QCOMPARE(reloads, 0);
    ArrangementStore again(&session, nullptr);
    again.load({});
    settle();
    QVERIFY(again.now() == states.back());
}

void ArrangementTest::readOnlyWorkspaceKeepsItInMemory() {
    TemporaryWorkspace files;
    files.create([](store::BulkWriter &writer) { std::ignore = timelineRun(writer); });
    const auto writer = files.open();
    Session session(files.open());
    if (session.workspace().writable())
        QSKIP("the file can be written twice here");
    ArrangementStore store(&session, nullptr);
    Arrangement next;
    next.setPinned("x", true);
    store.change(next, "pin x");
    session.edits().waitIdle();
    QVERIFY(store.now().isPinned("x"));
    QVERIFY(session.edits().undoText().isEmpty());
}

QTEST_GUILESS_MAIN(ArrangementTest)
#include "tst_arrangement.moc"
