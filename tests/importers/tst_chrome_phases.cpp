// What becomes of each phase of the Trace Event Format, and of the arguments and clocks that come with it.
#include "tests/support/import_trace.h"

#include <algorithm>

#include <QTest>

using namespace wattproof;
using test::importChromeText;

class ChromePhasesTest : public QObject {
    Q_OBJECT

private slots:
    void argumentsOfBothEndsAreKept();
    void argumentsOfAsynchronousEndsAreKept();
    void endsCloseWhatTheirNameSays();
    void endsBeforeTheirBeginInTheFile();
    void threadClocksAreKept();
    void objectsLiveOnTheirTrack();
    void samplesAreInstants();
    void sampleListBesideTheEvents();
    void stackFramesAreChains();
    void memoryDumpsAreCounters();
    void clockSyncIsKept();
    void scopesOfInstantsAreKept();
    void counterValuesInQuotes();
    void asyncScopes();
    void bareEventsWithoutPlace();
    void kernelTextBesideTheEvents();
    void wideText_data();
    void wideText();
};

namespace {

test::ImportedTrace imported(const std::string &events) {
    return importChromeText("{\"traceEvents\":[" + events + "]}");
}

std::string argument(const test::ImportedTrace &trace, const char *slice, const char *key) {
    const SliceRow *row = trace.writer->findSlice(slice);
    return row ? trace.writer->argument(*row, key).value_or("none") : "no slice";
}

Ns lengthOf(const test::ImportedTrace &trace, const char *slice) {
    const SliceRow *row = trace.writer->findSlice(slice);
    return row ? row->dur : -1;
}

}  // namespace

#define VERIFY_WHOLE(trace)                         \
    QCOMPARE((trace).outcome(), std::string("ok")); \
    QCOMPARE((trace).violations(), std::string())

void ChromePhasesTest::argumentsOfBothEndsAreKept() {
    const auto trace = imported(R"({"ph":"B","name":"a","pid":1,"tid":1,"ts":1,"args":{"x":1,"y":"b"}},
        {"ph":"B","name":"b","pid":1,"tid":1,"ts":2},
        {"ph":"E","name":"b","pid":1,"tid":1,"ts":3,"args":{"only":true}},
        {"ph":"E","name":"a","pid":1,"tid":1,"ts":4,"args":{"y":"e","z":[1]}})");
    VERIFY_WHOLE(trace);
    QCOMPARE(argument(trace, "a", "x"), std::string("1"));
    QCOMPARE(argument(trace, "a", "y"), std::string("\"b\""));
    QCOMPARE(argument(trace, "a", "end.y"), std::string("\"e\""));
    QCOMPARE(argument(trace, "a", "z"), std::string("[1]"));
    QCOMPARE(argument(trace, "b", "only"), std::string("true"));
    QCOMPARE(trace.writer->warningCount("ignored_arguments"), std::int64_t{0});
}

void ChromePhasesTest::argumentsOfAsynchronousEndsAreKept() {
    const auto trace = imported(R"({"ph":"b","cat":"c","id":1,"name":"a","pid":1,"tid":1,"ts":1,"args":{"x":1}},
        {"ph":"b","cat":"c","id":2,"name":"a","pid":1,"tid":1,"ts":2,"args":{"x":2}},
        {"ph":"e","cat":"c","id":1,"name":"a","pid":1,"tid":2,"ts":5,"args":{"bytes":10}},
        {"ph":"e","cat":"c","id":2,"name":"a","pid":1,"tid":2,"ts":9,"args":{"bytes":20}})");
    VERIFY_WHOLE(trace);
    const SliceRow *first = trace.writer->findSlice("a", 0), *second = trace.writer->findSlice("a", 1);
    QVERIFY(first && second);
    QCOMPARE(trace.writer->argument(*first, "bytes").value_or(""), std::string("10"));
    QCOMPARE(trace.writer->argument(*second, "bytes").value_or(""), std::string("20"));
    QCOMPARE(trace.writer->argument(*second, "x").value_or(""), std::string("2"));
}

void ChromePhasesTest::endsCloseWhatTheirNameSays() {
    const auto trace = imported(R"({"ph":"B","name":"outer","pid":1,"tid":1,"ts":1,"args":{"o":1}},
        {"ph":"B","name":"inner","pid":1,"tid":1,"ts":2,"args":{"i":1}},
        {"ph":"E","name":"outer","pid":1,"tid":1,"ts":9,"args":{"done":1}})");
    VERIFY_WHOLE(trace);
    QCOMPARE(argument(trace, "outer", "done"), std::string("1"));
    QCOMPARE(argument(trace, "inner", "done"), std::string("none"));
    QCOMPARE(trace.writer->warningCount("unfinished_slice"), std::int64_t{1});
}

