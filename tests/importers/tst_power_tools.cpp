// Logs of single tools, in the shapes that they write, with values made up for the tests: what tells their
// devices, and what their rows without times are apart.
#include "importers/power/stated_period.h"
#include "tests/importers/power_text.h"

#include <QTest>

using namespace wattproof;
using namespace wattproof::importers;
using namespace wattproof::test;

class PowerToolsTest : public QObject {
    Q_OBJECT

private slots:
    void propertyListsOfPowermetrics();
    void cutPropertyListIsCounted();
    void hlSmiOfTwoCards();
    void namesThatReturnAreTheNextGpus();
    void lastLineSaysWhichGpuAColumnIsOf();
    void commandInTheLogStatesThePeriod();
    void commandsThatStateNoPeriod_data();
    void commandsThatStateNoPeriod();
    void givenPeriodGoesBeforeAll();
    void amdSmiMonitorAsJson();
    void typeperfStatesNoZone();
    void meterOfWindowsCountsPicowattHours();
    void dcgmiRepeatsItsHeader();
    void connectorsAreParts();
    void clustersArePartsOfTheCores();
    void throttleReasonsInWords();
};

namespace {

std::string sampleOf(const std::string &time, const std::string &elapsed, const std::string &power) {
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist "
           "version=\"1.0\">\n<dict>\n<key>is_delta</key><true/>\n"
           "<key>elapsed_ns</key><integer>" +
           elapsed +
           "</integer>\n<key>tasks</key>\n<array>\n<dict><key>name</key><string>combined_power</string>"
           "<key>processor</key><dict><key>combined_power</key><real>9e9</real></dict></dict>\n</array>\n"
           "<key>timestamp</key>\n<date>" +
           time +
           "</date>\n<key>processor</key>\n<dict>\n<key>clusters</key><array>\n"
           "<dict><key>freq_hz</key><real>1.2e9</real><key>cpus</key><array><dict><key>freq_hz</key><real>7</real>"
           "</dict></array></dict>\n<dict><key>freq_hz</key><real>3e9</real></dict></array>\n"
           "<key>cpu_power</key><real>3000</real><key>gpu_power</key><real>2000</real><key>combined_power</"
           "key>\n<real>" +
           power +
           "</real>\n</dict>\n<key>gpu</key><dict><key>freq_hz</key><real>700.5</real></dict>\n</dict>\n</"
           "plist>\n";
}

const std::string kNul(1, '\0');

Options withPeriod(double seconds) {
    Options options;
    options.periodSeconds = seconds;
    return options;
}

constexpr const char *kTurbostat =
    "Core\tCPU\tBusy%\tPkgWatt\n-\t-\t1.0\t10.0\n0\t0\t1.0\t10.0\n-\t-\t1.0\t10.0\n0\t0\t1.0\t10.0\n";

}  // namespace

