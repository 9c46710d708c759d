// ftrace text: lines, annotations, the scheduler, and pages that carry it; against what was written down for real
// files.
#include "importers/ftrace/atrace.h"
#include "importers/ftrace/text_line.h"
#include "importers/ftrace/text_reader.h"
#include "tests/support/import_trace.h"
#include "tests/support/shared_files.h"

#include <algorithm>
#include <map>

#include <QFile>
#include <QFileInfo>
#include <QTest>
#include <nlohmann/json.hpp>

using namespace wattproof;
using namespace wattproof::importers;
using Json = nlohmann::json;

class FtraceTextTest : public QObject {
    Q_OBJECT

private slots:
    void linesOfEveryTool_data();
    void linesOfEveryTool();
    void marks();
    void clockSyncs();
    void runningAndStates();
    void blockedForIo();
    void lostSwitchesInventNothing();
    void pairsThatOverlapStayWhole();
    void unitsOfCounters();
    void asyncMarks();
    void damagedLinesAreCounted();
    void realtimeMakesEpoch();
    void linesCutAnywhere();
    void pageWithText();
    void pageWithJson();
    void pageWithBoth();
    void pageWithoutTrace();
    void cutTextSaysSo();
    void corpusFacts_data();
    void corpusFacts();
    void cases_data();
    void cases();
};

namespace {

const char *const kSwitches =
    "# tracer: nop\n"
    "  <idle>-0     (-----) [001] d..3  10.000001: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 "
    "prev_state=R ==> next_comm=my task next_pid=42 next_prio=100\n"
    "  my task-42   (   40) [001] d..3  10.000004: sched_switch: prev_comm=my task prev_pid=42 prev_prio=100 "
    "prev_state=S ==> next_comm=other next_pid=43 next_prio=120\n"
    "  other-43     (   40) [000] d..3  10.000005: sched_waking: comm=my task pid=42 prio=100 target_cpu=000\n"
    "  other-43     (   40) [000] d..3  10.000006: sched_wakeup: comm=my task pid=42 prio=100 target_cpu=000\n"
    "  other-43     (   40) [001] d..3  10.000010: sched_switch: prev_comm=other prev_pid=43 prev_prio=120 "
    "prev_state=R+ ==> next_comm=my task next_pid=42 next_prio=100\n";

struct State {
    std::string tid;
    Ns ts, dur;
    ThreadState state;
    bool operator==(const State &) const = default;
};

std::vector<State> statesOf(const test::RecordingWriter &writer, const std::string &tid) {
    std::vector<State> all;
    for (const ThreadStateRow &row : writer.threadStates) {
        const ThreadRow &thread = writer.threads.at(static_cast<std::size_t>(row.thread.value - 1));
        if (thread.tid == tid)
            all.push_back({tid, row.ts, row.dur, row.state});
    }
    return all;
}

std::string line(const char *seconds, const std::string &event, int tid = 7, int tgid = 7) {
    return "  app-" + std::to_string(tid) + " (" + std::to_string(tgid) + ") [000] .... " + seconds + ": " +
           event + "\n";
}

std::vector<std::string> rowsOf(const test::RecordingWriter &writer) {
    std::vector<std::string> rows;
    for (const SliceRow &row : writer.slices)
        rows.push_back(writer.text(row.name) + ' ' + std::to_string(row.ts) + '+' + std::to_string(row.dur) +
                       (row.state == SliceState::Unfinished ? " unfinished" : ""));
    std::sort(rows.begin(), rows.end());
    return rows;
}

Json readJson(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? Json::parse(file.readAll().toStdString(), nullptr, false) : Json();
}

}  // namespace

