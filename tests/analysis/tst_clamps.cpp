#include "analysis/context_builder.h"
#include "analysis/stats/random.h"
#include "analysis/thermal/clamps.h"

#include <cmath>

#include <QTest>

using namespace wattproof;
using namespace wattproof::analysis;

class TestClamps : public QObject {
    Q_OBJECT
private slots:
    void everyTableIsRead_data();
    void everyTableIsRead();
    void unknownTableIsEmpty();
    void spansRunFromSampleToSample();
    void gapsEndASpan();
    void masksBecomeClasses();
    void idleAndSettingsAreNoClamps();
    void parentBitGivesWay();
    void lostClockAgainstTheBusyReference();
    void inferredWhenHotAndSlow();
    void notInferredWhenCool();
    void cappedPowerIsNotHeat();
    void totalsPerHour();
    void nothingToSeeHasReasons();
    void slowUnitsUnderClampsAreAssociated();
    void independentClampsAreNot();
    void fewEpisodesHaveNoPValue();
    void devicesJoin();
    void channelsAreChosen();
    void childrenAndWholesAreNotAddedTwice();
};

namespace {

constexpr Ns kS = 1'000'000'000;

DeviceReadings flagged(const std::vector<std::uint64_t> &masks) {
    DeviceReadings readings;
    readings.flags.push_back({"nvml", {}, kS});
    for (std::size_t i = 0; i < masks.size(); ++i)
        readings.flags[0].samples.push_back({static_cast<Ns>(i) * kS, static_cast<double>(masks[i])});
    return readings;
}

DeviceActivity alwaysBusy(Ns until) {
    DeviceActivity activity;
    activity.busy = activity.compute = {{-kS, until + kS}};
    activity.span = {-kS, until + kS};
    return activity;
}

Context withClamps(const std::vector<TimeRange> &spans, std::size_t units, Random &random, bool slower) {
    Context context;
    for (const TimeRange &span : spans)
        context.clamps.push_back({DeviceId(1), span, "thermal", "hw_thermal_slowdown", {}, false});
    Ns at = 0;
    for (std::size_t i = 0; i < units; ++i) {
        bool clamped = false;
        for (const TimeRange &span : spans)
            clamped = clamped || span.contains(at);
        const Ns extra = slower && clamped ? 200'000'000 : 0;
        const Ns dur = 100'000'000 + static_cast<Ns>(random.below(10'000'000)) + extra;
        context.units.push_back({{at, at + dur}, 1, true, {}});
        at += dur;
    }
    return context;
}

CounterRow channel(std::int64_t id, std::int64_t device, const char *domain, const char *name, CounterKind kind,
                   std::int64_t parent = 0) {
    CounterRow row;
    row.id = CounterId(id);
    row.device = DeviceId(device);
    row.domain = domain;
    row.name = name;
    row.kind = kind;
    row.quantity = kind == CounterKind::Counter ? "energy" : "power";
    row.parent = CounterId(parent);
    row.sampleCount = 10;
    row.maxValue = 5;
    return row;
}

DeviceRow device(std::int64_t id, DeviceKind kind, const char *name = "") {
    DeviceRow row;
    row.id = DeviceId(id);
    row.kind = kind;
    row.name = name;
    return row;
}

}  // namespace

void TestClamps::everyTableIsRead_data() {
    QTest::addColumn<QString>("table");
    QTest::addColumn<int>("least");
    QTest::newRow("nvml") << "nvml" << 9;
    QTest::newRow("amdsmi") << "amdsmi" << 30;
    QTest::newRow("zes") << "zes" << 10;
    QTest::newRow("gpuz") << "gpuz" << 6;
}

void TestClamps::everyTableIsRead() {
    QFETCH(QString, table);
    QFETCH(int, least);
    const auto reasons = throttleReasons(table.toStdString());
    QVERIFY2(reasons, reasons ? "" : reasons.error().sentence().c_str());
    QVERIFY(static_cast<int>(reasons->size()) >= least);
    for (const ThrottleReason &reason : *reasons)
        QVERIFY((QStringList{"thermal", "power", "current", "other", "none"}.contains(
            QString::fromStdString(reason.clampClass))));
}

