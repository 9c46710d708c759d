// SQLite exports of Nsight Systems: small ones of every kind of row, damage, and real ones with their facts.
#include "importers/sqlite_export/sqlite_export_importer.h"
#include "store/foreign_database.h"
#include "tests/support/foreign_file.h"
#include "tests/support/import_with.h"
#include "tests/support/shared_files.h"

#include <algorithm>
#include <map>

#include <QFile>
#include <QTest>
#include <nlohmann/json.hpp>

using namespace wattproof;
using Json = nlohmann::json;

namespace {

// Thread 5 of process 9, and of process 10.
constexpr const char *kTid = "281474976710656 + (9 << 24) + 5";
constexpr const char *kPid = "281474976710656 + (9 << 24)";
constexpr const char *kOtherPid = "281474976710656 + (10 << 24)";

std::string withIds(std::string sql) {
    for (const auto &[mark, id] :
         {std::pair{"$TID", kTid}, std::pair{"$PID", kPid}, std::pair{"$OTHER", kOtherPid}})
        for (std::size_t at = sql.find(mark); at != std::string::npos; at = sql.find(mark))
            sql.replace(at, std::string(mark).size(), id);
    return sql;
}

const std::string kBase = R"(
    CREATE TABLE StringIds(id INT, value TEXT);
    INSERT INTO StringIds VALUES (1, 'cudaLaunchKernel_v7000'), (2, 'void gemm_kernel<float>(int)'), (3, 'gemm_kernel'),
        (4, 'main thread'), (5, 'forward'), (6, 'cuMemAlloc_v2'), (7, 'read');
    CREATE TABLE META_DATA_EXPORT(name TEXT, value TEXT);
    INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_SCHEMA_VERSION', '3.24.0'), ('EXPORT_SCHEMA_VERSION_MAJOR', '3'),
        ('EXPORT_USER', 'secret');
    CREATE TABLE TARGET_INFO_SESSION_START_TIME(utcEpochNs INT);
    INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (1767718840000000000);
    CREATE TABLE TARGET_INFO_SYSTEM_ENV(globalVid INT, devStateName TEXT, name TEXT, nameEnum INT, value TEXT);
    INSERT INTO TARGET_INFO_SYSTEM_ENV VALUES (0, '', 'NvDriverVersion', 205, '591.44'),
        (0, '', 'DeviceEnvironment', 610, 'TOKEN=secret');
    CREATE TABLE TARGET_INFO_GPU(id INT, name TEXT, busLocation TEXT, uuid TEXT, cuDevice INT, smCount INT);
    INSERT INTO TARGET_INFO_GPU VALUES (1, 'NVIDIA A40', '0000:41:00.0', 'aaaa-1', 0, 84),
        (0, 'NVIDIA A100', '0000:81:00.0', 'bbbb-0', 1, 108);
    CREATE TABLE TARGET_INFO_CUDA_DEVICE(gpuId INT, cudaId INT, pid INT);
    INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (1, 0, 9), (0, 0, 10);
    CREATE TABLE PROCESSES(globalPid INT, pid INT, name TEXT);
    INSERT INTO PROCESSES VALUES ($PID, 9, './train');
    CREATE TABLE ThreadNames(nameId INT, priority INT, globalTid INT);
    INSERT INTO ThreadNames VALUES (4, 20, $TID);
)";

const std::string kActivity = R"(
    CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start INT, end INT, eventClass INT, globalTid INT, correlationId INT,
        nameId INT, returnValue INT);
    INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1000, 1500, 0, $TID, 11, 1, 0), (1600, 1700, 1, $TID, 12, 6, 2),
        (1000, 1400, 0, $OTHER + 1, 11, 1, 0);
    CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INT, end INT, deviceId INT, contextId INT, streamId INT,
        correlationId INT, globalPid INT, demangledName INT, shortName INT, gridX INT, gridY INT, gridZ INT,
        blockX INT, blockY INT, blockZ INT, registersPerThread INT);
    INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES
        (2000, 3000, 0, 1, 7, 11, $PID, 2, 3, 8, 4, 1, 128, 1, 1, 40),
        (2000, 3500, 0, 1, 7, 11, $OTHER, 2, 3, 8, 4, 1, 128, 1, 1, 40),
        (NULL, 9000, 0, 1, 7, 13, $PID, 2, 3, 1, 1, 1, 1, 1, 1, 1);
    CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY(start INT, end INT, deviceId INT, contextId INT, streamId INT,
        correlationId INT, globalPid INT, bytes INT, copyKind INT, srcKind INT, dstKind INT);
    INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (4000, 4100, 0, 1, 7, 14, $PID, 4096, 2, 2, 0);
    CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET(start INT, end INT, deviceId INT, contextId INT, streamId INT,
        correlationId INT, globalPid INT, value INT, bytes INT);
    INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (4200, 4300, 0, 2, 9, 15, $PID, 0, 512);
    CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION(start INT, end INT, deviceId INT, contextId INT, streamId INT,
        correlationId INT, globalPid INT, syncType INT);
    INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (4400, 4500, 0, 1, 4294967295, 16, $PID, 4);
    CREATE TABLE ENUM_CUPTI_SYNC_TYPE(id INT, name TEXT, label TEXT);
    INSERT INTO ENUM_CUPTI_SYNC_TYPE VALUES (4, 'X', 'Context sync');
)";

