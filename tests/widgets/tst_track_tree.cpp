#include "tests/widgets/track_tables.h"
#include "widgets/timeline/track_layout.h"

#include <QTest>

using namespace wattproof;
using namespace wattproof::test;
using namespace wattproof::widgets;

namespace {

Arrangement collapsed(const std::set<std::string> &keys) {
    Arrangement arrangement;
    arrangement.collapsed = keys;
    return arrangement;
}

std::vector<std::string> labels(const TrackTree &tree, const TrackLayout &layout) {
    std::vector<std::string> texts;
    for (const LaidTrack &laid : layout.tracks) {
        const TrackNode &node = tree.nodes[static_cast<std::size_t>(laid.node)];
        texts.push_back(std::string(static_cast<std::size_t>(node.level), ' ') + node.label);
    }
    return texts;
}

const std::vector<std::string> kAll{"train.json",   " GPU 0",       "  stream 7",  "  stream 20",
                                    "  stream 100", " python 4242", "  thread 10", "  thread 9",
                                    "power.csv",    " GPU 0",       "  power"};

}  // namespace

class TrackTreeTest : public QObject {
    Q_OBJECT

private slots:
    void numbersCompareAsNumbers();
    void groupsBySourceThenProcessOrDevice();
    void idsThatAreTextSpeakForThemselves();
    void emptyTracksAreLeftOut();
    void tracksOfUnknownSourcesAreLeftOut();
    void collapsedGroupsHideWhatIsBelow();
    void collapsedTrackIsOneRow();
    void layoutHasNoHoles();
    void pointFindsItsTrack();
    void filterKeepsParentsAndChildren();
    void deepTracksStartCollapsed();
    void tracksOfOneNameHaveKeysOfTheirOwn();
};

void TrackTreeTest::numbersCompareAsNumbers() {
    QVERIFY(naturalLess("stream 7", "stream 20"));
    QVERIFY(!naturalLess("stream 20", "stream 7"));
    QVERIFY(naturalLess("Alpha", "beta"));
    QVERIFY(naturalLess("a", "a1"));
    QVERIFY(!naturalLess("a007", "a7") && !naturalLess("a7", "a007"));
    QVERIFY(naturalLess("x99999999999999999998", "x99999999999999999999"));
}

void TrackTreeTest::groupsBySourceThenProcessOrDevice() {
    const TrackTree tree = buildTrackTree(trackTables());
    QCOMPARE(labels(tree, layoutTracks(tree, {}, {})), kAll);
}

void TrackTreeTest::idsThatAreTextSpeakForThemselves() {
    RunTables t = trackTables();
    t.processes[0].name.clear();
    t.processes[0].pid = "Spans";
    t.threads[0].tid = "PyTorch Profiler";
    const TrackTree tree = buildTrackTree(t);
    const TrackNode &thread = tree.nodes[static_cast<std::size_t>(tree.find(TrackId(1)))];
    QCOMPARE(thread.label, std::string("PyTorch Profiler"));
    QCOMPARE(tree.nodes[static_cast<std::size_t>(thread.parent)].label, std::string("Spans"));
}

void TrackTreeTest::emptyTracksAreLeftOut() {
    RunTables t = trackTables();
    for (TrackRow &row : t.tracks)
        row.sliceCount = 0;
    t.counters[0].sampleCount = 0;
    QVERIFY(buildTrackTree(t).roots.empty());
}

void TrackTreeTest::tracksOfUnknownSourcesAreLeftOut() {
    RunTables t = trackTables();
    t.tracks[0].source = SourceId(99);
    QCOMPARE(buildTrackTree(t).find(TrackId(1)), -1);
}

void TrackTreeTest::collapsedGroupsHideWhatIsBelow() {
    const TrackTree tree = buildTrackTree(trackTables());
    const int gpu = tree.nodes[static_cast<std::size_t>(tree.find(TrackId(107)))].parent;
    const auto layout = layoutTracks(tree, collapsed({tree.nodes[static_cast<std::size_t>(gpu)].key}), {});
    QCOMPARE(layout.tracks.size(), kAll.size() - 3);
    QVERIFY(!layout.of(tree.find(TrackId(107))));
}

void TrackTreeTest::collapsedTrackIsOneRow() {
    const TrackTree tree = buildTrackTree(trackTables());
    const int thread = tree.find(TrackId(1));
    const Arrangement shut = collapsed({tree.nodes[static_cast<std::size_t>(thread)].key});
    const double open = layoutTracks(tree, {}, {}).of(thread)->height;
    const auto layout = layoutTracks(tree, shut, {});
    QCOMPARE(open - layout.of(thread)->height, 2.0 * 19);
    const auto metrics = laneMetrics(*layout.of(thread), tree.nodes[static_cast<std::size_t>(thread)], 0, 1);
    QVERIFY(metrics.rowHeight * 3 <= 19.01);
}

void TrackTreeTest::layoutHasNoHoles() {
    const TrackTree tree = buildTrackTree(trackTables());
    const TrackLayout layout = layoutTracks(tree, {}, {});
    double bottom = 0;
    for (const LaidTrack &laid : layout.tracks) {
        QCOMPARE(laid.top, bottom);
        bottom = laid.bottom();
    }
    QCOMPARE(layout.height, bottom);
}

void TrackTreeTest::pointFindsItsTrack() {
    const TrackTree tree = buildTrackTree(trackTables());
    const TrackLayout layout = layoutTracks(tree, {}, {});
    for (const LaidTrack &laid : layout.tracks) {
        QCOMPARE(TrackLayout::at(layout.tracks, laid.top)->node, laid.node);
        QCOMPARE(TrackLayout::at(layout.tracks, laid.bottom() - 0.01)->node, laid.node);
    }
    QVERIFY(!TrackLayout::at(layout.tracks, layout.height));
    QVERIFY(!TrackLayout::at(layout.tracks, -1));
}

void TrackTreeTest::filterKeepsParentsAndChildren() {
    const TrackTree tree = buildTrackTree(trackTables());
    QCOMPARE(labels(tree, layoutTracks(tree, {}, {"STREAM 7"})),
             (std::vector<std::string>{"train.json", " GPU 0", "  stream 7"}));
    QCOMPARE(labels(tree, layoutTracks(tree, {}, {"python"})),
             (std::vector<std::string>{"train.json", " python 4242", "  thread 10", "  thread 9"}));
    QVERIFY(layoutTracks(tree, {}, {"nothing like it"}).tracks.empty());
}

void TrackTreeTest::deepTracksStartCollapsed() {
    RunTables t = trackTables();
    t.tracks[0].rowCount = 170;
    const TrackTree tree = buildTrackTree(t);
    const auto collapsed = collapsedAtFirst(tree);
    QCOMPARE(collapsed.size(), 1U);
    QVERIFY(collapsed.contains(tree.nodes[static_cast<std::size_t>(tree.find(TrackId(1)))].key));
}

void TrackTreeTest::tracksOfOneNameHaveKeysOfTheirOwn() {
    RunTables t = trackTables();
    t.threads[0].name = t.threads[1].name = "worker";
    const TrackTree tree = buildTrackTree(t);
    const std::string &one = tree.nodes[static_cast<std::size_t>(tree.find(TrackId(1)))].key,
                      &other = tree.nodes[static_cast<std::size_t>(tree.find(TrackId(2)))].key;
    QVERIFY(one != other);
    QCOMPARE(tree.find(one), tree.find(TrackId(1)));
    QCOMPARE(tree.find(other), tree.find(TrackId(2)));
}

QTEST_GUILESS_MAIN(TrackTreeTest)
#include "tst_track_tree.moc"