void FtraceTextTest::linesOfEveryTool_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("name");
    QTest::addColumn<qlonglong>("ts");
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");
    const auto row = [](const char *tag, const char *text, const char *name, qlonglong ts, const char *key,
                        const char *value) {
        QTest::newRow(tag) << QString::fromLatin1(text) << QString::fromLatin1(name) << ts
                           << QString::fromLatin1(key) << QString::fromLatin1(value);
    };
    row("no tgid, no flags", "  kworker/0:0-13696 [000] 50260.647590: sched_wakeup: comm=mmcqd/0 pid=95 prio=120",
        "sched_wakeup", 50260647590000, "comm", "mmcqd/0");
    row("brackets in the task",
        "  [k] (x)-y-12 (   12) [003] d.h2 1.000000001: cpu_idle: state=4294967295 cpu_id=3", "cpu_idle",
        1000000001, "state", "4294967295");
    row("old annotation", "  hwc-336   [000] 50260.929925: 0: C|124|VSYNC|1", "print", 50260929925000, "buf",
        "C|124|VSYNC|1");
    row("spaces in values",
        " a-1 [000] 1.5: sched_switch: prev_comm=Binder Thread #1 prev_pid=1 prev_state=D|K ==> next_comm=b "
        "next_pid=2",
        "sched_switch", 1500000000, "prev_state", "D|K");
    row("trace-cmd",
        "  <idle>-0     [001] 2.000000: sched_switch:         swapper/1:0 [120] R ==> my:app:77 [100]",
        "sched_switch", 2000000000, "next_comm", "my:app");
    row("suspend", " a-1 [000] .... 1.0: suspend_resume: suspend_enter[3] begin", "suspend_resume", 1000000000,
        "action", "suspend_enter");
    row("block", " a-1 [000] .... 1.0: block_rq_issue: 8,16 WS 4096 () 1234 + 8 [kworker]", "block_rq_issue",
        1000000000, "sector", "1234");
    row("resident", " a-1 [000] .... 1.0: rss_stat: mm_id=5 curr=1 type=MM_ANONPAGES size=4096B", "rss_stat",
        1000000000, "size", "4096");
}

void FtraceTextTest::linesOfEveryTool() {
    QFETCH(QString, text);
    QFETCH(QString, name);
    QFETCH(qlonglong, ts);
    QFETCH(QString, key);
    QFETCH(QString, value);
    const std::string bytes = text.toStdString(), wanted = key.toStdString();
    ftrace::LineParser parser;
    ftrace::FtraceEvent event;
    QVERIFY(parser.parse(bytes, event));
    QCOMPARE(std::string(event.name), name.toStdString());
    QCOMPARE(event.ts, ts);
    QCOMPARE(std::string(event.text(wanted)), value.toStdString());
}

void FtraceTextTest::marks() {
    const auto begin = ftrace::parseMark("B|12|a|b|c\n");
    QVERIFY(begin && begin->phase == 'B' && begin->pid == 12 && begin->name == "a|b|c");
    const auto counter = ftrace::parseMark("C|12|queue|len|-3");
    QVERIFY(counter && counter->name == "queue|len" && counter->value == -3);
    const auto categorised = ftrace::parseMark("C|12|queue|3|gfx");
    QVERIFY(categorised && categorised->name == "queue" && categorised->value == 3);
    const auto track = ftrace::parseMark("G|1|track|event|77");
    QVERIFY(track && track->track == "track" && track->name == "event" && track->cookie == 77);
    const auto trackEnd = ftrace::parseMark("H|1|track|77");
    QVERIFY(trackEnd && trackEnd->track == "track" && trackEnd->cookie == 77);
    QVERIFY(ftrace::parseMark("E") && ftrace::parseMark("E|12"));
    for (const char *bad :
         {"", "B", "B|x|name", "C|12|name", "C|12|name|x", "S|12|name", "Begin|12|x", "G|1|track"})
        QVERIFY2(!ftrace::parseMark(bad), bad);
}

