#include "store/edits.h"
#include "store/reader.h"
#include "tests/support/temporary_workspace.h"

#include <memory>

#include <QTest>

using namespace wattproof;
using namespace wattproof::store;
using namespace wattproof::test;

namespace {

constexpr Ns kBase = 1'700'000'000'000'000'000;

// One trace and one power log, every kind of row once or twice.
void fillEverything(BulkWriter &writer) {
    const SourceId trace = require(writer.addSource(traceSource(kBase)));
    DeviceRow gpu;
    gpu.source = trace;
    gpu.host = "node1";
    gpu.name = "GPU 0";
    gpu.nativeId = "0";
    gpu.uuid = "GPU-1";
    const DeviceId device = writer.addDevice(gpu);
    ProcessRow process{{}, trace, "77", "python", "main", 3};
    const ProcessId processId = writer.addProcess(process);
    writer.addProcess({{}, trace, "Spans", "", "", std::nullopt});
    const ThreadId thread = writer.addThread({{}, trace, processId, "78", "worker", std::nullopt});
    TrackRow host;
    host.source = trace;
    host.name = "worker";
    host.process = processId;
    host.thread = thread;
    const TrackId hostTrack = writer.addTrack(host);
    TrackRow stream = host;
    stream.kind = TrackKind::GpuStream;
    stream.name = "stream 7";
    stream.device = device;
    stream.stream = "7";
    const TrackId streamTrack = writer.addTrack(stream);

    const auto shape = writer.internArgShape(R"(["Input Dims","External id","a b"])");
    const ArgSetId args = writer.addArgs(shape, R"([[[2,3],[]],42,{"x":{"y z":null},"t":true}])");
    const StringId launch = writer.intern("cudaLaunchKernel");
    const StringId kernel = writer.intern("gemm");
    std::vector<SliceRow> calls{sliceAt(0, 1000, writer.intern("step")), sliceAt(100, 50, launch, 1)};
    calls[0].args = args;
    calls[1].category = writer.intern("cuda_runtime");
    const std::vector<std::int32_t> parents{-1, 0};
    require(writer.writeTrackSlices(hostTrack, calls, parents));
    std::vector<SliceRow> kernels{sliceAt(200, 500, kernel), sliceAt(900, 0, kernel)};
    kernels[1].kind = SliceKind::Instant;
    kernels[1].state = SliceState::UnmatchedEnd;
    require(writer.writeTrackSlices(streamTrack, kernels, std::vector<std::int32_t>{-1, -1}));
    writer.classifyName(kernel, "gemm", "bf16");
    GpuOpRow op;
    op.slice = kernels[0].id;
    op.device = device;
    op.stream = "7";
    op.correlation = 5;
    op.grid = {{1, 2, 3}};
    op.block = {{4, 5, 6}};
    op.occupancy = 0.5;
    op.launch = calls[1].id;
    require(writer.writeGpuOps(std::vector{op}));
    require(writer.writeFlows(std::vector{FlowRow{{}, calls[1].id, kernels[0].id, writer.intern("ac2g"), {}}}));
    require(writer.writeThreadStates(std::vector{ThreadStateRow{thread, 10, 20, ThreadState::Sleeping, 3}}));
    writer.addMetadata({trace, "driver", "550"});
    writer.addWarning({trace, "missing_value", 1, "byte 5", "one"});
    writer.addWarning({trace, "missing_value", 2, "byte 9", "one"});
    require(writer.finishSource(trace));

    SourceRow log = traceSource(kBase + 500, "bb");
    log.kind = SourceKind::Power;
    log.path = "/data/power.csv";
    log.clock = ClockBasis::WallAssumedZone;
    const SourceId power = require(writer.addSource(log));
    CounterRow counter;
    counter.source = power;
    counter.name = "power.draw";
    counter.quantity = "power";
    counter.unit = "W";
    counter.sensor.period = 100;
    const CounterId draw = writer.addCounter(counter);
    require(writer.writeSamples(draw, std::vector{Sample{0, 10}, Sample{0, 11}, Sample{100, 12.5}}));
    require(writer.writeRequests(power, std::vector{RequestRow{"r1", 5, 7, 2.0, false, R"({"k":1})"}}));
    require(writer.writeQuality(power, std::vector{QualityRow{"accuracy", "all", 0.76, 0.75, true}}));
    require(writer.finishSource(power));
}

}  // namespace

class ViewsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void everyViewOfTheContractIsThere();
    void everyViewCanBeReadWithoutTrust();
    void sourcesAndOriginTellTheStatedTime();
    void slicesKeepEveryColumn();
    void argumentsAreFlattened();
    void gpuKernelsJoinClassDeviceAndLaunch();
    void numbersStayNumbers();
    void powerLogIsOnTheSameAxis();
    void equalStampsStayApart();
    void warningsOfOneKindAreMerged();
    void flowsStatesRequestsAndQuality();
    void lookUpsNeedNoScan();

private:
    std::unique_ptr<TemporaryWorkspace> files_;
    QString ask(const std::string &sql) const { return plainText(files_->path(), sql); }
};

void ViewsTest::initTestCase() {
    files_ = std::make_unique<TemporaryWorkspace>();
    files_->create(fillEverything);
}

void ViewsTest::everyViewOfTheContractIsThere() {
    const std::pair<const char *, const char *> views[] = {
        {"sources", "id,path,kind,format,size_bytes,sha256,imported_at,tool_version,clock,offset_ns,drift_ppb"},
        {"devices", "id,source_id,host,kind,name,uuid,pci,parent_id"},
        {"metadata", "source_id,key,value"},
        {"warnings", "source_id,kind,count,first_position,message"},
        {"processes", "id,source_id,pid,name,labels,sort_index"},
        {"threads", "id,source_id,process_id,tid,name,sort_index"},
        {"tracks", "id,source_id,kind,name,process_id,thread_id,parent_id,device,stream"},
        {"slices", "id,track_id,ts,dur,depth,lane,parent_id,name,category,state,kind"},
        {"args", "slice_id,key,type,value"},
        {"thread_states", "id,source_id,thread_id,ts,dur,state,cpu"},
        {"flows", "id,from_slice,to_slice,name,category"},
        {"counters", "id,track_id,source_id,parent_id,name,device,domain,quantity,unit,kind,sensor"},
        {"samples", "counter_id,ts,value"},
        {"requests", "id,source_id,name,ts,dur,units,ok,attributes"},
        {"quality", "source_id,metric,slice,value,threshold,higher_is_better"},
        {"gpu_kernels",
         "slice_id,activity,device_id,device,stream,correlation,op_class,precision,copy_kind,grid,block,occupancy,"
         "bytes,"
         "flops,launch_slice_id"},
        {"device_states", "device_id,ts,dur,state,cause"},
        {"energy", "path,slice_id,device_id,domain,ts,dur,j,j_low,j_high"},
        {"clamps", "device_id,ts,dur,class,reason,lost_clock"},
        {"annotations", "id,ts,dur,track_id,text,author,created_at,finding_id"},
        {"findings",
         "id,rank,rule,bottleneck_class,title,recoverable_j_low,recoverable_j_high,gain_low,gain_high,confidence,"
         "json"},
    };
    for (const auto &view : views) {
        const QString columns =
            ask(std::string("SELECT group_concat(name) FROM pragma_table_info('") + view.first + "')");
        QStringList found = columns.split(','), wanted = QString::fromUtf8(view.second).split(',');
        found.sort();
        wanted.sort();
        QCOMPARE(found, wanted);
    }
}

void ViewsTest::everyViewCanBeReadWithoutTrust() {
    for (const auto &row : plainQuery(files_->path(), "SELECT name FROM sqlite_schema WHERE type = 'view'"))
        QVERIFY2(!ask("SELECT * FROM " + row[0]).startsWith("error"), row[0].c_str());
}

void ViewsTest::sourcesAndOriginTellTheStatedTime() {
    QCOMPARE(ask("SELECT value FROM metadata WHERE source_id IS NULL AND key = 'origin_ns'"),
             QString::number(kBase));
    QCOMPARE(ask("SELECT kind, format, size_bytes, clock, offset_ns, drift_ppb FROM sources ORDER BY id"),
             QStringLiteral("trace|kineto|1234|epoch|0|0\npower|kineto|1234|wall_assumed_zone|0|0"));
    QCOMPARE(ask("SELECT key, value FROM metadata WHERE source_id = 1"), QStringLiteral("driver|550"));
}

