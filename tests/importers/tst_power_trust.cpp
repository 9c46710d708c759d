// What in a power log speaks against its sensor or its clock: each is counted and named, and none is mended in
// silence.
#include "tests/importers/power_text.h"

#include <cmath>
#include <functional>

#include <QTest>

using namespace wattproof;
using namespace wattproof::importers;
using namespace wattproof::test;

namespace {

std::string fixed(double value, int digits) {
    return QByteArray::number(value, 'f', digits).toStdString();
}

// A home-made table with a row every `step` seconds.
std::string table(int count, double step, const std::function<std::string(int)> &cells,
                  const std::string &header = "time_s,device,power_w,temp_c,utilisation") {
    std::string text = header + "\n";
    for (int i = 0; i < count; ++i)
        text += fixed(i * step, 3) + "," + cells(i) + "\n";
    return text;
}

std::string moving(int i) {
    return fixed(100 + 10 * std::sin(i) + 0.01 * i, 2);
}

std::string gpu(const std::string &watts, int celsius = 40, int percent = 50) {
    return "gpu0," + watts + "," + std::to_string(celsius) + "," + std::to_string(percent);
}

// Local times of a log without zone, a minute apart, with the rows behind `at` moved by an hour.
std::string local(int at, int hours) {
    std::string text = kHeader;
    for (int i = 0; i < 10; ++i) {
        const int minutes = 300 + i + (i >= at ? 60 * hours : 0);
        text += "2025/10/26 0" + std::to_string(minutes / 60) + ":" + (minutes % 60 < 10 ? "0" : "") +
                std::to_string(minutes % 60) + ":00.000, 0, 100.00 W, 50\n";
    }
    return text;
}

}  // namespace

class PowerTrustTest : public QObject {
    Q_OBJECT

private slots:
    void doubtsAreNamed_data();
    void doubtsAreNamed();
    void nothingIsMended();
    void sensorsThatLagAreNotFrozen();
    void namedZonesExplainTheHour();
};

void PowerTrustTest::doubtsAreNamed_data() {
    QTest::addColumn<QString>("log");
    QTest::addColumn<QString>("warnings");
    const auto add = [](const char *name, const std::string &log, const char *warnings) {
        QTest::newRow(name) << QString::fromStdString(log) << warnings;
    };
    add("nothing to doubt", table(60, 1, [](int i) { return gpu(moving(i), 40 + i / 20, i % 30); }), "");
    add("frozen throughout", table(30, 1, [](int i) { return gpu("46.19", 30 + i); }), "frozen_sensor 1");
    add("frozen for a while", table(100, 1, [](int i) { return gpu(moving(i < 20 ? i : 20), 40 + i / 4); }),
        "frozen_sensor 1");
    add("whole watts at rest", table(100, 1, [](int i) { return gpu(i < 20 ? "41" : "38", 40 - i / 10, 0); }), "");
    add("whole watts under load",
        table(100, 1, [](int i) { return gpu(i < 20 ? "41" : "38", 40, i < 30 ? 0 : 99); }), "frozen_sensor 1");
    add("zeros", table(30, 1, [](int i) { return "package," + std::string(i < 5 ? "0" : moving(i)) + ",40,50"; }),
        "zero_power 5");
    const std::string rail = "RAM 1/2MB CPU [1%@2] EMC_FREQ 0% GR3D_FREQ 0% VDD_CPU 0/0\n";
    add("a rail that is off", rail + rail, "assumed_period 1");
    add("repeats", table(400, 0.01, [](int i) { return gpu(moving(i / 10)); }), "repeated_reading 360");
    add("coarse steps", table(400, 1, [](int i) { return gpu(i % 40 < 30 ? "30" : std::to_string(200 + i % 7)); }),
        "");
    add("watts under milliwatts",
        table(
            30, 1, [](int i) { return gpu(moving(i)); }, "time_s,device,power [mW],temp_c,utilisation"),
        "suspect_unit 1");
    add("watts under a name that says milliwatts",
        table(
            30, 1, [](int i) { return gpu(moving(i)); }, "time_s,device,power_mw,temp_c,load"),
        "suspect_unit 1");
    std::string board = "Timestamp (s),Power (mW)\n";
    for (int i = 0; i < 5; ++i)
        board += "2025-07-22 05:10:0" + std::to_string(i) + ".000000,5." + std::to_string(i) + "\n";
    add("a board's watts under milliwatts", board, "suspect_unit 1");
    add("milliwatts under watts",
        table(
            30, 1, [](int i) { return gpu(moving(i) + "7e3"); }, "time_s,device,power [W],temp_c,utilisation"),
        "implausible_value 30; suspect_unit 1");
    add("no temperature", table(30, 1, [](int i) { return gpu(moving(i), i == 7   ? 0
                                                                         : i == 9 ? 255
                                                                                  : 40); }),
        "implausible_value 2");
    add("all bits set", table(30, 1, [](int i) { return gpu(i == 7 ? "65535" : moving(i)); }),
        "implausible_value 1");
    add("lost by word", kHeader + rows({"0, 100.00 W, 40", "0, 101.00 W, 40", "0, [GPU is lost], [GPU is lost]"}),
        "device_lost 1; missing_value 2");
    add("lost without a word",
        table(60, 0.5, [](int i) { return (i % 2 == 1 && i < 30 ? "gpu1," : "gpu0,") + moving(i) + ",40,50"; }),
        "device_lost 1");
    add("wrapped",
        "time_s,energy_uj,max_energy_range_uj\n0,900000000,1000000000\n1,950000000,1000000000\n2,10000000,"
        "1000000000\n",
        "counter_wrap 1");
    add("wrapped, nobody knows how often",
        "time_s,energy_uj,max_energy_range_uj\n0,900000000,1000000000\n1,950000000,1000000000\n5,10000000,"
        "1000000000\n",
        "counter_wrap_ambiguous 1");
    add("reset", "time_s,energy_uj\n0,900000000\n1,950000000\n2,10000000\n3,20000000\n", "counter_reset 1");
    add("clock set back",
        kHeader + row(10, "0, 100.00 W, 50") + row(20, "0, 101.00 W, 50") + row(5, "0, 102.00 W, 50"),
        "clock_backwards 1");
    add("end of summer time", local(5, -1), "clock_backwards 1; summer_time 1");
    add("begin of summer time", local(5, 1), "sampling_gap 1; summer_time 1");
    add("gap",
        kHeader + row(0, "0, 100.00 W, 50") + row(1, "0, 101.00 W, 50") + row(2, "0, 102.00 W, 50") +
            row(30, "0, 103.00 W, 50"),
        "sampling_gap 1");
    const std::string celsius = "timestamp, index, temperature.gpu\n";
    add("gap without power", celsius + row(0, "0, 40") + row(1, "0, 41") + row(2, "0, 42") + row(30, "0, 43"),
        "sampling_gap 1");
    add("equal stamps",
        kHeader + row(0, "0, 100.00 W, 50") + row(0, "0, 110.00 W, 50") + row(1, "0, 101.00 W, 50"),
        "duplicate_stamp 1");
}

