// Finding slices in the real window: every key, what it selects, what is marked.
#include "tests/app/window_fixture.h"
#include "widgets/minimap/minimap.h"
#include "widgets/search/quick_list.h"
#include "widgets/search/search_bar.h"
#include "widgets/window/shortcuts_dialog.h"

#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QMenuBar>

#include <algorithm>

using namespace wattproof;
using namespace wattproof::test;
using namespace wattproof::widgets;

class WindowSearchTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void keysOpenTheSearch_data();
    void keysOpenTheSearch();
    void everyHitIsCounted();
    void enterGoesThroughTheHitsInOrder();
    void stepsStartAtTheSelection();
    void stepBeforeTheEndWaitsForIt();
    void stepRevealsTheTrackAndTheTime();
    void hitsAreMarked();
    void escapeForgetsTheSearchAndGivesTheFocusBack();
    void laterTextReplacesTheEarlierOne();
    void fShowsTheSelection();
    void movedSourceIsSearchedAgain();
    void trackFinderRevealsATrack();
    void paletteHasEveryCommand();
    void paletteRunsACommandAndRemembersIt();
    void everyKeyIsOnThePageOfKeys();
    void nothingOpenNothingToSearch();
    void cleanupTestCase();

private:
    void type(const QString &text);
    [[nodiscard]] std::vector<store::SearchHit> hitsOf(const QString &text);
    [[nodiscard]] int darkPixels(QWidget *widget, const QRect &where);
    [[nodiscard]] SearchBar *bar() { return fixture_->window().searchBar(); }
    [[nodiscard]] QLineEdit *field() { return bar()->field(); }
    [[nodiscard]] TimeView &axis() { return fixture_->session().view(); }
    [[nodiscard]] TimelinePane *timeline() { return fixture_->view().timeline(); }

    std::unique_ptr<WindowFixture> fixture_;
    QString word_;  // the commonest name
};

void WindowSearchTest::initTestCase() {
    fixture_ = std::make_unique<WindowFixture>();
    QVERIFY(fixture_->open(simulatedRun().both()));
    auto reader = fixture_->session().workspace().reader();
    const auto stats = (*reader)->statsByName((*reader)->extent().value(), {}).value();
    const auto commonest = std::max_element(stats.begin(), stats.end(),
                                            [](const auto &a, const auto &b) { return a.count < b.count; });
    word_ = '"' + QString::fromStdString(commonest->text) + '"';
    fixture_->window().activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&fixture_->window()));
}

void WindowSearchTest::init() {
    if (!fixture_->window().view())
        return;
    field()->clear();
    timeline()->setFocus();
    axis().clearSelection();
    axis().fitAll();
    QVERIFY(fixture_->settle());
}

void WindowSearchTest::cleanupTestCase() {
    fixture_.reset();
}

void WindowSearchTest::type(const QString &text) {
    QTest::keyClick(&fixture_->window(), Qt::Key_F, Qt::ControlModifier);
    QTRY_VERIFY(field()->hasFocus());
    QTest::keyClicks(field(), text);
    QVERIFY(fixture_->settle());
}

std::vector<store::SearchHit> WindowSearchTest::hitsOf(const QString &text) {
    auto reader = fixture_->session().workspace().reader();
    const store::SearchHits hits = (*reader)->search(store::searchTerms(text.toStdString())).value();
    std::vector<store::SearchHit> list;
    for (auto hit = hits.first(); hit; hit = hits.after(hit->ts, hit->slice))
        list.push_back(*hit);
    return list;
}

void WindowSearchTest::keysOpenTheSearch_data() {
    QTest::addColumn<int>("key");
    QTest::addColumn<int>("modifiers");
    QTest::addRow("Ctrl+F") << int(Qt::Key_F) << int(Qt::ControlModifier);
    QTest::addRow("slash") << int(Qt::Key_Slash) << int(Qt::NoModifier);
}

void WindowSearchTest::keysOpenTheSearch() {
    QFETCH(int, key);
    QFETCH(int, modifiers);
    const QRect before = timeline()->geometry();
    QVERIFY(timeline()->hasFocus());
    QTest::keyClick(timeline(), static_cast<Qt::Key>(key), static_cast<Qt::KeyboardModifiers>(modifiers));
    QTRY_VERIFY(field()->hasFocus());
    QCOMPARE(timeline()->geometry(), before);  // nothing jumps
    QTest::keyClicks(field(), "a/b");          // the key is text now
    QCOMPARE(field()->text(), QStringLiteral("a/b"));
    QVERIFY(!field()->accessibleName().isEmpty());
}

