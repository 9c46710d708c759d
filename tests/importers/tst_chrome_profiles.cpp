// What stands in a Chrome trace beside its own events: CPU profiles of V8 in pieces, and the power trace of a
// BattOr.
#include "tests/support/import_trace.h"
#include "tests/support/shared_files.h"

#include <algorithm>
#include <map>

#include <QTest>
#include <nlohmann/json.hpp>

using namespace wattproof;
using Json = nlohmann::json;
using test::importChromeText;
using test::ImportedTrace;

class ChromeProfilesTest : public QObject {
    Q_OBJECT

private slots:
    void piecesBecomeNestedSlices();
    void piecesMayComeInAnyOrder();
    void profilesStayApart();
    void lostBeginningsAreEstimated();
    void damagedPiecesAreCounted();
    void otherSamplesStayInstants();
    void realProfilesKeepTheirTime();
    void powerLiesBetweenItsMarks();
    void powerWithoutMarksBeginsWithTheTrace();
    void oddPowerLinesAreCounted();
};

namespace {

Json node(int id, int parent, const char *name) {
    return {{"id", id},
            {"parent", parent},
            {"callFrame", {{"functionName", name}, {"url", "a.js"}, {"lineNumber", 9}, {"columnNumber", 4}}}};
}

Json profileEvent(const char *name, int tid, int ts, const Json &data, const char *id = "0x1", int pid = 1) {
    return {{"ph", "P"},    {"cat", "disabled-by-default-v8.cpu_profiler"},
            {"name", name}, {"id", id},
            {"pid", pid},   {"tid", tid},
            {"ts", ts},     {"args", {{"data", data}}}};
}

Json piece(const Json &nodes, const Json &samples, const Json &deltas) {
    return {{"cpuProfile", {{"nodes", nodes}, {"samples", samples}}}, {"timeDeltas", deltas}};
}

// main > work > leaf, told in two pieces; the thread that runs is 5, the one that writes is 6.
const Json kHead = profileEvent("Profile", 5, 101, {{"startTime", 100}});
const Json kFirst =
    profileEvent("ProfileChunk", 6, 130,
                 piece({node(1, 0, "(root)"), node(2, 1, "main"), node(3, 2, "work")}, {2, 3, 3}, {0, 10, 10}));
const Json kSecond =
    profileEvent("ProfileChunk", 6, 160, piece(Json::array({node(4, 3, "")}), {4, 2, 1}, {10, 10, 10}));

ImportedTrace imported(const std::vector<Json> &events, const Json &more = Json::object()) {
    Json document = more;
    document["traceEvents"] = events;
    return importChromeText(document.dump());
}

const TrackRow *profileTrack(const ImportedTrace &trace) {
    const auto &tracks = trace.writer->tracks;
    const auto found = std::find_if(tracks.begin(), tracks.end(),
                                    [](const TrackRow &row) { return row.name.starts_with("CPU profile of "); });
    return found == tracks.end() ? nullptr : &*found;
}

std::string shapes(const ImportedTrace &trace) {
    std::string text;
    for (const SliceRow &row : trace.writer->slices)
        if (trace.writer->text(row.category) == "sampled")
            text += trace.writer->text(row.name) + "@" + std::to_string((row.ts + trace.base()) / 1000) + "+" +
                    std::to_string(row.dur / 1000) + "/" + std::to_string(row.depth) + " ";
    return text;
}

Json mark(const char *id, int ts, Json more = Json::object()) {
    more["sync_id"] = id;
    return {{"ph", "c"}, {"name", "clock_sync"}, {"pid", 1}, {"tid", 1}, {"ts", ts}, {"args", more}};
}

}  // namespace

#define VERIFY_WHOLE(trace)                         \
    QCOMPARE((trace).outcome(), std::string("ok")); \
    QCOMPARE((trace).violations(), std::string())