void ChromePhasesTest::endsBeforeTheirBeginInTheFile() {
    const auto trace = imported(R"({"ph":"E","name":"a","pid":1,"tid":1,"ts":9,"args":{"late":1}},
        {"ph":"B","name":"a","pid":1,"tid":1,"ts":1})");
    VERIFY_WHOLE(trace);
    QCOMPARE(lengthOf(trace, "a"), Ns{8000});
    QCOMPARE(argument(trace, "a", "late"), std::string("1"));
}

void ChromePhasesTest::threadClocksAreKept() {
    const auto trace = imported(R"({"ph":"X","name":"x","pid":1,"tid":1,"ts":1,"dur":5,"tts":100,"tdur":4},
        {"ph":"B","name":"b","pid":1,"tid":1,"ts":10,"tts":104},{"ph":"E","name":"b","pid":1,"tid":1,"ts":12,"tts":105})");
    VERIFY_WHOLE(trace);
    QCOMPARE(argument(trace, "x", "tts"), std::string("100"));
    QCOMPARE(argument(trace, "x", "tdur"), std::string("4"));
    QCOMPARE(argument(trace, "b", "tts"), std::string("104"));
    QCOMPARE(argument(trace, "b", "end.tts"), std::string("105"));
}

void ChromePhasesTest::objectsLiveOnTheirTrack() {
    const auto trace = imported(R"({"ph":"N","cat":"a","name":"Layer","id":"0x1","pid":1,"tid":1,"ts":1},
        {"ph":"O","cat":"a,b","name":"Layer","id":"0x1","pid":1,"tid":1,"ts":2,"args":{"snapshot":{"w":3}}},
        {"ph":"D","cat":"b","name":"Layer","id":"0x1","pid":1,"tid":1,"ts":5},
        {"ph":"D","cat":"b","name":"Layer","id":"0x2","pid":1,"tid":1,"ts":6},
        {"ph":"N","cat":"a","name":"Layer","id":"0x1","pid":2,"tid":1,"ts":7})");
    VERIFY_WHOLE(trace);
    QCOMPARE(trace.result->slices, std::int64_t{2});
    QCOMPARE(trace.result->instants, std::int64_t{2});
    QCOMPARE(lengthOf(trace, "Layer"), Ns{4000});
    QCOMPARE(trace.writer->warningCount("unmatched_end"), std::int64_t{0});
    QCOMPARE(trace.writer->track(trace.writer->findSlice("Layer")->track).name, std::string("Layer objects"));
}

void ChromePhasesTest::samplesAreInstants() {
    const auto trace = imported(
        R"({"ph":"P","cat":"cycles","name":"SampleA","id":"0x1","pid":1,"tid":1,"ts":1,"args":{"data":{"a":[1,2]}}})");
    VERIFY_WHOLE(trace);
    QCOMPARE(trace.result->instants, std::int64_t{1});
    QCOMPARE(argument(trace, "SampleA", "data"), std::string(R"({"a":[1,2]})"));
}

// The list has no phases and states no process; times are microseconds like all others.
void ChromePhasesTest::sampleListBesideTheEvents() {
    const auto trace = importChromeText(
        R"({"traceEvents":[{"ph":"X","name":"x","pid":7,"tid":3,"ts":1,"dur":9}],
        "samples":[{"cpu":0,"tid":3,"ts":2.5,"name":"cycles:HG","sf":2,"weight":1},{"cpu":0,"tid":8,"ts":3,"name":"cycles:HG","sf":1}],
        "stackFrames":{"1":{"name":"main"},"2":{"name":"step","parent":"1"}}})");
    VERIFY_WHOLE(trace);
    QCOMPARE(trace.result->events, std::int64_t{3});
    QCOMPARE(trace.result->instants, std::int64_t{2});
    const SliceRow *sample = trace.writer->findSlice("cycles:HG");
    QVERIFY(sample);
    QCOMPARE(sample->ts, Ns{1500});
    QCOMPARE(sample->track.value, trace.writer->findSlice("x")->track.value);
    QCOMPARE(argument(trace, "cycles:HG", "sf"), std::string("2"));
    QCOMPARE(trace.writer->metadataValue("stackFrames.2"), std::string("main > step"));
}

