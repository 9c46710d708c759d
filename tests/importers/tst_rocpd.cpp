// rocpd databases of rocprofv3, made here in both layouts from what is known of them.
#include "importers/rocpd/region_names.h"
#include "importers/sqlite_export/sqlite_export_importer.h"
#include "store/foreign_database.h"
#include "tests/support/foreign_file.h"
#include "tests/support/import_with.h"

#include <algorithm>
#include <map>

#include <QTest>

using namespace wattproof;

namespace {

enum class Layout { Inline, Timestamps };

// One set of tables with the suffix and the guid of its run. Ids are the same in every set; times are shifted.
class RunSql {
public:
    RunSql(Layout layout, std::string run, int shift, std::string host = "node1")
        : layout_(layout), run_(std::move(run)), shift_(shift), host_(std::move(host)) {}

    std::string text() {
        names();
        places();
        const bool rows = layout_ == Layout::Inline;
        const std::string where =
            rows ? "nid INT, pid INT, tid INT, start INT, \"end\" INT, queue_id INT, stream_id INT, "
                   "agent_id INT, "
                 : "track_id INT, start_id INT, end_id INT, ";
        table("rocpd_kernel_dispatch",
              where +
                  "kernel_id INT, event_id INT, workgroup_size_x INT, workgroup_size_y INT, "
                  "workgroup_size_z INT, grid_size_x INT, grid_size_y INT, "
                  "grid_size_z INT, group_segment_size INT");
        work("rocpd_kernel_dispatch", 1, 2000, 3000, 1, "5, 11, 64, 4, 1, 1000, 8, 1, 4096");
        work("rocpd_kernel_dispatch", 2, 3000, 3400, 1, "6, 12, 0, 0, 0, 0, 0, 0, 0");
        table("rocpd_memory_copy",
              std::string(rows ? "nid INT, pid INT, tid INT, start INT, \"end\" INT, queue_id INT, "
                                 "stream_id INT, unused INT, "
                               : where) +
                  "name_id INT, dst_agent_id INT, src_agent_id INT, size INT, event_id INT");
        work("rocpd_memory_copy", 1, 4000, 4500, 1, "3, 1, 2, 65536, 13");
        table("rocpd_region", where + "name_id INT, event_id INT, extdata TEXT");
        work("rocpd_region", 1, 1000, 1500, 2, "2, 14, '{}'");
        work("rocpd_region", 2, 900, 6000, 2, "5, 15, '{\"message\": \"training step\"}'");
        table("rocpd_memory_allocate", where + "type TEXT, size INT, event_id INT");
        work("rocpd_memory_allocate", 1, 1550, 1600, 2, "'ALLOC', 512, 16");
        samples();
        return sql_;
    }

private:
    void table(const std::string &name, const std::string &columns) {
        sql_ +=
            "CREATE TABLE \"" + name + run_ + "\"(id INT, guid TEXT DEFAULT '" + run_ + "', " + columns + ");\n";
    }
    void row(const std::string &name, const std::string &columns, const std::string &values) {
        sql_ += "INSERT INTO \"" + name + run_ + "\"(" + columns + ") VALUES (" + values + ");\n";
    }

    void names() {
        table("rocpd_string", "string TEXT");
        int id = 0;
        for (const char *each : {"HIP_RUNTIME_API_EXT", "hipLaunchKernel", "MEMORY_COPY_DEVICE_TO_HOST",
                                 "MARKER_CORE_API", "roctxRangePushA"})
            row("rocpd_string", "id, string", std::to_string(++id) + ", '" + each + "'");
        table("rocpd_info_kernel_symbol", "kernel_name TEXT, display_name TEXT");
        row("rocpd_info_kernel_symbol", "id, kernel_name, display_name",
            "5, 'gemm.kd', 'gemm_" + host_ + "(float*)'");
        table("rocpd_metadata", "tag TEXT, value TEXT");
        row("rocpd_metadata", "tag, value", "'schema_version', '3'");
        table("rocpd_event", "category_id INT, stack_id INT");
        for (const char *event : {"16, 0, 0", "15, 4, 70", "14, 1, 77", "13, 0, 78", "12, 0, 0", "11, 0, 77"})
            row("rocpd_event", "id, category_id, stack_id", event);
    }

