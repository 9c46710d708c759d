// From events to slices in their place: nesting, lanes, pairs, flows, launches, and sorting that spills.
#include "importers/chrome/decimal.h"
#include "importers/trace/nesting.h"
#include "importers/trace/record_sorter.h"
#include "importers/trace/time_crowd.h"
#include "importers/trace/trace_builder.h"
#include "tests/support/recording_writer.h"

#include <algorithm>
#include <map>
#include <random>
#include <tuple>

#include <QTest>

using namespace wattproof;
using namespace wattproof::importers;

class TraceBuilderTest : public QObject {
    Q_OBJECT

private slots:
    void microsecondsAreExact_data();
    void microsecondsAreExact();
    void sorterSpillsAndMerges();
    void crowdIgnoresTheOddOne();
    void nestingKeepsItsInvariants();
    void unfinishedRunsToTheEndOfTheTrace();
    void asyncSlicesLieSideBySide();
    void flowsBindAfterNesting();
    void oneLaunchManyOperations();
    void externalIdOnlyWithoutCorrelation();
    void budgetDoesNotChangeTheResult();
    void cancelledStopsInTheMiddle();
};

namespace {

struct Scene {
    test::RecordingWriter writer;
    SourceRow source;
    Summary summary;
    std::unique_ptr<TraceBuilder> builder;
    std::uint64_t offset = 0;

    explicit Scene(std::size_t budget = std::size_t{1} << 20U) {
        source.id = *writer.addSource(source);
        builder = std::make_unique<TraceBuilder>(writer, source.id, budget);
    }
    TrackId track(TrackKind kind = TrackKind::Thread) {
        TrackRow row;
        row.source = source.id;
        row.kind = kind;
        return writer.addTrack(row);
    }
    RawEvent event(TrackId track, Ns ts, const char *name) {
        return {track, ts, writer.intern(name), {}, {}, {++offset}};
    }
    Status finish(const Task &task = {}) { return builder->finish(source, summary, task); }
};

}  // namespace

void TraceBuilderTest::microsecondsAreExact_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("ns");
    QTest::addColumn<int>("error");
    const auto row = [](const char *text, qint64 ns, chrome::DecimalError error = chrome::DecimalError::None) {
        QTest::newRow(text) << QByteArray(text) << ns << static_cast<int>(error);
    };
    row("0", 0);
    row("1", 1000);
    row("1753161000123456.789", 1753161000123456789);
    row("0.0005", 1);
    row("0.00049999999999999999999999999", 0);
    row("1.2345", 1235);
    row("-1.2345", -1234);
    row("-1.23451", -1235);
    row("-0.001", -1);
    row("1.5e3", 1'500'000);
    row("1500e-3", 1500);
    row("1.722500000000002E15", 1'722'500'000'000'002'000);
    row("4611686018427387.904", Ns{1} << 62);
    row("4611686018427387.905", 0, chrome::DecimalError::Overflow);
    row("1e999999999999", 0, chrome::DecimalError::Overflow);
    row("1e-999999999999", 0);
    row("0e999999999999", 0);
    row("", 0, chrome::DecimalError::NotANumber);
    row("12x", 0, chrome::DecimalError::NotANumber);
    row("1.", 0, chrome::DecimalError::NotANumber);
    row("1e", 0, chrome::DecimalError::NotANumber);
    row("--1", 0, chrome::DecimalError::NotANumber);
}

void TraceBuilderTest::microsecondsAreExact() {
    QFETCH(QByteArray, text);
    QFETCH(qint64, ns);
    QFETCH(int, error);
    const chrome::DecimalNs own =
        chrome::microsecondsToNs({text.constData(), static_cast<std::size_t>(text.size())});
    QCOMPARE(static_cast<int>(own.error), error);
    if (error == 0)
        QCOMPARE(own.ns, static_cast<Ns>(ns));
}

void TraceBuilderTest::sorterSpillsAndMerges() {
    struct Record {
        std::uint32_t key;
        Ns ts;
        std::uint64_t offset;
    };
    RecordSorter<Record> sorter(1);  // the least it accepts: several runs
    std::mt19937 random(7);
    std::vector<Record> expected;
    for (std::uint64_t i = 0; i < 50'000; ++i) {
        expected.push_back({static_cast<std::uint32_t>(random() % 5), static_cast<Ns>(random() % 1000), i});
        sorter.push(expected.back());
    }
    std::stable_sort(expected.begin(), expected.end(), [](const Record &a, const Record &b) {
        return std::tie(a.key, a.ts, a.offset) < std::tie(b.key, b.ts, b.offset);
    });
    QVERIFY(sorter.seal().has_value());
    std::size_t at = 0;
    for (const Record *record = sorter.peek(); record; record = sorter.peek(), ++at) {
        QCOMPARE(record->offset, expected.at(at).offset);
        sorter.pop();
    }
    QCOMPARE(at, expected.size());
    QVERIFY(sorter.status().has_value());
}

