// Real traces against the facts that an independent reader found in them.
#include "tests/support/import_trace.h"
#include "tests/support/shared_files.h"

#include <algorithm>
#include <map>

#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>
#include <QTest>
#include <nlohmann/json.hpp>

using namespace wattproof;
using Json = nlohmann::json;

class ChromeCorpusTest : public QObject {
    Q_OBJECT

private slots:
    void slicesAndDurations_data() { files(); }
    void slicesAndDurations();
    void depths_data() { files(); }
    void depths();
    void asyncFlowsAndCounters_data() { files(); }
    void asyncFlowsAndCounters();
    void instants_data() { files(); }
    void instants();
    void gpuWork_data() { files(); }
    void gpuWork();
    void timesAndNames_data() { files(); }
    void timesAndNames();
    void notATraceIsRefused_data();
    void notATraceIsRefused();

private:
    void files();
    // The trace at hand and its facts; imported once for all functions.
    bool load();

    struct Loaded {
        test::ImportedTrace trace;
        Json facts;
    };
    std::map<QString, Loaded> cache_;
    const Loaded *now_ = nullptr;
};

namespace {

Json readJson(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? Json::parse(file.readAll().toStdString(), nullptr, false) : Json();
}

std::string shortHash(const std::string &name) {
    const QByteArray bytes(name.data(), static_cast<int>(name.size()));
    return QCryptographicHash::hash(bytes, QCryptographicHash::Sha1).toHex().left(12).toStdString();
}

// Slices of X and B/E events, as opposed to those of asynchronous pairs.
bool isSynchronous(const test::RecordingWriter &writer, const SliceRow &row) {
    const TrackRow &track = writer.track(row.track);
    return row.kind == SliceKind::Slice && (track.kind != TrackKind::Async || track.device.valid());
}

// The lives of objects lie beside asynchronous pairs, on tracks of their own.
bool isObject(const test::RecordingWriter &writer, const SliceRow &row) {
    return writer.track(row.track).name.ends_with(" objects");
}

// What CPU profiles were unrolled to.
bool isProfile(const TrackRow &track) {
    return track.name.starts_with("CPU profile of ");
}

Ns unionOf(std::vector<TimeRange> ranges) {
    std::sort(ranges.begin(), ranges.end(), [](TimeRange a, TimeRange b) { return a.begin < b.begin; });
    Ns busy = 0, end = 0;
    for (const TimeRange &range : ranges) {
        busy += std::max<Ns>(0, range.end - std::max(end, range.begin));
        end = std::max(end, range.end);
    }
    return busy;
}

}  // namespace

void ChromeCorpusTest::files() {
    QTest::addColumn<QString>("path");
    for (const char *folder : {"corpus/kineto", "corpus/chrome", "corpus/build", "corpus/derived"})
        for (const QString &facts :
             test::sharedFiles(QString::fromLatin1(folder), QStringLiteral("*.facts.json"))) {
            const Json document = readJson(facts);
            if (!document.contains("members") || !document["members"][0].contains("chrome"))
                continue;
            const QString path = facts.left(facts.size() - static_cast<int>(qstrlen(".facts.json")));
            QTest::newRow(qPrintable(QFileInfo(path).fileName())) << path;
        }
}

bool ChromeCorpusTest::load() {
    if (QByteArray(QTest::currentDataTag()).isEmpty())
        return false;
    QFETCH(QString, path);
    auto &loaded = cache_[path];
    if (loaded.facts.is_null()) {
        loaded.facts = readJson(path + QStringLiteral(".facts.json"))["members"][0]["chrome"];
        loaded.trace = test::importChromeFile(path.toStdString());
    }
    now_ = &loaded;
    if (!loaded.trace.result)
        qWarning("%s", loaded.trace.outcome().c_str());
    return loaded.trace.result.has_value();
}

#define LOAD_OR_SKIP                                     \
    if (!QTest::currentDataTag())                        \
        QSKIP("skipped: the shared corpus is not here"); \
    QVERIFY(load());                                     \
    const auto &writer = *now_->trace.writer;            \
    const Json &facts = now_->facts;                     \
    Q_UNUSED(facts)                                      \
    Q_UNUSED(writer)

