// Traces that are cut, bent or hostile: what is whole is kept, the rest is counted, nothing crashes.
#include "tests/support/import_trace.h"
#include "tests/support/shared_files.h"

#include <random>

#include <QFile>
#include <QTest>

using namespace wattproof;
using test::importChromeText;

class ChromeDamageTest : public QObject {
    Q_OBJECT

private slots:
    void containerDamage_data();
    void containerDamage();
    void refusal_data();
    void refusal();
    void eventsBehindDamageAreFound();
    void deepNestingIsRefusedAsAnEvent();
    void hugeNumbersAreCounted();
    void wordsAndObjectsAsNamesAreMended();
    void largeEventsCrossTheWindow();
    void largeHeadValuesAreSkipped();
    void mutatedTextNeverBreaksTheContract();
    void everyPrefixImports();
    void namesWithoutEnd_data();
    void namesWithoutEnd();
};

static const char kEvent[] = R"({"ph":"X","pid":1,"tid":1,"ts":10,"dur":5,"name":"a","args":{"k":[1,{"x":"y"}]}})";

static std::int64_t sliceCount(const test::ImportedTrace &trace) {
    return static_cast<std::int64_t>(trace.writer->slices.size());
}

void ChromeDamageTest::containerDamage_data() {
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<int>("slices");
    QTest::addColumn<QByteArray>("kind");
    QTest::addColumn<int>("count");
    const QByteArray e(kEvent);
    const auto row = [](const char *name, const QByteArray &json, int slices, const char *kind, int count) {
        QTest::newRow(name) << json << slices << QByteArray(kind) << count;
    };
    row("array", "[" + e + "," + e + "]", 2, "", 0);
    row("object", "{\"traceEvents\":[" + e + "]}", 1, "", 0);
    row("keys after", "{\"traceEvents\":[" + e + "],\"a\":{\"traceEvents\":[1]}}", 1, "", 0);
    row("keys before", "{\"a\":[{\"traceEvents\":[]}],\"traceEvents\":[" + e + "]}", 1, "", 0);
    row("byte order mark", "\xef\xbb\xbf[" + e + "]", 1, "", 0);
    row("no closing bracket", "[" + e, 1, "truncated_input", 1);
    row("no closing brace", "{\"traceEvents\":[" + e + "]", 1, "truncated_input", 1);
    row("cut in an event", "[" + e + "," + e.left(30), 1, "truncated_input", 1);
    row("trailing comma", "[" + e + ",]", 1, "stray_comma", 1);
    row("doubled comma", "[" + e + ",,," + e + "]", 2, "stray_comma", 2);
    row("leading comma", "[," + e + "]", 1, "stray_comma", 1);
    row("missing comma", "[" + e + e + "]", 2, "stray_comma", 1);
    row("comma in args", R"([{"ph":"X","pid":1,"tid":1,"ts":1,"dur":1,"args":{"a":1,},}])", 1, "stray_comma", 2);
    row("empty event", "[{}," + e + ",{}]", 1, "empty_event", 2);
    row("null and numbers", "[null,1,\"x\",[2]," + e + "]", 1, "malformed_event", 4);
    row("garbage behind", "[" + e + "] x", 1, "trailing_garbage", 1);
    row("two documents", "[" + e + "]\n[" + e + "]", 2, "concatenated_trace", 1);
    row("two objects", "{\"traceEvents\":[" + e + "]}{\"traceEvents\":[" + e + "],\"a\":1}", 2,
        "concatenated_trace", 1);
    row("array behind an object", "{\"traceEvents\":[" + e + "]}\n[" + e + "," + e + "]", 3, "concatenated_trace",
        1);
    row("trace behind a cut one", "[" + e + "," + e.left(30) + "{\"traceEvents\":[" + e + "," + e + "]}", 3,
        "malformed_event", 1);
    row("trace behind a cut object", "{\"traceEvents\":[" + e + "," + e.left(30) + "[" + e + "," + e + "]", 3,
        "malformed_event", 1);
    row("events behind the end", "[" + e + "],\n" + e + ",\n" + e, 3, "concatenated_trace", 1);
    row("events behind text", "[" + e + "] killed\n[" + e + "," + e + "]", 3, "trailing_garbage", 1);
    row("events without a list", e + "\n" + e + "\n" + e, 3, "", 0);
    row("two lists of events", "{\"traceEvents\":[" + e + "],\"traceEvents\":[" + e + "]}", 2, "", 0);
    row("nothing", "[]", 0, "no_events", 1);
    row("nul bytes behind", "[" + e + QByteArray(",\0\0\0\0", 5), 1, "truncated_input", 1);
    row("no phase", "[{\"ts\":1}," + e + "]", 1, "missing_field", 1);
    row("no time", "[{\"ph\":\"X\",\"dur\":1}," + e + "]", 1, "missing_field", 1);
    row("no length", "[{\"ph\":\"X\",\"ts\":1}," + e + "]", 1, "missing_field", 1);
    row("time is a word", "[{\"ph\":\"X\",\"ts\":\"12x\",\"dur\":1}," + e + "]", 1, "missing_field", 1);
    row("lone surrogate", R"([{"ph":"X","pid":1,"tid":1,"ts":1,"dur":1,"name":"\ud800x"}])", 1, "lone_surrogate",
        1);
    row("unknown phases", R"([{"ph":"(","ts":1},{"ph":"=","ts":1},{"ph":"Q","ts":1}])", 0, "unsupported_phase", 3);
    row("damaged head", "{\"a\" 1,\"traceEvents\":[" + e + "]}", 1, "malformed_event", 1);
}

void ChromeDamageTest::containerDamage() {
    QFETCH(QByteArray, json);
    QFETCH(int, slices);
    QFETCH(QByteArray, kind);
    QFETCH(int, count);
    const auto trace = importChromeText(json.toStdString());
    QCOMPARE(trace.outcome(), std::string("ok"));
    QCOMPARE(trace.violations(), std::string());
    QCOMPARE(sliceCount(trace), std::int64_t{slices});
    if (kind.isEmpty())
        QVERIFY2(trace.writer->warnings.empty(),
                 qPrintable(QString::fromStdString(
                     trace.writer->warnings.empty() ? "" : trace.writer->warnings[0].kind)));
    else
        QCOMPARE(trace.writer->warningCount(kind.toStdString()), std::int64_t{count});
}

void ChromeDamageTest::refusal_data() {
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QByteArray>("word");
    QTest::newRow("no bytes") << QByteArray() << QByteArray("empty");
    QTest::newRow("only space") << QByteArray(" \n ") << QByteArray("empty");
    QTest::newRow("text") << QByteArray("time,power\n1,2\n") << QByteArray("not a JSON trace");
    QTest::newRow("other object") << QByteArray(R"({"nodes":[{"id":1}],"schema":1})") << QByteArray("traceEvents");
    QTest::newRow("events are text") << QByteArray(R"({"traceEvents":"x"})") << QByteArray("traceEvents");
    QTest::newRow("other array") << QByteArray(R"([{"a":1},{"b":2}])") << QByteArray("phase");
    QTest::newRow("numbers") << QByteArray("[1,2,3]") << QByteArray("phase");
}

void ChromeDamageTest::refusal() {
    QFETCH(QByteArray, json);
    QFETCH(QByteArray, word);
    const auto trace = importChromeText(json.toStdString());
    QVERIFY(!trace.result);
    QVERIFY2(QByteArray::fromStdString(trace.outcome()).contains(word), trace.outcome().c_str());
    QVERIFY(trace.writer->finished.empty());
}

void ChromeDamageTest::eventsBehindDamageAreFound() {
    const std::string e(kEvent);
    for (const std::string &damage :
         {std::string(R"({"ph":"X","name":"a"b","ts":1,"dur":1})"), std::string(R"({"ph":"X","ts":1,)"),
          std::string(R"({"ph":"X","name":"cut)"), std::string("}"), std::string(R"({"ph" "X"})"),
          std::string(R"({"args":{"a":{"b":1},"c":[1,2})")}) {
        const auto trace = importChromeText("[" + e + ",\n" + damage + ",\n" + e + ",\n" + e + "]");
        QCOMPARE(trace.outcome(), std::string("ok"));
        QVERIFY2(sliceCount(trace) == 3, damage.c_str());
        QVERIFY2(trace.writer->warningCount("malformed_event") >= 1, damage.c_str());
        QCOMPARE(trace.writer->findWarning("malformed_event")->firstPosition,
                 "byte " + std::to_string(e.size() + 3));
    }
}

