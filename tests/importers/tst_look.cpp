// A look at files before anything is stored: what it tells is what the import will make of them.
#include "importers/look/look.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace wattproof;
using namespace wattproof::importers;

class LookTest : public QObject {
    Q_OBJECT

private slots:
    void logWithoutZone();
    void givenZoneMovesTheSpan();
    void gapsShowAsCoverage();
    void traceIsCounted();
    void longLogIsEstimated();
    void unreadableFilesSayWhy();
    void formatByHandIsTaken();
    void cancelledLookStops();

private:
    std::string write(const QString &name, const QByteArray &bytes) {
        QFile file(folder_.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("cannot write");
        return file.fileName().toStdString();
    }
    QTemporaryDir folder_;
};

namespace {

constexpr Ns kSecond = 1'000'000'000;

FileLook seen(const std::string &path, const FileChoice &choice = {}) {
    Options options;
    options.files[path] = choice;
    return *lookAt(path, options, Task());
}

QByteArray smi(int from, int to, QByteArray rows = "timestamp, index, power.draw [W]\n") {
    for (int i = from; i < to; ++i)
        rows += "2025/07/22 05:" + QByteArray::number(i / 60).rightJustified(2, '0') + ":" + QByteArray::number(i % 60).rightJustified(2, '0') +
                ".000, 0, " + QByteArray::number(200 + i % 7) + ".25 W\n";
    return rows;
}

}  // namespace

void LookTest::logWithoutZone() {
    const FileLook look = seen(write("plain.csv", smi(0, 100)));
    QVERIFY2(look.readable(), look.error.c_str());
    QCOMPARE(look.kind, SourceKind::Power);
    QCOMPARE(look.format, std::string("nvidia-smi-csv"));
    QCOMPARE(look.clock, ClockBasis::WallAssumedZone);
    QVERIFY(!look.zoneGiven);
    QVERIFY(look.detailed);
    QCOMPARE(look.devices, std::vector<std::string>{"GPU 0"});
    QCOMPARE(look.span->length(), 99 * kSecond);
    QCOMPARE(look.samples, std::int64_t{100});
    QCOMPARE(look.coverage, std::optional<double>(1));
    QCOMPARE(look.share, 1.0);
}

void LookTest::givenZoneMovesTheSpan() {
    const std::string path = write("zone.csv", smi(0, 10));
    const FileLook utc = seen(path), east = seen(path, {{}, "+02:00", {}});
    QVERIFY(east.zoneGiven);
    QCOMPARE(utc.span->begin - east.span->begin, 7200 * kSecond);
    QVERIFY(!seen(path, {{}, "Mars/Olympus", {}}).readable());
}

void LookTest::gapsShowAsCoverage() {
    const FileLook look = seen(write("gap.csv", smi(60, 110, smi(0, 10))));
    QCOMPARE(look.longestGap, 51 * kSecond);
    QVERIFY(*look.coverage > 0.5 && *look.coverage < 0.55);
}

void LookTest::traceIsCounted() {
    const FileLook look = seen(write("t.json", R"({"traceEvents": [{"name": "a", "ph": "X", "ts": 1, "dur": 5, "pid": 1, "tid": 1},
        {"name": "b", "ph": "X", "ts": 10, "dur": 5, "pid": 1, "tid": 1}]})"));
    QCOMPARE(look.kind, SourceKind::Trace);
    QCOMPARE(look.slices, std::int64_t{2});
    QCOMPARE(look.span->length(), Ns{14'000});
    QVERIFY(!look.isTable);
}

void LookTest::longLogIsEstimated() {
    QByteArray rows = "timestamp,power_w\n";
    const int count = 700'000;
    rows.reserve(count * 24);
    for (int i = 0; i < count; ++i)
        rows += QByteArray::number(1'753'160'400 + i) + ",20" + QByteArray::number(i % 10) + ".25\n";
    QVERIFY(rows.size() > qsizetype(kLookedAtLog) + 1'000'000);
    const FileLook look = seen(write("long.csv", rows));
    QVERIFY(look.share < 1);
    QVERIFY(std::abs(double(look.samples) - count) < 0.02 * count);
    QVERIFY(std::abs(double(look.span->length()) / 1e9 - count) < 0.02 * count);
    QVERIFY(look.warnings.empty());
}

void LookTest::unreadableFilesSayWhy() {
    const FileLook gone = seen(folder_.filePath("gone.csv").toStdString());
    QVERIFY(!gone.readable() && !gone.isTable);
    const FileLook picture = seen(write("p.png", "\x89PNG nothing"));
    QVERIFY(!picture.readable() && !picture.isTable);
    const FileLook table = seen(write("t.csv", "moment,alpha\n1,2\n2,3\n3,4\n"));
    QVERIFY(!table.readable() && table.isTable);
    const FileLook empty = seen(write("e.csv", ""));
    QVERIFY(QString::fromStdString(empty.error).contains("empty"));
}

void LookTest::formatByHandIsTaken() {
    const std::string path = write("f.csv", smi(0, 10));
    QVERIFY(!seen(path, {"turbostat", {}, {}}).readable());
    QVERIFY(seen(path, {"nvidia-smi-csv", {}, {}}).readable());
    for (const FormatName &format : formatsByHand())
        QVERIFY2(!format.format.empty() && format.format.find(' ') == std::string::npos, format.format.c_str());
}

void LookTest::cancelledLookStops() {
    std::stop_source stop;
    stop.request_stop();
    Task task;
    task.stop = stop.get_token();
    const auto look = lookAt(write("c.csv", smi(0, 10)), {}, task);
    QVERIFY(!look && isCancelled(look.error()));
}

QTEST_GUILESS_MAIN(LookTest)
#include "tst_look.moc"