void PowerTrustTest::doubtsAreNamed() {
    QFETCH(QString, log);
    QFETCH(QString, warnings);
    const auto read = importPowerText(log.toStdString());
    QVERIFY_IMPORTED(read);
    QString found;
    for (const WarningRow &row : read->writer.warnings)
        found +=
            (found.isEmpty() ? "" : "; ") + QString::fromStdString(row.kind) + " " + QString::number(row.count);
    QCOMPARE(found, warnings);
}

void PowerTrustTest::nothingIsMended() {
    const auto frozen =
        importPowerText(table(100, 1, [](int i) { return gpu(i < 20 ? "90.5" : "100.5", 40 + i / 4); }));
    QCOMPARE(frozen->joules("GPU 0"), 19 * 90.5 + 95.5 + 79 * 100.5);
    QVERIFY(frozen->writer.findWarning("frozen_sensor")->message.find("100.5 W") != std::string::npos);
    const auto zeros = importPowerText(
        table(5, 1, [](int i) { return "package," + std::string(i < 2 ? "0" : "10") + ",40,50"; }));
    QCOMPARE(zeros->joules("package"), 25.0);
    const auto unit = importPowerText(table(
        3, 1, [](int) { return gpu("100.5"); }, "time_s,device,power [mW],temp_c,utilisation"));
    QCOMPARE(unit->joules("GPU 0"), 0.201);
}

// Load and power change in one row, or power a second later.
void PowerTrustTest::sensorsThatLagAreNotFrozen() {
    for (const int lag : {0, 10}) {
        const auto log = importPowerText(table(
            200, 0.1, [lag](int i) { return gpu(i < 100 + lag ? "38.25" : moving(i), 40, i < 100 ? 0 : 99); }));
        QVERIFY_IMPORTED(log);
        QCOMPARE(log->writer.warningCount("frozen_sensor"), std::int64_t{0});
    }
}

void PowerTrustTest::namedZonesExplainTheHour() {
    Options options;
    options.timezone = "UTC";
    const auto back = importPowerText(local(5, -1), options);
    QCOMPARE(back->writer.warningCount("clock_backwards"), std::int64_t{1});
    QCOMPARE(back->writer.warningCount("summer_time"), std::int64_t{0});
    QCOMPARE(importPowerText(local(5, 1), options)->writer.warningCount("summer_time"), std::int64_t{0});
}

QTEST_APPLESS_MAIN(PowerTrustTest)
#include "tst_power_trust.moc"