    void places() {
        table("rocpd_info_node", "hostname TEXT, system_name TEXT, release TEXT");
        row("rocpd_info_node", "id, hostname", "1, '" + host_ + "'");
        table("rocpd_info_process", "nid INT, pid INT, command TEXT, environment TEXT");
        row("rocpd_info_process", "id, pid, command, environment",
            "1, " + std::to_string(4242 + shift_) + ", '/opt/train --token=secret', 'TOKEN=secret'");
        table("rocpd_info_thread", "nid INT, pid INT, tid INT, name TEXT");
        row("rocpd_info_thread", "id, pid, tid, name", "1, 1, 4243, 'worker'");
        table("rocpd_info_agent", "nid INT, pid INT, type TEXT, type_index INT, name TEXT, product_name TEXT");
        row("rocpd_info_agent", "id, nid, type, type_index, product_name", "1, 1, 'CPU', 0, 'EPYC'");
        row("rocpd_info_agent", "id, nid, type, type_index, product_name",
            "2, 1, 'GPU', 3, 'AMD Instinct MI300X'");
        if (layout_ == Layout::Inline)
            return;
        table("rocpd_track", "nid INT, pid INT, tid INT, agent_id INT, queue_id INT, stream_id INT");
        row("rocpd_track", "id, nid, pid, agent_id, queue_id, stream_id", "1, 1, 1, 2, 8, 4");
        row("rocpd_track", "id, nid, pid, tid", "2, 1, 1, 1");
        table("rocpd_timestamp", "value INT, track_id INT");
    }

    // track 1: stream 4 of the GPU, track 2: thread 1
    void work(const std::string &name, int id, int start, int end, int track, const std::string &own) {
        if (layout_ == Layout::Inline) {
            sql_ += "INSERT INTO \"" + name + run_ + "\" VALUES (" + std::to_string(id) + ", '" + run_ + "', " +
                    "1, 1, 1, " + std::to_string(start + shift_) + ", " + std::to_string(end + shift_) + ", " +
                    (track == 1 ? "8, 4, 2, " : "NULL, NULL, NULL, ") + own + ");\n";
            return;
        }
        const int first = ++stamps_, second = ++stamps_;
        // Later ids carry earlier times: the order of the table says nothing.
        row("rocpd_timestamp", "id, value", std::to_string(1000 - first) + ", " + std::to_string(start + shift_));
        row("rocpd_timestamp", "id, value", std::to_string(1000 - second) + ", " + std::to_string(end + shift_));
        sql_ += "INSERT INTO \"" + name + run_ + "\" VALUES (" + std::to_string(id) + ", '" + run_ + "', " +
                std::to_string(track) + ", " + std::to_string(1000 - first) + ", " +
                std::to_string(1000 - second) + ", " + own + ");\n";
    }

    void samples() {
        const bool rows = layout_ == Layout::Inline;
        table("rocpd_sample",
              rows ? "track_id INT, timestamp INT, event_id INT" : "track_id INT, timestamp_id INT, event_id INT");
        std::string at = std::to_string(2500 + shift_);
        if (!rows) {
            row("rocpd_timestamp", "id, value", "5000, " + at);
            at = "5000";
        }
        row("rocpd_sample", rows ? "id, timestamp, event_id" : "id, timestamp_id, event_id", "1, " + at + ", 30");
        table("rocpd_info_pmc", "agent_id INT, name TEXT, symbol TEXT, units TEXT");
        row("rocpd_info_pmc", "id, agent_id, name", "1, 2, 'GPU power'");
        table("rocpd_pmc_event", "event_id INT, pmc_id INT, value REAL");
        row("rocpd_pmc_event", "id, event_id, pmc_id, value", "1, 30, 1, 512.5");
        row("rocpd_pmc_event", "id, event_id, pmc_id, value", "2, 11, 1, 7.0");
    }

