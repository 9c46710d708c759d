// Small Perfetto traces of machines: several of them with clocks of their own, GPUs and the calls that feed them,
// kernels that suspend or lose events, texts that are not UTF-8.
#include "importers/perfetto/perfetto_importer.h"
#include "tests/support/import_trace.h"
#include "tests/support/wire_writer.h"

#include <algorithm>
#include <stop_token>

#include <QTest>

using namespace wattproof;
using test::Wire;

class PerfettoMachinesTest : public QObject {
    Q_OBJECT

private slots:
    void otherMachineIsConverted();
    void quickestAnswerCounts();
    void syncThatComesLate();
    void otherMachineWithoutSync();
    void snapshotsOfMachinesStayApart();
    void callsAndTheirStages();
    void waitThatBeginsBeforeItsStage();
    void callsThatDoNotPair();
    void vulkanMemory();
    void kernelLosses();
    void marksBeforeTheStart();
    void abortedSuspendEndsWithTheThaw();
    void textsAreMended();
    void cancelStopsTheReplay();
};

namespace {

// Fields of TracePacket that these traces use.
constexpr std::uint32_t kFtrace = 1, kSnapshot = 6, kTs = 8, kSequence = 10, kEvent = 11, kInterned = 12,
                        kFlags = 13, kFtraceStats = 34, kRails = 40, kCounters = 52, kStage = 53, kClock = 58,
                        kDescriptor = 60, kVulkanMemory = 62, kVulkanApi = 65, kEnergy = 77, kResidency = 91,
                        kMachine = 98, kSync = 107, kGpuInfo = 128, kSysStats = 7, kProcessTree = 2;
constexpr std::uint32_t kGpuCorrelation = 3000;
constexpr std::uint64_t kBegin = 1, kEnd = 2, kInstant = 3, kBoot = 6, kMonotonic = 3, kOther = 9;

std::string packet(const Wire &members) {
    return Wire().message(1, members).bytes();
}

std::string threadTrack(std::uint64_t uuid) {
    return packet(Wire().message(
        kDescriptor, Wire().number(1, uuid).message(4, Wire().number(1, 7).number(2, 71).text(5, "worker"))));
}

Wire reading(std::uint64_t clock, std::uint64_t time) {
    return Wire().message(1, Wire().number(1, clock).number(2, time));
}

// What one message of the other machine and the recorder's answer say.
Wire exchange(std::uint64_t clock, std::uint64_t client, std::uint64_t host) {
    return Wire().message(2, reading(clock, client)).message(3, reading(clock, host));
}

std::string sync(const Wire &exchanges) {
    return packet(Wire().number(kMachine, kOther).message(kSync, exchanges));
}

std::string instant(std::uint64_t ts, std::string_view name, std::uint64_t machine = 0, std::uint64_t clock = 0) {
    Wire members;
    members.number(kTs, ts).message(kEvent, Wire().number(9, kInstant).number(11, 1).text(23, name));
    if (machine != 0)
        members.number(kMachine, machine);
    if (clock != 0)
        members.number(kClock, clock);
    return packet(members);
}

Ns timeOf(const test::ImportedTrace &trace, std::string_view name) {
    const SliceRow *slice = trace.writer->findSlice(name);
    return slice ? slice->ts + trace.base() : -1;
}

Wire callEvent(std::uint64_t type, std::string_view name, std::uint32_t field = 0, std::uint64_t stage = 0) {
    Wire own;
    own.number(9, type).number(11, 1);
    if (!name.empty())
        own.text(23, name);
    if (field != 0)
        own.message(kGpuCorrelation, Wire().number(field, stage));
    return own;
}

std::string call(std::uint64_t ts, const Wire &event) {
    return packet(Wire().number(kTs, ts).message(kEvent, event));
}

std::string stage(std::uint64_t ts, std::uint64_t id, std::uint64_t duration, std::string_view name) {
    return packet(Wire().number(kTs, ts).message(
        kStage, Wire().number(1, id).number(2, duration).number(3, 1).text(17, name)));
}

std::vector<std::string> arrows(const test::ImportedTrace &trace) {
    std::vector<std::string> all;
    for (const FlowRow &flow : trace.writer->flows)
        all.push_back(trace.writer->text(trace.writer->slice(flow.from).name) + " > " +
                      trace.writer->text(trace.writer->slice(flow.to).name));
    std::sort(all.begin(), all.end());
    return all;
}

Wire kernelEvent(std::uint64_t ts, std::uint32_t field, const Wire &payload) {
    return Wire().number(1, ts).number(2, 42).message(field, payload);
}

std::string bundle(const std::vector<Wire> &events, std::uint64_t previousEnd = 0) {
    Wire all;
    all.number(1, 0);
    for (const Wire &event : events)
        all.message(2, event);
    if (previousEnd != 0)
        all.number(10, previousEnd);
    return packet(Wire().message(kFtrace, all));
}

Wire suspendResume(std::string_view action, bool starts) {
    return Wire().text(1, action).number(2, 3).number(3, starts ? 1 : 0);
}

}  // namespace

