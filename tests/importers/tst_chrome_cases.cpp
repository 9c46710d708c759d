// The shared cases made from public bug reports: every small trace with its right answer.
#include "tests/support/case_check.h"
#include "tests/support/shared_files.h"

#include <algorithm>

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <nlohmann/json.hpp>

using namespace wattproof;
using Json = nlohmann::json;

class ChromeCasesTest : public QObject {
    Q_OBJECT

private slots:
    void sharedCase_data();
    void sharedCase();
    void caseOfAnyScale();
};

static Json readJson(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? Json::parse(file.readAll().toStdString(), nullptr, false) : Json();
}

// Whatever a case is about, a Chrome trace among its inputs must be read as it says.
static bool holdsChromeTrace(const Json &description) {
    if (description["kind"] == "chrome-json")
        return !description.contains("import_options");
    const Json inputs = description.value("inputs", Json::array());
    return std::find(inputs.begin(), inputs.end(), "trace.json") != inputs.end() && inputs.size() == 1;
}

void ChromeCasesTest::sharedCase_data() {
    QTest::addColumn<QString>("path");
    const QString folder = test::sharedFile(QStringLiteral("cases"));
    if (folder.isEmpty())
        QSKIP("skipped: the shared cases are not here");
    const QDir cases(folder);
    for (const QString &name : cases.entryList({QStringLiteral("0*")}, QDir::Dirs, QDir::Name)) {
        const Json description = readJson(cases.filePath(name + QStringLiteral("/case.json")));
        if (holdsChromeTrace(description))
            QTest::newRow(qPrintable(name)) << cases.filePath(name);
    }
}

void ChromeCasesTest::sharedCase() {
    QFETCH(QString, path);
    const Json description = readJson(path + QStringLiteral("/case.json"));
    const Json &expect = description["expect"];
    for (const Json &input : description["inputs"]) {
        const std::string name = input;
        const auto trace = test::importChromeFile(path.toStdString() + '/' + name);
        const Json &own = expect.contains("per_input") ? expect["per_input"][name] : expect;
        std::string problems;
        for (const std::string &problem : test::checkTraceCase(trace, own))
            problems += name + ": " + problem + "\n";
        QVERIFY2(problems.empty(), problems.c_str());
    }
}

// The case's own script writes the file, with fewer events than the 16 million that it is about.
void ChromeCasesTest::caseOfAnyScale() {
    const QString folder = test::sharedFile(QStringLiteral("cases/028-json-over-3-gib"));
    if (folder.isEmpty())
        QSKIP("skipped: the shared cases are not here");
    const QString python = QStandardPaths::findExecutable(QStringLiteral("python3"));
    if (python.isEmpty())
        QSKIP("skipped: no python3 to run the case's script");
    const Json scaled = readJson(folder + QStringLiteral("/case.json"))["expect"]["scaled"];
    QTemporaryDir place;
    const QString file = place.filePath(QStringLiteral("trace.json"));
    QCOMPARE(QProcess::execute(
                 python, {folder + QStringLiteral("/gen.py"), file, QString::number(scaled["events"].get<int>())}),
             0);
    const auto trace = test::importChromeFile(file.toStdString());
    for (const std::string &problem : test::checkTraceCase(trace, scaled["expect"]))
        QFAIL(problem.c_str());
}

QTEST_APPLESS_MAIN(ChromeCasesTest)
#include "tst_chrome_cases.moc"