void TestClamps::unknownTableIsEmpty() {
    const auto reasons = throttleReasons("no such table");
    QVERIFY(reasons && reasons->empty());
}

void TestClamps::spansRunFromSampleToSample() {
    const ThrottleReason thermal{6, "hw_thermal_slowdown", "thermal", {}};
    const auto spans = spansOfBit(flagged({0, 0x40, 0x40, 0, 0x44}).flags[0].samples, thermal, kS);
    QCOMPARE(spans.size(), std::size_t(2));
    QVERIFY((spans[0] == TimeRange{kS, 3 * kS}));
    QVERIFY((spans[1] == TimeRange{4 * kS, 5 * kS}));
}

void TestClamps::gapsEndASpan() {
    const std::vector<Sample> masks{{0, 64}, {kS, 64}, {20 * kS, 64}, {21 * kS, 0}};
    const auto spans = spansOfBit(masks, {6, "t", "thermal", {}}, kS);
    QCOMPARE(spans.size(), std::size_t(2));
    QVERIFY((spans[0] == TimeRange{0, 2 * kS}));
    QCOMPARE(length(observed(masks, kS)), 4 * kS);
}

void TestClamps::masksBecomeClasses() {
    const auto clamps = clampsOf(flagged({0x4, 0x20, 0x80, 0x10}), nullptr, nullptr);
    QVERIFY(clamps);
    QCOMPARE(clamps->size(), std::size_t(4));
    QCOMPARE((*clamps)[0].clampClass, std::string("power"));
    QCOMPARE((*clamps)[1].reason, std::string("sw_thermal_slowdown"));
    QCOMPARE((*clamps)[2].clampClass, std::string("power"));
    QCOMPARE((*clamps)[3].clampClass, std::string("other"));
}

void TestClamps::idleAndSettingsAreNoClamps() {
    const auto clamps = clampsOf(flagged({0x1, 0x2, 0x100, 0x0}), nullptr, nullptr);
    QVERIFY(clamps && clamps->empty());
}

void TestClamps::parentBitGivesWay() {
    const auto both = clampsOf(flagged({0x48, 0}), nullptr, nullptr);
    QCOMPARE(both->size(), std::size_t(1));
    QCOMPARE((*both)[0].clampClass, std::string("thermal"));
    const auto alone = clampsOf(flagged({0x8, 0}), nullptr, nullptr);
    QCOMPARE((*alone)[0].clampClass, std::string("other"));
}

void TestClamps::lostClockAgainstTheBusyReference() {
    std::vector<std::uint64_t> masks(40, 0);
    DeviceReadings readings = flagged(masks);
    for (Ns i = 0; i < 40; ++i) {
        const bool clamped = i >= 20 && i < 30;
        readings.flags[0].samples[static_cast<std::size_t>(i)].value = clamped ? 64 : 0;
        readings.clockHz.push_back({i * kS, clamped ? 1.2e9 : 1.6e9});
    }
    readings.clockPeriod = kS;
    const DeviceActivity activity = alwaysBusy(40 * kS);
    const auto clamps = clampsOf(readings, &activity, nullptr);
    QCOMPARE(clamps->size(), std::size_t(1));
    QVERIFY(std::abs(*(*clamps)[0].lostClock - 0.25) < 1e-9);
}

