// Summaries, scrapes and results of evaluations: their values stay the figures that their files state.
#include "tests/importers/request_support.h"

#include <QTest>

using namespace wattproof;
using test::importLogText;
using test::warningsOf;

class RequestFiguresTest : public QObject {
    Q_OBJECT

private slots:
    void summariesStayFigures_data();
    void summariesStayFigures();
    void scrapesBecomeCurves();
    void figuresOfTablesAndLists();
};

void RequestFiguresTest::summariesStayFigures_data() {
    QTest::addColumn<QString>("log");
    QTest::addColumn<QString>("format");
    QTest::addColumn<QString>("metric");
    QTest::addColumn<QString>("slice");
    QTest::addColumn<double>("value");
    const QString wrk =
        "Running 30s test @ http://127.0.0.1:8080/index.html\n  12 threads and 400 connections\n"
        "  Thread Stats   Avg      Stdev     Max   +/- Stdev\n    Latency   635.91us    0.89ms  12.92ms   93.69%\n"
        "    Req/Sec    56.20k     8.07k   62.00k    86.54%\n  Latency Distribution\n     50%  250.00us\n     99% "
        "   5.80ms\n"
        "  22464657 requests in 30.00s, 17.76GB read\n  Socket errors: connect 0, read 2, write 0, timeout 3\n"
        "Requests/sec: 748868.53\nTransfer/sec:    606.33MB\n";
    QTest::newRow("wrk percentile") << wrk << "wrk-text"
                                    << "p(99)"
                                    << "latency_s" << 0.0058;
    QTest::newRow("wrk rate") << wrk << "wrk-text"
                              << "requests_per_s"
                              << "" << 748868.53;
    QTest::newRow("wrk errors") << wrk << "wrk-text"
                                << "timeout"
                                << "socket_errors" << 3.0;
    QTest::newRow("k6 export")
        << R"j({"metrics": {"iterations": {"count": 10}, "http_req_duration": {"med": 5, "p(99.9)": 9}}})j"
        << "k6-summary-json"
        << "p(99.9)"
        << "http_req_duration" << 9.0;
    QTest::newRow("k6 handleSummary")
        << R"j({"root_group": {"name": ""}, "metrics": {"iterations": {"type": "counter", "values": {"count": 1}},
               "http_req_duration": {"type": "trend", "values": {"med": 5, "p(95)": 8}}}})j"
        << "k6-summary-json"
        << "p(95)"
        << "http_req_duration" << 8.0;
    QTest::newRow("accuracy of ResNet") << "accuracy=76.456%, good=38228, total=50000\n"
                                        << "mlperf-accuracy"
                                        << "accuracy"
                                        << "" << 0.76456;
    QTest::newRow("accuracy of BERT") << "{\"exact_match\": 83.67, \"f1\": 90.87}\n"
                                      << "mlperf-accuracy"
                                      << "f1"
                                      << "" << 90.87;
    QTest::newRow("accuracy of an LLM")
        << "{'rouge1': 44.43, 'rouge2': 22.04, 'rougeL': np.float64(28.61), 'gen_len': 28}\n"
        << "mlperf-accuracy"
        << "rougeL"
        << "" << 28.61;
}

void RequestFiguresTest::summariesStayFigures() {
    QFETCH(QString, log);
    QFETCH(QString, format);
    QFETCH(QString, metric);
    QFETCH(QString, slice);
    QFETCH(double, value);
    const auto run = importLogText(log.toStdString());
    QCOMPARE(run->outcome(), std::string("ok"));
    QCOMPARE(QString::fromStdString(run->writer.sources[0].format), format);
    QVERIFY(run->writer.requests.empty());
    const QualityRow *figure = test::figureOf(run->writer, metric.toStdString(), slice.toStdString());
    QVERIFY(figure);
    QCOMPARE(figure->value, value);
}

void RequestFiguresTest::scrapesBecomeCurves() {
    const std::string scrape =
        "# HELP vllm:num_requests_running Running.\n# TYPE vllm:num_requests_running gauge\n"
        "vllm:num_requests_running{engine=\"0\",model=\"a b\"} 3.0 1753161000000\n"
        "vllm:num_requests_running{engine=\"0\",model=\"a b\"} 4.0 1753161001000\n"
        "# TYPE vllm:generation_tokens_total counter\nvllm:generation_tokens_total 112206123\nvllm:odd NaN\nno "
        "metric\n";
    const auto run = importLogText(scrape);
    QCOMPARE(run->outcome(), std::string("ok"));
    QCOMPARE(run->writer.sources[0].format, std::string("prometheus-metrics"));
    const CounterRow *running = run->writer.findCounter("vllm:num_requests_running{engine=\"0\",model=\"a b\"}");
    QVERIFY(running && running->kind == CounterKind::Gauge);
    QCOMPARE(run->writer.samples.at(running->id.value).at(1).ts, Ns{1'000'000'000});
    QCOMPARE(run->writer.metadataValue("vllm:generation_tokens_total"), std::string("112206123"));
    QCOMPARE(warningsOf(run->writer),
             std::string("malformed_row 1 at line 8; missing_time 1; missing_value 1 at line 7; "));
}

void RequestFiguresTest::figuresOfTablesAndLists() {
    const auto table = importLogText(
        "metric,slice,value,threshold,higher_is_better\naccuracy,all,0.76,0.75,true\nwer,noisy,0.12,,false\nf1,"
        "all,n/a,,\n");
    QCOMPARE(table->outcome(), std::string("ok"));
    QVERIFY(table->writer.sources[0].kind == SourceKind::Quality);
    QCOMPARE(*test::figureOf(table->writer, "accuracy", "all")->threshold, 0.75);
    QVERIFY(!test::figureOf(table->writer, "wer", "noisy")->higherIsBetter);
    QVERIFY(!test::figureOf(table->writer, "f1"));
    QCOMPARE(table->writer.warningCount("missing_value"), std::int64_t{1});
    const auto list = importLogText(R"([{"metric": "perplexity", "value": 5.5, "dataset": "wiki"}])");
    QCOMPARE(test::figureOf(list->writer, "perplexity", "wiki")->value, 5.5);
    QVERIFY(!test::figureOf(list->writer, "perplexity")->higherIsBetter);
    const auto byGpu = importLogText("metric,gpu_index,value,unit\nENERGY,0,6616.065,J\nENERGY,1,8643.701,J\n");
    QCOMPARE(byGpu->outcome(), std::string("ok"));
    QCOMPARE(test::figureOf(byGpu->writer, "ENERGY", "gpu_index=1")->value, 8643.701);
    const auto answers = importLogText(
        R"([{"seq_id": 0, "qsl_idx": 7, "data": "0A00"}, {"seq_id": 1, "qsl_idx": 3, "data": "0B00"}])");
    QCOMPARE(answers->writer.sources.at(0).format, std::string("mlperf-accuracy-log"));
    QCOMPARE(warningsOf(answers->writer).substr(0, 33), std::string("no_samples 1; unread_section 2; "));
}

QTEST_GUILESS_MAIN(RequestFiguresTest)
#include "tst_request_figures.moc"
