#include "report/draw/theme.h"
#include "tests/app/window_fixture.h"
#include "widgets/overlay/overlay_pane.h"
#include "widgets/panes/alignment_pane.h"
#include "widgets/panes/annotations_pane.h"
#include "widgets/panes/details_pane.h"
#include "widgets/panes/findings_pane.h"
#include "widgets/panes/report_pane.h"
#include "widgets/panes/selection_pane.h"
#include "widgets/panes/words.h"
#include "widgets/window/docks.h"
#include "widgets/window/scenario_dialog.h"
#include "widgets/window/shortcuts_dialog.h"
#include "widgets/window/status_line.h"

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTest>
#include <QTreeWidget>

using namespace wattproof;
using namespace wattproof::test;
using namespace wattproof::widgets;

namespace {

QByteArray contentOf(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

bool treeHas(const QTreeWidget *tree, const QString &name) {
    return !tree->findItems(name, Qt::MatchExactly | Qt::MatchRecursive, 0).isEmpty();
}

}  // namespace

// All on one window, as a user works: each test puts back what it changed.
class WindowWorkTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void clickSelectsASliceAndShowsItsDetails();
    void relatedSliceIsFollowed();
    void dragSelectsAnAreaAndSumsItUp();
    void sumsAreSavedAsCsv();
    void clickOnFindingShowsItsRange();
    void findingUnfoldsIntoItsEvidence();
    void ownerIsStoredAndUndone();
    void keyWritesANoteOnTheSelection();
    void noteIsChangedAndDeleted();
    void typedOffsetMovesThePowerAndIsUndone();
    void nonsenseOffsetIsRefused();
    void draggedCurveIsScoredAndDropped();
    void autoAlignmentShowsItsCurve();
    void reportIsWrittenAsHtmlAndJson();
    void unwritableReportKeepsTheWindowAndSaysWhy();
    void previewNamesTheFindings();
    void themesReachEveryPane();
    void systemThemeFollowsThePalette();
    void keysMoveTheViewFromAnywhere();
    void escapeClearsTheSelection();
    void statusShowsTheCursorAsWallTime();
    void shortcutsPageListsBoundActions();
    void scenarioIsCheckedAndStored();
    void cleanupTestCase();

private:
    void selectLongestKernel();
    void undoAll();
    TimeView &axis() { return fixture_->session().view(); }

    std::unique_ptr<WindowFixture> fixture_;
};

void WindowWorkTest::initTestCase() {
    fixture_ = std::make_unique<WindowFixture>();
    QVERIFY(fixture_->open(simulatedRun().both()));
    QVERIFY(fixture_->session().analysis());
}

void WindowWorkTest::init() {
    axis().clearSelection();
    axis().fitAll();
    QVERIFY(fixture_->settle());
}

void WindowWorkTest::cleanupTestCase() {
    fixture_.reset();
}

void WindowWorkTest::undoAll() {
    while (fixture_->window().action("undo")->isEnabled())
        fixture_->trigger("undo");
}

void WindowWorkTest::selectLongestKernel() {
    const store::KernelInterval kernel = fixture_->longestKernel();
    TimelinePane *timeline = fixture_->view().timeline();
    axis().fit(kernel.range, 1.0);
    timeline->reveal(kernel.track, fixture_->rowOf(kernel.slice));
    QVERIFY(fixture_->settle());
    const QRectF row = timeline->rowRect(kernel.track, fixture_->rowOf(kernel.slice));
    QVERIFY(!row.isEmpty());
    const double x = timeline->timeScale().x(kernel.range.begin + kernel.range.length() / 2);
    QTest::mouseClick(timeline, Qt::LeftButton, {}, QPointF(x, row.center().y()).toPoint());
    QVERIFY(fixture_->settle());
    QCOMPARE(axis().selection().slice, kernel.slice);
}

void WindowWorkTest::clickSelectsASliceAndShowsItsDetails() {
    selectLongestKernel();
    const QTreeWidget *tree = fixture_->view().details()->tree();
    for (const char *name :
         {"Name", "Start", "Wall time", "Duration", "Energy", "Launched by", "Queue delay", "Arguments", "Class"})
        QVERIFY2(treeHas(tree, name), name);
}

void WindowWorkTest::relatedSliceIsFollowed() {
    selectLongestKernel();
    const SliceId kernel = axis().selection().slice;
    QTreeWidget *tree = fixture_->view().details()->tree();
    QTreeWidgetItem *launch = tree->findItems("Launched by", Qt::MatchExactly | Qt::MatchRecursive, 0).front();
    emit tree->itemActivated(launch, 0);
    QVERIFY(fixture_->settle());
    QVERIFY(axis().selection().slice.valid());
    QVERIFY(axis().selection().slice != kernel);
    QVERIFY(treeHas(tree, "Launched"));
}

