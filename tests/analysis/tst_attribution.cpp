#include "analysis/energy/attribution.h"
#include "analysis/energy/class_model.h"
#include "analysis/energy/concurrency.h"
#include "analysis/energy/device_energy.h"
#include "analysis/energy/floors.h"
#include "analysis/energy/nnls.h"
#include "analysis/energy/rates.h"
#include "analysis/stats/random.h"
#include "analysis/timeline/gpu_timeline.h"
#include "analysis/timeline/idle_cause.h"

#include <cmath>
#include <numeric>

#include <QTest>

using namespace wattproof;
using namespace wattproof::analysis;

class TestAttribution : public QObject {
    Q_OBJECT
private slots:
    void concurrencySharesSumToTheUnion();
    void twoAtOnceShareHalf();
    void piecewiseRateIntegrates();
    void nnlsMatchesTheUnconstrainedWhenPositive();
    void nnlsKeepsCoefficientsAtZero();
    void conditionNumberOfTwins();
    void regressionRecoversKnownWatts();
    void twinsAreMerged();
    void noiseMakesAllAbstain();
    void overlappingWindowsCountOnce();
    void floorsBeforeAndInPauses();
    void floorFromTheInterceptWithoutPauses();
    void longKernelsAreMeasuredDirectly();
    void averagedReadingsGiveClassWatts();
    void partsAddUpOnRandomInput();
    void scenarioOverridesTheFloor();
    void unalignedLogAttributesNothing();
    void withoutPowerThereAreReasons();
    void gapsAreMissingNotZero();
};

namespace {

constexpr Ns kMs = 1'000'000;

CounterRow powerChannel(Ns window = 0) {
    CounterRow channel;
    channel.id = CounterId(1);
    channel.device = DeviceId(1);
    channel.source = SourceId(2);
    channel.name = "power.draw";
    channel.domain = "board";
    channel.quantity = "power";
    channel.unit = "W";
    channel.sensor.window = window;
    return channel;
}

struct Op {
    Ns begin = 0, end = 0;
    std::int32_t opClass = 0;
};

// True power: floor + the watts of each class that runs.
struct Machine {
    double floor = 60;
    std::vector<double> watts{200, 120, 40};
    std::vector<Op> ops;

    double at(Ns t) const {
        double sum = floor;
        for (std::size_t c = 0; c < watts.size(); ++c)
            if (std::any_of(ops.begin(), ops.end(), [&](const Op &op) {
                    return op.opClass == static_cast<std::int32_t>(c) && op.begin <= t && t < op.end;
                }))
                sum += watts[c];
        return sum;
    }
};

void fill(Context &context, const std::vector<Op> &ops, TimeRange traced) {
    context.kernels.classes = {{"gemm", "bf16"}, {"communication", ""}, {"copy", ""}};
    std::int64_t id = 1;
    for (const Op &op : ops) {
        store::KernelInterval kernel;
        kernel.slice = SliceId(id++);
        kernel.range = {op.begin, op.end};
        kernel.device = DeviceId(1);
        kernel.classIndex = op.opClass;
        kernel.activity = op.opClass == 2 ? GpuActivity::Memcpy : GpuActivity::Kernel;
        kernel.copyKind = op.opClass == 2 ? CopyKind::HostToDevice : CopyKind::None;
        context.kernels.kernels.push_back(kernel);
    }
    DeviceRow device;
    device.id = DeviceId(1);
    device.name = "GPU 0";
    context.devices = {device};
    context.activity = deviceActivities(context);
    for (auto &[key, activity] : context.activity) {
        activity.traced = traced;
        findGaps(activity, HostTimeline());
    }
}

void setPower(Context &context, const CounterRow &channel, const std::vector<Sample> &samples) {
    PowerSeries series(channel, samples);
    context.powerExtent = series.extent();
    context.centredPower.emplace(DeviceId(1), centred(series));
    context.power.emplace(DeviceId(1), std::move(series));
}

// Readings of a sensor that averages `window`, from exact integrals of the machine.
std::vector<Sample> averaged(const Machine &machine, Ns from, Ns to, Ns period, Ns window) {
    constexpr Ns kStep = kMs / 2;
    std::vector<double> integral{0};
    for (Ns t = from - window; t < to; t += kStep)
        integral.push_back(integral.back() + machine.at(t) * static_cast<double>(kStep));
    std::vector<Sample> samples;
    for (Ns t = from; t <= to; t += period) {
        const auto end = static_cast<std::size_t>((t - from + window) / kStep);
        const auto begin = static_cast<std::size_t>((t - from) / kStep);
        samples.push_back({t, (integral[end] - integral[begin]) / static_cast<double>(window)});
    }
    return samples;
}

// Alternating phases of short operations, so that windows differ in their mixture.
std::vector<Op> mixture(Random &random, Ns until) {
    std::vector<Op> ops;
    Ns t = 0;
    while (t < until) {
        const auto phase = static_cast<std::int32_t>(random.below(3));
        const Ns end = t + static_cast<Ns>(150 + random.below(400)) * kMs;
        for (; t < end; t += 10 * kMs)
            ops.push_back({t, t + static_cast<Ns>(4 + random.below(6)) * kMs, phase});
    }
    return ops;
}

double parts(const DeviceEnergy &device) {
    return device.kernelsJ + device.copiesJ + device.idleJ + device.outsideTraceJ + device.unexplainedJ;
}

}  // namespace