void ChromePhasesTest::stackFramesAreChains() {
    const auto trace = importChromeText(
        R"({"traceEvents":[{"ph":"X","name":"x","pid":1,"tid":1,"ts":1,"dur":1,"sf":5,"stack":["0x1","0x2"]}],
        "stackFrames":{"5":{"name":"leaf","category":"c","parent":4},"4":{"name":"root"},"8":{"name":"a","parent":"9"},"9":{"name":"b","parent":"8"}}})");
    VERIFY_WHOLE(trace);
    QCOMPARE(trace.writer->metadataValue("stackFrames.5"), std::string("root > leaf"));
    QCOMPARE(argument(trace, "x", "sf"), std::string("5"));
    QCOMPARE(argument(trace, "x", "stack"), std::string(R"(["0x1","0x2"])"));
    QVERIFY(trace.writer->metadataValue("stackFrames.8").size() < 1000);  // a ring
}

void ChromePhasesTest::memoryDumpsAreCounters() {
    const auto trace =
        imported(R"({"ph":"v","name":"explicitly_triggered","id":"0x5","pid":4,"tid":1,"ts":1,"args":{"dumps":{
        "process_totals":{"resident_set_bytes":"1000"},
        "allocators":{"malloc":{"attrs":{"size":{"type":"scalar","units":"bytes","value":"20"}}},
                      "malloc/parts":{"attrs":{"size":{"type":"scalar","units":"bytes","value":"10"}}}}}}})");
    VERIFY_WHOLE(trace);
    QCOMPARE(trace.result->instants, std::int64_t{1});
    QCOMPARE(trace.result->counters, std::int64_t{2});
    const CounterRow *resident = trace.writer->findCounter("memory.resident_set_bytes");
    QVERIFY(resident);
    QCOMPARE(resident->unit, std::string("B"));
    QCOMPARE(trace.writer->samples.at(resident->id.value).at(0).value, 4096.0);
    QVERIFY(trace.writer->findCounter("memory.malloc") && !trace.writer->findCounter("memory.malloc/parts"));
}

void ChromePhasesTest::clockSyncIsKept() {
    const auto trace = imported(
        R"({"ph":"c","name":"clock_sync","pid":1,"tid":1,"ts":12.5,"args":{"sync_id":"ab","issue_ts":11}})");
    VERIFY_WHOLE(trace);
    QCOMPARE(trace.result->instants, std::int64_t{1});
    QCOMPARE(trace.writer->metadataValue("clock_sync.ab"), std::string("12500"));
}

void ChromePhasesTest::scopesOfInstantsAreKept() {
    const auto trace = imported(R"({"ph":"i","name":"all","pid":1,"tid":1,"ts":1,"s":"g"},
        {"ph":"I","name":"process","pid":1,"tid":1,"ts":1,"s":"p"},{"ph":"i","name":"thread","pid":1,"tid":1,"ts":1,"s":"t"})");
    VERIFY_WHOLE(trace);
    QCOMPARE(argument(trace, "all", "scope"), std::string("\"g\""));
    QCOMPARE(argument(trace, "process", "scope"), std::string("\"p\""));
    QCOMPARE(argument(trace, "thread", "scope"), std::string("none"));
}

void ChromePhasesTest::counterValuesInQuotes() {
    const auto trace = imported(
        R"({"ph":"C","name":"c","pid":1,"ts":1,"args":{"a":"+10.5","b":".75","d":"246.","e":"050","f":"0x10","g":"abc"}})");
    VERIFY_WHOLE(trace);
    QCOMPARE(trace.result->samples, std::int64_t{4});
    QCOMPARE(trace.writer->warningCount("counter_non_numeric"), std::int64_t{2});
    const CounterRow *row = trace.writer->findCounter("c.a");
    QVERIFY(row);
    QCOMPARE(trace.writer->samples.at(row->id.value).at(0).value, 10.5);
}

