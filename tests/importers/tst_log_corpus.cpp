// Every file of the shared folders "powerlogs" and "requestlogs": prints a table of what it becomes and holds it
// to a list that was written by hand from the files (log_corpus.json), and its joules, requests and figures to a
// script of its own (independent_logs.py).
#include "tests/importers/power_support.h"
#include "tests/support/shared_files.h"

#include <cmath>
#include <cstdio>
#include <set>

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

constexpr int kAny = -1;  // in the list: how often a warning is given is not counted by hand

struct Energy {
    double joules = 0;
    std::size_t readings = 0;
};

QString shared() {
    const QString index = test::sharedFile("powerlogs/INDEX.md");
    return index.isEmpty() ? QString() : QDir::cleanPath(QFileInfo(index).path() + "/..");
}

// Paths below the shared folder.
std::vector<std::string> corpus() {
    std::vector<std::string> paths;
    for (const char *folder : {"powerlogs", "requestlogs"}) {
        QDirIterator it(shared() + "/" + folder, QDir::Files, QDirIterator::Subdirectories);
        while (it.hasNext())
            if (const QString path = it.next(); !path.endsWith(".md"))
                paths.push_back(QDir(shared()).relativeFilePath(path).toStdString());
    }
    std::sort(paths.begin(), paths.end());
    return paths;
}

json expectations() {
    QFile file(WATTPROOF_SOURCE_DIR "/tests/importers/log_corpus.json");
    return file.open(QIODevice::ReadOnly) ? json::parse(file.readAll().toStdString()) : json();
}

// What the product's own registry makes of a file, as a user's import would.
std::unique_ptr<PowerLog> importFile(const std::string &path) {
    auto log = std::make_unique<PowerLog>();
    auto input = Input::open(shared().toStdString() + "/" + path);
    if (!input) {
        log->summary = passOn(input);
        return log;
    }
    auto importer = recognise(**input, {});
    log->summary = importer ? (*importer)->import(**input, log->writer, {}, Task{}) : passOn(importer);
    return log;
}

// What is to be added up: channels of power or energy inside no other one, an energy counter before watts.
std::map<std::string, Energy> rootEnergy(const PowerLog &log) {
    std::map<std::string, Energy> found;
    std::set<std::string> counted;
    for (const char *quantity : {"energy", "power"})
        for (const CounterRow &row : log.writer.counters) {
            if (row.quantity != quantity || row.parent.valid())
                continue;
            const std::string &device = log.deviceName(row);
            if (std::string(quantity) == "power" && counted.contains(device))
                continue;
            const analysis::PowerSeries series = log.series(row);
            found[device].joules += series.energy(series.extent()).j;
            found[device].readings += log.samples(row).size();
            if (std::string(quantity) == "energy")
                counted.insert(device);
        }
    return found;
}

const char *kindWord(SourceKind kind) {
    return kind == SourceKind::Power     ? "power"
           : kind == SourceKind::Trace   ? "trace"
           : kind == SourceKind::Quality ? "quality"
                                         : "requests";
}

Ns spanOf(const test::RecordingWriter &writer) {
    Ns last = 0;
    for (const RequestRow &row : writer.requests)
        last = std::max(last, row.ts + row.dur);
    for (const auto &[counter, samples] : writer.samples)
        for (const Sample &sample : samples)
            last = std::max(last, sample.ts);
    return last;
}

// The facts of the list; those that are 0 are left out.
json describe(const PowerLog &log) {
    if (!log.summary)
        return {{"refused", true}};
    const test::RecordingWriter &writer = log.writer;
    const SourceRow &source = writer.sources.at(0);
    json facts{{"format", source.format}, {"kind", kindWord(source.kind)}, {"warnings", json::object()}};
    for (const WarningRow &row : writer.warnings)
        facts["warnings"][row.kind] = row.count;
    const auto add = [&facts](const char *key, auto value) {
        if (value != 0)
            facts[key] = value;
    };
    std::size_t samples = 0, failed = 0;
    for (const auto &[counter, values] : writer.samples)
        samples += values.size();
    double tokens = 0;
    for (const RequestRow &row : writer.requests) {
        failed += row.ok ? 0 : 1;
        tokens += row.units.value_or(0);
    }
    if (source.kind == SourceKind::Trace) {
        add("slices", writer.slices.size());
        return facts;
    }
    if (source.kind == SourceKind::Power) {
        std::set<std::string> devices;
        for (const DeviceRow &row : writer.devices)
            devices.insert(row.name);
        facts["devices"] = devices;
        facts["counters"] = writer.counters.size();
        facts["samples"] = samples;
        return facts;
    }
    add("counters", writer.counters.size());
    add("samples", samples);
    add("requests", writer.requests.size());
    add("failed", failed);
    add("tokens", tokens);
    add("figures", writer.quality.size());
    add("first_ns", source.statedBase);
    add("span_ns", spanOf(writer));
    if (source.clock == ClockBasis::Epoch)
        facts["clock"] = "epoch";
    return facts;
}

