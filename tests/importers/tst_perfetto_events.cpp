// Small Perfetto traces, each for one behaviour: containers, lost packets, clocks, tracks, arguments, hostile
// input.
#include "importers/perfetto/inflate.h"
#include "importers/perfetto/probe.h"
#include "tests/support/import_trace.h"
#include "tests/support/wire_writer.h"

#include <QTest>
#include <zlib.h>

using namespace wattproof;
using test::Wire;

class PerfettoEventsTest : public QObject {
    Q_OBJECT

private slots:
    void compressedPackets();
    void bombInAPacket();
    void concatenatedTraces();
    void cutInAHead();
    void damagedPacketIsSkipped();
    void unknownFieldsAreCounted();
    void nothingInIt();
    void missingInterned();
    void stateAfterLoss();
    void incrementalClock();
    void chainOfClocks();
    void neverExplainedClock();
    void onlyOneClock();
    void eventsBeforeTheirDescriptor();
    void mergedSiblingsShareRows();
    void overlappingSiblingsKeepTheirEnds();
    void nestedArguments();
    void deepArgumentsAreCut();
    void stateTrack();
    void counterBeforeItsDescriptor();
    void probeTellsXSpaceApart();
    void manyTracks();
    void parentsInACircle();
};

namespace {

// Fields of TracePacket and TrackEvent that these traces use.
constexpr std::uint32_t kTs = 8, kSequence = 10, kEvent = 11, kInterned = 12, kFlags = 13, kDropped = 42,
                        kClock = 58, kDescriptor = 60, kSnapshot = 6;
constexpr std::uint64_t kBegin = 1, kEnd = 2, kInstant = 3, kCounter = 4, kState = 5;

std::string packet(const Wire &members) {
    return Wire().message(1, members).bytes();
}

std::string threadTrack(std::uint64_t uuid) {
    return packet(Wire().message(
        kDescriptor, Wire().number(1, uuid).message(4, Wire().number(1, 7).number(2, 71).text(5, "worker"))));
}

std::string named(std::uint64_t uuid, std::string_view name, std::uint64_t parent = 0) {
    Wire descriptor;
    descriptor.number(1, uuid).text(2, name);
    if (parent != 0)
        descriptor.number(5, parent);
    return packet(Wire().message(kDescriptor, descriptor));
}

std::string trackEvent(std::uint64_t ts, std::uint64_t type, std::uint64_t track, std::string_view name = {},
                       std::uint64_t clock = 0, std::uint64_t sequence = 1) {
    Wire own;
    own.number(9, type).number(11, track);
    if (!name.empty())
        own.text(23, name);
    Wire members;
    members.number(kTs, ts).number(kSequence, sequence).message(kEvent, own);
    if (clock != 0)
        members.number(kClock, clock);
    return packet(members);
}

std::string slice(std::uint64_t from, std::uint64_t to, std::uint64_t track, std::string_view name) {
    return trackEvent(from, kBegin, track, name) + trackEvent(to, kEnd, track);
}

Wire reading(std::uint64_t clock, std::uint64_t time) {
    return Wire().number(1, clock).number(2, time);
}

std::string deflated(const std::string &bytes) {
    uLongf size = compressBound(bytes.size());
    std::string out(size, '\0');
    compress(reinterpret_cast<Bytef *>(out.data()), &size, reinterpret_cast<const Bytef *>(bytes.data()),
             bytes.size());
    out.resize(size);
    return out;
}

const SliceRow &only(const test::ImportedTrace &trace) {
    return trace.writer->slices.at(0);
}

}  // namespace

void PerfettoEventsTest::compressedPackets() {
    const std::string inner = threadTrack(1) + slice(100, 150, 1, "inside");
    const auto trace = test::importPerfettoBytes(packet(Wire().text(50, deflated(inner))));
    QVERIFY2(trace.result.has_value(), trace.outcome().c_str());
    QCOMPARE(trace.writer->slices.size(), std::size_t{1});
    QCOMPARE(only(trace).dur, Ns{50});
    QCOMPARE(trace.result->events, std::int64_t{3});
}

void PerfettoEventsTest::bombInAPacket() {
    const std::string bomb(importers::perfetto::kLargestBundle + 1, '\0');
    const auto trace = test::importPerfettoBytes(packet(Wire().text(50, deflated(bomb))) + threadTrack(1) +
                                                 slice(1, 2, 1, "after"));
    QCOMPARE(trace.writer->warningCount("malformed_packet"), std::int64_t{1});
    QVERIFY(trace.writer->findWarning("malformed_packet")->message.find("64 MiB") != std::string::npos);
    QCOMPARE(trace.writer->slices.size(), std::size_t{1});
}

