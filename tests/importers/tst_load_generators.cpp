// Logs and reports of load generators and servers, in the shapes that the tools write: k6, JMeter, wrk, wrk2,
// Prometheus and OpenMetrics, and the accuracy scripts of MLPerf.
#include "importers/requests/k6_text.h"
#include "tests/importers/request_support.h"

#include <QTest>

using namespace wattproof;
using test::figureOf;
using test::importLogText;
using test::rowsOf;
using test::warningsOf;

class LoadGeneratorsTest : public QObject {
    Q_OBJECT

private slots:
    void rowsAreRequests_data();
    void rowsAreRequests();
    void transactionsOfJMeterAreNoRequests();
    void answersOverSeveralLinesStayInTheirRow();
    void anOpenQuoteLosesItsOwnRowAlone();
    void timesOfK6AreOfAnyUnit();
    void summaryOfK6AsText();
    void lengthsOfGo();
    void directionsOfK6();
    void reportOfWrk2();
    void openMetricsStateSeconds();
    void typesOfMetricsTellTheirKind();
    void accuracyScripts_data();
    void accuracyScripts();
};

void LoadGeneratorsTest::rowsAreRequests_data() {
    QTest::addColumn<QString>("log");
    QTest::addColumn<QString>("format");
    QTest::addColumn<QString>("rows");
    QTest::newRow("jmeter") << "timeStamp,elapsed,label,responseCode,success\n1753161000100,20,home,200,"
                               "true\n1753161000000,5,home,500,false\n"
                            << "jmeter-csv"
                            << "home 100000000+20000000 ok; home 0+5000000 failed; ";
    QTest::newRow("k6")
        << "metric_name,timestamp,metric_value,method,name,status,error\nhttp_reqs,1753161000,1,GET,/a,200,\n"
           "http_req_duration,1753161001,250,GET,/a,200,\nhttp_req_duration,1753161002,10,GET,/a,0,dial\n"
        << "k6-csv"
        << "/a 0+250000000 ok; /a 1240000000+10000000 failed; ";
    QTest::newRow("json list")
        << R"({"requests": [{"model": "m", "start_time": 1753161000.5, "latency_ms": 4, "output_tokens": 2}]})"
        << "requests-json"
        << "m 0+4000000 ok; ";
}

void LoadGeneratorsTest::rowsAreRequests() {
    QFETCH(QString, log);
    QFETCH(QString, format);
    QFETCH(QString, rows);
    const auto run = importLogText(log.toStdString());
    QCOMPARE(run->outcome(), std::string("ok"));
    QCOMPARE(QString::fromStdString(run->writer.sources[0].format), format);
    QCOMPARE(QString::fromStdString(rowsOf(run->writer)), rows);
}

void LoadGeneratorsTest::transactionsOfJMeterAreNoRequests() {
    const auto run = importLogText(
        "timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,failureMessage,bytes,"
        "sentBytes,grpThreads,allThreads,URL,Latency,IdleTime,Connect\n"
        "1753161000000,40,POST /v1/chat,200,OK,users 1-1,text,true,,812,301,4,4,http://host/v1/chat,31,0,2\n"
        "1753161000040,10,GET /v1/models,404,Not Found,users "
        "1-1,text,false,,90,120,4,4,http://host/v1/models,9,0,0\n"
        "1753161000000,50,session,,\"Number of samples in transaction : 2, number of failing samples : 1\",users "
        "1-1,,false,,902,421,4,4,null,40,0,2\n");
    QCOMPARE(run->writer.sources.at(0).format, std::string("jmeter-csv"));
    QCOMPARE(rowsOf(run->writer),
             std::string("POST /v1/chat 0+40000000 ok; GET /v1/models 40000000+10000000 failed; "));
    QCOMPARE(warningsOf(run->writer), std::string("failed_request 1 at line 3; unread_section 1 at line 4; "));
}

