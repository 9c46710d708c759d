// The longest bridged distance that an import was told holds for every energy computed afterwards.
#include "analysis/analyze.h"
#include "analysis/energy/read_power.h"
#include "analysis/energy/sensor_windows.h"
#include "importers/session.h"
#include "tests/support/temporary_workspace.h"

#include <algorithm>
#include <cmath>

#include <QFile>
#include <QTest>

using namespace wattproof;
using namespace wattproof::analysis;
using namespace wattproof::test;

namespace {

// 100 W each second for a minute, of which the second twenty seconds have no row.
std::string writeLog(const TemporaryWorkspace &files) {
    const QString path = files.folder() + "/power.csv";
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        qFatal("cannot write %s", qPrintable(path));
    file.write("timestamp, index, power.draw [W]\n");
    for (int second = 0; second < 60; ++second)
        if (second <= 20 || second >= 40)
            file.write(QString("2025/07/22 05:10:%1.000, 0, 100.00 W\n").arg(second, 2, 10, QChar('0')).toUtf8());
    return path.toStdString();
}

std::shared_ptr<store::Workspace> imported(const TemporaryWorkspace &files, std::optional<double> maxGap) {
    importers::Options options;
    options.maxGapSeconds = maxGap;
    require(importers::importToNew({writeLog(files)}, files.path(), options, {}));
    return files.open();
}

}  // namespace

class TestBridgedGap : public QObject {
    Q_OBJECT
private slots:
    void joulesFollowTheStatedLimit_data();
    void joulesFollowTheStatedLimit();
    void readingsMovedToTheirMiddleKeepTheLimit();
};

void TestBridgedGap::joulesFollowTheStatedLimit_data() {
    QTest::addColumn<double>("maxGap");
    QTest::addColumn<std::optional<double>>("joules");
    QTest::addColumn<double>("gap");
    QTest::newRow("five periods") << 0.0 << std::optional(3900.0) << 20.0;
    QTest::newRow("wider") << 30.0 << std::optional(5900.0) << 0.0;
    QTest::newRow("narrower than a period") << 0.5 << std::optional<double>() << 59.0;
}

void TestBridgedGap::joulesFollowTheStatedLimit() {
    QFETCH(double, maxGap);
    QFETCH(std::optional<double>, joules);
    QFETCH(double, gap);
    const TemporaryWorkspace files;
    const auto workspace = imported(files, maxGap > 0 ? std::optional(maxGap) : std::nullopt);
    const auto result = analyze(*workspace, std::nullopt, {});
    WATTPROOF_VERIFY_OK(result);
    QCOMPARE(result->energy.totalJ.has_value(), joules.has_value());
    if (joules)
        QVERIFY2(std::abs(*result->energy.totalJ - *joules) < 1e-6,
                 qPrintable(QString::number(*result->energy.totalJ)));
    else
        QVERIFY(result->reasons.contains("energy.total_j"));
    QCOMPARE(*result->energy.longestGapS, gap);
    // What is drawn as a gap is what is not integrated.
    auto reader = require(workspace->reader());
    const CounterRow power = require(reader->counters()).at(0);
    const auto buckets = require(reader->counterBuckets(power.id, require(reader->extent()), 1));
    const auto gaps = std::count_if(buckets.begin(), buckets.end(), [](const auto &b) { return b.gapBefore; });
    QCOMPARE(gaps > 0, gap > 0);
}

void TestBridgedGap::readingsMovedToTheirMiddleKeepTheLimit() {
    const TemporaryWorkspace files;
    const auto workspace = imported(files, 30);
    auto reader = require(workspace->reader());
    const PowerSeries power = require(readPower(*reader, require(reader->counters()).at(0)));
    QCOMPARE(power.maxGap(), Ns{30'000'000'000});
    QCOMPARE(centred(power).gaps().size(), std::size_t{0});
}

QTEST_APPLESS_MAIN(TestBridgedGap)
#include "tst_bridged_gap.moc"
