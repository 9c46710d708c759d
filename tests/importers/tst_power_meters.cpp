// Logs of meters and counters beside the devices' own tools, in the shapes that they write, with values made up for the
// tests.
#include "tests/importers/power_text.h"

#include <QTest>

using namespace wattproof;
using namespace wattproof::importers;
using namespace wattproof::test;

class PowerMetersTest : public QObject {
    Q_OBJECT

private slots:
    void windowsOfEnergyRunner();
    void powercapCountersOfTwoSockets();
    void redfishLoops_data();
    void redfishLoops();
    void metersAtTheOutlet();
};

void PowerMetersTest::windowsOfEnergyRunner() {
    const std::string whole =
        "00100.000 ulp-ml: Energy data for window 2 at time 9.06 for 12.91 sec.:\n"
        "00100.000 ulp-ml:   Energy       :   500000.000 uJ\n00100.000 ulp-ml:   Power        :    51501.140 uW\n"
        "00100.000 ulp-ml: Energy data for window 4 at time 30.06 for 10.00 sec.:\n"
        "00100.000 ulp-ml:   Energy       :   250000.000 uJ\n00100.000 ulp-ml:   Energy/Inf.  :      443.048 "
        "uJ/inf.\n";
    const auto log = importPowerText(whole +
                                     "00100.000 ulp-ml: Energy data for window 6 at time 51.06 for 12.91 sec.:\n"
                                     "00100.000 ulp-ml: Median energy cost is 443.184 uJ/inf.\n");
    QVERIFY_IMPORTED(log);
    QCOMPARE(log->summary->format, std::string("energy-runner"));
    QVERIFY(log->writer.sources[0].clock == ClockBasis::Relative);
    const CounterRow *second = log->counter("board", "energy window 4");
    QVERIFY(second && second->kind == CounterKind::Run && second->sensor.window == Ns{10'000'000'000});
    QCOMPARE(log->samples(*second).at(0).value, 0.25);
    QCOMPARE(log->samples(*second).at(0).ts, Ns{18'090'000'000});  // 21.97 s is the first end
    QCOMPARE(log->summary->counters, std::int64_t{2});
    QCOMPARE(log->writer.warningCount("malformed_row"), std::int64_t{1});  // the window without its energy
}

void PowerMetersTest::powercapCountersOfTwoSockets() {
    const auto log = importPowerText(
        "time_s,zone,energy_uj,max_energy_range_uj\n0,package-0,900000000,1000000000\n0,package-1,100000000,"
        "1000000000\n"
        "0.5,package-0,20000000,1000000000\n0.5,package-1,150000000,1000000000\n");
    QVERIFY_IMPORTED(log);
    QCOMPARE(log->summary->format, std::string("rapl-csv"));
    QCOMPARE(log->joules("package-0"), 120.0);
    QCOMPARE(log->joules("package-1"), 50.0);
    QCOMPARE(log->writer.warningCount("counter_wrap"), std::int64_t{1});
}

void PowerMetersTest::redfishLoops_data() {
    QTest::addColumn<QString>("answer");
    QTest::newRow("power")
        << R"({"@odata.id": "/redfish/v1/Chassis/1/Power", "Id": "Power", "PowerControl": [{"MemberId": "0",
        "PowerConsumedWatts": 300, "PowerLimit": {"LimitInWatts": 800}}]})";
    QTest::newRow("sensor")
        << R"({"@odata.id": "/redfish/v1/Chassis/1/Sensors/power", "Reading": 300.0, "ReadingUnits": "W"})";
    QTest::newRow("metrics")
        << R"({"Id": "EnvironmentMetrics", "PowerWatts": {"DataSourceUri": "x", "Reading": 300}})";
}

void PowerMetersTest::redfishLoops() {
    QFETCH(QString, answer);
    const std::string text = answer.toStdString() + "\n";
    const auto log = importPowerText("1753161000.5\n" + text + "1753161002.5\n" + text);
    QVERIFY_IMPORTED(log);
    QCOMPARE(log->summary->format, std::string("redfish-json"));
    QVERIFY(log->writer.sources[0].clock == ClockBasis::Epoch);
    QCOMPARE(log->joules("node"), 600.0);
    // A temperature is no power of the node.
    const std::string inlet = R"({"Name": "inlet", "Reading": 30, "ReadingUnits": "Cel"})";
    const auto mixed = importPowerText("1753161000.5\n" + text + inlet + "\n1753161002.5\n" + text + inlet + "\n");
    QVERIFY_IMPORTED(mixed);
    QCOMPARE(mixed->joules("node"), 600.0);
    QCOMPARE(mixed->writer.metadataValue("rows_not_read"), std::string("2"));
}

void PowerMetersTest::metersAtTheOutlet() {
    const auto log = importPowerText(
        "Time,Voltage [V],Current [A],Power [W],Power factor\n2025-07-22 05:10:00,230,1,200,0.87\n"
        "2025-07-22 05:10:01,230,1,200,0.87\n");
    QVERIFY_IMPORTED(log);
    QCOMPARE(log->summary->format, std::string("wall-meter-csv"));
    QVERIFY(log->writer.devices.at(0).kind == DeviceKind::Outlet);
    QCOMPARE(log->joules("outlet"), 200.0);
    const auto plug = importPowerText(
        "time,power_mw,voltage_mv,current_ma,total_wh\n1753161000,60000,230000,300,5\n1753161002,60000,230000,300,"
        "5\n");
    QCOMPARE(plug->joules("outlet"), 120.0);
}

QTEST_APPLESS_MAIN(PowerMetersTest)
#include "tst_power_meters.moc"