void ViewsTest::slicesKeepEveryColumn() {
    QCOMPARE(ask("SELECT id, track_id, ts, dur, depth, lane, parent_id, name, category, state, kind FROM slices"),
             QStringLiteral("1|1|0|1000|0|0|NULL|step|NULL|ok|slice\n"
                            "2|1|100|50|1|0|1|cudaLaunchKernel|cuda_runtime|ok|slice\n"
                            "3|2|200|500|0|0|NULL|gemm|NULL|ok|slice\n"
                            "4|2|900|0|0|0|NULL|gemm|NULL|unmatched_end|instant"));
}

void ViewsTest::argumentsAreFlattened() {
    QCOMPARE(ask("SELECT key, type, value FROM args WHERE slice_id = 1"),
             QStringLiteral("Input Dims[0][0]|integer|2\nInput Dims[0][1]|integer|3\nExternal id|integer|42\n"
                            "a b.x.y z|null|NULL\na b.t|true|1"));
    QCOMPARE(ask("SELECT count(*) FROM args"), QStringLiteral("5"));
}

void ViewsTest::gpuKernelsJoinClassDeviceAndLaunch() {
    QCOMPARE(ask("SELECT * FROM gpu_kernels"),
             QStringLiteral("3|kernel|1|GPU 0|7|5|gemm|bf16|NULL|1,2,3|4,5,6|0.5|NULL|NULL|2"));
}

void ViewsTest::numbersStayNumbers() {
    QCOMPARE(ask("SELECT pid, typeof(pid), sort_index FROM processes"),
             QStringLiteral("77|integer|3\nSpans|text|NULL"));
    QCOMPARE(ask("SELECT tid, typeof(tid) FROM threads"), QStringLiteral("78|integer"));
    QCOMPARE(ask("SELECT kind, device, stream FROM tracks WHERE id = 2"), QStringLiteral("gpu_stream|GPU 0|7"));
}

void ViewsTest::powerLogIsOnTheSameAxis() {
    QCOMPARE(ask("SELECT ts, value FROM samples"), QStringLiteral("500|10.0\n500|11.0\n600|12.5"));
    QCOMPARE(ask("SELECT name, quantity, unit, kind, sensor FROM counters"),
             QStringLiteral(R"(power.draw|power|W|gauge|{"kind":"measured","period_ns":100})"));
}

void ViewsTest::equalStampsStayApart() {
    QCOMPARE(ask("SELECT count(*) FROM samples WHERE counter_id = 1 AND ts = 500"), QStringLiteral("2"));
}

void ViewsTest::warningsOfOneKindAreMerged() {
    QCOMPARE(ask("SELECT kind, count, first_position FROM warnings"), QStringLiteral("missing_value|3|byte 5"));
}

void ViewsTest::flowsStatesRequestsAndQuality() {
    QCOMPARE(ask("SELECT from_slice, to_slice, name, category FROM flows"), QStringLiteral("2|3|ac2g|NULL"));
    QCOMPARE(ask("SELECT source_id, thread_id, ts, dur, state, cpu FROM thread_states"),
             QStringLiteral("1|1|10|20|sleeping|3"));
    QCOMPARE(ask("SELECT name, ts, dur, units, ok, attributes FROM requests"),
             QStringLiteral(R"(r1|505|7|2.0|0|{"k":1})"));
    QCOMPARE(ask("SELECT metric, slice, value, threshold, higher_is_better FROM quality"),
             QStringLiteral("accuracy|all|0.76|0.75|1"));
}

void ViewsTest::lookUpsNeedNoScan() {
    const char *const queries[] = {"SELECT * FROM slices WHERE id = 3",
                                   "SELECT * FROM args WHERE slice_id = 1",
                                   "SELECT * FROM gpu_kernels WHERE slice_id = 3",
                                   "SELECT * FROM slices WHERE track_id = 2",
                                   "SELECT * FROM samples WHERE counter_id = 1",
                                   "SELECT s.name FROM gpu_kernels g JOIN slices s ON s.id = g.launch_slice_id "
                                   "WHERE g.slice_id = 3"};
    for (const char *query : queries) {
        for (const auto &row : plainQuery(files_->path(), std::string("EXPLAIN QUERY PLAN ") + query)) {
            const QString step = QString::fromStdString(row.back());
            const bool scansBig =
                step.startsWith("SCAN s") || step.startsWith("SCAN g") || step.startsWith("SCAN t");
            QVERIFY2(!scansBig, qPrintable(QString::fromUtf8(query) + ": " + step));
        }
    }
}

QTEST_APPLESS_MAIN(ViewsTest)
#include "tst_views.moc"
