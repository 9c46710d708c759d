#include "importers/nsys/nsys_columns.h"
#include "importers/nsys/nsys_importer.h"
#include "tests/support/recording_writer.h"
#include "tests/support/shared_files.h"

#include <QTest>

using namespace wattproof;
using namespace wattproof::importers;

namespace {

const std::string kHeader =
    "Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem (MB),DymSMem (MB),Bytes (MB),"
    "Throughput (MB/s),SrcMemKd,DstMemKd,Device,Ctx,GreenCtx,Strm,Name\n";
const std::string kCopy =
    "310086272,149853,129,,,,,,,,,,2.097,13994.295,Pageable,Device,NVIDIA RTX A4500 (0),1,,7,[CUDA memcpy "
    "Host-to-Device]\n";
const std::string kKernel =
    "325307025,7552,252,8,8,1,64,4,1,40,0.000,0.000,,,,,NVIDIA RTX A4500 (0),1,,7,advectVelocity_k\n";

struct Trace {
    test::RecordingWriter writer;
    Expected<Summary> summary = failure("not imported");
};

std::unique_ptr<Trace> import(Input &input) {
    auto trace = std::make_unique<Trace>();
    trace->summary = makeNsysImporter()->import(input, trace->writer, {}, Task{});
    return trace;
}

std::unique_ptr<Trace> importText(const std::string &text) {
    const auto input = Input::fromBytes(text, "gpu.csv");
    return import(*input);
}

double probe(const std::string &text) {
    return makeNsysImporter()->probe({text.data(), text.size()}, "x.csv");
}

}  // namespace

class NsysTest : public QObject {
    Q_OBJECT

private slots:
    void headerIsKnownInOldAndNewSpelling();
    void kernelsAndCopiesAreRead();
    void streamsAndDevicesAreTracks();
    void copyKindsFollowNameAndMemory_data();
    void copyKindsFollowNameAndMemory();
    void otherTimeUnitsAreExact();
    void cutLastRowIsAWarning();
    void quotedNamesKeepTheirCommas();
    void realReportIsWhole();
};

void NsysTest::headerIsKnownInOldAndNewSpelling() {
    QCOMPARE(probe(kHeader + kCopy), 1.0);
    QCOMPARE(probe("Processing [a.sqlite] with [cuda_gpu_trace.py]...\n" + kHeader), 1.0);
    QCOMPARE(probe("Start(nsec),Duration(nsec),CorrId,Device,Strm,Name\n"), 1.0);
    QCOMPARE(probe("timestamp, power.draw [W]\n"), 0.0);
    QCOMPARE(probe("{\"traceEvents\": []}"), 0.0);
}

void NsysTest::kernelsAndCopiesAreRead() {
    const auto trace = importText(kHeader + kCopy + kKernel);
    QVERIFY2(trace->summary.has_value(), trace->summary ? "" : trace->summary.error().sentence().c_str());
    QVERIFY(trace->writer.violations.empty());
    QCOMPARE(trace->summary->slices, std::int64_t{2});
    QCOMPARE(trace->summary->gpuOps, std::int64_t{2});
    QVERIFY(trace->writer.sources[0].clock == ClockBasis::Relative);
    QCOMPARE(trace->writer.sources[0].statedBase, Ns{310086272});
    const GpuOpRow *copy = nullptr, *kernel = nullptr;
    for (const GpuOpRow &op : trace->writer.gpuOps)
        (op.activity == GpuActivity::Memcpy ? copy : kernel) = &op;
    QVERIFY(copy && kernel);
    QCOMPARE(copy->bytes, std::optional<std::int64_t>(2097000));
    QVERIFY(copy->copyKind == CopyKind::HostToDevice);
    QCOMPARE(copy->correlation, std::int64_t{129});
    QVERIFY(kernel->grid == (std::array<std::int64_t, 3>{8, 8, 1}));
    QVERIFY(kernel->block == (std::array<std::int64_t, 3>{64, 4, 1}));
    const SliceRow &slice = trace->writer.slice(kernel->slice);
    QCOMPARE(slice.ts, Ns{325307025 - 310086272});
    QCOMPARE(slice.dur, Ns{7552});
    QCOMPARE(trace->writer.argument(slice, "Reg/Trd"), std::optional<std::string>("40.0"));
}

