// How request, latency and quality logs are read: columns, units, clocks, failures, and what is refused.
#include "importers/requests/requests_importer.h"
#include "tests/importers/request_support.h"
#include "tests/support/shared_files.h"

#include <QDirIterator>
#include <QTest>

using namespace wattproof;
using namespace wattproof::importers;
using test::importLogText;
using test::rowsOf;
using test::warningsOf;

namespace {

bool isTakenForRequests(const std::string &log) {
    return makeRequestsImporter()->probe({log.data(), log.size()}, "log") > 0 ||
           makeQualityImporter()->probe({log.data(), log.size()}, "log") > 0;
}

}  // namespace

class RequestsTest : public QObject {
    Q_OBJECT

private slots:
    void unitsComeFromNamesAndCells_data();
    void unitsComeFromNamesAndCells();
    void clocksAreThoseOfPowerLogs_data();
    void clocksAreThoseOfPowerLogs();
    void failuresStandApart_data();
    void failuresStandApart();
    void damagedRowsAreCounted();
    void aDescriptorNamesTheColumns();
    void aDescriptorsMistakeIsOneSentence();
    void vllmListsBecomeRequests();
    void vllmStartTimesLieInTheStatedWindow();
    void cutDocumentsGiveWhatWasWhole();
    void powerLogsStayPowerLogs();
    void realPowerLogsAreNotTaken();
    void unknownFilesAreRefused();
    void memoryStaysBoundedOverManyRows();
};