void TestClamps::inferredWhenHotAndSlow() {
    DeviceReadings readings;
    for (Ns i = 0; i < 60; ++i) {
        const bool clamped = i >= 40 && i < 50;
        readings.clockHz.push_back({i * kS, clamped ? 1.3e9 : 1.6e9});
        readings.temperatureC.push_back({i * kS, i < 35 ? 60.0 : 85.0});
    }
    readings.clockPeriod = kS;
    const DeviceActivity activity = alwaysBusy(60 * kS);
    const auto clamps = clampsOf(readings, &activity, nullptr);
    QCOMPARE(clamps->size(), std::size_t(1));
    QVERIFY((*clamps)[0].inferred && (*clamps)[0].clampClass == "thermal");
    QVERIFY(((*clamps)[0].range == TimeRange{40 * kS, 50 * kS}));
    QVERIFY((*clamps)[0].reason.find("inferred") == 0);
    QVERIFY(clampsOf(readings, nullptr, nullptr)->empty());  // nothing says it was busy
}

void TestClamps::notInferredWhenCool() {
    DeviceReadings readings;
    for (Ns i = 0; i < 60; ++i) {
        readings.clockHz.push_back({i * kS, i >= 40 ? 1.3e9 : 1.6e9});
        readings.temperatureC.push_back({i * kS, 55});
    }
    readings.clockPeriod = kS;
    const DeviceActivity activity = alwaysBusy(60 * kS);
    QVERIFY(clampsOf(readings, &activity, nullptr)->empty());
}

void TestClamps::cappedPowerIsNotHeat() {
    DeviceReadings readings;
    std::vector<Sample> watts;
    for (Ns i = 0; i < 60; ++i) {
        readings.clockHz.push_back({i * kS, i >= 40 ? 1.3e9 : 1.6e9});
        readings.temperatureC.push_back({i * kS, 80});
        readings.limitW.push_back({i * kS, 300});
        watts.push_back({i * kS, i >= 40 ? 299.0 : 250.0});
    }
    readings.clockPeriod = kS;
    const DeviceActivity activity = alwaysBusy(60 * kS);
    const PowerSeries power(channel(1, 1, "board", "power.draw", CounterKind::Gauge), watts);
    const auto clamps = clampsOf(readings, &activity, &power);
    QCOMPARE(clamps->size(), std::size_t(1));
    QCOMPARE((*clamps)[0].clampClass, std::string("power"));
}

void TestClamps::totalsPerHour() {
    Context context;
    context.devices = {device(1, DeviceKind::Gpu, "GPU 0")};
    context.readings[DeviceId(1)] = flagged({0, 64, 0, 64, 64, 0, 4, 4, 0, 0});
    QVERIFY(findClamps(context));
    const ThermalResult &thermal = context.result.thermal;
    QCOMPARE(thermal.clampEvents, std::int64_t(2));
    QCOMPARE(thermal.clampS, 3.0);
    QCOMPARE(thermal.powerCappedS, 2.0);
    QCOMPARE(*thermal.timeShare, 0.3);
    QVERIFY(std::abs(*thermal.clampsPerHour - 720) < 1e-9);
    QCOMPARE(thermal.devices[0].spans.size(), std::size_t(2));
    QVERIFY(!thermal.lostClock && context.result.reasons.contains("thermal.lost_clock"));
}

void TestClamps::nothingToSeeHasReasons() {
    Context context;
    QVERIFY(findClamps(context));
    QVERIFY(!context.result.thermal.timeShare);
    QVERIFY(context.result.reasons.contains("thermal.time_share"));
}

void TestClamps::slowUnitsUnderClampsAreAssociated() {
    Random random(1);
    std::vector<TimeRange> spans;
    for (Ns i = 0; i < 8; ++i)
        spans.push_back({(10 * i + 4) * kS, (10 * i + 4) * kS + 600'000'000});
    Context context = withClamps(spans, 700, random, true);
    associateTails(context);
    QVERIFY(*context.result.thermal.tailOddsRatio > 10);
    QVERIFY(*context.result.thermal.tailPValue < 0.01);
}

