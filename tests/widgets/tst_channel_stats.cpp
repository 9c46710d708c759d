#include "tests/support/power_run.h"
#include "widgets/panes/channels_pane.h"
#include "widgets/session.h"

#include <algorithm>
#include <cmath>

#include <QTest>

using namespace wattproof;
using namespace wattproof::widgets;
using namespace wattproof::test;

namespace {

constexpr TimeRange kRange{1'050 * kMs, 18'030 * kMs};  // cuts samples on both sides, holds the gap

bool nearly(double a, double b) {
    return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

}  // namespace

// Each figure is worked out a second time in SQL on the public views.
class ChannelStatsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void readingsEqualSql();
    void joulesMeanAndCoverageEqualSql();
    void countersGiveMeanPower();
    void gapsAndTheOutsideAreNotCovered();
    void paneFollowsTheSelection();

private:
    [[nodiscard]] ChannelStats statsOf(const char *device, const char *name, TimeRange range = kRange) const;
    [[nodiscard]] double sql(const QString &text) const;

    TemporaryWorkspace files_;
    PowerRun run_;
};

void ChannelStatsTest::initTestCase() {
    files_.create([this](store::BulkWriter &writer) { run_ = powerRun(writer); });
}

ChannelStats ChannelStatsTest::statsOf(const char *device, const char *name, TimeRange range) const {
    const auto workspace = files_.open();
    const auto reader = require(workspace->reader());
    const std::vector<ChannelStats> all = require(readChannelStats(*reader, range, {}));
    const auto found = std::find_if(all.begin(), all.end(), [&](const ChannelStats &stats) {
        return stats.device == device && stats.name == name;
    });
    return found == all.end() ? ChannelStats() : *found;
}

double ChannelStatsTest::sql(const QString &text) const {
    return std::stod(plainQuery(files_.path(), text.toStdString()).at(0).at(0));
}

void ChannelStatsTest::readingsEqualSql() {
    const ChannelStats stats = statsOf("GPU 0", "power.draw");
    const QString inside = QStringLiteral("FROM samples WHERE counter_id = %1 AND ts >= %2 AND ts < %3")
                               .arg(run_.power0.value)
                               .arg(kRange.begin)
                               .arg(kRange.end);
    QCOMPARE(static_cast<double>(stats.readings), sql("SELECT count(*) " + inside));
    QCOMPARE(*stats.max, sql("SELECT max(value) " + inside));
    QCOMPARE(*stats.p95, sql("SELECT value " + inside +
                             " ORDER BY value LIMIT 1 OFFSET (SELECT (95 * count(*) + 99) "
                             "/ 100 - 1 " +
                             inside + ")"));
}

void ChannelStatsTest::joulesMeanAndCoverageEqualSql() {
    const ChannelStats stats = statsOf("GPU 0", "power.draw");
    // Trapezoids between neighbours at most five periods apart, edges interpolated.
    const QString pieces =
        QStringLiteral(
            "WITH pair AS (SELECT ts, value, lead(ts) OVER (ORDER BY ts) AS ts1, lead(value) OVER (ORDER BY "
            "ts) AS value1 FROM samples WHERE counter_id = %1), piece AS (SELECT ts, value, (value1 - value) "
            "* 1.0 / (ts1 - ts) AS slope, max(ts, %2) AS a, min(ts1, %3) AS b FROM pair WHERE ts1 > %2 AND "
            "ts < %3 AND ts1 - ts <= 500000000) ")
            .arg(run_.power0.value)
            .arg(kRange.begin)
            .arg(kRange.end);
    const double joules =
        sql(pieces + "SELECT sum((b - a) * (value + slope * ((a + b) / 2.0 - ts))) / 1e9 FROM piece");
    const double covered = sql(pieces + "SELECT sum(b - a) / 1e9 FROM piece");
    QVERIFY2(nearly(*stats.joules, joules), qPrintable(QString::number(*stats.joules - joules)));
    QVERIFY(nearly(*stats.mean, joules / covered));
    QVERIFY(nearly(stats.coverage, covered / (static_cast<double>(kRange.length()) / 1e9)));
    QVERIFY(nearly(stats.longestGapS, 2.0));
}

void ChannelStatsTest::countersGiveMeanPower() {
    const ChannelStats stats = statsOf("package-0", "dram");
    QCOMPARE(stats.unit, std::string("W"));
    QVERIFY(nearly(*stats.mean, 20));
    QVERIFY(nearly(*stats.joules, 20 * static_cast<double>(kRange.length()) / 1e9));
    QVERIFY(nearly(*stats.p95, 20));
    QVERIFY(!statsOf("GPU 0", "temperature.gpu").joules);
}

void ChannelStatsTest::gapsAndTheOutsideAreNotCovered() {
    const ChannelStats stats = statsOf("GPU 1", "power.draw", {10'000 * kMs, 29'900 * kMs});
    QVERIFY(nearly(stats.coverage, 9.9 / 19.9));
    QVERIFY(nearly(stats.longestGapS, 10));
    const ChannelStats nothing = statsOf("GPU 1", "power.draw", {40'000 * kMs, 50'000 * kMs});
    QVERIFY(!nothing.mean && !nothing.joules && !nothing.max);
    QCOMPARE(nothing.coverage, 0.0);
}

void ChannelStatsTest::paneFollowsTheSelection() {
    Session session(files_.open());
    const auto reader = require(session.workspace().reader());
    session.view().setExtent(require(reader->extent()));
    ChannelsPane pane(&session);
    pane.resize(900, 300);
    pane.show();
    const auto energy = [&pane] {
        for (const ChannelStats &row : pane.model().rows())
            if (row.device == "GPU 1")
                return row.joules.value_or(0);
        return 0.0;
    };
    QTRY_VERIFY(energy() > 3000);
    QVERIFY(pane.rangeText().startsWith("Visible"));
    Selection area;
    area.range = {5'000 * kMs, 6'000 * kMs};
    session.view().select(area);
    QTRY_VERIFY(pane.rangeText().startsWith("Selected"));
    QVERIFY(std::abs(energy() - 200.25) < 0.3);
}

QTEST_MAIN(ChannelStatsTest)
#include "tst_channel_stats.moc"
