// Results of rocprofv3 in JSON: small ones of every kind of record, damage, and a real one with expected numbers.
#include "analysis/intervals.h"
#include "importers/rocprof/rocprof_importer.h"
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

Json call(int kind, int operation, int correlation, int start, int end, int thread = 77) {
    return {{"kind", kind},
            {"operation", operation},
            {"thread_id", thread},
            {"correlation_id", {{"internal", correlation}, {"external", 0}}},
            {"start_timestamp", start},
            {"end_timestamp", end}};
}

Json dispatch(int kernel, int correlation, int start, int end) {
    Json record = call(2, 1, correlation, start, end);
    record["dispatch_info"] = {{"agent_id", {{"handle", 501}}},
                               {"queue_id", {{"handle", 3}}},
                               {"kernel_id", kernel},
                               {"group_segment_size", 4096},
                               {"workgroup_size", {{"x", 64}, {"y", 4}, {"z", 1}}},
                               {"grid_size", {{"x", 1000}, {"y", 8}, {"z", 1}}}};
    record["stream_id"] = {{"handle", 5}};
    return record;
}

Json copy(int operation, int from, int to) {
    Json record = call(1, operation, 12, 5000, 5500);
    record["src_agent_id"] = {{"handle", from}};
    record["dst_agent_id"] = {{"handle", to}};
    record["bytes"] = 65536;
    return record;
}

// The records stand before the tables that name them: order is never trusted.
Json smallResult() {
    Json result;
    result["a_buffer"] = 1;
    result["buffer_records"] = {{"kernel_dispatch", {dispatch(9, 11, 2000, 3000), dispatch(404, 99, 4000, 4100)}},
                                {"hip_api", {call(0, 1, 11, 1000, 1500)}},
                                {"marker_api", {call(3, 0, 20, 900, 6000), call(3, 0, 21, 950, 950)}},
                                {"memory_copy", {copy(1, 501, 500)}},
                                {"pc_sample_host_trap", {{{"size", 1}}}}};
    result["kernel_symbols"] = {{{"kernel_id", 9}, {"formatted_kernel_name", "ncclDevKernel_Generic_1(x)"}}};
    result["agents"] = {{{"id", {{"handle", 500}}}, {"type", 1}, {"name", "AMD EPYC"}},
                        {{"id", {{"handle", 501}}},
                         {"type", 2},
                         {"name", "gfx942"},
                         {"product_name", "AMD Instinct MI300X"},
                         {"domain", 0},
                         {"location_id", 29952},
                         {"logical_node_type_id", 3}}};
    result["strings"] = {{"buffer_records",
                          {{{"kind", "HIP_RUNTIME_API"}, {"operations", {"none", "hipLaunchKernel"}}},
                           {{"kind", "MEMORY_COPY"}, {"operations", {"NONE", "MEMORY_COPY_DEVICE_TO_HOST"}}},
                           {{"kind", "KERNEL_DISPATCH"}, {"operations", {"NONE", "ENQUEUE"}}},
                           {{"kind", "MARKER_CORE_API"}, {"operations", {"roctxMarkA"}}}}},
                         {"marker_api", {{{"key", 20}, {"value", "training step"}}}}};
    result["metadata"] = {{"pid", 4242},
                          {"command", {"/opt/bin/python3", "--token=secret"}},
                          {"config", {{"output_path", "secret"}}},
                          {"node", {{"hostname", "node7"}, {"release", "6.8"}}}};
    return {{"rocprofiler-sdk-tool", {result}}};
}

std::unique_ptr<test::ImportRun> importText(const std::string &text) {
    return test::importBytes(*importers::makeRocprofImporter(), text, "1_results.json");
}

}  // namespace

class RocprofTest : public QObject {
    Q_OBJECT

private slots:
    void probeKnowsItsOwn();
    void dispatchesAreGpuWork();
    void callsAndMarkersAreOnThreads();
    void copiesBelongToTheDevice();
    void secretsStayOut();
    void whatIsNotShownIsCounted();
    void processesDoNotMix();
    void queuesWhereThereAreNoStreams();
    void cutAndDamagedFilesGiveWhatIsWhole();
    void wrongTypesAreNoCrash();
    void hostileTextsEndTheReading();
    void realResultsAgree_data();
    void realResultsAgree();
};

void RocprofTest::probeKnowsItsOwn() {
    const auto importer = importers::makeRocprofImporter();
    const auto probe = [&](const std::string &text) { return importer->probe({text.data(), text.size()}, "x"); };
    QVERIFY(probe(smallResult().dump()) > 0.9);
    QCOMPARE(probe("{\"traceEvents\": [{\"name\": \"rocprofiler\"}]}"), 0.0);
    QCOMPARE(probe(""), 0.0);
}