bool fitsList(const json &found, json expected) {
    if (expected.contains("warnings"))
        for (auto &[kind, count] : expected["warnings"].items())
            if (count == kAny && found.contains("warnings") && found["warnings"].contains(kind))
                count = found["warnings"][kind];
    return found == expected;
}

void print(const std::string &file, const PowerLog &log) {
    if (!log.summary) {
        std::printf("%-80s refused: %.150s\n", file.c_str(), log.summary.error().sentence().c_str());
        return;
    }
    const json facts = describe(log);
    const auto number = [&facts](const char *key) { return facts.value(key, std::size_t{0}); };
    std::string joules;
    for (const auto &[device, energy] : rootEnergy(log))
        joules += " " + device + "=" + std::to_string(energy.joules);
    const std::string what =
        facts["kind"] == "power"
            ? "devices " + std::to_string(log.writer.devices.size()) + " channels " +
                  std::to_string(number("counters")) + " samples " + std::to_string(number("samples")) + " J" +
                  joules.substr(0, 200)
            : "requests " + std::to_string(number("requests")) + " figures " + std::to_string(number("figures")) +
                  " curves " + std::to_string(number("counters")) + " samples " +
                  std::to_string(number("samples")) + " slices " + std::to_string(number("slices"));
    std::printf("%-80s %-24s %s %s\n", file.c_str(), facts["format"].get<std::string>().c_str(), what.c_str(),
                facts["warnings"].dump().c_str());
}

bool isNear(double a, double b) {
    return std::abs(a - b) <= 1e-6 * std::max(1.0, std::abs(b));
}

// Whether an import agrees with what the script made of the file.
bool agrees(const PowerLog &log, const json &script) {
    const json facts = describe(log);
    for (const auto &[key, value] : script.items()) {
        if (key == "joules")
            continue;
        double seconds = 0;
        for (const RequestRow &row : log.writer.requests)
            seconds += row.ok ? static_cast<double>(row.dur) / 1e9 : 0;
        if (key == "seconds" ? !isNear(seconds, value.get<double>()) : facts.value(key, json(0)) != value)
            return false;
    }
    if (!script.contains("joules"))
        return true;
    const auto found = rootEnergy(log);
    bool fits = found.size() == script["joules"].size();
    for (const auto &[device, expected] : script["joules"].items()) {
        const auto at = found.find(device);
        fits = fits && at != found.end() && isNear(at->second.joules, expected[0].get<double>()) &&
               at->second.readings == expected[1].get<std::size_t>();
    }
    return fits;
}

}  // namespace

class LogCorpusTest : public QObject {
    Q_OBJECT

private slots:
    void everyFileIsAsListed();
    void everyFileAgreesWithAnIndependentScript();
};

void LogCorpusTest::everyFileIsAsListed() {
    if (shared().isEmpty())
        QSKIP("skipped: the shared logs are not here");
    const json expected = expectations();
    QVERIFY(expected.is_object());
    const std::vector<std::string> files = corpus();
    int wrong = 0;
    for (const std::string &file : files) {
        const auto log = importFile(file);
        print(file, *log);
        const json found = describe(*log);
        if (log->writer.violations.empty() && expected.contains(file) && fitsList(found, expected[file]))
            continue;
        std::printf("  differs: \"%s\": %s\n", file.c_str(), found.dump().c_str());
        ++wrong;
    }
    QCOMPARE(files.size(), expected.size());
    QCOMPARE(wrong, 0);
}

void LogCorpusTest::everyFileAgreesWithAnIndependentScript() {
    const QString python = QStandardPaths::findExecutable("python3");
    if (shared().isEmpty() || python.isEmpty())
        QSKIP("skipped: the shared logs or python3 are not here");
    QProcess script;
    script.start(python, {WATTPROOF_SOURCE_DIR "/tests/importers/independent_logs.py", shared()});
    QVERIFY(script.waitForFinished(120'000));
    const json expected = json::parse(script.readAllStandardOutput().toStdString(), nullptr, false);
    QVERIFY2(expected.is_object(), script.readAllStandardError().constData());
    int wrong = 0;
    for (const std::string &file : corpus()) {
        const auto log = importFile(file);
        const bool missed = !expected.contains(file) && !rootEnergy(*log).empty();
        if (!missed && (!expected.contains(file) || agrees(*log, expected[file])))
            continue;
        json found = json::object();
        for (const auto &[device, energy] : rootEnergy(*log))
            found[device] = {energy.joules, energy.readings};
        std::printf("  %s: %s, found %s %s\n", file.c_str(),
                    missed ? "not worked out" : expected[file].dump().c_str(), found.dump().c_str(),
                    describe(*log).dump().c_str());
        ++wrong;
    }
    QCOMPARE(wrong, 0);
}

QTEST_GUILESS_MAIN(LogCorpusTest)
#include "tst_log_corpus.moc"