void PerfettoEventsTest::concatenatedTraces() {
    const std::string one = threadTrack(1) + slice(100, 150, 1, "first");
    const std::string two = threadTrack(2) + slice(200, 260, 2, "second");
    QCOMPARE(test::importPerfettoBytes(one + two).writer->slices.size(), std::size_t{2});
}

void PerfettoEventsTest::cutInAHead() {
    const std::string whole = threadTrack(1) + slice(100, 150, 1, "kept");
    const auto trace = test::importPerfettoBytes(whole + std::string("\x0a\xff", 2));
    QCOMPARE(trace.writer->slices.size(), std::size_t{1});
    QCOMPARE(trace.writer->findWarning("truncated_input")->firstPosition, "byte " + std::to_string(whole.size()));
}

void PerfettoEventsTest::damagedPacketIsSkipped() {
    // Its length is right, its second field has an impossible type.
    const std::string damaged("\x0a\x03\x40\x01\x0f", 5);
    const auto trace = test::importPerfettoBytes(threadTrack(1) + damaged + slice(100, 150, 1, "kept"));
    QCOMPARE(trace.writer->slices.size(), std::size_t{1});
    QCOMPARE(trace.writer->warningCount("malformed_packet"), std::int64_t{1});
}

void PerfettoEventsTest::unknownFieldsAreCounted() {
    Wire own;
    own.number(9, kInstant).number(11, 1).text(1500, "extension");
    const std::string bytes = threadTrack(1) + packet(Wire().number(kTs, 5).message(kEvent, own)) +
                              packet(Wire().number(kTs, 6).text(39, "log")) +
                              packet(Wire().number(kTs, 7).text(39, "log"));
    const auto trace = test::importPerfettoBytes(bytes);
    QCOMPARE(trace.writer->warningCount("unknown_field"), std::int64_t{3});
    const std::string &message = trace.writer->findWarning("unknown_field")->message;
    QVERIFY2(message.find("android_log (2)") != std::string::npos, message.c_str());
    QVERIFY2(message.find("track_event.1500 (1)") != std::string::npos, message.c_str());
}

void PerfettoEventsTest::nothingInIt() {
    const auto trace = test::importPerfettoBytes("\x37\x0e\x01\xff");
    QVERIFY(!trace.result.has_value());
    QVERIFY2(trace.outcome().find("no packet") != std::string::npos, trace.outcome().c_str());
}

void PerfettoEventsTest::missingInterned() {
    Wire own;
    own.number(9, kInstant).number(11, 1).number(10, 99);
    const auto trace = test::importPerfettoBytes(
        threadTrack(1) + packet(Wire().number(kTs, 5).number(kSequence, 1).message(kEvent, own)));
    QCOMPARE(trace.writer->slices.size(), std::size_t{1});
    QCOMPARE(trace.writer->warningCount("missing_interned"), std::int64_t{1});
}

// After a loss the same id means nothing until the writer has started anew, and then what it says anew.
void PerfettoEventsTest::stateAfterLoss() {
    const auto intern = [](std::string_view name) { return Wire().message(2, Wire().number(1, 1).text(2, name)); };
    const auto use = [](std::uint64_t ts, bool lost, std::uint64_t flags) {
        Wire members;
        members.number(kTs, ts).number(kSequence, 3).number(kFlags, flags);
        if (lost)
            members.number(kDropped, 1);
        return members.message(kEvent, Wire().number(9, kInstant).number(11, 1).number(10, 1));
    };
    const std::string bytes =
        threadTrack(1) +
        packet(Wire().number(kSequence, 3).number(kFlags, 1).message(kInterned, intern("before"))) +
        packet(use(10, false, 2)) + packet(use(20, true, 2)) + packet(use(30, true, 0)) +
        packet(Wire().number(kSequence, 3).number(kFlags, 1).message(kInterned, intern("after"))) +
        packet(use(40, false, 2));
    const auto trace = test::importPerfettoBytes(bytes);
    QCOMPARE(trace.writer->warningCount("data_loss"), std::int64_t{3});
    QCOMPARE(trace.writer->warningCount("missing_interned"), std::int64_t{1});
    QVERIFY(trace.writer->findSlice("before") && trace.writer->findSlice("after"));
    QCOMPARE(trace.writer->slices.size(), std::size_t{3});
}