const std::string kRest = R"(
    CREATE TABLE NVTX_EVENTS(start INT, end INT, eventType INT, text TEXT, textId INT, domainId INT, globalTid INT);
    INSERT INTO NVTX_EVENTS VALUES (900, 5000, 59, NULL, 5, 3, $TID), (950, NULL, 34, 'epoch 1', NULL, 0, $TID),
        (100, 6000, 60, 'job', NULL, 0, $TID), (200, NULL, 60, 'open job', NULL, 0, $TID),
        (0, NULL, 75, 'layers', NULL, 3, $TID), (1, 2, 33, 'odd', NULL, 0, $TID);
    CREATE TABLE OSRT_API(start INT, end INT, globalTid INT, nameId INT);
    INSERT INTO OSRT_API VALUES (1100, 1200, $TID, 7);
    CREATE TABLE TARGET_INFO_GPU_METRICS(typeId INT, metricId INT, metricName TEXT);
    INSERT INTO TARGET_INFO_GPU_METRICS VALUES (1099511627777, 3, 'SM Active [Throughput %]');
    CREATE TABLE GPU_METRICS(timestamp INT, typeId INT, metricId INT, value INT);
    INSERT INTO GPU_METRICS VALUES (1000, 1099511627777, 3, 55), (2000, 1099511627777, 3, 60);
    CREATE TABLE DIAGNOSTIC_EVENT(timestamp INT, severity INT, text TEXT);
    INSERT INTO DIAGNOSTIC_EVENT VALUES (5, 1, 'fine'), (6, 2, 'Events were dropped.');
    CREATE TABLE PROFILER_OVERHEAD(start INT, end INT, globalTid INT, nameId INT);
    INSERT INTO PROFILER_OVERHEAD VALUES (0, 2000000, $TID, 1);
    CREATE TABLE SCHED_EVENTS(start INT, cpu INT, isSchedIn INT, globalTid INT);
    INSERT INTO SCHED_EVENTS VALUES (1, 1, 1, $TID);
)";

std::unique_ptr<test::ImportRun> importExport(const std::string &sql) {
    const test::ForeignFile file(withIds(sql));
    if (!file.error().empty())
        qWarning("%s", file.error().c_str());
    return test::importFile(*importers::makeSqliteExportImporter(), file.path());
}

const DeviceRow &deviceOf(const test::ImportRun &run, const GpuOpRow &op) {
    return run.writer.devices.at(static_cast<std::size_t>(op.device.value - 1));
}

}  // namespace

class NsysSqliteTest : public QObject {
    Q_OBJECT

private slots:
    void gpuWorkIsRead();
    void ordinalsBelongToTheirProcess();
    void launchesAreLinkedWithinTheirProcess();
    void hostRangesAreOnTheirThread();
    void nvtxHasItsShapes();
    void metricsAreCounters();
    void theMachineIsDescribedWithoutItsSecrets();
    void whatTheProfilerReportedIsCounted();
    void missingTablesAndColumnsAreNoError();
    void wrongTypesAreNoCrash();
    void oddBytesOfNamesAreShownAsDamage();
    void compressedAndCutFilesAreRead();
    void otherDatabasesAreRefused();
    void realExportsAgree_data();
    void realExportsAgree();
};

