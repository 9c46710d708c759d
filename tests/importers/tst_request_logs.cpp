// Single figures and requests of real request, latency and quality logs, looked up in the files.
#include "tests/importers/request_support.h"
#include "tests/support/shared_files.h"

#include <cmath>

#include <QFile>
#include <QTest>
#include <nlohmann/json.hpp>

using namespace wattproof;
using nlohmann::json;

namespace {

QByteArray contentOf(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

class RequestLogsTest : public QObject {
    Q_OBJECT

private slots:
    void namedFiguresAreThoseOfTheFiles();
    void requestsAgreeWithAnIndependentCount();
};

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