void WindowWorkTest::dragSelectsAnAreaAndSumsItUp() {
    TimelinePane *timeline = fixture_->view().timeline();
    const QPoint from(kGutterWidth + 60, 60), to(timeline->width() - 60, timeline->height() - 20);
    QTest::mousePress(timeline, Qt::LeftButton, {}, from);
    QTest::mouseMove(timeline, (from + to) / 2);
    QTest::mouseMove(timeline, to);
    QTest::mouseRelease(timeline, Qt::LeftButton, {}, to);
    QVERIFY(fixture_->settle());
    QVERIFY(axis().selection().isArea());
    const NameStatsModel &sums = fixture_->view().selection()->model();
    QVERIFY(sums.rowCount() > 1);
    for (const store::NameStats &row : sums.rows()) {
        QVERIFY(row.count > 0);
        QVERIFY(row.self <= row.total);
        QVERIFY(row.p50 <= row.p95 && row.p95 <= row.p99 && row.p99 <= row.max);
    }
}

void WindowWorkTest::sumsAreSavedAsCsv() {
    Selection all;
    all.range = axis().extent();
    axis().select(all);
    QVERIFY(fixture_->settle());
    const QString path = fixture_->filePath("sums.csv");
    fixture_->window().saveCsv(path);
    QVERIFY(fixture_->settle());
    const QList<QByteArray> lines = contentOf(path).trimmed().split('\n');
    QCOMPARE(lines.size(), fixture_->view().selection()->model().rowCount() + 1);
    QVERIFY(lines.front().startsWith("name,count,total_ns,self_ns"));
}

void WindowWorkTest::clickOnFindingShowsItsRange() {
    const auto &cards = fixture_->view().findings()->cards();
    QVERIFY(!cards.isEmpty());
    axis().setVisible({axis().extent().begin, axis().extent().begin + 1'000'000});
    QTest::mouseClick(cards.front(), Qt::LeftButton, {}, QPoint(60, 8));
    const TimeRange range = cards.front()->finding().range;
    QCOMPARE(axis().selection().range, range);
    QCOMPARE(axis().selection().findingKey, QString::fromStdString(cards.front()->finding().key));
    QVERIFY(axis().visible().begin <= range.begin && range.end <= axis().visible().end);
    QVERIFY(fixture_->settle());
    QVERIFY(fixture_->view().selection()->model().rowCount() > 0);
}

void WindowWorkTest::findingUnfoldsIntoItsEvidence() {
    FindingCard *card = fixture_->view().findings()->cards().front();
    card->setFocus();
    QTest::keyClick(card, Qt::Key_Space);
    QVERIFY(card->isExpanded());
    QStringList texts;
    for (const QLabel *label : card->findChildren<QLabel *>())
        texts << label->text();
    QVERIFY(texts.contains("Evidence"));
    QVERIFY(texts.contains("Does not prove"));
    QVERIFY(texts.contains("Next action"));
    QVERIFY(texts.contains(QString::fromStdString(card->finding().mechanism)));
    QTest::keyClick(card, Qt::Key_Left);
    QVERIFY(!card->isExpanded());
}

void WindowWorkTest::ownerIsStoredAndUndone() {
    FindingCard *card = fixture_->view().findings()->cards().front();
    card->setExpanded(true);
    auto *owner = card->findChildren<QLineEdit *>().front();
    owner->setFocus();
    QTest::keyClicks(owner, "Runtime team");
    QTest::keyClick(owner, Qt::Key_Return);
    QVERIFY(fixture_->settle());
    auto decisions = fixture_->session().workspace().edits().decisions();
    QCOMPARE(decisions->size(), std::size_t{1});
    QCOMPARE(decisions->front().owner, std::string("Runtime team"));
    fixture_->view().timeline()->setFocus();
    fixture_->trigger("undo");
    QVERIFY(owner->text().isEmpty());
    card->setExpanded(false);
}

void WindowWorkTest::keyWritesANoteOnTheSelection() {
    Selection area;
    area.range = {axis().extent().begin + 1000, axis().extent().begin + 5000};
    axis().select(area);
    fixture_->view().timeline()->setFocus();
    QTest::keyClick(&fixture_->window(), Qt::Key_N);
    AnnotationsPane *pane = fixture_->view().annotations();
    QVERIFY(fixture_->window().docks().dock(Place::Annotations)->isVisible());
    QTest::keyClicks(pane->noteField(), "warm-up");
    QTest::keyClick(pane->noteField(), Qt::Key_Return);
    QVERIFY(fixture_->settle());
    QCOMPARE(pane->model().rowCount(), 1);
    QCOMPARE(pane->model().rows().front().ts, area.range.begin);
    QCOMPARE(pane->model().rows().front().dur, area.range.length());
    fixture_->trigger("undo");
    QCOMPARE(pane->model().rowCount(), 0);
    fixture_->trigger("redo");
    QCOMPARE(pane->model().rowCount(), 1);
    fixture_->trigger("undo");
}