void NsysSqliteTest::gpuWorkIsRead() {
    const auto run = importExport(kBase + kActivity + kRest);
    QCOMPARE(run->outcome(), std::string("ok"));
    QCOMPARE(run->writer.violations.size(), std::size_t{0});
    QCOMPARE(run->summary->gpuOps, std::int64_t{4});
    QCOMPARE(run->summary->format, std::string("nsys-sqlite"));
    QVERIFY(run->writer.sources[0].clock == ClockBasis::Epoch);
    const GpuOpRow *kernel = run->operation("void gemm_kernel<float>(int)");
    QVERIFY(kernel);
    QVERIFY(kernel->grid == (std::array<std::int64_t, 3>{8, 4, 1}));
    QCOMPARE(kernel->stream, std::string("7"));
    QCOMPARE(run->writer.argument(run->writer.slice(kernel->slice), "registersPerThread"),
             std::optional<std::string>("40"));
    const GpuOpRow *copy = run->operation("[CUDA memcpy DtoH]"), *set = run->operation("[CUDA memset]");
    QVERIFY(copy && set);
    QVERIFY(copy->copyKind == CopyKind::DeviceToHost && copy->bytes == std::optional<std::int64_t>(4096));
    QCOMPARE(run->writer.argument(run->writer.slice(copy->slice), "destination"),
             std::optional<std::string>("\"Pageable\""));
    QVERIFY(set->activity == GpuActivity::Memset);
    QVERIFY(run->writer.track(run->writer.slice(set->slice).track).name.find("context 2") != std::string::npos);
    QCOMPARE(run->writer.warningCount("missing_field"), std::int64_t{1});
    const SliceRow *wait = run->writer.findSlice("Context sync");
    QVERIFY(wait && run->writer.track(wait->track).kind == TrackKind::Async);
}

// Ordinal 0 is another GPU in each process.
void NsysSqliteTest::ordinalsBelongToTheirProcess() {
    const auto run = importExport(kBase + kActivity);
    std::map<Ns, std::string> models;
    for (const GpuOpRow &op : run->writer.gpuOps)
        if (op.activity == GpuActivity::Kernel)
            models[run->writer.slice(op.slice).dur] = deviceOf(*run, op).model;
    QVERIFY(models == (std::map<Ns, std::string>{{1000, "NVIDIA A40"}, {1500, "NVIDIA A100"}}));
    QCOMPARE(run->writer.devices[0].uuid, std::string("GPU-aaaa-1"));
    QCOMPARE(run->writer.devices[0].pci, std::string("0000:41:00.0"));
    QCOMPARE(run->writer.devices[0].name, std::string("GPU 0"));
}

void NsysSqliteTest::launchesAreLinkedWithinTheirProcess() {
    const auto run = importExport(kBase + kActivity);
    QCOMPARE(run->summary->links, std::int64_t{2});
    for (const GpuOpRow &op : run->writer.gpuOps) {
        if (op.activity != GpuActivity::Kernel)
            continue;
        const SliceRow &launch = run->writer.slice(op.launch);
        QCOMPARE(launch.dur, run->writer.slice(op.slice).dur == 1000 ? Ns{500} : Ns{400});
    }
}

void NsysSqliteTest::hostRangesAreOnTheirThread() {
    const auto run = importExport(kBase + kActivity + kRest);
    const SliceRow *launch = run->writer.findSlice("cudaLaunchKernel"), *call = run->writer.findSlice("read");
    const SliceRow *driver = run->writer.findSlice("cuMemAlloc_v2");
    QVERIFY(launch && call && driver);
    QCOMPARE(run->writer.text(driver->category), std::string("cuda_driver"));
    QCOMPARE(run->writer.argument(*driver, "returnValue"), std::optional<std::string>("2"));
    QCOMPARE(run->writer.text(call->category), std::string("os_runtime"));
    QVERIFY(call->parent == launch->id);
    const TrackRow &track = run->writer.track(call->track);
    QCOMPARE(track.name, std::string("main thread"));
    QCOMPARE(run->writer.threads.at(static_cast<std::size_t>(track.thread.value - 1)).tid, std::string("5"));
    const ProcessRow &process = run->writer.processes.at(static_cast<std::size_t>(track.process.value - 1));
    QCOMPARE(process.pid + process.name, std::string("9./train"));
}

