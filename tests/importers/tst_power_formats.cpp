// Formats of power logs of which no long recording is at hand, in short texts, and what is said of their faults.
#include "tests/importers/power_text.h"

#include "importers/power/record_parser.h"

#include <QTest>

using namespace wattproof;
using namespace wattproof::importers;
using namespace wattproof::test;

class PowerFormatsTest : public QObject {
    Q_OBJECT

private slots:
    void dcgmiDmonJoinsTheNameOfItsDevice();
    void rocmSmiTableHasClocksInBrackets();
    void amdSmiJsonQuantities();
    void currentTimesVoltageIsPower();
    void windowsCountersStateTheirZone();
    void perfOfSeveralSockets();
    void smiReportsFollowEachOther();
    void cutXmlKeepsWhatWasWhole();
    void dcmiLoopWithDates();
    void scrapesAreOneAfterTheOther();
    void documentsThatAreCutOrNestedAreCounted();
    void unknownUnitsAreNotGuessed();
    void zeroOfABmcIsNoReading();
    void innerDomainsAreNeverAdded();
    void pmonTellsProcesses();
    void missingUnitOfTheTegraIsMilliwatts();
    void namesOfRecordsAreBounded();
};

void PowerFormatsTest::dcgmiDmonJoinsTheNameOfItsDevice() {
    const auto log = importPowerText(
        "#Entity   POWER   TOTEC\nID        W       mJ\nGPU 0     100.0   1000\nGPU 1     50.0    N/A\n"
        "GPU 0     100.0   101000\nGPU 1     50.0    N/A\n");
    QVERIFY_IMPORTED(log);
    QCOMPARE(log->summary->format, std::string("dcgmi-dmon"));
    QCOMPARE(log->joules("GPU 0"), 100.0);
    QCOMPARE(log->joules("GPU 1"), 50.0);
    QCOMPARE(log->writer.warningCount("assumed_period"), std::int64_t{1});
    QCOMPARE(log->writer.warningCount("malformed_row"), std::int64_t{0});
}

void PowerFormatsTest::rocmSmiTableHasClocksInBrackets() {
    const auto log = importPowerText(
        "device,Average Graphics Package Power (W),Temperature (Sensor junction) (C),sclk clock speed:\n"
        "card0,39.0,34.0,(300Mhz)\ncard1,0.0,34.0,(300Mhz)\n");
    QVERIFY_IMPORTED(log);
    QCOMPARE(log->samples(*log->counter("GPU 0", "sclk clock speed:"))[0].value, 3e8);
    QCOMPARE(log->writer.warningCount("implausible_value"), std::int64_t{1});  // no card draws nothing
}

void PowerFormatsTest::amdSmiJsonQuantities() {
    const auto log = importPowerText(
        "[{\"gpu\": 0, \"power\": {\"socket_power\": {\"value\": 240, \"unit\": \"W\"}},\n"
        "  \"temperature\": {\"hotspot\": {\"value\": 40, \"unit\": \"C\"}}}]\n");
    QVERIFY_IMPORTED(log);
    QCOMPARE(log->summary->format, std::string("amd-smi-json"));
    QCOMPARE(log->samples(*log->counter("GPU 0", "power/socket_power"))[0].value, 240.0);
}

void PowerFormatsTest::currentTimesVoltageIsPower() {
    const auto log = importPowerText(
        "Time(ms),USB(mA),Aux(mA),USB Voltage(V),\n0,1000,0,5.0,\n1000,1000,0,5.0,\n2000,2000,0,5.0,\n");
    QVERIFY_IMPORTED(log);
    const CounterRow *power = log->counter("Monsoon USB", "USB");
    QVERIFY(power);
    QCOMPARE(power->unit, std::string("W"));
    QCOMPARE(log->joules("Monsoon USB"), 12.5);
}

