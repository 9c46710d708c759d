// The rows of a power log: times and gaps, headers, rows that are broken or cut, tables that are none.
#include "tests/importers/power_text.h"

#include <random>

#include <QTest>

using namespace wattproof;
using namespace wattproof::importers;
using namespace wattproof::test;

class PowerRowsTest : public QObject {
    Q_OBJECT

private slots:
    void clockStepsAreCounted();
    void gapsAreCounted();
    void equalStampsAreCounted();
    void wallTimeNamesItsZone();
    void relativeTimesStayRelative();
    void repeatedHeadersAreSkipped();
    void anotherHeaderIsFollowed();
    void malformedRowsCarryTheirLine();
    void cutLastRowIsLeftOut();
    void headerlessLogIsGuessed();
    void headerlessWithoutUnitsIsRefused();
    void tableWithoutPowerIsRefused();
    void cancelWritesNothingVisible();
    void damagedBytesNeverCrash();
};

void PowerRowsTest::clockStepsAreCounted() {
    const auto log = importPowerText(kHeader + row(10, "0, 100 W, 50") + row(20, "0, 100 W, 50") +
                                     row(5, "0, 100 W, 50") + row(15, "0, 100 W, 50"));
    QVERIFY_IMPORTED(log);
    QCOMPARE(log->writer.warningCount("clock_backwards"), std::int64_t{1});
    QCOMPARE(log->writer.findWarning("clock_backwards")->firstPosition, std::string("line 4"));
    QCOMPARE(log->joules("GPU 0"), 3000.0);
}

void PowerRowsTest::gapsAreCounted() {
    const auto log = importPowerText(kHeader + row(0, "0, 100 W, 50") + row(1, "0, 100 W, 50") +
                                     row(2, "0, 100 W, 50") + row(30, "0, 100 W, 50") + row(31, "0, 100 W, 50"));
    QVERIFY_IMPORTED(log);
    QCOMPARE(log->writer.warningCount("sampling_gap"), std::int64_t{1});
    QCOMPARE(log->joules("GPU 0"), 300.0);
    Options wide;
    wide.maxGapSeconds = 60;
    const auto bridged =
        importPowerText(kHeader + row(0, "0, 100 W, 50") + row(1, "0, 100 W, 50") + row(30, "0, 100 W, 50"), wide);
    QCOMPARE(bridged->writer.warningCount("sampling_gap"), std::int64_t{0});
    QCOMPARE(bridged->writer.metadataValue("max_gap_s"), std::string("60"));
}

void PowerRowsTest::equalStampsAreCounted() {
    const auto log =
        importPowerText(kHeader + row(0, "0, 100 W, 50") + row(0, "0, 110 W, 50") + row(1, "0, 100 W, 50"));
    QVERIFY_IMPORTED(log);
    QCOMPARE(log->writer.warningCount("duplicate_stamp"), std::int64_t{1});
    QCOMPARE(log->joules("GPU 0"), 105.0);
}

