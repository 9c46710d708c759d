#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTest>

#include "report/comparison.h"
#include "report/model/header.h"
#include "tests/support/report_fixture.h"

using namespace wattproof;
using namespace wattproof::report;

namespace {

const std::string kHostile = "</script><script>alert(1)</script><img src=x onerror=\"x\">|`[a](http://evil) '&";

QString html(const Report &report) {
    return QString::fromStdString(toHtml(report, {}));
}

}  // namespace

class RenderersTest : public QObject {
    Q_OBJECT

private slots:
    void htmlHoldsEverySection();
    void htmlNeedsNothingFromOutside();
    void htmlEscapesHostileText();
    void htmlCarriesItsFiguresAsJson();
    void htmlPicturesStandInTheFindings();
    void missingOwnerIsSaidInRed();
    void unknownFieldsAreListed();
    void simulatedDataIsLabelled();
    void withoutPowerTheReasonIsSaid();
    void noFindingsIsASentence();
    void jsonHasHeaderPlanAndAnnotations();
    void markdownEscapesTablesAndLinks();
    void markdownFencesOutlastBackticks();
    void baselineStandsBeside();
    void cautionsNameWhatDiffers();
    void metadataIsFoundBySuffix();
};

void RenderersTest::htmlHoldsEverySection() {
    const QString page = html(test::reportFixture("gemm"));
    for (const char *id : {"headline", "ranking", "findings", "plan", "energy", "timeline", "matrix", "contradictions", "run",
                           "annotations", "warnings", "appendix"})
        QVERIFY2(page.contains(QStringLiteral("<section id=\"%1\">").arg(QLatin1String(id))), id);
    for (const char *said : {"Late launches of gemm", "note gemm", "overlapping_slice", "SELECT 2500000", "2.50\u2009ms",
                             "370\u2009J [310–430]", "412\u2009token/J [400–424]", "against gemm"})
        QVERIFY2(page.contains(QString::fromUtf8(said)) || page.contains(QString::fromUtf8(said).toHtmlEscaped()), said);
}

void RenderersTest::htmlNeedsNothingFromOutside() {
    const QString page = html(test::reportFixture("gemm"));
    QVERIFY(!page.contains(QRegularExpression(QStringLiteral("(src|href)=\"(?!#)"))));
    QVERIFY(!page.contains(QLatin1String("@import")));
    QVERIFY(!page.contains(QLatin1String("url(")));
}

void RenderersTest::htmlEscapesHostileText() {
    const QString page = html(test::reportFixture(kHostile));
    QCOMPARE(page.count(QLatin1String("<script")), 1);      // the embedded data
    QCOMPARE(page.count(QLatin1String("</script")), 1);
    QVERIFY(!page.contains(QLatin1String("<img")));
    QVERIFY(!page.contains(QLatin1String("onerror=\"x\"")));
}

void RenderersTest::htmlCarriesItsFiguresAsJson() {
    const QString page = html(test::reportFixture(kHostile));
    const QLatin1String open("<script type=\"application/json\" id=\"wattproof-report\">");
    const qsizetype begin = page.indexOf(open) + open.size();
    const QByteArray data = page.mid(begin, page.indexOf(QLatin1String("</script>"), begin) - begin).toUtf8();
    QJsonParseError error;
    const QJsonObject document = QJsonDocument::fromJson(data, &error).object();
    QCOMPARE(error.error, QJsonParseError::NoError);
    QCOMPARE(document[QLatin1String("findings")][0][QLatin1String("title")].toString(),
             QString::fromStdString("Late launches of " + kHostile));
}

void RenderersTest::htmlPicturesStandInTheFindings() {
    TimeRange asked;
    const std::string page = toHtml(test::reportFixture("gemm"), [&](TimeRange range, const std::vector<std::string> &tracks) {
        asked = range;
        return tracks.size() == 1 ? std::string("<svg id=\"evidence\"></svg>") : std::string();
    });
    QVERIFY(QString::fromStdString(page).contains(QLatin1String("<svg id=\"evidence\">")));
    QVERIFY((asked == TimeRange{1'000'000, 5'000'000}));
}

void RenderersTest::missingOwnerIsSaidInRed() {
    Report report = test::reportFixture("gemm");
    QVERIFY(html(report).contains(QLatin1String("<span class=\"bad\">missing</span>")));
    report.analysis.findings[0].owner = "Ada";
    report.analysis.findings[0].rollback = "v2 flag";
    QVERIFY(!html(report).contains(QLatin1String("<span class=\"bad\">")));
}

void RenderersTest::unknownFieldsAreListed() {
    QVERIFY(html(test::reportFixture("gemm")).contains(QLatin1String("Unknown: Driver.")));
}

void RenderersTest::simulatedDataIsLabelled() {
    Report report = test::reportFixture("gemm");
    QVERIFY(!html(report).contains(QLatin1String("simulated")) || !html(report).contains(QLatin1String("This run was simulated")));
    report.simulated = true;
    QVERIFY(html(report).contains(QLatin1String("(simulated data)")));
    QVERIFY(html(report).contains(QLatin1String("This run was simulated")));
}