void PowerToolsTest::propertyListsOfPowermetrics() {
    const auto log = importPowerText(kNul + sampleOf("2025-07-22T05:10:00Z", "500000000", "5000") + kNul +
                                     sampleOf("2025-07-22T05:10:00Z", "500000000", "6000") + kNul +
                                     sampleOf("2025-07-22T05:10:01Z", "500000000", "7000"));
    QVERIFY_IMPORTED(log);
    QCOMPARE(log->summary->format, std::string("powermetrics-plist"));
    QVERIFY(log->writer.sources[0].clock == ClockBasis::Epoch);
    const CounterRow *package = log->counter("package", "Combined Power");
    QVERIFY(package && package->kind == CounterKind::Mean);
    QCOMPARE(log->samples(*package).at(2).ts - log->samples(*package).at(0).ts,
             Ns{1'000'000'000});  // not 1, then 0 s
    QCOMPARE(log->joules("package"), 9.0);
    QVERIFY(log->counter("gpu", "GPU Power")->parent == package->id);
    QCOMPARE(log->samples(*log->counter("gpu", "GPU frequency")).at(0).value, 700.5e6);
    QCOMPARE(log->samples(*log->counter("cores", "processor/clusters/1/freq_hz")).at(0).value, 3e9);
    QCOMPARE(log->summary->counters, std::int64_t{6});  // nothing of tasks and single processors
    QVERIFY(log->writer.warnings.empty());
}

void PowerToolsTest::cutPropertyListIsCounted() {
    const std::string whole = sampleOf("2025-07-22T05:10:00Z", "500000000", "5000");
    const auto log = importPowerText(
        whole + kNul + whole.substr(0, whole.find("<key>combined_power</key>\n<real>")) + kNul +
        sampleOf("2025-07-22T05:10:01Z", "500000000", "5000") + kNul + sampleOf("never", "500000000", "5000"));
    QVERIFY_IMPORTED(log);
    QCOMPARE(log->samples(*log->counter("package", "Combined Power")).size(), std::size_t{2});
    QCOMPARE(log->writer.warningCount("malformed_row"), std::int64_t{2});
}

void PowerToolsTest::hlSmiOfTwoCards() {
    const auto log = importPowerText(
        "timestamp, name, temperature.aip [C], module_id, utilization.aip [%], power.draw [W]\n"
        "Tue Jul 22 05:10:00 UTC 2025, HL-000, 40, 3, 90, 300\nTue Jul 22 05:10:00 UTC 2025, HL-000, 41, 1, 0, "
        "100\n"
        "Tue Jul 22 05:10:01 UTC 2025, HL-000, 40, 3, 90, 300\nTue Jul 22 05:10:01 UTC 2025, HL-000, 41, 1, 0, "
        "100\n");
    QVERIFY_IMPORTED(log);
    QCOMPARE(log->summary->format, std::string("hl-smi-csv"));
    QVERIFY(log->writer.sources[0].clock == ClockBasis::Epoch);
    QCOMPARE(log->joules("GPU 3"), 300.0);
    QCOMPARE(log->joules("GPU 1"), 100.0);
    QCOMPARE(log->writer.metadataValue("GPU 1.name"), std::string("HL-000"));
    const auto without =
        importPowerText("index, power.draw [W], utilization.aip [%]\n0, 300 W, 1 %\n0, 300 W, 1 %\n");
    QVERIFY_IMPORTED(without);
    QCOMPARE(without->joules("GPU 0"), 1500.0);  // hl-smi -l reads every 5 s
    QCOMPARE(without->writer.warningCount("assumed_period"), std::int64_t{1});
}

void PowerToolsTest::namesThatReturnAreTheNextGpus() {
    const auto log = importPowerText(
        "Date,Time,\"CPU Package Power [W]\",\"GPU Temperature [°C]\",\"GPU Power [W]\",\"Performance Limit - "
        "Power [Yes/No]\","
        "\"GPU Temperature [°C]\",\"GPU Power [W]\",\"Performance Limit - Power [Yes/No]\",\n"
        "22.7.2025,5:10:0.000,10.0,50,100.0,Yes,60,200.0,No,\n22.7.2025,5:10:1.000,10.0,50,100.0,Yes,60,200.0,No,"
        "\n");
    QVERIFY_IMPORTED(log);
    QCOMPARE(log->summary->format, std::string("hwinfo-csv"));
    QCOMPARE(log->joules("GPU 0"), 100.0);
    QCOMPARE(log->joules("GPU 1"), 200.0);
    QCOMPARE(log->joules("package"), 10.0);
    QCOMPARE(log->samples(*log->counter("GPU 1", "GPU Temperature")).at(0).value, 60.0);
    QCOMPARE(log->samples(*log->counter("GPU 0", "gpu performance limit")).at(0).value, 1.0);
    QCOMPARE(log->samples(*log->counter("GPU 1", "gpu performance limit")).at(0).value, 0.0);
    QCOMPARE(log->writer.warningCount("repeated_column"), std::int64_t{0});
    const auto chinese = importPowerText(
        "Date,Time,\"GPU 功率 [W]\",\"性能受限 - 功率 [Yes/No]\",\"性能受限 - 过热 [Yes/No]\",\n"
        "22.7.2025,5:10:0.000,100.0,\xB7\xF1,\xCA\xC7,\n22.7.2025,5:10:1.000,100.0,是,否,\n");
    QVERIFY_IMPORTED(chinese);
    QCOMPARE(chinese->samples(*chinese->counter("GPU 0", "gpu performance limit")).at(0).value, 2.0);
    QCOMPARE(chinese->samples(*chinese->counter("GPU 0", "gpu performance limit")).at(1).value, 1.0);
}

// An integrated GPU has a clock alone, so that names return in the middle of the next one's columns.
void PowerToolsTest::lastLineSaysWhichGpuAColumnIsOf() {
    const auto log = importPowerText(
        "Date,Time,\"GPU Clock [MHz]\",\"GPU Temperature [°C]\",\"GPU Power [W]\",\"GPU Clock [MHz]\",\n"
        "22.7.2025,5:10:0.000,300,50,100.0,1500,\n22.7.2025,5:10:1.000,300,50,100.0,1500,\n"
        "Date,Time,\"GPU Clock [MHz]\",\"GPU Temperature [°C]\",\"GPU Power [W]\",\"GPU Clock [MHz]\",\n"
        ",,\"iGPU [#0]: Small Graphics\",\"dGPU [#1]: Big Card: Board\",\"dGPU [#1]: Big Card: Board\",\"dGPU "
        "[#1]: Big "
        "Card: Board\",\n");
    QVERIFY_IMPORTED(log);
    QCOMPARE(log->joules("GPU 1"), 100.0);
    QCOMPARE(log->joules("GPU 0"), -1.0);
    QCOMPARE(log->samples(*log->counter("GPU 0", "GPU Clock")).at(0).value, 3e8);
    QCOMPARE(log->samples(*log->counter("GPU 1", "GPU Clock")).at(0).value, 1.5e9);
    QVERIFY(log->counter("GPU 1", "GPU Temperature"));
    QCOMPARE(log->writer.metadataValue("GPU 0.name"), std::string("Small Graphics"));
    QCOMPARE(log->writer.metadataValue("GPU 1.name"), std::string("Big Card"));
}

void PowerToolsTest::commandInTheLogStatesThePeriod() {
    const auto stated = importPowerText(std::string("$ sudo /usr/sbin/turbostat --interval 60 -out t.txt\n"
                                                    "turbostat version 0.0 - made up\n") +
                                        kTurbostat);
    QVERIFY_IMPORTED(stated);
    QCOMPARE(stated->joules("package"), 1200.0);  // two means of 60 s
    QCOMPARE(stated->writer.warningCount("assumed_period"), std::int64_t{0});
    QCOMPARE(stated->writer.metadataValue("period_s"), std::string("60"));
    const auto assumed = importPowerText(kTurbostat);
    QCOMPARE(assumed->joules("package"), 100.0);
    QCOMPARE(assumed->writer.warningCount("assumed_period"), std::int64_t{1});
}

void PowerToolsTest::commandsThatStateNoPeriod_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("period");
    QTest::newRow("long") << "tool --delay 2" << 0.002;
    QTest::newRow("equals") << "x\n+ 'tool' -s pu --delay=2.5 -o DT" << 0.0025;
    QTest::newRow("attached") << "/opt/bin/tool -d1000" << 1.0;
    QTest::newRow("second one") << "tool -e 155 -d x\ntool -d 3" << 0.003;
    QTest::newRow("another tool") << "othertool -d 3" << -1.0;
    QTest::newRow("before the tool") << "cut -d 3 | tool" << -1.0;
    QTest::newRow("longer option") << "tool --delayed 3" << -1.0;
    QTest::newRow("zero") << "tool -d 0" << -1.0;
    QTest::newRow("too long") << "tool -d 1e12" << -1.0;
    QTest::newRow("no number") << "tool -d" << -1.0;
    QTest::newRow("unit") << "tool -d 5s" << -1.0;
}

void PowerToolsTest::commandsThatStateNoPeriod() {
    QFETCH(QString, text);
    QFETCH(double, period);
    const PeriodOption option{"tool", {"--delay", "-d"}, 0.001};
    QCOMPARE(statedPeriod(text.toStdString(), option).value_or(-1), period);
    QVERIFY(!statedPeriod(text.toStdString(), {}));
}

void PowerToolsTest::givenPeriodGoesBeforeAll() {
    const auto log = importPowerText(std::string("turbostat -i 60\n") + kTurbostat, withPeriod(2));
    QVERIFY_IMPORTED(log);
    QCOMPARE(log->joules("package"), 40.0);
    QVERIFY(!importPowerText(kTurbostat, withPeriod(0))->summary);
    QVERIFY(!importPowerText(kTurbostat, withPeriod(1e9))->summary);
    const auto timed = importPowerText(kHeader + rows({"0, 100.00, 40", "0, 100.00, 40"}), withPeriod(7));
    QCOMPARE(timed->joules("GPU 0"), 100.0);  // its own times hold
}

void PowerToolsTest::amdSmiMonitorAsJson() {
    const std::string tick =
        "[{\"gpu\": 0, \"power_usage\": {\"value\": 200, \"unit\": \"W\"}, \"hotspot_temperature\": {\"value\": "
        "50, \"unit\": "
        "\"C\"},\n \"gfx\": {\"value\": 30, \"unit\": \"%\"}, \"gfx_clock\": {\"value\": 1500, \"unit\": "
        "\"MHz\"}}]\n";
    const auto monitor = importPowerText("1753161000\n" + tick + "1753161001\n" + tick);
    QVERIFY_IMPORTED(monitor);
    QCOMPARE(monitor->summary->format, std::string("amd-smi-json"));
    QCOMPARE(monitor->joules("GPU 0"), 200.0);
    QCOMPARE(monitor->samples(*monitor->counter("GPU 0", "gfx_clock")).at(0).value, 1.5e9);
    const auto metric = importPowerText(
        "{\"gpu_data\": [{\"gpu\": 1, \"power\": {\"current_socket_power\": {\"value\": 300, \"unit\": \"W\"}},\n"
        "\"clock\": {\"gfx_0\": {\"clk\": {\"value\": 1800, \"unit\": \"MHz\"}, \"min_clk\": \"N/A\"}}}]}\n");
    QVERIFY_IMPORTED(metric);
    QCOMPARE(metric->samples(*metric->counter("GPU 1", "power/current_socket_power")).at(0).value, 300.0);
    QCOMPARE(metric->samples(*metric->counter("GPU 1", "clock/gfx_0/clk")).at(0).value, 1.8e9);
}

void PowerToolsTest::typeperfStatesNoZone() {
    const auto log = importPowerText(
        "\r\n\"(PDH-CSV 4.0)\",\"\\\\PC\\Power Meter(_Total)\\Power\"\r\n\"07/22/2025 "
        "05:10:00.000\",\"100000\"\r\n"
        "\"07/22/2025 05:10:01.000\",\"100000\"\r\nExiting, please wait...\r\nThe command completed "
        "successfully.\r\n");
    QVERIFY_IMPORTED(log);
    QCOMPARE(log->summary->format, std::string("pdh-csv"));
    QVERIFY(log->writer.sources[0].clock == ClockBasis::WallAssumedZone);
    QCOMPARE(log->joules("node"), 100.0);
    QCOMPARE(log->writer.warningCount("malformed_row"), std::int64_t{0});
}

void PowerToolsTest::meterOfWindowsCountsPicowattHours() {
    const auto log = importPowerText(
        "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\PC\\Energy Meter(RAPL_Package0_PKG)\\Energy\","
        "\"\\\\PC\\Energy Meter(RAPL_Package0_PKG)\\Power\"\n\"07/22/2025 "
        "05:10:00.000\",\"1000000000000\",\"36000\"\n"
        "\"07/22/2025 05:10:01.000\",\"1010000000000\",\"36000\"\n\"07/22/2025 "
        "05:10:02.000\",\"1020000000000\",\"36000\"\n");
    QVERIFY_IMPORTED(log);
    QCOMPARE(log->joules("package-0"), 72.0);
    QCOMPARE(log->samples(*log->counter("package-0", "RAPL package")).at(0).value, 36.0);
}

void PowerToolsTest::dcgmiRepeatsItsHeader() {
    std::string text = "$ dcgmi dmon -e 155,156,203 -d 500\n";
    for (int block = 0; block < 2; ++block)
        text +=
            "#Entity   POWER    TOTEC     GPUTL\nID           W       mJ\nGPU 0     100.0     1000      50\n"
            "GPU-I 3   N/A       N/A       50\nGPU 0     100.0    51000      50\nGPU-I 3   N/A       N/A       "
            "50\n";
    const auto log = importPowerText(text);
    QVERIFY_IMPORTED(log);
    QCOMPARE(log->summary->format, std::string("dcgmi-dmon"));
    QCOMPARE(log->samples(*log->counter("GPU 0", "POWER")).at(3).ts, Ns{1'500'000'000});
    QCOMPARE(log->samples(*log->counter("GPU 0", "GPUTL")).at(0).value, 0.5);
    QVERIFY(log->counter("GPU-I 3", "GPUTL"));
    QCOMPARE(log->writer.warningCount("malformed_row"), std::int64_t{0});
    QCOMPARE(log->writer.warningCount("assumed_period"), std::int64_t{0});
}

void PowerToolsTest::connectorsAreParts() {
    const auto gpuz = importPowerText(
        "Date , Board Power Draw [W] , PCIe Slot Power [W] , 8-Pin #1 Power [W] , 8-Pin #2 Power [W] ,\n"
        "2025-07-22 05:10:00 , 300 , 50 , 120 , 130 ,\n2025-07-22 05:10:01 , 300 , 50 , 120 , 130 ,\n");
    QVERIFY_IMPORTED(gpuz);
    QCOMPARE(gpuz->summary->counters, std::int64_t{4});
    QCOMPARE(gpuz->writer.devices.size(), std::size_t{1});  // "#1" is no number of a device
    const CounterRow *board = gpuz->counter("GPU 0", "Board Power Draw");
    for (const char *name : {"PCIe Slot Power", "8-Pin #1 Power", "8-Pin #2 Power"})
        QVERIFY2(board && gpuz->counter("GPU 0", name) && gpuz->counter("GPU 0", name)->parent == board->id, name);
    const auto hwinfo = importPowerText(
        "Date,Time,\"GPU Power [W]\",\"GPU 6-pin #1 Input Power [W]\",\"GPU 8-pin #1 Input Power [W]\",\n"
        "22.7.2025,5:10:0.000,300.0,70.0,180.0,\n");
    QVERIFY_IMPORTED(hwinfo);
    QCOMPARE(hwinfo->samples(*hwinfo->counter("GPU 0", "GPU 6-pin #1 Input Power")).at(0).value, 70.0);
    QCOMPARE(hwinfo->samples(*hwinfo->counter("GPU 0", "GPU 8-pin #1 Input Power")).at(0).value, 180.0);
    QVERIFY(hwinfo->counter("GPU 0", "GPU 8-pin #1 Input Power")->parent ==
            hwinfo->counter("GPU 0", "GPU Power")->id);
}

// macOS 11 says so of the cores, later ones say "CPU Power".
void PowerToolsTest::clustersArePartsOfTheCores() {
    const auto log = importPowerText(
        "*** Sampled system activity (Tue Jul 22 05:10:00 2025 +0000) (1000.00ms elapsed) ***\n"
        "E-Cluster Power: 100 mW\nP-Cluster Power: 900 mW\nClusters Total Power: 1000 mW\nPackage Power: 1500 mW\n"
        "*** Sampled system activity (Tue Jul 22 05:10:01 2025 +0000) (1000.00ms elapsed) ***\n"
        "E-Cluster Power: 100 mW\nP-Cluster Power: 900 mW\nClusters Total Power: 1000 mW\nPackage Power: 1500 "
        "mW\n");
    QVERIFY_IMPORTED(log);
    const CounterRow *cores = log->counter("cores", "Clusters Total Power");
    QVERIFY(cores && cores->parent == log->counter("package", "Package Power")->id);
    QVERIFY(log->counter("cores", "E-Cluster Power")->parent == cores->id);
    QVERIFY(log->counter("cores", "P-Cluster Power")->parent == cores->id);
    QCOMPARE(log->joules("package"), 3.0);
}

void PowerToolsTest::throttleReasonsInWords() {
    const std::string head = "Timestamp, DeviceId, GPU Power (W), Throttle reason\n";
    const auto log = importPowerText(head +
                                     "23:59:59.000,    0, 280.50, Not Throttled\n"
                                     "00:00:00.000,    0, 280.50, Average Power Excursion | Thermal Excursion\n"
                                     "00:00:01.000,    0, 280.50, BURST_PWR_CAP | HW_RANGE\n"
                                     "00:00:02.000,    0, 280.50, Moon phase\n");
    QVERIFY_IMPORTED(log);
    QCOMPARE(log->summary->format, std::string("xpu-smi-csv"));
    const CounterRow *mask = log->counter("GPU 0", "Throttle reason");
    QVERIFY(mask && mask->kind == CounterKind::Flags && mask->flagTable == "zes");
    const std::vector<Sample> &samples = log->samples(*mask);
    QCOMPARE(samples.size(), std::size_t{3});
    QCOMPARE(samples[0].value, 0.0);
    QCOMPARE(samples[1].value, 9.0);
    QCOMPARE(samples[2].value, 66.0);
    QCOMPARE(log->writer.warningCount("missing_value"), std::int64_t{1});  // a word that is not known is no reason
}

QTEST_APPLESS_MAIN(PowerToolsTest)
#include "tst_power_tools.moc"