void PerfettoEventsTest::incrementalClock() {
    Wire own = reading(64, 1000);
    own.number(3, 1).number(4, 1000);
    const std::string snapshot = packet(
        Wire().number(kSequence, 1).message(kSnapshot, Wire().message(1, reading(6, 5'000'000)).message(1, own)));
    const auto trace = test::importPerfettoBytes(threadTrack(1) + snapshot + trackEvent(10, kBegin, 1, "a", 64) +
                                                 trackEvent(5, kEnd, 1, {}, 64));
    QCOMPARE(trace.base(), Ns{5'010'000});
    QCOMPARE(only(trace).dur, Ns{5'000});
}

void PerfettoEventsTest::chainOfClocks() {
    const auto snapshot = [](std::uint64_t a, std::uint64_t at, std::uint64_t b, std::uint64_t bt) {
        return packet(Wire()
                          .number(kSequence, 1)
                          .message(kSnapshot, Wire().message(1, reading(a, at)).message(1, reading(b, bt))));
    };
    // The event waits until both links of the chain are known.
    const std::string bytes = threadTrack(1) + trackEvent(40, kInstant, 1, "a", 65) + snapshot(65, 10, 3, 1'010) +
                              snapshot(3, 1'000, 6, 9'000) + trackEvent(41, kInstant, 1, "b", 65);
    const auto trace = test::importPerfettoBytes(bytes);
    QCOMPARE(trace.writer->slices.size(), std::size_t{2});
    QCOMPARE(trace.base(), Ns{9'040});
    QCOMPARE(trace.writer->warningCount("unknown_clock"), std::int64_t{0});
}

void PerfettoEventsTest::neverExplainedClock() {
    const std::string snapshot =
        packet(Wire()
                   .number(kSequence, 1)
                   .message(kSnapshot, Wire().message(1, reading(6, 100)).message(1, reading(3, 90))));
    const auto trace =
        test::importPerfettoBytes(threadTrack(1) + snapshot + trackEvent(40, kInstant, 1, "lost", 77) +
                                  trackEvent(140, kInstant, 1, "kept"));
    QCOMPARE(trace.writer->warningCount("unknown_clock"), std::int64_t{1});
    QCOMPARE(trace.writer->slices.size(), std::size_t{1});
}

void PerfettoEventsTest::onlyOneClock() {
    const auto trace = test::importPerfettoBytes(threadTrack(1) + trackEvent(40, kBegin, 1, "a", 3) +
                                                 trackEvent(60, kEnd, 1, {}, 3));
    QCOMPARE(trace.writer->warningCount("unknown_clock"), std::int64_t{0});
    QCOMPARE(only(trace).dur, Ns{20});
    QCOMPARE(trace.base(), Ns{40});
}

void PerfettoEventsTest::eventsBeforeTheirDescriptor() {
    const auto trace =
        test::importPerfettoBytes(slice(100, 150, 9, "early") + threadTrack(9) + slice(200, 210, 9, "late"));
    const auto &writer = *trace.writer;
    QCOMPARE(writer.slices.size(), std::size_t{2});
    for (const SliceRow &row : writer.slices)
        QVERIFY(writer.track(row.track).thread.valid());
    QCOMPARE(writer.slices[0].track, writer.slices[1].track);
}

void PerfettoEventsTest::mergedSiblingsShareRows() {
    std::string bytes;
    for (std::uint64_t i = 0; i < 10; ++i)
        bytes += named(100 + i, "request") + slice(100 * i, 100 * i + 50, 100 + i, "run");
    const auto trace = test::importPerfettoBytes(bytes);
    QCOMPARE(trace.writer->slices.size(), std::size_t{10});
    QCOMPARE(trace.writer->tracks.size(), std::size_t{1});
}

void PerfettoEventsTest::overlappingSiblingsKeepTheirEnds() {
    const std::string bytes = named(1, "request") + named(2, "request") + trackEvent(100, kBegin, 1, "a") +
                              trackEvent(150, kBegin, 2, "b") + trackEvent(200, kEnd, 1) +
                              trackEvent(300, kEnd, 2);
    const auto trace = test::importPerfettoBytes(bytes);
    QCOMPARE(trace.writer->tracks.size(), std::size_t{2});
    QCOMPARE(trace.writer->findSlice("a")->dur, Ns{100});
    QCOMPARE(trace.writer->findSlice("b")->dur, Ns{150});
}

void PerfettoEventsTest::nestedArguments() {
    Wire list;
    list.text(10, "list").message(12, Wire().number(4, 1)).message(12, Wire().text(6, "two \"quoted\" \xff"));
    Wire tree;
    tree.text(10, "tree").message(11, list).message(11, Wire().text(10, "pointer").number(7, 255));
    Wire own;
    own.number(9, kInstant).number(11, 1).message(4, tree);
    own.message(4, Wire().text(10, "nan").real(5, std::numeric_limits<double>::quiet_NaN()));
    const auto trace =
        test::importPerfettoBytes(threadTrack(1) + packet(Wire().number(kTs, 5).message(kEvent, own)));
    QCOMPARE(
        trace.writer->argument(only(trace), "tree"),
        std::optional<std::string>("{\"list\":[1,\"two \\\"quoted\\\" \xef\xbf\xbd\"],\"pointer\":\"0xff\"}"));
    QCOMPARE(trace.writer->argument(only(trace), "nan"), std::optional<std::string>("null"));
    QCOMPARE(trace.writer->warningCount("nonfinite_number"), std::int64_t{1});
}

void PerfettoEventsTest::deepArgumentsAreCut() {
    Wire value;
    value.number(4, 1);
    for (int depth = 0; depth < 2'000; ++depth)
        value = Wire().message(12, value);
    Wire own;
    own.number(9, kInstant).number(11, 1).message(4, value);
    const auto trace =
        test::importPerfettoBytes(threadTrack(1) + packet(Wire().number(kTs, 5).message(kEvent, own)));
    QVERIFY2(trace.violations().empty(), trace.violations().c_str());
    QCOMPARE(trace.writer->warningCount("malformed_event"), std::int64_t{1});
}

void PerfettoEventsTest::stateTrack() {
    const auto trace = test::importPerfettoBytes(named(5, "mode") + trackEvent(100, kState, 5, "busy") +
                                                 trackEvent(300, kState, 5, "idle") + trackEvent(400, kState, 5));
    QCOMPARE(trace.writer->findSlice("busy")->dur, Ns{200});
    QCOMPARE(trace.writer->findSlice("idle")->dur, Ns{100});
    QCOMPARE(trace.writer->warningCount("unfinished_slice"), std::int64_t{0});
}

void PerfettoEventsTest::counterBeforeItsDescriptor() {
    const std::string sample =
        packet(Wire().number(kTs, 10).message(kEvent, Wire().number(9, kCounter).number(11, 20).number(30, 3)));
    const std::string descriptor = packet(Wire().message(
        kDescriptor, Wire().number(1, 20).text(2, "bytes").message(8, Wire().number(3, 3).number(4, 1024))));
    const auto trace = test::importPerfettoBytes(sample + descriptor);
    const CounterRow *counter = trace.writer->findCounter("bytes");
    QVERIFY(counter);
    QCOMPARE(counter->unit, std::string("B"));
    QCOMPARE(trace.writer->samples.at(counter->id.value).at(0).value, 3072.0);
}

void PerfettoEventsTest::probeTellsXSpaceApart() {
    QVERIFY(importers::perfetto::probe(threadTrack(1) + slice(100, 150, 1, "a")) > 0.8);
    // XSpace: field 1 holds planes, whose second field is a name and whose third is a line.
    const Wire line = Wire().number(1, 1).text(2, "stream");
    const std::string space =
        packet(Wire().number(1, 1).text(2, "/device:GPU:0").message(3, line).message(3, line));
    QCOMPARE(importers::perfetto::probe(space), 0.0);
    QCOMPARE(importers::perfetto::probe("{\"traceEvents\":[]}"), 0.0);
    QCOMPARE(importers::perfetto::probe(""), 0.0);
}

void PerfettoEventsTest::manyTracks() {
    std::string bytes;
    for (std::uint64_t i = 1; i <= 100'000; ++i)
        bytes += trackEvent(i, kInstant, i, "one name");
    const auto trace = test::importPerfettoBytes(bytes);
    QCOMPARE(trace.writer->slices.size(), std::size_t{100'000});
    QCOMPARE(trace.writer->tracks.size(), std::size_t{1});
}

void PerfettoEventsTest::parentsInACircle() {
    const auto trace =
        test::importPerfettoBytes(named(1, "a", 2) + named(2, "b", 1) + named(3, "c", 3) +
                                  slice(100, 150, 1, "x") + slice(100, 150, 2, "y") + slice(100, 150, 3, "z"));
    QVERIFY2(trace.violations().empty(), trace.violations().c_str());
    QCOMPARE(trace.writer->slices.size(), std::size_t{3});
}

QTEST_APPLESS_MAIN(PerfettoEventsTest)
#include "tst_perfetto_events.moc"
