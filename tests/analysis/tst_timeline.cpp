#include "analysis/stats/random.h"
#include "analysis/timeline/gpu_timeline.h"
#include "analysis/timeline/idle_cause.h"

#include <map>

#include <QTest>

using namespace wattproof;
using namespace wattproof::analysis;

class TestTimeline : public QObject {
    Q_OBJECT
private slots:
    void copyingIsNotIdle();
    void overlappingStreamsCountOnce();
    void communicationBehindComputeIsHidden();
    void memsetComputesAndCopyKernelsCopy();
    void devicesAreApart();
    void statesCoverTheSpanExactly();
    void namesTellActivities_data();
    void namesTellActivities();
    void hostWorkBeforeTheLaunch();
    void launchLatencyAndQueuedWork();
    void precedenceOfCauses();
    void nothingRecordedIsUnknown();
    void causesSumToIdleOnRandomInput();
    void leadInAndTailLieOutsideTheSpan();
};

namespace {

enum : std::int32_t { Gemm, Communication, CopyClass };

struct Op {
    Ns begin = 0, end = 0;
    std::int32_t opClass = Gemm;
    GpuActivity activity = GpuActivity::Kernel;
    std::int64_t device = 1;
    std::int64_t launch = 0;
};

Context contextOf(const std::vector<Op> &ops) {
    Context context;
    context.kernels.classes = {{"gemm", "bf16"}, {"communication", ""}, {"copy", ""}};
    std::int64_t id = 1;
    for (const Op &op : ops) {
        store::KernelInterval kernel;
        kernel.slice = SliceId(id++);
        kernel.range = {op.begin, op.end};
        kernel.activity = op.activity;
        kernel.device = DeviceId(op.device);
        kernel.classIndex = op.opClass;
        kernel.launch = SliceId(op.launch);
        context.kernels.kernels.push_back(kernel);
    }
    return context;
}

struct Call {
    std::string category, name;
    Ns begin = 0, end = 0;
    std::int64_t slice = 0;
};

HostTimeline hostOf(const std::vector<Call> &calls) {
    std::map<std::string, StringId> ids;
    std::map<StringId, std::string> texts;
    const auto intern = [&](const std::string &text) {
        const auto [it, fresh] = ids.try_emplace(text, StringId(static_cast<std::int64_t>(ids.size()) + 1));
        if (fresh)
            texts[it->second] = text;
        return it->second;
    };
    std::vector<store::HostCall> rows;
    std::int64_t next = 1000;
    for (const Call &call : calls) {
        store::HostCall row;
        row.slice = SliceId(call.slice != 0 ? call.slice : next++);
        row.range = {call.begin, call.end};
        row.name = intern(call.name);
        row.category = intern(call.category);
        rows.push_back(row);
    }
    return HostTimeline(std::move(rows), texts);
}

DeviceTimeline only(const Context &context) {
    return timelineOf(deviceActivities(context).begin()->second);
}

std::map<std::string, Ns> sums(const std::vector<DeviceActivity::Gap> &gaps) {
    std::map<std::string, Ns> total;
    for (const auto &gap : gaps)
        total[gap.cause] += gap.range.length();
    return total;
}

}  // namespace

void TestTimeline::copyingIsNotIdle() {
    const DeviceTimeline line =
        only(contextOf({{0, 60000}, {60000, 120000, CopyClass, GpuActivity::Memcpy}, {140000, 200000}}));
    QCOMPARE(line.span.length(), Ns(200000));
    QCOMPARE(line.computeNs, Ns(120000));
    QCOMPARE(line.exposedCopyNs, Ns(60000));
    QCOMPARE(line.idleNs, Ns(20000));
}

void TestTimeline::overlappingStreamsCountOnce() {
    const DeviceTimeline line = only(contextOf({{0, 150}, {50, 210}, {240, 250}}));
    QCOMPARE(line.busyNs, Ns(220));
    QCOMPARE(line.idleNs, Ns(30));
    QCOMPARE(line.kernelSumNs, Ns(320));
}

void TestTimeline::communicationBehindComputeIsHidden() {
    const DeviceTimeline line =
        only(contextOf({{0, 100}, {50, 150, Communication}, {120, 200, CopyClass, GpuActivity::Memcpy}}));
    QCOMPARE(line.computeNs, Ns(100));
    QCOMPARE(line.exposedCommNs, Ns(50));
    QCOMPARE(line.exposedCopyNs, Ns(50));
    QCOMPARE(line.totalCommNs, Ns(100));
    QCOMPARE(line.totalCopyNs, Ns(80));
}

