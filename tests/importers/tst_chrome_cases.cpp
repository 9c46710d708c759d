// The shared cases made from public bug reports: every small trace with its right answer.
#include "tests/support/case_check.h"
#include "tests/support/shared_files.h"

#include <QDir>
#include <QFile>
#include <QTest>
#include <nlohmann/json.hpp>

using namespace wattproof;
using Json = nlohmann::json;

class ChromeCasesTest : public QObject {
    Q_OBJECT

private slots:
    void sharedCase_data();
    void sharedCase();
};

static Json readJson(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? Json::parse(file.readAll().toStdString(), nullptr, false) : Json();
}

void ChromeCasesTest::sharedCase_data() {
    QTest::addColumn<QString>("path");
    const QString folder = test::sharedFile(QStringLiteral("cases"));
    if (folder.isEmpty())
        QSKIP("skipped: the shared cases are not here");
    const QDir cases(folder);
    for (const QString &name : cases.entryList({QStringLiteral("0*")}, QDir::Dirs, QDir::Name)) {
        const Json description = readJson(cases.filePath(name + QStringLiteral("/case.json")));
        const bool chrome =
            description.value("kind", "") == "chrome-json" || name.startsWith(QStringLiteral("057"));
        // The case of 3 GiB is made by a script; the scale benchmark covers it.
        if (chrome && !description.contains("import_options"))
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

QTEST_APPLESS_MAIN(ChromeCasesTest)
#include "tst_chrome_cases.moc"
