// Twenty thousand random keys, clicks, drags, wheel turns, sizes and shortcuts on the window of an analysed run,
// some hundred of them at once before anything is answered, as a hand on a slow machine would send them. Nothing
// may crash or leak (the sanitizers look), and in the end the window still does what it is told.
#include "tests/app/window_fixture.h"

#include <random>

#include <QApplication>
#include <QMenu>
#include <QMouseEvent>
#include <QTest>
#include <QTimer>
#include <QWheelEvent>

using namespace wattproof;
using namespace wattproof::test;
using namespace wattproof::widgets;

namespace {

constexpr int kInputs = 20'000;
constexpr int kBurst = 100;  // inputs before the events they caused are handled

// Opens a dialog of the system or ends the program: not for a hand that cannot read.
bool isLeftAlone(const QKeyEvent &key) {
    const QKeySequence keys(key.keyCombination());
    for (const QWidget *window : QApplication::topLevelWidgets())
        for (const QAction *action : window->findChildren<QAction *>())
            for (const char *name : {"open", "add", "open-part", "import", "save-as", "export", "close"})
                if (action->objectName() == QLatin1String(name) && action->shortcuts().contains(keys))
                    return true;
    return keys == QKeySequence(QKeySequence::Quit);
}

class Monkey {
public:
    Monkey(MainWindow &window, unsigned seed) : window_(window), random_(seed) {}

    void act() {
        switch (upTo(9)) {
            case 0:
            case 1:
            case 2:
                return press();
            case 3:
            case 4:
                return click();
            case 5:
            case 6:
                return dragAlong();
            case 7:
                return turnWheel();
            case 8:
                return hoverOver();
            default:
                return upTo(19) == 0 ? resize() : press();
        }
    }

private:
    int upTo(int most) { return std::uniform_int_distribution<int>(0, most)(random_); }

    QPoint somewhere() { return {upTo(window_.width()), upTo(window_.height())}; }

    // What the hand is on: a menu or a dialog, where one is open.
    QWidget *under(QPoint &at) {
        QWidget *top = QApplication::activePopupWidget();
        if (!top)
            top = QApplication::activeModalWidget();
        if (!top)
            top = &window_;
        at = {at.x() % std::max(1, top->width()), at.y() % std::max(1, top->height())};
        QWidget *child = top->childAt(at);
        if (!child)
            return top;
        at = child->mapFrom(top, at);
        return child;
    }

    Qt::KeyboardModifiers modifiers() {
        constexpr Qt::KeyboardModifier kAll[] = {Qt::NoModifier,    Qt::NoModifier,      Qt::NoModifier,
                                                 Qt::ShiftModifier, Qt::ControlModifier, Qt::AltModifier};
        Qt::KeyboardModifiers held = kAll[upTo(5)];
        if (upTo(9) == 0)
            held |= Qt::ShiftModifier;
        return held;
    }

    void press() {
        constexpr int kKeys[] = {Qt::Key_Escape, Qt::Key_Return, Qt::Key_Tab,         Qt::Key_Backspace,
                                 Qt::Key_Delete, Qt::Key_Left,   Qt::Key_Right,       Qt::Key_Up,
                                 Qt::Key_Down,   Qt::Key_PageUp, Qt::Key_Home,        Qt::Key_End,
                                 Qt::Key_F5,     Qt::Key_Slash,  Qt::Key_Comma,       Qt::Key_Period,
                                 Qt::Key_Plus,   Qt::Key_Minus,  Qt::Key_PageDown,    Qt::Key_Space,
                                 Qt::Key_Escape, Qt::Key_Escape, Qt::Key_BracketLeft, Qt::Key_BracketRight};
        const bool special = upTo(1) == 0;
        const int key = special        ? kKeys[upTo(static_cast<int>(std::size(kKeys)) - 1)]
                        : upTo(3) == 0 ? Qt::Key_0 + upTo(9)
                                       : Qt::Key_A + upTo(25);
        const Qt::KeyboardModifiers held = modifiers();
        const QString text =
            special || held & (Qt::ControlModifier | Qt::AltModifier) ? QString() : QString(QChar(key)).toLower();
        QKeyEvent down(QEvent::KeyPress, key, held, text);
        if (isLeftAlone(down))
            return;
        QWidget *target = QApplication::activePopupWidget();
        if (!target)
            target = QApplication::focusWidget();
        QTest::sendKeyEvent(QTest::Click, target ? target : &window_, static_cast<Qt::Key>(key), text, held);
    }

    void send(QWidget &target, QEvent::Type type, QPoint at, Qt::MouseButton button, Qt::MouseButtons buttons,
              Qt::KeyboardModifiers held) {
        QMouseEvent event(type, at, target.mapToGlobal(at), button, buttons, held);
        QApplication::sendEvent(&target, &event);
    }