void TestTimeline::memsetComputesAndCopyKernelsCopy() {
    const DeviceTimeline line = only(contextOf({{0, 10, CopyClass, GpuActivity::Memset}, {10, 30, CopyClass}}));
    QCOMPARE(line.computeNs, Ns(10));
    QCOMPARE(line.exposedCopyNs, Ns(20));
}

void TestTimeline::devicesAreApart() {
    Context context = contextOf({{0, 10, Gemm, GpuActivity::Kernel, 1}, {90, 100, Gemm, GpuActivity::Kernel, 2}});
    QCOMPARE(deviceActivities(context).size(), std::size_t(2));
    context.sameDevice[DeviceId(2)] = DeviceId(1);
    const auto joined = deviceActivities(context);
    QCOMPARE(joined.size(), std::size_t(1));
    QCOMPARE(timelineOf(joined.begin()->second).idleNs, Ns(80));
}

void TestTimeline::statesCoverTheSpanExactly() {
    Random random(1);
    for (int round = 0; round < 200; ++round) {
        std::vector<Op> ops;
        for (int i = 0; i < 12; ++i) {
            const auto begin = static_cast<Ns>(random.below(1000));
            ops.push_back(
                {begin, begin + static_cast<Ns>(random.below(120)), static_cast<std::int32_t>(random.below(3))});
        }
        Context context = contextOf(ops);
        DeviceActivity activity = deviceActivities(context).begin()->second;
        findGaps(activity, HostTimeline());
        Ns at = activity.span.begin;
        for (const auto &row : deviceStates(activity)) {
            QCOMPARE(row.ts, at);
            at += row.dur;
        }
        QCOMPARE(at, activity.span.end);
    }
}

void TestTimeline::namesTellActivities_data() {
    QTest::addColumn<QString>("category");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("expected");
    QTest::newRow("malloc") << "cuda_runtime"
                            << "cudaMalloc"
                            << "memory";
    QTest::newRow("async free") << "cuda_runtime"
                                << "cudaFreeAsync"
                                << "memory";
    QTest::newRow("sync") << "cuda_runtime"
                          << "cudaStreamSynchronize"
                          << "synchronization";
    QTest::newRow("blocking copy") << "cuda_runtime"
                                   << "hipMemcpyWithStream"
                                   << "synchronization";
    QTest::newRow("launch") << "cuda_runtime"
                            << "cudaLaunchKernelExC"
                            << "launch";
    QTest::newRow("graph") << "cuda_runtime"
                           << "hipGraphLaunch"
                           << "launch";
    QTest::newRow("module") << "cuda_runtime"
                            << "hipExtModuleLaunchKernel"
                            << "launch";
    QTest::newRow("driver") << "cuda_driver"
                            << "cuLaunchKernel"
                            << "launch";
    QTest::newRow("other runtime") << "cuda_runtime"
                                   << "cudaEventRecord"
                                   << "runtime";
    QTest::newRow("no category") << ""
                                 << "cudaDeviceSynchronize"
                                 << "synchronization";
    QTest::newRow("loader") << "user_annotation"
                            << "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"
                            << "input";
    QTest::newRow("operator") << "cpu_op"
                              << "aten::cudaish"
                              << "operator";
    QTest::newRow("python") << "python_function"
                            << "nn.Module: Linear_0"
                            << "python";
    QTest::newRow("annotation") << "user_annotation"
                                << "ProfilerStep#3"
                                << "none";
}

void TestTimeline::namesTellActivities() {
    QFETCH(QString, category);
    QFETCH(QString, name);
    QFETCH(QString, expected);
    QCOMPARE(QString(word(hostActivity(category.toStdString(), name.toStdString()))), expected);
}

void TestTimeline::hostWorkBeforeTheLaunch() {
    const HostTimeline host =
        hostOf({{"cpu_op", "aten::mm", 100, 180}, {"cuda_runtime", "cudaLaunchKernel", 170, 190, 7}});
    const auto gaps = causesOf({100, 200}, host.rangeOf(SliceId(7)), host);
    QCOMPARE(sums(gaps)["host"], Ns(70));
    QCOMPARE(sums(gaps)["launch"], Ns(30));  // 20 in the call, 10 on the way
    QVERIFY(gaps.front().hostSlice.valid());
}

