// Who wrote a Chrome JSON trace, and what that writer means by device, stream, kernel and launch.
#include "tests/support/import_trace.h"
#include "tests/support/shared_files.h"

#include <algorithm>

#include <QTest>

using namespace wattproof;
using test::importChromeText;

class ChromeDialectsTest : public QObject {
    Q_OBJECT

private slots:
    void formatOfRealTraces_data();
    void formatOfRealTraces();
    void formatByItsSigns_data();
    void formatByItsSigns();
    void xlaWorkOnAGpu();
    void xlaWorkOnATpu();
    void oldTensorFlowTimeline();
    void rocprofWork();
    void kinetoOfEveryAccelerator_data();
    void kinetoOfEveryAccelerator();
    void categoriesOfOneWriterMeanNothingToAnother();
};

namespace {

std::string named(const char *kind, const char *pid, const char *tid, const std::string &name) {
    return std::string(R"({"ph":"M","name":")") + kind + R"(","pid":)" + pid + R"(,"tid":)" + tid +
           R"(,"args":{"name":")" + name + "\"}},";
}

std::string complete(const std::string &name, const char *category, const char *pid, const char *tid, int ts,
                     const std::string &args) {
    return R"({"ph":"X","name":")" + name + R"(","cat":")" + category + R"(","pid":)" + pid + R"(,"tid":)" + tid +
           R"(,"ts":)" + std::to_string(ts) + R"(,"dur":5,"args":{)" + args + "}},";
}

std::string trace(const std::string &events) {
    return "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[" + events + "{}]}";
}

const GpuOpRow *operation(const test::ImportedTrace &imported, const char *name) {
    for (const GpuOpRow &op : imported.writer->gpuOps)
        if (imported.writer->text(imported.writer->slice(op.slice).name) == name)
            return &op;
    return nullptr;
}

}  // namespace

void ChromeDialectsTest::formatOfRealTraces_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QByteArray>("format");
    const auto row = [](const char *path, const char *format) {
        if (const QString file = test::sharedFile(QString::fromLatin1(path)); !file.isEmpty())
            QTest::newRow(path) << file << QByteArray(format);
    };
    row("peer/h100_bert_small.json.gz", "kineto-cuda");
    row("peer/b300_deepseek_r1_decode.json.gz", "kineto-cuda");
    row("peer/mi300x_bert_small.json.gz", "kineto-rocm");
    row("peer/mi210_gpu_only.json.gz", "kineto-rocm");
    row("peer/mi300x_sglang_qwen3_8b_decode.json.gz", "kineto-rocm");
    row("corpus/kineto/kineto_resnet50_w0_1623143089861.pt.trace.json.gz", "kineto-cuda");
    row("corpus/kineto/hta_mtia_inference_trace__mtia_inference_rank_0.json.gz", "kineto-mtia");
    row("corpus/kineto/hta_cpu_only__rank-34.Jul_15_10_52_41.1074.pt.trace.json.gz", "kineto");
    row("corpus/kineto/hta_amd_trace__mi250_minitoy_train_ROCm6_2_kineto.json.gz", "kineto-rocm");
    row("corpus/chrome/lighthouse_pid-change.json", "chrome-devtools");
    row("corpus/chrome/lighthouse_lcp-m78.json", "chrome-devtools");
    row("corpus/chrome/lighthouse_cpu-profiler-m86.trace.json", "chrome-devtools");
    row("corpus/chrome/chromium_headless_startup.json.gz", "chrome-tracing");
    row("corpus/chrome/catapult_webview.json.gz", "chrome-tracing");
    row("corpus/chrome/catapult_flow.json", "chrome-tracing");
    row("corpus/chrome/node20_trace_events.1.log", "node");
    row("corpus/build/bazel_tiny.json.gz", "bazel-profile");
    row("corpus/build/bazel_bazel-profile-Long-Phase-Test.json", "bazel-profile");
    row("corpus/build/clang_self-win-clang-19.1_main.json", "clang-time-trace");
    row("corpus/build/clang_hlsl2glsl-mac-clang-10.0-dev_glslCommon.json", "clang-time-trace");
    row("corpus/chrome/catapult_trivial_trace.json", "chrome-json");
    row("corpus/chrome/catapult_fuchsia_trace.json.gz", "chrome-json");
}

void ChromeDialectsTest::formatOfRealTraces() {
    if (!QTest::currentDataTag())
        QSKIP("skipped: the shared corpus is not here");
    QFETCH(QString, path);
    QFETCH(QByteArray, format);
    const auto imported = test::importChromeFile(path.toStdString());
    QCOMPARE(imported.outcome(), std::string("ok"));
    QCOMPARE(imported.result->format, format.toStdString());
    QCOMPARE(imported.writer->sources.at(0).format, format.toStdString());
}