void ChromeProfilesTest::piecesBecomeNestedSlices() {
    const Json name{{"ph", "M"}, {"pid", 1}, {"tid", 5}, {"name", "thread_name"}, {"args", {{"name", "Main"}}}};
    const auto trace = imported({kHead, kFirst, kSecond, name});
    VERIFY_WHOLE(trace);
    QCOMPARE(trace.result->instants, std::int64_t{0});
    QCOMPARE(trace.result->events, std::int64_t{4});
    const TrackRow *track = profileTrack(trace);
    QVERIFY(track);
    QCOMPARE(track->name, std::string("CPU profile of Main"));
    QCOMPARE(trace.writer->threads.at(static_cast<std::size_t>(track->thread.value - 1)).tid, std::string("5"));
    QCOMPARE(shapes(trace), std::string("main@100+50/0 work@110+30/1 (anonymous)@130+10/2 "));
    QCOMPARE(trace.writer->argument(*trace.writer->findSlice("work"), "line"), std::optional<std::string>("10"));
}

void ChromeProfilesTest::piecesMayComeInAnyOrder() {
    QCOMPARE(shapes(imported({kSecond, kFirst, kHead})), shapes(imported({kHead, kFirst, kSecond})));
}

void ChromeProfilesTest::profilesStayApart() {
    const Json other =
        profileEvent("ProfileChunk", 9, 120,
                     piece(Json::array({node(2, 0, "other")}), Json::array({2}), Json::array({5})), "0x1", 2);
    const auto trace =
        imported({kHead, kFirst, other, profileEvent("Profile", 9, 101, {{"startTime", 100}}, "0x1", 2)});
    VERIFY_WHOLE(trace);
    QCOMPARE(shapes(trace), std::string("main@100+20/0 work@110+10/1 other@105+0/0 "));
}

// A ring that has lost the event `Profile`: the last sample of a piece was taken just before it was written.
void ChromeProfilesTest::lostBeginningsAreEstimated() {
    const auto trace = imported({kFirst, kSecond});
    VERIFY_WHOLE(trace);
    QCOMPARE(trace.writer->warningCount("estimated_time"), std::int64_t{1});
    QVERIFY(shapes(trace).starts_with("main@110+"));
}

void ChromeProfilesTest::damagedPiecesAreCounted() {
    const auto trace = imported(
        {kHead, kFirst, profileEvent("ProfileChunk", 6, 140, piece("no list", {2, 2, 77}, {1, "x"})),
         profileEvent("ProfileChunk", 6, 150,
                      piece({node(0, 0, "n"), 5, {{"id", "q"}}}, Json::array({88}), Json::array({1e300}))),
         profileEvent("ProfileChunk", 6, 151, {{"cpuProfile", 7}, {"timeDeltas", 7}})});
    VERIFY_WHOLE(trace);
    QCOMPARE(trace.writer->warningCount("missing_value"), std::int64_t{1});
    QVERIFY(trace.writer->warningCount("missing_field") >= 2);
    QCOMPARE(trace.writer->warningCount("unknown_node"), std::int64_t{1});
}

void ChromeProfilesTest::otherSamplesStayInstants() {
    const auto trace = imported({{{"ph", "P"},
                                  {"cat", "SAMPLE"},
                                  {"name", "Profile"},
                                  {"pid", 1},
                                  {"tid", 1},
                                  {"ts", 1},
                                  {"args", {{"data", {{"startTime", 1}}}}}},
                                 {{"ph", "P"}, {"name", "cycles"}, {"pid", 1}, {"tid", 1}, {"ts", 2}, {"sf", 8}}});
    VERIFY_WHOLE(trace);
    QCOMPARE(trace.result->instants, std::int64_t{2});
}