// A request that failed keeps what the server answered, with its line ends.
void LoadGeneratorsTest::answersOverSeveralLinesStayInTheirRow() {
    const auto run = importLogText(
        "timeStamp,elapsed,label,responseCode,success,failureMessage,bytes\n"
        "1753161000000,40,chat,500,false,\"expected 200, got:\n<html>\n  <b>\"\"overloaded\"\"</b>, "
        "sorry\n</html>\",9\n"
        "1753161000100,20,chat,200,true,,7\n");
    QCOMPARE(rowsOf(run->writer), std::string("chat 0+40000000 failed; chat 100000000+20000000 ok; "));
    QVERIFY(run->writer.requests[0].attributesJson.find(R"(<b>\"overloaded\"</b>, sorry </html>)") !=
            std::string::npos);
    QCOMPARE(warningsOf(run->writer), std::string("failed_request 1 at line 2; "));
    const auto cut = importLogText(
        "timeStamp,elapsed,label,success,failureMessage,bytes\n1753161000000,40,chat,false,\"got:\n<html>");
    QCOMPARE(warningsOf(cut->writer), std::string("truncated_input 1 at line 2; "));
}

void LoadGeneratorsTest::anOpenQuoteLosesItsOwnRowAlone() {
    const auto run = importLogText(
        "timeStamp,elapsed,label,success,failureMessage,bytes\n1753161000000,40,chat,false,\"5 inch,9\n"
        "1753161000100,20,chat,true,,7\n1753161000200,20,chat,true,,7\n");
    QCOMPARE(rowsOf(run->writer), std::string("chat 0+20000000 ok; chat 100000000+20000000 ok; "));
    QCOMPARE(warningsOf(run->writer), std::string("malformed_row 1 at line 2; "));
}

// K6_CSV_TIME_FORMAT: unix, unix_milli, unix_nano, rfc3339.
void LoadGeneratorsTest::timesOfK6AreOfAnyUnit() {
    for (const char *time : {"1753161001", "1753161001000", "1753161001000000000", "2025-07-22T05:10:01Z"}) {
        const auto run = importLogText(
            "metric_name,timestamp,metric_value,check,error,error_code,expected_response,group,method,name,proto,"
            "scenario,service,status,subproto,tls_version,url,extra_tags,metadata\n"
            "http_req_duration," +
            std::string(time) +
            ",250.000000,,,,true,::chat,POST,http://host/v1/chat,HTTP/1.1,default,,200,,,http://host/v1/chat,,\n"
            "grpc_req_duration," +
            std::string(time) + ",20.000000,,,,,,,host,,default,,0,,,host,,\n");
        QCOMPARE(rowsOf(run->writer), std::string("http://host/v1/chat 0+250000000 ok; "));
        QCOMPARE(run->writer.sources.at(0).statedBase, Ns{1'753'161'000'750'000'000});
        QCOMPARE(warningsOf(run->writer), std::string("unread_section 1 at line 3; "));  // 0 is no failure there
    }
}

constexpr const char *kOldK6 =
    "     ✓ status is 200\n"
    "     checks.........................: 97.50% ✓ 78       ✗ 2\n"
    "     data_received..................: 1.3 MB 31 kB/s\n"
    "   ✓ http_req_duration..............: avg=144.56ms min=104.11ms med=110.47ms max=1.14s p(90)=203.54ms "
    "p(95)=215.95ms\n"
    "       { expected_response:true }...: avg=140µs  min=0s       med=110ns    max=1m2.5s p(90)=203.54ms "
    "p(95)=1.5s\n"
    "     http_req_failed................: 2.50%  ✓ 1        ✗ 39\n"
    "     http_reqs......................: 40     4.36938/s\n"
    "     vus............................: 1      min=1      max=19\n"
    "running (0m41.2s), 00/20 VUs, 45 complete and 0 interrupted iterations\n";

