// The simulator is the ruler that analyses are measured with, so its own account has to add up.
#include "tests/simulator/big_trace.h"
#include "tests/simulator/simulator.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>
#include <nlohmann/json.hpp>
#include <zlib.h>

using namespace wattproof;
using namespace wattproof::simulator;

namespace {

// A second or two of a preset: what tests need, quickly.
SimulationConfig shortPreset(const std::string &name) {
    SimulationConfig config = *preset(name);
    config.workload.iterations = 60;
    config.leadInS = config.leadOutS = 0.5;
    return config;
}

template <class Write>
std::string textOf(Write write, const Simulation &simulation) {
    std::ostringstream out;
    write(simulation, out);
    return out.str();
}

// Compared without compression: other versions of zlib pack the same text into other bytes.
std::string inflated(const QString &path) {
    std::string text, buffer(std::size_t{1} << 16U, '\0');
    gzFile file = gzopen(qPrintable(path), "rb");
    for (int got = 1; file != nullptr && got > 0;) {
        got = gzread(file, buffer.data(), static_cast<unsigned>(buffer.size()));
        text.append(buffer.data(), static_cast<std::size_t>(std::max(0, got)));
    }
    gzclose(file);
    return text;
}

double relativeError(double value, double truth) {
    return std::abs(value - truth) / std::abs(truth);
}

Ns clampedNs(const Truth &truth, const std::string &clampClass) {
    Ns sum = 0;
    for (const ClampSpan &span : truth.clamps)
        sum += span.clampClass == clampClass ? span.range.length() : 0;
    return sum;
}

double idleShare(const Truth &truth) {
    return static_cast<double>(truth.idleNs) / static_cast<double>(truth.idleNs + truth.busyNs);
}

}  // namespace

class SimulatorTest : public QObject {
    Q_OBJECT

private slots:
    void partsSumToTheTotal_data();
    void partsSumToTheTotal();
    void energyIsTheIntegralOfThePower();
    void busyTimeIsTheUnionOfTheOperations();
    void streamsNeverOverlapThemselves();
    void kernelsStartAfterTheirLaunch();
    void sensorWithoutFaultsIntegratesToTheTruth();
    void sensorLagShiftsTheCurve();
    void partTimeSensorSeesTheEndOfItsWindow();
    void missingCellsAndGapsAreLeftOut();
    void sameSeedSameBytes();
    void otherSeedOtherBytes();
    void severityZeroDoesNothing();
    void injectionShowsInTheTruth_data();
    void injectionShowsInTheTruth();
    void lowerPrecisionShortensTheIteration();
    void clampLowersTheClockWhileItLasts();
    void hiddenWorkDrawsPowerWithoutRecords();
    void takingTheInjectionAwayGivesTheHealthyRun();
    void traceIsLabelledAndWellFormed();
    void flowsJoinLaunchAndKernel();
    void powerLogIsLabelledAndOnTheWallClock();
    void clockOffsetAndDriftAreInTheLogAndInTheTruth();
    void filesAreWrittenTogether();
    void unwritableFolderIsAnError();
    void bigTraceHasItsMix();
    void bigTraceIntoAMissingFolderIsAnError();
    void bundledSampleIsWhatTheSimulatorWrites();
};

void SimulatorTest::partsSumToTheTotal_data() {
    QTest::addColumn<QString>("name");
    for (const std::string &name : presetNames())
        QTest::newRow(name.c_str()) << QString::fromStdString(name);
}

void SimulatorTest::partsSumToTheTotal() {
    QFETCH(QString, name);
    const Simulation run = simulate(shortPreset(name.toStdString()));
    const Truth &truth = run.truth;
    double sum = truth.outsideJ + truth.busyFloorJ + truth.idleJ;
    for (const auto &[path, entry] : truth.classes)
        sum += entry.dynamicJ;
    QVERIFY(truth.totalJ > 0);
    QVERIFY2(relativeError(sum, truth.totalJ) < 1e-9, qPrintable(QString::number(sum - truth.totalJ)));
    QCOMPARE(truth.busyNs + truth.idleNs, truth.run.length());
}

