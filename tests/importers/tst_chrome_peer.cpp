// Accelerator traces with expected numbers: what was read, the GPU timeline, kernels and their launches.
#include "tests/support/import_trace.h"
#include "tests/support/shared_files.h"

#include <algorithm>
#include <map>
#include <set>

#include <QFile>
#include <QFileInfo>
#include <QTest>
#include <nlohmann/json.hpp>

using namespace wattproof;
using Json = nlohmann::json;

class ChromePeerTest : public QObject {
    Q_OBJECT

private slots:
    void agreesWithTheExpectedNumbers_data();
    void agreesWithTheExpectedNumbers();

private:
    void records();
    void timeline();
    void kernels();
    void launches();

    test::ImportedTrace trace_;
    Json expected_;
};

namespace {

using Ranges = std::vector<TimeRange>;

Ranges unionOf(Ranges ranges) {
    std::sort(ranges.begin(), ranges.end(), [](TimeRange a, TimeRange b) { return a.begin < b.begin; });
    Ranges merged;
    for (const TimeRange &range : ranges) {
        if (!merged.empty() && range.begin <= merged.back().end)
            merged.back().end = std::max(merged.back().end, range.end);
        else
            merged.push_back(range);
    }
    return merged;
}

Ns lengthOf(const Ranges &ranges) {
    Ns sum = 0;
    for (const TimeRange &range : ranges)
        sum += range.length();
    return sum;
}

Ns unionLength(Ranges a, const Ranges &b) {
    a.insert(a.end(), b.begin(), b.end());
    return lengthOf(unionOf(std::move(a)));
}

double ms(Ns ns) {
    return static_cast<double>(ns) / 1e6;
}

}  // namespace

void ChromePeerTest::agreesWithTheExpectedNumbers_data() {
    QTest::addColumn<QString>("name");
    for (const QString &path : test::sharedFiles(QStringLiteral("peer/expected"), QStringLiteral("*.json"))) {
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly))
            continue;
        const Json expected = Json::parse(file.readAll().toStdString(), nullptr, false);
        if (expected.value("format", "") == "chrome_json")
            QTest::newRow(qPrintable(QFileInfo(path).baseName())) << QString::fromStdString(expected["trace"]);
    }
}