void RequestsTest::unitsComeFromNamesAndCells_data() {
    QTest::addColumn<QString>("log");
    QTest::addColumn<qint64>("dur");
    QTest::newRow("ms in the name") << "start_time,latency_ms\n1753161000,12.5\n" << qint64{12'500'000};
    QTest::newRow("ms in brackets") << "start_time,latency [ms]\n1753161000,12.5\n" << qint64{12'500'000};
    QTest::newRow("us") << "start_time,duration_us\n1753161000,7\n" << qint64{7'000};
    QTest::newRow("seconds") << "start_time,e2e_latency_s\n1753161000,0.25\n" << qint64{250'000'000};
    QTest::newRow("unit in the cell") << "start_time,latency\n1753161000,80 ms\n" << qint64{80'000'000};
    QTest::newRow("exponent") << "start_time,latency_s\n1753161000,2.5e-3\n" << qint64{2'500'000};
    QTest::newRow("start and end in ns") << "start_ns,end_ns\n1753161000000000000,1753161000000000007\n"
                                         << qint64{7};
    QTest::newRow("tabs") << "start_time\tend_time\n1753161000.0\t1753161000.5\n" << qint64{500'000'000};
}

void RequestsTest::unitsComeFromNamesAndCells() {
    QFETCH(QString, log);
    QFETCH(qint64, dur);
    const auto run = importLogText(log.toStdString());
    QCOMPARE(run->outcome(), std::string("ok"));
    QCOMPARE(run->writer.requests.size(), std::size_t{1});
    QCOMPARE(qint64{run->writer.requests[0].dur}, dur);
}

void RequestsTest::clocksAreThoseOfPowerLogs_data() {
    QTest::addColumn<QString>("start");
    QTest::addColumn<QString>("zone");
    QTest::addColumn<int>("clock");
    QTest::addColumn<qint64>("base");
    const qint64 noon = 1'753'185'600'000'000'000;  // 2025-07-22 12:00 UTC
    QTest::newRow("epoch") << "1753185600"
                           << "" << static_cast<int>(ClockBasis::Epoch) << noon;
    QTest::newRow("offset") << "2025-07-22T14:00:00+02:00"
                            << "" << static_cast<int>(ClockBasis::Epoch) << noon;
    QTest::newRow("no zone") << "2025-07-22 12:00:00"
                             << "" << static_cast<int>(ClockBasis::WallAssumedZone) << noon;
    QTest::newRow("zone given") << "2025-07-22 14:00:00"
                                << "Europe/Berlin" << static_cast<int>(ClockBasis::WallAssumedZone) << noon;
    QTest::newRow("relative") << "3.5"
                              << "" << static_cast<int>(ClockBasis::Relative) << qint64{3'500'000'000};
}

void RequestsTest::clocksAreThoseOfPowerLogs() {
    QFETCH(QString, start);
    QFETCH(QString, zone);
    QFETCH(int, clock);
    QFETCH(qint64, base);
    Options options;
    options.timezone = zone.toStdString();
    const auto run = importLogText("start_time,latency_ms\n" + start.toStdString() + ",10\n", options);
    QCOMPARE(run->outcome(), std::string("ok"));
    QCOMPARE(static_cast<int>(run->writer.sources[0].clock), clock);
    QCOMPARE(qint64{run->writer.sources[0].statedBase}, base);
}

void RequestsTest::failuresStandApart_data() {
    QTest::addColumn<QString>("column");
    QTest::addColumn<QString>("cell");
    QTest::addColumn<bool>("ok");
    QTest::addColumn<QString>("warnings");
    const QString failed = "failed_request 1 at line 2; ";
    QTest::newRow("True") << "success"
                          << "True" << true << "";
    QTest::newRow("False") << "success"
                           << "False" << false << failed;
    QTest::newRow("200") << "status_code"
                         << "200" << true << "";
    QTest::newRow("503") << "status_code"
                         << "503" << false << failed;
    QTest::newRow("timeout") << "status"
                             << "timeout" << false << failed;
    QTest::newRow("an error text") << "error"
                                   << "connection reset" << false << failed;
    QTest::newRow("no error") << "error"
                              << "None" << true << "";
    QTest::newRow("unknown word") << "status"
                                  << "purple" << false << failed + "unknown_status 1 at line 2; ";
}

void RequestsTest::failuresStandApart() {
    QFETCH(QString, column);
    QFETCH(QString, cell);
    QFETCH(bool, ok);
    QFETCH(QString, warnings);
    const std::string log =
        "start_time,end_time," + column.toStdString() + "\n1753161000,1753161001," + cell.toStdString() + "\n";
    const auto run = importLogText(log);
    QCOMPARE(run->outcome(), std::string("ok"));
    QCOMPARE(run->writer.requests.at(0).ok, ok);
    QCOMPARE(warningsOf(run->writer), warnings.toStdString());
}

void RequestsTest::damagedRowsAreCounted() {
    const auto run = importLogText(
        "id,start_time,end_time,output_tokens,status\n"
        "a,1753161002,1753161003,5,ok\n"
        "b,1753161001,1753161004,many,ok\n"  // tokens unknown
        "c,yesterday,1753161004,5,ok\n"      // no time
        "d,1753161003,1753161002,5,ok\n"     // ends before it begins
        "e,1753161003,,5,ok\n"               // never ends
        "f,1753161003,,,timeout\n"           // failed: no length
        "id,start_time,end_time,output_tokens,status\n"
        "g,1753161004\n"
        "h,1753161005,1753161006,5,o");
    QCOMPARE(run->outcome(), std::string("ok"));
    QCOMPARE(
        rowsOf(run->writer),
        std::string("request 1000000000+1000000000 ok; request 0+3000000000 ok; request 2000000000+0 failed; "));
    QVERIFY(!run->writer.requests[1].units);
    QCOMPARE(
        warningsOf(run->writer),
        std::string(
            "failed_request 1 at line 7; malformed_row 2 at line 4; missing_field 1 at line 6; missing_value 1 at "
            "line 3; negative_duration 1 at line 5; repeated_header 1 at line 8; truncated_input 1 at line 10; "));
    QVERIFY(run->writer.violations.empty());
}

void RequestsTest::aDescriptorNamesTheColumns() {
    Options options;
    options.format = "requests-csv";
    options.descriptorJson = R"({"format": "requests-csv", "columns": {"start": {"name": "when", "unit": "ms"},
        "duration": {"name": "took", "unit": "us"}, "group": "kind", "tokens": "n"}, "attributes": ["node"]})";
    const auto run = importLogText("when;took;kind;n;node;rest\n1753161000500;1500;chat;12;a1;x\n", options);
    QCOMPARE(run->outcome(), std::string("ok"));
    QCOMPARE(rowsOf(run->writer), std::string("chat 0+1500000 ok; "));
    QCOMPARE(*run->writer.requests[0].units, 12.0);
    QCOMPARE(run->writer.requests[0].attributesJson, std::string(R"({"node":"a1"})"));
    QCOMPARE(run->writer.sources[0].statedBase, Ns{1'753'161'000'500'000'000});
    QCOMPARE(run->writer.metadataValue("columns_not_read"), std::string("rest"));
    const auto lacking = importLogText("when,kind\n1,a\n", options);
    QVERIFY(lacking->outcome().find("its first line has: when,kind") != std::string::npos);
    QVERIFY(lacking->writer.finished.empty());
}