void TestClamps::independentClampsAreNot() {
    Random random(2);
    std::vector<TimeRange> spans;
    for (Ns i = 0; i < 8; ++i)
        spans.push_back({(10 * i + 4) * kS, (10 * i + 4) * kS + 600'000'000});
    int rejected = 0;
    for (int run = 0; run < 20; ++run) {
        Context context = withClamps(spans, 700, random, false);
        associateTails(context);
        rejected += *context.result.thermal.tailPValue < 0.05 ? 1 : 0;
    }
    QVERIFY2(rejected <= 4, qPrintable(QString::number(rejected)));
}

void TestClamps::fewEpisodesHaveNoPValue() {
    Random random(3);
    Context context = withClamps({{4 * kS, 5 * kS}}, 200, random, true);
    associateTails(context);
    QVERIFY(context.result.thermal.tailOddsRatio && !context.result.thermal.tailPValue);
    QVERIFY(context.result.reasons.contains("thermal.tail_p_value"));
}

void TestClamps::devicesJoin() {
    std::vector<std::string> notes;
    std::vector<DeviceRow> rows{device(1, DeviceKind::Gpu, "GPU 0"), device(2, DeviceKind::Gpu, "GPU 1"),
                                device(3, DeviceKind::Gpu, "GPU 1"), device(4, DeviceKind::Gpu, "GPU x")};
    rows[0].uuid = rows[3].uuid = "GPU-abc";
    const auto joined = joinDevices(rows, {DeviceId(1), DeviceId(2)}, {DeviceId(3), DeviceId(4)}, notes);
    QCOMPARE(joined.at(DeviceId(3)), DeviceId(2));
    QCOMPARE(joined.at(DeviceId(4)), DeviceId(1));
    QVERIFY(notes.empty());
    const std::vector<DeviceRow> single{device(1, DeviceKind::Gpu, "GPU 2"), device(2, DeviceKind::Gpu, "GPU 0")};
    QCOMPARE(joinDevices(single, {DeviceId(1)}, {DeviceId(2)}, notes).at(DeviceId(2)), DeviceId(1));
    QCOMPARE(notes.size(), std::size_t(1));
}

void TestClamps::channelsAreChosen() {
    std::vector<CounterRow> channels{channel(1, 1, "board", "power.draw.average", CounterKind::Gauge),
                                     channel(2, 1, "board", "power.draw", CounterKind::Gauge),
                                     channel(3, 1, "board", "power.draw.instant", CounterKind::Gauge)};
    QCOMPARE(boardChannel(channels, {DeviceId(1)})->id, CounterId(3));
    channels.push_back(channel(4, 1, "board", "total_energy", CounterKind::Counter));
    QCOMPARE(boardChannel(channels, {DeviceId(1)})->id, CounterId(4));
    channels.back().maxValue = 0;  // a counter that never moves
    QCOMPARE(boardChannel(channels, {DeviceId(1)})->id, CounterId(3));
    QVERIFY(boardChannel(channels, {DeviceId(9)}) == nullptr);
}

void TestClamps::childrenAndWholesAreNotAddedTwice() {
    const std::vector<DeviceRow> devices{device(1, DeviceKind::Cpu), device(2, DeviceKind::Dram),
                                         device(3, DeviceKind::Cpu)};
    std::vector<CounterRow> channels{channel(1, 1, "package", "package-0", CounterKind::Counter),
                                     channel(2, 1, "cores", "core", CounterKind::Counter, 1),
                                     channel(3, 2, "dram", "dram", CounterKind::Counter)};
    const auto ids = [](const std::vector<CounterRow> &rows) {
        std::set<std::int64_t> out;
        for (const CounterRow &row : rows)
            out.insert(row.id.value);
        return out;
    };
    QVERIFY((ids(rootChannels(channels, devices)) == std::set<std::int64_t>{1, 3}));
    channels.push_back(channel(4, 3, "psys", "psys", CounterKind::Counter));
    QVERIFY((ids(rootChannels(channels, devices)) == std::set<std::int64_t>{4}));
}

QTEST_APPLESS_MAIN(TestClamps)
#include "tst_clamps.moc"
