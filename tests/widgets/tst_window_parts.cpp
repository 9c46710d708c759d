#include "widgets/window/appearance.h"
#include "widgets/window/banner.h"
#include "widgets/window/docks.h"
#include "widgets/window/headline_bar.h"
#include "widgets/window/recent_files.h"
#include "widgets/window/task_runner.h"

#include <thread>

#include <QApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QPalette>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

using namespace wattproof;
using namespace wattproof::widgets;

class WindowPartsTest : public QObject {
    Q_OBJECT

private slots:
    void answersArriveOnTheOwnersThread();
    void cancelReachesTheWork();
    void destroyedRunnerDropsAnswers();
    void taskBehindShowsOnlyWhenAlone();
    void progressTellsShareRateAndRest();
    void newStageMeasuresAnew();
    void bannersReplaceTheirOwnKeyAndStayFew();
    void bannerActionClosesItFirst();
    void recentEntriesMoveToTheFront();
    void chipsSayWhatIsMissing();
    void chipsTellABurstFromASustainedRun();
    void brokenPromiseIsMarkedWithoutColour();
    void palettesAreLegible();
    void dockAmongTabsIsNamedByItsTabAlone();
};

void WindowPartsTest::answersArriveOnTheOwnersThread() {
    TaskRunner runner;
    std::thread::id worker, owner;
    int answer = 0;
    runner.start(
        "adding",
        [&](const Task &) {
            worker = std::this_thread::get_id();
            return 41 + 1;
        },
        [&](int value) {
            owner = std::this_thread::get_id();
            answer = value;
        });
    QVERIFY(runner.isBusy());
    QTRY_COMPARE(answer, 42);
    QVERIFY(worker != owner);
    QCOMPARE(owner, std::this_thread::get_id());
    QVERIFY(!runner.isBusy());
}

void WindowPartsTest::cancelReachesTheWork() {
    TaskRunner runner;
    bool stopped = false;
    const TaskNumber number = runner.start(
        "waiting",
        [](const Task &task) {
            while (!task.cancelled())
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            return true;
        },
        [&](bool value) { stopped = value; });
    QCOMPARE(runner.current().number, number);
    runner.cancel(number);
    QTRY_VERIFY(stopped);
}

void WindowPartsTest::destroyedRunnerDropsAnswers() {
    bool answered = false;
    {
        TaskRunner runner;
        runner.start(
            "short", [](const Task &) { return 1; }, [&](int) { answered = true; });
    }
    QTest::qWait(10);
    QVERIFY(!answered);
}

void WindowPartsTest::taskBehindShowsOnlyWhenAlone() {
    TaskRunner runner;
    const auto work = [](const Task &task) {
        while (!task.cancelled())
            std::this_thread::yield();
        return 0;
    };
    int ended = 0;
    const auto done = [&](int) { ++ended; };
    const TaskNumber front = runner.start("import", work, done);
    const TaskNumber behind = runner.start("check", work, done, TaskRunner::Place::Behind);
    QCOMPARE(runner.current().number, front);
    runner.cancel(front);
    QTRY_COMPARE(ended, 1);
    QCOMPARE(runner.current().number, behind);
}

void WindowPartsTest::progressTellsShareRateAndRest() {
    ProgressMeter meter;
    QVERIFY(meter.measure({"Reading", 0, 1000, "bytes"}, 0).rate.isEmpty());
    const TaskProgress line = meter.measure({"Reading", 400, 1000, "bytes"}, 2000);
    QCOMPARE(line.fraction, std::optional(0.4));
    QCOMPARE(line.rate, QStringLiteral("200\u2009B/s"));
    QCOMPARE(line.remaining, QStringLiteral("0:04"));
    QVERIFY(!meter.measure({"Reading", 400, 0, "bytes"}, 2000).fraction);
}

void WindowPartsTest::newStageMeasuresAnew() {
    ProgressMeter meter;
    (void)meter.measure({"Reading", 0, 1000, "bytes"}, 0);
    (void)meter.measure({"Writing", 0, 10, "slices"}, 5000);
    const TaskProgress line = meter.measure({"Writing", 5, 10, "slices"}, 6000);
    QCOMPARE(line.rate, QStringLiteral("5.00\u2009slices/s"));
    QCOMPARE(line.remaining, QStringLiteral("0:02"));
}

void WindowPartsTest::bannersReplaceTheirOwnKeyAndStayFew() {
    BannerStack stack(draw::lightTheme());
    QVERIFY(stack.isHidden());
    for (int i = 0; i < 5; ++i)
        stack.show({Severity::Error, QString::number(i), {}, {}, {}});
    QCOMPARE(stack.texts(), QStringList({"4", "3", "2"}));
    stack.show({Severity::Info, "first", {}, {}, "key"});
    stack.show({Severity::Info, "second", {}, {}, "key"});
    QCOMPARE(stack.texts(), QStringList({"second", "4", "3"}));
    stack.clear();
    QVERIFY(stack.isHidden());
}