void NsysTest::streamsAndDevicesAreTracks() {
    const auto trace =
        importText(kHeader + kKernel + "325307030,100,253,1,1,1,1,1,1,40,0,0,,,,,NVIDIA RTX A4500 (1),1,,7,k\n" +
                   "325307040,100,254,1,1,1,1,1,1,40,0,0,,,,,NVIDIA RTX A4500 (1),2,,9,k\n");
    QVERIFY(trace->summary);
    QCOMPARE(trace->writer.devices.size(), std::size_t{2});
    QCOMPARE(trace->writer.devices[1].name, std::string("GPU 1"));
    QCOMPARE(trace->writer.devices[1].model, std::string("NVIDIA RTX A4500"));
    QCOMPARE(trace->writer.tracks.size(), std::size_t{3});
    QVERIFY(trace->writer.tracks[0].kind == TrackKind::GpuStream);
    QCOMPARE(trace->writer.tracks[0].stream, std::string("7"));
    QVERIFY(trace->writer.tracks[2].name.find("context 2") != std::string::npos);
}

void NsysTest::copyKindsFollowNameAndMemory_data() {
    QTest::addColumn<QByteArray>("row");
    QTest::addColumn<int>("kind");
    const auto add = [](const char *memory, const char *name, CopyKind kind) {
        QTest::newRow(name) << QByteArray("1,1,1,,,,,,,,,,1.0,1.0,") + memory + ",GPU (0),1,,7,[CUDA memcpy " +
                                   name + "]\n"
                            << static_cast<int>(kind);
    };
    add("Pageable,Device", "Host-to-Device", CopyKind::HostToDevice);
    add("Device,Pinned", "Device-to-Host", CopyKind::DeviceToHost);
    add("Device,Array", "Device-to-Array", CopyKind::DeviceToDevice);
    add("Array,Pinned", "Array-to-Host", CopyKind::DeviceToHost);
    add("Device,Device", "Peer-to-Peer", CopyKind::PeerToPeer);
    add(",", "DtoH", CopyKind::DeviceToHost);
    add("Pinned,Device", "Unified", CopyKind::HostToDevice);
    add(",", "Unified other", CopyKind::Other);
}

void NsysTest::copyKindsFollowNameAndMemory() {
    QFETCH(QByteArray, row);
    QFETCH(int, kind);
    const auto trace = importText(kHeader + row.toStdString());
    QVERIFY(trace->summary);
    QCOMPARE(static_cast<int>(trace->writer.gpuOps.at(0).copyKind), kind);
}

void NsysTest::otherTimeUnitsAreExact() {
    const auto trace = importText(
        "Start (us),Duration (us),CorrId,Device,Strm,Name\n310086.272,149.853,1,A (0),7,k\n310236.125,1,2,A "
        "(0),7,k\n");
    QVERIFY(trace->summary);
    QCOMPARE(trace->writer.slices[0].dur, Ns{149853});
    QCOMPARE(trace->writer.slices[1].ts, Ns{149853});
}

void NsysTest::cutLastRowIsAWarning() {
    const auto trace = importText(kHeader + kKernel + "325329201,4608,256,512,1,1,64");
    QVERIFY(trace->summary);
    QCOMPARE(trace->summary->slices, std::int64_t{1});
    QCOMPARE(trace->writer.warningCount("truncated_input"), std::int64_t{1});
    const auto broken = importText(kHeader + "x,y,z\n" + kKernel);
    QCOMPARE(broken->writer.warningCount("malformed_row"), std::int64_t{1});
}

void NsysTest::quotedNamesKeepTheirCommas() {
    const auto trace =
        importText(kHeader + "1,1,1,1,1,1,1,1,1,4,0,0,,,,,A (0),1,,7,\"void f<int, float>(int)\"\n");
    QVERIFY(trace->summary);
    QVERIFY(trace->writer.findSlice("void f<int, float>(int)"));
}

void NsysTest::realReportIsWhole() {
    WATTPROOF_SHARED_OR_SKIP(path, "powerlogs/nvidia-smi-query/rtxa4500_fluidsgl_nsys_cuda_gpu_trace.csv");
    const auto input = Input::open(path.toStdString());
    QVERIFY(input);
    const auto trace = import(**input);
    QVERIFY2(trace->summary.has_value(), trace->summary ? "" : trace->summary.error().sentence().c_str());
    QVERIFY(trace->writer.violations.empty());
    QCOMPARE(trace->summary->slices, std::int64_t{1879});
    int copies = 0;
    for (const GpuOpRow &op : trace->writer.gpuOps)
        copies += op.activity == GpuActivity::Memcpy;
    QCOMPARE(copies, 142);
    QCOMPARE(trace->writer.devices.at(0).model, std::string("NVIDIA RTX A4500"));
    QCOMPARE(trace->writer.warningCount("overlapping_slice"), std::int64_t{0});
}

QTEST_APPLESS_MAIN(NsysTest)
#include "tst_nsys.moc"