void ChromeDamageTest::deepNestingIsRefusedAsAnEvent() {
    const std::string deep =
        R"({"ph":"X","ts":1,"dur":1,"args":{"a":)" + std::string(1'000'000, '[') + std::string(1'000'000, ']') + "}}";
    const auto trace = importChromeText("[" + deep + "," + kEvent + "]");
    QCOMPARE(trace.outcome(), std::string("ok"));
    QCOMPARE(sliceCount(trace), std::int64_t{1});
    QCOMPARE(trace.writer->warningCount("malformed_event"), std::int64_t{1});
}

void ChromeDamageTest::hugeNumbersAreCounted() {
    const auto trace =
        importChromeText(R"([{"ph":"X","ts":1e300,"dur":1},{"ph":"X","ts":1,"dur":9223372036854775807},
        {"ph":"X","ts":99999999999999999999999999,"dur":1},{"ph":"X","ts":1,"dur":-1e300},{"ph":"X","ts":1e-300,"dur":1}])");
    QCOMPARE(trace.outcome(), std::string("ok"));
    QCOMPARE(trace.violations(), std::string());
    QCOMPARE(trace.writer->warningCount("timestamp_overflow"), std::int64_t{3});
    QCOMPARE(trace.writer->warningCount("negative_duration"), std::int64_t{1});
    QCOMPARE(sliceCount(trace), std::int64_t{2});
}