void ChromePhasesTest::asyncScopes() {
    const auto pairs = [](const std::string &begin, const std::string &end) {
        const auto trace =
            imported(R"({"ph":"b","name":"n","ts":1,)" + begin + R"(},{"ph":"e","name":"n","ts":2,)" + end + "}");
        return trace.writer->warningCount("unmatched_end") == 0;
    };
    QVERIFY(pairs(R"("cat":"c","id":12,"pid":1)", R"("cat":"c","id":"12","pid":2)"));
    QVERIFY(!pairs(R"("cat":"c","id":12,"pid":1)", R"("cat":"d","id":12,"pid":1)"));
    QVERIFY(!pairs(R"("cat":"c","id":12,"pid":1,"scope":"s")", R"("cat":"c","id":12,"pid":1)"));
    QVERIFY(pairs(R"("cat":"c","id2":{"global":"0x1"},"pid":1)", R"("cat":"c","id2":{"global":"0x1"},"pid":2)"));
    QVERIFY(pairs(R"("cat":"c","id2":{"local":"0x1"},"pid":1)", R"("cat":"c","id2":{"local":"0x1"},"pid":1)"));
    QVERIFY(!pairs(R"("cat":"c","id2":{"local":"0x1"},"pid":1)", R"("cat":"c","id2":{"local":"0x1"},"pid":2)"));
}

void ChromePhasesTest::bareEventsWithoutPlace() {
    const auto trace =
        imported(R"({"ph":"X","name":"none","ts":1,"dur":1},{"ph":"X","name":"pid","pid":5,"ts":1,"dur":1},
        {"ph":"X","name":"zero","pid":0,"tid":0,"ts":1,"dur":1})");
    VERIFY_WHOLE(trace);
    QCOMPARE(trace.result->slices, std::int64_t{3});
    QCOMPARE(trace.writer->threads.size(), std::size_t{3});
}

// The text goes to the reader of kernel events, on the threads that the trace has already.
void ChromePhasesTest::kernelTextBesideTheEvents() {
    const std::string filler = R"(# a comment that fills the buffer: \u00e9 \"quoted\" \\\n)";
    std::string text = R"(# tracer: nop\n)";
    for (int i = 0; i < 60'000; ++i)
        text += filler;
    text +=
        R"(  worker-12 (   12) [001] d..3   1.000000: sched_switch: prev_comm=worker prev_pid=12 prev_prio=120 prev_state=S ==> next_comm=swapper next_pid=0 next_prio=120\n)";
    text += R"(  worker-12 (   12) [001] ...1   1.000100: cpu_frequency: state=1800000 cpu_id=1\n)";
    const auto trace = importChromeText(
        R"({"traceEvents":[{"ph":"X","name":"x","pid":12,"tid":12,"ts":1000000,"dur":50}],"systemTraceEvents":")" +
        text + "\"}");
    VERIFY_WHOLE(trace);
    QCOMPARE(trace.result->events, std::int64_t{3});
    QCOMPARE(trace.result->counters, std::int64_t{1});
    QCOMPARE(std::count_if(trace.writer->threads.begin(), trace.writer->threads.end(),
                           [](const ThreadRow &row) { return row.tid == "12"; }),
             std::ptrdiff_t{1});
    QCOMPARE(trace.writer->warningCount("unread_section"), std::int64_t{0});
}

void ChromePhasesTest::wideText_data() {
    QTest::addColumn<bool>("big");
    QTest::addColumn<bool>("mark");
    QTest::newRow("little endian") << false << true;
    QTest::newRow("big endian") << true << true;
    QTest::newRow("little endian without mark") << false << false;
    QTest::newRow("big endian without mark") << true << false;
}

void ChromePhasesTest::wideText() {
    QFETCH(bool, big);
    QFETCH(bool, mark);
    QString json = QStringLiteral(R"([{"ph":"X","name":"caf\u00e9 \u5b57 )") +
                   QString::fromUcs4(U"\U0001F600", 1) + QStringLiteral(R"(","pid":1,"tid":1,"ts":1,"dur":2})");
    for (int i = 0; i < 40'000; ++i)
        json += QStringLiteral(",{\"ph\":\"i\",\"pid\":1,\"tid\":1,\"ts\":%1}").arg(i);
    json += QLatin1Char(']');
    std::string bytes;
    const auto put = [&bytes, big](unsigned unit) {
        const char high = static_cast<char>(unit >> 8U), low = static_cast<char>(unit & 0xffU);
        bytes += big ? high : low;
        bytes += big ? low : high;
    };
    if (mark)
        put(0xfeff);
    for (const QChar &each : json)
        put(each.unicode());
    const auto trace = importChromeText(bytes);
    VERIFY_WHOLE(trace);
    QCOMPARE(trace.result->instants, std::int64_t{40'000});
    QVERIFY(trace.writer->findSlice("caf\xc3\xa9 \xe5\xad\x97 \xf0\x9f\x98\x80"));
    QVERIFY(trace.writer->warnings.empty());
}

QTEST_APPLESS_MAIN(ChromePhasesTest)
#include "tst_chrome_phases.moc"