    void click() {
        QPoint at = somewhere();
        const QPointer<QWidget> target = under(at);
        if (isDangerous(target))
            return;
        const Qt::MouseButton button = upTo(7) == 0 ? Qt::MiddleButton : Qt::LeftButton;
        const Qt::KeyboardModifiers held = modifiers();
        send(*target, QEvent::MouseButtonPress, at, button, button, held);
        if (target)
            send(*target, QEvent::MouseButtonRelease, at, button, Qt::NoButton, held);
        if (target && upTo(4) == 0)
            send(*target, QEvent::MouseButtonDblClick, at, button, button, held);
        if (target)
            send(*target, QEvent::MouseButtonRelease, at, button, Qt::NoButton, held);
    }

    void dragAlong() {
        QPoint at = somewhere();
        const QPointer<QWidget> target = under(at);
        if (isDangerous(target))
            return;
        const Qt::MouseButton button = upTo(3) == 0 ? Qt::MiddleButton : Qt::LeftButton;
        const Qt::KeyboardModifiers held = modifiers();
        send(*target, QEvent::MouseButtonPress, at, button, button, held);
        for (int i = upTo(4); i >= 0 && target; --i) {
            at += QPoint(upTo(400) - 200, upTo(200) - 100);
            send(*target, QEvent::MouseMove, at, Qt::NoButton, button, held);
        }
        if (target)
            send(*target, QEvent::MouseButtonRelease, at, button, Qt::NoButton, held);
    }

    void turnWheel() {
        QPoint at = somewhere();
        QWidget *target = under(at);
        QWheelEvent event(at, target->mapToGlobal(at), {}, {upTo(480) - 240, upTo(960) - 480}, Qt::NoButton,
                          modifiers(), Qt::NoScrollPhase, false);
        QApplication::sendEvent(target, &event);
    }

    void hoverOver() {
        QPoint at = somewhere();
        QWidget *target = under(at);
        send(*target, QEvent::MouseMove, at, Qt::NoButton, Qt::NoButton, {});
    }

    void resize() { window_.resize(700 + upTo(900), 450 + upTo(500)); }

    // The menus' and tool bar's ways to what is left alone.
    static bool isDangerous(const QWidget *target) {
        return target->inherits("QMenuBar") || target->inherits("QMenu") || target->inherits("QToolButton");
    }

    MainWindow &window_;
    std::mt19937 random_;
};

void closeWhatIsOpen() {
    for (int i = 0; i < 20; ++i) {
        QWidget *top = QApplication::activePopupWidget();
        if (!top)
            top = QApplication::activeModalWidget();
        if (!top)
            return;
        top->close();
        QApplication::processEvents();
    }
}

}  // namespace

class MonkeyTest : public QObject {
    Q_OBJECT

private slots:
    void windowOutlivesTheMonkey();
};

void MonkeyTest::windowOutlivesTheMonkey() {
    WindowFixture window;
    QVERIFY(window.open(simulatedRun().both()));
    const TimeRange whole = window.session().view().extent();
    Monkey monkey(window.window(), 4242);
    // Fires while an input is handled only where that opened a dialog which waits for its answer.
    bool acting = false;
    QTimer answer;
    connect(&answer, &QTimer::timeout, this, [&acting] {
        if (acting)
            closeWhatIsOpen();
    });
    answer.start(20);
    for (int i = 0; i < kInputs; ++i) {
        acting = true;
        monkey.act();
        acting = false;
        if (i % kBurst == 0)
            QApplication::processEvents();
        if (i % (10 * kBurst) == 0)
            closeWhatIsOpen();
    }
    closeWhatIsOpen();
    QVERIFY(window.settle());
    QVERIFY(window->isVisible());
    QVERIFY(window.window().view() != nullptr);
    QCOMPARE(window.session().view().extent(), whole);
    window.trigger("reset-layout");
    window.trigger("fit-all");
    window.session().view().clearSelection();
    const auto longest = window.longestKernel();
    TimelinePane &timeline = *window.view().timeline();
    timeline.setFilter({});
    timeline.reveal(longest.track, window.rowOf(longest.slice));
    window.session().view().fit(longest.range, 1);
    window.settle();
    const QRectF row = timeline.rowRect(longest.track, window.rowOf(longest.slice));
    QTest::mouseClick(
        &timeline, Qt::LeftButton, {},
        QPointF(timeline.timeScale().x(longest.range.begin + longest.range.length() / 2), row.center().y())
            .toPoint());
    QCOMPARE(window.session().view().selection().slice, longest.slice);
}

QTEST_MAIN(MonkeyTest)
#include "tst_monkey.moc"