void WindowSearchTest::everyHitIsCounted() {
    const std::vector<store::SearchHit> hits = hitsOf(word_);
    QVERIFY(hits.size() > 10);
    type(word_.toUpper());
    QCOMPARE(bar()->resultText(), QStringLiteral("%1 hits").arg(QLocale(QLocale::English).toString(int(hits.size()))));
    QVERIFY(axis().selection().isEmpty());
    field()->clear();
    QTest::keyClicks(field(), "no such name");
    QVERIFY(fixture_->settle());
    QCOMPARE(bar()->resultText(), QStringLiteral("No hits"));
    QTest::keyClick(field(), Qt::Key_Return);
    QVERIFY(axis().selection().isEmpty());
}

void WindowSearchTest::enterGoesThroughTheHitsInOrder() {
    const std::vector<store::SearchHit> hits = hitsOf(word_);
    type(word_);
    const QString of = QStringLiteral("%1 of ") + QLocale(QLocale::English).toString(int(hits.size()));
    const auto press = [this](Qt::KeyboardModifiers modifiers) {
        QTest::keyClick(field(), Qt::Key_Return, modifiers);
        QVERIFY(fixture_->settle());
    };
    for (std::size_t i = 0; i < 3; ++i) {
        press(Qt::NoModifier);
        QCOMPARE(axis().selection().slice, hits[i].slice);
        QCOMPARE(bar()->resultText(), of.arg(i + 1));
    }
    press(Qt::ShiftModifier);
    QCOMPARE(axis().selection().slice, hits[1].slice);
    press(Qt::ShiftModifier);
    press(Qt::ShiftModifier);
    QCOMPARE(axis().selection().slice, hits.back().slice);
    press(Qt::NoModifier);
    QCOMPARE(axis().selection().slice, hits.front().slice);
    QVERIFY(field()->hasFocus());
    fixture_->trigger("find-next");
    QCOMPARE(axis().selection().slice, hits[1].slice);
    fixture_->trigger("find-previous");
    QCOMPARE(axis().selection().slice, hits[0].slice);
}

void WindowSearchTest::stepsStartAtTheSelection() {
    const std::vector<store::SearchHit> hits = hitsOf(word_);
    type(word_);
    Selection other;
    other.slice = hits[5].slice;
    other.range = {hits[5].ts, hits[5].ts + 1};
    axis().select(other);
    QTRY_VERIFY(bar()->resultText().startsWith("6 of"));
    QTest::keyClick(field(), Qt::Key_Return);
    QVERIFY(fixture_->settle());
    QCOMPARE(axis().selection().slice, hits[6].slice);
    axis().clearSelection();
    axis().setVisible({hits[8].ts, hits[9].ts});
    QTest::keyClick(field(), Qt::Key_Return);
    QVERIFY(fixture_->settle());
    QCOMPARE(axis().selection().slice, hits[8].slice);
}

void WindowSearchTest::stepBeforeTheEndWaitsForIt() {
    const std::vector<store::SearchHit> hits = hitsOf(word_);
    QTest::keyClick(timeline(), Qt::Key_Slash);
    field()->setText(word_);
    QTest::keyClick(field(), Qt::Key_Return);
    QTest::keyClick(field(), Qt::Key_Return);
    QVERIFY(fixture_->settle());
    QCOMPARE(axis().selection().slice, hits[1].slice);
}

void WindowSearchTest::stepRevealsTheTrackAndTheTime() {
    const std::vector<store::SearchHit> hits = hitsOf(word_);
    const TrackTree &tree = timeline()->tree();
    for (int node = tree.nodes[static_cast<std::size_t>(tree.find(hits[0].track))].parent; node >= 0;
         node = tree.nodes[static_cast<std::size_t>(node)].parent)
        timeline()->setCollapsed(node, true);
    type(word_);
    axis().setVisible({hits.back().ts, hits.back().ts + 1000});
    QTest::keyClick(field(), Qt::Key_Return, Qt::ShiftModifier);  // the one before what is in sight, or the last
    QVERIFY(fixture_->settle());
    const Selection &selection = axis().selection();
    QVERIFY(selection.isSlice());
    QVERIFY(axis().visible().overlaps(selection.range));
    const QRectF row = timeline()->rowRect(selection.tracks.at(0), fixture_->rowOf(selection.slice));
    QVERIFY(!row.isEmpty());
    QVERIFY(row.top() >= 0 && row.bottom() <= timeline()->height());
}