void RequestsTest::aDescriptorsMistakeIsOneSentence() {
    Options options;
    options.format = "requests-csv";
    options.descriptorJson = R"({"columns": {"duration": {"name": "took", "unit": "furlong"}}})";
    QVERIFY(importLogText("took\n1\n", options)->outcome().find("\"columns.duration.unit\"") != std::string::npos);
    options.descriptorJson = R"({"columns": {"begin": "x"}})";
    QVERIFY(importLogText("took\n1\n", options)->outcome().find("\"columns.begin\" is not known") !=
            std::string::npos);
}

constexpr const char *kBench =
    R"({"date": "20260213-135636", "model_id": "m", "duration": 10.0, "completed": 2, "total_output_tokens": 5,
        "request_throughput": 0.2, "p99_ttft_ms": 120.0,
        "input_lens": [10, 20, 30], "output_lens": [3, 2, 0], "ttfts": [0.1, 0.12, 0.0],
        "itls": [[0.01, 0.02], [0.5], []], "generated_texts": ["a", "b", ""], "errors": ["", "", "refused"])";

void RequestsTest::vllmListsBecomeRequests() {
    const auto run = importLogText(std::string(kBench) + "}");
    QCOMPARE(run->outcome(), std::string("ok"));
    QCOMPARE(run->writer.sources[0].format, std::string("vllm-bench-json"));
    QCOMPARE(rowsOf(run->writer),
             std::string("request 0+130000000 ok; request 0+620000000 ok; request 0+0 failed; "));
    QCOMPARE(run->writer.requests[2].attributesJson,
             std::string(R"({"error":"refused","id":2,"input_tokens":30.0,"untimed":true})"));
    QCOMPARE(*run->writer.requests[0].units, 3.0);
    QCOMPARE(test::figureOf(run->writer, "p99_ttft_ms")->value, 120.0);
    QCOMPARE(warningsOf(run->writer), std::string("failed_request 1; missing_time 3; unread_section 3; "));
}

void RequestsTest::vllmStartTimesLieInTheStatedWindow() {
    const auto run = importLogText(std::string(kBench) + R"(, "start_times": [500.0, 501.5, 502.0]})");
    QCOMPARE(
        rowsOf(run->writer),
        std::string("request 0+130000000 ok; request 1500000000+620000000 ok; request 2000000000+0 failed; "));
    QVERIFY(run->writer.sources[0].clock == ClockBasis::WallAssumedZone);
    QCOMPARE(run->writer.sources[0].statedBase, Ns{1'770'990'986'000'000'000});  // ten seconds before the date
    QCOMPARE(run->writer.warningCount("estimated_time"), std::int64_t{1});
}

void RequestsTest::cutDocumentsGiveWhatWasWhole() {
    const std::string whole = std::string(kBench) + "}";
    const auto lists = importLogText(whole.substr(0, whole.find(", [0.5]")));
    QCOMPARE(rowsOf(lists->writer), std::string("request 0+130000000 ok; "));
    QCOMPARE(lists->writer.warningCount("truncated_input"), std::int64_t{1});
    const auto figure =
        importLogText(R"({"results_ttft_s_quantiles_p50": 0.25, "results_num_requests_started": 150)");
    QVERIFY(!test::figureOf(figure->writer, "results_num_requests_started"));  // 150 may be the front of 1500
    QCOMPARE(test::figureOf(figure->writer, "results_ttft_s_quantiles_p50")->value, 0.25);
}