void LoadGeneratorsTest::summaryOfK6AsText() {
    const auto run = importLogText(kOldK6);
    QCOMPARE(run->writer.sources.at(0).format, std::string("k6-summary-text"));
    const auto value = [&run](const char *slice, const char *metric) {
        const QualityRow *row = figureOf(run->writer, metric, slice);
        return row ? row->value : -1;
    };
    QCOMPARE(value("checks", "rate"), 0.975);
    QCOMPARE(value("checks", "passes"), 78.0);
    QCOMPARE(value("checks", "fails"), 2.0);
    QCOMPARE(value("data_received", "count"), 1.3e6);
    QCOMPARE(value("data_received", "rate"), 31e3);
    QCOMPARE(value("http_req_duration", "p(95)"), 215.95);
    QCOMPARE(value("http_req_duration", "max"), 1140.0);
    QCOMPARE(value("http_req_duration{expected_response:true}", "max"), 62'500.0);
    QCOMPARE(value("http_req_duration{expected_response:true}", "avg"), 0.14);
    QCOMPARE(value("http_reqs", "rate"), 4.36938);
    QCOMPARE(value("vus", "value"), 1.0);
    QCOMPARE(warningsOf(run->writer), std::string("unread_section 2 at line 1; "));
    const auto newer = importLogText(
        "  █ TOTAL RESULTS\n    checks_succeeded...: 97.50% 78 out of 80\n    HTTP\n"
        "    http_req_duration..............: avg=119.65ms min=100ms med=101ms max=300ms p(90)=203ms p(95)=250ms\n"
        "    http_req_failed................: 2.50%  1 out of 40\n");
    QCOMPARE(figureOf(newer->writer, "passes", "checks_succeeded")->value, 78.0);
    QCOMPARE(figureOf(newer->writer, "passes", "http_req_failed")->value, 1.0);
    QVERIFY(!figureOf(newer->writer, "passes", "http_req_failed")->higherIsBetter);
}

void LoadGeneratorsTest::lengthsOfGo() {
    using importers::requests::goMilliseconds;
    QCOMPARE(*goMilliseconds("2h3m4.5s"), 7'384'500.0);
    QCOMPARE(*goMilliseconds("28.16µs"), 0.02816);
    QCOMPARE(*goMilliseconds("0s"), 0.0);
    for (const char *none : {"5", "ms", "5parsec", "1.2.3s", "5m3"})
        QVERIFY2(!goMilliseconds(none), none);
}

// Of a rate, "passes" counts what is true: of http_req_failed the failures.
void LoadGeneratorsTest::directionsOfK6() {
    const auto run = importLogText(
        R"j({"root_group": {"name": ""}, "metrics": {"iterations": {"count": 40, "rate": 4.3},
            "http_req_duration{scenario:chat}": {"avg": 80.5, "min": 2, "med": 31, "max": 367, "p(90)": 234,
                                                 "p(99.9)": 360, "thresholds": {"p(99)<200": true}},
            "http_req_failed": {"value": 0.025, "passes": 1, "fails": 39}, "checks": {"value": 0.975, "passes": 78,
            "fails": 2}, "dropped_iterations": {"count": 3}}})j");
    const auto more = [&run](const char *slice, const char *metric) {
        return figureOf(run->writer, metric, slice)->higherIsBetter;
    };
    QVERIFY(!more("http_req_duration{scenario:chat}", "avg"));
    QVERIFY(!more("http_req_duration{scenario:chat}", "p(99.9)"));
    QVERIFY(!more("http_req_failed", "value") && !more("http_req_failed", "passes"));
    QVERIFY(more("http_req_failed", "fails"));
    QVERIFY(more("checks", "passes") && !more("checks", "fails"));
    QVERIFY(more("iterations", "rate") && !more("dropped_iterations", "count"));
    QCOMPARE(run->writer.quality.size(), std::size_t{15});  // a threshold is none
}

