#include "tests/app/window_fixture.h"
#include "widgets/panes/annotations_pane.h"
#include "widgets/plot/axis_choices.h"
#include "widgets/timeline/slice_colours.h"
#include "widgets/window/shortcuts_dialog.h"
#include "widgets/window/status_line.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QTest>

using namespace wattproof;
using namespace wattproof::test;
using namespace wattproof::widgets;

// Presses each key of the timeline in the real window and looks at what it did.
class WindowHandsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void cleanup();
    void keysOfTheAxis();
    void keysOfTheSelection();
    void keysOfTheFlow();
    void keysOfMarks();
    void keysOfSavedViews();
    void keysOfTracks();
    void noteOnATrackByKeyboard();
    void filterFindsCategoriesOfTheRun();
    void timeIsToldAsChosenAfterARestart();
    void slicesAreColouredAsChosen();
    void everyShortcutIsListed();
    void noTwoActionsShareAKey();
    void keysWithoutAWorkspaceDoNothing();

private:
    void press(int key, Qt::KeyboardModifiers modifiers = {}) {
        fixture_->view().timeline()->setFocus();
        QTest::keyClick(fixture_->view().timeline(), static_cast<Qt::Key>(key), modifiers);
        QVERIFY(fixture_->settle());
    }
    TimeView &axis() { return fixture_->session().view(); }
    TimelinePane &timeline() { return *fixture_->view().timeline(); }
    AxisChoices &choices() { return *AxisChoices::of(&fixture_->session()); }

    std::unique_ptr<WindowFixture> fixture_;
    std::vector<store::Annotation> notes() {
        fixture_->session().edits().waitIdle();
        return fixture_->session().workspace().edits().annotations().value_or(std::vector<store::Annotation>{});
    }
};

void WindowHandsTest::initTestCase() {
    fixture_ = std::make_unique<WindowFixture>();
    QVERIFY(fixture_->open(simulatedRun().both()));
}

void WindowHandsTest::init() {
    axis().clearSelection();
    axis().fitAll();
    choices().setMark(std::nullopt);
    QVERIFY(fixture_->settle());
}

void WindowHandsTest::cleanup() {
    while (fixture_->window().view() && fixture_->window().action("undo")->isEnabled())
        fixture_->trigger("undo");
}

void WindowHandsTest::keysOfTheAxis() {
    const TimeRange all = axis().visible();
    press(Qt::Key_W);
    QVERIFY(axis().visible().length() < all.length());
    const TimeRange zoomed = axis().visible();
    press(Qt::Key_D);
    QVERIFY(axis().visible().begin > zoomed.begin);
    press(Qt::Key_A);
    QCOMPARE(axis().visible(), zoomed);
    press(Qt::Key_S);
    QVERIFY(axis().visible().length() > zoomed.length());
    press(Qt::Key_Z);
    QCOMPARE(axis().visible(), axis().mainRange());
}

void WindowHandsTest::keysOfTheSelection() {
    fixture_->selectLongestKernel();
    const Selection kernel = axis().selection();
    press(Qt::Key_F);
    QVERIFY(axis().visible().length() < 2 * kernel.range.length());
    press(Qt::Key_F);
    QCOMPARE(axis().visible(), axis().mainRange());
    press(Qt::Key_Period);
    QVERIFY(axis().selection().slice != kernel.slice);
    press(Qt::Key_Comma);
    QCOMPARE(axis().selection().slice, kernel.slice);
    press(Qt::Key_R);
    QVERIFY(axis().selection().isArea());
    QCOMPARE(axis().selection().range, kernel.range);
    press(Qt::Key_Escape);
    QVERIFY(axis().selection().isEmpty());
}

void WindowHandsTest::keysOfTheFlow() {
    fixture_->selectLongestKernel();
    const SliceId kernel = axis().selection().slice;
    press(Qt::Key_BracketLeft);
    QVERIFY(axis().selection().isSlice() && axis().selection().slice != kernel);
    press(Qt::Key_BracketRight);
    QCOMPARE(axis().selection().slice, kernel);
}