void NsysSqliteTest::nvtxHasItsShapes() {
    const auto run = importExport(kBase + kActivity + kRest);
    const SliceRow *range = run->writer.findSlice("forward"), *mark = run->writer.findSlice("epoch 1");
    const SliceRow *job = run->writer.findSlice("job"), *open = run->writer.findSlice("open job");
    QVERIFY(range && mark && job && open);
    QVERIFY(run->writer.findSlice("cudaLaunchKernel")->parent == range->id);
    QCOMPARE(run->writer.argument(*range, "domain"), std::optional<std::string>("\"layers\""));
    QCOMPARE(run->writer.text(range->category), std::string("user_annotation"));
    QVERIFY(mark->kind == SliceKind::Instant);
    QCOMPARE(job->dur, Ns{5900});
    QVERIFY(run->writer.track(job->track).kind == TrackKind::Async);
    QVERIFY(open->state == SliceState::Unfinished);
    QCOMPARE(run->writer.warningCount("unsupported_phase"), std::int64_t{1});
}

void NsysSqliteTest::metricsAreCounters() {
    const auto run = importExport(kBase + kRest);
    const CounterRow *metric = run->writer.findCounter("SM Active [Throughput %]");
    QVERIFY(metric);
    QCOMPARE(run->writer.samples[metric->id.value].size(), std::size_t{2});
    QCOMPARE(run->writer.samples[metric->id.value][1].value, 60.0);
    QCOMPARE(run->writer.devices.at(static_cast<std::size_t>(metric->device.value - 1)).model,
             std::string("NVIDIA A40"));
}

void NsysSqliteTest::theMachineIsDescribedWithoutItsSecrets() {
    const auto run = importExport(kBase + kActivity);
    QCOMPARE(run->writer.metadataValue("driver_version"), std::string("591.44"));
    QCOMPARE(run->writer.metadataValue("schema_version"), std::string("3.24.0"));
    QCOMPARE(run->writer.metadataValue("gpu.0.sm_count"), std::string("108"));
    for (const MetadataRow &row : run->writer.metadata)
        QVERIFY(row.value.find("secret") == std::string::npos);
}

void NsysSqliteTest::whatTheProfilerReportedIsCounted() {
    const auto run = importExport(kBase + kRest);
    QCOMPARE(run->writer.warningCount("profiler_warning"), std::int64_t{1});
    QCOMPARE(run->writer.metadataValue("profiler_warning"), std::string("Events were dropped."));
    QCOMPARE(run->writer.metadataValue("profiler_overhead_ns"), std::string("2000000"));
    QCOMPARE(run->writer.metadataValue("tables_not_shown"), std::string("SCHED_EVENTS"));
    QCOMPARE(run->writer.findWarning("profiler_warning")->firstPosition.rfind("record ", 0), std::size_t{0});
}

void NsysSqliteTest::missingTablesAndColumnsAreNoError() {
    const auto none = importExport("CREATE TABLE StringIds(id INT, value TEXT); CREATE TABLE EXPORT_META_DATA(x)");
    QCOMPARE(none->outcome(), std::string("ok"));
    QCOMPARE(none->writer.warningCount("no_events"), std::int64_t{1});
    const auto few = importExport(
        "CREATE TABLE StringIds(id INT); CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INT, "
        "end INT); INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1, 2)");
    QCOMPARE(few->outcome(), std::string("ok"));
    QVERIFY(few->operation("[unnamed kernel]"));
    QVERIFY(few->writer.sources[0].clock == ClockBasis::Relative);
}

void NsysSqliteTest::wrongTypesAreNoCrash() {
    const test::ForeignFile probe(withIds(kBase + kActivity + kRest));
    const auto database = store::ForeignDatabase::open(probe.path());
    QVERIFY(database);
    const std::vector<std::string> odd{"'text'", "NULL",    "-9223372036854775808",
                                       "1e300",  "x'00ff'", "9223372036854775807"};
    std::size_t turn = 0;
    for (const auto &[table, columns] : (*database)->tables())
        for (const std::string &column : columns) {
            const auto run = importExport("BEGIN;" + kBase + kActivity + kRest + "UPDATE \"" + table +
                                          "\" SET \"" + column + "\" = " + odd[turn++ % odd.size()] + "; COMMIT");
            QVERIFY(run->writer.violations.empty());
        }
}

void NsysSqliteTest::oddBytesOfNamesAreShownAsDamage() {
    const auto run = importExport(kBase + kActivity +
                                  "UPDATE StringIds SET value = CAST(x'67e96d' AS TEXT) WHERE id = 2;"
                                  "UPDATE TARGET_INFO_GPU SET name = CAST(x'41b0' AS TEXT);");
    QCOMPARE(run->outcome(), std::string("ok"));
    QCOMPARE(run->writer.violations.size(), std::size_t{0});
    QVERIFY(run->operation("g\xef\xbf\xbdm"));
    QCOMPARE(run->writer.devices[0].model, std::string("A\xef\xbf\xbd"));
}