void PowerRowsTest::wallTimeNamesItsZone() {
    Options options;
    options.timezone = "+02:00";
    const auto log = importPowerText(kHeader + row(0, "0, 100 W, 50"), options);
    QVERIFY_IMPORTED(log);
    QVERIFY(log->writer.sources[0].clock == ClockBasis::WallAssumedZone);
    QVERIFY(log->writer.sources[0].zone.starts_with("+02:00"));
    QCOMPARE(log->writer.sources[0].statedBase, Ns{1753153800'000'000'000});
    QVERIFY(importPowerText(kHeader + row(0, "0, 100 W, 50"))->writer.sources[0].zone.starts_with("UTC (assumed"));
    options.timezone = "Nowhere/Land";
    QVERIFY(!importPowerText(kHeader + row(0, "0, 100 W, 50"), options)->summary);
    const auto iso = importPowerText("time,device,power_w\n2025-07-22T14:10:00+09:00,gpu0,50\n");
    QVERIFY(iso->writer.sources[0].clock == ClockBasis::Epoch);
    QCOMPARE(iso->writer.sources[0].statedBase, Ns{1753161000'000'000'000});
}

void PowerRowsTest::relativeTimesStayRelative() {
    const auto log = importPowerText("time_s,power_w\n0.5,100\n1.5,100\n");
    QVERIFY_IMPORTED(log);
    QVERIFY(log->writer.sources[0].clock == ClockBasis::Relative);
    QCOMPARE(log->writer.sources[0].statedBase, Ns{500'000'000});
    QCOMPARE(log->joules("GPU 0"), 100.0);
}

void PowerRowsTest::repeatedHeadersAreSkipped() {
    const auto log = importPowerText("(watching, press a key to stop)\n" + kHeader + row(0, "0, 100 W, 50") +
                                     "\n" + kHeader + row(1, "0, 100 W, 50"));
    QVERIFY_IMPORTED(log);
    QCOMPARE(log->writer.warningCount("repeated_header"), std::int64_t{1});
    QCOMPARE(log->writer.warningCount("malformed_row"), std::int64_t{0});
    QCOMPARE(log->writer.metadataValue("preamble"), std::string("(watching, press a key to stop)"));
    QCOMPARE(log->joules("GPU 0"), 100.0);
}

void PowerRowsTest::anotherHeaderIsFollowed() {
    const auto log =
        importPowerText(kHeader + row(0, "0, 100 W, 50") + "timestamp, temperature.gpu, index, power.draw [W]\n" +
                        row(1, "60, 0, 300 W"));
    QVERIFY_IMPORTED(log);
    QCOMPARE(log->joules("GPU 0"), 200.0);
    QCOMPARE(log->samples(*log->counter("GPU 0", "temperature.gpu"))[1].value, 60.0);
}

void PowerRowsTest::malformedRowsCarryTheirLine() {
    const auto log = importPowerText(kHeader + row(0, "0, 100 W, 50") +
                                     "garbage\n2025/99/99 00:00:00, 0, 1 W, 2\n" + row(1, "0, 100 W, 50"));
    QVERIFY_IMPORTED(log);
    QCOMPARE(log->writer.warningCount("malformed_row"), std::int64_t{2});
    QCOMPARE(log->writer.findWarning("malformed_row")->firstPosition, std::string("line 3"));
}

void PowerRowsTest::cutLastRowIsLeftOut() {
    const std::string whole = kHeader + row(0, "0, 100.00 W, 50") + row(1, "0, 100.00 W, 50");
    const auto cut = importPowerText(whole + "2025/07/22 05:10:02.000, 0, 10");
    QCOMPARE(cut->writer.warningCount("truncated_input"), std::int64_t{1});
    const auto half = importPowerText(whole + "2025/07/22 05:10:02.000, 0, 100.00 W, 5");
    QCOMPARE(half->writer.warningCount("truncated_input"), std::int64_t{1});
    const auto complete = importPowerText(whole + "2025/07/22 05:10:02.000, 0, 100.00 W, 50");
    QVERIFY(complete->writer.warnings.empty());
    QCOMPARE(complete->joules("GPU 0"), 200.0);
}

void PowerRowsTest::headerlessLogIsGuessed() {
    std::string text;
    for (int i = 0; i < 6; ++i)
        text += row(i, "0, NVIDIA A100, 10" + std::to_string(i) + ".00 W, 400.00 W, 1410 MHz, 50 %, P0") +
                row(i, "1, NVIDIA A100, 20" + std::to_string(i) + ".00 W, 400.00 W, 1410 MHz, 50 %, P0");
    const auto log = importPowerText(text);
    QVERIFY_IMPORTED(log);
    QCOMPARE(log->summary->format, std::string("nvidia-smi-csv"));
    QCOMPARE(log->joules("GPU 0"), 512.5);
    QCOMPARE(log->joules("GPU 1"), 1012.5);
    QVERIFY(log->counter("GPU 0", "clocks.current.sm"));
    const WarningRow *guessed = log->writer.findWarning("guessed_columns");
    QVERIFY(guessed && guessed->message.find("power.draw [W] = column 4") != std::string::npos);
}

void PowerRowsTest::headerlessWithoutUnitsIsRefused() {
    const auto log = importPowerText(rows({"0, 100.00, 50", "0, 101.00, 50"}));
    QVERIFY(!log->summary);
    QVERIFY(log->summary.error().sentence().find("noheader") != std::string::npos);
    QVERIFY(log->writer.sources.empty());
}

void PowerRowsTest::tableWithoutPowerIsRefused() {
    const auto log = importPowerText("metric,gpu_index,value,unit\nTIME,ALL,32.617,sec\n");
    QVERIFY(!log->summary);
    QVERIFY(log->summary.error().sentence().find("metric, gpu_index, value, unit") != std::string::npos);
}

void PowerRowsTest::cancelWritesNothingVisible() {
    std::stop_source stop;
    stop.request_stop();
    Task task;
    task.stop = stop.get_token();
    const auto input = Input::fromBytes(kHeader + row(0, "0, 100 W, 50"), "log.csv");
    test::RecordingWriter writer;
    const Expected<Summary> summary = makePowerImporter()->import(*input, writer, {}, task);
    QVERIFY(!summary && isCancelled(summary.error()));
    QVERIFY(writer.finished.empty());
}

void PowerRowsTest::damagedBytesNeverCrash() {
    const std::string good =
        kHeader + rows({"0, 100.00 W, 50", "1, [N/A], 51", "0, 0x12 W, 52", "1, 1e5 W, \"5\"", "0, 99.5 W, 1"});
    std::mt19937 random(17);
    for (int round = 0; round < 400; ++round) {
        std::string bytes = good;
        for (int i = 0; i < 4; ++i) {
            const std::size_t at = random() % bytes.size();
            switch (random() % 3) {
                case 0:
                    bytes[at] = static_cast<char>(random() % 256);
                    break;
                case 1:
                    bytes.erase(at, random() % 20);
                    break;
                default:
                    bytes.insert(at, bytes.substr(random() % bytes.size(), random() % 30));
            }
            if (bytes.empty())
                bytes = "x";
        }
        const auto log = importPowerText(bytes);
        QVERIFY2(log->writer.violations.empty(),
                 log->writer.violations.empty() ? "" : log->writer.violations[0].c_str());
    }
}

QTEST_APPLESS_MAIN(PowerRowsTest)
#include "tst_power_rows.moc"