    Layout layout_;
    std::string run_;
    int shift_;
    std::string host_, sql_;
    int stamps_ = 0;
};

std::unique_ptr<test::ImportRun> importSql(const std::string &sql) {
    const test::ForeignFile file("BEGIN;" + sql + "COMMIT;");
    if (!file.error().empty())
        qWarning("%s", file.error().c_str());
    return test::importFile(*importers::makeSqliteExportImporter(), file.path());
}

}  // namespace

class RocpdTest : public QObject {
    Q_OBJECT

private slots:
    void bothLayoutsSayTheSame_data();
    void bothLayoutsSayTheSame();
    void mergedRunsStayApart();
    void machinesStayApart();
    void secretsStayOut();
    void regionNamesAreKnown();
    void missingTablesAreNoError();
    void wrongTypesAreNoCrash();
};

void RocpdTest::bothLayoutsSayTheSame_data() {
    QTest::addColumn<int>("layout");
    QTest::newRow("times in the rows") << static_cast<int>(Layout::Inline);
    QTest::newRow("times in a table") << static_cast<int>(Layout::Timestamps);
}

void RocpdTest::bothLayoutsSayTheSame() {
    QFETCH(int, layout);
    const auto run = importSql(RunSql(static_cast<Layout>(layout), "_run1", 0).text());
    QCOMPARE(run->outcome(), std::string("ok"));
    QVERIFY(run->writer.violations.empty());
    QCOMPARE(run->summary->format, std::string("rocpd"));
    QCOMPARE(run->summary->gpuOps, std::int64_t{3});
    QCOMPARE(run->summary->links, std::int64_t{1});
    const GpuOpRow *kernel = run->operation("gemm_node1(float*)"), *unnamed = run->operation("kernel 6");
    QVERIFY(kernel && unnamed);
    QVERIFY(kernel->grid == (std::array<std::int64_t, 3>{16, 2, 1}));
    QVERIFY(kernel->block == (std::array<std::int64_t, 3>{64, 4, 1}));
    QVERIFY(!unnamed->grid);
    QCOMPARE(kernel->stream, std::string("4"));
    QCOMPARE(run->writer.slice(kernel->slice).dur, Ns{1000});
    QCOMPARE(run->writer.argument(run->writer.slice(kernel->slice), "queue"), std::optional<std::string>("8"));
    const SliceRow &launch = run->writer.slice(kernel->launch);
    QCOMPARE(run->writer.text(launch.name), std::string("hipLaunchKernel"));
    QCOMPARE(run->writer.text(launch.category), std::string("hip_runtime"));
    const SliceRow *step = run->writer.findSlice("training step");
    QVERIFY(step && launch.parent == step->id);
    QVERIFY(run->writer.findSlice("memory ALLOC"));
    const GpuOpRow *copy = run->operation("MEMORY_COPY_DEVICE_TO_HOST");
    QVERIFY(copy && copy->copyKind == CopyKind::DeviceToHost && copy->bytes == std::optional<std::int64_t>(65536));
    const DeviceRow &device = run->writer.devices.at(static_cast<std::size_t>(copy->device.value - 1));
    QCOMPARE(device.name + device.model, std::string("GPU 3AMD Instinct MI300X"));
    QVERIFY(copy->device == kernel->device);
    QCOMPARE(run->writer.threads.at(0).tid + run->writer.threads.at(0).name, std::string("4243worker"));
    const CounterRow *power = run->writer.findCounter("GPU power");
    QVERIFY(power);
    QCOMPARE(run->writer.samples[power->id.value].at(0).value, 512.5);
    QCOMPARE(run->writer.warningCount("unread_section"), std::int64_t{1});
}

