// Requests of a log as units of work: from the file through the workspace to latency and attainment.
#include "analysis/analyze.h"
#include "importers/session.h"
#include "tests/support/temporary_workspace.h"

#include <algorithm>

#include <QFile>
#include <QTest>

using namespace wattproof;

class RequestUnitsTest : public QObject {
    Q_OBJECT

private slots:
    void failedRequestsWeighWhatTheyWouldHaveMade();
    void untimedRequestsCountForLatencyAlone();

private:
    [[nodiscard]] analysis::AnalysisResult analysed(const char *name, const QByteArray &log, double limitMs);
    test::TemporaryWorkspace workspace_;
};

analysis::AnalysisResult RequestUnitsTest::analysed(const char *name, const QByteArray &log, double limitMs) {
    QFile file(workspace_.folder() + "/" + name);
    if (!file.open(QIODevice::WriteOnly) || file.write(log) != log.size())
        qFatal("the test's own file cannot be written");
    file.close();
    const std::string path = workspace_.path((std::string(name) + ".wattproof").c_str());
    static_cast<void>(test::require(importers::importToNew({file.fileName().toStdString()}, path, {}, Task{})));
    analysis::Scenario scenario;
    scenario.sustainedMode = "all";
    scenario.sla.push_back({"latency", 99, limitMs});
    return test::require(
        analysis::analyze(*workspace_.open((std::string(name) + ".wattproof").c_str()), scenario, Task{}));
}

void RequestUnitsTest::failedRequestsWeighWhatTheyWouldHaveMade() {
    QByteArray log = "start_ns,end_ns,output_tokens,status\n";
    for (int i = 0; i < 9; ++i)
        log += QByteArray::number(1'753'161'000'000'000'000 + i * 1'000'000'000LL) + "," +
               QByteArray::number(1'753'161'000'100'000'000 + i * 1'000'000'000LL) + ",50,ok\n";
    log += "1753161009000000000,1753161009050000000,0,timeout\n";
    const auto result = analysed("requests.csv", log, 250);
    QCOMPARE(result.latency.n, std::int64_t{9});
    QCOMPARE(*result.latency.p99Ms, 100.0);
    QVERIFY(result.headline.attainment.has_value());
    QCOMPARE(*result.headline.attainment, 0.9);
}

void RequestUnitsTest::untimedRequestsCountForLatencyAlone() {
    const auto result =
        analysed("individual.json",
                 R"([{"error_code": null, "ttft_s": 0.1, "end_to_end_latency_s": 0.5, "number_output_tokens": 10},
            {"error_code": null, "ttft_s": 0.1, "end_to_end_latency_s": 0.7, "number_output_tokens": 10},
            {"error_code": 429, "ttft_s": 0, "end_to_end_latency_s": 0.01, "number_output_tokens": 0}])",
                 250);
    QCOMPARE(result.latency.n, std::int64_t{2});
    QCOMPARE(*result.latency.p99Ms, 700.0);
    QVERIFY(!result.headline.units.has_value());
    QVERIFY(std::any_of(result.lints.begin(), result.lints.end(), [](const std::string &lint) {
        return lint.find("3 requests have no time") != std::string::npos;
    }));
}

QTEST_GUILESS_MAIN(RequestUnitsTest)
#include "tst_request_units.moc"