void SimulatorTest::energyIsTheIntegralOfThePower() {
    const Simulation run = simulate(shortPreset("thermal_clamp"));
    constexpr Ns kStep = 20'000;
    double sum = 0;
    for (Ns t = 0; t + kStep <= run.truth.log.end; t += kStep)
        sum += run.curve.at(t + kStep / 2).watts * kStep * 1e-9;
    QVERIFY(relativeError(sum, run.truth.totalJ) < 1e-3);
}

void SimulatorTest::busyTimeIsTheUnionOfTheOperations() {
    const Simulation run = simulate(shortPreset("communication"));
    Ns busy = 0, until = 0;
    for (const DeviceOperation &operation : run.trace.operations) {
        busy += std::max<Ns>(0, operation.range.end - std::max(until, operation.range.begin));
        until = std::max(until, operation.range.end);
    }
    QCOMPARE(busy, run.truth.busyNs);
}

void SimulatorTest::streamsNeverOverlapThemselves() {
    const Simulation run = simulate(shortPreset("data_movement"));
    std::map<int, Ns> ends;
    for (const DeviceOperation &operation : run.trace.operations) {
        QVERIFY(operation.range.begin >= ends[operation.stream]);
        QVERIFY(!operation.range.empty());
        ends[operation.stream] = operation.range.end;
    }
    QCOMPARE(ends.size(), std::size_t{3});
}

void SimulatorTest::kernelsStartAfterTheirLaunch() {
    const Simulation run = simulate(shortPreset("host_orchestration"));
    std::map<int, TimeRange> calls;
    for (const HostSlice &slice : run.trace.host) {
        if (slice.launches)
            calls[slice.correlation] = slice.range;
    }
    for (const DeviceOperation &operation : run.trace.operations) {
        QVERIFY(calls.count(operation.correlation) == 1);
        QVERIFY(operation.range.begin >= calls[operation.correlation].end);
    }
    QCOMPARE(calls.size(), run.trace.operations.size());
}

void SimulatorTest::sensorWithoutFaultsIntegratesToTheTruth() {
    SimulationConfig config = shortPreset("thermal_clamp");
    config.sensor.quantumW = 0;
    const Simulation run = simulate(config);
    const std::vector<PowerSample> &samples = run.power.samples;
    double sum = 0;
    for (std::size_t index = 1; index < samples.size(); ++index)
        sum += *samples[index].watts * static_cast<double>(samples[index].ts - samples[index - 1].ts) * 1e-9;
    const double truth = run.curve.energyJ({samples.front().ts, samples.back().ts});
    QVERIFY2(relativeError(sum, truth) < 1e-6, qPrintable(QString::number(relativeError(sum, truth))));
}

void SimulatorTest::sensorLagShiftsTheCurve() {
    SimulationConfig config = shortPreset("healthy");
    const Simulation prompt = simulate(config);
    config.sensor.lag = 3 * config.sensor.updatePeriod;
    const Simulation late = simulate(config);
    for (std::size_t index = 4; index < prompt.power.samples.size(); ++index)
        QCOMPARE(late.power.samples[index].watts.value(), prompt.power.samples[index - 3].watts.value());
}

void SimulatorTest::partTimeSensorSeesTheEndOfItsWindow() {
    SimulationConfig config = shortPreset("low_load");
    config.sensor.updatePeriod = config.sensor.window = config.sensor.pollPeriod = 100'000'000;
    config.sensor.duty = 0.25;
    const Simulation run = simulate(config);
    const PowerSample &sample = run.power.samples[12];
    const double expected = run.curve.energyJ({sample.ts - 25'000'000, sample.ts}) / 0.025;
    QVERIFY(std::abs(*sample.watts - expected) <= 0.005 + 1e-9);
}

