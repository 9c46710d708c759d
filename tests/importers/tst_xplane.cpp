// JAX and TensorFlow profiles: small files of every feature, damage, and real files with expected numbers.
#include "analysis/intervals.h"
#include "importers/xplane/details.h"
#include "importers/xplane/xplane_importer.h"
#include "tests/support/import_with.h"
#include "tests/support/shared_files.h"
#include "tests/support/xplane_text.h"

#include <map>
#include <memory>

#include <QFile>
#include <QTest>
#include <nlohmann/json.hpp>

using namespace wattproof;
using test::Message;
using Json = nlohmann::json;

namespace {

using Trace = test::ImportRun;

std::unique_ptr<Trace> importBytes(const std::string &bytes) {
    return test::importBytes(*importers::makeXplaneImporter(), bytes, "host.xplane.pb");
}

double probe(const std::string &bytes) {
    return importers::makeXplaneImporter()->probe({bytes.data(), bytes.size()}, "x.pb");
}

// Statistics: 1 correlation_id, 2 kernel_details, 3 memcpy_details, 4 _p, 5 _c, 6 allocator_name, 7
// bytes_allocated.
Message statNames(Message plane) {
    int id = 0;
    for (const char *name :
         {"correlation_id", "kernel_details", "memcpy_details", "_p", "_c", "allocator_name", "bytes_allocated"})
        plane.message(5, test::named(++id, name));
    return plane;
}

Message gpuPlane() {
    const Message kernel = test::xevent(1, 2'000'500, 3'000'000)
                               .message(4, test::numberStat(1, 7))
                               .message(4, test::textStat(2, "regs:32 grid:8,4,1 block:256,1,1 occ_pct:0"));
    const Message copy = test::xevent(2, 9'000'000, 1'000'000)
                             .message(4, test::numberStat(1, 8))
                             .message(4, test::textStat(3, "kind_src:pageable kind_dst:device size:4096 dest:0"));
    const Message stream =
        Message().number(1, 13).text(2, "Stream #13(Compute)").number(3, 100).message(4, kernel).message(4, copy);
    const Message steps =
        Message().number(1, 99).text(2, "Steps").number(3, 100).message(4, test::xevent(1, 0, 20'000'000));
    return statNames(Message()
                         .number(1, 1)
                         .text(2, "/device:GPU:0")
                         .message(3, stream)
                         .message(3, steps)
                         .message(4, test::named(1, "ampere_sgemm_128x64_tn"))
                         .message(4, test::named(2, "Memcpy")));
}

Message hostPlane() {
    const Message launch =
        test::xevent(1, 500'000, 1'000'000).message(4, test::numberStat(1, 7)).message(4, test::numberStat(4, 5));
    const Message python = test::xevent(2, 0, 30'000'000).message(4, test::numberStat(5, 5));
    const Message allocation = Message()
                                   .number(1, 3)
                                   .number(2, 700'000)
                                   .message(4, test::textStat(6, "GPU_0_bfc"))
                                   .message(4, test::numberStat(7, 1024));
    const auto thread = [](int id, const char *name) {
        return Message().number(1, id).text(2, name).number(3, 100);
    };
    return statNames(Message()
                         .text(2, "/host:CPU")
                         .message(3, thread(41, "main").message(4, launch).message(4, allocation))
                         .message(3, thread(42, "python").message(4, python))
                         .message(4, test::named(1, "cuLaunchKernel"))
                         .message(4, test::named(2, "$train.py:10 step"))
                         .message(4, test::named(3, "MemoryAllocation")));
}

Message taskPlane() {
    return Message()
        .text(2, "Task Environment")
        .message(5, test::named(1, "profile_start_time"))
        .message(6, test::numberStat(1, 1'771'595'650'000'000'000));
}

std::string smallFile() {
    return Message()
        .message(1, gpuPlane())
        .message(1, hostPlane())
        .message(1, taskPlane())
        .text(4, "node-1")
        .bytes();
}

}  // namespace

class XplaneTest : public QObject {
    Q_OBJECT

private slots:
    void detailsAreRead();
    void probeKnowsPlanesFromPackets();
    void kernelsAndCopiesAreGpuWork();
    void launchesAreLinked();
    void summingLinesAreNoWork();
    void hostEventsHaveTheirKinds();
    void wallClockComesFromTheTaskPlane();
    void producersPointAtConsumers();
    void cutFilesGiveWhatIsWhole();
    void nonsenseIsRefusedOrCounted();
    void hugeEventsAndTimesAreCounted();
    void realProfilesAgree_data();
    void realProfilesAgree();

private:
    static void checkPlane(const Trace &, const Json &plane);
};

void XplaneTest::detailsAreRead() {
    using namespace importers::xplane;
    QVERIFY(detail("kind_src:a kind:b", "kind") == std::optional<std::string_view>("b"));
    QVERIFY(!detail("mykind:b", "kind"));
    QVERIFY(tripleDetail(" grid:1,2,3 block:4,5,6", "grid") == (std::array<std::int64_t, 3>{1, 2, 3}));
    QVERIFY(!tripleDetail("grid:1,2", "grid"));
    QVERIFY(!tripleDetail("grid:0,0,0", "grid"));
    QVERIFY(copyDirection("CopyDeviceToHost", "", "") == CopyKind::DeviceToHost);
    QVERIFY(copyDirection("Memcpy", "kind_src:device kind_dst:pinned", "") == CopyKind::DeviceToHost);
    QVERIFY(copyDirection("Memcpy", "", "Stream #3(MemcpyH2D)") == CopyKind::HostToDevice);
}

void XplaneTest::probeKnowsPlanesFromPackets() {
    QVERIFY(probe(smallFile()) > 0.9);
    QVERIFY(probe(Message().message(1, Message().text(2, "/host:CPU")).bytes()) > 0.9);
    // A Perfetto trace: packets with a process tree (2), a uid (3), a time (8), a sequence (10).
    const Message tree = Message().message(1, Message().number(1, 4711));
    QCOMPARE(probe(Message().message(1, Message().message(2, tree).number(3, 9).number(10, 1)).bytes()), 0.0);
    QCOMPARE(probe(Message().message(1, Message().number(8, 123456).number(10, 1)).bytes()), 0.0);
    QCOMPARE(probe("{\"traceEvents\": []}"), 0.0);
    QCOMPARE(probe("\n"), 0.0);
}

void XplaneTest::kernelsAndCopiesAreGpuWork() {
    const auto trace = importBytes(smallFile());
    QCOMPARE(trace->outcome(), std::string("ok"));
    QVERIFY(trace->writer.violations.empty());
    QCOMPARE(trace->summary->gpuOps, std::int64_t{2});
    QCOMPARE(trace->writer.devices.size(), std::size_t{1});
    QCOMPARE(trace->writer.devices[0].name, std::string("GPU 0"));
    QCOMPARE(trace->writer.devices[0].host, std::string("node-1"));
    const SliceRow *kernel = trace->writer.findSlice("ampere_sgemm_128x64_tn");
    QVERIFY(kernel);
    QCOMPARE(trace->writer.track(kernel->track).stream, std::string("13"));
    QVERIFY(trace->operation("ampere_sgemm_128x64_tn") && trace->operation("Memcpy"));
    const GpuOpRow &op = *trace->operation("ampere_sgemm_128x64_tn"), &copy = *trace->operation("Memcpy");
    QVERIFY(op.grid == (std::array<std::int64_t, 3>{8, 4, 1}));
    QVERIFY(op.block == (std::array<std::int64_t, 3>{256, 1, 1}));
    QVERIFY(copy.activity == GpuActivity::Memcpy && copy.copyKind == CopyKind::HostToDevice);
    QCOMPARE(copy.bytes, std::optional<std::int64_t>(4096));
    // 100 ns + 2.0005 µs: half a nanosecond goes up, and so does the end.
    QCOMPARE(kernel->ts + trace->writer.sources[0].statedBase, Ns{1'771'595'650'000'000'000 + 2101});
    QCOMPARE(kernel->dur, Ns{3000});
    QCOMPARE(trace->writer.classes[kernel->name.value].opClass, std::string("gemm"));
}

void XplaneTest::launchesAreLinked() {
    const auto trace = importBytes(smallFile());
    QCOMPARE(trace->summary->links, std::int64_t{1});
    QCOMPARE(trace->writer.warningCount("unlinked_kernel"), std::int64_t{1});  // the copy's call is not there
    for (const GpuOpRow &op : trace->writer.gpuOps)
        if (op.launch.valid())
            QCOMPARE(trace->writer.text(trace->writer.slice(op.launch).name), std::string("cuLaunchKernel"));
}

void XplaneTest::summingLinesAreNoWork() {
    const auto trace = importBytes(smallFile());
    int ranges = 0;
    for (const TrackRow &track : trace->writer.tracks)
        ranges += track.name == "Steps" && track.kind == TrackKind::Async && track.device.valid() ? 1 : 0;
    QCOMPARE(ranges, 1);
    QCOMPARE(trace->summary->slices + trace->summary->instants, std::int64_t{6});
}

void XplaneTest::hostEventsHaveTheirKinds() {
    const auto trace = importBytes(smallFile());
    const SliceRow *launch = trace->writer.findSlice("cuLaunchKernel");
    const SliceRow *python = trace->writer.findSlice("$train.py:10 step");
    const SliceRow *allocation = trace->writer.findSlice("MemoryAllocation");
    QVERIFY(launch && python && allocation);
    QCOMPARE(trace->writer.text(launch->category), std::string("cuda_runtime"));
    QCOMPARE(trace->writer.text(python->category), std::string("python_function"));
    QVERIFY(allocation->kind == SliceKind::Instant);
    const CounterRow *memory = trace->writer.findCounter("allocated by GPU_0_bfc");
    QVERIFY(memory);
    QCOMPARE(trace->writer.samples[memory->id.value].at(0).value, 1024.0);
    QCOMPARE(trace->writer.argument(*allocation, "bytes_allocated"), std::optional<std::string>("1024"));
}

void XplaneTest::wallClockComesFromTheTaskPlane() {
    const auto trace = importBytes(smallFile());
    QVERIFY(trace->writer.sources[0].clock == ClockBasis::Epoch);
    QCOMPARE(trace->writer.sources[0].statedBase, Ns{1'771'595'650'000'000'100});
    const auto without = importBytes(Message().message(1, hostPlane()).bytes());
    QVERIFY(without->writer.sources[0].clock == ClockBasis::Relative);
}

void XplaneTest::producersPointAtConsumers() {
    // Producer at 600 ns on one thread; the consumer's range begins at 100 ns, before it: no arrow, but counted.
    const auto early = importBytes(smallFile());
    QCOMPARE(early->summary->flows, std::int64_t{0});
    QCOMPARE(early->writer.warningCount("unmatched_flow"), std::int64_t{1});
    const auto line = [](int id, const Message &event) {
        return Message().number(1, id).number(3, 0).message(4, event);
    };
    const Message plane =
        statNames(Message()
                      .text(2, "/host:CPU")
                      .message(3, line(1, test::xevent(1, 1000, 9000).message(4, test::numberStat(4, 5))))
                      .message(3, line(2, test::xevent(2, 20'000, 9000).message(4, test::numberStat(5, 5))))
                      .message(4, test::named(1, "a"))
                      .message(4, test::named(2, "b")));
    const auto trace = importBytes(Message().message(1, plane).bytes());
    QCOMPARE(trace->summary->flows, std::int64_t{1});
    QCOMPARE(trace->writer.text(trace->writer.slice(trace->writer.flows[0].from).name), std::string("a"));
}

void XplaneTest::cutFilesGiveWhatIsWhole() {
    const std::string whole = smallFile();
    std::int64_t most = 0;
    for (std::size_t size = 1; size < whole.size(); size += 5) {
        const auto trace = importBytes(whole.substr(0, size));
        QVERIFY(trace->writer.violations.empty());
        if (!trace->summary)
            continue;  // nothing of the first plane yet
        QVERIFY(trace->summary->events >= most);
        most = trace->summary->events;
        const bool betweenPlanes = trace->writer.warningCount("truncated_input") == 0;
        QVERIFY(!betweenPlanes || trace->summary->events >= 3);
    }
    QCOMPARE(most, std::int64_t{6});
}

void XplaneTest::nonsenseIsRefusedOrCounted() {
    const auto none = importBytes(Message().text(4, "host").bytes());
    QVERIFY(!none->summary);
    QVERIFY(none->outcome().find("holds no plane") != std::string::npos);
    std::string broken =
        Message().message(1, hostPlane()).bytes() + "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff";
    const auto trace = importBytes(broken);
    QCOMPARE(trace->outcome(), std::string("ok"));
    QCOMPARE(trace->writer.warningCount("malformed_message"), std::int64_t{1});
    // An event that is no message, and one of a kind that has no name.
    const Message line = Message()
                             .number(1, 1)
                             .message(4, Message().text(9, "x"))
                             .text(4, "\xff\xff")
                             .message(4, test::xevent(77, 0, 5000));
    const auto odd = importBytes(Message().message(1, Message().text(2, "/host:CPU").message(3, line)).bytes());
    QCOMPARE(odd->writer.warningCount("malformed_event"), std::int64_t{1});
    QCOMPARE(odd->writer.warningCount("unnamed_event"), std::int64_t{2});
}

void XplaneTest::hugeEventsAndTimesAreCounted() {
    const Message huge = test::xevent(1, 0, 1).message(4, test::textStat(1, std::string(2U << 20U, 'x')));
    const Message far = test::xevent(1, INT64_MAX, INT64_MAX);
    const Message counted = Message().number(1, 1).number(5, 12);
    const Message line =
        Message().number(1, 1).number(3, INT64_MAX - 1).message(4, huge).message(4, far).message(4, counted);
    const auto trace = importBytes(Message().message(1, Message().text(2, "/host:CPU").message(3, line)).bytes());
    QCOMPARE(trace->outcome(), std::string("ok"));
    QCOMPARE(trace->writer.warningCount("oversized_event"), std::int64_t{1});
    QCOMPARE(trace->writer.warningCount("timestamp_outlier"), std::int64_t{1});
    QCOMPARE(trace->writer.warningCount("aggregated_event"), std::int64_t{1});
}

void XplaneTest::realProfilesAgree_data() {
    QTest::addColumn<QString>("name");
    for (const char *name : {"jax08_gemm_mi300x", "jax_conv_legacy_mi300x"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

void XplaneTest::realProfilesAgree() {
    QFETCH(QString, name);
    QFile file(test::sharedFile(QStringLiteral("peer/expected/%1.json").arg(name)));
    if (!file.open(QIODevice::ReadOnly))
        QSKIP("skipped: the shared peer traces are not here");
    const Json expected = Json::parse(file.readAll().toStdString());
    const auto input =
        importers::Input::open(test::sharedFile(QStringLiteral("peer/%1.xplane.pb.gz").arg(name)).toStdString());
    QVERIFY(input);
    const auto head = (*input)->head();
    QVERIFY(probe({head.data(), head.size()}) > 0.9);
    const auto trace = test::importWith(*importers::makeXplaneImporter(), **input);
    QCOMPARE(trace->outcome(), std::string("ok"));
    QVERIFY(trace->writer.violations.empty());
    QVERIFY(trace->writer.sources[0].clock == ClockBasis::Epoch);
    QCOMPARE(trace->summary->links, trace->summary->gpuOps);
    for (const Json &plane : expected["planes"]) {
        checkPlane(*trace, plane);
        if (QTest::currentTestFailed())
            return;
    }
}

void XplaneTest::checkPlane(const Trace &trace, const Json &plane) {
    const auto &writer = trace.writer;
    const std::string name = plane["plane"];
    const bool gpu = name.rfind("/device:GPU:", 0) == 0;
    const std::string process = gpu ? "GPU " + name.substr(12) : name;
    std::map<std::string, std::int64_t> byStream;
    std::map<std::string, std::pair<std::int64_t, Ns>> byName;
    std::vector<TimeRange> copies, all, computation;
    std::int64_t events = 0;
    for (const SliceRow &row : writer.slices) {
        const TrackRow &track = writer.track(row.track);
        if (writer.processes.at(static_cast<std::size_t>(track.process.value - 1)).pid != process)
            continue;
        ++events;
        if (!gpu)
            continue;
        ++byStream[track.stream];
        auto &sum = byName[writer.text(row.name)];
        sum = {sum.first + 1, sum.second + row.dur};
        const bool copy = writer.classes.at(row.name.value).opClass == "copy";
        (copy ? copies : computation).push_back({row.ts, row.ts + row.dur});
        all.push_back({row.ts, row.ts + row.dur});
    }
    QCOMPARE(events, plane["events"].get<std::int64_t>());
    if (!plane.contains("gpu_timeline_ms"))
        return;
    for (const Json &stream : plane["streams"])
        QCOMPARE(byStream[std::to_string(stream["line_id"].get<int>())], stream["events"].get<std::int64_t>());
    for (const Json &top : plane["top_events"]) {
        std::pair<std::int64_t, Ns> found;
        for (const auto &[own, sum] : byName)
            if (own.substr(0, 200) == top["name"].get<std::string>().substr(0, 200))
                found = {found.first + sum.first, found.second + sum.second};
        QCOMPARE(found.first, top["count"].get<std::int64_t>());
        QVERIFY(std::abs(static_cast<double>(found.second) / 1e3 - top["total_us"].get<double>()) < 0.05);
    }
    const Json &wanted = plane["gpu_timeline_ms"];
    const auto busy = analysis::unionOf(all);
    const auto close = [&](const char *key, Ns own) {
        return std::abs(static_cast<double>(own) / 1e6 - wanted[key].get<double>()) <=
               1e-3 * wanted[key].get<double>() + 1e-6;
    };
    QVERIFY(close("busy_time", analysis::length(busy)));
    QVERIFY(close("computation_time", analysis::length(analysis::unionOf(computation))));
    QVERIFY(close("total_memcpy_time", analysis::length(analysis::unionOf(copies))));
    QVERIFY(close("total_time", busy.back().end - busy.front().begin));
}

QTEST_APPLESS_MAIN(XplaneTest)
#include "tst_xplane.moc"
