// Imports of a part of a trace: which events are kept, that they are what they are in the whole, and what is said
// of those that are not.
#include "importers/chrome/chrome_importer.h"
#include "importers/part/kept_ids.h"
#include "importers/part/late_arguments.h"
#include "importers/part/part_writer.h"
#include "importers/perfetto/perfetto_importer.h"
#include "importers/session.h"
#include "importers/trace/time_crowd.h"
#include "tests/support/recording_writer.h"
#include "tests/support/shared_files.h"

#include <algorithm>
#include <map>
#include <random>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace wattproof;
using namespace wattproof::importers;
using test::RecordingWriter;

namespace {

constexpr Ns kMs = 1'000'000;

struct PartRun {
    RecordingWriter writer;
    Expected<Summary> summary = failure("not imported");
    [[nodiscard]] std::string outcome() const { return summary ? "ok" : summary.error().sentence(); }
};

std::unique_ptr<PartRun> importPart(const Importer &importer, Input &input, const Selection &part) {
    auto run = std::make_unique<PartRun>();
    PartWriter writer(run->writer, part);
    run->summary = importer.import(input, writer, {}, {});
    if (run->summary)
        writer.account(*run->summary);
    return run;
}

std::unique_ptr<PartRun> importText(const std::string &json, const Selection &part) {
    return importPart(*makeChromeImporter(), *Input::fromBytes(json, "t.json"), part);
}

Selection range(Ns begin, Ns end) {
    Selection part;
    part.range = TimeRange{begin, end};
    return part;
}

Selection categories(const std::string &names) {
    Selection part;
    part.categories = categoriesFromText(names);
    return part;
}

// Each slice as "name ts dur args parent", in the order of names and times.
QStringList slicesOf(const RecordingWriter &writer, const Selection &part = {}) {
    const auto kept = [&](const SliceRow &row) {
        return part.reaches(row.ts, row.dur) && (part.categories.empty() || part.names(writer.text(row.category)));
    };
    QStringList lines;
    for (const SliceRow &row : writer.slices) {
        if (!kept(row))
            continue;
        SliceId around = row.parent;
        while (around.valid() && !kept(writer.slice(around)))
            around = writer.slice(around).parent;
        lines << QStringLiteral("%1 %2 %3 %4 in %5")
                     .arg(QString::fromStdString(writer.text(row.name)))
                     .arg(row.ts)
                     .arg(row.dur)
                     .arg(QString::fromStdString(writer.argument(row, "i").value_or("–")))
                     .arg(around.valid() ? QString::fromStdString(writer.text(writer.slice(around).name)) : "–");
    }
    std::sort(lines.begin(), lines.end());
    return lines;
}

// No two slices of a track stand in one drawing row at one time, and the rows are those from 0 on.
bool rowsAreFree(const RecordingWriter &writer) {
    std::map<std::pair<TrackId, std::int32_t>, Ns> ends;
    std::map<TrackId, std::int32_t> deepest;
    std::set<std::pair<TrackId, std::int32_t>> used;
    for (const SliceRow &row : writer.slices) {
        Ns &end = ends[{row.track, row.row}];
        if (row.kind == SliceKind::Slice && row.ts < end)
            return false;
        end = std::max(end, row.ts + row.dur);
        deepest[row.track] = std::max(deepest[row.track], row.row);
        used.insert({row.track, row.row});
    }
    return std::all_of(deepest.begin(), deepest.end(), [&](const auto &track) {
        for (std::int32_t row = 0; row <= track.second; ++row)
            if (used.count({track.first, row}) == 0)
                return false;
        return true;
    });
}

// Nested, overlapping and asynchronous slices, instants, counters and arrows over a second, in any order.
std::string randomTrace(std::mt19937 &random, int count) {
    const auto below = [&random](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    std::vector<std::string> events;
    const char *const names[] = {"a", "b", "a,c", "d"};
    for (int i = 0; i < count; ++i) {
        const int ts = below(1'000'000), thread = below(3);
        const std::string head = "\"pid\":1,\"tid\":" + std::to_string(thread) + ",\"ts\":" + std::to_string(ts) +
                                 ",\"name\":\"n" + std::to_string(i) + "\",\"cat\":\"" + names[below(4)] + "\"";
        const std::string args = ",\"args\":{\"i\":" + std::to_string(i) + "}";
        if (i % 7 == 0)
            events.push_back("{\"ph\":\"i\",\"s\":\"t\"," + head + args + "}");
        else if (i % 13 == 0)
            for (const int at : {0, below(200'000)})
                events.push_back("{\"ph\":\"" + std::string(at == 0 ? "b" : "e") +
                                 "\",\"id\":" + std::to_string(i) +
                                 ",\"pid\":1,\"tid\":1,\"ts\":" + std::to_string(ts + at) + ",\"name\":\"async " +
                                 std::to_string(i % 2) + "\",\"cat\":\"a\"" + (at == 0 ? args : "") + "}");
        else if (i % 11 == 0)
            events.push_back("{\"ph\":\"C\"," + head + ",\"args\":{\"v\":" + std::to_string(i) + "}}");
        else
            events.push_back("{\"ph\":\"X\",\"dur\":" + std::to_string(below(i % 5 == 0 ? 300'000 : 9'000)) + "," +
                             head + args + "}");
    }
    std::shuffle(events.begin(), events.end(), random);
    std::string json =
        "{\"traceEvents\":[{\"ph\":\"X\",\"pid\":1,\"tid\":0,\"ts\":0,\"dur\":1,\"name\":\"first\","
        "\"cat\":\"d\"}";
    for (const std::string &event : events)
        json += ",\n" + event;
    return json + "]}";
}

const char *const kLaunches = R"({"traceEvents":[
{"ph":"X","pid":1,"tid":1,"ts":0,"dur":10,"name":"early","cat":"cuda_runtime","args":{"correlation":1}},
{"ph":"X","pid":1,"tid":1,"ts":100,"dur":10,"name":"late","cat":"cuda_runtime","args":{"correlation":2}},
{"ph":"X","pid":0,"tid":7,"ts":200,"dur":10,"name":"gemm 1","cat":"kernel","args":{"device":0,"stream":7,"correlation":1}},
{"ph":"X","pid":0,"tid":7,"ts":300,"dur":10,"name":"gemm 2","cat":"kernel","args":{"device":0,"stream":7,"correlation":2}},
{"ph":"s","id":5,"pid":1,"tid":1,"ts":5,"name":"f","cat":"f"},{"ph":"f","bp":"e","id":5,"pid":0,"tid":7,"ts":205,"name":"f","cat":"f"},
{"ph":"s","id":6,"pid":1,"tid":1,"ts":105,"name":"f","cat":"f"},{"ph":"f","bp":"e","id":6,"pid":0,"tid":7,"ts":305,"name":"f","cat":"f"}
]})";

}  // namespace

class PartTest : public QObject {
    Q_OBJECT

private slots:
    void rangesAreRead_data();
    void rangesAreRead();
    void categoriesAreNamesInLists();
    void lateArgumentsComeBack();
    void keptIdsAreThoseOfTheStore();
    void partIsTheWholeWithoutTheRest_data();
    void partIsTheWholeWithoutTheRest();
    void leftOutEventsLeaveNoArguments();
    void samplesAndStatesAreCutByTime();
    void launchesAndArrowsOfLeftOutEventsGo();
    void whatIsLeftOutIsCounted();
    void nothingInThePartIsAnError();
    void perfettoIsCutTheSame();
    void sessionCutsTracesAndKeepsLogs();
    void wishesAreKeptWithTheSource();
};

void PartTest::rangesAreRead_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("begin");
    QTest::addColumn<qint64>("end");
    QTest::addColumn<QString>("again");
    const auto row = [](const char *text, Ns begin, Ns end, const char *again) {
        QTest::newRow(text) << QString::fromLatin1(text) << qint64{begin} << qint64{end}
                            << QString::fromLatin1(again);
    };
    row("2..5.5", 2'000 * kMs, 5'500 * kMs, "2..5.5");
    row(" 0.000000001 .. 1 ", 1, 1'000 * kMs, "0.000000001..1");
    row("..3", 0, 3'000 * kMs, "0..3");
    row("3..", 3'000 * kMs, kLargestTime, "3..");
    for (const char *bad : {"", "3", "5..2", "2..2", "-1..2", "a..b", "1..2..3", "1..99999999999"})
        row(bad, 0, -1, "");
}

void PartTest::rangesAreRead() {
    QFETCH(QString, text);
    QFETCH(qint64, begin);
    QFETCH(qint64, end);
    QFETCH(QString, again);
    const auto read = rangeFromText(text.toStdString());
    QCOMPARE(read.has_value(), end >= 0);
    if (!read)
        return;
    QCOMPARE(qint64{read->begin}, begin);
    QCOMPARE(qint64{read->end}, end);
    QCOMPARE(QString::fromStdString(textOf(*read)), again);
}

void PartTest::categoriesAreNamesInLists() {
    const Selection part = categories(" cpu_op , kernel,,");
    QCOMPARE(part.categories, (std::vector<std::string>{"cpu_op", "kernel"}));
    QVERIFY(part.names("cpu_op") && part.names("kernel") && part.names("x, kernel"));
    QVERIFY(!part.names("cpu") && !part.names("") && !part.names("kernels,cpu_ops"));
    QVERIFY(Selection().isWhole() && !part.isWhole() && !range(0, 1).isWhole());
}

void PartTest::lateArgumentsComeBack() {
    LateArguments late;
    RecordingWriter writer;
    const std::int64_t shape = writer.internArgShape(R"(["i"])");
    std::vector<ArgSetId> waiting;
    for (int i = 0; i < 20'000; ++i)
        waiting.push_back(late.add(shape, "[" + std::to_string(i) + "]"));
    for (const int i : {19'999, 3, 12'345, 0, 4'096, 4'095}) {
        const auto id = late.give(waiting[static_cast<std::size_t>(i)], writer);
        QVERIFY(id);
        QCOMPARE(writer.args.at(static_cast<std::size_t>(id->value) - 1).values, "[" + std::to_string(i) + "]");
    }
    const ArgSetId more = late.add(shape, "[7]");
    QVERIFY(late.give(more, writer));
    QCOMPARE(writer.args.back().values, std::string("[7]"));
    QVERIFY(!late.give({}, writer)->valid());
}

void PartTest::keptIdsAreThoseOfTheStore() {
    std::mt19937 random(11);
    KeptIds ids;
    std::vector<std::int64_t> expected;
    for (int run = 0; run < 50; ++run) {
        std::int64_t stored = 1'000 * (run + 1);
        SliceId id = ids.begin(SliceId(stored));
        QCOMPARE(id.value, static_cast<std::int64_t>(expected.size()) + 1);
        for (unsigned i = 0, count = random() % 300; i < count; ++i) {
            const bool kept = random() % 3 == 0;
            ids.add(kept);
            expected.push_back(kept ? stored++ : 0);
        }
    }
    for (std::size_t i = 0; i < expected.size(); ++i)
        QCOMPARE(ids.find(SliceId(static_cast<std::int64_t>(i) + 1)).value, expected[i]);
    QVERIFY(!ids.find({}).valid());
    QVERIFY(!ids.find(SliceId(static_cast<std::int64_t>(expected.size()) + 1)).valid());
    QVERIFY(!ids.find(SliceId(-1)).valid());
}

void PartTest::partIsTheWholeWithoutTheRest_data() {
    QTest::addColumn<QString>("range");
    QTest::addColumn<QString>("categories");
    QTest::newRow("all of it") << "0.."
                               << "a,b,c,d";
    QTest::newRow("middle") << "0.3..0.6"
                            << "";
    QTest::newRow("beginning") << "..0.1"
                               << "";
    QTest::newRow("one category") << ""
                                  << "a";
    QTest::newRow("both") << "0.2..0.9"
                          << "c,d";
}

void PartTest::partIsTheWholeWithoutTheRest() {
    QFETCH(QString, range);
    QFETCH(QString, categories);
    Selection part;
    if (!range.isEmpty())
        part.range = *rangeFromText(range.toStdString());
    part.categories = categoriesFromText(categories.toStdString());
    std::mt19937 random(5);
    for (int round = 0; round < 20; ++round) {
        const std::string json = randomTrace(random, 400);
        const auto whole = importText(json, {});
        const auto some = importText(json, part);
        QCOMPARE(some->outcome(), std::string("ok"));
        QCOMPARE(some->writer.violations, std::vector<std::string>());
        QCOMPARE(slicesOf(some->writer), slicesOf(whole->writer, part));
        QCOMPARE(some->writer.sources[0].statedBase, whole->writer.sources[0].statedBase);
        QVERIFY(rowsAreFree(some->writer));
        QCOMPARE(some->summary->slices + some->summary->instants,
                 static_cast<std::int64_t>(some->writer.slices.size()));
    }
}

void PartTest::leftOutEventsLeaveNoArguments() {
    std::mt19937 random(9);
    const auto run = importText(randomTrace(random, 1'000), range(0, 50 * kMs));
    const auto with = std::count_if(run->writer.slices.begin(), run->writer.slices.end(),
                                    [](const SliceRow &row) { return row.args.valid(); });
    QVERIFY(with > 0 && with < 500);
    QCOMPARE(static_cast<std::ptrdiff_t>(run->writer.args.size()), with);
}

void PartTest::samplesAndStatesAreCutByTime() {
    RecordingWriter target;
    PartWriter writer(target, range(10, 20));
    const SourceId source = *writer.addSource({});
    CounterRow counter;
    counter.source = source;
    const CounterId id = writer.addCounter(counter);
    QVERIFY(writer.writeSamples(id, std::vector<Sample>{{9, 1}, {10, 2}, {19, 3}, {20, 4}}));
    const ProcessId process = writer.addProcess({{}, source, "1", "p", "", {}});
    const ThreadId thread = writer.addThread({{}, source, process, "1", "t", {}});
    QVERIFY(writer.writeThreadStates(std::vector<ThreadStateRow>{{thread, 0, 10, ThreadState::Running, 0},
                                                                 {thread, 10, 5, ThreadState::Sleeping, 0},
                                                                 {thread, 15, 50, ThreadState::Running, 0},
                                                                 {thread, 65, 5, ThreadState::Sleeping, 0}}));
    QVERIFY(writer.finishSource(source));
    QCOMPARE(target.samples.at(id.value).size(), std::size_t{2});
    QCOMPARE(target.threadStates.size(), std::size_t{2});
    QCOMPARE(target.threadStates[1].dur, Ns{50});
    QCOMPARE(target.warningCount("left_out_range"), std::int64_t{4});
}

void PartTest::launchesAndArrowsOfLeftOutEventsGo() {
    const auto all = importText(kLaunches, range(0, kMs));
    QCOMPARE(all->summary->links, std::int64_t{2});
    QCOMPARE(all->writer.flows.size(), std::size_t{2});
    const auto run = importText(kLaunches, range(100'000, kMs));
    QCOMPARE(run->writer.violations, std::vector<std::string>());
    QCOMPARE(run->writer.gpuOps.size(), std::size_t{2});
    QVERIFY(!run->writer.gpuOps[0].launch.valid());
    QCOMPARE(run->writer.text(run->writer.slice(run->writer.gpuOps[1].launch).name), std::string("late"));
    QCOMPARE(run->writer.flows.size(), std::size_t{1});
    QCOMPARE(run->writer.text(run->writer.slice(run->writer.flows[0].to).name), std::string("gemm 2"));
    QCOMPARE(run->writer.warningCount("left_out_launch"), std::int64_t{1});
    QCOMPARE(run->writer.warningCount("left_out_flow"), std::int64_t{1});
    QCOMPARE(run->writer.warningCount("unlinked_kernel"), std::int64_t{0});
    QCOMPARE(run->summary->links, std::int64_t{1});
    const auto kernels = importText(kLaunches, categories("kernel"));
    QCOMPARE(kernels->writer.slices.size(), std::size_t{2});
    QCOMPARE(kernels->writer.gpuOps.size(), std::size_t{2});
    QCOMPARE(kernels->writer.flows.size(), std::size_t{0});
}

void PartTest::whatIsLeftOutIsCounted() {
    Selection part = categories("kernel");
    part.range = TimeRange{0, 250'000};
    const auto run = importText(kLaunches, part);
    QCOMPARE(run->writer.slices.size(), std::size_t{1});
    QCOMPARE(run->writer.warningCount("left_out_category"), std::int64_t{2});
    QCOMPARE(run->writer.warningCount("left_out_range"), std::int64_t{1});
    const WarningRow *row = run->writer.findWarning("left_out_range");
    QVERIFY2(row->message.find("0 s to 0.00025 s") != std::string::npos, row->message.c_str());
    QVERIFY(run->writer.findWarning("left_out_category")->message.find("kernel") != std::string::npos);
    const auto &said = run->summary->warnings;
    QVERIFY(std::any_of(said.begin(), said.end(), [](const WarningRow &w) { return w.kind == "left_out_range"; }));
}

void PartTest::nothingInThePartIsAnError() {
    const auto late = importText(kLaunches, range(kMs, 2 * kMs));
    QVERIFY(!late->summary);
    QVERIFY2(late->outcome().find("0.00031 s") != std::string::npos, late->outcome().c_str());
    QVERIFY(!importText(kLaunches, categories("kernels"))->summary);
    QVERIFY(importText(R"({"traceEvents":[]})", range(0, 1))->summary);
}

void PartTest::perfettoIsCutTheSame() {
    WATTPROOF_SHARED_OR_SKIP(path, "corpus/perfetto/msperf_test_trace.perfetto-trace");
    const auto read = [&path](const Selection &part) {
        auto input = Input::open(path.toStdString());
        return importPart(*makePerfettoImporter(), **input, part);
    };
    const auto whole = read({});
    QCOMPARE(whole->outcome(), std::string("ok"));
    Ns last = 0;
    for (const SliceRow &row : whole->writer.slices)
        last = std::max(last, row.ts);
    const Selection part = range(last / 4, last / 2);
    const auto some = read(part);
    QCOMPARE(some->outcome(), std::string("ok"));
    QCOMPARE(some->writer.violations, std::vector<std::string>());
    QCOMPARE(slicesOf(some->writer), slicesOf(whole->writer, part));
    QVERIFY(some->writer.slices.size() < whole->writer.slices.size());
}

void PartTest::sessionCutsTracesAndKeepsLogs() {
    const QTemporaryDir folder;
    const auto write = [&folder](const char *name, const char *text) {
        QFile file(folder.filePath(QString::fromLatin1(name)));
        if (file.open(QIODevice::WriteOnly))
            file.write(text);
        return file.fileName().toStdString();
    };
    const std::string table =
        write("a.csv",
              "Start (ns),Duration (ns),CorrId,Device,Strm,Name\n"
              "1000,500,1,NVIDIA RTX A4500 (0),7,one\n9000,500,2,NVIDIA RTX A4500 (0),7,two\n");
    const std::string log = write("b.csv",
                                  "timestamp, index, power.draw [W]\n2025/04/24 16:02:12.000, 0, 21.76 W\n"
                                  "2025/04/24 16:02:13.000, 0, 30.00 W\n");
    Options options;
    options.part = range(5'000, 10'000);
    const std::string output = folder.filePath("w.wattproof").toStdString();
    const auto summary = importToNew({write("c.json", kLaunches), table, log}, output, options, {});
    QVERIFY2(summary.has_value(), summary ? "" : summary.error().sentence().c_str());
    QCOMPARE(summary->files[0].slices, std::int64_t{1});
    QCOMPARE(summary->files[1].slices, std::int64_t{1});
    QCOMPARE(summary->files[2].samples, std::int64_t{2});
}

void PartTest::wishesAreKeptWithTheSource() {
    const QTemporaryDir folder;
    QFile file(folder.filePath("c.json"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(kLaunches) > 0);
    file.close();
    Options options;
    options.part = categories("kernel,cuda_runtime");
    options.part.range = TimeRange{1'500, kLargestTime};
    options.timezone = "+02:00";
    const std::string output = folder.filePath("w.wattproof").toStdString();
    QVERIFY(importToNew({file.fileName().toStdString()}, output, options, {}));
    const auto workspace = store::Workspace::open(output);
    const auto reader = (*workspace)->reader();
    const auto again = optionsOf(**reader, SourceId{1});
    QVERIFY(again);
    QCOMPARE(again->part.range, options.part.range);
    QCOMPARE(again->part.categories, options.part.categories);
    QCOMPARE(again->timezone, options.timezone);
    QVERIFY(optionsOf(**reader, SourceId{2})->part.isWhole());
}

QTEST_GUILESS_MAIN(PartTest)
#include "tst_part.moc"