void SimulatorTest::missingCellsAndGapsAreLeftOut() {
    SimulationConfig config = shortPreset("healthy");
    config.sensor.missingShare = 0.2;
    config.sensor.gaps = {{600'000'000, 1'100'000'000}};
    const Simulation run = simulate(config);
    int missing = 0;
    for (const PowerSample &sample : run.power.samples) {
        QVERIFY(!config.sensor.gaps.front().contains(sample.ts));
        missing += sample.watts ? 0 : 1;
    }
    QVERIFY(missing > 0);
    QVERIFY(textOf(writeNvidiaSmiCsv, run).find(", [N/A], ") != std::string::npos);
}

void SimulatorTest::sameSeedSameBytes() {
    const SimulationConfig config = shortPreset("sample");
    const Simulation first = simulate(config), second = simulate(config);
    QCOMPARE(textOf(writeKinetoJson, first), textOf(writeKinetoJson, second));
    QCOMPARE(textOf(writeNvidiaSmiCsv, first), textOf(writeNvidiaSmiCsv, second));
    QCOMPARE(textOf(writeTruth, first), textOf(writeTruth, second));
}

void SimulatorTest::otherSeedOtherBytes() {
    SimulationConfig config = shortPreset("sample");
    const std::string first = textOf(writeKinetoJson, simulate(config));
    ++config.seed;
    QVERIFY(first != textOf(writeKinetoJson, simulate(config)));
}

void SimulatorTest::severityZeroDoesNothing() {
    const std::string healthy = textOf(writeKinetoJson, simulate(shortPreset("healthy")));
    for (const Bottleneck bottleneck : allBottlenecks()) {
        SimulationConfig config = shortPreset("healthy");
        config.injections = {{bottleneck, 0}};
        QCOMPARE(textOf(writeKinetoJson, simulate(config)), healthy);
    }
}

void SimulatorTest::injectionShowsInTheTruth_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<double>("leastIdleShare");
    QTest::addColumn<QString>("hostMeanwhile");
    QTest::newRow("host_orchestration") << "host_orchestration" << 0.25 << "work";
    QTest::newRow("synchronization") << "synchronization" << 0.1 << "work";
    QTest::newRow("low_load") << "low_load" << 0.3 << "wait";
    QTest::newRow("communication") << "communication" << 0.0 << "";
    QTest::newRow("data_movement") << "data_movement" << 0.0 << "";
}

void SimulatorTest::injectionShowsInTheTruth() {
    QFETCH(QString, name);
    QFETCH(double, leastIdleShare);
    QFETCH(QString, hostMeanwhile);
    const Truth truth = simulate(shortPreset(name.toStdString())).truth;
    QVERIFY2(idleShare(truth) >= leastIdleShare, qPrintable(QString::number(idleShare(truth))));
    if (!hostMeanwhile.isEmpty())
        QVERIFY(truth.idleByHostNs.at(hostMeanwhile.toStdString()) * 2 > truth.idleNs);
    QCOMPARE(truth.counterfactuals.size(), std::size_t{1});
    const Counterfactual &counterfactual = truth.counterfactuals.front();
    QVERIFY(counterfactual.recoverableTime.value() > 0.1);
    QVERIFY(counterfactual.throughputGain.value() > 0.1);
    QVERIFY(counterfactual.recoverableJ.value() > 0);
}

void SimulatorTest::lowerPrecisionShortensTheIteration() {
    SimulationConfig config = shortPreset("healthy");
    config.workload.precisions = {{0, "bf16"}, {30, "fp8"}};
    const Simulation run = simulate(config);
    const auto meanMs = [&](int from, int to) {
        const auto &iterations = run.trace.iterations;
        const Ns length = iterations[static_cast<std::size_t>(to)].range.begin -
                          iterations[static_cast<std::size_t>(from)].range.begin;
        return static_cast<double>(length) * 1e-6 / (to - from);
    };
    QVERIFY(meanMs(35, 59) < 0.75 * meanMs(5, 29));
    QVERIFY(run.truth.classes.at("compute/gemm/fp8").dynamicJ > 0);
    QVERIFY(run.truth.classes.at("compute/gemm/bf16").dynamicJ > 0);
}

void SimulatorTest::clampLowersTheClockWhileItLasts() {
    const Simulation run = simulate(*preset("thermal_clamp"));
    QVERIFY(run.truth.clamps.size() >= 3);
    QVERIFY(clampedNs(run.truth, "thermal") > 0);
    QCOMPARE(clampedNs(run.truth, "power"), Ns{0});
    for (const ClampSpan &span : run.truth.clamps)
        QVERIFY(std::abs(span.meanClock - run.config.thermal.clampedClock) < 0.02);
    const Simulation capped = simulate(shortPreset("power_cap"));
    QVERIFY(clampedNs(capped.truth, "power") * 2 > capped.truth.run.length());
}

void SimulatorTest::hiddenWorkDrawsPowerWithoutRecords() {
    const Simulation run = simulate(shortPreset("trace_incomplete"));
    const Simulation healthy = simulate(shortPreset("healthy"));
    QVERIFY(run.truth.hiddenJ > 0.3 * (run.truth.totalJ - run.truth.outsideJ - run.truth.busyFloorJ));
    QCOMPARE(run.truth.totalJ, healthy.truth.totalJ);
    QVERIFY(textOf(writeKinetoJson, run).size() < 0.9 * textOf(writeKinetoJson, healthy).size());
    QVERIFY(!run.truth.counterfactuals.front().recoverableJ.has_value());
}

void SimulatorTest::takingTheInjectionAwayGivesTheHealthyRun() {
    const Truth faulty = simulate(shortPreset("synchronization")).truth;
    const Truth healthy = simulate(shortPreset("healthy")).truth;
    const double faultyS = static_cast<double>(faulty.run.length()),
                 healthyS = static_cast<double>(healthy.run.length());
    QVERIFY(relativeError(faulty.counterfactuals.front().recoverableTime.value(), 1 - healthyS / faultyS) < 1e-9);
    const double joules = (faulty.totalJ - faulty.outsideJ) - (healthy.totalJ - healthy.outsideJ);
    QVERIFY(relativeError(faulty.counterfactuals.front().recoverableJ.value(), joules) < 1e-9);
}

void SimulatorTest::traceIsLabelledAndWellFormed() {
    const Simulation run = simulate(shortPreset("sample"));
    const auto document = nlohmann::json::parse(textOf(writeKinetoJson, run));
    QVERIFY(document.at("wattproof_simulated").get<bool>());
    QVERIFY(document.at("traceName").get<std::string>().find("simulated") != std::string::npos);
    QVERIFY(document.at("deviceProperties")[0].at("name").get<std::string>().find("(simulated)") !=
            std::string::npos);
    QCOMPARE(document.at("baseTimeNanoseconds").get<std::int64_t>(), run.config.epoch);
    std::size_t kernels = 0, steps = 0;
    for (const auto &event : document.at("traceEvents")) {
        kernels += event.value("cat", "") == "kernel" || event.value("cat", "") == "gpu_memcpy" ? 1 : 0;
        steps += event.value("cat", "") == "user_annotation" ? 1 : 0;
    }
    QCOMPARE(kernels, run.trace.operations.size());
    QCOMPARE(steps, run.trace.iterations.size());
}

void SimulatorTest::flowsJoinLaunchAndKernel() {
    const auto document = nlohmann::json::parse(textOf(writeKinetoJson, simulate(shortPreset("healthy"))));
    std::map<int, int> halves;
    for (const auto &event : document.at("traceEvents")) {
        const auto phase = event.at("ph").get<std::string>();
        if (phase == "s" || phase == "f")
            halves[event.at("id").get<int>()] += phase == "s" ? 1 : 16;
    }
    QVERIFY(!halves.empty());
    for (const auto &[id, seen] : halves)
        QCOMPARE(seen, 17);
}

void SimulatorTest::powerLogIsLabelledAndOnTheWallClock() {
    const std::string text = textOf(writeNvidiaSmiCsv, simulate(shortPreset("healthy")));
    std::istringstream lines(text);
    std::string header, first, second;
    std::getline(lines, header);
    std::getline(lines, first);
    std::getline(lines, second);
    QVERIFY(QString::fromStdString(header).startsWith("timestamp, index, name, "));
    QVERIFY(QString::fromStdString(first).startsWith(
        "2026/03/02 09:00:00.000, 0, Model S accelerator (simulated), P0, "));
    QVERIFY(QString::fromStdString(second).startsWith("2026/03/02 09:00:00.050, "));
    QCOMPARE(QString::fromStdString(first).count(','), QString::fromStdString(header).count(','));
    QVERIFY(QString::fromStdString(first).endsWith("0x0000000000000001"));
}

void SimulatorTest::clockOffsetAndDriftAreInTheLogAndInTheTruth() {
    SimulationConfig config = shortPreset("healthy");
    const Simulation straight = simulate(config);
    config.clock = {-3'600'000'000'000, 50'000};
    const Simulation skewed = simulate(config);
    QCOMPARE(skewed.truth.alignmentOffset, Ns{3'600'000'000'000});
    QCOMPARE(skewed.truth.driftPpb, std::int64_t{50'000});
    const Ns last = straight.power.samples.back().ts;
    QCOMPARE(skewed.power.samples.back().ts, last - 3'600'000'000'000 + last / 20'000);
    QCOMPARE(skewed.power.samples.back().watts.value(), straight.power.samples.back().watts.value());
}

void SimulatorTest::filesAreWrittenTogether() {
    const QTemporaryDir folder;
    const Simulation run = simulate(shortPreset("healthy"));
    const Expected<Files> packed = writeFiles(run, folder.filePath("a").toStdString());
    const Expected<Files> plain = writeFiles(run, folder.filePath("b").toStdString(), false);
    QVERIFY(packed.has_value() && plain.has_value());
    QCOMPARE(inflated(QString::fromStdString(packed->trace)), inflated(QString::fromStdString(plain->trace)));
    QVERIFY(QFileInfo(QString::fromStdString(packed->trace)).size() * 5 <
            QFileInfo(QString::fromStdString(plain->trace)).size());
    QVERIFY(QFileInfo::exists(folder.filePath("a_power.csv")) &&
            QFileInfo::exists(folder.filePath("b_truth.json")));
}

void SimulatorTest::unwritableFolderIsAnError() {
    const Expected<Files> files = writeFiles(simulate(shortPreset("healthy")), "/nowhere/at/all/run");
    QVERIFY(!files.has_value());
    QVERIFY(!files.error().where.empty() && !files.error().remedy.empty());
}

void SimulatorTest::bigTraceHasItsMix() {
    QTemporaryDir folder;
    const std::string path = folder.filePath("big.json").toStdString();
    BigTraceConfig config;
    config.events = 30'000;
    const Expected<BigTraceCounts> counts = writeBigTrace(config, path);
    QVERIFY(counts.has_value());
    std::ifstream file(path);
    const auto document = nlohmann::json::parse(file);
    const auto share = [&](std::int64_t count) {
        return static_cast<double>(count) / static_cast<double>(counts->events);
    };
    QCOMPARE(static_cast<std::int64_t>(document.at("traceEvents").size()), counts->events);
    QVERIFY2(std::abs(share(counts->slices) - 0.69) < 0.015, qPrintable(QString::number(share(counts->slices))));
    QVERIFY2(std::abs(share(counts->flows) - 0.28) < 0.015, qPrintable(QString::number(share(counts->flows))));
    QVERIFY(share(counts->counters) > 0.005 && share(counts->instants) > 0.005);
    QVERIFY2(std::abs(share(counts->bytes) - 299) < 15, qPrintable(QString::number(share(counts->bytes))));
}

void SimulatorTest::bigTraceIntoAMissingFolderIsAnError() {
    const Expected<BigTraceCounts> counts = writeBigTrace({}, "/nowhere/at/all/big.json");
    QVERIFY(!counts.has_value());
    QVERIFY(!counts.error().remedy.empty());
}

// Regenerate with: wattproof-simulate sample -o resources/sample/sample
void SimulatorTest::bundledSampleIsWhatTheSimulatorWrites() {
    const QString folder = QStringLiteral(WATTPROOF_SOURCE_DIR "/resources/sample/");
    const Simulation run = simulate(*preset("sample"));
    const auto bytesOf = [](const QString &path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    QCOMPARE(bytesOf(folder + "sample_power.csv").toStdString(), textOf(writeNvidiaSmiCsv, run));
    QCOMPARE(bytesOf(folder + "sample_truth.json").toStdString(), textOf(writeTruth, run));
    QCOMPARE(inflated(folder + "sample_trace.json.gz"), textOf(writeKinetoJson, run));
    QVERIFY(QFileInfo(folder + "sample_trace.json.gz").size() <= 200 * 1024);
    QVERIFY(QFileInfo(folder + "sample_power.csv").size() <= 60 * 1024);
}

QTEST_APPLESS_MAIN(SimulatorTest)
#include "tst_simulator.moc"