void ChromeCorpusTest::slicesAndDurations() {
    LOAD_OR_SKIP
    QCOMPARE(now_->trace.violations(), std::string());
    const Json &slices = facts["slices"];
    std::int64_t closed = 0;
    Ns sum = 0;
    std::map<std::string, std::pair<std::int64_t, Ns>> byName;
    for (const SliceRow &row : writer.slices) {
        if (!isSynchronous(writer, row) || row.state != SliceState::Ok)
            continue;
        ++closed;
        sum += row.dur;
        auto &entry = byName[writer.text(row.name)];
        entry.first += 1;
        entry.second += row.dur;
    }
    QCOMPARE(now_->trace.result->events, facts["events"].get<std::int64_t>());
    if (slices["rules_agree"] == false) {
        // Ends whose name is not that of the innermost begin: readers differ in what they close, none may lose a
        // slice.
        closed += std::count_if(writer.slices.begin(), writer.slices.end(), [&writer](const SliceRow &row) {
            return isSynchronous(writer, row) && row.state == SliceState::Unfinished;
        });
        QCOMPARE(closed,
                 slices["closed"].get<std::int64_t>() + slices["plain_rule"]["unclosed_B"].get<std::int64_t>());
        return;
    }
    QCOMPARE(closed - writer.warningCount("negative_duration"), slices["closed"].get<std::int64_t>());
    QCOMPARE(sum, facts["sum_slice_dur_ns"].get<Ns>());
    std::map<std::string, std::pair<std::int64_t, Ns>> byHash;
    for (const auto &[name, entry] : byName)
        byHash[shortHash(name)] = entry;
    if (writer.warningCount("invalid_utf8") > 0)
        return;  // names with replaced bytes hash otherwise
    for (const Json &top : facts["top10_total_dur"]) {
        const auto &own = byHash[top["name_sha1"].get<std::string>()];
        QCOMPARE(own.first, top["count"].get<std::int64_t>());
        QCOMPARE(own.second, top["total_ns"].get<Ns>());
    }
}

void ChromeCorpusTest::depths() {
    LOAD_OR_SKIP
    const bool comparable = facts["slices"]["rules_agree"] == true &&
                            facts["slices"]["plain_rule"]["unclosed_B"] == 0 &&
                            std::none_of(writer.tracks.begin(), writer.tracks.end(),
                                         [](const TrackRow &row) { return row.device.valid(); });
    if (!comparable)
        return;  // device work has tracks of its own here, and open slices run on
    QCOMPARE(writer.warningCount("overlapping_slice"), facts["slices"]["overlapping_x"].get<std::int64_t>());
    std::map<std::int32_t, std::int64_t> own;
    for (const SliceRow &row : writer.slices)
        if (isSynchronous(writer, row) && row.lane == 0)
            ++own[row.depth];
    if (writer.warningCount("overlapping_slice") > 0)
        return;
    for (const auto &[depth, count] : facts["slices_per_depth"].items())
        QCOMPARE(own[std::stoi(depth)], count.get<std::int64_t>());
}

void ChromeCorpusTest::asyncFlowsAndCounters() {
    LOAD_OR_SKIP
    std::int64_t pairs = 0, open = 0;
    for (const SliceRow &row : writer.slices) {
        if (isSynchronous(writer, row) || isObject(writer, row) || isProfile(writer.track(row.track)) ||
            row.kind != SliceKind::Slice)
            continue;
        (row.state == SliceState::Ok ? pairs : open) += 1;
    }
    const Json &async = facts["async"];
    const Json legacy = facts.value("legacy_async", Json::object());
    QCOMPARE(pairs, async["pairs"].get<std::int64_t>() + legacy.value("pairs", std::int64_t{0}));
    QCOMPARE(open, async["unclosed_b"].get<std::int64_t>() + legacy.value("unclosed_S", std::int64_t{0}));
    const Json &flows = facts["flows"];
    // In the newer form every slice that a flow enters ends an arrow.
    const Json v2 = flows.value("v2", Json::object());
    QCOMPARE(static_cast<std::int64_t>(writer.flows.size()) + writer.warningCount("unbound_flow"),
             flows["arrows"].get<std::int64_t>() + v2.value("in", std::int64_t{0}) +
                 v2.value("inout", std::int64_t{0}));
    QCOMPARE(static_cast<std::int64_t>(writer.samples.size()), facts["counter_series"].get<std::int64_t>());
    std::int64_t samples = 0;
    for (const auto &[counter, rows] : writer.samples)
        samples += static_cast<std::int64_t>(rows.size());
    QCOMPARE(samples, facts["counter_samples"].get<std::int64_t>());
}