void LoadGeneratorsTest::reportOfWrk2() {
    const auto run = importLogText(
        "Running 1m test @ http://127.0.0.1:8000/v1/models\n  2 threads and 64 connections\n"
        "  Thread calibration: mean lat.: 1.201ms, rate sampling interval: 10ms\n"
        "  Thread Stats   Avg      Stdev     Max   +/- Stdev\n    Latency     1.47ms  705.08us  10.63ms   68.84%\n"
        "    Req/Sec     2.11k   260.26     3.56k    67.12%\n"
        "  Latency Distribution (HdrHistogram - Recorded Latency)\n 50.000%    1.40ms\n 99.900%    6.43ms\n"
        "100.000%    1.20m \n\n  Detailed Percentile spectrum:\n       Value   Percentile   TotalCount "
        "1/(1-Percentile)\n\n       0.066     0.000000            1         1.00\n"
        "      10.639     1.000000        99456          inf\n#[Mean    =        1.470, StdDeviation   =        "
        "0.705]\n"
        "----------------------------------------------------------\n\n"
        "  Latency Distribution (HdrHistogram - Uncorrected Latency (measured without taking delayed starts into "
        "account))\n 50.000%  206.00us\n 99.900%    1.39ms\n  Detailed Percentile spectrum:\n"
        "  119943 requests in 1.00m, 117.30MB read\n  Non-2xx or 3xx responses: 12\n"
        "Requests/sec:   1999.05\nTransfer/sec:      1.95MB\n");
    const auto value = [&run](const char *slice, const char *metric) {
        const QualityRow *row = figureOf(run->writer, metric, slice);
        return row ? row->value : -1;
    };
    QCOMPARE(run->writer.sources.at(0).format, std::string("wrk-text"));
    QCOMPARE(value("latency_s", "p(50)"), 0.0014);
    QCOMPARE(value("latency_s", "p(99.9)"), 0.00643);
    QCOMPARE(value("latency_s", "p(100)"), 72.0);
    QCOMPARE(value("uncorrected_latency_s", "p(50)"), 0.000206);
    QCOMPARE(value("", "duration_s"), 60.0);
    QCOMPARE(value("", "failed_responses"), 12.0);
    QVERIFY(!figureOf(run->writer, "avg", "latency_s")->higherIsBetter);
    QVERIFY(figureOf(run->writer, "avg", "requests_per_s_of_a_thread")->higherIsBetter);
}