int WindowSearchTest::darkPixels(QWidget *widget, const QRect &where) {
    const QImage image = widget->grab(where).toImage();
    int dark = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            dark += image.pixelColor(x, y).lightness() < 60 ? 1 : 0;
    return dark;
}

void WindowSearchTest::hitsAreMarked() {
    fixture_->window().chooseTheme(ThemeChoice::Light);
    const store::KernelInterval kernel = fixture_->longestKernel();
    timeline()->reveal(kernel.track, 0);
    QVERIFY(fixture_->settle());
    auto reader = fixture_->session().workspace().reader();
    const std::string name = (*reader)->text(kernel.name).value();
    axis().fit(kernel.range, 0.2);
    QVERIFY(fixture_->settle());
    const QRectF row = timeline()->rowRect(kernel.track, fixture_->rowOf(kernel.slice));
    const int left = static_cast<int>(timeline()->timeScale().x(kernel.range.begin));
    const QRect edge(left, static_cast<int>(row.top()) + 2, 2, static_cast<int>(row.height()) - 4);
    const auto *minimap = fixture_->view().findChild<Minimap *>();
    const auto ticks = [&] {
        const QImage image = const_cast<Minimap *>(minimap)->grab(QRect(kGutterWidth, 0, minimap->width() - kGutterWidth, 3)).toImage();
        int found = 0;
        for (int x = 0; x < image.width(); ++x)
            found += image.pixelColor(x, 1) == draw::lightTheme().accent ? 1 : 0;
        return found;
    };
    const int framed = darkPixels(timeline(), edge), ticked = ticks();
    type('"' + QString::fromStdString(name) + '"');
    QVERIFY(darkPixels(timeline(), edge) >= framed + edge.height());
    QVERIFY(ticks() > ticked);
    QTest::keyClick(field(), Qt::Key_Escape);
    QVERIFY(fixture_->settle());
    QCOMPARE(darkPixels(timeline(), edge), framed);
    QCOMPARE(ticks(), ticked);
}

void WindowSearchTest::escapeForgetsTheSearchAndGivesTheFocusBack() {
    type(word_);
    QTest::keyClick(field(), Qt::Key_Return);
    QVERIFY(fixture_->settle());
    const SliceId selected = axis().selection().slice;
    QTest::keyClick(field(), Qt::Key_Escape);
    QTRY_VERIFY(timeline()->hasFocus());
    QVERIFY(field()->text().isEmpty());
    QVERIFY(bar()->resultText().isEmpty());
    QCOMPARE(axis().selection().slice, selected);  // what was found stays
}

void WindowSearchTest::laterTextReplacesTheEarlierOne() {
    QTest::keyClick(timeline(), Qt::Key_Slash);
    for (const char *text : {"e", "la", "lau", "no such name"})
        field()->setText(QString::fromLatin1(text));
    QVERIFY(fixture_->settle());
    QCOMPARE(bar()->resultText(), QStringLiteral("No hits"));
}

void WindowSearchTest::fShowsTheSelection() {
    const store::KernelInterval kernel = fixture_->selectLongestKernel();
    QTest::keyClick(timeline(), Qt::Key_F);
    QVERIFY(axis().visible().length() < 2 * kernel.range.length());
    axis().fitAll();
    fixture_->trigger("focus-selection");
    QVERIFY(axis().visible().length() < 2 * kernel.range.length());
}

void WindowSearchTest::movedSourceIsSearchedAgain() {
    type(word_);
    QTest::keyClick(field(), Qt::Key_Return);
    QVERIFY(fixture_->settle());
    const Ns before = hitsOf(word_)[0].ts;
    store::Alignment alignment = fixture_->alignments().at(0);
    alignment.offset += 5'000'000;
    fixture_->session().edits().setAlignment(alignment);
    QVERIFY(fixture_->settle());
    QCOMPARE(hitsOf(word_)[0].ts, before + 5'000'000);
    QCOMPARE(SliceFinder::of(&fixture_->session())->hits().first()->ts, before + 5'000'000);
    fixture_->trigger("undo");
}