void TraceBuilderTest::crowdIgnoresTheOddOne() {
    TimeCrowd crowd;
    const Ns now = 1'753'161'000'000'000'000;
    crowd.note(0, 0);
    for (Ns i = 0; i < 5; ++i)
        crowd.note(now + i, now + i + 10);
    crowd.note(kLargestTime, kLargestTime);
    crowd.settle();
    QCOMPARE(crowd.begin(), now);
    QCOMPARE(crowd.end(), now + 14);
    QCOMPARE(crowd.compare(0), -1);
    QCOMPARE(crowd.compare(now + 3), 0);
    QCOMPARE(crowd.compare(kLargestTime), 1);
}

// Whatever the slices: a child is inside its parent and one deeper, and slices of one drawing row never overlap.
void TraceBuilderTest::nestingKeepsItsInvariants() {
    std::mt19937 random(11);
    for (int round = 0; round < 200; ++round) {
        std::vector<SliceRow> rows(1 + random() % 80);
        for (SliceRow &row : rows) {
            row.ts = static_cast<Ns>(random() % 60);
            row.dur = static_cast<Ns>(random() % 3 == 0 ? 0 : random() % 30);
            row.kind = random() % 8 == 0 ? SliceKind::Instant : SliceKind::Slice;
            row.dur = row.kind == SliceKind::Instant ? 0 : row.dur;
        }
        std::stable_sort(rows.begin(), rows.end(), [](const SliceRow &a, const SliceRow &b) {
            return a.ts != b.ts ? a.ts < b.ts : a.dur > b.dur;
        });
        std::vector<std::int32_t> parents;
        Nesting nesting(round % 2 == 0 ? Layout::Nested : Layout::SideBySide);
        nesting.place(rows, parents);
        std::map<std::int32_t, Ns> rowEnd;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            QVERIFY(rowEnd.count(rows[i].row) == 0 || rowEnd[rows[i].row] <= rows[i].ts);
            rowEnd[rows[i].row] = rows[i].ts + rows[i].dur;
            if (parents[i] < 0)
                continue;
            const SliceRow &parent = rows[static_cast<std::size_t>(parents[i])];
            QVERIFY(parent.kind == SliceKind::Slice);
            QVERIFY(parent.ts <= rows[i].ts && rows[i].ts + rows[i].dur <= parent.ts + parent.dur);
            QCOMPARE(rows[i].depth, parent.depth + 1);
            QCOMPARE(rows[i].lane, parent.lane);
        }
    }
}

void TraceBuilderTest::unfinishedRunsToTheEndOfTheTrace() {
    Scene scene;
    const TrackId a = scene.track(), b = scene.track();
    scene.builder->begin(scene.event(a, 100, "open"));
    scene.builder->complete(scene.event(b, 150, "last"), 50);
    QVERIFY(scene.finish().has_value());
    const SliceRow *open = scene.writer.findSlice("open");
    QCOMPARE(open->dur, Ns{100});
    QVERIFY(open->state == SliceState::Unfinished);
    QCOMPARE(scene.source.statedBase, Ns{100});
    QCOMPARE(scene.writer.warningCount("unfinished_slice"), std::int64_t{1});
}

void TraceBuilderTest::asyncSlicesLieSideBySide() {
    Scene scene;
    const TrackId track = scene.track(TrackKind::Async);
    scene.builder->asyncBegin(scene.event(track, 0, "job"), {1});
    scene.builder->asyncBegin(scene.event(track, 2, "job"), {2});
    scene.builder->asyncEnd(scene.event(track, 5, "job"), {2});
    scene.builder->asyncEnd(scene.event(track, 10, "job"), {1});
    scene.builder->asyncEnd(scene.event(track, 11, "job"), {3});
    QVERIFY(scene.finish().has_value());
    QCOMPARE(scene.writer.slices.size(), std::size_t{2});
    QCOMPARE(scene.writer.slices[0].lane, 0);
    QCOMPARE(scene.writer.slices[1].lane, 1);
    QVERIFY(!scene.writer.slices[1].parent.valid());
    QCOMPARE(scene.writer.warningCount("overlapping_slice"), std::int64_t{0});
    QCOMPARE(scene.writer.warningCount("unmatched_end"), std::int64_t{1});
}