void PerfettoMachinesTest::otherMachineIsConverted() {
    const auto trace = test::importPerfettoBytes(
        sync(
            Wire().message(1, exchange(kBoot, 10'000, 1'000'000)).message(1, exchange(kBoot, 10'000, 1'000'000))) +
        instant(500, "here") + instant(20'000, "unstated", kOther) + instant(30'000, "stated", kOther, kBoot));
    QCOMPARE(timeOf(trace, "here"), Ns{500});
    QCOMPARE(timeOf(trace, "unstated"), Ns{1'010'000});
    QCOMPARE(timeOf(trace, "stated"), Ns{1'020'000});
    QCOMPARE(trace.writer->warningCount("unsynchronised_machine"), std::int64_t{0});
}

// Clocks 1000 apart. The first pair of messages took 100 and 100, of the last one leg took 2000.
void PerfettoMachinesTest::quickestAnswerCounts() {
    const Wire exchanges = Wire()
                               .message(1, exchange(kBoot, 100, 1'200))
                               .message(1, exchange(kBoot, 300, 1'400))
                               .message(1, exchange(kBoot, 5'000, 8'000))
                               .message(1, exchange(kBoot, 9'000, 12'000));
    const auto trace = test::importPerfettoBytes(sync(exchanges) + instant(300, "event", kOther));
    QCOMPARE(timeOf(trace, "event"), Ns{1'300});
}

void PerfettoMachinesTest::syncThatComesLate() {
    const auto trace = test::importPerfettoBytes(instant(1'000, "here") + instant(50, "there", kOther) +
                                                 sync(Wire().message(1, exchange(kBoot, 0, 1'000))));
    QCOMPARE(timeOf(trace, "there"), Ns{1'050});
}

void PerfettoMachinesTest::otherMachineWithoutSync() {
    const auto trace = test::importPerfettoBytes(instant(1'000, "here") + instant(1'050, "there", kOther) +
                                                 instant(1'070, "monotonic", kOther, kMonotonic));
    QCOMPARE(timeOf(trace, "there"), Ns{1'050});
    QCOMPARE(timeOf(trace, "monotonic"), Ns{1'070});
    QCOMPARE(trace.writer->warningCount("unsynchronised_machine"), std::int64_t{2});
    QCOMPARE(trace.writer->warningCount("unknown_clock"), std::int64_t{0});
}

// The clocks of one number are other clocks on each machine: a snapshot of one says nothing of the other's.
void PerfettoMachinesTest::snapshotsOfMachinesStayApart() {
    const auto snapshot = [](std::uint64_t machine, std::uint64_t boot, std::uint64_t monotonic) {
        Wire clocks;
        clocks.message(1, Wire().number(1, kBoot).number(2, boot));
        clocks.message(1, Wire().number(1, kMonotonic).number(2, monotonic));
        Wire members;
        members.message(kSnapshot, clocks);
        if (machine != 0)
            members.number(kMachine, machine);
        return packet(members);
    };
    const auto trace = test::importPerfettoBytes(
        snapshot(0, 1'000, 900) + snapshot(kOther, 50, 20) + sync(Wire().message(1, exchange(kBoot, 50, 1'000))) +
        instant(910, "here", 0, kMonotonic) + instant(30, "there", kOther, kMonotonic));
    QCOMPARE(timeOf(trace, "here"), Ns{1'010});
    QCOMPARE(timeOf(trace, "there"), Ns{1'010});
}

void PerfettoMachinesTest::callsAndTheirStages() {
    const auto trace = test::importPerfettoBytes(
        threadTrack(1) + call(10, callEvent(kBegin, "launch", 1, 5)) + call(14, callEvent(kEnd, {})) +
        stage(20, 5, 30, "kernel") + stage(60, 6, 5, "other") + call(55, callEvent(kInstant, "seen", 2, 5)));
    QVERIFY2(trace.violations().empty(), trace.violations().c_str());
    QCOMPARE(arrows(trace), (std::vector<std::string>{"kernel > seen", "launch > kernel"}));
    QCOMPARE(trace.writer->findSlice("launch")->dur, Ns{4});
    QCOMPARE(trace.writer->gpuOps.size(), std::size_t{2});
    QCOMPARE(trace.writer->gpuOps[0].launch, trace.writer->findSlice("launch")->id);
    QVERIFY(!trace.writer->gpuOps[1].launch.valid());
    QCOMPARE(trace.writer->warningCount("unmatched_flow"), std::int64_t{0});
    QCOMPARE(trace.writer->warningCount("unknown_field"), std::int64_t{0});
}

// A call that synchronises begins while the work it waits for is still to come.
void PerfettoMachinesTest::waitThatBeginsBeforeItsStage() {
    const auto trace = test::importPerfettoBytes(
        threadTrack(1) + call(10, callEvent(kBegin, "outer")) + call(12, callEvent(kBegin, "synchronise", 2, 5)) +
        stage(20, 5, 30, "kernel") + call(55, callEvent(kEnd, {})) + call(70, callEvent(kEnd, {})));
    QCOMPARE(arrows(trace), (std::vector<std::string>{"kernel > synchronise"}));
    QCOMPARE(trace.writer->findSlice("synchronise")->dur, Ns{43});
    QCOMPARE(trace.writer->findSlice("synchronise")->depth, 1);
    QCOMPARE(trace.writer->findSlice("outer")->dur, Ns{60});
}

void PerfettoMachinesTest::callsThatDoNotPair() {
    const auto trace = test::importPerfettoBytes(
        threadTrack(1) + call(10, callEvent(kBegin, "never ends", 1, 5)) +
        call(20, callEvent(kBegin, "other name", 1, 6)) + call(25, callEvent(kEnd, "nobody")) +
        call(30, callEvent(kBegin, "plain")) + call(40, callEvent(kEnd, {})));
    QVERIFY2(trace.violations().empty(), trace.violations().c_str());
    QCOMPARE(trace.writer->slices.size(), std::size_t{3});
    QCOMPARE(trace.writer->findSlice("plain")->dur, Ns{10});
    QCOMPARE(trace.writer->findSlice("never ends")->state, SliceState::Unfinished);
    QCOMPARE(trace.writer->findSlice("other name")->state, SliceState::Unfinished);
    QCOMPARE(trace.writer->warningCount("unmatched_end"), std::int64_t{1});
}

void PerfettoMachinesTest::vulkanMemory() {
    const auto event = [](std::uint64_t ts, std::uint64_t source, std::uint64_t operation, std::uint64_t size) {
        return packet(Wire().number(kTs, ts).message(kVulkanMemory, Wire()
                                                                        .number(1, source)
                                                                        .number(2, operation)
                                                                        .number(4, 77)
                                                                        .number(6, size)
                                                                        .number(8, 4)
                                                                        .number(18, 2)));
    };
    const auto trace = test::importPerfettoBytes(event(1, 1, 1, 100) + event(2, 1, 1, 50) + event(3, 1, 2, 100) +
                                                 event(4, 3, 1, 4096) + event(5, 5, 3, 1024) + event(6, 5, 5, 1));
    QVERIFY2(trace.violations().empty(), trace.violations().c_str());
    const auto values = [&](const char *name) {
        std::vector<double> all;
        if (const CounterRow *counter = trace.writer->findCounter(name))
            for (const Sample &sample : trace.writer->samples.at(counter->id.value))
                all.push_back(sample.value);
        return all;
    };
    QCOMPARE(values("Vulkan driver memory, device"), (std::vector<double>{100, 150, 50}));
    QCOMPARE(values("Vulkan device memory, type 2"), std::vector<double>{4096});
    QCOMPARE(values("Vulkan bound memory, type 2"), std::vector<double>{1024});
    QCOMPARE(trace.writer->findCounter("Vulkan device memory, type 2")->unit, std::string("B"));
    QCOMPARE(trace.writer->warningCount("unknown_field"), std::int64_t{1});  // the annotation
}

void PerfettoMachinesTest::kernelLosses() {
    const auto stats = [](std::uint64_t phase, std::uint64_t overrun, std::uint64_t dropped) {
        const Wire cpu = Wire().number(1, 2).number(3, overrun).number(8, dropped);
        return packet(Wire().message(kFtraceStats, Wire().number(1, phase).message(2, cpu)));
    };
    const auto lossy = test::importPerfettoBytes(instant(1, "a") + stats(1, 10, 1) + stats(2, 15, 3));
    QCOMPARE(lossy.writer->warningCount("data_loss"), std::int64_t{7});
    const auto whole = test::importPerfettoBytes(instant(1, "a") + stats(1, 10, 1) + stats(2, 10, 1));
    QCOMPARE(whole.writer->warningCount("data_loss"), std::int64_t{0});
}

void PerfettoMachinesTest::marksBeforeTheStart() {
    const auto mark = [](std::uint64_t ts, std::string_view text) {
        return kernelEvent(ts, 3, Wire().text(2, text));
    };
    const auto trace = test::importPerfettoBytes(
        bundle({mark(1'500, "B|42|early"), mark(2'200, "B|42|kept"), mark(2'700, "E|42")}, 2'000));
    QCOMPARE(trace.writer->slices.size(), std::size_t{1});
    QCOMPARE(trace.writer->findSlice("kept")->dur, Ns{500});
    QCOMPARE(trace.writer->warningCount("before_start"), std::int64_t{1});
}

void PerfettoMachinesTest::abortedSuspendEndsWithTheThaw() {
    const auto event = [](std::uint64_t ts, std::string_view action, bool starts) {
        return kernelEvent(ts, 113, suspendResume(action, starts));
    };
    const auto trace = test::importPerfettoBytes(
        bundle({event(100, "suspend_enter", true), event(120, "thaw_processes", true),
                event(150, "thaw_processes", false), event(200, "suspend_enter", true)}));
    QCOMPARE(trace.writer->findSlice("suspend_enter(3)")->dur, Ns{50});
    QCOMPARE(trace.writer->findSlice("suspend_enter(3)", 1)->state, SliceState::Unfinished);
}

// Every place of a system packet that becomes a text.
void PerfettoMachinesTest::textsAreMended() {
    const std::string_view bad = "b\xff\xc3";
    const auto at = [](std::uint32_t field, const Wire &payload) {
        return packet(Wire().number(kTs, 5).number(kSequence, 1).message(field, payload));
    };
    const auto named = [&](std::uint32_t field) { return Wire().text(field, bad); };
    std::string bytes;
    bytes += at(kRails, Wire().message(1, named(2).text(3, bad)).message(2, Wire().number(3, 1)));
    bytes += at(kEnergy, Wire().message(1, Wire().message(1, named(3).text(4, bad))).number(3, 1));
    bytes += at(kResidency, Wire().message(1, named(3).text(4, bad)).message(2, Wire().number(3, 1)));
    bytes +=
        at(kCounters, Wire()
                          .message(1, Wire().message(1, named(2).text(3, bad)).message(6, named(2).text(3, bad)))
                          .message(2, Wire().number(2, 1)));
    bytes += at(kGpuInfo, Wire().message(1, named(1)
                                                .text(2, bad)
                                                .text(3, bad)
                                                .text(4, bad)
                                                .text(6, Wire().text(1, bad).text(2, bad).bytes())
                                                .text(7, bad)));
    bytes += at(kVulkanApi, Wire().message(1, Wire().number(3, 18).number(4, 1).text(5, bad)));
    bytes += packet(Wire()
                        .number(kSequence, 1)
                        .number(kFlags, 1)
                        .message(kInterned, Wire()
                                                .message(24, Wire().number(1, 1).text(2, bad).text(3, bad))
                                                .message(1000, Wire().number(1, 1).text(2, bad).text(3, bad))));
    bytes += at(kStage,
                Wire().number(13, 1).number(14, 1).number(19, 1).number(9, 1).message(6, named(1).text(2, bad)));
    bytes += at(kStage, Wire().message(7, Wire().message(2, named(1)).message(3, named(1))));
    bytes += at(kStage, Wire().number(3, 0).text(17, bad));
    bytes += at(kSysStats, Wire()
                               .message(10, named(1).number(2, 1))
                               .message(13, named(1).number(2, 1))
                               .message(15, named(1).number(2, 1))
                               .message(16, Wire().number(1, 0).message(2, named(1).number(2, 1))));
    bytes += at(kProcessTree, Wire().message(1, Wire().number(1, 5).text(3, bad)));
    bytes += bundle({kernelEvent(9, 341, Wire().number(2, 1000).text(5, bad)),
                     kernelEvent(9, 327, Wire().text(1, bad)), kernelEvent(9, 3, Wire().text(2, "B|42|\xff"))});
    const auto trace = test::importPerfettoBytes(bytes);
    QCOMPARE(trace.outcome(), std::string("ok"));
    QCOMPARE(QString::fromStdString(trace.violations()), QString());
    QVERIFY(trace.writer->findSlice("b\xef\xbf\xbd\xef\xbf\xbd"));
}

// What comes after the last byte is long where there are many kernel events: it stops as well.
void PerfettoMachinesTest::cancelStopsTheReplay() {
    std::vector<Wire> events;
    for (std::uint64_t i = 0; i < 1'000; ++i)
        events.push_back(kernelEvent(i, 113, suspendResume("suspend_enter", i % 2 == 0)));
    std::string bytes;
    for (int i = 0; i < 200; ++i)
        bytes += bundle(events);
    std::stop_source stop;
    test::RecordingWriter writer;
    Task task;
    task.stop = stop.get_token();
    bool ordering = false;
    task.progress = [&](const ProgressReport &report) {
        ordering = report.stage == "Ordering kernel events";
        if (ordering)
            stop.request_stop();
    };
    const auto input = importers::Input::fromBytes(bytes, "trace.pftrace");
    const auto summary = importers::makePerfettoImporter()->import(*input, writer, {}, task);
    QVERIFY(ordering);
    QVERIFY(!summary && isCancelled(summary.error()));
    QVERIFY(writer.slices.empty() && writer.finished.empty());
}

QTEST_APPLESS_MAIN(PerfettoMachinesTest)
#include "tst_perfetto_machines.moc"