void ChromePeerTest::agreesWithTheExpectedNumbers() {
    if (!QTest::currentDataTag())
        QSKIP("skipped: the shared peer traces are not here");
    QFETCH(QString, name);
    QFile file(test::sharedFile(QStringLiteral("peer/expected/") + QString::fromLatin1(QTest::currentDataTag()) +
                                QStringLiteral(".json")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    expected_ = Json::parse(file.readAll().toStdString());
    trace_ = test::importChromeFile(test::sharedFile(QStringLiteral("peer/") + name).toStdString());
    QCOMPARE(trace_.outcome(), std::string("ok"));
    QCOMPARE(trace_.violations(), std::string());
    records();
    if (!QTest::currentTestFailed())
        timeline();
    if (!QTest::currentTestFailed())
        kernels();
    if (!QTest::currentTestFailed())
        launches();
}

// Everything in the file became something: slices, instants, flows (counted by their records) or names.
void ChromePeerTest::records() {
    const Json &wanted = expected_["records"];
    std::int64_t complete = 0, instants = 0;
    for (const SliceRow &row : trace_.writer->slices)
        (row.kind == SliceKind::Instant ? instants : complete) += 1;
    QCOMPARE(trace_.result->events, wanted["total"].get<std::int64_t>());
    QCOMPARE(complete, wanted["by_phase"].value("X", std::int64_t{0}) -
                           wanted.value("complete_without_dur", std::int64_t{0}));
    QCOMPARE(instants, wanted["by_phase"].value("i", std::int64_t{0}));
    const Ns base = expected_["base_time_ns"].is_null() ? 0 : expected_["base_time_ns"].get<Ns>();
    const Ns first = expected_["first_ns"];
    QVERIFY(trace_.base() == first || trace_.base() == first + base);
    Ns end = 0;
    for (const SliceRow &row : trace_.writer->slices)
        end = row.kind == SliceKind::Slice ? std::max(end, row.ts + row.dur) : end;
    QCOMPARE(end, expected_["last_ns"].get<Ns>() - first);
}

// The rule of three classes must follow from op classes alone.
void ChromePeerTest::timeline() {
    const auto &writer = *trace_.writer;
    std::map<std::string, Ranges> byClass;
    Ranges all;
    for (const GpuOpRow &op : writer.gpuOps) {
        const SliceRow &row = writer.slice(op.slice);
        const auto found = writer.classes.find(row.name.value);
        const std::string opClass = found == writer.classes.end() ? "" : found->second.opClass;
        byClass[opClass == "copy" || opClass == "communication" ? opClass : "computation"].push_back(
            {row.ts, row.ts + row.dur});
        all.push_back({row.ts, row.ts + row.dur});
    }
    const Ranges busy = unionOf(all);
    QVERIFY(!busy.empty());
    const Ranges &c = byClass["computation"], &m = byClass["communication"], &x = byClass["copy"];
    const Ns cm = unionLength(c, m);
    const std::map<std::string, Ns> own{
        {"computation_time", lengthOf(unionOf(c))},           {"exposed_comm_time", cm - lengthOf(unionOf(c))},
        {"exposed_memcpy_time", lengthOf(busy) - cm},         {"busy_time", lengthOf(busy)},
        {"total_time", busy.back().end - busy.front().begin}, {"total_comm_time", lengthOf(unionOf(m))},
        {"total_memcpy_time", lengthOf(unionOf(x))}};
    for (const auto &[key, value] : own) {
        const double wanted = expected_["gpu_timeline_ms"][key];
        QVERIFY2(
            std::abs(ms(value) - wanted) <= 1e-3 * std::max(wanted, 1e-3),
            qPrintable(QString::fromStdString(key) + QStringLiteral(": %1 not %2").arg(ms(value)).arg(wanted)));
    }
}

void ChromePeerTest::kernels() {
    const auto &writer = *trace_.writer;
    std::int64_t count = 0;
    Ns sum = 0;
    std::map<std::string, std::pair<std::int64_t, Ns>> byName;
    for (const GpuOpRow &op : writer.gpuOps) {
        if (op.activity != GpuActivity::Kernel)
            continue;
        const SliceRow &row = writer.slice(op.slice);
        ++count;
        sum += row.dur;
        auto &entry = byName[writer.text(row.name)];
        entry.first += 1;
        entry.second += row.dur;
    }
    QCOMPARE(count, expected_["kernel_count"].get<std::int64_t>());
    QVERIFY(std::abs(ms(sum) - expected_["kernel_sum_ms"].get<double>()) < 1e-5);
    QCOMPARE(static_cast<std::int64_t>(byName.size()), expected_["distinct_kernel_names"].get<std::int64_t>());
    for (const Json &top : expected_["top_kernels"]) {
        const auto &own = byName[top["name"].get<std::string>()];
        QCOMPARE(own.first, top["count"].get<std::int64_t>());
        QVERIFY(std::abs(static_cast<double>(own.second) / 1e3 - top["total_us"].get<double>()) < 1e-2);
    }
}

void ChromePeerTest::launches() {
    QCOMPARE(trace_.result->gpuOps, expected_["gpu_records"]["all"].get<std::int64_t>());
    // The expected number counts operations that an arrow leads to. Kineto on ROCm draws none for memory sets,
    // though the call that ordered one is in the file with the same correlation: those, and only those, are linked
    // beyond it.
    const auto &writer = *trace_.writer;
    std::set<std::int64_t> reached;
    for (const FlowRow &flow : writer.flows)
        reached.insert(flow.to.value);
    std::int64_t expectedLinks = 0, memorySets = 0;
    for (const GpuOpRow &op : writer.gpuOps) {
        if (!op.launch.valid())
            continue;
        // All work of a graph belongs to the call that launched it, arrow or not.
        const std::string &call = writer.text(writer.slice(op.launch).name);
        const bool stated = reached.count(op.slice.value) > 0 || call.ends_with("GraphLaunch");
        (stated ? expectedLinks : memorySets) += 1;
        QVERIFY2(stated || (op.activity == GpuActivity::Memset && call.starts_with("hipMemset")), call.c_str());
    }
    QCOMPARE(expectedLinks, expected_["gpu_records"]["with_a_host_launch"].get<std::int64_t>());
    QCOMPARE(trace_.result->links, expectedLinks + memorySets);
    QCOMPARE(trace_.writer->warningCount("unlinked_kernel"), trace_.result->gpuOps - trace_.result->links);
    for (const DeviceRow &device : trace_.writer->devices) {
        const auto &properties = expected_["device_properties"];
        QVERIFY(properties.empty() || device.model == properties[0]["name"].get<std::string>());
    }
}

QTEST_APPLESS_MAIN(ChromePeerTest)
#include "tst_chrome_peer.moc"