void RenderersTest::withoutPowerTheReasonIsSaid() {
    Report report = test::reportFixture("gemm");
    report.analysis.energy = {};
    report.analysis.reasons["energy.total_j"] = "No power log was imported.";
    QVERIFY(html(report).contains(QLatin1String("No power log was imported.")));
}

void RenderersTest::noFindingsIsASentence() {
    Report report = test::reportFixture("gemm");
    report.analysis.findings.clear();
    QVERIFY(html(report).contains(QLatin1String("No bottleneck was found in what could be checked.")));
    QVERIFY(QString::fromStdString(toMarkdown(report)).contains(QLatin1String("No bottleneck was found")));
}

void RenderersTest::jsonHasHeaderPlanAndAnnotations() {
    const QJsonObject document =
        QJsonDocument::fromJson(QByteArray::fromStdString(toJson(test::reportFixture("gemm")))).object();
    QVERIFY(document[QLatin1String("header")][1][QLatin1String("value")].isNull());
    QCOMPARE(document[QLatin1String("plan")][0][QLatin1String("intervention")].toString(), QLatin1String("capture gemm in a graph"));
    QVERIFY(document[QLatin1String("plan")][0][QLatin1String("owner")].isNull());
    QCOMPARE(document[QLatin1String("annotations")][0][QLatin1String("text")].toString(), QLatin1String("note gemm"));
    QCOMPARE(document[QLatin1String("import_warnings")][0][QLatin1String("count")].toInt(), 3);
    QCOMPARE(document[QLatin1String("sources")][0][QLatin1String("sha256")].toString(), QLatin1String("00ff"));
}

void RenderersTest::markdownEscapesTablesAndLinks() {
    // Inside a fence nothing is markup; everywhere else it must have lost its force.
    const QString page = QString::fromStdString(toMarkdown(test::reportFixture(kHostile)))
                             .remove(QRegularExpression(QStringLiteral("(`{3,})sql\\n.*?\\n\\1\\n"),
                                                        QRegularExpression::DotMatchesEverythingOption));
    QVERIFY(!page.contains(QRegularExpression(QStringLiteral("(?<!\\\\)\\[a(?<!\\\\)\\]"))));
    QVERIFY(!page.contains(QRegularExpression(QStringLiteral("(?<!\\\\)<script>[^\\n]*\\|"))));
    const QStringList lines = page.split(QLatin1Char('\n'));
    for (const QString &line : lines)
        if (line.startsWith(QLatin1String("| 1 |")))
            QCOMPARE(QString(line).remove(QLatin1String("\\|")).count(QLatin1Char('|')), 7);
}

void RenderersTest::markdownFencesOutlastBackticks() {
    Report report = test::reportFixture("gemm");
    report.queries = {{"claim", "SELECT '```'"}};
    QVERIFY(QString::fromStdString(toMarkdown(report)).contains(QLatin1String("````sql\nSELECT '```'\n````")));
}

void RenderersTest::baselineStandsBeside() {
    Report report = test::reportFixture("gemm");
    report.baseline = report.analysis;
    report.baseline->headline.value = 206;
    report.baseline->energy.byPath[0].j = 1400;
    const auto rows = operatingPoints(*report.baseline, report.analysis);
    QCOMPARE(rows.front().change().value(), 1.0);
    QCOMPARE(rows.back().name, std::string("energy of compute/gemm"));
    QCOMPARE(rows.back().change().value(), -0.5);
    QVERIFY(html(report).contains(QLatin1String("<section id=\"comparison\">")));
    QVERIFY(!html(test::reportFixture("gemm")).contains(QLatin1String("<section id=\"comparison\">")));
}

void RenderersTest::cautionsNameWhatDiffers() {
    Report report = test::reportFixture("gemm");
    analysis::AnalysisResult before = report.analysis;
    before.headline.settled = report.analysis.headline.settled = true;
    QVERIFY(comparisonCautions(before, report.analysis).empty());
    before.headline.unit = "image/J";
    before.headline.domainsMeasured = {"package"};
    before.headline.settled = false;
    QCOMPARE(comparisonCautions(before, report.analysis).size(), std::size_t{3});
}

void RenderersTest::metadataIsFoundBySuffix() {
    const std::vector<MetadataRow> rows{{SourceId(1), "GPU 0.Driver_Version", "590.48"}, {SourceId(1), "xdriver_version", "no"}};
    const auto found = findMetadata(rows, {"missing", "driver_version"});
    QVERIFY(found.has_value());
    QCOMPARE(found->value, std::string("590.48"));
    QVERIFY(!findMetadata(rows, {"version"}).has_value());
}

QTEST_APPLESS_MAIN(RenderersTest)
#include "tst_renderers.moc"
