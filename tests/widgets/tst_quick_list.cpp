// Fuzzy matching, the model of quick lists, the list's hands, and what tracks and commands become in it.
#include "widgets/search/command_items.h"
#include "widgets/search/fuzzy.h"
#include "widgets/search/quick_list.h"
#include "widgets/search/track_items.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMainWindow>
#include <QMenuBar>
#include <QSignalSpy>
#include <QTest>

using namespace wattproof;
using namespace wattproof::widgets;

namespace {

std::vector<QuickItem> numbered(int count) {
    std::vector<QuickItem> items;
    for (int i = 0; i < count; ++i)
        items.push_back({QString::number(i), QStringLiteral("thread %1").arg(i), QStringLiteral("process %1").arg(i % 7),
                         QStringLiteral("tid%1").arg(100'000 + i), true, 0});
    return items;
}

QStringList textsOf(const QAbstractItemModel &model, int most = 5) {
    QStringList texts;
    for (int row = 0; row < std::min(most, model.rowCount()); ++row)
        texts << model.index(row, 0).data().toString();
    return texts;
}

}  // namespace

class QuickListTest : public QObject {
    Q_OBJECT

private slots:
    void lettersInOrderFit();
    void beginningsOfWordsComeFirst_data();
    void beginningsOfWordsComeFirst();
    void modelKeepsItsContract();
    void nothingTypedKeepsTheOrderButForWhatWasUsed();
    void restIsMatchedAfterTheText();
    void tenThousandAreNarrowed();
    void keysChooseAndTheFocusGoesBack();
    void unavailableOnesAreNotChosen();
    void escapeLeaves();
    void nothingFitsIsSaid();
    void staysInsideASmallWindow();
    void tracksCarryWhatStandsAboveThem();
    void commandsAreThoseOfTheMenus();
    void latestComesFirst();
};

void QuickListTest::lettersInOrderFit() {
    QVERIFY(fuzzyScore(u"exrep", u"file › export report…"));
    QVERIFY(fuzzyScore(u"report exp", u"file › export report…"));
    QVERIFY(!fuzzyScore(u"exz", u"file › export report…"));
    QVERIFY(!fuzzyScore(u"aa", u"a"));
    QVERIFY(fuzzyScore(u"", u"anything"));
}

void QuickListTest::beginningsOfWordsComeFirst_data() {
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("better");
    QTest::addColumn<QString>("worse");
    QTest::addRow("beginnings") << "gp" << "gpu pool" << "magpie";
    QTest::addRow("whole words") << "stream 7" << "stream 7" << "stream 17";
    QTest::addRow("number") << "s20" << "stream 20" << "s 1120";
    QTest::addRow("side by side") << "main" << "xmain" << "mxaxixn";
    QTest::addRow("short ones") << "main" << "main" << "main loop of the other one";
    QTest::addRow("later place") << "rep" << "re report" << "r e p";
}

void QuickListTest::beginningsOfWordsComeFirst() {
    QFETCH(QString, typed);
    QFETCH(QString, better);
    QFETCH(QString, worse);
    QVERIFY(fuzzyScore(typed, better).value() > fuzzyScore(typed, worse).value());
}

void QuickListTest::modelKeepsItsContract() {
    QuickListModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(model.firstEnabledRow(), -1);
    model.setItems(numbered(50));
    QCOMPARE(model.rowCount(), 50);
    model.setPattern("THREAD 4");
    QCOMPARE(textsOf(model, 1), QStringList{"thread 4"});
    model.setPattern("nothing of the kind");
    QCOMPARE(model.rowCount(), 0);
    model.setPattern({});
    QCOMPARE(model.rowCount(), 50);
    model.setItems({});
    QCOMPARE(model.rowCount(), 0);
}

void QuickListTest::nothingTypedKeepsTheOrderButForWhatWasUsed() {
    std::vector<QuickItem> items = numbered(4);
    items[2].rank = 1;
    items[3].rank = 2;
    QuickListModel model;
    model.setItems(items);
    QCOMPARE(textsOf(model), (QStringList{"thread 3", "thread 2", "thread 0", "thread 1"}));
}

void QuickListTest::restIsMatchedAfterTheText() {
    QuickListModel model;
    model.setItems({{"a", "main", "", "tid 4242", true, 0}, {"b", "pool 4242", "", "", true, 0}});
    model.setPattern("4242");
    QCOMPARE(textsOf(model), (QStringList{"pool 4242", "main"}));
    QCOMPARE(model.index(0).data(QuickListModel::Key).toString(), QStringLiteral("b"));
}

void QuickListTest::tenThousandAreNarrowed() {
    QuickListModel model;
    model.setItems(numbered(10'000));
    model.setPattern("thread 9876");
    QCOMPARE(textsOf(model, 1), QStringList{"thread 9876"});
    model.setPattern("tid109877");
    QCOMPARE(textsOf(model, 1), QStringList{"thread 9877"});
}

void QuickListTest::keysChooseAndTheFocusGoesBack() {
    QMainWindow window;
    auto *other = new QLineEdit(&window);
    window.setCentralWidget(other);
    QuickList list(&window);
    window.resize(800, 600);
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    other->setFocus();
    const QSignalSpy chosen(&list, &QuickList::chosen);
    list.open(numbered(30), "Go to track", "No such track");
    QVERIFY(list.field()->hasFocus());
    QCOMPARE(list.field()->accessibleName(), QStringLiteral("Go to track"));
    QTest::keyClick(list.field(), Qt::Key_Down);
    QTest::keyClick(list.field(), Qt::Key_Down);
    QTest::keyClick(list.field(), Qt::Key_Up);
    QTest::keyClick(list.field(), Qt::Key_Return);
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(chosen.at(0).at(0).toString(), QStringLiteral("1"));
    QVERIFY(!list.isVisible());
    QVERIFY(other->hasFocus());
    list.open(numbered(30), "Go to track", "No such track");
    QVERIFY(list.field()->text().isEmpty());
    QTest::keyClicks(list.field(), "23");
    QTest::keyClick(list.field(), Qt::Key_Enter);
    QCOMPARE(chosen.at(1).at(0).toString(), QStringLiteral("23"));
}

void QuickListTest::unavailableOnesAreNotChosen() {
    QMainWindow window;
    QuickList list(&window);
    window.show();
    const QSignalSpy chosen(&list, &QuickList::chosen);
    list.open({{"a", "first", "nothing is open", "", false, 0}, {"b", "second", "", "", true, 0}}, "Run", "None");
    QCOMPARE(list.list()->currentIndex().row(), 1);
    QCOMPARE(list.model().index(0).data(Qt::AccessibleTextRole).toString(), QStringLiteral("first, nothing is open"));
    QTest::mouseClick(list.list()->viewport(), Qt::LeftButton, {},
                      list.list()->visualRect(list.model().index(0)).center());
    QCOMPARE(chosen.count(), 0);
    QVERIFY(list.isVisible());
    list.field()->setText("first");
    QTest::keyClick(list.field(), Qt::Key_Return);
    QCOMPARE(chosen.count(), 0);
    list.field()->setText("sec");
    QTest::mouseClick(list.list()->viewport(), Qt::LeftButton, {},
                      list.list()->visualRect(list.model().index(0)).center());
    QCOMPARE(chosen.count(), 1);
}

void QuickListTest::escapeLeaves() {
    QMainWindow window;
    QuickList list(&window);
    window.show();
    const QSignalSpy chosen(&list, &QuickList::chosen);
    list.open(numbered(3), "Run", "None");
    QTest::keyClick(list.field(), Qt::Key_Escape);
    QVERIFY(!list.isVisible());
    QCOMPARE(chosen.count(), 0);
}

void QuickListTest::nothingFitsIsSaid() {
    QMainWindow window;
    QuickList list(&window);
    window.show();
    list.open(numbered(3), "Run", "No such command");
    const auto *none = list.findChild<QLabel *>();
    QVERIFY(!none->isVisible());
    list.field()->setText("zzz");
    QVERIFY(none->isVisible());
    QCOMPARE(none->text(), QStringLiteral("No such command"));
    QTest::keyClick(list.field(), Qt::Key_Return);
    QVERIFY(list.isVisible());
}

void QuickListTest::staysInsideASmallWindow() {
    QMainWindow window;
    QuickList list(&window);
    window.resize(900, 700);
    window.show();
    list.open(numbered(300), "Run", "None");
    for (const QSize size : {QSize(420, 320), QSize(1400, 900)}) {
        window.resize(size);
        QTRY_COMPARE(window.size(), size);
        QTRY_VERIFY(window.rect().contains(list.geometry()));
    }
}

void QuickListTest::tracksCarryWhatStandsAboveThem() {
    RunTables tables;
    SourceRow source;
    source.id = SourceId{1};
    source.path = "run.json";
    tables.sources = {source};
    ProcessRow process;
    process.id = ProcessId{1};
    process.source = source.id;
    process.pid = "4242";
    process.name = "python";
    tables.processes = {process};
    ThreadRow thread;
    thread.id = ThreadId{1};
    thread.source = source.id;
    thread.process = process.id;
    thread.tid = "77";
    thread.name = "loader";
    tables.threads = {thread};
    TrackRow track;
    track.id = TrackId{1};
    track.source = source.id;
    track.name = "loader";
    track.process = process.id;
    track.thread = thread.id;
    track.sliceCount = 1;
    tables.tracks = {track};
    const TrackTree tree = buildTrackTree(tables);
    QuickListModel model;
    model.setItems(trackItems(tree, tables));
    QCOMPARE(model.rowCount(), static_cast<int>(tree.nodes.size()));
    for (const char *typed : {"loader", "loader 4242", "77 python", "ldr"}) {
        model.setPattern(QString::fromLatin1(typed));
        QVERIFY2(model.rowCount() > 0, typed);
        QVERIFY2(textsOf(model, 1).at(0).contains("loader"), typed);
    }
    QVERIFY(model.index(0).data(QuickListModel::Detail).toString().contains("python"));
    QCOMPARE(model.index(0).data(QuickListModel::Key).toString().toStdString(),
             tree.nodes[static_cast<std::size_t>(tree.find(track.id))].key);
}

void QuickListTest::commandsAreThoseOfTheMenus() {
    QMenuBar bar;
    QMenu *file = bar.addMenu("&File");
    QAction *save = file->addAction("&Save && close…");
    save->setObjectName("save");
    save->setShortcuts({QKeySequence(Qt::CTRL | Qt::Key_S), QKeySequence(Qt::Key_F2)});
    file->addSeparator();
    QMenu *themes = file->addMenu("&Theme");
    QAction *dark = themes->addAction("&Dark");
    dark->setCheckable(true);
    dark->setChecked(true);
    QAction *undo = file->addAction("&Undo");
    undo->setObjectName("undo");
    undo->setEnabled(false);
    const Commands commands = commandsOf(&bar, {"undo"}, "nothing is open");
    QCOMPARE(commands.items.size(), std::size_t{3});
    QCOMPARE(commands.items[0].text, QStringLiteral("File › Save & close…"));
    QCOMPARE(commands.items[0].detail, QStringLiteral("Ctrl+S, F2"));
    QCOMPARE(commands.items[1].text, QStringLiteral("File › Theme › Dark"));
    QCOMPARE(commands.items[1].detail, QStringLiteral("on"));
    QCOMPARE(commands.items[2].detail, QStringLiteral("nothing is open"));
    QVERIFY(!commands.items[2].enabled && commands.items[2].rank > 0);
    QCOMPARE(commands.actions.value("save").data(), save);
    QCOMPARE(commands.actions.value(commands.items[1].key).data(), dark);
}

void QuickListTest::latestComesFirst() {
    QCOMPARE(withLatest({"a", "b", "c"}, "c"), (QStringList{"c", "a", "b"}));
    QStringList many;
    for (int i = 0; i < 40; ++i)
        many = withLatest(many, QString::number(i));
    QCOMPARE(many.size(), 12);
    QCOMPARE(many.front(), QStringLiteral("39"));
}

QTEST_MAIN(QuickListTest)
#include "tst_quick_list.moc"
