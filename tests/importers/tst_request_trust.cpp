// What in a request log speaks against itself: each is counted and named, and none is mended in silence.
#include "tests/importers/request_support.h"

#include <QTest>

using namespace wattproof;
using test::importLogText;
using test::rowsOf;
using test::warningsOf;

class RequestTrustTest : public QObject {
    Q_OBJECT

private slots:
    void doubtsAreNamed_data();
    void doubtsAreNamed();
    void repeatedIdsAreCountedOverTheWholeLog();
    void lengthsWithoutUnitAreHeldAgainstTheRun();
    void burstsMayBeLongerThanTheirSending();
    void listsOfVllmAreCheckedToo();
};

void RequestTrustTest::doubtsAreNamed_data() {
    QTest::addColumn<QString>("log");
    QTest::addColumn<QString>("rows");
    QTest::addColumn<QString>("warnings");
    QTest::newRow("ends before it begins") << "start_time,end_time\n1753161002,1753161001\n1753161002,1753161003\n"
                                           << "request 0+1000000000 ok; "
                                           << "negative_duration 1 at line 2; ";
    QTest::newRow("negative length") << "start_time,latency_ms\n1753161002,-4\n1753161002,5\n"
                                     << "request 0+5000000 ok; "
                                     << "negative_duration 1 at line 2; ";
    QTest::newRow("before the zero of its clock") << "start_s,latency_ms\n-1.5,4\n2,5\n"
                                                  << "request 0+4000000 ok; request 3500000000+5000000 ok; "
                                                  << "negative_time 1 at line 2; ";
    QTest::newRow("first token before the start")
        << "start_time,latency_ms,ttft_ms\n1753161002,4,-1\n1753161002,5,1\n"
        << "request 0+4000000 ok; request 0+5000000 ok; "
        << "negative_time 1 at line 2; ";
    QTest::newRow("first token after the end") << "start_time,latency_ms,ttft_ms\n1753161002,4,9\n1753161002,5,1\n"
                                               << "request 0+4000000 ok; request 0+5000000 ok; "
                                               << "contradicted_length 1 at line 2; ";
    QTest::newRow("unit off by 1000")
        << "start_time,end_time,latency_s\n1753161002,1753161003,1000\n1753161002,1753161003,1\n"
        << "request 0+1000000000 ok; request 0+1000000000 ok; "
        << "unit_mismatch 1 at line 2; ";
    QTest::newRow("unit off by a millionth")
        << "start_time,end_time,latency_us\n1753161002,1753161003,1.001\n1753161002,1753161003,1000000\n"
        << "request 0+1000000000 ok; request 0+1000000000 ok; "
        << "unit_mismatch 1 at line 2; ";
    QTest::newRow("length beside start and end") << "start_time,end_time,latency_s\n1753161002,1753161003,0.5\n"
                                                 << "request 0+1000000000 ok; "
                                                 << "contradicted_length 1 at line 2; ";
    QTest::newRow("no length at all") << "start_time,end_time\n1753161002,1753161002\n"
                                      << "request 0+0 ok; "
                                      << "unmeasured_value 1 at line 2; ";
    QTest::newRow("faster than any stream") << "start_time,latency_us,output_tokens\n1753161002,2000,100\n"
                                            << "request 0+2000000 ok; "
                                            << "implausible_length 1 at line 2; ";
    QTest::newRow("slower than any stream") << "start_time,latency_s,output_tokens\n1753161002,2000,100\n"
                                            << "request 0+2000000000000 ok; "
                                            << "implausible_length 1 at line 2; ";
    QTest::newRow("longer than a day") << "start_time,latency_s\n1753161002,86401\n"
                                       << "request 0+86401000000000 ok; "
                                       << "implausible_length 1 at line 2; ";
    QTest::newRow("an id twice") << "id,start_time,latency_ms\na,1753161002,4\nb,1753161002,4\na,1753161003,4\n"
                                 << "request 0+4000000 ok; request 0+4000000 ok; request 1000000000+4000000 ok; "
                                 << "repeated_id 1 at line 4; ";
    QTest::newRow("nothing to doubt")
        << "id,start_time,end_time,latency_ms,ttft_ms,output_tokens\na,1753161002,1753161003,1000,80,50\n"
        << "request 0+1000000000 ok; "
        << "";
}

void RequestTrustTest::doubtsAreNamed() {
    QFETCH(QString, log);
    QFETCH(QString, rows);
    QFETCH(QString, warnings);
    const auto run = importLogText(log.toStdString());
    QCOMPARE(run->outcome(), std::string("ok"));
    QCOMPARE(QString::fromStdString(rowsOf(run->writer)), rows);
    QCOMPARE(QString::fromStdString(warningsOf(run->writer)), warnings);
}

void RequestTrustTest::repeatedIdsAreCountedOverTheWholeLog() {
    std::string log = "id,start_ns,latency_ms\n";
    for (int i = 0; i < 3000; ++i)
        log += std::to_string(i % 2000) + "," + std::to_string(1'753'161'000'000'000'000 + i) + ",5\n";
    const auto run = importLogText(log);
    QCOMPARE(run->writer.requests.size(), std::size_t{3000});
    QCOMPARE(warningsOf(run->writer), std::string("repeated_id 1000 at line 2002; "));
}

// A request every 50 ms that takes 250 of what the column does not name: seconds would be more than the whole run.
void RequestTrustTest::lengthsWithoutUnitAreHeldAgainstTheRun() {
    const auto logOf = [](const char *length) {
        std::string log = "start_ms,latency\n";
        for (int i = 0; i < 100; ++i)
            log += std::to_string(1'753'161'000'000 + i * 50) + "," + length + "\n";
        return importLogText(log);
    };
    QCOMPARE(warningsOf(logOf("250")->writer),
             std::string("assumed_unit 100 at line 2; implausible_length 100; "));
    QCOMPARE(warningsOf(logOf("0.25")->writer), std::string("assumed_unit 100 at line 2; "));
}

void RequestTrustTest::burstsMayBeLongerThanTheirSending() {
    std::string log = "start_ms,latency_s\n";
    for (int i = 0; i < 100; ++i)
        log += std::to_string(1'753'161'000'000 + i * 50) + ",250\n";
    QCOMPARE(warningsOf(importLogText(log)->writer), std::string());
}

void RequestTrustTest::listsOfVllmAreCheckedToo() {
    const auto run = importLogText(
        R"({"date": "20260213-135636", "model_id": "m", "duration": 10.0, "completed": 3, "total_output_tokens": 500,
            "request_throughput": 0.3, "input_lens": [10, 20, 30], "output_lens": [300, 200, 0],
            "ttfts": [0.001, -0.12, 0.3], "itls": [[0.001], [0.5], []], "errors": ["", "", ""]})");
    QCOMPARE(rowsOf(run->writer), std::string("request 0+2000000 ok; request 0+300000000 ok; "));
    QCOMPARE(warningsOf(run->writer), std::string("implausible_length 1; missing_time 2; missing_value 1; "));
}

QTEST_GUILESS_MAIN(RequestTrustTest)
#include "tst_request_trust.moc"
