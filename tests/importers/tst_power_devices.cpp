// Which device a log's numbers are of, where its columns and words have to be known to tell it.
#include "tests/importers/power_text.h"

#include <QTest>

using namespace wattproof;
using namespace wattproof::importers;
using namespace wattproof::test;

class PowerDevicesTest : public QObject {
    Q_OBJECT

private slots:
    void minusOneOfTheAnalyzerIsNoReading();
    void milliwattsOfATableWithoutGpuAreTheBoards();
    void afterburnerNumbersGpusFromOne();
    void aStepOfTheCountersResolutionIsNoStepOfTheClock();
};

void PowerDevicesTest::minusOneOfTheAnalyzerIsNoReading() {
    std::string text;
    for (int second = 0; second < 3; ++second)
        text += "Time,02-16-2022 14:09:5" + std::to_string(second) +
                ".000,Watts,300.0,Volts,-1.000000,Amps,-1.000000,PF,-1.000000,Mark,run,"
                "Ch1,Watts,100.0,Volts,209.0,Amps,0.5,PF,0.9,Ch2,Watts,200.0,Volts,209.0,Amps,1.0,PF,0.9\n";
    const auto log = importPowerText(text);
    QVERIFY_IMPORTED(log);
    QCOMPARE(log->joules("outlet"), 600.0);
    QCOMPARE(log->joules("channel 2"), 400.0);
    QVERIFY(log->energyChannel("channel 2")->parent == log->energyChannel("outlet")->id);
    QVERIFY(!log->counter("outlet", "Volts"));
    QCOMPARE(log->writer.warningCount("unsupported_sensor"), std::int64_t{9});
}

void PowerDevicesTest::milliwattsOfATableWithoutGpuAreTheBoards() {
    const std::string rows = "2025-03-28 01:56:05.5,5000\n2025-03-28 01:56:06.5,5000\n";
    const auto board = importPowerText("Timestamp (s),Power (mW)\n" + rows);
    QVERIFY_IMPORTED(board);
    QCOMPARE(board->summary->format, std::string("board-mw-csv"));
    QCOMPARE(board->joules("board"), 5.0);
    const auto gpu =
        importPowerText("timestamp,gpu,power (mW)\n2025-03-28 01:56:05.5,1,5000\n2025-03-28 01:56:06.5,1,5000\n");
    QVERIFY_IMPORTED(gpu);
    QCOMPARE(gpu->joules("GPU 1"), 5.0);
}

void PowerDevicesTest::afterburnerNumbersGpusFromOne() {
    const auto log = importPowerText(
        "00, 07-01-2026 15:03:58, Hardware monitoring log v1.6\n01, 07-01-2026 15:03:58, NVIDIA A,NVIDIA B\n"
        "02, 07-01-2026 15:03:58, GPU1 power          ,GPU2 power          ,CPU usage           \n"
        "03, 07-01-2026 15:03:58, 0                   ,W                   ,0.000\n"
        "03, 07-01-2026 15:03:58, 1                   ,W                   ,0.000\n"
        "03, 07-01-2026 15:03:58, 2                   ,%                   ,0.000\n"
        "80, 07-01-2026 15:03:59, 100.0               ,50.0                ,10.0\n"
        "80, 07-01-2026 15:04:00, 100.0               ,50.0                ,10.0\n");
    QVERIFY_IMPORTED(log);
    QCOMPARE(log->joules("GPU 0"), 100.0);
    QCOMPARE(log->joules("GPU 1"), 50.0);
    QCOMPARE(log->writer.metadataValue("GPU 0.name"), std::string("NVIDIA A"));
    QCOMPARE(log->writer.metadataValue("GPU 1.name"), std::string("NVIDIA B"));
    QVERIFY(log->counter("package", "CPU usage"));
    QVERIFY(log->writer.warnings.empty());
}

// Power Gadget closes with a reading 1 ms after the one before.
void PowerDevicesTest::aStepOfTheCountersResolutionIsNoStepOfTheClock() {
    const auto gadget = [](const std::string &last) {
        return importPowerText(
            "System Time,RDTSC,Elapsed Time (sec),Cumulative GT Energy_0(Joules)\n19:08:40:500,1,0.0,0.000\n"
            "19:08:40:600,2,0.1,0.001\n19:08:40:700,3,0.2,0.007\n19:08:40:800,4,0.3,0.011\n19:08:40:801,5,0.301," +
            last + "\n");
    };
    const auto quiet = gadget("0.012");
    QVERIFY_IMPORTED(quiet);
    QCOMPARE(quiet->writer.warningCount("implausible_value"), std::int64_t{0});
    const auto stepped = gadget("0.020");
    QVERIFY_IMPORTED(stepped);
    QCOMPARE(stepped->writer.warningCount("implausible_value"), std::int64_t{1});
}

QTEST_APPLESS_MAIN(PowerDevicesTest)
#include "tst_power_devices.moc"