void WindowWorkTest::noteIsChangedAndDeleted() {
    AnnotationsPane *pane = fixture_->view().annotations();
    pane->noteField()->setText("before");
    QTest::keyClick(pane->noteField(), Qt::Key_Return);
    QVERIFY(fixture_->settle());
    auto *table = pane->findChild<QAbstractItemView *>();
    const QModelIndex text = table->model()->index(0, AnnotationsModel::Text);
    QVERIFY(table->model()->setData(text, "after"));
    QVERIFY(fixture_->settle());
    QCOMPARE(fixture_->session().workspace().edits().annotations()->front().text, std::string("after"));
    table->selectionModel()->select(table->model()->index(0, 0),
                                    QItemSelectionModel::Select | QItemSelectionModel::Rows);
    pane->removeSelected();
    QVERIFY(fixture_->settle());
    QCOMPARE(pane->model().rowCount(), 0);
    undoAll();
}

void WindowWorkTest::typedOffsetMovesThePowerAndIsUndone() {
    AlignmentPane *pane = fixture_->view().alignment();
    const std::vector<store::Alignment> before = fixture_->alignments();
    const SourceId power = pane->model().rows().front().source.id;
    const auto offsetOf = [&] {
        for (const store::Alignment &alignment : fixture_->alignments())
            if (alignment.source == power)
                return alignment;
        return store::Alignment{};
    };
    const store::Alignment original = offsetOf();
    fixture_->window().docks().raise(Place::Alignment);
    pane->offsetField()->setText("+1.25 s");
    QTest::keyClick(pane->offsetField(), Qt::Key_Return);
    QVERIFY(fixture_->settle());
    QCOMPARE(offsetOf().offset, Ns{1'250'000'000});
    QCOMPARE(offsetOf().method, std::string("manual"));
    QVERIFY(fixture_->window().action("undo")->text().size() > 5);
    fixture_->trigger("undo");
    QCOMPARE(offsetOf().offset, original.offset);
    QCOMPARE(offsetOf().method, original.method);
    QCOMPARE(parseOffset(pane->offsetField()->text()), std::optional<Ns>(original.offset));
}

void WindowWorkTest::nonsenseOffsetIsRefused() {
    AlignmentPane *pane = fixture_->view().alignment();
    const auto before = fixture_->alignments();
    pane->offsetField()->setText("soon");
    pane->applyTyped();
    QVERIFY(fixture_->settle());
    QVERIFY(pane->scoreText().contains("not an offset"));
    QCOMPARE(fixture_->alignments().size(), before.size());
    QCOMPARE(fixture_->alignments().back().offset, before.back().offset);
}

void WindowWorkTest::draggedCurveIsScoredAndDropped() {
    AlignmentPane *pane = fixture_->view().alignment();
    const AlignableSource source = pane->model().rows().front();
    emit fixture_->view().overlay()->alignmentDragged(source.source.id, 40'000'000);
    QVERIFY(fixture_->settle());
    QVERIFY(pane->scoreText().contains("Correlation"));
    QVERIFY(pane->scoreText().contains(offsetText(source.alignment.offset + 40'000'000)));
    emit fixture_->view().overlay()->alignmentDropped(source.source.id, source.alignment.offset + 40'000'000);
    QVERIFY(fixture_->settle());
    QCOMPARE(pane->model().rows().front().alignment.offset, source.alignment.offset + 40'000'000);
    fixture_->trigger("undo");
    QCOMPARE(pane->model().rows().front().alignment.offset, source.alignment.offset);
}

void WindowWorkTest::autoAlignmentShowsItsCurve() {
    AlignmentPane *pane = fixture_->view().alignment();
    emit pane->alignRequested(pane->model().rows().front().source.id);
    QVERIFY(fixture_->settle());
    QVERIFY(fixture_->session().analysis());
    QVERIFY(pane->model().rows().front().alignment.method != "manual");
}

void WindowWorkTest::reportIsWrittenAsHtmlAndJson() {
    const QString html = fixture_->filePath("report.html"), json = fixture_->filePath("report.json");
    fixture_->window().exportReport(html);
    QVERIFY(fixture_->settle());
    fixture_->window().exportReport(json);
    QVERIFY(fixture_->settle());
    QVERIFY(fixture_->bannerSays("report.json"));
    const QByteArray page = contentOf(html);
    QVERIFY(page.contains("<html") && page.contains("</html>"));
    QVERIFY(page.contains("<svg"));
    QJsonParseError error;
    const QJsonObject document = QJsonDocument::fromJson(contentOf(json), &error).object();
    QCOMPARE(error.error, QJsonParseError::NoError);
    QCOMPARE(document["findings"].toArray().size(),
             static_cast<qsizetype>(fixture_->session().analysis()->findings.size()));
}

void WindowWorkTest::unwritableReportKeepsTheWindowAndSaysWhy() {
    const QString path = fixture_->filePath("no/such/folder/report.html");
    fixture_->window().exportReport(path);
    QVERIFY(fixture_->settle());
    QVERIFY(fixture_->bannerSays("no/such/folder"));
    QVERIFY(fixture_->window().view());
}

void WindowWorkTest::previewNamesTheFindings() {
    const QString text = fixture_->view().report()->text();
    for (const analysis::Finding &finding : fixture_->session().analysis()->findings)
        QVERIFY(text.contains(QString::fromStdString(finding.title).simplified()));
}

void WindowWorkTest::themesReachEveryPane() {
    fixture_->trigger("theme-dark");
    QCOMPARE(QApplication::palette().color(QPalette::Base), draw::darkTheme().background);
    QVERIFY(fixture_->view().timeline()->theme().dark);
    QVERIFY(fixture_->view().overlay()->theme().dark);
    QCOMPARE(fixture_->window().grab().toImage().pixelColor(2, 2).lightness() < 128, true);
    fixture_->trigger("theme-light");
    QCOMPARE(QApplication::palette().color(QPalette::Base), draw::lightTheme().background);
    QVERIFY(!fixture_->view().timeline()->theme().dark);
}

void WindowWorkTest::systemThemeFollowsThePalette() {
    fixture_->trigger("theme-system");
    const bool before = fixture_->view().timeline()->theme().dark;
    QApplication::setPalette(paletteOf(before ? draw::lightTheme() : draw::darkTheme()));
    QTRY_COMPARE(fixture_->view().timeline()->theme().dark, !before);
    fixture_->trigger("theme-light");
}

void WindowWorkTest::keysMoveTheViewFromAnywhere() {
    fixture_->view().findings()->cards().front()->setFocus();
    const Ns before = axis().visible().length();
    QTest::keyClick(fixture_->window().focusWidget(), Qt::Key_W);
    QVERIFY(axis().visible().length() < before);
    const TimeRange zoomed = axis().visible();
    QTest::keyClick(fixture_->window().focusWidget(), Qt::Key_D);
    QVERIFY(axis().visible().begin > zoomed.begin);
    fixture_->trigger("fit-all");
    QCOMPARE(axis().visible(), axis().extent());
}

void WindowWorkTest::escapeClearsTheSelection() {
    Selection area;
    area.range = axis().extent();
    axis().select(area);
    QTest::keyClick(&fixture_->window(), Qt::Key_Escape);
    QVERIFY(axis().selection().isEmpty());
}

void WindowWorkTest::statusShowsTheCursorAsWallTime() {
    axis().setCursor(axis().extent().begin + 500'000'000);
    QVERIFY(fixture_->window().statusLine().cursorText().contains("UTC"));
    QVERIFY(fixture_->window().statusLine().cursorText().contains("2026-03-02"));
    axis().setCursor(std::nullopt);
    QVERIFY(!fixture_->window().statusLine().cursorText().contains("UTC"));
}

void WindowWorkTest::shortcutsPageListsBoundActions() {
    fixture_->trigger("shortcuts");
    auto *dialog = fixture_->window().findChild<ShortcutsDialog *>();
    QVERIFY(dialog && dialog->isVisible());
    QStringList texts;
    for (const QLabel *label : dialog->findChildren<QLabel *>())
        texts << label->text();
    QVERIFY(texts.contains("Add note"));
    QVERIFY(texts.contains("Select an area"));
    dialog->close();
}

void WindowWorkTest::scenarioIsCheckedAndStored() {
    fixture_->trigger("scenario");
    auto *dialog = fixture_->window().findChild<ScenarioDialog *>();
    QVERIFY(dialog);
    dialog->editor()->setPlainText(R"({"slo": 3})");
    QVERIFY(dialog->message().contains("slo"));
    dialog->editor()->setPlainText(
        R"({"name": "tested", "sla": [{"metric": "latency", "percentile": 99, "limit_ms": 500}]})");
    QVERIFY(dialog->message().isEmpty());
    dialog->apply();
    QVERIFY(fixture_->settle());
    QTRY_COMPARE(fixture_->session().analysis()->scenario.name, std::string("tested"));
    dialog->close();
    undoAll();
    QTRY_VERIFY(fixture_->session().analysis()->scenario.name.empty());
}

QTEST_MAIN(WindowWorkTest)
#include "tst_window_work.moc"
