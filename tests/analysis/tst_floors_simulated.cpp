// The active idle floor against the truth of the simulator, over its presets, sensors and seeds.
#include "analysis/energy/floors.h"
#include "analysis/energy/idle_by_log.h"
#include "tests/simulator/simulator.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <QTest>

using namespace wattproof;
using namespace wattproof::analysis;

namespace {

// How much a log says: all; nothing of when the device is idle; nothing of the time before and after the run.
enum class LogKind { Whole, WithoutFlags, OnlyTheRun };

FloorEvidence evidenceOf(const simulator::Simulation &run, LogKind kind) {
    CounterRow channel;
    channel.unit = "W";
    channel.sensor.window = run.config.sensor.window;
    channel.sensor.period = run.config.sensor.updatePeriod;
    std::vector<Sample> watts;
    DeviceReadings readings;
    readings.flags.push_back({"nvml", {}, run.config.sensor.pollPeriod});
    const TimeRange kept = kind == LogKind::OnlyTheRun ? run.truth.run : run.truth.log;
    for (const simulator::PowerSample &sample : run.power.samples) {
        if (!kept.contains(sample.ts))
            continue;
        if (sample.watts)
            watts.push_back({sample.ts, *sample.watts});
        readings.clockHz.push_back({sample.ts, sample.clockMHz * 1e6});
        readings.flags[0].samples.push_back({sample.ts, static_cast<double>(sample.reasons)});
    }
    FloorEvidence evidence{sensorWindows(PowerSeries(channel, std::move(watts))), {}, run.trace.window};
    std::map<std::string, std::vector<TimeRange>> classes;
    for (const simulator::DeviceOperation &operation : run.trace.operations)
        if (operation.recorded)
            classes[operation.path].push_back(operation.range);
    for (auto &[path, ranges] : classes)
        evidence.classes.push_back({path, unionOf(std::move(ranges))});
    if (kind == LogKind::Whole)
        evidence.idleByLog = idleByLog(readings);
    evidence.clockHz = readings.clockHz;
    evidence.quantumW = run.config.sensor.quantumW;
    return evidence;
}

struct Score {
    int runs = 0, covered = 0;
    double widestHalf = 0, worstError = 0;  // watts, of runs with an answer

    void add(const IdleFloor &floor, double truth) {
        ++runs;
        const bool holds = floor.activeCi95 && floor.activeCi95->low <= truth && truth <= floor.activeCi95->high;
        covered += holds ? 1 : 0;
        if (!floor.active || !floor.activeCi95)
            return;
        widestHalf = std::max(widestHalf, (floor.activeCi95->high - floor.activeCi95->low) / 2);
        worstError = std::max(worstError, std::abs(*floor.active - truth));
    }
    [[nodiscard]] double coverage() const { return static_cast<double>(covered) / runs; }
};

constexpr int kSeeds = 6;

// Every preset with three sensors, each log whole, without the device's word on idleness, and cut to the run.
std::map<std::string, Score> scores() {
    std::map<std::string, Score> out;
    std::uint64_t draws = 0;
    for (const std::string &name : simulator::presetNames()) {
        for (int seed = 1; seed <= kSeeds; ++seed) {
            for (const Ns period : {20'000'000, 50'000'000, 100'000'000}) {
                simulator::SimulationConfig config = *simulator::preset(name);
                config.workload.iterations = 120;
                config.seed = 1000 + draws++;
                config.sensor.pollPeriod = config.sensor.updatePeriod = config.sensor.window = period;
                config.sensor.noiseW = 0.6 * (seed % 5);
                const auto run = simulator::simulate(config);
                for (const LogKind kind : {LogKind::Whole, LogKind::WithoutFlags, LogKind::OnlyTheRun}) {
                    const IdleFloor floor = estimateFloors(evidenceOf(run, kind));
                    out[floor.method].add(floor, run.truth.activeIdleW);
                }
            }
        }
    }
    return out;
}

}  // namespace

class TestFloorsSimulated : public QObject {
    Q_OBJECT
private slots:
    void intervalsCoverTheTruth();
    void theSampleIsNotExtrapolated();
    void hiddenWorkIsNoFloor();
    void workOutsideTheTraceIsNoDeepFloor();
};

void TestFloorsSimulated::intervalsCoverTheTruth() {
    const auto found = scores();
    for (const auto &[method, score] : found)
        qInfo("%s: %d of %d covered, widest half-width %.1f W, worst error %.1f W", method.c_str(), score.covered,
              score.runs, score.widestHalf, score.worstError);
    QCOMPARE(found.size(), std::size_t{4});
    int runs = 0, covered = 0;
    for (const auto &[method, score] : found) {
        // 95 % stated; what a hundred or so runs can tell of it.
        QVERIFY2(score.coverage() >= 0.90, method.c_str());
        QVERIFY2(score.widestHalf <= 0.15 * (115 + score.worstError), method.c_str());
        QVERIFY2(score.worstError <= 0.2 * 115, method.c_str());
        runs += score.runs;
        covered += score.covered;
    }
    QVERIFY(runs >= 300 && covered >= 0.94 * runs);
}

// A run that is busy for 94 % and mixes classes: a line through its windows once gave 251 W.
void TestFloorsSimulated::theSampleIsNotExtrapolated() {
    const auto run = simulator::simulate(*simulator::preset("sample"));
    const double truth = run.truth.activeIdleW;
    const IdleFloor whole = estimateFloors(evidenceOf(run, LogKind::Whole));
    QCOMPARE(whole.method, std::string("beside"));
    QVERIFY(std::abs(*whole.active - truth) < 3);
    const IdleFloor cut = estimateFloors(evidenceOf(run, LogKind::OnlyTheRun));
    QVERIFY(cut.activeCi95 && cut.activeCi95->low <= truth && truth <= cut.activeCi95->high);
    QVERIFY(!cut.source.empty());
}

void TestFloorsSimulated::hiddenWorkIsNoFloor() {
    const auto run = simulator::simulate(*simulator::preset("trace_incomplete"));
    const IdleFloor whole = estimateFloors(evidenceOf(run, LogKind::Whole));
    QCOMPARE(whole.method, std::string("beside"));
    QVERIFY(std::abs(*whole.active - run.truth.activeIdleW) < 3);
    QCOMPARE(estimateFloors(evidenceOf(run, LogKind::OnlyTheRun)).method, std::string("unknown"));
}

// The trace is an excerpt: before and after it the device goes on working.
void TestFloorsSimulated::workOutsideTheTraceIsNoDeepFloor() {
    const auto run = simulator::simulate(*simulator::preset("low_load"));
    FloorEvidence evidence = evidenceOf(run, LogKind::Whole);
    for (PowerWindow &window : evidence.windows)
        if (window.range.end <= evidence.traced.begin || window.range.begin >= evidence.traced.end)
            window.watts = 480;
    evidence.idleByLog.clear();
    const IdleFloor floor = estimateFloors(evidence);
    QVERIFY(!floor.deep);
    QVERIFY(floor.active && std::abs(*floor.active - run.truth.activeIdleW) < 0.05 * run.truth.activeIdleW);
}

QTEST_APPLESS_MAIN(TestFloorsSimulated)
#include "tst_floors_simulated.moc"