void RocprofTest::dispatchesAreGpuWork() {
    const auto run = importText(smallResult().dump());
    QCOMPARE(run->outcome(), std::string("ok"));
    QVERIFY(run->writer.violations.empty());
    QCOMPARE(run->summary->gpuOps, std::int64_t{3});
    QCOMPARE(run->summary->links, std::int64_t{1});
    const GpuOpRow *kernel = run->operation("ncclDevKernel_Generic_1(x)");
    QVERIFY(kernel && run->operation("kernel 404"));
    QVERIFY(kernel->grid == (std::array<std::int64_t, 3>{16, 2, 1}));  // 1000 work-items in groups of 64
    QVERIFY(kernel->block == (std::array<std::int64_t, 3>{64, 4, 1}));
    QCOMPARE(kernel->stream, std::string("5"));
    const SliceRow &slice = run->writer.slice(kernel->slice);
    QCOMPARE(slice.dur, Ns{1000});
    QCOMPARE(run->writer.classes[slice.name.value].opClass, std::string("communication"));
    QCOMPARE(run->writer.text(run->writer.slice(kernel->launch).name), std::string("hipLaunchKernel"));
    const DeviceRow &device = run->writer.devices.at(static_cast<std::size_t>(kernel->device.value - 1));
    QCOMPARE(device.name, std::string("GPU 3"));
    QCOMPARE(device.model, std::string("AMD Instinct MI300X"));
    QCOMPARE(device.pci, std::string("0000:75:00.0"));
    QCOMPARE(device.host, std::string("node7"));
    QCOMPARE(run->writer.argument(slice, "group_segment_size"), std::optional<std::string>("4096"));
}

void RocprofTest::callsAndMarkersAreOnThreads() {
    const auto run = importText(smallResult().dump());
    const SliceRow *call = run->writer.findSlice("hipLaunchKernel"),
                   *step = run->writer.findSlice("training step");
    const SliceRow *mark = run->writer.findSlice("roctxMarkA");
    QVERIFY(call && step && mark);
    QCOMPARE(run->writer.text(call->category), std::string("hip_runtime"));
    QCOMPARE(run->writer.text(step->category), std::string("user_annotation"));
    QVERIFY(call->parent == step->id);
    QVERIFY(mark->kind == SliceKind::Instant);
    QCOMPARE(run->writer.threads.at(0).tid, std::string("77"));
    QCOMPARE(run->writer.processes.at(static_cast<std::size_t>(run->writer.threads[0].process.value - 1)).pid,
             std::string("4242"));
}

void RocprofTest::copiesBelongToTheDevice() {
    const auto run = importText(smallResult().dump());
    const GpuOpRow *toHost = run->operation("MEMORY_COPY_DEVICE_TO_HOST");
    QVERIFY(toHost);
    QVERIFY(toHost->copyKind == CopyKind::DeviceToHost && toHost->activity == GpuActivity::Memcpy);
    QCOMPARE(toHost->bytes, std::optional<std::int64_t>(65536));
    QCOMPARE(run->writer.devices.at(static_cast<std::size_t>(toHost->device.value - 1)).name,
             std::string("GPU 3"));
}

void RocprofTest::secretsStayOut() {
    const auto run = importText(smallResult().dump());
    for (const MetadataRow &row : run->writer.metadata)
        QVERIFY(row.value.find("secret") == std::string::npos);
    QCOMPARE(run->writer.metadataValue("pid"), std::string("4242"));
    const auto &processes = run->writer.processes;
    QVERIFY(std::any_of(processes.begin(), processes.end(),
                        [](const ProcessRow &row) { return row.pid == "4242" && row.name == "python3"; }));
}

void RocprofTest::whatIsNotShownIsCounted() {
    const auto run = importText(smallResult().dump());
    QCOMPARE(run->writer.warningCount("unread_section"), std::int64_t{1});
    QVERIFY(run->writer.findWarning("unread_section")->message.find("pc_sample_host_trap") != std::string::npos);
}

// Kernel ids are a process's own.
void RocprofTest::processesDoNotMix() {
    Json two = smallResult();
    two["rocprofiler-sdk-tool"].push_back(two["rocprofiler-sdk-tool"][0]);
    two["rocprofiler-sdk-tool"][1]["kernel_symbols"][0]["formatted_kernel_name"] = "other_kernel";
    two["rocprofiler-sdk-tool"][1]["metadata"]["pid"] = 4343;
    const auto run = importText(two.dump());
    QCOMPARE(run->summary->gpuOps, std::int64_t{6});
    QVERIFY(run->operation("ncclDevKernel_Generic_1(x)") && run->operation("other_kernel"));
    QCOMPARE(run->writer.threads.size(), std::size_t{2});
}

void RocprofTest::queuesWhereThereAreNoStreams() {
    Json result = smallResult();
    result["rocprofiler-sdk-tool"][0]["metadata"]["config"]["group_by_queue"] = true;
    QCOMPARE(importText(result.dump())->operation("kernel 404")->stream, std::string("queue 3"));
}