void WindowPartsTest::bannerActionClosesItFirst() {
    BannerStack stack(draw::darkTheme());
    QStringList during;
    stack.show({Severity::Warning,
                "text",
                "Do it",
                [&] {
                    during = stack.texts();
                    stack.show({Severity::Info, "done", {}, {}, {}});
                },
                {}});
    stack.banners().front()->findChild<QPushButton *>()->click();
    QVERIFY(during.isEmpty());
    QCOMPARE(stack.texts(), QStringList({"done"}));
    QVERIFY(stack.banners().front()->accessibleName().contains("Note"));
    stack.banners().front()->findChild<QToolButton *>()->click();
    QVERIFY(stack.texts().isEmpty());
}

void WindowPartsTest::recentEntriesMoveToTheFront() {
    const QTemporaryDir folder;
    QSettings settings(folder.filePath("s.ini"), QSettings::IniFormat);
    RecentFiles recent(settings);
    for (int i = 0; i < 12; ++i)
        recent.add({QStringLiteral("/a/%1.json").arg(i)});
    QCOMPARE(recent.entries().size(), 10);
    recent.add({"/a/5.json"});
    recent.add({"/a/x.json", "/a/y.csv"});
    QCOMPARE(recent.entries()[0], QStringList({"/a/x.json", "/a/y.csv"}));
    QCOMPARE(recent.entries()[1], QStringList({"/a/5.json"}));
    QCOMPARE(recent.entries().size(), 10);
    settings.sync();
    QSettings again(folder.filePath("s.ini"), QSettings::IniFormat);
    QCOMPARE(RecentFiles(again).entries(), recent.entries());
    recent.clear();
    QVERIFY(recent.entries().isEmpty());
}

void WindowPartsTest::chipsSayWhatIsMissing() {
    analysis::AnalysisResult result;
    result.reasons["headline.value"] = "no power log";
    const QList<Chip> without = chipsOf(result, false);
    QCOMPARE(without.size(), 2);
    QCOMPARE(without[0].hint, QStringLiteral("no power log"));
    QCOMPARE(without[1].text, QStringLiteral("no joules"));
    result.energy.totalJ = 1240;
    result.headline.domainsMissing = {"host", "memory"};
    const QList<Chip> with = chipsOf(result, true);
    QCOMPARE(with.front().text, QStringLiteral("simulated"));
    QCOMPARE(with.back().text, QStringLiteral("host, memory missing"));
    QCOMPARE(with[2].text, QStringLiteral("1.24\u2009kJ"));
}

void WindowPartsTest::chipsTellABurstFromASustainedRun() {
    analysis::AnalysisResult result;
    result.headline.value = 412;
    result.headline.unit = "tok/J";
    result.headline.ci95 = analysis::Interval{400, 424};
    result.headline.sustained = TimeRange{0, 58'000'000'000};
    QCOMPARE(chipsOf(result, false)[0].text, QStringLiteral("412\u2009tok/J ± 2.9\u2009%"));
    QVERIFY(chipsOf(result, false)[1].text.startsWith("burst"));
    result.headline.settled = true;
    QVERIFY(chipsOf(result, false)[1].text.startsWith("sustained"));
}

void WindowPartsTest::brokenPromiseIsMarkedWithoutColour() {
    analysis::AnalysisResult result;
    analysis::SlaResult sla;
    sla.term.limitMs = 250;
    sla.value = 231;
    sla.pass = true;
    result.headline.sla = {sla};
    QCOMPARE(chipsOf(result, false)[1].text, QStringLiteral("p99 231\u2009ms of 250\u2009ms ✓"));
    result.headline.sla[0].pass = false;
    QVERIFY(chipsOf(result, false)[1].text.endsWith("✗"));
}

void WindowPartsTest::palettesAreLegible() {
    for (const draw::Theme *theme : {&draw::lightTheme(), &draw::darkTheme()}) {
        const QPalette palette = paletteOf(*theme);
        const std::pair<QPalette::ColorRole, QPalette::ColorRole> pairs[] = {
            {QPalette::WindowText, QPalette::Window},    {QPalette::Text, QPalette::Base},
            {QPalette::PlaceholderText, QPalette::Base}, {QPalette::HighlightedText, QPalette::Highlight},
            {QPalette::ButtonText, QPalette::Button},    {QPalette::ToolTipText, QPalette::ToolTipBase}};
        for (const auto &[text, ground] : pairs)
            QVERIFY(draw::contrast(palette.color(text), palette.color(ground)) >= 4.5);
    }
}

void WindowPartsTest::dockAmongTabsIsNamedByItsTabAlone() {
    QMainWindow window;
    Docks docks(&window);
    window.show();
    QVERIFY(!docks.dock(Place::Findings)->titleBarWidget());
    QVERIFY(docks.dock(Place::Details)->titleBarWidget());
    docks.dock(Place::Annotations)->close();
    QVERIFY(!docks.dock(Place::Details)->titleBarWidget());
    docks.raise(Place::Annotations);
    QVERIFY(docks.dock(Place::Details)->titleBarWidget());
    docks.dock(Place::Details)->setFloating(true);
    QVERIFY(!docks.dock(Place::Details)->titleBarWidget());
}

QTEST_MAIN(WindowPartsTest)
#include "tst_window_parts.moc"
