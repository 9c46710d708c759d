#include "widgets/panes/alignment_model.h"
#include "widgets/panes/annotations_model.h"
#include "widgets/panes/name_stats_model.h"
#include "widgets/panes/range_energy.h"
#include "widgets/panes/report_pane.h"
#include "widgets/panes/sources_model.h"
#include "widgets/panes/table_view.h"
#include "widgets/panes/warnings_model.h"
#include "widgets/panes/words.h"

#include <random>

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace wattproof;
using namespace wattproof::widgets;

namespace {

using Mode = QAbstractItemModelTester::FailureReportingMode;

store::NameStats stats(const char *name, std::int64_t count, Ns total,
                       std::optional<double> joules = std::nullopt) {
    store::NameStats row;
    row.text = name;
    row.count = count;
    row.total = row.self = total;
    row.mean = static_cast<double>(total) / static_cast<double>(count);
    row.p50 = row.p95 = row.p99 = row.max = total / count;
    row.joules = joules;
    return row;
}

CounterRow channel(std::int64_t id, std::int64_t device, const char *quantity, CounterKind kind,
                   std::int64_t parent = 0) {
    CounterRow row;
    row.id = CounterId(id);
    row.device = DeviceId(device);
    row.quantity = quantity;
    row.kind = kind;
    row.parent = CounterId(parent);
    row.domain = "board";
    row.sampleCount = 10;
    return row;
}

}  // namespace

class PaneModelsTest : public QObject {
    Q_OBJECT

private slots:
    void sumsHoldAsAModel();
    void sumsSayValuesAndKeepThemExact();
    void unknownJoulesAreADashWithAReason();
    void smallSamplesAreMarked();
    void tableSortsNumbersAsNumbers();
    void csvQuotesWhatNeedsIt();
    void warningsHoldAsAModel();
    void sourcesHoldAsAModel();
    void sourcesSayWhatTheyHold();
    void partsAreWrittenForPeople();
    void notesHoldAsAModelAndChange();
    void readOnlyNotesCannotBeEdited();
    void alignmentsHoldAsAModelAndSayWhatIsUnknown();
    void offsetsAreUnderstood_data();
    void offsetsAreUnderstood();
    void everyOffsetSurvivesItsOwnText();
    void timesAreGroupedInThrees();
    void wallTimesBeforeTheEpochCountDown();
    void energyChannelsNeverCountTwice();
    void previewEscapesHostileTitles();
    void findingWithoutJoulesShowsTime();
};

