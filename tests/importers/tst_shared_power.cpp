// Real power logs of nvidia-smi's query and of home-made loops.
#include "tests/importers/power_support.h"
#include "tests/support/shared_files.h"

#include <cmath>

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

std::unique_ptr<PowerLog> importFile(const QString &path, const Options &options = {}) {
    const auto input = Input::open(path.toStdString());
    return input ? test::importPower(**input, options) : std::make_unique<PowerLog>();
}

}  // namespace

class SharedPowerTest : public QObject {
    Q_OBJECT

private slots:
    void everyQueryLogIsRecognised();
    void energyAgreesWithAnIndependentScript();
    void deadSensorIsCalledOne();
    void allFieldsOfAnH100AreMapped();
    void wideCsvAgreesWithItsOwnSummary();
    void shiftedHeaderKeepsEightGpus();
    void otherTablesAreRefusedWithASentence();
};

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
    WATTPROOF_SHARED_OR_SKIP(summary, "powerlogs/custom-csv/wide_epoch_2gpu_summary.csv");
    const auto log = importFile(summary);
    QVERIFY(!log->summary && log->summary.error().sentence().find("descriptor") != std::string::npos);
}

QTEST_GUILESS_MAIN(SharedPowerTest)
#include "tst_shared_power.moc"
