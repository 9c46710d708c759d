// Real power logs, and the cases made from public bug reports whose format is nvidia-smi-csv or csv.
#include "tests/importers/power_support.h"
#include "tests/support/shared_files.h"

#include <cmath>

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

constexpr Ns kSecond = 1'000'000'000;

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

    std::vector<std::string> run(const json &expect) {
        tolerance_ = expect.value("tol", 0.0);
        checkOutcome(expect);
        if (expect.contains("any_of")) {
            std::vector<std::string> last;
            bool any = false;
            for (const json &outcome : expect["any_of"]) {
                CaseCheck one(log_, {});
                one.maxGap_ = maxGap_;
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
        checkTimes(expect);
        checkWarnings(expect);
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
    double maxGap_ = 0, tolerance_ = 0;
    std::vector<std::string> failures_;
};

std::unique_ptr<PowerLog> importFile(const QString &path, const Options &options = {}) {
    const auto input = Input::open(path.toStdString());
    return input ? test::importPower(**input, options) : std::make_unique<PowerLog>();
}

}  // namespace

class SharedPowerTest : public QObject {
    Q_OBJECT

private slots:
    void casesHold_data();
    void casesHold();
    void everyQueryLogIsRecognised();
    void energyAgreesWithAnIndependentScript();
    void deadSensorIsCalledOne();
    void allFieldsOfAnH100AreMapped();
    void wideCsvAgreesWithItsOwnSummary();
    void shiftedHeaderKeepsEightGpus();
    void otherTablesAreRefusedWithASentence();
};

void SharedPowerTest::casesHold_data() {
    QTest::addColumn<QString>("id");
    for (const char *id :
         {"037-smi-not-available", "038-gpu-lost-during-log", "040-power-in-milliwatts", "041-rapl-counter-wraps",
          "042-two-hosts-interleaved", "043-clock-step-makes-power-spike", "044-end-of-summer-time",
          "045-one-hour-gap", "046-rapl-domains-contain-each-other", "047-temperature-255", "048-decimal-comma",
          "049-power-log-in-another-zone", "065-smi-err-transient", "066-uneven-sampling",
          "067-amd-smi-watch-output", "068-nul-bytes-after-power-cut"})
        QTest::newRow(id) << QString::fromLatin1(id);
}

void SharedPowerTest::casesHold() {
    QFETCH(QString, id);
    const QString file = test::sharedFile("cases/" + id + "/case.json");
    if (file.isEmpty())
        QSKIP("skipped: the shared cases are not here");
    const json document = readJson(file);
    const Options options = optionsOf(document);
    const QString input = QString::fromStdString(document["inputs"].back().get<std::string>());
    const auto log = importFile(QFileInfo(file).path() + "/" + input, options);
    QVERIFY2(log->summary.has_value(), log->summary ? "" : log->summary.error().sentence().c_str());
    QVERIFY(log->writer.violations.empty());
    for (const std::string &failure : CaseCheck(*log, options).run(document["expect"]))
        QFAIL(failure.c_str());
}

void SharedPowerTest::everyQueryLogIsRecognised() {
    const QStringList files = test::sharedFiles("powerlogs/nvidia-smi-query", "*.csv");
    if (files.isEmpty())
        QSKIP("skipped: the shared power logs are not here");
    for (const QString &path : files) {
        if (path.contains("marks") || path.contains("nsys"))
            continue;
        const auto log = importFile(path);
        QVERIFY2(log->summary.has_value(), qPrintable(path));
        QVERIFY2(log->writer.violations.empty(), qPrintable(path));
        QCOMPARE(log->summary->format, std::string("nvidia-smi-csv"));
        QVERIFY2(log->energyChannel("GPU 0"), qPrintable(path));
        QCOMPARE(log->writer.warningCount("malformed_row"), std::int64_t{0});
    }
}

void SharedPowerTest::energyAgreesWithAnIndependentScript() {
    QStringList files = test::sharedFiles("powerlogs/nvidia-smi-query", "*.csv");
    const QString python = QStandardPaths::findExecutable("python3");
    if (files.isEmpty() || python.isEmpty())
        QSKIP("skipped: the shared power logs or python3 are not here");
    files = files.filter(QRegularExpression("^(?!.*(marks|nsys)).*$"));
    QProcess script;
    script.start(python, QStringList{WATTPROOF_SOURCE_DIR "/tests/importers/independent_energy.py"} + files);
    QVERIFY(script.waitForFinished(60'000));
    const json expected = json::parse(script.readAllStandardOutput().toStdString());
    QCOMPARE(static_cast<qsizetype>(expected.size()), files.size());
    for (const auto &[path, devices] : expected.items()) {
        const auto log = importFile(QString::fromStdString(path));
        for (const auto &[device, facts] : devices.items()) {
            const CounterRow *row = log->counter(device, "power.draw");
            QVERIFY2(row, path.c_str());
            const analysis::PowerSeries power = log->series(*row);
            const double joules = facts["joules"].get<double>();
            QVERIFY2(std::abs(power.energy(power.extent()).j - joules) <= 1e-9 * std::max(1.0, joules),
                     path.c_str());
            QCOMPARE(power.samples().size(), facts["samples"].get<std::size_t>());
            const std::string missing = log->writer.metadataValue(device + ".missing_cells.power.draw");
            QCOMPARE(missing.empty() ? 0 : std::stoi(missing), facts["missing"].get<int>());
        }
    }
}

void SharedPowerTest::deadSensorIsCalledOne() {
    WATTPROOF_SHARED_OR_SKIP(path, "powerlogs/nvidia-smi-query/a100_mlperf_unknown_error.csv");
    const auto log = importFile(path);
    const WarningRow *frozen = log->writer.findWarning("frozen_sensor");
    QVERIFY(frozen && frozen->message.find("dead sensor") != std::string::npos);
    QCOMPARE(log->writer.warningCount("unsupported_sensor"),
             std::int64_t{2776});  // clocks: [Unknown Error] throughout
    for (const char *alive : {"a100_duty50_query.csv", "rtx4090_vlm_query_1hz.csv", "k40m_step_query.csv"})
        QCOMPARE(importFile(test::sharedFile("powerlogs/nvidia-smi-query/" + QString(alive)))
                     ->writer.warningCount("frozen_sensor"),
                 std::int64_t{0});
}

void SharedPowerTest::allFieldsOfAnH100AreMapped() {
    WATTPROOF_SHARED_OR_SKIP(path, "powerlogs/nvidia-smi-query/h100_allfields_load.csv");
    const auto log = importFile(path);
    QVERIFY(log->summary);
    QCOMPARE(log->writer.devices.at(0).model, std::string("NVIDIA H100 80GB HBM3"));
    QCOMPARE(log->writer.metadataValue("GPU 0.driver_version"), std::string("590.48.01"));
    QCOMPARE(log->samples(*log->counter("GPU 0", "power.draw")).at(0).value, 631.95);
    QCOMPARE(log->samples(*log->counter("GPU 0", "enforced.power.limit")).at(0).value, 700.0);
    QCOMPARE(log->samples(*log->counter("GPU 0", "clocks.current.sm")).at(0).value, 1.98e9);
    QCOMPARE(log->samples(*log->counter("GPU 0", "clocks_event_reasons.active")).at(0).value, 0.0);
    QVERIFY(!log->counter("GPU 0", "module.power.draw.average"));
}

void SharedPowerTest::wideCsvAgreesWithItsOwnSummary() {
    WATTPROOF_SHARED_OR_SKIP(path, "powerlogs/custom-csv/wide_epoch_2gpu.csv");
    const auto log = importFile(path);
    QVERIFY(log->summary);
    QCOMPARE(log->summary->format, std::string("csv"));
    QVERIFY(log->writer.sources[0].clock == ClockBasis::Epoch);
    // The file's maker states mean power times duration: near the integral with its pauses of up to 1.2 s bridged.
    const double stated[] = {6616.065, 8643.701};
    for (std::size_t gpu = 0; gpu < 2; ++gpu) {
        const analysis::PowerSeries power = log->series(*log->counter("GPU " + std::to_string(gpu), "power"), 2.0);
        QVERIFY(std::abs(power.energy(power.extent()).j - stated[gpu]) < 0.01 * stated[gpu]);
    }
    QVERIFY(log->writer.warningCount("sampling_gap") > 0);
}

void SharedPowerTest::shiftedHeaderKeepsEightGpus() {
    WATTPROOF_SHARED_OR_SKIP(path, "powerlogs/custom-csv/h100x8_iso_offset_fieldshift.csv");
    const auto log = importFile(path);
    QVERIFY(log->summary);
    QCOMPARE(log->writer.devices.size(), std::size_t{8});
    QVERIFY(log->writer.sources[0].clock == ClockBasis::Epoch);
    QCOMPARE(log->writer.sources[0].statedBase, Ns{1757323610} * kSecond);
    QCOMPARE(log->samples(*log->counter("GPU 1", "power.draw")).at(0).value, 73.23);
}

void SharedPowerTest::otherTablesAreRefusedWithASentence() {
    WATTPROOF_SHARED_OR_SKIP(marks, "powerlogs/nvidia-smi-query/a100_duty50_load_marks_us.csv");
    WATTPROOF_SHARED_OR_SKIP(summary, "powerlogs/custom-csv/wide_epoch_2gpu_summary.csv");
    const auto first = importFile(marks);
    QVERIFY(!first->summary && first->summary.error().sentence().find("list of times") != std::string::npos);
    const auto second = importFile(summary);
    QVERIFY(!second->summary && second->summary.error().sentence().find("descriptor") != std::string::npos);
}

QTEST_GUILESS_MAIN(SharedPowerTest)
#include "tst_shared_power.moc"