// Events straddle the edge of the buffer at every distance, and one is larger than all of it.
// Found by fuzzing: bytes that are not UTF-8 in a name that is a bare word or an object.
void ChromeDamageTest::wordsAndObjectsAsNamesAreMended() {
    for (const char *odd : {"\xff\x12", "{\"\xff\":1}", "[\"\xff\"]"})
        for (const char *key : {"name", "cat", "pid", "tid", "id", "scope"}) {
            const std::string event = std::string(R"([{"ph":"b","id":1,"pid":1,"tid":1,"ts":1,"cat":"c","name":"n",")") + key +
                                      "\":" + odd + "}," + kEvent + "]";
            const auto trace = test::importChromeText(event);
            QCOMPARE(trace.outcome(), std::string("ok"));
            QCOMPARE(trace.violations(), std::string());
        }
}

void ChromeDamageTest::largeEventsCrossTheWindow() {
    std::string json = "[";
    const int count = 30'000;
    for (int i = 0; i < count; ++i)
        json += R"({"ph":"X","pid":1,"tid":1,"ts":)" + std::to_string(i * 10) + R"(,"dur":5,"name":"n)" +
                std::string(static_cast<std::size_t>(i % 97), 'x') + "\"},";
    json += R"({"ph":"X","pid":1,"tid":1,"ts":900000,"dur":5,"name":"big","args":{"blob":")" +
            std::string(5'000'000, 'b') + "\"}}]";
    const auto trace = importChromeText(json);
    QCOMPARE(trace.outcome(), std::string("ok"));
    QCOMPARE(sliceCount(trace), std::int64_t{count + 1});
    QVERIFY(trace.writer->warnings.empty());
    QCOMPARE(trace.writer->argument(*trace.writer->findSlice("big"), "blob")->size(), std::size_t{5'000'002});
}

void ChromeDamageTest::largeHeadValuesAreSkipped() {
    const std::string big = "\"" + std::string(9'000'000, 's') + "\\\"\"";
    const auto trace = importChromeText("{\"androidProcessDump\":" + big + ",\"list\":[" +
                                        std::string(9'000'000, ' ') + "],\"traceEvents\":[" + kEvent + "]}");
    QCOMPARE(trace.outcome(), std::string("ok"));
    QCOMPARE(sliceCount(trace), std::int64_t{1});
    QCOMPARE(trace.writer->warningCount("unread_section"), std::int64_t{2});
}