void PowerFormatsTest::windowsCountersStateTheirZone() {
    const auto log = importPowerText(
        "\"(PDH-CSV 4.0) (W. Europe Standard Time)(-60)\",\"\\\\PC\\Power Meter(_Total)\\Power\","
        "\"\\\\PC\\Energy Meter(RAPL_Package0_PKG)\\Power\"\n\"07/22/2025 06:10:00.000\",\" \",\"20000\"\n"
        "\"07/22/2025 06:10:01.000\",\"100000\",\"20000\"\n\"07/22/2025 06:10:02.000\",\"100000\",\"20000\"\n"
        "Exiting, please wait...\n");
    QVERIFY_IMPORTED(log);
    QVERIFY(log->writer.sources[0].clock == ClockBasis::Epoch);
    QCOMPARE(log->writer.sources[0].statedBase, Ns{1753161000'000'000'000});
    QCOMPARE(log->joules("node"), 100.0);
    QCOMPARE(log->joules("package-0"), 40.0);
    QCOMPARE(log->writer.warningCount("malformed_row"), std::int64_t{0});
}

void PowerFormatsTest::perfOfSeveralSockets() {
    const auto log = importPowerText(
        "# started on Tue Jul 22 05:10:00 2025\n\n1.0,S0,1,20.0,Joules,power/energy-pkg/,1000,100.00,,\n"
        "1.0,S1,1,30.0,Joules,power/energy-pkg/,1000,100.00,,\n1.0,S0,1,5.0,Joules,power/energy-ram/,1000,100.00,,\n"
        "2.0,S0,1,20.0,Joules,power/energy-pkg/,1000,100.00,,\n2.0,S1,1,<not counted>,Joules,power/energy-pkg/,0,0.00,,\n"
        "2.0,S0,1,5.0,Joules,power/energy-ram/,1000,100.00,,\n");
    QVERIFY_IMPORTED(log);
    QCOMPARE(log->joules("package-0"), 40.0);
    QCOMPARE(log->joules("dram-0"), 10.0);
    QCOMPARE(log->samples(*log->counter("package-1", "power/energy-pkg/")).size(), std::size_t{1});
    QCOMPARE(log->writer.warningCount("missing_value"), std::int64_t{1});
    QCOMPARE(log->writer.warningCount("duplicate_stamp"), std::int64_t{0});
}

void PowerFormatsTest::smiReportsFollowEachOther() {
    std::string text;
    for (int second = 0; second < 3; ++second)
        text += "\n==============NVSMI LOG==============\n\nTimestamp : Tue Jul 22 05:10:0" + std::to_string(second) +
                " 2025\nDriver Version : 590.48.01\nAttached GPUs : 2\nGPU 00000000:01:00.0\n"
                "    GPU UUID : GPU-a\n    GPU Power Readings\n        Average Power Draw : 100.00 W\n"
                "    Clocks Event Reasons\n        SW Power Cap : Active\n"
                "GPU 00000000:02:00.0\n    GPU UUID : GPU-b\n    GPU Power Readings\n        Average Power Draw : N/A\n"
                "        Instantaneous Power Draw : 50.00 W\n";
    const auto log = importPowerText(text);
    QVERIFY_IMPORTED(log);
    QCOMPARE(log->summary->format, std::string("nvidia-smi-q"));
    QCOMPARE(log->writer.devices.size(), std::size_t{2});
    QCOMPARE(log->joules("GPU 0"), 200.0);
    QCOMPARE(log->joules("GPU 1"), 100.0);
    QCOMPARE(log->samples(*log->counter("GPU 0", "clocks_event_reasons.active"))[0].value, 4.0);
}

void PowerFormatsTest::cutXmlKeepsWhatWasWhole() {
    const std::string report =
        "<?xml version=\"1.0\" ?>\n<nvidia_smi_log>\n<timestamp>Tue Jul 22 05:10:00 2025</timestamp>\n"
        "<gpu id=\"00000000:01:00.0\">\n<uuid>GPU-a</uuid>\n<gpu_power_readings>\n<power_draw>100.00 W</power_draw>\n"
        "</gpu_power_readings>\n</gpu>\n</nvidia_smi_log>\n";
    const auto log = importPowerText(report + report.substr(0, report.find("</power_draw>")));
    QVERIFY_IMPORTED(log);
    QCOMPARE(log->samples(*log->counter("GPU 0", "gpu_power_readings/power_draw")).size(), std::size_t{1});
    QCOMPARE(log->writer.warningCount("malformed_row"), std::int64_t{1});
}

void PowerFormatsTest::dcmiLoopWithDates() {
    std::string text;
    for (int second = 0; second < 3; ++second)
        text += "Tue Jul 22 05:10:0" + std::to_string(second) +
                " UTC 2025\n    Instantaneous power reading:                   200 Watts\n"
                "    IPMI timestamp:   07/26/26 16:57:12 CDT    Sampling period:          00000001 Seconds.\n"
                "    Power reading state is:                   activated\n";
    const auto log = importPowerText(text);
    QVERIFY_IMPORTED(log);
    QCOMPARE(log->joules("node"), 400.0);
    QVERIFY(log->writer.warnings.empty());
    QCOMPARE(log->writer.metadataValue("node.Sampling period"), std::string("00000001 Seconds."));
}

void PowerFormatsTest::scrapesAreOneAfterTheOther() {
    const std::string scrape =
        "# TYPE DCGM_FI_DEV_POWER_USAGE gauge\nDCGM_FI_DEV_POWER_USAGE{gpu=\"0\",UUID=\"GPU-a\",modelName=\"A \\\"B\\\"\"} 100\n"
        "DCGM_FI_DEV_XID_ERRORS{gpu=\"0\",UUID=\"GPU-a\"} 0\nDCGM_FI_DEV_POWER_USAGE{gpu=\"1\",UUID=\"GPU-b\"} 50\n";
    const auto dated = importPowerText("1753161000\n" + scrape + "1753161010\n" + scrape);
    QVERIFY_IMPORTED(dated);
    QCOMPARE(dated->joules("GPU 0"), 1000.0);
    QCOMPARE(dated->joules("GPU 1"), 500.0);
    QCOMPARE(dated->writer.devices[0].model, std::string("A \"B\""));
    const auto bare = importPowerText(scrape + scrape);
    QVERIFY_IMPORTED(bare);
    QCOMPARE(bare->joules("GPU 0"), 100.0);
    QCOMPARE(bare->writer.warningCount("assumed_period"), std::int64_t{1});
}

void PowerFormatsTest::documentsThatAreCutOrNestedAreCounted() {
    const std::string snapshot = "[{\"device_name\": \"A\", \"power_draw\": \"13W\"}]\n";
    const auto cut = importPowerText(snapshot + snapshot.substr(0, 20));
    QVERIFY_IMPORTED(cut);
    QCOMPARE(cut->summary->samples, std::int64_t{1});
    QCOMPARE(cut->writer.warningCount("malformed_row"), std::int64_t{1});
    const auto deep = importPowerText(snapshot + std::string(5000, '[') + "\n");
    QVERIFY_IMPORTED(deep);
    QVERIFY(deep->writer.warningCount("malformed_row") > 0);
}

void PowerFormatsTest::unknownUnitsAreNotGuessed() {
    const auto log = importPowerText(
        "time_ns,gpu,power (dBm),temp\n1753161000000000000,0,30,50\n1753161001000000000,0,30,51\n");
    QVERIFY_IMPORTED(log);
    QVERIFY(!log->energyChannel("GPU 0"));
    QCOMPARE(log->writer.warningCount("unknown_unit"), std::int64_t{1});
    QVERIFY(log->writer.findWarning("unknown_unit")->message.find("dBm") != std::string::npos);
}

void PowerFormatsTest::zeroOfABmcIsNoReading() {
    const auto log = importPowerText(
        "timestamp,n1_watts,n2_watts,total_watts\n2025-07-22T05:10:00,100,200,300\n2025-07-22T05:10:10,0,200,200\n"
        "2025-07-22T05:10:20,100,200,300\n");
    QVERIFY_IMPORTED(log);
    QCOMPARE(log->writer.warningCount("implausible_value"), std::int64_t{1});
    QCOMPARE(log->joules("node-1"), 2000.0);
    QVERIFY(log->energyChannel("node-1")->parent.valid());  // inside the total, never added to it
}

void PowerFormatsTest::innerDomainsAreNeverAdded() {
    const auto log = importPowerText(
        "System Time,RDTSC,Elapsed Time (sec),Cumulative Processor Energy_0(Joules),Cumulative Processor Energy_0(mWh),"
        "IA Power_0(Watt)\n19:08:40:531,1,0.0,0,0,5\n19:08:41:531,2,1.0,10,2.778,5\n19:08:42:531,3,2.0,20,5.556,5\n"
        "\nTotal Elapsed Time (sec) = 2.0\n");
    QVERIFY_IMPORTED(log);
    int roots = 0;
    for (const CounterRow &row : log->writer.counters)
        roots += (row.quantity == "power" || row.quantity == "energy") && !row.parent.valid() ? 1 : 0;
    QCOMPARE(roots, 1);
    QCOMPARE(log->joules("package-0"), 20.0);
    QCOMPARE(log->writer.warningCount("repeated_column"), std::int64_t{1});
    QCOMPARE(log->writer.warningCount("malformed_row"), std::int64_t{0});
    QCOMPARE(log->writer.metadataValue("lines_not_read"), std::string("Total Elapsed Time (sec) = 2.0"));
}

void PowerFormatsTest::pmonTellsProcesses() {
    const auto log = importPowerText(
        "# gpu         pid   type     sm    mem    command\n# Idx           #    C/G      %      %    name\n"
        "    0      11     C     10      5    my program\n    0      12     C     20      5    other\n"
        "    0      11     C     30      5    my program\n");
    QVERIFY_IMPORTED(log);
    const CounterRow *sm = log->counter("GPU 0", "sm 11 my program");
    QVERIFY(sm);
    QCOMPARE(log->samples(*sm)[1].ts, Ns{1'000'000'000});
    QCOMPARE(log->samples(*log->counter("GPU 0", "sm 12 other")).size(), std::size_t{1});
}

void PowerFormatsTest::missingUnitOfTheTegraIsMilliwatts() {
    const auto log = importPowerText(
        "RAM 1/2MB GR3D_FREQ 5% GPU@30C VDD_IN 2000/1900 VDD_SYS_GPU 500/400\n"
        "RAM 1/2MB GR3D_FREQ 5% GPU@30C VDD_IN 4000/1900 VDD_SYS_GPU 500/400\n");
    QVERIFY_IMPORTED(log);
    QCOMPARE(log->joules("VDD_IN"), 3.0);
    QVERIFY(log->energyChannel("VDD_SYS_GPU")->parent == log->energyChannel("VDD_IN")->id);
}

void PowerFormatsTest::namesOfRecordsAreBounded() {
    RecordSink sink;
    for (std::size_t i = 0; i < RecordSink::kMaxNames + 10; ++i) {
        sink.set("n" + std::to_string(i), "1");
        sink.finish(i);
    }
    QCOMPARE(sink.names().size(), RecordSink::kMaxNames);
    QCOMPARE(sink.unreadableCount(), std::int64_t{10});
}

QTEST_APPLESS_MAIN(PowerFormatsTest)
#include "tst_power_formats.moc"
