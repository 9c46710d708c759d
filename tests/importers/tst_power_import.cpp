// What the cells of a power log become: channels, devices, units, masks, counters.
#include "tests/importers/power_text.h"

#include <random>

#include <QTest>

using namespace wattproof;
using namespace wattproof::importers;
using namespace wattproof::test;

class PowerImportTest : public QObject {
    Q_OBJECT

private slots:
    void rowsBecomeChannels();
    void missingWordsAreCountedAndBridged();
    void columnWithoutAnyValueIsUnsupported();
    void impossibleReadingsAreLeftOut();
    void interleavedDevicesStaySeparate();
    void lostDeviceEndsItsCurve();
    void lostCellCountsOnce();
    void devicesAreKnownByUuidOrBus();
    void logWithoutIdentityIsGpu0();
    void alternativesAreNeverAddedUp();
    void moduleContainsTheGpu();
    void throttleMaskIsKept();
    void throttleReasonsMakeAMask();
    void oldAndShortNamesAreRead();
    void unitsInCellsHeaderOrNowhere();
    void limitsAndDriverBecomeMetadata();
    void sensorFactsFollowTheModel();
    void frozenPowerIsADeadSensor();
    void steadyPowerIsNoDeadSensor();
    void wideColumnsAreDevices();
    void counterWrapsAtItsRange();
    void counterResetStaysAGap();
    void energyBitsFromWholeFile();
};