void NsysSqliteTest::compressedAndCutFilesAreRead() {
    const test::ForeignFile file(withIds(kBase + kActivity + kRest));
    QFile raw(QString::fromStdString(file.path()));
    QVERIFY(raw.open(QIODevice::ReadOnly));
    const QByteArray bytes = raw.readAll();
    const auto importer = importers::makeSqliteExportImporter();
    const auto whole = test::importBytes(*importer, bytes.toStdString(), "memory.sqlite");
    QCOMPARE(whole->outcome(), std::string("ok"));
    QCOMPARE(whole->summary->gpuOps, std::int64_t{4});
    const auto cut =
        test::importBytes(*importer, bytes.left(bytes.size() - 4096 * 6).toStdString(), "memory.sqlite");
    QCOMPARE(cut->outcome(), std::string("ok"));
    QVERIFY(cut->writer.warningCount("truncated_input") > 1);
    for (qsizetype size = 1; size < bytes.size(); size += 1777) {
        const auto run = test::importBytes(*importer, bytes.left(size).toStdString(), "memory.sqlite");
        QVERIFY(run->writer.violations.empty());
        QVERIFY(!run->summary || run->writer.warningCount("truncated_input") > 0);
    }
}

void NsysSqliteTest::otherDatabasesAreRefused() {
    const auto run = importExport("CREATE TABLE customers(name TEXT)");
    QVERIFY(run->outcome().find("no export of a profiler that is known (its tables: customers)") !=
            std::string::npos);
    const auto text = test::importBytes(*importers::makeSqliteExportImporter(), "{}", "x");
    QVERIFY(text->outcome().find("no SQLite database") != std::string::npos);
}

void NsysSqliteTest::realExportsAgree_data() {
    QTest::addColumn<QString>("name");
    for (const char *name : {"nsys_cardiac", "nsys_cuda_sandbox", "nsys_cutlass"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

void NsysSqliteTest::realExportsAgree() {
    QFETCH(QString, name);
    const QString path = test::sharedFile(QStringLiteral("corpus/nsys/%1.sqlite").arg(name));
    QFile factsFile(path + QStringLiteral(".facts.json"));
    if (path.isEmpty() || !factsFile.open(QIODevice::ReadOnly))
        QSKIP("skipped: the shared nsys exports are not here");
    const Json facts = Json::parse(factsFile.readAll().toStdString())["members"][0]["nsys"];
    const auto run = test::importFile(*importers::makeSqliteExportImporter(), path.toStdString());
    QCOMPARE(run->outcome(), std::string("ok"));
    QVERIFY(run->writer.violations.empty());
    std::int64_t kernels = 0, copies = 0, bytes = 0, runtime = 0, osCalls = 0;
    Ns kernelSum = 0, copySum = 0;
    for (const GpuOpRow &op : run->writer.gpuOps) {
        const Ns dur = run->writer.slice(op.slice).dur;
        const bool kernel = op.activity == GpuActivity::Kernel;
        (kernel ? kernels : copies) += 1;
        (kernel ? kernelSum : copySum) += dur;
        bytes += kernel ? 0 : op.bytes.value_or(0);
    }
    for (const SliceRow &row : run->writer.slices) {
        const std::string &category = run->writer.text(row.category);
        runtime += category == "cuda_runtime" || category == "cuda_driver" ? 1 : 0;
        osCalls += category == "os_runtime" ? 1 : 0;
    }
    const auto fact = [&](const char *table, const char *key) {
        return facts.contains(table) ? facts[table].value(key, std::int64_t{0}) : 0;
    };
    QCOMPARE(kernels, fact("kernels", "count"));
    QCOMPARE(copies, fact("memcpy", "count"));
    QCOMPARE(copySum, fact("memcpy", "sum_dur_ns"));
    QCOMPARE(bytes, fact("memcpy", "bytes"));
    QCOMPARE(runtime, fact("runtime_api", "count"));
    QCOMPARE(osCalls, fact("osrt", "count"));
    QCOMPARE(run->summary->links, run->summary->gpuOps);
    if (kernels > 0)
        QCOMPARE(kernelSum, facts["kernels"]["per_device_stream"][0]["sum_dur_ns"].get<Ns>());
    QVERIFY(!run->writer.metadataValue("driver_version").empty());
}

QTEST_APPLESS_MAIN(NsysSqliteTest)
#include "tst_nsys_sqlite.moc"