// Whatever the pieces, the time of all functions without their callees is that of the samples that are not idle.
void ChromeProfilesTest::realProfilesKeepTheirTime() {
    const QString path = test::sharedFile(QStringLiteral("corpus/chrome/lighthouse_cpu-profiler-m86.trace.json"));
    if (path.isEmpty())
        QSKIP("skipped: the shared corpus is not here");
    const auto trace = test::importChromeFile(path.toStdString());
    VERIFY_WHOLE(trace);
    std::map<std::string, Ns> own;
    for (const SliceRow &row : trace.writer->slices) {
        if (trace.writer->text(row.category) != "sampled")
            continue;
        own[trace.writer->text(row.name)] += row.dur;
        if (row.parent.valid())
            own[trace.writer->text(trace.writer->slice(row.parent).name)] -= row.dur;
    }
    // Summed over the file's samples by an independent reader.
    QCOMPARE(own["window.library.stall"], Ns{4'197'427'000});
    QCOMPARE(own["(program)"], Ns{11'700'000});
    QCOMPARE(own["fetch"], Ns{260'000});
}

void ChromeProfilesTest::powerLiesBetweenItsMarks() {
    const auto trace = imported(
        {mark("other", 5), mark("id 7", 3000, {{"issue_ts", 2000}})},
        {{"powerTraceAsString",
          "# BattOr\n# voltage_range [0.0, 6144.0] mV\n# current_range [0.0, 2275.5] mA\n"
          "# sample_rate 2000 Hz, gain 5.0x\n0.00 100.0 4000.0\n0.50 150.5 4000.0 <id 7>\r\n1.00 -0.5 4000.0"}});
    VERIFY_WHOLE(trace);
    const CounterRow *counter = trace.writer->findCounter("battery draw");
    QVERIFY(counter);
    QCOMPARE(counter->unit + counter->quantity + counter->domain, std::string("Wpowerbattery"));
    QCOMPARE(counter->sensor.period, Ns{500'000});
    const auto &samples = trace.writer->samples.at(counter->id.value);
    QCOMPARE(samples.size(), std::size_t{3});
    QCOMPARE(samples[1].ts + trace.base(), Ns{2'500'000});
    QCOMPARE(samples[0].ts + trace.base(), Ns{2'000'000});
    QCOMPARE(samples[0].value, 0.4);
    QCOMPARE(samples[2].value, -0.002);
    QCOMPARE(trace.writer->warningCount("assumed_power_start"), std::int64_t{0});
    QCOMPARE(trace.writer->warningCount("unread_section"), std::int64_t{0});
}

void ChromeProfilesTest::powerWithoutMarksBeginsWithTheTrace() {
    const auto trace = imported({{{"ph", "X"}, {"name", "x"}, {"pid", 1}, {"tid", 1}, {"ts", 700}, {"dur", 5}}},
                                {{"powerTraceAsString",
                                  "# BattOr\n# sample_rate=10000Hz, gain=5.0x\n"
                                  "5.000000 100.0 4000.0\n5.100000 100.0 4000.0\n"}});
    VERIFY_WHOLE(trace);
    const CounterRow *counter = trace.writer->findCounter("battery draw");
    QCOMPARE(counter->sensor.period, Ns{100'000});
    QCOMPARE(trace.writer->samples.at(counter->id.value)[0].ts + trace.base(), Ns{700'000});
    QCOMPARE(trace.writer->warningCount("assumed_power_start"), std::int64_t{1});
}

void ChromeProfilesTest::oddPowerLinesAreCounted() {
    const auto trace = imported({}, {{"powerTraceAsString",
                                      "1 2\n1 2 x\n\n1e400 1 1\n1 1e300 1e300\n# sample_rate 0 Hz\n"
                                      "2 1 1000\n" +
                                          std::string(100'000, 'y')}});
    VERIFY_WHOLE(trace);
    QCOMPARE(trace.writer->warningCount("unreadable_line"), std::int64_t{5});
    QCOMPARE(trace.writer->samples.size(), std::size_t{1});
    const auto none = imported({}, {{"powerTraceAsString", ""}});
    VERIFY_WHOLE(none);
    QCOMPARE(none.writer->counters.size(), std::size_t{0});
}

QTEST_APPLESS_MAIN(ChromeProfilesTest)
#include "tst_chrome_profiles.moc"