void PowerImportTest::rowsBecomeChannels() {
    const auto log = importPowerText(kHeader + rows({"0, 100.00 W, 50", "0, 200.00 W, 51", "0, 100.00 W, 52"}));
    QVERIFY_IMPORTED(log);
    QCOMPARE(log->summary->format, std::string("nvidia-smi-csv"));
    QCOMPARE(log->summary->samples, std::int64_t{6});
    QCOMPARE(log->summary->counters, std::int64_t{2});
    const CounterRow *power = log->counter("GPU 0", "power.draw");
    QVERIFY(power);
    QCOMPARE(power->quantity, std::string("power"));
    QCOMPARE(power->unit, std::string("W"));
    QCOMPARE(power->domain, std::string("board"));
    QCOMPARE(log->samples(*power)[0].ts, Ns{0});
    QCOMPARE(log->joules("GPU 0"), 300.0);
    QCOMPARE(log->writer.sources[0].statedBase, Ns{1753161000'000'000'000});
    QCOMPARE(log->counter("GPU 0", "temperature.gpu")->unit, std::string("degC"));
    QVERIFY(log->writer.warnings.empty());
}

void PowerImportTest::missingWordsAreCountedAndBridged() {
    const auto log =
        importPowerText(kHeader + rows({"0, 100.00 W, 50", "0, [N/A], 51", "0, ERR!, [GPU requires reset]",
                                        "0, [Unknown Error], 51", "0, [Not Supported], ", "0, 100.00 W, 52"}));
    QVERIFY_IMPORTED(log);
    QCOMPARE(log->writer.warningCount("missing_value"), std::int64_t{6});
    QCOMPARE(log->writer.findWarning("missing_value")->firstPosition, std::string("line 3"));
    QCOMPARE(log->joules("GPU 0"), 500.0);
    QCOMPARE(log->writer.metadataValue("GPU 0.missing_cells.power.draw"), std::string("4"));
}

void PowerImportTest::columnWithoutAnyValueIsUnsupported() {
    const auto log = importPowerText(kHeader + rows({"0, 100.00 W, [N/A]", "0, 100.00 W, N/A"}));
    QVERIFY_IMPORTED(log);
    QCOMPARE(log->writer.warningCount("unsupported_sensor"), std::int64_t{2});
    QCOMPARE(log->writer.warningCount("missing_value"), std::int64_t{0});
    QVERIFY(!log->counter("GPU 0", "temperature.gpu"));
}

void PowerImportTest::impossibleReadingsAreLeftOut() {
    const auto log = importPowerText(
        kHeader + rows({"0, 100.00 W, 255", "0, 65535.00 W, 50", "0, 0.00 W, 0", "0, 100.00 W, 50"}));
    QVERIFY_IMPORTED(log);
    QCOMPARE(log->writer.warningCount("implausible_value"), std::int64_t{4});
    QCOMPARE(log->samples(*log->counter("GPU 0", "power.draw")).size(), std::size_t{2});
    QCOMPARE(log->samples(*log->counter("GPU 0", "temperature.gpu")).size(), std::size_t{2});
}

void PowerImportTest::interleavedDevicesStaySeparate() {
    std::string text = kHeader;
    for (int i = 0; i < 4; ++i)
        text += row(i, "0, 100.00 W, 50") + row(i, "1, 300.00 W, 60");
    const auto log = importPowerText(text);
    QVERIFY_IMPORTED(log);
    QCOMPARE(log->joules("GPU 0"), 300.0);
    QCOMPARE(log->joules("GPU 1"), 900.0);
    QCOMPARE(log->writer.devices[1].nativeId, std::string("1"));
    QCOMPARE(log->writer.warningCount("duplicate_stamp"), std::int64_t{0});
}

void PowerImportTest::lostDeviceEndsItsCurve() {
    const auto log =
        importPowerText(kHeader + row(0, "0, 200.00 W, 50") + row(0, "1, 100.00 W, 50") +
                        "Unable to determine the device handle for GPU0: 0000:1A:00.0: Unknown Error\n" +
                        row(1, "1, 100.00 W, 50") + row(2, "1, 100.00 W, 50"));
    QVERIFY_IMPORTED(log);
    QCOMPARE(log->writer.warningCount("device_lost"), std::int64_t{1});
    QCOMPARE(log->writer.warningCount("malformed_row"), std::int64_t{0});
    QCOMPARE(log->joules("GPU 1"), 200.0);
    QCOMPARE(log->samples(*log->counter("GPU 0", "power.draw")).size(), std::size_t{1});
}

void PowerImportTest::lostCellCountsOnce() {
    const auto log = importPowerText(
        kHeader + rows({"0, 100.00 W, 50", "0, [GPU is lost], [GPU is lost]", "0, [GPU is lost], [GPU is lost]"}));
    QVERIFY_IMPORTED(log);
    QCOMPARE(log->writer.warningCount("device_lost"), std::int64_t{1});
    QCOMPARE(log->writer.warningCount("missing_value"), std::int64_t{4});
}

void PowerImportTest::devicesAreKnownByUuidOrBus() {
    const auto log = importPowerText("timestamp, uuid, pci.bus_id, name, power.draw [W]\n" +
                                     row(0, "GPU-aaaa, 00000000:01:00.0, NVIDIA A100, 100.00 W") +
                                     row(0, "GPU-bbbb, 00000000:02:00.0, NVIDIA A100, 200.00 W"));
    QVERIFY_IMPORTED(log);
    QCOMPARE(log->writer.devices.size(), std::size_t{2});
    QCOMPARE(log->writer.devices[1].name, std::string("GPU 1"));
    QCOMPARE(log->writer.devices[1].uuid, std::string("GPU-bbbb"));
    QCOMPARE(log->writer.devices[1].pci, std::string("00000000:02:00.0"));
    QCOMPARE(log->writer.devices[1].model, std::string("NVIDIA A100"));
}

void PowerImportTest::logWithoutIdentityIsGpu0() {
    const auto log = importPowerText("timestamp, power.draw [W]\n" + rows({"21.76 W", "21.96 W"}));
    QVERIFY_IMPORTED(log);
    QCOMPARE(log->writer.devices.size(), std::size_t{1});
    QCOMPARE(log->writer.devices[0].name, std::string("GPU 0"));
    QVERIFY(log->writer.devices[0].nativeId.empty());
}

void PowerImportTest::alternativesAreNeverAddedUp() {
    const auto log =
        importPowerText("timestamp, power.draw.instant [W], power.draw.average [W], power.draw [W]\n" +
                        rows({"90 W, 100 W, 100 W", "95 W, 100 W, 100 W"}));
    QVERIFY_IMPORTED(log);
    const CounterRow *draw = log->counter("GPU 0", "power.draw");
    QVERIFY(!draw->parent.valid());
    QVERIFY(log->counter("GPU 0", "power.draw.instant")->parent == draw->id);
    QVERIFY(log->counter("GPU 0", "power.draw.average")->parent == draw->id);
    // Where power.draw has no value, the next one stands for the board.
    const auto other = importPowerText("timestamp, power.draw [W], power.draw.instant [W]\n" +
                                       rows({"[N/A], 90 W", "[N/A], 95 W"}));
    QVERIFY(!other->counter("GPU 0", "power.draw.instant")->parent.valid());
}

void PowerImportTest::moduleContainsTheGpu() {
    const auto log = importPowerText("timestamp, power.draw [W], module.power.draw.average [W]\n" +
                                     rows({"300 W, 500 W", "300 W, 510 W"}));
    QVERIFY_IMPORTED(log);
    const CounterRow *module = log->counter("GPU 0", "module.power.draw.average");
    QCOMPARE(module->domain, std::string("module"));
    QVERIFY(log->counter("GPU 0", "power.draw")->parent == module->id);
}

void PowerImportTest::throttleMaskIsKept() {
    const auto log = importPowerText(
        "timestamp, power.draw [W], clocks_event_reasons.active, clocks_event_reasons.sw_power_cap\n" +
        rows({"300 W, 0x0000000000000004, Active", "300 W, 0x0000000000000044, Active"}));
    QVERIFY_IMPORTED(log);
    const CounterRow *mask = log->counter("GPU 0", "clocks_event_reasons.active");
    QVERIFY(mask->kind == CounterKind::Flags);
    QCOMPARE(mask->flagTable, std::string("nvml"));
    QCOMPARE(log->samples(*mask)[1].value, 68.0);
    QCOMPARE(log->samples(*mask).size(), std::size_t{2});
}

void PowerImportTest::throttleReasonsMakeAMask() {
    const auto log = importPowerText(
        "timestamp, power.draw [W], clocks_throttle_reasons.sw_power_cap, "
        "clocks_throttle_reasons.hw_thermal_slowdown\n" +
        rows({"300 W, Active, Not Active", "300 W, Active, Active", "300 W, Not Active, Not Active"}));
    QVERIFY_IMPORTED(log);
    const CounterRow *mask = log->counter("GPU 0", "clocks_event_reasons.active");
    QVERIFY(mask);
    const std::vector<Sample> &samples = log->samples(*mask);
    QCOMPARE(samples.size(), std::size_t{3});
    QCOMPARE(samples[0].value, 4.0);
    QCOMPARE(samples[1].value, 68.0);
    QCOMPARE(samples[2].value, 0.0);
}

void PowerImportTest::oldAndShortNamesAreRead() {
    const auto log = importPowerText(
        "timestamp, gpu_name, gpu_bus_id, clocks.sm [MHz], clocks.mem [MHz], clocks_throttle_reasons.active, "
        "power.draw [W]\n" +
        rows({"Tesla V100, 00000000:01:00.0, 1380 MHz, 877 MHz, 0x0000000000000001, 50.00 W"}));
    QVERIFY_IMPORTED(log);
    QCOMPARE(log->writer.devices[0].model, std::string("Tesla V100"));
    QCOMPARE(log->samples(*log->counter("GPU 0", "clocks.sm"))[0].value, 1.38e9);
    QCOMPARE(log->counter("GPU 0", "clocks.mem")->domain, std::string("memory"));
    QVERIFY(log->counter("GPU 0", "clocks_event_reasons.active"));
}

void PowerImportTest::unitsInCellsHeaderOrNowhere() {
    for (const char *text :
         {"timestamp, power.draw [W], clocks.current.sm [MHz]\n2025/07/22 05:10:00.000, 100.5 W, 1410 MHz\n",
          "timestamp, power.draw [W], clocks.current.sm [MHz]\n2025/07/22 05:10:00.000, 100.5, 1410\n",
          "timestamp, power.draw, clocks.current.sm\n2025/07/22 05:10:00.000, 100.5, 1410\n",
          "timestamp, power.draw [mW], clocks.current.sm [GHz]\n2025/07/22 05:10:00.000, 100500, 1.41\n"}) {
        const auto log = importPowerText(text);
        QVERIFY_IMPORTED(log);
        QCOMPARE(log->samples(*log->counter("GPU 0", "power.draw"))[0].value, 100.5);
        QCOMPARE(log->samples(*log->counter("GPU 0", "clocks.current.sm"))[0].value, 1.41e9);
    }
}

void PowerImportTest::limitsAndDriverBecomeMetadata() {
    const auto log = importPowerText(
        "timestamp, index, driver_version, power.draw [W], power.limit [W], clocks.max.sm [MHz], fabric.state\n" +
        rows({"3, 535.104.05, 100 W, 700.00 W, 1980 MHz, Completed"}));
    QVERIFY_IMPORTED(log);
    QCOMPARE(log->writer.metadataValue("GPU 3.driver_version"), std::string("535.104.05"));
    QCOMPARE(log->writer.metadataValue("GPU 3.power.limit"), std::string("700.00 W"));
    QCOMPARE(log->writer.metadataValue("GPU 3.clocks.max.sm"), std::string("1980 MHz"));
    QCOMPARE(log->writer.metadataValue("columns_not_read"), std::string("fabric.state"));
    QCOMPARE(log->samples(*log->counter("GPU 3", "power.limit"))[0].value, 700.0);
    QVERIFY(!log->counter("GPU 3", "driver_version"));
}

void PowerImportTest::sensorFactsFollowTheModel() {
    const auto sensor = [](const std::string &model, const std::string &field) {
        const auto log = importPowerText("timestamp, name, " + field + " [W]\n" + rows({model + ", 100 W"}));
        return log->counter("GPU 0", field)->sensor;
    };
    QCOMPARE(sensor("NVIDIA A100-SXM4-80GB", "power.draw").duty, 0.25);
    QCOMPARE(sensor("NVIDIA A100-SXM4-80GB", "power.draw").window, Ns{25'000'000});
    QCOMPARE(sensor("NVIDIA H100 80GB HBM3", "power.draw").window, Ns{1'000'000'000});
    QCOMPARE(sensor("NVIDIA H100 80GB HBM3", "power.draw.instant").window, Ns{25'000'000});
    QCOMPARE(sensor("Tesla V100-SXM2-16GB", "power.draw").period, Ns{20'000'000});
    QCOMPARE(sensor("NVIDIA GeForce RTX 4090", "power.draw").window, Ns{1'000'000'000});
    QCOMPARE(sensor("NVIDIA GeForce RTX 2080 SUPER", "power.draw").window, Ns{0});
    QVERIFY(sensor("NVIDIA A10", "power.draw").duty == 1.0);  // not an A100
    QVERIFY(sensor("Some GPU", "power.draw").note.find("does not name") != std::string::npos);
}

void PowerImportTest::frozenPowerIsADeadSensor() {
    std::vector<std::string> cells;
    for (int i = 0; i < 40; ++i)
        cells.push_back("0, 46.19 W, " + std::to_string(32 + i / 4));
    const auto log = importPowerText(kHeader + rows(cells));
    QVERIFY_IMPORTED(log);
    QCOMPARE(log->writer.warningCount("frozen_sensor"), std::int64_t{1});
    QVERIFY(log->writer.findWarning("frozen_sensor")->message.find("dead sensor") != std::string::npos);
    QVERIFY(log->counter("GPU 0", "power.draw")->sensor.note.find("dead sensor") != std::string::npos);
}

void PowerImportTest::steadyPowerIsNoDeadSensor() {
    std::vector<std::string> still(40, "0, 46.19 W, 32");
    QCOMPARE(importPowerText(kHeader + rows(still))->writer.warningCount("frozen_sensor"), std::int64_t{0});
    still[20] = "0, 46.20 W, 40";
    QCOMPARE(importPowerText(kHeader + rows(still))->writer.warningCount("frozen_sensor"), std::int64_t{0});
}

void PowerImportTest::wideColumnsAreDevices() {
    const auto log = importPowerText("timestamp,GPU0,GPU1\n1763638585.2,200,250\n1763638586.2,200,260\n");
    QVERIFY_IMPORTED(log);
    QCOMPARE(log->writer.devices.size(), std::size_t{2});
    QCOMPARE(log->joules("GPU 0"), 200.0);
    QCOMPARE(log->joules("GPU 1"), 255.0);
    QCOMPARE(log->writer.sources[0].statedBase, Ns{1763638585'200'000'000});
}

void PowerImportTest::counterWrapsAtItsRange() {
    const auto log = importPowerText(
        "time_ns,zone,energy_uj,max_energy_range_uj\n"
        "1753161000000000000,package-0,262083328850,262143328850\n"
        "1753161001000000000,package-0,262113328850,262143328850\n"
        "1753161002000000000,package-0,10000000,262143328850\n");
    QVERIFY_IMPORTED(log);
    QVERIFY(std::abs(log->joules("package-0") - 70) < 1e-3);
    QCOMPARE(log->writer.warningCount("counter_wrap"), std::int64_t{1});
    QVERIFY(log->writer.devices[0].kind == DeviceKind::Cpu);
    QCOMPARE(log->counter("package-0", "energy_uj")->domain, std::string("package"));
}

void PowerImportTest::counterResetStaysAGap() {
    const auto log = importPowerText(
        "time_ns,zone,energy_uj\n1753161000000000000,dram,90000000\n1753161001000000000,dram,95000000\n"
        "1753161002000000000,dram,1000000\n1753161003000000000,dram,6000000\n");
    QVERIFY_IMPORTED(log);
    QCOMPARE(log->writer.warningCount("counter_reset"), std::int64_t{1});
    QCOMPARE(log->joules("dram"), 10.0);
}

// Many rows of many devices, checked against sums formed along the way: nothing is lost, doubled or shifted.
void PowerImportTest::energyBitsFromWholeFile() {
    std::mt19937 random(5);
    std::string text = "time_ms,gpu,power_w\n";
    std::vector<double> expected(4, 0), last(4, 0);
    for (int i = 0; i < 5000; ++i) {
        for (std::size_t gpu = 0; gpu < 4; ++gpu) {
            const double watts = static_cast<double>(100 + random() % 500) / 4;
            text += std::to_string(1753161000000 + i * 50) + "," + std::to_string(gpu) + "," +
                    std::to_string(watts) + "\n";
            expected[gpu] += i > 0 ? (watts + last[gpu]) / 2 * 0.05 : 0;
            last[gpu] = watts;
        }
    }
    const auto log = importPowerText(text);
    QVERIFY_IMPORTED(log);
    for (std::size_t gpu = 0; gpu < 4; ++gpu)
        QVERIFY(std::abs(log->joules("GPU " + std::to_string(gpu)) - expected[gpu]) < 1e-6 * expected[gpu]);
}

QTEST_APPLESS_MAIN(PowerImportTest)
#include "tst_power_import.moc"
