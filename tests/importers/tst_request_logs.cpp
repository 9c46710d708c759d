// Real request, latency and quality logs, each against a list written by hand from the files.
#include "tests/importers/request_support.h"
#include "tests/support/shared_files.h"

#include <cmath>
#include <map>

#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QTest>
#include <nlohmann/json.hpp>

using namespace wattproof;
using nlohmann::json;

namespace {

struct Expectation {
    const char *file, *format;
    SourceKind kind;
    int requests, failed;
    double tokens;
    int figures, curves, samples;
    ClockBasis clock;
    Ns base, span;  // stated ns of the first moment; to the end of the last request or sample
    std::map<std::string, int> warnings;
};

constexpr auto kRequests = SourceKind::Requests, kQuality = SourceKind::Quality;
constexpr auto kNone = ClockBasis::None, kEpoch = ClockBasis::Epoch;

const std::vector<Expectation> kListed = {
    {"custom-json/jetson_bert_accuracy.json",
     "quantisation-accuracy-json",
     kQuality,
     0,
     0,
     0,
     4,
     0,
     0,
     kNone,
     0,
     0,
     {}},
    {"custom-json/jetson_bert_fp32_throughput.json",
     "batch-figures-json",
     kQuality,
     0,
     0,
     0,
     22,
     0,
     0,
     kNone,
     0,
     0,
     {}},
    {"custom-json/jetson_bert_int8_throughput.json",
     "batch-figures-json",
     kQuality,
     0,
     0,
     0,
     22,
     0,
     0,
     kNone,
     0,
     0,
     {}},
    {"custom-json/jetson_bert_int8_latency.json",
     "batch-latency-json",
     kQuality,
     0,
     0,
     0,
     33,
     0,
     0,
     kNone,
     0,
     0,
     {}},
    {"llmperf/groq_70b_individual.json",
     "llmperf-individual-json",
     kRequests,
     150,
     0,
     22500,
     0,
     0,
     0,
     kNone,
     0,
     1'005'772'151,
     {{"missing_time", 150}}},
    {"llmperf/groq_70b_summary.json", "llmperf-summary-json", kRequests, 0, 0, 0, 66, 0, 0, kNone, 0, 0, {}},
    {"lm-eval/qwen2.5-1.5b_results.json",
     "lm-eval-json",
     kQuality,
     0,
     0,
     0,
     86,
     0,
     0,
     kNone,
     0,
     0,
     {{"unread_section", -1}}},
    {"locust/locust_stats.csv", "locust-stats-csv", kRequests, 0, 0, 0, 85, 0, 0, kNone, 0, 0, {}},
    {"locust/locust_stats_history_part1.csv",
     "locust-history-csv",
     kRequests,
     0,
     0,
     0,
     0,
     90,
     87 * 18 - 8,
     kEpoch,
     1'738'153'354'000'000'000,
     90'000'000'000,
     {{"missing_value", 8}}},
    {"mlenergy-leaderboard/Qwen__Qwen3-8B__lm-arena-chat.json",
     "mlenergy-json",
     kQuality,
     0,
     0,
     0,
     190,
     0,
     0,
     kNone,
     0,
     0,
     {{"unread_section", 101}}},
    {"mlperf-loadgen/dgxa100_resnet50_server_summary.txt",
     "mlperf-summary",
     kRequests,
     0,
     0,
     0,
     11,
     0,
     0,
     kNone,
     0,
     0,
     {}},
    {"mlperf-loadgen/dgxa100_resnet50_server_detail.txt",
     "mlperf-detail",
     kRequests,
     0,
     0,
     0,
     13,
     0,
     0,
     kNone,
     0,
     0,
     {{"unread_section", 2}, {"logged_warning", 1}}},
    {"per-request-csv/dsr1_tp8_conc12_detailed_results.csv",
     "inferencex-requests-csv",
     kRequests,
     16,
     1,
     38375,
     0,
     0,
     0,
     kEpoch,
     1'776'748'684'620'360'900,
     1'525'445'208'300,
     {{"failed_request", 1}, {"unmeasured_value", 1}}},
    {"per-request-csv/summary.csv",
     "inferencex-summary-csv",
     kRequests,
     0,
     0,
     0,
     51 * 19 - 25,
     0,
     0,
     kNone,
     0,
     0,
     {{"missing_value", 25}}},
    {"vllm-bench-json/glm5_fp8_vllm_tp8_isl10240_osl128_conc16.json",
     "vllm-bench-json",
     kRequests,
     0,
     0,
     0,
     12,
     0,
     0,
     kNone,
     0,
     0,
     {}},
    {"vllm-bench-json/glm5_fp8_vllm_tp8_isl1024_osl128_conc64.json",
     "vllm-bench-json",
     kRequests,
     0,
     0,
     0,
     12,
     0,
     0,
     kNone,
     0,
     0,
     {}},
    {"vllm-bench-json/minimax_m25_vllm_tep8_isl1024_osl128_conc32.json",
     "vllm-bench-json",
     kRequests,
     0,
     0,
     0,
     12,
     0,
     0,
     kNone,
     0,
     0,
     {}},
    {"vllm-server-metrics-csv/dsr1_tp8_conc12_metrics.csv",
     "vllm-server-metrics-csv",
     kRequests,
     0,
     0,
     0,
     0,
     23,
     135 * 23,
     kEpoch,
     1'776'748'694'162'000'000,
     1'651'471'000'000,
     {}},
};

const Expectation *expectationOf(const QString &path) {
    for (const Expectation &expected : kListed)
        if (path.endsWith(QLatin1String(expected.file)))
            return &expected;
    return nullptr;
}

Ns spanOf(const test::RecordingWriter &writer) {
    Ns last = 0;
    for (const RequestRow &row : writer.requests)
        last = std::max(last, row.ts + row.dur);
    for (const auto &[counter, samples] : writer.samples)
        for (const Sample &sample : samples)
            last = std::max(last, sample.ts);
    return last;
}

QByteArray contentOf(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

class RequestLogsTest : public QObject {
    Q_OBJECT

private slots:
    void everyFileIsReadAsListed_data();
    void everyFileIsReadAsListed();
    void namedFiguresAreThoseOfTheFiles();
    void requestsAgreeWithAnIndependentCount();
};

void RequestLogsTest::everyFileIsReadAsListed_data() {
    QTest::addColumn<QString>("path");
    const QString folder = test::sharedFile("requestlogs");
    if (folder.isEmpty())
        return;
    QDirIterator files(folder, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext())
        if (const QString path = files.next(); !path.endsWith(".md"))
            QTest::newRow(qPrintable(QFileInfo(path).fileName())) << path;
}

void RequestLogsTest::everyFileIsReadAsListed() {
    if (!QTest::currentDataTag())
        QSKIP("skipped: the shared request logs are not here");
    QFETCH(QString, path);
    const Expectation *expected = expectationOf(path);
    QVERIFY2(expected, "the list does not have this file");
    const auto run = test::importLogFile(path.toStdString());
    const test::RecordingWriter &writer = run->writer;
    QVERIFY2(run->summary.has_value(), run->outcome().c_str());
    QVERIFY2(writer.violations.empty(), writer.violations.empty() ? "" : writer.violations[0].c_str());
    QCOMPARE(writer.sources.at(0).format, std::string(expected->format));
    QVERIFY(writer.sources[0].kind == expected->kind);
    QVERIFY(writer.sources[0].clock == expected->clock);
    QCOMPARE(static_cast<int>(writer.requests.size()), expected->requests);
    double tokens = 0;
    int failed = 0, samples = 0;
    for (const RequestRow &row : writer.requests) {
        tokens += row.units.value_or(0);
        failed += row.ok ? 0 : 1;
    }
    for (const auto &[counter, values] : writer.samples)
        samples += static_cast<int>(values.size());
    QCOMPARE(failed, expected->failed);
    QCOMPARE(tokens, expected->tokens);
    QCOMPARE(static_cast<int>(writer.quality.size()), expected->figures);
    QCOMPARE(static_cast<int>(writer.counters.size()), expected->curves);
    QCOMPARE(samples, expected->samples);
    QCOMPARE(writer.sources[0].statedBase, expected->base);
    QCOMPARE(spanOf(writer), expected->span);
    for (const WarningRow &warning : writer.warnings) {
        const auto it = expected->warnings.find(warning.kind);
        QVERIFY2(it != expected->warnings.end(), (warning.kind + ": " + warning.message).c_str());
        if (it->second >= 0)
            QCOMPARE(static_cast<int>(warning.count), it->second);
    }
    QCOMPARE(writer.warnings.size(), expected->warnings.size());
}

void RequestLogsTest::namedFiguresAreThoseOfTheFiles() {
    WATTPROOF_SHARED_OR_SKIP(evaluation, "requestlogs/lm-eval/qwen2.5-1.5b_results.json");
    const auto quality = test::importLogFile(evaluation.toStdString());
    QCOMPARE(test::figureOf(quality->writer, "acc_norm", "hellaswag")->value, 0.678550089623581);
    QVERIFY(test::figureOf(quality->writer, "acc_norm", "hellaswag")->higherIsBetter);
    QVERIFY(!test::figureOf(quality->writer, "perplexity", "lambada_openai")->higherIsBetter);
    QCOMPARE(quality->writer.metadataValue("results.cola.mcc_stderr,none"), std::string("0.030953502151482442"));

    const auto loadgen = test::importLogFile(
        test::sharedFile("requestlogs/mlperf-loadgen/dgxa100_resnet50_server_summary.txt").toStdString());
    QCOMPARE(test::figureOf(loadgen->writer, "99.90 percentile latency (ns)")->value, 22231706.0);
    QVERIFY(!test::figureOf(loadgen->writer, "99.90 percentile latency (ns)")->higherIsBetter);
    QCOMPARE(loadgen->writer.metadataValue("Result is"), std::string("VALID"));

    const auto detail = test::importLogFile(
        test::sharedFile("requestlogs/mlperf-loadgen/dgxa100_resnet50_server_detail.txt").toStdString());
    QCOMPARE(quality->writer.metadataValue("window_begin_ns"), std::string("1740959572260894300"));
    QCOMPARE(detail->writer.metadataValue("window_end_ns"), std::string("1645620094919000000"));
    QCOMPARE(test::figureOf(detail->writer, "result_99.90_percentile_latency_ns")->value, 22231706.0);

    const auto bench = test::importLogFile(
        test::sharedFile("requestlogs/vllm-bench-json/glm5_fp8_vllm_tp8_isl10240_osl128_conc16.json")
            .toStdString());
    QCOMPARE(test::figureOf(bench->writer, "p99_e2el")->value, 30.149846625011413);
    QCOMPARE(bench->writer.metadataValue("window_begin_ns"), std::string("1770990781360894401"));
    QCOMPARE(bench->writer.metadataValue("window_end_ns"), std::string("1770990996000000000"));
    QCOMPARE(bench->writer.metadataValue("window_zone"), std::string("UTC (assumed: the log names no zone)"));
}

// Lengths taken from the text of the files by other means than the importer's.
void RequestLogsTest::requestsAgreeWithAnIndependentCount() {
    WATTPROOF_SHARED_OR_SKIP(individual, "requestlogs/llmperf/groq_70b_individual.json");
    WATTPROOF_SHARED_OR_SKIP(detailed, "requestlogs/per-request-csv/dsr1_tp8_conc12_detailed_results.csv");
    std::vector<double> wanted;
    for (const json &response : json::parse(contentOf(individual).toStdString()))
        wanted.push_back(response["end_to_end_latency_s"].get<double>() * 1e3);
    std::sort(wanted.begin(), wanted.end());
    const auto llmperf = test::importLogFile(individual.toStdString());
    const std::vector<double> read = test::latenciesMs(llmperf->writer);
    QCOMPARE(read.size(), wanted.size());
    for (std::size_t i = 0; i < read.size(); ++i)
        QVERIFY(std::abs(read[i] - wanted[i]) < 1e-6);
    // The file's own p99 interpolates; nearest rank is one of its values, beside it.
    QCOMPARE(*analysis::percentile(read, 100), 1005.772151);

    const auto table = test::importLogFile(detailed.toStdString());
    std::size_t row = 0;
    for (const QByteArray &line : contentOf(detailed).trimmed().split('\n').mid(1)) {
        const QList<QByteArray> cells = line.split(',');
        const RequestRow &request = table->writer.requests.at(row++);
        const bool ok = cells[15] == "True";
        QCOMPARE(request.ok, ok);
        QCOMPARE(*request.units, cells[7].toDouble());
        const double stated = cells[11].toDouble();  // ttlt, of those that succeeded
        if (ok)
            QVERIFY(std::abs(static_cast<double>(request.dur) / 1e9 - stated) < 1e-3);
    }
    QCOMPARE(row, table->writer.requests.size());
}

QTEST_GUILESS_MAIN(RequestLogsTest)
#include "tst_request_logs.moc"