void TraceBuilderTest::flowsBindAfterNesting() {
    Scene scene;
    const TrackId a = scene.track(), b = scene.track();
    const auto flow = [&scene](TrackId track, Ns ts, FlowPhase phase, FlowBinding binding) {
        RawFlow own;
        own.track = track;
        own.ts = ts;
        own.key = 42;
        own.phase = phase;
        own.binding = binding;
        own.origin = {++scene.offset};
        scene.builder->flow(own);
    };
    flow(b, 30, FlowPhase::End, FlowBinding::NextSlice);
    flow(a, 12, FlowPhase::Start, FlowBinding::EnclosingSlice);
    scene.builder->complete(scene.event(a, 11, "inner"), 3);
    scene.builder->complete(scene.event(a, 10, "outer"), 20);
    scene.builder->complete(scene.event(b, 20, "before"), 10);
    scene.builder->complete(scene.event(b, 40, "after"), 10);
    QVERIFY(scene.finish().has_value());
    QCOMPARE(scene.writer.flows.size(), std::size_t{1});
    QCOMPARE(scene.writer.text(scene.writer.slice(scene.writer.flows[0].from).name), std::string("inner"));
    QCOMPARE(scene.writer.text(scene.writer.slice(scene.writer.flows[0].to).name), std::string("after"));
}

void TraceBuilderTest::oneLaunchManyOperations() {
    Scene scene;
    const TrackId gpu = scene.track(TrackKind::GpuStream), host = scene.track();
    for (Ns i = 0; i < 3; ++i) {
        GpuOpRow op;
        op.correlation = i == 2 ? 8 : 7;
        scene.builder->gpuOperation(scene.event(gpu, 20 + i * 10, "kernel"), 5, op, 0);
    }
    scene.builder->launchCall(scene.event(host, 0, "graphLaunch"), 5, 7, 0);
    scene.builder->launchCall(scene.event(host, 50, "late"), 5, 8, 0);
    QVERIFY(scene.finish().has_value());
    QCOMPARE(scene.summary.links, std::int64_t{3});
    QCOMPARE(scene.writer.text(scene.writer.slice(scene.writer.gpuOps[1].launch).name),
             std::string("graphLaunch"));
    QCOMPARE(scene.writer.warningCount("kernel_before_launch"), std::int64_t{1});
}

void TraceBuilderTest::externalIdOnlyWithoutCorrelation() {
    Scene scene;
    const TrackId gpu = scene.track(TrackKind::GpuStream), host = scene.track();
    GpuOpRow none, other;
    other.correlation = 99;
    scene.builder->launchCall(scene.event(host, 0, "call"), 5, 7, 3);
    scene.builder->gpuOperation(scene.event(gpu, 10, "by external id"), 5, none, 3);
    scene.builder->gpuOperation(scene.event(gpu, 20, "its launch is not here"), 5, other, 3);
    QVERIFY(scene.finish().has_value());
    QCOMPARE(scene.summary.links, std::int64_t{1});
    QVERIFY(scene.writer.gpuOps[0].launch.valid());
    QCOMPARE(scene.writer.warningCount("unlinked_kernel"), std::int64_t{1});
}

void TraceBuilderTest::budgetDoesNotChangeTheResult() {
    std::vector<std::vector<SliceRow>> results;
    for (const std::size_t budget : {std::size_t{1}, std::size_t{256} << 20U}) {
        Scene scene(budget);
        const TrackId tracks[] = {scene.track(), scene.track(), scene.track()};
        std::mt19937 random(3);
        for (int i = 0; i < 40'000; ++i)
            scene.builder->complete(scene.event(tracks[random() % 3], static_cast<Ns>(random() % 100'000), "s"),
                                    static_cast<Ns>(random() % 50));
        QVERIFY(scene.finish().has_value());
        QVERIFY(scene.writer.violations.empty());
        results.push_back(scene.writer.slices);
    }
    QCOMPARE(results[0].size(), results[1].size());
    for (std::size_t i = 0; i < results[0].size(); ++i) {
        QCOMPARE(results[0][i].ts, results[1][i].ts);
        QCOMPARE(results[0][i].row, results[1][i].row);
        QVERIFY(results[0][i].parent == results[1][i].parent);
    }
}

void TraceBuilderTest::cancelledStopsInTheMiddle() {
    Scene scene;
    scene.builder->complete(scene.event(scene.track(), 0, "a"), 1);
    std::stop_source stop;
    stop.request_stop();
    Task task;
    task.stop = stop.get_token();
    const Status status = scene.finish(task);
    QVERIFY(!status.has_value());
    QVERIFY(isCancelled(status.error()));
}

QTEST_APPLESS_MAIN(TraceBuilderTest)
#include "tst_trace_builder.moc"