void RequestsTest::powerLogsStayPowerLogs() {
    const auto power = importLogText(
        "timestamp,power.draw [W],latency_ms\n2025/07/22 05:10:00.000,70,1\n2025/07/22 05:10:01.000,71,1\n");
    QVERIFY(power->writer.sources.at(0).kind == SourceKind::Power);
    const auto forced = [] {
        Options options;
        options.format = "nvidia-smi-csv";
        return importLogText("timestamp,power.draw [W]\n2025/07/22 05:10:00.000,70\n", options);
    }();
    QVERIFY(forced->writer.sources.at(0).kind == SourceKind::Power);
    for (const char *log :
         {"Time,02-23-2022 12:31:34.910,Watts,281.200000,Volts,120.1,Amps,2.3,PF,0.99,Mark,run_1\n"
          "Time,02-23-2022 12:31:35.913,Watts,282.900000,Volts,120.1,Amps,2.3,PF,0.99,Mark,run_1\n",
          "# HELP DCGM_FI_DEV_POWER_USAGE Power draw (in W).\n# TYPE DCGM_FI_DEV_POWER_USAGE gauge\n"
          "DCGM_FI_DEV_POWER_USAGE{gpu=\"0\"} 71.5\n",
          "timestamp,project_name,run_id,duration,emissions,energy_consumed,gpu_power\n"
          "2025-07-22T05:10:00,p,r,1.5,0.1,0.2,70\n"})
        QVERIFY2(!isTakenForRequests(log), log);
}

void RequestsTest::realPowerLogsAreNotTaken() {
    WATTPROOF_SHARED_OR_SKIP(folder, "powerlogs");
    QDirIterator files(folder, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const QString path = files.next();
        if (path.contains("mlperf_log_") ||
            path.endsWith("_summary.csv"))  // LoadGen's own, and figures of a whole run
            continue;
        const auto input = Input::open(path.toStdString());
        QVERIFY(input.has_value());
        const std::span<const char> head = (*input)->head();
        QVERIFY2(!isTakenForRequests({head.data(), head.size()}), qPrintable(path));
    }
}

void RequestsTest::unknownFilesAreRefused() {
    QVERIFY(importLogText("{\"some\": \"document\"}")->outcome() != "ok");
    QVERIFY(importLogText("one,two\n1,2\n")->outcome() != "ok");
    Options options;
    options.format = "vllm-bench-json";
    const std::string sentence = importLogText("{\"some\": \"document\"}", options)->outcome();
    QVERIFY2(sentence.find("no log of requests in the format \"vllm-bench-json\"") != std::string::npos,
             sentence.c_str());
}

// More than the spool holds in memory, out of order of their starts.
void RequestsTest::memoryStaysBoundedOverManyRows() {
    std::string log = "id,start_ns,end_ns\n";
    constexpr int kRows = 100'000;
    for (int i = 0; i < kRows; ++i) {
        const std::string start = std::to_string(1'753'161'000'000'000'000 + (kRows - i) * 1'000'000LL);
        log += "a-rather-long-name-of-a-request-" + std::to_string(i) + "," + start + "," + start.substr(0, 13) +
               "999999\n";
    }
    const auto run = importLogText(log);
    QCOMPARE(run->outcome(), std::string("ok"));
    QCOMPARE(run->writer.requests.size(), std::size_t{kRows});
    QCOMPARE(run->writer.requests.front().ts, Ns{99'999'000'000});
    QCOMPARE(run->writer.requests.back().ts, Ns{0});
    QVERIFY(run->writer.violations.empty());
}

QTEST_GUILESS_MAIN(RequestsTest)
#include "tst_requests.moc"