void LoadGeneratorsTest::openMetricsStateSeconds() {
    const auto run = importLogText(
        "# TYPE vllm:num_requests_running gauge\nvllm:num_requests_running{engine=\"0\"} 3.0 1753161000.25\n"
        "vllm:num_requests_running{engine=\"0\"} 4.0 1753161001.25\n# TYPE vllm:e2e_request_latency_seconds "
        "histogram\n"
        "vllm:e2e_request_latency_seconds_bucket{engine=\"0\",le=\"0.5\"} 4 1753161001.25 # {trace_id=\"ab\"} "
        "0.43 "
        "1753161000.9\nvllm:e2e_request_latency_seconds_bucket{engine=\"0\",le=\"+Inf\"} 9 # {trace_id=\"a\"} "
        "0.7\n"
        "# EOF\n");
    const CounterRow *running = run->writer.findCounter("vllm:num_requests_running{engine=\"0\"}");
    QVERIFY(running);
    QCOMPARE(run->writer.sources.at(0).statedBase, Ns{1'753'161'000'250'000'000});
    QCOMPARE(run->writer.samples.at(running->id.value).at(1).ts, Ns{1'000'000'000});
    const CounterRow *bucket =
        run->writer.findCounter("vllm:e2e_request_latency_seconds_bucket{engine=\"0\",le=\"0.5\"}");
    QVERIFY(bucket && bucket->kind == CounterKind::Counter);
    QCOMPARE(run->writer.samples.at(bucket->id.value).at(0).value, 4.0);
    QCOMPARE(warningsOf(run->writer), std::string("missing_time 1; "));
}

void LoadGeneratorsTest::typesOfMetricsTellTheirKind() {
    const auto run = importLogText(
        "# TYPE vllm:lora_slot_count gauge\nvllm:lora_slot_count 3 1753161000000\n"
        "# TYPE vllm:request_success counter\nvllm:request_success_total 7 1753161000000\n");
    QVERIFY(run->writer.findCounter("vllm:lora_slot_count")->kind == CounterKind::Gauge);
    QVERIFY(run->writer.findCounter("vllm:request_success_total")->kind == CounterKind::Counter);
}

void LoadGeneratorsTest::accuracyScripts_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("metric");
    QTest::addColumn<double>("value");
    QTest::addColumn<bool>("more");
    QTest::newRow("ResNet50") << "accuracy=76.014%, good=38007, total=50000\nhash=4b7a9\n"
                              << "accuracy" << 0.76014 << true;
    QTest::newRow("R-GAT") << "accuracy=72.860%, good=574126, total=788379"
                           << "accuracy" << 0.7286 << true;
    QTest::newRow("RetinaNet") << "Loading and preparing results...\n Average Precision  (AP) @[ IoU=0.50:0.95 | "
                                  "area=   all | maxDets=100 ] = 0.375\nmAP=37.520%\n"
                               << "mAP" << 0.3752 << true;
    QTest::newRow("DLRM") << "AUC=80.310%, accuracy=80.520%, good=71730, total=89137, queries=2048\n"
                          << "AUC" << 0.8031 << true;
    QTest::newRow("DLRM v3")
        << "INFO:root:metric/lifetime_ne/rating: 0.8500\nINFO:root:metric/lifetime_gauc/rating: "
           "0.8100\n"
        << "metric/lifetime_ne/rating" << 0.85 << false;
    QTest::newRow("BERT") << "Reading examples...\n{\"exact_match\": 83.412, \"f1\": 90.651}\n"
                          << "exact_match" << 83.412 << true;
    QTest::newRow("RNN-T") << "Word Error Rate: 7.459805%, accuracy=92.540195%\n"
                           << "Word Error Rate" << 0.07459805 << false;
    QTest::newRow("3D-UNet") << "Accuracy: mean = 0.86170, kidney = 0.9345, tumor = 0.7889\nDone!\n"
                             << "Accuracy: mean" << 0.8617 << true;
    QTest::newRow("3D-UNet's tumor") << "Accuracy: mean = 0.86170, kidney = 0.9345, tumor = 0.7889\nDone!\n"
                                     << "tumor" << 0.7889 << true;
    QTest::newRow("GPT-J")
        << "\nResults\n\n{'rouge1': '42.8865', 'rouge2': '20.0123', 'rougeL': '29.7881', 'rougeLsum': "
           "'39.6', 'gen_len': 4016878, 'gen_num': 13368}\n"
        << "rouge2" << 20.0123 << true;
    QTest::newRow("Llama 2") << "{'rouge1': 44.4312, 'rouge2': 22.0352, 'rougeL': 28.6162, 'gen_len': 28124112, "
                                "'gen_num': 24576, 'gen_tok_len': 7233098, 'tokens_per_sample': 294.3}\n"
                             << "tokens_per_sample" << 294.3 << true;
    QTest::newRow("Mixtral") << "{'rouge1': 45.4911, 'rougeL': 30.3, 'gsm8k': 73.78, 'mbxp': 60.12, "
                                "'tokens_per_sample': 144.84}"
                             << "gsm8k" << 73.78 << true;
    QTest::newRow("Stable Diffusion") << "Accuracy Results: {'FID_SCORE': '23.66', 'CLIP_SCORE': 31.74}\n"
                                      << "FID_SCORE" << 23.66 << false;
    QTest::newRow("a list of numbers") << "{'rougeL': np.float64(21.66), 'exact_match': 90.1335}"
                                       << "exact_match" << 90.1335 << true;
}

void LoadGeneratorsTest::accuracyScripts() {
    QFETCH(QString, text);
    QFETCH(QString, metric);
    QFETCH(double, value);
    QFETCH(bool, more);
    const auto run = importLogText(text.toStdString());
    QCOMPARE(run->outcome(), std::string("ok"));
    QCOMPARE(run->writer.sources.at(0).format, std::string("mlperf-accuracy"));
    const QualityRow *figure = figureOf(run->writer, metric.toStdString());
    QVERIFY(figure);
    QCOMPARE(figure->value, value);
    QCOMPARE(figure->higherIsBetter, more);
}

QTEST_GUILESS_MAIN(LoadGeneratorsTest)
#include "tst_load_generators.moc"