void ChromeDamageTest::mutatedTextNeverBreaksTheContract() {
    std::string seed =
        R"({"schemaVersion":1,"deviceProperties":[{"id":0,"name":"GPU"}],"baseTimeNanoseconds":1700000000000000000,"traceEvents":[)";
    seed +=
        R"({"ph":"X","cat":"cuda_runtime","name":"launch","pid":1,"tid":1,"ts":1.5,"dur":2,"args":{"correlation":7}},)";
    seed +=
        R"({"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":4,"dur":2,"args":{"device":0,"stream":7,"correlation":7,"grid":[1,2,3]}},)";
    seed +=
        R"({"ph":"s","cat":"ac2g","name":"ac2g","id":7,"pid":1,"tid":1,"ts":1.5},{"ph":"f","bp":"e","cat":"ac2g","name":"ac2g","id":7,"pid":0,"tid":7,"ts":4},)";
    seed +=
        R"({"ph":"B","name":"b","pid":1,"tid":1,"ts":5},{"ph":"E","name":"b","pid":1,"tid":1,"ts":6},{"ph":"b","cat":"c","id":"x","name":"y","ts":1},)";
    seed +=
        R"({"ph":"C","name":"mem","pid":1,"ts":2,"args":{"a":1,"b":2.5}},{"ph":"M","name":"process_name","pid":1,"args":{"name":"p\u00e9"}}]})";
    std::mt19937 random(20261201);
    const auto pick = [&random](std::size_t n) { return random() % std::max<std::size_t>(n, 1); };
    for (int round = 0; round < 4000; ++round) {
        std::string json = seed;
        for (std::size_t edits = 1 + pick(3); edits > 0 && !json.empty(); --edits) {
            const std::size_t at = pick(json.size()), length = pick(24);
            switch (pick(4)) {
                case 0:
                    json[at] = static_cast<char>(random());
                    break;
                case 1:
                    json.erase(at, length);
                    break;
                case 2:
                    json.insert(at, json.substr(pick(json.size()), length));
                    break;
                default:
                    json.insert(at, 1, "{}[],:\"\\0e-"[pick(11)]);
                    break;
            }
        }
        const auto trace = importChromeText(json);
        QVERIFY2(trace.violations().empty(), (trace.violations() + json).c_str());
        QVERIFY2(trace.result || !trace.outcome().empty(), json.c_str());
    }
}

void ChromeDamageTest::everyPrefixImports() {
    const std::string json = "{\"a\":1,\"traceEvents\":[" + std::string(kEvent) + "," + kEvent + "]}";
    for (std::size_t length = 24; length < json.size(); ++length) {
        const auto trace = importChromeText(json.substr(0, length));
        QCOMPARE(trace.violations(), std::string());
        QCOMPARE(trace.outcome(), std::string("ok"));
        QCOMPARE(trace.writer->warningCount("truncated_input"), std::int64_t{1});
    }
}

// Every event of its own name, thread or kind: all are kept, and what needs a track or a curve each is bounded.
void ChromeDamageTest::namesWithoutEnd_data() {
    QTest::addColumn<QByteArray>("begin");
    QTest::addColumn<QByteArray>("end");
    QTest::addColumn<int>("mostTracks");
    QTest::newRow("names") << QByteArray(R"({"ph":"X","pid":1,"tid":1,"ts":1,"dur":1,"name":"n)")
                           << QByteArray("\"}") << 1;
    QTest::newRow("threads") << QByteArray(R"({"ph":"X","pid":1,"ts":1,"dur":1,"tid":)") << QByteArray("}")
                             << 80'000;
    QTest::newRow("flows of threads") << QByteArray(R"({"ph":"s","pid":1,"id":1,"ts":1,"tid":)") << QByteArray("}")
                                      << 80'000;
    QTest::newRow("async names") << QByteArray(R"({"ph":"n","pid":1,"id":1,"ts":1,"name":"n)") << QByteArray("\"}")
                                 << 50'001;
    QTest::newRow("objects") << QByteArray(R"({"ph":"O","pid":1,"id":1,"ts":1,"name":"n)") << QByteArray("\"}")
                             << 50'001;
    QTest::newRow("counters") << QByteArray(R"({"ph":"C","pid":1,"ts":1,"args":{"v":1},"name":"n)")
                              << QByteArray("\"}") << 50'000;
    QTest::newRow("categories") << QByteArray(R"({"ph":"X","pid":1,"tid":1,"ts":1,"dur":1,"cat":"c)")
                                << QByteArray("\"}") << 1;
}

void ChromeDamageTest::namesWithoutEnd() {
    QFETCH(QByteArray, begin);
    QFETCH(QByteArray, end);
    QFETCH(int, mostTracks);
    constexpr int kEvents = 80'000;
    std::string json = "[";
    for (int i = 0; i < kEvents; ++i)
        json += begin.toStdString() + std::to_string(i) + end.toStdString() + ",";
    const auto trace = importChromeText(json + "{}]");
    QCOMPARE(trace.outcome(), std::string("ok"));
    QCOMPARE(trace.violations(), std::string());
    QCOMPARE(trace.result->events, std::int64_t{kEvents});
    QVERIFY(trace.writer->tracks.size() <= static_cast<std::size_t>(mostTracks));
}

QTEST_APPLESS_MAIN(ChromeDamageTest)
#include "tst_chrome_damage.moc"