void FtraceTextTest::clockSyncs() {
    const auto parent = ftrace::parseClockSync("trace_event_clock_sync: parent_ts=81.25\n");
    QVERIFY(parent && !parent->realtime && parent->ns == 81'250'000'000);
    const auto real = ftrace::parseClockSync("trace_event_clock_sync: realtime_ts=1449008542345");
    QVERIFY(real && real->realtime && real->ns == 1'449'008'542'345'000'000);
    QVERIFY(!ftrace::parseClockSync("trace_event_clock_sync: parent_ts=x"));
}

void FtraceTextTest::runningAndStates() {
    const auto trace = test::importSystraceText(kSwitches);
    QCOMPARE(trace.outcome(), std::string("ok"));
    QCOMPARE(QString::fromStdString(trace.violations()), QString());
    QCOMPARE(trace.base(), Ns(10'000'001'000));
    const std::vector<std::string> slices = {"my task 0+3000", "my task 9000+0 unfinished", "other 3000+6000"};
    QCOMPARE(rowsOf(*trace.writer), slices);
    const SliceRow *slice = trace.writer->findSlice("my task");
    QCOMPARE(trace.writer->track(slice->track).name, std::string("CPU 1"));
    QCOMPARE(trace.writer->track(slice->track).kind, TrackKind::Cpu);
    QCOMPARE(trace.writer->argument(*slice, "tid").value_or(""), std::string("42"));
    QCOMPARE(trace.writer->argument(*slice, "end_state").value_or(""), std::string("\"S\""));
    const std::vector<State> states = {{"42", 0, 3000, ThreadState::Running},
                                       {"42", 3000, 1000, ThreadState::Sleeping},
                                       {"42", 4000, 5000, ThreadState::Runnable},
                                       {"42", 9000, 0, ThreadState::Running}};
    QVERIFY(statesOf(*trace.writer, "42") == states);
    const auto other = statesOf(*trace.writer, "43");
    QCOMPARE(other.back().state, ThreadState::Runnable);
    QCOMPARE(trace.writer->processes.size(), std::size_t(1));
    QCOMPARE(trace.writer->processes[0].pid, std::string("40"));
}

void FtraceTextTest::blockedForIo() {
    const std::string text = line("1.0",
                                  "sched_switch: prev_comm=app prev_pid=7 prev_prio=1 prev_state=D ==> "
                                  "next_comm=swapper next_pid=0 next_prio=1") +
                             line("2.0", "sched_blocked_reason: pid=7 iowait=1 caller=f+0x1/0x2", 9, 9) +
                             line("3.0", "sched_waking: comm=app pid=7 prio=1 target_cpu=0", 9, 9);
    const auto trace = test::importSystraceText(text);
    const std::vector<State> states = {{"7", 0, 2'000'000'000, ThreadState::BlockedIo},
                                       {"7", 2'000'000'000, 0, ThreadState::Runnable}};
    QVERIFY(statesOf(*trace.writer, "7") == states);
}

void FtraceTextTest::lostSwitchesInventNothing() {
    const std::string text = line("1.0",
                                  "sched_switch: prev_comm=swapper prev_pid=0 prev_prio=1 prev_state=R ==> "
                                  "next_comm=a next_pid=1 next_prio=1") +
                             line("2.0",
                                  "sched_switch: prev_comm=b prev_pid=2 prev_prio=1 prev_state=S ==> "
                                  "next_comm=swapper next_pid=0 next_prio=1",
                                  2, 2);
    const auto trace = test::importSystraceText(text);
    QCOMPARE(QString::fromStdString(trace.violations()), QString());
    const auto lost = statesOf(*trace.writer, "1");
    QCOMPARE(lost.size(), std::size_t(2));
    QCOMPARE(lost[1].state, ThreadState::Unknown);
    QCOMPARE(trace.writer->argument(*trace.writer->findSlice("a"), "end_state").value_or(""),
             std::string("\"?\""));
}

void FtraceTextTest::pairsThatOverlapStayWhole() {
    const std::string text =
        line("0.0000001", "sys_enter: NR 64 (1, 2)") + line("0.00000015", "tracing_mark_write: B|7|test") +
        line("0.0000002", "sys_exit: NR 64 = 4") + line("0.0000003", "tracing_mark_write: E|7") +
        line("0.0000004", "tracing_mark_write: B|7|open");
    const auto trace = test::importSystraceText(text);
    QCOMPARE(QString::fromStdString(trace.violations()), QString());
    const std::vector<std::string> rows = {"open 300+0 unfinished", "sys_64 0+100", "test 50+150"};
    QCOMPARE(rowsOf(*trace.writer), rows);
}

void FtraceTextTest::unitsOfCounters() {
    const auto trace = test::importSystraceText(
        line("1.0", "cpu_frequency: state=1500000 cpu_id=3") + line("1.0", "cpu_idle: state=4294967295 cpu_id=3") +
        line("1.0", "thermal_temperature: thermal_zone=cpu-0 id=2 temp_prev=1 temp=43500") +
        line("1.0", "gpu_frequency: gpu_id=0 state=800000") +
        line("1.0", "gpu_mem_total: gpu_id=0 pid=7 size=4096") + line("1.0", "tracing_mark_write: C|7|frames|2"));
    const auto value = [&](const char *name) {
        const CounterRow *counter = trace.writer->findCounter(name);
        return counter ? trace.writer->samples.at(counter->id.value).at(0).value : -99.0;
    };
    QCOMPARE(value("CPU 3 frequency"), 1.5e9);
    QCOMPARE(value("CPU 3 idle state"), -1.0);
    QCOMPARE(value("cpu-0 temperature"), 43.5);
    QCOMPARE(value("GPU 0 frequency"), 8e8);
    QCOMPARE(value("GPU 0 memory"), 4096.0);
    QCOMPARE(value("frames"), 2.0);
    QCOMPARE(trace.writer->findCounter("CPU 3 frequency")->unit, std::string("Hz"));
    QCOMPARE(trace.writer->findCounter("cpu-0 temperature")->unit, std::string("degC"));
}

void FtraceTextTest::asyncMarks() {
    const auto trace = test::importSystraceText(
        line("0.000001", "tracing_mark_write: S|7|load|1") + line("0.000002", "tracing_mark_write: S|7|load|1") +
        line("0.000003", "tracing_mark_write: S|7|load|2") + line("0.000004", "tracing_mark_write: F|7|load|1") +
        line("0.000005", "tracing_mark_write: F|7|load|9") +
        line("0.000006", "tracing_mark_write: N|7|track|tick"));
    const std::vector<std::string> rows = {"load 0+3000", "load 2000+3000 unfinished", "tick 5000+0"};
    QCOMPARE(rowsOf(*trace.writer), rows);
    QCOMPARE(trace.writer->warningCount("repeated_begin"), std::int64_t(1));
    QCOMPARE(trace.writer->warningCount("unmatched_end"), std::int64_t(1));
}

void FtraceTextTest::damagedLinesAreCounted() {
    const auto trace = test::importSystraceText(
        "recorded by a tool\n" + line("1.0", "cpu_idle: state=0 cpu_id=0") + "gar ba ge\n" +
        line("1.5", "mm_page_alloc: page=1") + line("99999999999999999.0", "cpu_idle: state=0 cpu_id=0"));
    QCOMPARE(trace.outcome(), std::string("ok"));
    QCOMPARE(trace.writer->warningCount("unreadable_line"), std::int64_t(2));
    QCOMPARE(trace.writer->warningCount("kernel_events_not_shown"), std::int64_t(1));
    QCOMPARE(trace.writer->metadataValue("ftrace.not_shown.mm_page_alloc"), std::string("1"));
}

void FtraceTextTest::realtimeMakesEpoch() {
    const auto trace = test::importSystraceText(
        line("100.5", "tracing_mark_write: trace_event_clock_sync: realtime_ts=1449008542000") +
        line("101.5", "tracing_mark_write: B|7|a") + line("102.0", "tracing_mark_write: E"));
    QCOMPARE(trace.writer->sources.at(0).clock, ClockBasis::Epoch);
    QCOMPARE(trace.base(), Ns(1'449'008'543'000'000'000));
}

void FtraceTextTest::linesCutAnywhere() {
    const std::string text = kSwitches;
    const auto whole = test::importSystraceText(text);
    for (const std::size_t piece : {1U, 7U, 200U}) {
        test::RecordingWriter writer;
        SourceRow source;
        source.id = *writer.addSource(source);
        TraceBuilder builder(writer, source.id);
        ftrace::TextReader reader(writer, source.id, builder);
        for (std::size_t at = 0; at < text.size(); at += piece)
            reader.take(std::string_view(text).substr(at, piece), at);
        Summary summary;
        QVERIFY(reader.finish({}).has_value());
        QVERIFY(builder.finish(source, summary, {}).has_value());
        QCOMPARE(rowsOf(writer), rowsOf(*whole.writer));
    }
}

void FtraceTextTest::pageWithText() {
    const auto trace = test::importSystraceText(
        "<!DOCTYPE html><html><SCRIPT>var a = '<b>';</SCRIPT>\n<script class=\"trace-data\" "
        "type=\"application/text\">\n" +
        std::string(kSwitches) +
        "</script><script class=\"trace-data\">USER PID PPID NAME\nroot 43 1 /bin/other\n</script></html>");
    QCOMPARE(trace.outcome(), std::string("ok"));
    QCOMPARE(trace.writer->slices.size(), std::size_t(3));
    QVERIFY(std::any_of(trace.writer->processes.begin(), trace.writer->processes.end(),
                        [](const ProcessRow &row) { return row.pid == "43" && row.name == "/bin/other"; }));
}

void FtraceTextTest::pageWithJson() {
    const auto trace = test::importSystraceText(
        "<html><script class=\"trace-data\">  "
        "[{\"ph\":\"X\",\"ts\":1,\"dur\":2,\"pid\":1,\"tid\":1,\"name\":\"a\"}]</script>");
    QCOMPARE(trace.outcome(), std::string("ok"));
    QCOMPARE(rowsOf(*trace.writer), std::vector<std::string>{"a 0+2000"});
    // trace2html keeps the same compressed, in base64.
    const auto packed = test::importSystraceText(
        "<html><script id=\"viewer-data\" type=\"application/json\">"
        "H4sIAAAAAAACA4uuVirIULJSilDSUSopVrIy1FFKKS1SsjLSUSrITAHzS6B0XmJuKlBlolJtLADREBgONgAAAA==\n</script></"
        "html>");
    QCOMPARE(packed.outcome(), std::string("ok"));
    QCOMPARE(rowsOf(*packed.writer), std::vector<std::string>{"a 0+2000"});
}

void FtraceTextTest::pageWithBoth() {
    const std::string page =
        "<html><script class=\"trace-data\">" + std::string(kSwitches) +
        "</script><script class=\"trace-data\">{\"traceEvents\":[{\"ph\":\"X\",\"ts\":1,\"dur\":2,"
        "\"pid\":1,\"tid\":1,\"name\":\"a\"}]}</script>";
    const auto trace = test::importSystraceText(page);
    QCOMPARE(trace.outcome(), std::string("ok"));
    QVERIFY(trace.writer->findSlice("a"));
}

void FtraceTextTest::pageWithoutTrace() {
    const auto trace = test::importSystraceText("<html><script>alert(1)</script><p>no</p></html>");
    QVERIFY(!trace.result.has_value());
    QVERIFY(trace.outcome().find("holds no trace") != std::string::npos);
    QVERIFY(!test::importSystraceText("# tracer: nop\n#\n").result.has_value());
}

void FtraceTextTest::corpusFacts_data() {
    QTest::addColumn<QString>("path");
    for (const QString &facts : test::sharedFiles(QStringLiteral("corpus/chrome"), QStringLiteral("*.facts.json")))
        if (readJson(facts)["members"][0].contains("systrace"))
            QTest::newRow(qPrintable(QFileInfo(facts).fileName())) << facts.chopped(11);
}

void FtraceTextTest::corpusFacts() {
    if (!QTest::currentDataTag())
        QSKIP("skipped: the shared corpus is not here");
    QFETCH(QString, path);
    const Json facts = readJson(path + QStringLiteral(".facts.json"))["members"][0]["systrace"];
    const auto trace = test::importSystraceFile(path.toStdString());
    QCOMPARE(trace.outcome(), std::string("ok"));
    QCOMPARE(QString::fromStdString(trace.violations()), QString());
    const test::RecordingWriter &writer = *trace.writer;
    QCOMPARE(trace.result->events, facts["lines_parsed"].get<std::int64_t>());
    QCOMPARE(trace.base(), facts["first_ts_ns"].get<Ns>());
    std::int64_t switches = 0, running = 0;
    for (const auto &[cpu, count] : facts["sched_switch_per_cpu"].items())
        switches += count.get<std::int64_t>();
    for (const SliceRow &row : writer.slices)
        running += writer.track(row.track).kind == TrackKind::Cpu ? 1 : 0;
    QVERIFY(running <= switches && (running > 0) == (switches > 0));
    for (const Json &counter : facts["counters"]) {
        const auto name = counter["name"].get<std::string>();
        const auto found =
            std::find_if(writer.counters.begin(), writer.counters.end(), [&](const CounterRow &row) {
                const ProcessId process = writer.track(row.track).process;
                return row.name == name && process.valid() &&
                       writer.processes[static_cast<std::size_t>(process.value - 1)].pid ==
                           counter["tgid"].get<std::string>();
            });
        QVERIFY2(found != writer.counters.end(), name.c_str());
        QCOMPARE(writer.samples.at(found->id.value).size(), counter["samples"].get<std::size_t>());
    }
}

void FtraceTextTest::cases_data() {
    QTest::addColumn<QString>("expectedPath");
    for (const char *folder : {"corpus/perfetto_cases/systrace", "corpus/perfetto_cases/ftrace"})
        for (const QString &path :
             test::sharedFiles(QString::fromLatin1(folder), QStringLiteral("*.expected.json")))
            if (QFileInfo::exists(path.chopped(14) + QStringLiteral(".systrace")))
                QTest::newRow(qPrintable(QFileInfo(path).fileName())) << path;
}

void FtraceTextTest::cases() {
    if (!QTest::currentDataTag())
        QSKIP("skipped: the shared corpus is not here");
    QFETCH(QString, expectedPath);
    const auto trace =
        test::importSystraceFile((expectedPath.chopped(14) + QStringLiteral(".systrace")).toStdString());
    QCOMPARE(trace.outcome(), std::string("ok"));
    QCOMPARE(QString::fromStdString(trace.violations()), QString());
    const Json fact = readJson(expectedPath)["facts"][0];
    for (const Json &row : fact["expected"]) {
        std::map<std::string, Json> cells;
        for (std::size_t i = 0; i < row.size(); ++i)
            cells[fact["columns"][i].get<std::string>()] = row[i];
        const Ns ts = cells["ts_ns"].get<Ns>() - trace.base();
        if (fact["kind"] == "slices") {
            const SliceRow *slice = trace.writer->findSlice(cells["slice_name"].get<std::string>());
            QVERIFY(slice);
            QCOMPARE(slice->ts, ts);
            if (cells.count("dur_ns") > 0)
                QCOMPARE(slice->dur, cells["dur_ns"].get<Ns>());
        } else {
            const auto states = statesOf(*trace.writer, std::to_string(cells["tid"].get<int>()));
            const auto found =
                std::find_if(states.begin(), states.end(), [&](const State &s) { return s.ts == ts; });
            QVERIFY(found != states.end());
            QCOMPARE(found->state, cells["io_wait"] == 1 ? ThreadState::BlockedIo : ThreadState::Sleeping);
        }
    }
}

// A file that ends between two lines is a whole one; any other end is none that a tool wrote.
void FtraceTextTest::cutTextSaysSo() {
    const std::string text(kSwitches), script = "<html><script class=\"trace-data\">";
    const auto says = [](const std::string &bytes) {
        return test::importSystraceText(bytes).writer->warningCount("truncated_input") == 1;
    };
    QVERIFY(!says(text));
    QVERIFY(says(text.substr(0, text.size() - 8)));
    QVERIFY(!says(script + text + "</script></html>"));
    QVERIFY(says(script + text));
    QVERIFY(says(script + text + "</script><p>"));
    const std::string json = R"([{"ph":"X","ts":1,"dur":2,"pid":1,"tid":1,"name":"a"}])";
    QVERIFY(!says(script + json + "</script></html>"));
    QVERIFY(says(script + json + "</script><p>"));
}

QTEST_MAIN(FtraceTextTest)
#include "tst_ftrace_text.moc"