void ChromeDialectsTest::formatByItsSigns_data() {
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QByteArray>("format");
    const auto row = [](const char *format, const std::string &json) {
        QTest::newRow(format) << QByteArray::fromStdString(json) << QByteArray(format);
    };
    row("viztracer", "{\"traceEvents\":[" + complete("f", "FEE", "1", "1", 0, "") +
                         "{}],\"viztracer_metadata\":{\"version\":\"1.0\",\"overflow\":false}}");
    row("ninja", "[" + complete("a.o", "targets", "0", "0", 0, "") + "{}]");
    row("rocprof", "{\"traceEvents\":[{}," + named("process_name", "2", "0", "CPU HIP API") +
                       named("process_name", "6", "0", "GPU0") + "{}]}");
    row("jax", trace(named("process_name", "1", "0", "/device:GPU:0") +
                     complete("PjitFunction(step)", "", "7", "1", 0, "")));
    row("tensorflow", trace(named("process_name", "1", "0", "/host:CPU") +
                            complete("EagerExecute: MatMul", "", "1", "1", 0, "")));
    row("chrome-json", trace(complete("anything", "mine", "1", "1", 0, "")));
}

void ChromeDialectsTest::formatByItsSigns() {
    QFETCH(QByteArray, json);
    QFETCH(QByteArray, format);
    const auto imported = importChromeText(json.toStdString());
    QCOMPARE(imported.outcome(), std::string("ok"));
    QCOMPARE(imported.result->format, format.toStdString());
}

// Work is what ran on a stream; the lines that mirror it (modules, operations, scopes) are none.
void ChromeDialectsTest::xlaWorkOnAGpu() {
    const auto imported = importChromeText(trace(
        named("process_name", "1", "0", "/device:GPU:3 (NVIDIA A100)") +
        named("process_name", "9", "0", "/host:CPU") + named("thread_name", "1", "20", "Stream #20(Compute)") +
        named("thread_name", "1", "21", "Stream #21(MemcpyH2D)") + named("thread_name", "1", "30", "XLA Modules") +
        complete("cuLaunchKernel", "", "9", "5", 10, R"("correlation_id":"77")") +
        complete("fusion_1", "", "1", "20", 20,
                 R"("correlation_id":"77","kernel_details":"regs:32 grid:4,2,1 block:128,1,1 occ_pct:50")") +
        complete(
            "MemcpyH2D", "", "1", "21", 30,
            R"("correlation_id":"78","memcpy_details":"kind_src:pinned kind_dst:device size:4096 dest:0 async:1")") +
        complete("jit_step(1)", "", "1", "30", 20, "")));
    QCOMPARE(imported.outcome(), std::string("ok"));
    QCOMPARE(imported.violations(), std::string());
    QCOMPARE(imported.result->gpuOps, std::int64_t{2});
    QCOMPARE(imported.result->links, std::int64_t{1});
    QCOMPARE(imported.writer->devices.size(), std::size_t{1});
    QCOMPARE(imported.writer->devices[0].name, std::string("GPU 3"));
    const GpuOpRow *kernel = operation(imported, "fusion_1"), *copy = operation(imported, "MemcpyH2D");
    QVERIFY(kernel && copy);
    QCOMPARE(kernel->stream, std::string("20"));
    QVERIFY(kernel->grid == (std::array<std::int64_t, 3>{4, 2, 1}));
    QVERIFY(kernel->block == (std::array<std::int64_t, 3>{128, 1, 1}));
    QCOMPARE(kernel->occupancy.value(), 0.5);
    QVERIFY(copy->activity == GpuActivity::Memcpy && copy->copyKind == CopyKind::HostToDevice);
    QCOMPARE(copy->bytes.value(), std::int64_t{4096});
}

void ChromeDialectsTest::xlaWorkOnATpu() {
    const auto imported = importChromeText(trace(
        named("process_name", "1", "0", "/device:TPU:0") + named("thread_name", "1", "1", "XLA Ops") +
        named("thread_name", "1", "2", "Steps") +
        complete("fusion.7", "", "1", "1", 20, R"("bytes_accessed":"12")") + complete("0", "", "1", "2", 20, "")));
    QCOMPARE(imported.outcome(), std::string("ok"));
    QCOMPARE(imported.result->gpuOps, std::int64_t{1});
    QCOMPARE(imported.writer->devices.at(0).name, std::string("TPU 0"));
    QVERIFY(imported.writer->devices.at(0).kind == DeviceKind::Other);
    QVERIFY(operation(imported, "fusion.7"));
}

void ChromeDialectsTest::oldTensorFlowTimeline() {
    const auto imported = importChromeText(
        trace(named("process_name", "1", "0", "/job:localhost/replica:0/task:0/device:GPU:0/stream:all Compute") +
              named("process_name", "2", "0", "/job:localhost/replica:0/task:0/device:GPU:0/stream:14 Compute") +
              named("process_name", "3", "0", "/job:localhost/replica:0/task:0/device:CPU:0 Compute") +
              complete("MatMul", "Op", "1", "0", 0, "") + complete("MatMul", "Op", "2", "0", 0, "") +
              complete("Const", "Op", "3", "0", 0, "")));
    QCOMPARE(imported.outcome(), std::string("ok"));
    QCOMPARE(imported.result->format, std::string("tensorflow"));
    QCOMPARE(imported.result->gpuOps, std::int64_t{1});
    QCOMPARE(imported.result->slices, std::int64_t{3});
}

