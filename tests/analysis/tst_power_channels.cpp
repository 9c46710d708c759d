// Which channels of a log become joules: alternatives once, single readings not at all.
#include "analysis/analyze.h"
#include "importers/session.h"
#include "tests/support/temporary_workspace.h"

#include <cmath>

#include <QFile>
#include <QTest>

using namespace wattproof;
using namespace wattproof::analysis;
using namespace wattproof::test;

namespace {

AnalysisResult analysedLog(const QByteArray &text) {
    const TemporaryWorkspace files;
    QFile file(files.folder() + "/power.csv");
    if (!file.open(QIODevice::WriteOnly))
        qFatal("cannot write the log");
    file.write(text);
    file.close();
    require(importers::importToNew({file.fileName().toStdString()}, files.path(), {}, {}));
    return require(analyze(*files.open(), std::nullopt, {}));
}

const QByteArray kHeader = "timestamp, index, power.draw [W], power.draw.average [W], power.draw.instant [W]\n";

}  // namespace

class TestPowerChannels : public QObject {
    Q_OBJECT
private slots:
    void alternativesAreAddedOnce();
    void oneReadingIsNoEnergy();
};

void TestPowerChannels::alternativesAreAddedOnce() {
    QByteArray log = kHeader;
    for (int second = 0; second < 10; ++second)
        log += "2025/07/22 05:10:0" + QByteArray::number(second) + ".000, 0, 100.00 W, 100.00 W, 100.00 W\n";
    const AnalysisResult result = analysedLog(log);
    QVERIFY2(std::abs(*result.energy.totalJ - 900) < 1e-6, qPrintable(QString::number(*result.energy.totalJ)));
    QCOMPARE(result.energy.byDomain.size(), std::size_t(1));
}

void TestPowerChannels::oneReadingIsNoEnergy() {
    const AnalysisResult result = analysedLog(kHeader + "2025/07/22 05:10:00.000, 0, 100 W, 100 W, 100 W\n");
    QVERIFY(!result.energy.totalJ);
    QVERIFY(result.reasons.contains("energy.total_j"));
}

QTEST_APPLESS_MAIN(TestPowerChannels)
#include "tst_power_channels.moc"