void TestAttribution::concurrencySharesSumToTheUnion() {
    Random random(1);
    for (int round = 0; round < 200; ++round) {
        std::vector<TimeRange> ops;
        for (int i = 0; i < 20; ++i) {
            const auto begin = static_cast<Ns>(random.below(1000));
            ops.push_back({begin, begin + static_cast<Ns>(random.below(100))});
        }
        std::sort(ops.begin(), ops.end(),
                  [](const TimeRange &a, const TimeRange &b) { return a.begin < b.begin; });
        const auto shares = sharedByConcurrency(ops, [](Ns t) { return static_cast<double>(t); });
        const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
        QVERIFY(std::abs(sum - static_cast<double>(length(unionOf(ops)))) < 1e-6);
        QVERIFY(std::all_of(shares.begin(), shares.end(), [](double s) { return s > -1e-9; }));
    }
}

void TestAttribution::twoAtOnceShareHalf() {
    const auto shares = sharedByConcurrency({{0, 10}, {5, 15}}, [](Ns t) { return 2.0 * static_cast<double>(t); });
    QCOMPARE(shares[0], 15.0);
    QCOMPARE(shares[1], 15.0);
}

void TestAttribution::piecewiseRateIntegrates() {
    const PiecewiseRate rate({{{0, 1'000'000'000}, 5}, {{2'000'000'000, 4'000'000'000}, 10}});
    QCOMPARE(rate.total(), 25.0);
    QCOMPARE(rate.over(TimeRange{500'000'000, 3'000'000'000}), 12.5);
    QCOMPARE(rate.over(TimeRange{1'000'000'000, 2'000'000'000}), 0.0);
    QCOMPARE(PiecewiseRate().upTo(5), 0.0);
}

void TestAttribution::nnlsMatchesTheUnconstrainedWhenPositive() {
    Eigen::MatrixXd a(4, 2);
    a << 1, 0, 0, 1, 1, 1, 2, 1;
    const Eigen::VectorXd truth = (Eigen::VectorXd(2) << 3, 4).finished();
    const Eigen::VectorXd x = solveNonNegative(a.transpose() * a, a.transpose() * (a * truth));
    QVERIFY((x - truth).norm() < 1e-9);
}

void TestAttribution::nnlsKeepsCoefficientsAtZero() {
    Random random(4);
    for (int round = 0; round < 200; ++round) {
        Eigen::MatrixXd a(12, 4);
        Eigen::VectorXd y(12);
        for (Eigen::Index i = 0; i < 12; ++i) {
            y(i) = random.uniform() - 0.5;
            for (Eigen::Index j = 0; j < 4; ++j)
                a(i, j) = random.uniform();
        }
        const Eigen::MatrixXd gram = a.transpose() * a;
        const Eigen::VectorXd moment = a.transpose() * y;
        const Eigen::VectorXd x = solveNonNegative(gram, moment);
        const Eigen::VectorXd gradient = moment - gram * x;
        for (Eigen::Index j = 0; j < 4; ++j) {
            QVERIFY(x(j) >= 0);
            QVERIFY(x(j) > 0 ? std::abs(gradient(j)) < 1e-6 : gradient(j) < 1e-6);  // Karush-Kuhn-Tucker
        }
    }
}

void TestAttribution::conditionNumberOfTwins() {
    Eigen::MatrixXd twins(2, 2);
    twins << 1, 1, 1, 1;
    QVERIFY(std::isinf(conditionNumber(twins)));
    QCOMPARE(conditionNumber(Eigen::MatrixXd::Identity(3, 3)), 1.0);
}

void TestAttribution::regressionRecoversKnownWatts() {
    Random random(2);
    const std::vector<double> watts{220, 90, 30};
    std::vector<ClassColumn> columns{{"a", {}}, {"b", {}}, {"c", {}}};
    std::vector<PowerWindow> windows;
    for (Ns i = 0; i < 400; ++i) {
        const Ns begin = i * 100;
        double expected = 50 + random.uniform() - 0.5;
        Ns at = begin;
        for (std::size_t c = 0; c < 3; ++c) {
            const auto part = static_cast<Ns>(random.below(33));
            columns[c].busy.push_back({at, at + part});
            at += part;
            expected += watts[c] * static_cast<double>(part) / 100;
        }
        windows.push_back({{begin, begin + 100}, expected});
    }
    for (ClassColumn &column : columns)
        column.busy = unionOf(std::move(column.busy));
    const ClassModel model = fitClasses(windows, columns, 50);
    QVERIFY(model.identified());
    QVERIFY(model.conditionNumber >= 1 && model.conditionNumber < 10);
    for (std::size_t c = 0; c < 3; ++c) {
        QCOMPARE(model.fits[c].status, std::string("ok"));
        QVERIFY(std::abs(model.fits[c].watts - watts[c]) < 0.02 * watts[c]);
        QVERIFY(model.fits[c].ci95.low <= watts[c] && watts[c] <= model.fits[c].ci95.high);
    }
}

void TestAttribution::twinsAreMerged() {
    Random random(3);
    std::vector<ClassColumn> columns{{"a", {}}, {"b", {}}, {"c", {}}};
    std::vector<PowerWindow> windows;
    for (Ns i = 0; i < 200; ++i) {
        const Ns begin = i * 100;
        const auto part = static_cast<Ns>(5 + random.below(40));  // a and b always run one after the other
        columns[0].busy.push_back({begin, begin + part});
        columns[1].busy.push_back({begin + part, begin + 2 * part});
        const auto alone = static_cast<Ns>(random.below(10));
        columns[2].busy.push_back({begin + 90, begin + 90 + alone});
        const double watts = 100.0 * static_cast<double>(part) + 50.0 * static_cast<double>(part) +
                             80.0 * static_cast<double>(alone);
        windows.push_back({{begin, begin + 100}, watts / 100 + 0.4 * (random.uniform() - 0.5)});
    }
    for (ClassColumn &column : columns)
        column.busy = unionOf(std::move(column.busy));
    const ClassModel model = fitClasses(windows, columns, 0);
    QCOMPARE(model.fits[0].status, std::string("merged"));
    QCOMPARE(model.fits[1].status, std::string("merged"));
    QCOMPARE(model.fits[0].with, std::vector<std::string>{"b"});
    QVERIFY(std::abs(model.fits[0].watts - 75) < 3);
    QCOMPARE(model.fits[2].status, std::string("ok"));
}

void TestAttribution::noiseMakesAllAbstain() {
    Random random(6);
    std::vector<ClassColumn> columns{{"a", {}}, {"b", {}}};
    std::vector<PowerWindow> windows;
    for (Ns i = 0; i < 40; ++i) {
        columns[0].busy.push_back({i * 100, i * 100 + static_cast<Ns>(random.below(50))});
        columns[1].busy.push_back({i * 100 + 50, i * 100 + 50 + static_cast<Ns>(random.below(50))});
        windows.push_back({{i * 100, i * 100 + 100}, 400 * random.uniform()});
    }
    const ClassModel model = fitClasses(windows, columns, 190);
    QVERIFY(!model.identified());
    QVERIFY(!fitClasses({}, columns, 0).identified());
}

void TestAttribution::overlappingWindowsCountOnce() {
    std::vector<PowerWindow> windows;
    std::vector<ClassColumn> columns{{"a", {{0, 3000}}}};
    for (Ns end = 1000; end <= 3000; end += 100)
        windows.push_back({{end - 1000, end}, 300});
    QCOMPARE(independentWindows(windows), std::size_t(3));
    QVERIFY(!fitClasses(windows, columns, 50).identified());  // 21 readings, but three observations
}

void TestAttribution::floorsBeforeAndInPauses() {
    std::vector<PowerWindow> windows;
    for (Ns t = 0; t < 40; ++t)
        windows.push_back({{t * 100 * kMs, (t + 1) * 100 * kMs}, t < 10 ? 20.0 : t % 2 == 0 ? 300.0 : 70.0});
    IntervalSet busy;
    for (Ns t = 10; t < 40; t += 2)
        busy.push_back({t * 100 * kMs, (t + 1) * 100 * kMs});
    const IdleFloor floor = estimateFloors({windows, {{"gemm", busy}}, {1000 * kMs, 4000 * kMs}});
    QCOMPARE(*floor.deep, 20.0);
    QCOMPARE(*floor.active, 70.0);
    QCOMPARE(staticWatts(floor), 70.0);
}

void TestAttribution::floorFromTheInterceptWithoutPauses() {
    Random random(8);
    std::vector<PowerWindow> windows;
    IntervalSet busy;
    for (Ns t = 0; t < 50; ++t) {
        const auto part = static_cast<Ns>(20 + random.below(70));
        busy.push_back({t * 100, t * 100 + part});
        windows.push_back({{t * 100, t * 100 + 100}, 65 + 200 * static_cast<double>(part) / 100});
    }
    const IdleFloor floor = estimateFloors({windows, {{"gemm", busy}}, {0, 5000}});
    QVERIFY(floor.active && std::abs(*floor.active - 65) < 0.5);
    QVERIFY(!floor.deep);
    QVERIFY(!estimateFloors({{}, {}, {0, 1}}).active);
}

void TestAttribution::longKernelsAreMeasuredDirectly() {
    Machine machine;
    machine.ops = {{0, 1000 * kMs, 0}, {1500 * kMs, 2500 * kMs, 1}};
    Context context;
    fill(context, machine.ops, {0, 3000 * kMs});
    std::vector<Sample> samples;
    for (Ns t = -500; t <= 3500; t += 10)
        samples.push_back({t * kMs, machine.at(t * kMs)});
    setPower(context, powerChannel(), samples);
    computeEnergy(context);
    QCOMPARE(context.result.energy.byClass[0].method, std::string("direct"));
    QVERIFY(std::abs(context.operationJ[DeviceId(1)][0] - 260) < 2);
    QVERIFY(std::abs(context.operationJ[DeviceId(1)][1] - 180) < 2);
    const DeviceEnergy &device = context.result.energy.devices[0];
    QVERIFY(std::abs(parts(device) - device.integralJ) < 1e-9 * device.integralJ);
    QVERIFY(std::abs(device.unexplainedJ) < 1e-6 * device.integralJ);
}

void TestAttribution::averagedReadingsGiveClassWatts() {
    Random random(12);
    Machine machine;
    machine.ops = mixture(random, 60'000 * kMs);
    Context context;
    fill(context, machine.ops, {0, 60'000 * kMs});
    setPower(context, powerChannel(100 * kMs), averaged(machine, -2000 * kMs, 62'000 * kMs, 100 * kMs, 100 * kMs));
    computeEnergy(context);
    QCOMPARE(context.result.energy.byClass.size(), std::size_t(3));
    for (const ClassEnergy &item : context.result.energy.byClass) {
        QCOMPARE(item.method, std::string("nnls"));
        const double truth = item.opClass == "gemm/bf16" ? 200 : item.opClass == "communication" ? 120 : 40;
        QVERIFY2(
            item.watts && std::abs(*item.watts - truth) < 0.15 * truth + 4,
            qPrintable(QString::fromStdString(item.opClass) + " " + QString::number(item.watts.value_or(-1))));
    }
    const DeviceEnergy &device = context.result.energy.devices[0];
    QVERIFY2(std::abs(device.unexplainedJ) < 0.02 * device.integralJ,
             qPrintable(QString::number(device.unexplainedJ)));
    QVERIFY(std::abs(parts(device) - device.integralJ) < 1e-3 * device.integralJ);
}

void TestAttribution::partsAddUpOnRandomInput() {
    Random random(21);
    for (int round = 0; round < 40; ++round) {
        Context context;
        std::vector<Op> ops;
        for (int i = 0; i < 60; ++i) {
            const auto begin = static_cast<Ns>(random.below(3'000'000'000));
            ops.push_back({begin, begin + static_cast<Ns>(random.below(80'000'000)),
                           static_cast<std::int32_t>(random.below(3))});
        }
        std::sort(ops.begin(), ops.end(), [](const Op &a, const Op &b) { return a.begin < b.begin; });
        const Ns lag = static_cast<Ns>(random.below(2)) * 500 * kMs;
        fill(context, ops, {-100 * kMs, 3'200 * kMs});
        std::vector<Sample> samples;
        for (Ns t = -1'000 * kMs + lag; t < 4'000 * kMs; t += static_cast<Ns>(20 + random.below(90)) * kMs)
            if (t < 1'000 * kMs || t > 1'900 * kMs || round % 2 == 0)  // odd rounds have a gap
                samples.push_back({t, 50 + 300 * random.uniform()});
        setPower(context, powerChannel(round % 3 == 0 ? 1000 * kMs : 0), samples);
        computeEnergy(context);
        const DeviceEnergy &device = context.result.energy.devices[0];
        const double sum = device.kernelsJ + device.copiesJ + device.idleJ + device.outsideTraceJ;
        const bool modelled = context.result.energy.byClass[0].method == "nnls";
        QVERIFY(std::abs(parts(device) - device.integralJ) < 1e-6 * device.integralJ);
        QVERIFY2(modelled || std::abs(sum - device.integralJ) < 1e-6 * device.integralJ,
                 qPrintable(QString::number(round)));
        double rows = 0;
        for (const store::EnergyRow &row : context.energyRows)
            rows += row.j;
        QVERIFY(std::abs(rows - sum) < 1e-6 * device.integralJ);
        QVERIFY(round % 2 == 0 || device.missingS > 0.5);
    }
}

void TestAttribution::scenarioOverridesTheFloor() {
    Machine machine;
    machine.ops = {{0, 1000 * kMs, 0}};
    Context context;
    context.scenario.idleFloorW["GPU 0"] = 33;
    fill(context, machine.ops, {0, 1000 * kMs});
    setPower(context, powerChannel(), {{0, 100}, {500 * kMs, 100}, {1000 * kMs, 100}});
    computeEnergy(context);
    QCOMPARE(*context.result.energy.idleFloorW["GPU 0"].active, 33.0);
    QCOMPARE(context.result.energy.idleFloorW["GPU 0"].source, std::string("scenario"));
}

void TestAttribution::unalignedLogAttributesNothing() {
    Context context;
    fill(context, {{0, 1000 * kMs, 0}}, {0, 1000 * kMs});
    SourceRow trace;
    trace.id = SourceId(1);
    SourceRow log;
    log.id = SourceId(2);
    log.kind = SourceKind::Power;
    log.clock = ClockBasis::WallAssumedZone;
    context.sources = {trace, log};
    context.traceSources[DeviceId(1)] = {SourceId(1)};
    setPower(context, powerChannel(), {{0, 100}, {500 * kMs, 100}, {1000 * kMs, 100}});
    computeEnergy(context);
    const DeviceEnergy &device = context.result.energy.devices[0];
    QCOMPARE(device.insideTraceJ, 0.0);
    QCOMPARE(device.outsideTraceJ, 100.0);
    QCOMPARE(context.result.energy.byPath[0].path, std::string("unaligned"));
    store::Alignment alignment;
    alignment.source = SourceId(2);
    alignment.method = "correlation";
    context.alignments = {alignment};
    QVERIFY(shareClock(context, SourceId(1), SourceId(2)));
}

void TestAttribution::withoutPowerThereAreReasons() {
    Context context;
    fill(context, {{0, 10, 0}}, {0, 10});
    computeEnergy(context);
    QVERIFY(!context.result.energy.totalJ);
    QVERIFY(context.result.reasons.contains("energy.total_j"));
}

void TestAttribution::gapsAreMissingNotZero() {
    Context context;
    fill(context, {{0, 10'000 * kMs, 0}}, {0, 10'000 * kMs});
    std::vector<Sample> samples;
    for (Ns t = 0; t <= 10'000; t += 100)
        if (t <= 2000 || t >= 6000)
            samples.push_back({t * kMs, 100});
    setPower(context, powerChannel(), samples);
    computeEnergy(context);
    const DeviceEnergy &device = context.result.energy.devices[0];
    QCOMPARE(device.missingS, 4.0);
    QVERIFY(std::abs(device.kernelsJ - 600) < 1e-6);
    const auto missing = std::find_if(context.energyRows.begin(), context.energyRows.end(),
                                      [](const store::EnergyRow &row) { return row.path == "missing"; });
    QVERIFY(missing != context.energyRows.end() && missing->dur == 4000 * kMs);
}

QTEST_APPLESS_MAIN(TestAttribution)
#include "tst_attribution.moc"