void ChromeDialectsTest::rocprofWork() {
    const auto imported = importChromeText(
        "{\"traceEvents\":[{}," + named("process_name", "2", "0", "CPU HIP API") +
        named("process_name", "1", "0", "COPY") + named("process_name", "6", "0", "GPU0") +
        named("process_name", "7", "0", "GPU1") +
        complete("hipLaunchKernel", "", "2", "5", 1, R"("BeginNs":"1000","EndNs":"6000")") +
        complete("vecAdd(float*)", "", "7", "0", 10,
                 R"("BeginNs":"10000","EndNs":"15000","dev-id":"1","queue-id":"4")") +
        complete("CopyHostToDevice", "", "1", "0", 4, R"("BeginNs":"4000","EndNs":"9000")") + "{}]}");
    QCOMPARE(imported.outcome(), std::string("ok"));
    QCOMPARE(imported.violations(), std::string());
    QCOMPARE(imported.result->gpuOps, std::int64_t{2});
    const GpuOpRow *kernel = operation(imported, "vecAdd(float*)"),
                   *copy = operation(imported, "CopyHostToDevice");
    QVERIFY(kernel && copy);
    QCOMPARE(imported.writer->devices.at(static_cast<std::size_t>(kernel->device.value - 1)).name,
             std::string("GPU 1"));
    QCOMPARE(kernel->stream, std::string("4"));
    QVERIFY(copy->copyKind == CopyKind::HostToDevice);
}

void ChromeDialectsTest::kinetoOfEveryAccelerator_data() {
    QTest::addColumn<QByteArray>("runtime");
    QTest::addColumn<QByteArray>("kernel");
    QTest::addColumn<QByteArray>("call");
    QTest::addColumn<QByteArray>("format");
    QTest::addColumn<QByteArray>("device");
    const auto row = [](const char *runtime, const char *kernel, const char *call, const char *format,
                        const char *device) {
        QTest::newRow(qPrintable(QString::fromLatin1("%1 %2").arg(runtime, call)))
            << QByteArray(runtime) << QByteArray(kernel) << QByteArray(call) << QByteArray(format)
            << QByteArray(device);
    };
    row("cuda_runtime", "kernel", "cudaLaunchKernel", "kineto-cuda", "GPU 0");
    row("cuda_driver", "kernel", "cuLaunchKernelEx", "kineto-cuda", "GPU 0");
    row("Runtime", "Kernel", "cudaLaunchKernel", "kineto-cuda", "GPU 0");
    row("cuda_runtime", "kernel", "hipLaunchKernel", "kineto-rocm", "GPU 0");
    row("hip_runtime", "kernel", "hipModuleLaunchKernel", "kineto-rocm", "GPU 0");
    row("xpu_runtime", "kernel", "urEnqueueKernelLaunch", "kineto-xpu", "GPU 0");
    row("mtia_runtime", "mtia_ccp_events", "runGraph", "kineto-mtia", "MTIA 0");
    row("cpu_op", "hpu_op", "x", "kineto-hpu", "HPU 0");
}

void ChromeDialectsTest::kinetoOfEveryAccelerator() {
    QFETCH(QByteArray, runtime);
    QFETCH(QByteArray, kernel);
    QFETCH(QByteArray, call);
    QFETCH(QByteArray, format);
    QFETCH(QByteArray, device);
    const auto imported = importChromeText(
        "[" + complete(call.toStdString(), runtime.constData(), "1", "1", 0, R"("correlation":5)") +
        complete("k", kernel.constData(), "0", "7", 9, R"("device":0,"stream":7,"correlation":5)") + "{}]");
    QCOMPARE(imported.outcome(), std::string("ok"));
    QCOMPARE(imported.result->format, format.toStdString());
    QCOMPARE(imported.result->gpuOps, std::int64_t{1});
    QCOMPARE(imported.result->links, std::int64_t{runtime == "cpu_op" ? 0 : 1});
    QCOMPARE(imported.writer->devices.at(0).name, device.toStdString());
}

// A browser's category "kernel" is no GPU work.
void ChromeDialectsTest::categoriesOfOneWriterMeanNothingToAnother() {
    const auto imported = importChromeText(
        "{\"metadata\":{\"source\":\"DevTools\"},\"traceEvents\":[" +
        complete("TracingStartedInBrowser", "disabled-by-default-devtools.timeline", "1", "1", 0, "") +
        complete("wait", "kernel", "1", "1", 9, "") + "{}]}");
    QCOMPARE(imported.outcome(), std::string("ok"));
    QCOMPARE(imported.result->format, std::string("chrome-devtools"));
    QCOMPARE(imported.result->gpuOps, std::int64_t{0});
    QCOMPARE(imported.result->slices, std::int64_t{2});
}

QTEST_APPLESS_MAIN(ChromeDialectsTest)
#include "tst_chrome_dialects.moc"
