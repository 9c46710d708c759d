// Every file of the shared folder "powerlogs": prints a table of what it becomes and holds it to a list that was written
// by hand from the files (power_corpus.json), and its joules to a script of its own (independent_power_logs.py).
#include "tests/importers/power_support.h"
#include "tests/support/import_with.h"
#include "tests/support/shared_files.h"

#include <cmath>
#include <cstdio>

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>
#include <QTest>
#include <nlohmann/json.hpp>

using namespace wattproof;
using namespace wattproof::importers;
using nlohmann::json;
using wattproof::test::PowerLog;

namespace {

const std::string kReadAs = "read as ";  // by an importer of something else than power

QString powerlogs() {
    const QString index = test::sharedFile("powerlogs/INDEX.md");
    return index.isEmpty() ? QString() : QFileInfo(index).path();
}

json expectations() {
    QFile file(WATTPROOF_SOURCE_DIR "/tests/importers/power_corpus.json");
    return file.open(QIODevice::ReadOnly) ? json::parse(file.readAll().toStdString()) : json();
}

// What the product's own registry makes of a file, as a user's import would.
std::unique_ptr<PowerLog> importFile(const QString &path) {
    const auto input = Input::open(path.toStdString());
    if (!input) {
        auto log = std::make_unique<PowerLog>();
        log->summary = tl::unexpected<Error>(input.error());
        return log;
    }
    const auto importer = recognise(**input, {});
    if (!importer || (*importer)->kind() != SourceKind::Power) {
        auto log = std::make_unique<PowerLog>();
        if (!importer)
            log->summary = failure(importer.error().sentence());
        else if (const auto other = test::importWith(**importer, **input); other->summary)
            log->summary = failure(kReadAs + other->summary->format);
        else
            log->summary = failure(other->outcome());
        return log;
    }
    return test::importPower(**input);
}

// Joules of what is to be added up: channels of power or energy inside no other one, an energy counter before watts.
std::map<std::string, double> rootJoules(const PowerLog &log) {
    std::map<std::string, double> joules;
    std::set<std::string> counted;
    for (const char *quantity : {"energy", "power"})
        for (const CounterRow &row : log.writer.counters) {
            if (row.quantity != quantity || row.parent.valid())
                continue;
            const std::string &device = log.deviceName(row);
            if (std::string(quantity) == "power" && counted.contains(device))
                continue;
            const analysis::PowerSeries series = log.series(row);
            joules[device] += series.energy(series.extent()).j;
            if (std::string(quantity) == "energy")
                counted.insert(device);
        }
    return joules;
}

json describe(const PowerLog &log) {
    if (!log.summary && log.summary.error().what.starts_with(kReadAs))
        return {{"read_as", log.summary.error().what.substr(kReadAs.size())}};
    if (!log.summary)
        return {{"refused", true}};
    json warnings = json::object();
    for (const WarningRow &row : log.writer.warnings)
        warnings[row.kind] = row.count;
    std::set<std::string> devices;
    for (const DeviceRow &row : log.writer.devices)
        devices.insert(row.name);
    json result{{"format", log.summary->format},
                {"devices", devices},
                {"counters", log.summary->counters},
                {"samples", log.summary->samples},
                {"warnings", warnings}};
    return result;
}

void print(const std::string &file, const PowerLog &log) {
    if (!log.summary) {
        std::printf("%-60s refused: %.150s\n", file.c_str(), log.summary.error().sentence().c_str());
        return;
    }
    const json facts = describe(log);
    std::string joules;
    for (const auto &[device, j] : rootJoules(log))
        joules += " " + device + "=" + std::to_string(j);
    std::printf("%-60s %-18s devices %zu channels %lld samples %lld J%s %s\n", file.c_str(),
                log.summary->format.c_str(), log.writer.devices.size(),
                static_cast<long long>(log.summary->counters), static_cast<long long>(log.summary->samples),
                joules.substr(0, 200).c_str(), facts["warnings"].dump().c_str());
}

}  // namespace

class PowerCorpusTest : public QObject {
    Q_OBJECT

private slots:
    void everyFileIsAsListed();
    void joulesAgreeWithAnIndependentScript();
};

void PowerCorpusTest::everyFileIsAsListed() {
    if (powerlogs().isEmpty())
        QSKIP("skipped: the shared power logs are not here");
    const json expected = expectations();
    QVERIFY(expected.is_object());
    int files = 0, wrong = 0;
    QDirIterator it(powerlogs(), QDir::Files, QDirIterator::Subdirectories);
    while (it.hasNext()) {
        const QString path = it.next();
        const std::string file = QDir(powerlogs()).relativeFilePath(path).toStdString();
        if (file.find('/') == std::string::npos)
            continue;
        ++files;
        const auto log = importFile(path);
        print(file, *log);
        const json found = describe(*log);
        const bool fits = log->writer.violations.empty() && expected.contains(file) && found == expected[file];
        if (!fits) {
            std::printf("  differs: \"%s\": %s\n", file.c_str(), found.dump().c_str());
            ++wrong;
        }
    }
    QCOMPARE(files, static_cast<int>(expected.size()));
    QCOMPARE(wrong, 0);
}

void PowerCorpusTest::joulesAgreeWithAnIndependentScript() {
    const QString python = QStandardPaths::findExecutable("python3");
    if (powerlogs().isEmpty() || python.isEmpty())
        QSKIP("skipped: the shared power logs or python3 are not here");
    QProcess script;
    script.start(python, {WATTPROOF_SOURCE_DIR "/tests/importers/independent_power_logs.py", powerlogs()});
    QVERIFY(script.waitForFinished(120'000));
    const json expected = json::parse(script.readAllStandardOutput().toStdString(), nullptr, false);
    QVERIFY2(expected.is_object() && expected.size() >= 25, script.readAllStandardError().constData());
    int wrong = 0;
    for (const auto &[file, devices] : expected.items()) {
        const auto found = rootJoules(*importFile(powerlogs() + "/" + QString::fromStdString(file)));
        bool fits = found.size() == devices.size();
        for (const auto &[device, value] : devices.items()) {
            const auto at = found.find(device);
            const double joules = value.get<double>();
            fits = fits && at != found.end() && std::abs(at->second - joules) <= 1e-6 * std::max(1.0, std::abs(joules));
        }
        if (!fits) {
            std::printf("  %s: %s, found %s\n", file.c_str(), devices.dump().c_str(), json(found).dump().c_str());
            ++wrong;
        }
    }
    QCOMPARE(wrong, 0);
}

QTEST_GUILESS_MAIN(PowerCorpusTest)
#include "tst_power_corpus.moc"
