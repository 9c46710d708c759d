// The cases made from public bug reports about power logs (shared folder "cases", kind "power"): each holds its `expect`.
#include "importers/chrome/chrome_importer.h"
#include "tests/importers/power_support.h"
#include "tests/support/shared_files.h"

#include <cmath>
#include <set>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTest>
#include <nlohmann/json.hpp>

using namespace wattproof;
using namespace wattproof::importers;
using nlohmann::json;
using wattproof::test::PowerLog;

namespace {

json readJson(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? json::parse(file.readAll().toStdString()) : json();
}

Options optionsOf(const json &document) {
    const json options = document.value("import_options", json::object());
    Options result;
    result.format = options.value("format", "");
    result.timezone = options.value("timezone", "");
    if (options.contains("max_gap_s"))
        result.maxGapSeconds = options["max_gap_s"].get<double>();
    if (options.contains("columns"))
        result.descriptorJson = json{{"format", result.format}, {"columns", options["columns"]}}.dump();
    return result;
}

// A number is exact (relative 1e-6 or `tol`), an object a range.
bool fits(const json &expected, double value, double tolerance) {
    if (expected.is_object())
        return (!expected.contains("min") || value >= expected["min"].get<double>()) &&
               (!expected.contains("max") || value <= expected["max"].get<double>());
    const double wanted = expected.get<double>();
    return std::abs(value - wanted) <= std::max(tolerance, 1e-6 * std::abs(wanted));
}

using Facts = std::map<std::string, json>;

Facts objectOf(const json &document, const char *key) {
    return document.contains(key) ? document[key].get<Facts>() : Facts();
}

std::string deviceOf(const std::string &name) {
    return name.starts_with("gpu") ? "GPU " + name.substr(3) : name;
}

// The product's words for the metrics of the cases.
const CounterRow *counterOf(const PowerLog &log, const std::string &key) {
    const std::string device = deviceOf(key.substr(0, key.find('.')));
    const std::string metric = key.substr(key.find('.') + 1);
    for (const CounterRow &row : log.writer.counters) {
        if (log.deviceName(row) != device)
            continue;
        const bool memory = row.domain == "memory";
        if ((metric == "power_w" && row.quantity == "power") ||
            (metric == "energy_j" && row.quantity == "energy") ||
            (metric == "temp_c" && row.quantity == "temperature" && !memory) ||
            (metric == "mem_temp_c" && row.quantity == "temperature" && memory))
            return &row;
    }
    return nullptr;
}

// Checks one case; sentences of what does not hold.
class CaseCheck {
public:
    CaseCheck(const PowerLog &log, const Options &options)
        : log_(log), maxGap_(options.maxGapSeconds.value_or(0)) {}

    // The slices of the trace beside the log, on the log's time.
    void setTrace(const test::RecordingWriter &trace) { trace_ = &trace; }

    std::vector<std::string> run(const json &expect) {
        checkVocabulary(expect);
        tolerance_ = expect.value("tol", 0.0);
        checkOutcome(expect);
        if (expect.contains("any_of")) {
            std::vector<std::string> last;
            bool any = false;
            for (const json &outcome : expect["any_of"]) {
                CaseCheck one(log_, {});
                one.maxGap_ = maxGap_;
                one.trace_ = trace_;
                const std::vector<std::string> failures = one.run(outcome);
                any = any || failures.empty();
                last = failures;
            }
            if (!any)
                fail("none of any_of, e.g. " + (last.empty() ? "" : last[0]));
        }
        return failures_;
    }

private:
    void fail(const std::string &what) { failures_.push_back(what); }
    void expectNumber(const std::string &what, const json &expected, double value) {
        if (!fits(expected, value, tolerance_))
            fail(what + " is " + std::to_string(value) + ", not " + expected.dump());
    }

    void checkOutcome(const json &expect) {
        for (const auto &[key, facts] : objectOf(expect, "counters"))
            checkCounter(key, facts);
        for (const auto &key : expect.value("absent_counters", json::array()))
            if (counterOf(log_, key.get<std::string>()))
                fail(key.get<std::string>() + " is there");
        double total = 0;
        for (const std::string &device : roots())
            total += log_.joules(device);
        if (expect.contains("total_joules"))
            expectNumber("total_joules", expect["total_joules"], total);
        for (const auto &[name, joules] : objectOf(expect, "joules"))
            expectNumber("joules of " + name, joules, energy(name).j);
        for (const auto &[name, watts] : objectOf(expect, "avg_w"))
            expectNumber("avg_w of " + name, watts, energy(name).j / energy(name).coveredS);
        for (const auto &[name, watts] : objectOf(expect, "peak_w"))
            expectNumber("peak_w of " + name, watts, peak(name));
        if (expect.contains("covered_s"))
            expectNumber("covered_s", expect["covered_s"], energy(firstDevice()).coveredS);
        for (const auto &[name, range] : objectOf(expect, "power_w"))
            checkPowerRange(name, range);
        checkSlices(expect);
        checkTimes(expect);
        checkWarnings(expect);
    }

