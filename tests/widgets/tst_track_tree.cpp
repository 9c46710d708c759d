#include "widgets/timeline/collapsed_state.h"
#include "widgets/timeline/track_layout.h"

#include <QTest>

using namespace wattproof;
using namespace wattproof::widgets;

namespace {

TrackRow track(int id, TrackKind kind, const std::string &name, int rows = 1) {
    TrackRow row;
    row.id = TrackId(id);
    row.source = SourceId(1);
    row.kind = kind;
    row.name = name;
    row.sliceCount = 5;
    row.rowCount = rows;
    return row;
}

// One source: process 4242 with two threads, GPU 0 with three streams and a power channel of a second source.
RunTables tables() {
    RunTables t;
    SourceRow trace;
    trace.id = SourceId(1);
    trace.path = "/a/b/train.json";
    SourceRow log = trace;
    log.id = SourceId(2);
    log.path = "power.csv";
    t.sources = {trace, log};
    DeviceRow gpu;
    gpu.id = DeviceId(1);
    gpu.source = SourceId(1);
    gpu.name = "GPU 0";
    t.devices = {gpu};
    t.processes = {{ProcessId(1), SourceId(1), "4242", "python", "", std::nullopt}};
    t.threads = {{ThreadId(1), SourceId(1), ProcessId(1), "9", "", std::int64_t{2}},
                 {ThreadId(2), SourceId(1), ProcessId(1), "10", "", std::int64_t{1}}};
    for (int i = 1; i <= 2; ++i) {
        TrackRow row = track(i, TrackKind::Thread, "", 3);
        row.process = ProcessId(1);
        row.thread = ThreadId(i);
        t.tracks.push_back(row);
    }
    for (const int stream : {20, 7, 100}) {
        TrackRow row = track(100 + stream, TrackKind::GpuStream, "");
        row.stream = std::to_string(stream);
        row.device = DeviceId(1);
        t.tracks.push_back(row);
    }
    TrackRow power = track(50, TrackKind::Counter, "power");
    power.source = SourceId(2);
    power.sliceCount = 0;
    t.tracks.push_back(power);
    CounterRow counter;
    counter.id = CounterId(1);
    counter.track = TrackId(50);
    counter.source = SourceId(2);
    counter.device = DeviceId(1);
    counter.name = "power";
    counter.unit = "W";
    counter.sampleCount = 3;
    t.counters = {counter};
    return t;
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
    void collapsedStateSurvivesAsText();
    void strangeStateIsIgnored();
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
    const TrackTree tree = buildTrackTree(tables());
    QCOMPARE(labels(tree, layoutTracks(tree, {}, "", 19)), kAll);
}

void TrackTreeTest::idsThatAreTextSpeakForThemselves() {
    RunTables t = tables();
    t.processes[0].name.clear();
    t.processes[0].pid = "Spans";
    t.threads[0].tid = "PyTorch Profiler";
    const TrackTree tree = buildTrackTree(t);
    const TrackNode &thread = tree.nodes[static_cast<std::size_t>(tree.find(TrackId(1)))];
    QCOMPARE(thread.label, std::string("PyTorch Profiler"));
    QCOMPARE(tree.nodes[static_cast<std::size_t>(thread.parent)].label, std::string("Spans"));
}

void TrackTreeTest::emptyTracksAreLeftOut() {
    RunTables t = tables();
    for (TrackRow &row : t.tracks)
        row.sliceCount = 0;
    t.counters[0].sampleCount = 0;
    QVERIFY(buildTrackTree(t).roots.empty());
}

void TrackTreeTest::tracksOfUnknownSourcesAreLeftOut() {
    RunTables t = tables();
    t.tracks[0].source = SourceId(99);
    QCOMPARE(buildTrackTree(t).find(TrackId(1)), -1);
}

void TrackTreeTest::collapsedGroupsHideWhatIsBelow() {
    const TrackTree tree = buildTrackTree(tables());
    const int gpu = tree.nodes[static_cast<std::size_t>(tree.find(TrackId(107)))].parent;
    const auto layout = layoutTracks(tree, {tree.nodes[static_cast<std::size_t>(gpu)].key}, "", 19);
    QCOMPARE(layout.tracks.size(), kAll.size() - 3);
    QVERIFY(!layout.of(tree.find(TrackId(107))));
}

void TrackTreeTest::collapsedTrackIsOneRow() {
    const TrackTree tree = buildTrackTree(tables());
    const int thread = tree.find(TrackId(1));
    const std::set<std::string> shut{tree.nodes[static_cast<std::size_t>(thread)].key};
    const double open = layoutTracks(tree, {}, "", 19).of(thread)->height;
    const auto layout = layoutTracks(tree, shut, "", 19);
    QCOMPARE(open - layout.of(thread)->height, 2.0 * 19);
    const auto metrics = laneMetrics(*layout.of(thread), tree.nodes[static_cast<std::size_t>(thread)], 0, 19, 1);
    QVERIFY(metrics.rowHeight * 3 <= 19.01);
}

void TrackTreeTest::layoutHasNoHoles() {
    const TrackTree tree = buildTrackTree(tables());
    const TrackLayout layout = layoutTracks(tree, {}, "", 19);
    double bottom = 0;
    for (const LaidTrack &laid : layout.tracks) {
        QCOMPARE(laid.top, bottom);
        bottom = laid.bottom();
    }
    QCOMPARE(layout.height, bottom);
}

void TrackTreeTest::pointFindsItsTrack() {
    const TrackTree tree = buildTrackTree(tables());
    const TrackLayout layout = layoutTracks(tree, {}, "", 19);
    for (const LaidTrack &laid : layout.tracks) {
        QCOMPARE(layout.at(laid.top)->node, laid.node);
        QCOMPARE(layout.at(laid.bottom() - 0.01)->node, laid.node);
    }
    QVERIFY(!layout.at(layout.height));
    QVERIFY(!layout.at(-1));
}

void TrackTreeTest::filterKeepsParentsAndChildren() {
    const TrackTree tree = buildTrackTree(tables());
    QCOMPARE(labels(tree, layoutTracks(tree, {}, "STREAM 7", 19)),
             (std::vector<std::string>{"train.json", " GPU 0", "  stream 7"}));
    QCOMPARE(labels(tree, layoutTracks(tree, {}, "python", 19)),
             (std::vector<std::string>{"train.json", " python 4242", "  thread 10", "  thread 9"}));
    QVERIFY(layoutTracks(tree, {}, "nothing like it", 19).tracks.empty());
}

void TrackTreeTest::deepTracksStartCollapsed() {
    RunTables t = tables();
    t.tracks[0].rowCount = 170;
    const TrackTree tree = buildTrackTree(t);
    const auto collapsed = collapsedAtFirst(tree);
    QCOMPARE(collapsed.size(), 1U);
    QVERIFY(collapsed.contains(tree.nodes[static_cast<std::size_t>(tree.find(TrackId(1)))].key));
}

void TrackTreeTest::collapsedStateSurvivesAsText() {
    const std::set<std::string> keys{"source:aa/device:GPU 0", "quote\"d"};
    QCOMPARE(collapsedFromText(collapsedToText(keys)).value(), keys);
    QVERIFY(collapsedFromText(collapsedToText({"bad \xff utf-8"})).has_value());
}

void TrackTreeTest::strangeStateIsIgnored() {
    QVERIFY(!collapsedFromText(""));
    QVERIFY(!collapsedFromText("{\"a\":1}"));
    QVERIFY(!collapsedFromText("[\"cut"));
    QCOMPARE(collapsedFromText("[1, \"a\"]").value(), (std::set<std::string>{"a"}));
}

QTEST_GUILESS_MAIN(TrackTreeTest)
#include "tst_track_tree.moc"