void WindowSearchTest::trackFinderRevealsATrack() {
    const TrackTree &tree = timeline()->tree();
    const int node = tree.find(fixture_->longestKernel().track);
    const TrackNode &track = tree.nodes[static_cast<std::size_t>(node)];
    timeline()->setCollapsed(track.parent, true);
    timeline()->setFilter("no such track");
    QVERIFY(timeline()->rowRect(track.track, 0).isEmpty());
    QTest::keyClick(timeline(), Qt::Key_P, Qt::ControlModifier);
    QTRY_VERIFY(fixture_->window().quickList() && fixture_->window().quickList()->field()->hasFocus());
    QuickList *list = fixture_->window().quickList();
    QCOMPARE(list->model().rowCount(), static_cast<int>(tree.nodes.size()));
    QTest::keyClicks(list->field(), QString::fromStdString(track.label));
    const QImage before = timeline()->grab().toImage();
    QTest::keyClick(list->field(), Qt::Key_Return);
    QVERIFY(!list->isVisible());
    QVERIFY(timeline()->hasFocus());
    const QRectF row = timeline()->rowRect(track.track, 0);
    QVERIFY(row.top() >= 0 && row.bottom() <= timeline()->height());
    const QColor accent = draw::lightTheme().accent;
    fixture_->window().chooseTheme(ThemeChoice::Light);
    const auto framed = [&] { return timeline()->grab().toImage().pixelColor(1, static_cast<int>(row.center().y())) == accent; };
    QVERIFY(framed());
    QTRY_VERIFY(!framed());  // a moment later it is gone
}

void WindowSearchTest::paletteHasEveryCommand() {
    QTest::keyClick(timeline(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(fixture_->window().quickList() && fixture_->window().quickList()->field()->hasFocus());
    QuickList *list = fixture_->window().quickList();
    QStringList keys;
    for (int row = 0; row < list->model().rowCount(); ++row)
        keys << list->model().index(row).data(QuickListModel::Key).toString();
    for (const QAction *action : fixture_->window().findChildren<QAction *>())
        if (!action->objectName().isEmpty() && !action->associatedObjects().isEmpty() && !action->menu() &&
            qobject_cast<QMenu *>(action->associatedObjects().front()))
            QVERIFY2(keys.contains(action->objectName()), qPrintable(action->objectName()));
    QTest::keyClick(list->field(), Qt::Key_Escape);
    QVERIFY(timeline()->hasFocus());
}

void WindowSearchTest::paletteRunsACommandAndRemembersIt() {
    const auto open = [this] {
        QTest::keyClick(timeline(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(fixture_->window().quickList()->field()->hasFocus());
    };
    open();
    QuickList *list = fixture_->window().quickList();
    QTest::keyClicks(list->field(), "theme dark");
    QTest::keyClick(list->field(), Qt::Key_Return);
    QVERIFY(fixture_->window().action("theme-dark")->isChecked());
    open();
    QCOMPARE(list->model().index(0).data(QuickListModel::Key).toString(), QStringLiteral("theme-dark"));
    QTest::keyClicks(list->field(), "find slices");
    QTest::keyClick(list->field(), Qt::Key_Return);
    QTRY_VERIFY(field()->hasFocus());
    QTest::keyClick(field(), Qt::Key_Escape);
    QTRY_VERIFY(timeline()->hasFocus());
    fixture_->window().chooseTheme(ThemeChoice::Light);
}

void WindowSearchTest::everyKeyIsOnThePageOfKeys() {
    fixture_->trigger("shortcuts");
    const auto *dialog = fixture_->window().findChild<ShortcutsDialog *>();
    QVERIFY(dialog);
    QString all;
    for (const QLabel *label : dialog->findChildren<QLabel *>())
        all += label->text() + QLatin1Char('\n');
    for (const char *key : {"Ctrl+F; /", "F3", "Shift+F3", "Ctrl+P", "Ctrl+Shift+P", "Enter, Shift + Enter"})
        QVERIFY2(all.contains(QString::fromLatin1(key) + QLatin1Char('\n')), key);
    delete dialog;
    fixture_->window().activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&fixture_->window()));
}

void WindowSearchTest::nothingOpenNothingToSearch() {
    type(word_);
    fixture_->trigger("close");
    QVERIFY(!fixture_->window().view());
    QVERIFY(!field()->isEnabled());
    QVERIFY(field()->text().isEmpty());
    QVERIFY(!fixture_->window().action("find")->isEnabled());
    QTest::keyClick(&fixture_->window(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    QuickList *list = fixture_->window().quickList();
    QTRY_VERIFY(list->field()->hasFocus());
    for (const auto &[typed, why] : {std::pair("find slices", "nothing is open"), std::pair("undo", "nothing is open")}) {
        list->field()->setText(QString::fromLatin1(typed));
        const QModelIndex first = list->model().index(0);
        QVERIFY2(!(first.flags() & Qt::ItemIsEnabled), typed);
        QVERIFY(first.data(QuickListModel::Detail).toString().contains(QLatin1String(why)));
    }
    QTest::keyClick(list->field(), Qt::Key_Escape);
}

QTEST_MAIN(WindowSearchTest)
#include "tst_window_search.moc"