void PaneModelsTest::sumsHoldAsAModel() {
    NameStatsModel model;
    const QAbstractItemModelTester tester(&model, Mode::QtTest);
    model.setRows({stats("gemm", 4, 400'000'000, 12.5), stats("copy", 2, 10'000)});
    QCOMPARE(model.rowCount(), 2);
    model.setRows({});
    QCOMPARE(model.rowCount(), 0);
}

void PaneModelsTest::sumsSayValuesAndKeepThemExact() {
    NameStatsModel model;
    model.setRows({stats("gemm", 4, 400'000'001, 12.5)});
    const auto cell = [&](int column, int role) { return model.data(model.index(0, column), role); };
    QCOMPARE(cell(NameStatsModel::Total, Qt::DisplayRole).toString(), QStringLiteral("400\u2009ms"));
    QCOMPARE(cell(NameStatsModel::Total, kExactRole).toLongLong(), 400'000'001LL);
    QCOMPARE(cell(NameStatsModel::Joules, Qt::DisplayRole).toString(), QStringLiteral("12.5\u2009J"));
    QVERIFY(cell(NameStatsModel::Total, Qt::ToolTipRole).toString().contains("400000001 ns"));
}

void PaneModelsTest::unknownJoulesAreADashWithAReason() {
    NameStatsModel model;
    model.setRows({stats("op", 1, 5)});
    const QModelIndex joules = model.index(0, NameStatsModel::Joules);
    QCOMPARE(model.data(joules, Qt::DisplayRole).toString(), QStringLiteral("–"));
    QVERIFY(!model.data(joules, kExactRole).isValid());
    QVERIFY(model.data(joules, Qt::ToolTipRole).toString().contains("power log"));
}

void PaneModelsTest::smallSamplesAreMarked() {
    NameStatsModel model;
    model.setRows({stats("few", 298, 298'000), stats("enough", 299, 299'000)});
    QVERIFY(model.data(model.index(0, NameStatsModel::P99), Qt::ToolTipRole).toString().contains("small sample"));
    QVERIFY(!model.data(model.index(1, NameStatsModel::P99), Qt::ToolTipRole).toString().contains("small sample"));
}

void PaneModelsTest::tableSortsNumbersAsNumbers() {
    NameStatsModel model;
    TableView table;
    table.setSourceModel(&model);
    model.setRows({stats("nine", 1, 9), stats("ten", 1, 10), stats("hundred", 1, 100)});
    table.sortByColumn(NameStatsModel::Total, Qt::DescendingOrder);
    QStringList names;
    for (int row = 0; row < 3; ++row)
        names << table.model()->index(row, NameStatsModel::Name).data().toString();
    QCOMPARE(names, QStringList({"hundred", "ten", "nine"}));
    QCOMPARE(table.sourceRow(table.model()->index(0, 0)), 2);
}

void PaneModelsTest::csvQuotesWhatNeedsIt() {
    NameStatsModel model;
    TableView table;
    table.setSourceModel(&model);
    model.setRows({stats("void gemm<float, 4>(\"x\")", 1, 7, 0.125)});
    const QStringList lines = table.csv(',', false).trimmed().split('\n');
    QCOMPARE(lines.size(), 2);
    QCOMPARE(lines[1], QStringLiteral("\"void gemm<float, 4>(\"\"x\"\")\",1,7,7,7,7,7,7,7,0.125"));
}

void PaneModelsTest::warningsHoldAsAModel() {
    WarningsModel model;
    const QAbstractItemModelTester tester(&model, Mode::QtTest);
    ShownWarning warning;
    warning.source = "cut.json";
    warning.row.kind = "truncated_input";
    warning.row.count = 1;
    model.setRows({warning});
    QCOMPARE(model.index(0, WarningsModel::Kind).data().toString(), QStringLiteral("truncated_input"));
}

void PaneModelsTest::sourcesHoldAsAModel() {
    SourcesModel model;
    const QAbstractItemModelTester tester(&model, Mode::QtTest);
    SourceEntry source;
    source.row.path = "/data/train.json";
    model.setRows({source, source});
    QCOMPARE(model.index(1, SourcesModel::File).data().toString(), QStringLiteral("train.json"));
    QCOMPARE(model.index(1, SourcesModel::File).data(kExactRole).toString(), QStringLiteral("/data/train.json"));
    model.setRows({});
    QCOMPARE(model.rowCount(), 0);
}

void PaneModelsTest::sourcesSayWhatTheyHold() {
    SourcesModel model;
    SourceEntry full, empty;
    full.slices = 1'240'000;
    full.samples = 11;
    full.extent = {500'000'000, 2'000'000'000};
    model.setRows({full, empty});
    const auto cell = [&](int row, int column) { return model.index(row, column).data().toString(); };
    QCOMPARE(cell(0, SourcesModel::Holds), QStringLiteral("1\u2009240\u2009000 slices, 11 samples"));
    QCOMPARE(cell(0, SourcesModel::Length), QStringLiteral("1.50\u2009s"));
    QCOMPARE(cell(1, SourcesModel::Holds), QStringLiteral("–"));
    QCOMPARE(cell(1, SourcesModel::Begin), QStringLiteral("–"));
    QVERIFY(!model.index(1, SourcesModel::Begin).data(Qt::ToolTipRole).toString().isEmpty());
}

void PaneModelsTest::partsAreWrittenForPeople() {
    QCOMPARE(partText({}), QStringLiteral("all"));
    QCOMPARE(partText({"2..5.5", {}}), QStringLiteral("2 – 5.5 s"));
    QCOMPARE(partText({"2..", {}}), QStringLiteral("2 s to the end"));
    QCOMPARE(partText({{}, "cpu_op,kernel"}), QStringLiteral("cpu_op, kernel"));
    QCOMPARE(partText({"0..1", "kernel"}), QStringLiteral("0 – 1 s · kernel"));
}

void PaneModelsTest::notesHoldAsAModelAndChange() {
    AnnotationsModel model;
    const QAbstractItemModelTester tester(&model, Mode::QtTest);
    store::Annotation note;
    note.ts = 1'500'000'000;
    note.text = "before";
    model.setRows({note});
    QSignalSpy edited(&model, &AnnotationsModel::textEdited);
    const QModelIndex text = model.index(0, AnnotationsModel::Text);
    QVERIFY(model.setData(text, "after", Qt::EditRole));
    QVERIFY(!model.setData(text, "   ", Qt::EditRole));
    QVERIFY(!model.setData(model.index(0, AnnotationsModel::Time), "x", Qt::EditRole));
    QCOMPARE(edited.size(), 1);
    QCOMPARE(model.rows().front().text, std::string("after"));
    QCOMPARE(model.index(0, AnnotationsModel::Duration).data().toString(), QStringLiteral("instant"));
}

void PaneModelsTest::readOnlyNotesCannotBeEdited() {
    AnnotationsModel model;
    model.setRows({store::Annotation{}});
    QVERIFY(model.flags(model.index(0, AnnotationsModel::Text)) & Qt::ItemIsEditable);
    model.setWritable(false);
    QVERIFY(!(model.flags(model.index(0, AnnotationsModel::Text)) & Qt::ItemIsEditable));
}

void PaneModelsTest::alignmentsHoldAsAModelAndSayWhatIsUnknown() {
    AlignmentModel model;
    const QAbstractItemModelTester tester(&model, Mode::QtTest);
    AlignableSource found, byHand;
    found.name = "power.csv";
    found.alignment.method = "correlation";
    found.alignment.offset = -1'250'000'000;
    found.alignment.confidence = 0.98;
    found.alignment.uncertainty = 5'000'000;
    found.alignment.driftPpb = -41'300;
    byHand.alignment.method = "manual";
    byHand.source.clock = ClockBasis::WallAssumedZone;
    byHand.source.zone = "UTC (assumed: the log names no zone)";
    AlignableSource shifted = byHand;
    shifted.alignment.method = "wall-clock";
    shifted.alignment.offset = -3'600'000'000'000;
    model.setRows({found, byHand, shifted});
    QVERIFY(model.index(1, AlignmentModel::Clock).data().toString().contains("taken as UTC"));
    QCOMPARE(model.index(2, AlignmentModel::Clock).data().toString(), QStringLiteral("local time, guessed as UTC+01:00"));
    QCOMPARE(model.index(0, AlignmentModel::Offset).data().toString(), QStringLiteral("−1.250\u2009s"));
    QCOMPARE(model.index(0, AlignmentModel::Confidence).data().toString(), QStringLiteral("98.0\u2009%"));
    QCOMPARE(model.index(0, AlignmentModel::Drift).data().toString(), QStringLiteral("−41.3 ppm"));
    QCOMPARE(model.index(1, AlignmentModel::Drift).data().toString(), QStringLiteral("–"));
    QCOMPARE(model.index(1, AlignmentModel::Confidence).data().toString(), QStringLiteral("–"));
    QCOMPARE(model.index(1, AlignmentModel::Uncertainty).data().toString(), QStringLiteral("–"));
}

void PaneModelsTest::offsetsAreUnderstood_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("understood");
    QTest::addColumn<qint64>("offset");
    QTest::newRow("seconds") << "+1.25 s" << true << qint64{1'250'000'000};
    QTest::newRow("without unit") << "2" << true << qint64{2'000'000'000};
    QTest::newRow("milli") << "-300ms" << true << qint64{-300'000'000};
    QTest::newRow("micro") << "12 us" << true << qint64{12'000};
    QTest::newRow("comma") << "0,5 s" << true << qint64{500'000'000};
    QTest::newRow("true minus") << "−7 ns" << true << qint64{-7};
    QTest::newRow("clock") << "1:00:00" << true << qint64{3'600'000'000'000};
    QTest::newRow("clock with fraction") << "-0:00:01.5" << true << qint64{-1'500'000'000};
    QTest::newRow("half up") << "1.0000000005 s" << true << qint64{1'000'000'001};
    QTest::newRow("minutes") << "1.5 min" << true << qint64{90'000'000'000};
    QTest::newRow("words") << "soon" << false << qint64{0};
    QTest::newRow("empty") << "" << false << qint64{0};
    QTest::newRow("sign alone") << "-" << false << qint64{0};
    QTest::newRow("unit alone") << "ms" << false << qint64{0};
    QTest::newRow("unknown unit") << "3 weeks" << false << qint64{0};
    QTest::newRow("beyond a century") << "99999999999 s" << false << qint64{0};
}

void PaneModelsTest::offsetsAreUnderstood() {
    QFETCH(QString, text);
    QFETCH(bool, understood);
    QFETCH(qint64, offset);
    const auto parsed = parseOffset(text);
    QCOMPARE(parsed.has_value(), understood);
    if (understood)
        QCOMPARE(qint64{*parsed}, offset);
}

void PaneModelsTest::everyOffsetSurvivesItsOwnText() {
    std::mt19937_64 random(7);
    for (int digits = 1; digits < 19; ++digits)
        for (int i = 0; i < 50; ++i) {
            const auto size = static_cast<Ns>(random() % static_cast<std::uint64_t>(std::pow(10, digits)));
            const Ns offset = i % 2 == 0 ? size : -size;
            QCOMPARE(parseOffset(offsetText(offset)), std::optional<Ns>(offset));
        }
}

void PaneModelsTest::timesAreGroupedInThrees() {
    QCOMPARE(timeText(12'345'678'000), QStringLiteral("12.345\u2009678\u2009s"));
    QCOMPARE(timeText(-1), QStringLiteral("−0.000\u2009000\u2009001\u2009s"));
    QCOMPARE(timeText(0), QStringLiteral("0.000\u2009s"));
}

void PaneModelsTest::wallTimesBeforeTheEpochCountDown() {
    QCOMPARE(utcText(1'772'442'000'123'456'789), QStringLiteral("2026-03-02 09:00:00.123456 UTC"));
    QCOMPARE(utcText(-1'000), QStringLiteral("1969-12-31 23:59:59.999999 UTC"));
}

void PaneModelsTest::energyChannelsNeverCountTwice() {
    const std::vector<CounterRow> counters{
        channel(1, 1, "power", CounterKind::Mean),        channel(2, 1, "energy", CounterKind::Counter),
        channel(3, 2, "power", CounterKind::Gauge),       channel(4, 2, "power", CounterKind::Gauge, 3),
        channel(5, 2, "temperature", CounterKind::Gauge), channel(6, 2, "throttle", CounterKind::Flags)};
    const auto chosen = energyChannels(counters);
    QCOMPARE(chosen.size(), std::size_t{2});
    QCOMPARE(chosen[0].id, CounterId(2));
    QCOMPARE(chosen[1].id, CounterId(3));
}

void PaneModelsTest::previewEscapesHostileTitles() {
    analysis::AnalysisResult result;
    analysis::Finding finding;
    finding.title = "<img src=x onerror=alert(1)>";
    finding.bottleneckClass = "host_orchestration";
    result.findings.push_back(finding);
    const QString html = previewHtml(result);
    QVERIFY(!html.contains("<img"));
    QVERIFY(html.contains("host orchestration"));
}

void PaneModelsTest::findingWithoutJoulesShowsTime() {
    analysis::Finding finding;
    QCOMPARE(recoverableText(finding), QStringLiteral("–"));
    finding.recoverableNs = 231e6;
    QCOMPARE(recoverableText(finding), QStringLiteral("231\u2009ms"));
    finding.recoverableJ = analysis::Interval{310, 430};
    QCOMPARE(recoverableText(finding), QStringLiteral("370\u2009J [310–430]"));
}

QTEST_MAIN(PaneModelsTest)
#include "tst_pane_models.moc"