// Two runs in one file use the same ids for different things.
void RocpdTest::mergedRunsStayApart() {
    const auto run = importSql(RunSql(Layout::Inline, "_a", 0).text() + RunSql(Layout::Inline, "_b", 5).text());
    QCOMPARE(run->summary->gpuOps, std::int64_t{6});
    QCOMPARE(run->summary->links, std::int64_t{2});
    for (const GpuOpRow &op : run->writer.gpuOps)
        if (op.launch.valid())
            QCOMPARE(run->writer.slice(op.slice).ts - run->writer.slice(op.launch).ts, Ns{1000});
    QCOMPARE(run->writer.threads.size(), std::size_t{2});
}

void RocpdTest::machinesStayApart() {
    const auto run =
        importSql(RunSql(Layout::Inline, "_a", 0).text() + RunSql(Layout::Timestamps, "_b", 5, "node2").text());
    const GpuOpRow *first = run->operation("gemm_node1(float*)"), *second = run->operation("gemm_node2(float*)");
    QVERIFY(first && second && first->device != second->device);
}

void RocpdTest::secretsStayOut() {
    const auto run = importSql(RunSql(Layout::Inline, "_a", 0).text());
    for (const MetadataRow &row : run->writer.metadata)
        QVERIFY(row.value.find("secret") == std::string::npos);
    for (const ProcessRow &row : run->writer.processes)
        QVERIFY(row.name.find("secret") == std::string::npos);
    QVERIFY(std::any_of(run->writer.processes.begin(), run->writer.processes.end(),
                        [](const ProcessRow &row) { return row.pid == "4242" && row.name == "train"; }));
}

void RocpdTest::regionNamesAreKnown() {
    using namespace importers::rocpd;
    QVERIFY(regionCategory("HSA_CORE_API") == "hsa_runtime");
    QVERIFY(regionCategory("MARKER_CORE_RANGE_API") == kAnnotation);
    QVERIFY(regionCategory("") == "api");
    QCOMPARE(annotationName("n", "{\"message\": \"m\"}"), std::string("m"));
    QCOMPARE(annotationName("n", "{\"message\": 1}"), std::string("n"));
    QCOMPARE(annotationName("n", "{broken"), std::string("n"));
    QCOMPARE(annotationName("n", "[1]"), std::string("n"));
}

void RocpdTest::missingTablesAreNoError() {
    const auto run = importSql(
        "CREATE TABLE rocpd_kernel_dispatch_x(id INT, start INT, \"end\" INT);"
        "INSERT INTO rocpd_kernel_dispatch_x VALUES (1, 5, 9), (2, NULL, 9), (3, 7, NULL);");
    QCOMPARE(run->outcome(), std::string("ok"));
    QCOMPARE(run->summary->gpuOps, std::int64_t{2});
    QCOMPARE(run->writer.warningCount("missing_field"), std::int64_t{1});
    QCOMPARE(run->writer.warningCount("missing_end"), std::int64_t{1});
}

void RocpdTest::wrongTypesAreNoCrash() {
    const std::vector<std::string> odd{"'text'", "NULL",    "-9223372036854775808",
                                       "1e300",  "x'00ff'", "9223372036854775807"};
    std::size_t turn = 0;
    for (const Layout layout : {Layout::Inline, Layout::Timestamps}) {
        const std::string base = RunSql(layout, "_a", 0).text();
        const test::ForeignFile file(base);
        const auto database = store::ForeignDatabase::open(file.path());
        QVERIFY(database);
        for (const auto &[table, columns] : (*database)->tables())
            for (const std::string &column : columns) {
                const auto run = importSql(base + "UPDATE \"" + table + "\" SET \"" + column +
                                           "\" = " + odd[turn++ % odd.size()] + ";");
                QVERIFY(run->writer.violations.empty());
            }
    }
}

QTEST_APPLESS_MAIN(RocpdTest)
#include "tst_rocpd.moc"
