// The cases of kind "requests" made from public bug reports: each folder holds a small log and its right answer.
#include "tests/importers/request_support.h"
#include "tests/support/shared_files.h"

#include <cmath>
#include <numeric>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTest>
#include <nlohmann/json.hpp>

using namespace wattproof;
using namespace wattproof::importers;
using nlohmann::json;

namespace {

Options optionsOf(const json &document) {
    const json options = document.value("import_options", json::object());
    Options result;
    result.format = options.value("format", "");
    result.timezone = options.value("timezone", "");
    if (options.contains("columns"))
        result.descriptorJson = json{{"format", result.format}, {"columns", options["columns"]}}.dump();
    return result;
}

// Sentences of what does not hold.
class RequestCheck {
public:
    explicit RequestCheck(const test::RecordingWriter &writer) : writer_(writer) {}

    std::vector<std::string> run(const json &expect) {
        tolerance_ = expect.value("tol", 0.0);
        for (const auto &[group, count] : expect["counts"].items())
            expectNumber("count of " + group, count, countOf(group));
        for (const auto &[group, facts] : expect["latency_ms"].items())
            checkLatency(group, facts);
        if (expect.contains("error_rate_pct"))
            expectNumber("error_rate_pct", expect["error_rate_pct"], 100 * countOf("failed") / countOf("all"));
        for (const json &warning : expect.value("warnings", json::array()))
            expectNumber("count of " + warning["kind"].dump(), warning["count"],
                         static_cast<double>(writer_.warningCount(warning["kind"].get<std::string>())));
        return failures_;
    }

private:
    void expectNumber(const std::string &what, const json &expected, double value) {
        const double wanted = expected.get<double>();
        if (std::abs(value - wanted) > std::max(tolerance_, 1e-6 * std::abs(wanted)))
            failures_.push_back(what + " is " + std::to_string(value) + ", not " + expected.dump());
    }

    [[nodiscard]] double countOf(const std::string &group) const {
        return static_cast<double>(
            std::count_if(writer_.requests.begin(), writer_.requests.end(), [&group](const RequestRow &row) {
                return group == "all" || (group == "ok" && row.ok) || (group == "failed" && !row.ok) ||
                       row.name == group;
            }));
    }

    void checkLatency(const std::string &group, const json &facts) {
        const std::vector<double> sorted = test::latenciesMs(writer_, group == "all" ? "" : group);
        for (const auto &[fact, expected] : facts.items()) {
            double value = 0;
            if (fact == "max" || fact == "min")
                value = fact == "max" ? sorted.back() : sorted.front();
            else if (fact == "mean")
                value = std::accumulate(sorted.begin(), sorted.end(), 0.0) / static_cast<double>(sorted.size());
            else
                value = *analysis::percentile(sorted, std::stod(fact.substr(1)));
            expectNumber(group + "." + fact, expected, value);
        }
    }

    const test::RecordingWriter &writer_;
    double tolerance_ = 0;
    std::vector<std::string> failures_;
};

}  // namespace

class RequestCasesTest : public QObject {
    Q_OBJECT

private slots:
    void casesHold_data();
    void casesHold();
};

void RequestCasesTest::casesHold_data() {
    QTest::addColumn<QString>("file");
    const QString cases = test::sharedFile("cases");
    const QStringList names =
        cases.isEmpty() ? QStringList() : QDir(cases).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    for (const QString &name : names) {
        QFile file(cases + "/" + name + "/case.json");
        if (file.open(QIODevice::ReadOnly) && json::parse(file.readAll().toStdString())["kind"] == "requests")
            QTest::newRow(qPrintable(name)) << file.fileName();
    }
}

void RequestCasesTest::casesHold() {
    if (!QTest::currentDataTag())
        QSKIP("skipped: the shared cases are not here");
    QFETCH(QString, file);
    QFile opened(file);
    QVERIFY(opened.open(QIODevice::ReadOnly));
    const json document = json::parse(opened.readAll().toStdString());
    const std::string input =
        QFileInfo(file).path().toStdString() + "/" + document["inputs"][0].get<std::string>();
    // As the case sets it, and as the file alone says it.
    for (const Options &options : {optionsOf(document), Options{}}) {
        const auto run = test::importLogFile(input, options);
        QVERIFY2(run->summary.has_value(), run->outcome().c_str());
        QVERIFY2(run->writer.violations.empty(),
                 run->writer.violations.empty() ? "" : run->writer.violations[0].c_str());
        QCOMPARE(run->summary->format, std::string("requests-csv"));
        for (const std::string &failure : RequestCheck(run->writer).run(document["expect"]))
            QFAIL(failure.c_str());
        QVERIFY(run->writer.sources[0].clock == ClockBasis::Epoch);
        QCOMPARE(run->writer.sources[0].statedBase, Ns{1'753'161'000'000'000'000});
    }
}

QTEST_GUILESS_MAIN(RequestCasesTest)
#include "tst_request_cases.moc"