void WindowHandsTest::keysOfMarks() {
    fixture_->selectLongestKernel();
    const TimeRange kernel = axis().selection().range;
    press(Qt::Key_M);
    QCOMPARE(choices().mark().value(), kernel);
    press(Qt::Key_M);
    QVERIFY(!choices().mark());
    press(Qt::Key_M, Qt::ShiftModifier);
    QCOMPARE(notes().size(), 1U);
    QCOMPARE(notes().front().ts, kernel.begin);
    QCOMPARE(fixture_->view().annotations()->model().rowCount(), 1);
    axis().setCursor(kernel.begin + 3);
    press(Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(QGuiApplication::clipboard()->text(), QString::number(kernel.begin + 3));
}

void WindowHandsTest::keysOfSavedViews() {
    for (int digit = 1; digit <= 9; ++digit) {
        axis().setVisible({digit * 1000, digit * 1000 + 5000});
        press(Qt::Key_0 + digit, Qt::ControlModifier);
    }
    axis().fitAll();
    for (int digit = 9; digit >= 1; --digit) {
        press(Qt::Key_0 + digit);
        QCOMPARE(axis().visible(), (TimeRange{digit * 1000, digit * 1000 + 5000}));
    }
}

void WindowHandsTest::keysOfTracks() {
    fixture_->selectLongestKernel();
    const TrackId track = axis().selection().tracks.front();
    const int node = timeline().tree().find(track);
    const Arrangement before = timeline().arrangement();
    const std::string key = timeline().tree().nodes[static_cast<std::size_t>(node)].key;
    press(Qt::Key_P);
    QVERIFY(timeline().arrangement().isPinned(key));
    press(Qt::Key_P);
    QVERIFY(timeline().rowRect(track, 0).top() > 0 && !timeline().arrangement().isPinned(key));
    press(Qt::Key_H);
    QVERIFY(timeline().rowRect(track, 0).isEmpty());
    press(Qt::Key_H, Qt::ShiftModifier);
    QVERIFY(!timeline().rowRect(track, 0).isEmpty());
    press(Qt::Key_H);
    QVERIFY(timeline().arrangement().hidden.empty());
    const double usual = timeline().rowRect(track, 0).height();
    press(Qt::Key_Plus, Qt::AltModifier);
    QVERIFY(timeline().rowRect(track, 0).height() > usual);
    press(Qt::Key_Minus, Qt::AltModifier);
    press(Qt::Key_Minus, Qt::AltModifier);
    QVERIFY(timeline().rowRect(track, 0).height() < usual);
    press(Qt::Key_0, Qt::AltModifier);
    QCOMPARE(timeline().rowRect(track, 0).height(), usual);
    press(Qt::Key_Up, Qt::ControlModifier);
    const int above = timeline().currentTrack();
    QVERIFY(above != node);
    press(Qt::Key_O);
    QVERIFY(timeline().isCollapsed(above));
    press(Qt::Key_O);
    press(Qt::Key_Down, Qt::ControlModifier);
    QCOMPARE(timeline().currentTrack(), node);
    timeline().setCurrentTrack(timeline().tree().roots.back());
    if (timeline().tree().roots.size() > 1) {
        press(Qt::Key_Up, Qt::AltModifier);
        QVERIFY(timeline().arrangement().order.contains(""));
        press(Qt::Key_Down, Qt::AltModifier);
    }
    cleanup();
    QVERIFY(timeline().arrangement() == before);
}

void WindowHandsTest::noteOnATrackByKeyboard() {
    fixture_->selectLongestKernel();
    const TrackId track = axis().selection().tracks.front();
    press(Qt::Key_N, Qt::ShiftModifier);
    auto *field = qobject_cast<QLineEdit *>(timeline().focusWidget());
    QVERIFY(field);
    // Letters that are shortcuts elsewhere are letters here.
    QTest::keyClicks(field, "mph 12");
    QCOMPARE(field->text(), QStringLiteral("mph 12"));
    QTest::keyClick(field, Qt::Key_Return);
    QVERIFY(fixture_->settle());
    QCOMPARE(notes().size(), 1U);
    QCOMPARE(notes().front().track, track);
    press(Qt::Key_N, Qt::ShiftModifier);
    QTest::keyClick(field, Qt::Key_Escape);
    QVERIFY(!field->isVisible());
    QVERIFY(axis().selection().isSlice());  // Escape was the field's alone
}

void WindowHandsTest::filterFindsCategoriesOfTheRun() {
    timeline().setFilter(QStringLiteral("kernel"));
    QVERIFY(fixture_->settle());
    const store::KernelInterval kernel = fixture_->longestKernel();
    QVERIFY(!timeline().rowRect(kernel.track, 0).isEmpty());
    timeline().setFilter(QStringLiteral("kernel nosuchword"));
    QVERIFY(timeline().rowRect(kernel.track, 0).isEmpty());
    timeline().setFilter({});
}

void WindowHandsTest::timeIsToldAsChosenAfterARestart() {
    const Ns time = axis().extent().begin + 500'000'000;
    fixture_->trigger("time-shown-local");
    fixture_->trigger("wheel-scroll");
    axis().setCursor(time);
    QVERIFY(fixture_->window().statusLine().cursorText().contains("local"));
    fixture_->restart();
    QVERIFY(fixture_->open(simulatedRun().both()));
    axis().setCursor(time);
    QVERIFY(fixture_->window().statusLine().cursorText().contains("local"));
    QCOMPARE(choices().wheel(), WheelUse::Scroll);
    fixture_->trigger("time-shown-mark");
    QVERIFY(!fixture_->window().statusLine().cursorText().contains("mark"));
    choices().setMark(TimeRange{time - 20, time});
    QVERIFY(fixture_->window().statusLine().cursorText().startsWith("+0.000"));
    fixture_->trigger("time-shown-trace");
    fixture_->trigger("wheel-zoom");
    QCOMPARE(choices().wheel(), WheelUse::Zoom);
}

void WindowHandsTest::slicesAreColouredAsChosen() {
    const store::KernelInterval kernel = fixture_->longestKernel();
    const auto details = (*fixture_->session().workspace().reader())->slice(kernel.slice);
    const std::int32_t row = details->slice.row;
    const auto fill = [&] {
        timeline().reveal(kernel.track, row);
        axis().fit(kernel.range, 1);
        fixture_->settle();
        const QRectF box = timeline().rowRect(kernel.track, row);
        const QPointF at(timeline().timeScale().x(kernel.range.begin + kernel.range.length() * 3 / 4), box.top() + 2);
        const QImage image = timeline().grab().toImage();
        return image.pixel((at * image.devicePixelRatio()).toPoint());
    };
    const draw::Theme &theme = timeline().theme();
    QCOMPARE(fill(), theme.fillOf(details->opClass).rgb());
    fixture_->trigger("slice-colours-precision");
    QCOMPARE(fill(), theme.fillOfPrecision(details->precision).rgb());
    fixture_->trigger("slice-colours-power");
    const SliceColours &colours = *SliceColours::of(&fixture_->session());
    const auto sums = (*fixture_->session().workspace().reader())
                          ->query("SELECT sum(e.j) / (sum(s.dur) * 1e-9) FROM slices s LEFT JOIN energy e ON e.slice_id "
                                  "= s.id WHERE s.name = (SELECT name FROM slices WHERE id = " +
                                      std::to_string(kernel.slice.value) + ")",
                                  1);
    const double watts = std::stod(sums->rows.at(0).at(0));
    QVERIFY(std::abs(colours.power().at(details->slice.name) / watts - 1) < 1e-6);
    double most = 0;
    for (const auto &[id, value] : colours.power())
        most = std::max(most, value);
    QCOMPARE(fill(), theme.fillOfShare(colours.power().at(details->slice.name) / most).rgb());
    fixture_->restart();
    QVERIFY(fixture_->open(simulatedRun().both()));
    QCOMPARE(SliceColours::of(&fixture_->session())->chosen(), draw::ColourBy::Power);
    fixture_->trigger("slice-colours-class");
    QCOMPARE(fill(), timeline().theme().fillOf(details->opClass).rgb());
}

void WindowHandsTest::everyShortcutIsListed() {
    fixture_->trigger("shortcuts");
    auto *dialog = fixture_->window().findChild<ShortcutsDialog *>();
    QVERIFY(dialog);
    QStringList texts;
    for (const QLabel *label : dialog->findChildren<QLabel *>())
        texts << label->text();
    for (const TrackCommandEntry &entry : trackCommands())
        QVERIFY2(entry.key == 0 || texts.contains(entry.words().remove(QLatin1Char('&'))), entry.name);
    for (const HandCommandEntry &entry : handCommands())
        QVERIFY2(texts.contains(entry.words().remove(QLatin1Char('&'))), entry.name);
    for (const char *key : {"P", "Ctrl+7", "7", "[", "]", "Shift+M", "Alt+Up"})
        QVERIFY2(texts.contains(QKeySequence(QString::fromLatin1(key)).toString(QKeySequence::NativeText)), key);
    dialog->close();
}

void WindowHandsTest::noTwoActionsShareAKey() {
    QMap<QString, QString> owner;
    for (const QAction *action : fixture_->window().findChildren<QAction *>())
        for (const QKeySequence &keys : action->shortcuts()) {
            if (keys.isEmpty() || action->shortcutContext() != Qt::WindowShortcut)
                continue;
            QVERIFY2(!owner.contains(keys.toString()),
                     qPrintable(keys.toString() + ": " + owner.value(keys.toString()) + ", " + action->text()));
            owner.insert(keys.toString(), action->text());
        }
}

void WindowHandsTest::keysWithoutAWorkspaceDoNothing() {
    fixture_->trigger("close");
    for (const TrackCommandEntry &entry : trackCommands())
        QVERIFY(!fixture_->window().action(QString::fromLatin1(entry.name))->isEnabled());
    QTest::keyClick(&fixture_->window(), Qt::Key_M);
    QTest::keyClick(&fixture_->window(), Qt::Key_1);
    QVERIFY(!fixture_->window().view());
}

QTEST_MAIN(WindowHandsTest)
#include "tst_window_hands.moc"