    // A fact that nothing here looks at would pass unseen.
    void checkVocabulary(const json &expect) {
        static const std::set<std::string> known{
            "error",   "counters", "absent_counters", "joules",         "total_joules", "covered_s", "avg_w",
            "peak_w",  "power_w",  "gaps",            "first_ns",       "last_ns",      "tol",       "first_power_ns",
            "any_of",  "warnings", "slices",          "slice_joules",   "forbidden_warnings"};
        for (const auto &[key, value] : expect.items())
            if (!known.contains(key))
                fail("nothing checks " + key);
        if (expect.contains("error") && !expect["error"].is_null())
            fail("no power case is refused");
    }

    void checkSlices(const json &expect) {
        if (expect.contains("slices"))
            expectNumber("slices", expect["slices"], trace_ ? static_cast<double>(trace_->slices.size()) : 0.0);
        for (const auto &[name, joules] : objectOf(expect, "slice_joules")) {
            double total = 0;
            for (std::size_t i = 0; trace_ && i < trace_->slices.size(); ++i) {
                const SliceRow &slice = trace_->slices[i];
                if (trace_->text(slice.name) != name)
                    continue;
                const Ns shift = trace_->sources[0].statedBase - log_.writer.sources[0].statedBase;
                total += power(firstDevice()).energy(TimeRange{slice.ts + shift, slice.ts + slice.dur + shift}).j;
            }
            expectNumber("slice_joules of " + name, joules, total);
        }
    }

    void checkCounter(const std::string &key, const json &facts) {
        const CounterRow *row = counterOf(log_, key);
        if (!row)
            return fail(key + " is missing");
        const std::vector<Sample> &samples = log_.samples(*row);
        const auto [low, high] = std::minmax_element(
            samples.begin(), samples.end(), [](const Sample &a, const Sample &b) { return a.value < b.value; });
        const std::map<std::string, double> values{{"samples", static_cast<double>(samples.size())},
                                                   {"min", low->value},
                                                   {"max", high->value},
                                                   {"last", samples.back().value}};
        for (const auto &[fact, value] : values)
            if (facts.contains(fact))
                expectNumber(key + "." + fact, facts[fact], value);
    }

    [[nodiscard]] analysis::PowerSeries power(const std::string &name) const {
        const CounterRow *row = log_.energyChannel(deviceOf(name));
        return row ? log_.series(*row, maxGap_) : analysis::PowerSeries(CounterRow{}, {});
    }
    [[nodiscard]] analysis::EnergyOfRange energy(const std::string &name) const {
        const analysis::PowerSeries series = power(name);
        return series.energy(series.extent());
    }
    [[nodiscard]] double peak(const std::string &name) const {
        double most = 0;
        const analysis::PowerSeries series = power(name);
        for (const Sample &sample : series.samples())
            most = std::max(most, sample.value);
        return most;
    }
    [[nodiscard]] std::string firstDevice() const { return log_.writer.devices.front().name; }

    [[nodiscard]] std::vector<std::string> roots() const {
        std::vector<std::string> names;
        for (const DeviceRow &device : log_.writer.devices) {
            const CounterRow *row = log_.energyChannel(device.name);
            if (row && !row->parent.valid())
                names.push_back(device.name);
        }
        return names;
    }

    void checkPowerRange(const std::string &name, const json &range) {
        const analysis::PowerSeries series = power(name);
        for (std::size_t i = 1; i < series.samples().size(); ++i) {
            const Ns middle = (series.samples()[i - 1].ts + series.samples()[i].ts) / 2;
            if (const auto watts = series.watts(middle); watts && !fits(range, *watts, 1e-3))
                fail("power of " + name + " is " + std::to_string(*watts));
        }
    }