void RocprofTest::cutAndDamagedFilesGiveWhatIsWhole() {
    const std::string whole = smallResult().dump();
    for (std::size_t size = 1; size < whole.size(); size += 37) {
        const auto run = importText(whole.substr(0, size));
        QVERIFY(run->writer.violations.empty());
        QVERIFY(!run->summary || run->writer.warningCount("truncated_input") == 1);
    }
    std::string damaged = whole;
    damaged.replace(damaged.rfind("\"workgroup_size\""), 1, "\x01");
    const auto run = importText(damaged);
    QCOMPARE(run->outcome(), std::string("ok"));
    QCOMPARE(run->writer.warningCount("malformed_json"), std::int64_t{1});
    QVERIFY(importText("{\"a\": 1}")->outcome().find("no result of rocprofv3") != std::string::npos);
}

void RocprofTest::wrongTypesAreNoCrash() {
    const Json odd = {Json(nullptr),       Json("x"),      Json(-1),         Json(1e300),
                      Json(Json::array()), Json::object(), Json(UINT64_MAX), Json(INT64_MIN)};
    const Json pristine = smallResult().flatten();
    int index = 0;
    for (const auto &[path, value] : pristine.items()) {
        Json changed = smallResult();
        changed[Json::json_pointer(path)] = odd[static_cast<std::size_t>(index++) % odd.size()];
        const auto run = importText(changed.dump());
        QVERIFY(run->writer.violations.empty());
    }
}

void RocprofTest::hostileTextsEndTheReading() {
    const std::string begin = "{\"rocprofiler-sdk-tool\": [{\"x\": ";
    const auto longText = importText(begin + "\"" + std::string(17U << 20U, 'x') + "\"}]}");
    QCOMPARE(longText->writer.warningCount("malformed_json"), std::int64_t{1});
    const auto deep = importText(begin + std::string(1'000'000, '['));
    QCOMPARE(deep->writer.warningCount("malformed_json"), std::int64_t{1});
    QVERIFY(deep->writer.findWarning("malformed_json")->message.find("deeper than 256") != std::string::npos);
}

void RocprofTest::realResultsAgree_data() {
    QTest::addColumn<QString>("path");
    QTest::newRow("peer") << QStringLiteral("peer/rocprofv3_mi350_train_part1.json.gz");
    QTest::newRow("corpus") << QStringLiteral("corpus/other/tracelens_rocprof__908_results.json.gz");
}

void RocprofTest::realResultsAgree() {
    QFETCH(QString, path);
    const QString full = test::sharedFile(path);
    if (full.isEmpty())
        QSKIP("skipped: the shared rocprofv3 results are not here");
    const auto run = test::importFile(*importers::makeRocprofImporter(), full.toStdString());
    QCOMPARE(run->outcome(), std::string("ok"));
    QVERIFY(run->writer.violations.empty());
    QCOMPARE(run->writer.devices.size(), std::size_t{1});
    QCOMPARE(run->writer.devices[0].model, std::string("AMD Instinct MI350X"));
    std::map<std::string, std::int64_t> streams;
    std::map<std::string, std::vector<TimeRange>> byClass;
    Ns sum = 0;
    for (const GpuOpRow &op : run->writer.gpuOps) {
        const SliceRow &row = run->writer.slice(op.slice);
        ++streams[op.stream];
        const std::string &opClass = run->writer.classes.at(row.name.value).opClass;
        const bool own = opClass == "copy" || opClass == "communication";
        byClass[own ? opClass : "computation"].push_back({row.ts, row.ts + row.dur});
        byClass["all"].push_back({row.ts, row.ts + row.dur});
        sum += row.dur;
    }
    if (path.startsWith(QStringLiteral("corpus"))) {
        QCOMPARE(run->summary->gpuOps, std::int64_t{43915});
        return;
    }
    QFile file(test::sharedFile(QStringLiteral("peer/expected/rocprofv3_mi350_train_part1.json")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const Json expected = Json::parse(file.readAll().toStdString());
    QCOMPARE(run->summary->gpuOps, expected["dispatches"].get<std::int64_t>());
    QCOMPARE(run->writer.sources[0].statedBase, expected["first_ns"].get<Ns>());
    QVERIFY(streams == (expected["streams"].get<std::map<std::string, std::int64_t>>()));
    const auto close = [](Ns own, const Json &wanted) {
        return std::abs(static_cast<double>(own) / 1e6 - wanted.get<double>()) <= 1e-3 * wanted.get<double>();
    };
    const Json &wanted = expected["gpu_timeline_ms"];
    const auto length = [&](const char *name) { return analysis::length(analysis::unionOf(byClass[name])); };
    QVERIFY(close(sum, expected["kernel_sum_ms"]));
    QVERIFY(close(length("all"), wanted["busy_time"]));
    QVERIFY(close(length("computation"), wanted["computation_time"]));
    QVERIFY(close(length("communication"), wanted["total_comm_time"]));
    QVERIFY(close(length("copy"), wanted["total_memcpy_time"]));
}

QTEST_APPLESS_MAIN(RocprofTest)
#include "tst_rocprof.moc"