void TestTimeline::launchLatencyAndQueuedWork() {
    const HostTimeline host =
        hostOf({{"cuda_runtime", "cudaGraphLaunch", 0, 50, 7}, {"cpu_op", "aten::mm", 100, 200}});
    const auto gaps = causesOf({100, 200}, host.rangeOf(SliceId(7)), host);
    QCOMPARE(gaps.size(), std::size_t(1));
    QCOMPARE(gaps[0].cause, std::string("queued"));
}

void TestTimeline::precedenceOfCauses() {
    const HostTimeline host = hostOf({{"python_function", "step", 0, 100},
                                      {"cpu_op", "aten::to", 10, 90},
                                      {"cuda_runtime", "cudaStreamSynchronize", 20, 60},
                                      {"cuda_runtime", "cudaMalloc", 50, 70},
                                      {"cpu_op", "enumerate(DataLoader)#1", 95, 120}});
    auto total = sums(causesOf({0, 130}, nullptr, host));
    QCOMPARE(total["synchronization"], Ns(30));
    QCOMPARE(total["memory"], Ns(20));
    QCOMPARE(total["input"], Ns(25));
    QCOMPARE(total["host"], Ns(45));
    QCOMPARE(total["unknown"], Ns(10));
    const auto shares = hostActivityDuring({{0, 130}}, host);
    QCOMPARE(shares[static_cast<std::size_t>(HostActivity::Python)], Ns(15));
    QCOMPARE(shares[static_cast<std::size_t>(HostActivity::None)], Ns(10));
}

void TestTimeline::nothingRecordedIsUnknown() {
    const auto gaps = causesOf({5, 9}, nullptr, HostTimeline());
    QCOMPARE(gaps.size(), std::size_t(1));
    QCOMPARE(gaps[0].cause, std::string("unknown"));
    QVERIFY(!gaps[0].hostSlice.valid());
}

void TestTimeline::causesSumToIdleOnRandomInput() {
    Random random(2);
    const std::vector<std::pair<std::string, std::string>> kinds{{"cuda_runtime", "cudaMalloc"},
                                                                 {"cuda_runtime", "cudaDeviceSynchronize"},
                                                                 {"cuda_runtime", "cudaLaunchKernel"},
                                                                 {"cpu_op", "aten::add"},
                                                                 {"python_function", "f"},
                                                                 {"cuda_runtime", "cudaGetDevice"}};
    for (int round = 0; round < 200; ++round) {
        std::vector<Call> calls;
        for (int i = 0; i < 30; ++i) {
            const auto begin = static_cast<Ns>(random.below(1000));
            const auto &kind = kinds[random.below(kinds.size())];
            calls.push_back({kind.first, kind.second, begin, begin + static_cast<Ns>(random.below(80)), 100 + i});
        }
        std::vector<Op> ops;
        for (int i = 0; i < 15; ++i) {
            const auto begin = static_cast<Ns>(random.below(1000));
            ops.push_back({begin, begin + static_cast<Ns>(random.below(40)), Gemm, GpuActivity::Kernel, 1,
                           static_cast<std::int64_t>(random.below(2) * (100 + random.below(30)))});
        }
        std::sort(ops.begin(), ops.end(), [](const Op &a, const Op &b) { return a.begin < b.begin; });
        Context context = contextOf(ops);
        DeviceActivity activity = deviceActivities(context).begin()->second;
        findGaps(activity, hostOf(calls));
        const DeviceTimeline line = timelineOf(activity);
        Ns total = 0;
        for (const auto &[cause, ns] : line.idleByCauseNs)
            total += ns;
        QCOMPARE(total, line.idleNs);
        for (std::size_t i = 1; i < activity.gaps.size(); ++i)
            QVERIFY(activity.gaps[i - 1].range.end <= activity.gaps[i].range.begin);
    }
}

void TestTimeline::leadInAndTailLieOutsideTheSpan() {
    Context context = contextOf({{100, 200}});
    DeviceActivity activity = deviceActivities(context).begin()->second;
    activity.traced = {0, 300};
    findGaps(activity, HostTimeline());
    QVERIFY(activity.gaps.empty());
    QCOMPARE(sums(activity.outer)["tail"], Ns(100));
    QCOMPARE(sums(activity.outer)["unknown"], Ns(100));
}

QTEST_APPLESS_MAIN(TestTimeline)
#include "tst_timeline.moc"