    void checkTimes(const json &expect) {
        const Ns base = log_.writer.sources[0].statedBase;
        const std::vector<Sample> &samples = log_.samples(*log_.energyChannel(firstDevice()));
        for (const char *key : {"first_ns", "first_power_ns"})
            if (expect.contains(key) && expect[key].get<Ns>() != base + samples.front().ts)
                fail(std::string(key) + " is " + std::to_string(base + samples.front().ts));
        if (expect.contains("last_ns") && expect["last_ns"].get<Ns>() != base + samples.back().ts)
            fail("last_ns is " + std::to_string(base + samples.back().ts));
        for (const json &gap : expect.value("gaps", json::array())) {
            const TimeRange range{gap["start_ns"].get<Ns>() - base, gap["end_ns"].get<Ns>() - base};
            const analysis::PowerSeries series = power(firstDevice());
            if (std::find(series.gaps().begin(), series.gaps().end(), range) == series.gaps().end())
                fail("a gap is missing");
        }
    }

    void checkWarnings(const json &expect) {
        for (const json &warning : expect.value("warnings", json::array())) {
            const json kinds = warning.contains("kind") ? json::array({warning["kind"]}) : warning["kind_any"];
            std::int64_t count = 0;
            for (const json &kind : kinds)
                count += log_.writer.warningCount(kind.get<std::string>());
            expectNumber("count of " + kinds.dump(), warning["count"], static_cast<double>(count));
        }
        for (const json &kind : expect.value("forbidden_warnings", json::array()))
            if (log_.writer.warningCount(kind.get<std::string>()) > 0)
                fail("warning " + kind.get<std::string>());
    }

    const PowerLog &log_;
    const test::RecordingWriter *trace_ = nullptr;
    double maxGap_ = 0, tolerance_ = 0;
    std::vector<std::string> failures_;
};

std::unique_ptr<PowerLog> importFile(const QString &path, const Options &options) {
    const auto input = Input::open(path.toStdString());
    return input ? test::importPower(**input, options) : std::make_unique<PowerLog>();
}

}  // namespace

class PowerCasesTest : public QObject {
    Q_OBJECT

private slots:
    void everyPowerCaseIsListed();
    void caseHolds_data();
    void caseHolds();
};

namespace {

constexpr const char *kCases[] = {
    "037-smi-not-available",         "038-gpu-lost-during-log",
    "039-dmon-dashes-and-headers",   "040-power-in-milliwatts",
    "041-rapl-counter-wraps",        "042-two-hosts-interleaved",
    "043-clock-step-makes-power-spike", "044-end-of-summer-time",
    "045-one-hour-gap",              "046-rapl-domains-contain-each-other",
    "047-temperature-255",           "048-decimal-comma",
    "049-power-log-in-another-zone", "065-smi-err-transient",
    "066-uneven-sampling",           "067-amd-smi-watch-output",
    "068-nul-bytes-after-power-cut",
};

}  // namespace

// A case of kind "power" that is added to the folder must be added here.
void PowerCasesTest::everyPowerCaseIsListed() {
    WATTPROOF_SHARED_OR_SKIP(readme, "cases/README.md");
    const QDir cases = QFileInfo(readme).dir();
    QStringList ids;
    for (const QString &id : cases.entryList(QDir::Dirs | QDir::NoDotAndDotDot))
        if (const json document = readJson(cases.filePath(id + "/case.json")); document.value("kind", "") == "power")
            ids += id;
    for (const char *id : kCases)
        QVERIFY2(ids.removeOne(QString::fromLatin1(id)), id);
    QVERIFY2(ids.isEmpty(), qPrintable(ids.join(", ")));
}

void PowerCasesTest::caseHolds_data() {
    QTest::addColumn<QString>("id");
    for (const char *id : kCases)
        QTest::newRow(id) << QString::fromLatin1(id);
}

void PowerCasesTest::caseHolds() {
    QFETCH(QString, id);
    const QString file = test::sharedFile("cases/" + id + "/case.json");
    if (file.isEmpty())
        QSKIP("skipped: the shared cases are not here");
    const json document = readJson(file);
    const Options options = optionsOf(document);
    const QString input = QString::fromStdString(document["inputs"].back().get<std::string>());
    const QString folder = QFileInfo(file).path();
    const auto log = importFile(folder + "/" + input, options);
    QVERIFY2(log->summary.has_value(), log->summary ? "" : log->summary.error().sentence().c_str());
    QVERIFY(log->writer.violations.empty());
    CaseCheck check(*log, options);
    test::RecordingWriter trace;
    if (document["inputs"].size() > 1) {
        const auto beside = Input::open((folder + "/" + document["inputs"][0].get<std::string>().c_str()).toStdString());
        QVERIFY(beside && makeChromeImporter()->import(**beside, trace, {}, Task{}));
        check.setTrace(trace);
    }
    for (const std::string &failure : check.run(document["expect"]))
        QFAIL(failure.c_str());
}

QTEST_GUILESS_MAIN(PowerCasesTest)
#include "tst_power_cases.moc"