// Marks, asynchronous steps, samples, snapshots and dumps: each is one instant. An object's making and end are
// none where they bound a life, nor are samples where they are pieces of a CPU profile.
void ChromeCorpusTest::instants() {
    LOAD_OR_SKIP
    std::int64_t wanted = 0, own = 0;
    for (const auto &[scope, count] : facts["instants_per_scope"].items())
        wanted += count.get<std::int64_t>();
    for (const char *phase : {"n", "T", "p", "O", "N", "D", "v", "V", "c"})
        wanted += facts["events_per_phase"].value(phase, std::int64_t{0});
    if (std::none_of(writer.tracks.begin(), writer.tracks.end(), isProfile))
        wanted += facts["events_per_phase"].value("P", std::int64_t{0});
    for (const SliceRow &row : writer.slices) {
        if (row.kind == SliceKind::Instant)
            ++own;
        else if (isObject(writer, row))
            own += row.state == SliceState::Ok ? 2 : 1;
    }
    QCOMPARE(own, wanted);
    QCOMPARE(writer.warningCount("unsupported_phase"), std::int64_t{0});
}

void ChromeCorpusTest::gpuWork() {
    LOAD_OR_SKIP
    if (!facts.contains("gpu")) {
        QCOMPARE(writer.gpuOps.size(), std::size_t{0});
        return;
    }
    std::map<std::pair<std::string, std::string>, std::vector<TimeRange>> streams;
    for (const GpuOpRow &op : writer.gpuOps) {
        const SliceRow &row = writer.slice(op.slice);
        const DeviceRow &device = writer.devices.at(static_cast<std::size_t>(op.device.value - 1));
        streams[{device.nativeId, op.stream}].push_back({row.ts, row.ts + row.dur});
    }
    QCOMPARE(static_cast<std::int64_t>(writer.gpuOps.size()), facts["gpu"]["count"].get<std::int64_t>());
    QCOMPARE(streams.size(), facts["gpu"]["per_device_stream"].size());
    for (const Json &wanted : facts["gpu"]["per_device_stream"]) {
        const auto &own = streams[{wanted["device"].get<std::string>(), wanted["stream"].get<std::string>()}];
        Ns sum = 0;
        for (const TimeRange &range : own)
            sum += range.length();
        QCOMPARE(static_cast<std::int64_t>(own.size()), wanted["count"].get<std::int64_t>());
        QCOMPARE(sum, wanted["sum_dur_ns"].get<Ns>());
        QCOMPARE(unionOf(own), wanted["busy_union_ns"].get<Ns>());
    }
}

void ChromeCorpusTest::timesAndNames() {
    LOAD_OR_SKIP
    if (facts["first_ts_ns"].is_null())
        return;
    const std::string base = writer.metadataValue("baseTimeNanoseconds");
    const SourceRow &source = writer.sources.at(0);
    const Ns first = facts["first_ts_ns"];
    const bool shifted = source.clock == ClockBasis::Epoch && source.statedBase != first;
    const bool known = writer.warningCount("timestamp_outlier") > 0 || source.statedBase == first ||
                       (shifted && !base.empty() && source.statedBase == first + std::stoll(base)) ||
                       (shifted && !writer.metadataValue("beginningOfTime").empty());
    QVERIFY2(known, qPrintable(QString::number(source.statedBase)));
    std::map<std::string, std::string> names;
    for (const ProcessRow &row : writer.processes)
        names[row.pid] = row.name;
    if (writer.warningCount("invalid_utf8") == 0)
        for (const auto &[pid, name] : facts["process_names"].items())
            QCOMPARE(names[pid], name.get<std::string>());
    for (const ThreadRow &row : writer.threads) {
        const ProcessRow &process = writer.processes.at(static_cast<std::size_t>(row.process.value - 1));
        const auto wanted = facts["thread_names"].find(process.pid + '/' + row.tid);
        if (writer.warningCount("invalid_utf8") == 0 && wanted != facts["thread_names"].end())
            QCOMPARE(row.name, wanted->get<std::string>());
    }
}

void ChromeCorpusTest::notATraceIsRefused_data() {
    QTest::addColumn<QString>("path");
    for (const char *name :
         {"corpus/chrome/catapult_google_cloud_trace.json",
          "corpus/kineto/hta_execution_trace__benchmark_simple_add_et.json.gz",
          "corpus/other/tracelens_rocprof__908_results.json.gz", "corpus/derived/zero_bytes.json"})
        if (const QString path = test::sharedFile(QString::fromLatin1(name)); !path.isEmpty())
            QTest::newRow(name) << path;
}

void ChromeCorpusTest::notATraceIsRefused() {
    if (!QTest::currentDataTag())
        QSKIP("skipped: the shared corpus is not here");
    QFETCH(QString, path);
    const auto trace = test::importChromeFile(path.toStdString());
    QVERIFY(!trace.result);
    QVERIFY(!trace.result.error().what.empty() && !trace.result.error().where.empty());
    QVERIFY(trace.writer->finished.empty());
}

QTEST_APPLESS_MAIN(ChromeCorpusTest)
#include "tst_chrome_corpus.moc"
